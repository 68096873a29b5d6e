//! A detector chosen by name, for redaction rules.

use crate::custom::CustomPattern;
use crate::finding::Finding;
use crate::outline::Outline;
use crate::personal::{PersonalKind, scan_personal};

/// One named detector: built in, or a pattern that the caller brought.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// A built-in detector such as `email` or `credit_card`.
    Personal(PersonalKind),
    /// A pattern of the caller's own.
    Custom(CustomPattern),
}

impl Matcher {
    /// The built-in detector of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok().map(Self::Personal)
    }

    /// The name that findings carry as their rule id.
    pub fn name(&self) -> &str {
        match self {
            Self::Personal(kind) => kind.name(),
            Self::Custom(pattern) => pattern.name(),
        }
    }

    /// Returns true if a text of this outline can hold anything for this detector; `false` is certain.
    ///
    /// A caller with many detectors makes the outline once and leaves out those that cannot find.
    pub fn may_match(&self, outline: &Outline) -> bool {
        match self {
            Self::Personal(kind) => kind.may_be_in(outline),
            Self::Custom(_) => true,
        }
    }

    /// Every value this detector finds, by start.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        match self {
            Self::Personal(kind) => scan_personal(text, &[*kind]),
            Self::Custom(pattern) => pattern.scan(text),
        }
    }
}
