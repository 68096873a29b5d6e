//! The prompt: system, developer and task, and the blocks of six buckets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A token bucket. The order decides ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// The business summary and its non-negotiable constraints.
    Business,
    /// Rules that fired. Blocks of this bucket are never dropped.
    Policy,
    /// Surfaced tools.
    Tool,
    /// Admitted evidence.
    Evidence,
    /// Admitted memory.
    Memory,
    /// The session and its turns.
    Session,
}

impl Bucket {
    /// All buckets.
    pub const ALL: [Self; 6] = [Self::Business, Self::Policy, Self::Tool, Self::Evidence, Self::Memory, Self::Session];

    /// Returns the bucket's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Business => "business",
            Self::Policy => "policy",
            Self::Tool => "tool",
            Self::Evidence => "evidence",
            Self::Memory => "memory",
            Self::Session => "session",
        }
    }

    /// Returns the priority of the bucket's blocks; higher comes first.
    pub fn priority(self) -> u32 {
        match self {
            Self::Business => 90,
            Self::Policy => 80,
            Self::Tool => 70,
            Self::Evidence => 60,
            Self::Memory => 50,
            Self::Session => 40,
        }
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Bucket {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|b| b.as_str() == text).ok_or(())
    }
}

/// The prompt for the model. Fields are in canonical order, here and in every type that is hashed often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledPrompt<'a> {
    /// The blocks that fit, by priority.
    pub context_blocks: Vec<ContextBlock<'a>>,
    /// The developer part: how to work.
    pub developer: Cow<'a, str>,
    /// The system part: who the model is.
    pub system: Cow<'a, str>,
    /// The task: what the request asks for.
    pub task: Cow<'a, str>,
}

/// One block of context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextBlock<'a> {
    /// Unique within the compile, such as `pol_0`.
    pub block_id: Cow<'a, str>,
    /// The bucket whose tokens it takes.
    pub bucket: Bucket,
    /// The text.
    pub content: Cow<'a, str>,
    /// The priority; higher comes first.
    pub priority: u32,
    /// References of the sources of its content.
    pub provenance_refs: Vec<Cow<'a, str>>,
    /// The token count of the text.
    pub tokens: u64,
}
