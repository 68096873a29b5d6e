//! The four classes of change.

use serde::Serialize;
use std::fmt;

/// How much a change asks of the version number, least first; the greatest decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeClass {
    /// Words that change nothing at run time.
    Patch,
    /// Behaviour that is constrained further, and proven to be.
    Minor,
    /// Behaviour that is expanded or changed, or not proven to be constrained.
    Major,
    /// Unsafe or ambiguous: no version number makes it right.
    Reject,
}

impl ChangeClass {
    /// The class as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Reject => "reject",
        }
    }
}

impl fmt::Display for ChangeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
