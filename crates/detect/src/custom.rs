//! Patterns of a caller, limited so that no pattern can exhaust memory.

use regex::{Regex, RegexBuilder};

use crate::finding::{Finding, Kind};

/// The longest name of a pattern, in bytes.
const LONGEST_NAME: usize = 64;
/// The longest pattern, in bytes.
const LONGEST_PATTERN: usize = 1_024;
/// The largest compiled program, in bytes.
const LARGEST_PROGRAM: usize = 1 << 20;
/// The deepest nesting of groups.
const DEEPEST_NESTING: u32 = 32;

/// A named regular expression in the linear-time dialect of the `regex` crate.
#[derive(Debug, Clone)]
pub struct CustomPattern {
    name: String,
    regex: Regex,
}

/// The refusal of a custom pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CustomPatternError {
    /// The name is empty, too long, or holds something besides letters, digits, `_`, `-` and `.`.
    Name,
    /// The pattern is longer than the limit of this many bytes.
    TooLong(usize),
    /// The pattern matches the empty string, so it would match everywhere and redact nothing.
    MatchesEmpty,
    /// The pattern does not compile, or its program is too large; the reason in words.
    Syntax(String),
}

impl std::fmt::Display for CustomPatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name => write!(f, "a pattern's name must be 1 to {LONGEST_NAME} letters, digits, `_`, `-` or `.`"),
            Self::TooLong(limit) => write!(f, "the pattern is longer than {limit} bytes"),
            Self::MatchesEmpty => f.write_str("the pattern matches the empty string"),
            Self::Syntax(reason) => write!(f, "the pattern does not compile: {reason}"),
        }
    }
}

impl std::error::Error for CustomPatternError {}

/// The last line of an error of the library, which has the reason; the others draw the pattern.
fn in_a_line(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default().trim();
    last.trim_start_matches("error: ").to_owned()
}

impl CustomPattern {
    /// Compiles a pattern under a name.
    ///
    /// A pattern with a group named `value` reports that group alone; others report the match.
    //
    // # Errors
    // If the name is malformed, or the pattern does not compile, exceeds a limit or matches the empty string.
    pub fn new(name: &str, pattern: &str) -> Result<Self, CustomPatternError> {
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(named) {
            return Err(CustomPatternError::Name);
        }
        if pattern.len() > LONGEST_PATTERN {
            return Err(CustomPatternError::TooLong(LONGEST_PATTERN));
        }
        let regex = RegexBuilder::new(pattern)
            .size_limit(LARGEST_PROGRAM)
            .dfa_size_limit(LARGEST_PROGRAM)
            .nest_limit(DEEPEST_NESTING)
            .build()
            .map_err(|error| CustomPatternError::Syntax(in_a_line(&error.to_string())))?;
        if regex.is_match("") {
            return Err(CustomPatternError::MatchesEmpty);
        }
        Ok(Self { name: name.to_owned(), regex })
    }

    /// The name that findings carry as their rule id.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The pattern as it was given.
    pub(crate) fn pattern(&self) -> &str {
        self.regex.as_str()
    }

    /// Returns true if the pattern matches anywhere.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Every match of the pattern, by start; empty matches are left out.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        // Captures allocate before they know of a match, and most texts have none.
        let captures = self.is_in(text).then(|| self.regex.captures_iter(text));
        captures
            .into_iter()
            .flatten()
            .filter_map(|captures| captures.name("value").or_else(|| captures.get(0)))
            .filter(|found| !found.is_empty())
            .map(|found| Finding {
                rule_id: self.name.clone().into(),
                title: format!("value matching the custom pattern `{}`", self.name).into(),
                range: found.range(),
                kind: Kind::Personal,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, pattern: &str) -> CustomPatternError {
        CustomPattern::new(name, pattern).unwrap_err()
    }

    #[test]
    fn finds_every_match_and_reports_its_value_group() {
        let pattern = CustomPattern::new("ticket", r"ticket (?P<value>T-\d+)").unwrap();
        let ranges: Vec<_> = pattern.scan("ticket T-1, ticket T-22").into_iter().map(|f| f.range).collect();
        assert_eq!(ranges, [7..10, 19..23]);
    }

    #[test]
    fn refuses_what_it_cannot_hold() {
        assert_eq!(refused("", "a"), CustomPatternError::Name);
        assert_eq!(refused("has space", "a"), CustomPatternError::Name);
        assert_eq!(refused("long", &"a".repeat(1_025)), CustomPatternError::TooLong(1_024));
        assert_eq!(refused("empty", "a*"), CustomPatternError::MatchesEmpty);
        assert!(matches!(refused("open", "("), CustomPatternError::Syntax(_)));
        assert!(matches!(refused("big", r"(?:\w{500}){500}"), CustomPatternError::Syntax(_)));
        let deep = format!("{}a{}", "(".repeat(60), ")".repeat(60));
        assert!(matches!(refused("deep", &deep), CustomPatternError::Syntax(_)));
    }
}
