//! The eight stages by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A stage of the context compiler, in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The intent is one that the pack handles.
    Intent,
    /// Guardrails, rules and gates are evaluated.
    Policy,
    /// The tool surface is computed.
    Tools,
    /// Evidence is admitted or rejected.
    Evidence,
    /// Memory is admitted or rejected.
    Memory,
    /// Tokens are shared out.
    Budget,
    /// Blocks are packed.
    Buckets,
    /// Manifests, controls and ledger are emitted.
    Manifests,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 8] = [
        Self::Intent,
        Self::Policy,
        Self::Tools,
        Self::Evidence,
        Self::Memory,
        Self::Budget,
        Self::Buckets,
        Self::Manifests,
    ];

    /// The stage as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Policy => "policy",
            Self::Tools => "tools",
            Self::Evidence => "evidence",
            Self::Memory => "memory",
            Self::Budget => "budget",
            Self::Buckets => "buckets",
            Self::Manifests => "manifests",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Stage {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|s| s.as_str() == text).ok_or(())
    }
}
