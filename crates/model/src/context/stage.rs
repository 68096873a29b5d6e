//! The eight stages of the context compiler.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A stage of the context compiler, in the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Checks that the pack handles the intent.
    Intent,
    /// Evaluates guardrails, rules and gates.
    Policy,
    /// Computes the tool surface.
    Tools,
    /// Admits or rejects evidence.
    Evidence,
    /// Admits or rejects memory.
    Memory,
    /// Allocates tokens.
    Budget,
    /// Packs blocks into buckets.
    Buckets,
    /// Emits manifests, controls and ledger.
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

    /// Returns the stage's name in documents.
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
