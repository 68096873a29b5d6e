//! How much harm a capability can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The five modes, weakest first. A capability is surfaced where its mode is at most the run's safety mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalMode {
    /// Reads and changes nothing.
    ReadOnly,
    /// Writes inside the workspace.
    LocalWrite,
    /// Talks to other machines.
    Network,
    /// Lets another agent or service act.
    Delegated,
    /// Changes the world in a way that cannot be taken back.
    Destructive,
}

impl ApprovalMode {
    /// All modes, weakest first.
    pub const ALL: [Self; 5] = [Self::ReadOnly, Self::LocalWrite, Self::Network, Self::Delegated, Self::Destructive];

    /// The mode as it is written in a pack.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::LocalWrite => "local_write",
            Self::Network => "network",
            Self::Delegated => "delegated",
            Self::Destructive => "destructive",
        }
    }

    /// True for everything that can leave a trace, so that a retry must be recognised.
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
