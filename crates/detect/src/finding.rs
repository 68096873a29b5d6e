//! Findings of detectors.

use std::borrow::Cow;
use std::ops::Range;

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A credential: its holder can act as its owner.
    Secret,
    /// Personal data: it identifies or reaches a person.
    Personal,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Secret => "secret",
            Self::Personal => "personal data",
        })
    }
}

/// One detected value: which rule fired and where, never the value itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The stable id of the rule, such as `aws-access-key-id`, `email` or a custom pattern's name.
    pub rule_id: Cow<'static, str>,
    /// A title such as `AWS access key id`.
    pub title: Cow<'static, str>,
    /// The bytes of the value itself, without its surroundings; always on character boundaries.
    pub range: Range<usize>,
    /// The kind: a credential or personal data.
    pub kind: Kind,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (`{}`) at bytes {}..{}", self.title, self.rule_id, self.range.start, self.range.end)
    }
}

/// Sorts findings by start, then rule, then end, and removes duplicates.
pub(crate) fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|a, b| (a.range.start, &a.rule_id, a.range.end).cmp(&(b.range.start, &b.rule_id, b.range.end)));
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_place_and_never_the_value() {
        let finding =
            Finding { rule_id: "email".into(), title: "email address".into(), range: 3..9, kind: Kind::Personal };
        assert_eq!(finding.to_string(), "email address (`email`) at bytes 3..9");
    }
}
