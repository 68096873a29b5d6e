//! References to prompts.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A prompt by name, and by version if it is pinned: `workspace.operator.planner.system@v1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptRef {
    /// The name.
    pub prompt_id: String,
    /// The version; none stands for the newest that is known when a run starts.
    pub version: Option<u32>,
}

/// The reason why a text is not a reference to a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PromptRefError {
    /// The name has other characters than an id.
    #[error("`{0}` is not a name of a prompt: lowercase words with `.`, `_` and `-`")]
    Id(String),
    /// The version is not `v` and a number.
    #[error("`{0}` is not a version of a prompt: `v` and a number from 1")]
    Version(String),
}

impl FromStr for PromptRef {
    type Err = PromptRefError;
    fn from_str(text: &str) -> Result<Self, PromptRefError> {
        let (id, version) = match text.split_once('@') {
            Some((id, version)) => (id, Some(version)),
            None => (text, None),
        };
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-');
        let starts = id.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        if !starts || id.len() > 200 || !id.bytes().all(letter) || id.contains("..") || id.ends_with('.') {
            return Err(PromptRefError::Id(id.to_owned()));
        }
        let version = version.map(number).transpose()?;
        Ok(Self { prompt_id: id.to_owned(), version })
    }
}

fn number(version: &str) -> Result<u32, PromptRefError> {
    let bad = || PromptRefError::Version(version.to_owned());
    let digits = version.strip_prefix('v').filter(|digits| !digits.starts_with(['0', '+'])).ok_or_else(bad)?;
    digits.parse().map_err(|_| bad())
}

impl fmt::Display for PromptRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.prompt_id)?;
        self.version.map_or(Ok(()), |version| write!(f, "@v{version}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_versions() {
        for text in ["workspace.operator.planner.system@v1", "acme.planner", "a@v12"] {
            assert_eq!(text.parse::<PromptRef>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in ["", "A.b", "a..b", "a.", "a@1", "a@v0", "a@v", "a@v+1", "a@v99999999999"] {
            assert!(text.parse::<PromptRef>().is_err(), "{text}");
        }
    }
}
