//! Approval modes: how much harm a capability can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An approval mode. A capability is surfaced only if its mode is at most the run's safety mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalMode {
    /// Reads and changes nothing.
    ReadOnly,
    /// Writes inside the workspace.
    LocalWrite,
    /// Talks to other machines.
    Network,
    /// Lets another agent or service act on the run's behalf.
    Delegated,
    /// Has effects that cannot be undone.
    Destructive,
}

impl ApprovalMode {
    /// All modes, weakest first.
    pub const ALL: [Self; 5] = [Self::ReadOnly, Self::LocalWrite, Self::Network, Self::Delegated, Self::Destructive];

    /// Returns the mode's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::LocalWrite => "local_write",
            Self::Network => "network",
            Self::Delegated => "delegated",
            Self::Destructive => "destructive",
        }
    }

    /// Returns true for every mode that can have an effect, whose calls must therefore be recognised when they are
    /// retried.
    pub fn writes(self) -> bool {
        self > Self::ReadOnly
    }
}

impl fmt::Display for ApprovalMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ApprovalMode {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|m| m.as_str() == text).ok_or(())
    }
}
