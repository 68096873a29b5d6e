//! Templates: text with variables in double braces.

use std::collections::BTreeSet;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Variable(&'a str),
}

/// A prompt's text, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate<'a> {
    parts: Vec<Part<'a>>,
}

/// The reason why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateFault {
    /// The text from its opening braces, cut.
    pub(crate) near: String,
}

impl<'a> PromptTemplate<'a> {
    /// Reads a text. Double braces always begin or end a variable; single ones are text.
    ///
    /// # Errors
    /// Braces are not closed, or what they enclose is not a name.
    pub fn read(text: &'a str) -> Result<Self, TemplateFault> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let fault = || TemplateFault { near: format!("{{{{{}", after.chars().take(24).collect::<String>()) };
            let (name, next) = after.split_once("}}").ok_or_else(fault)?;
            if !is_name(name) {
                return Err(fault());
            }
            parts.push(Part::Text(before));
            parts.push(Part::Variable(name));
            rest = next;
        }
        parts.push(Part::Text(rest));
        Ok(Self { parts })
    }

    /// Returns the names of the variables.
    pub fn variables(&self) -> BTreeSet<&'a str> {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::Variable(name) => Some(*name),
                Part::Text(_) => None,
            })
            .collect()
    }

    /// Writes the text with a value for each variable.
    pub(crate) fn fill(&self, value: impl Fn(&str) -> String) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => (*text).to_owned(),
                Part::Variable(name) => value(name),
            })
            .collect()
    }
}

/// Returns true for lowercase words with `_`.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(text: &str) -> Vec<&str> {
        PromptTemplate::read(text).unwrap().variables().into_iter().collect()
    }

    #[test]
    fn reads_variables() {
        assert_eq!(variables("a {{b}} {\"c\": 1} {{d_2}}{{b}}"), ["b", "d_2"]);
        assert_eq!(variables("no variable"), Vec::<&str>::new());
    }

    #[test]
    fn refuses_braces_that_name_nothing() {
        for text in ["{{", "{{a", "{{ a }}", "{{A}}", "{{}}", "{{a}b}}"] {
            assert!(PromptTemplate::read(text).is_err(), "{text}");
        }
    }
}
