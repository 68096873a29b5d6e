//! The four classes of change.

use serde::Serialize;
use std::fmt;

/// The version bump that a change needs, least first; the greatest decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeClass {
    /// Wording that has no effect at run time.
    Patch,
    /// Behaviour that is constrained further, and proven to be.
    Minor,
    /// Behaviour that is expanded or changed, or not proven to be constrained.
    Major,
    /// Unsafe or ambiguous: no version number can allow it.
    Reject,
}

impl ChangeClass {
    /// Returns the class's name.
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
