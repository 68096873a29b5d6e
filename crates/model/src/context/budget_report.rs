//! Where the tokens went.

use super::block::Bucket;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Where the tokens went, and what found no room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetReport<'a> {
    /// `true` for each bucket that lost a block.
    pub bucket_truncations: BTreeMap<Bucket, bool>,
    /// The blocks that found no room, by bucket.
    pub dropped_block_ids: BTreeMap<Bucket, Vec<Cow<'a, str>>>,
    /// For each of them, what it would have taken.
    pub dropped_blocks: Vec<DroppedBlock<'a>>,
    /// Tokens of the prompt's three parts, which are reserved before any bucket.
    pub head_tokens: HeadTokens,
    /// Tokens that each bucket was given.
    pub tokens_allocated: ByBucket,
    /// Head and buckets together.
    pub tokens_total: u64,
    /// Tokens that the blocks take.
    pub tokens_used_at_compile: u64,
    /// The same by bucket.
    pub tokens_used_by_bucket: ByBucket,
    /// What the allocation had to assume.
    pub warnings: Vec<Cow<'a, str>>,
}

/// A number of tokens for each bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the buckets are described where they are named")]
pub struct ByBucket {
    pub business: u64,
    pub evidence: u64,
    pub memory: u64,
    pub policy: u64,
    pub session: u64,
    pub tool: u64,
}

impl ByBucket {
    /// A bucket's number.
    pub fn get(&self, bucket: Bucket) -> u64 {
        match bucket {
            Bucket::Business => self.business,
            Bucket::Policy => self.policy,
            Bucket::Tool => self.tool,
            Bucket::Evidence => self.evidence,
            Bucket::Memory => self.memory,
            Bucket::Session => self.session,
        }
    }

    /// A bucket's number, to be changed.
    pub fn get_mut(&mut self, bucket: Bucket) -> &mut u64 {
        match bucket {
            Bucket::Business => &mut self.business,
            Bucket::Policy => &mut self.policy,
            Bucket::Tool => &mut self.tool,
            Bucket::Evidence => &mut self.evidence,
            Bucket::Memory => &mut self.memory,
            Bucket::Session => &mut self.session,
        }
    }

    /// All of them together.
    pub fn sum(&self) -> u64 {
        Bucket::ALL.into_iter().fold(0, |sum: u64, bucket| sum.saturating_add(self.get(bucket)))
    }
}

/// Tokens of the prompt's three parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadTokens {
    /// Of `developer`.
    pub developer: u64,
    /// Of `system`.
    pub system: u64,
    /// Of `task`.
    pub task: u64,
}

impl HeadTokens {
    /// All three together.
    pub fn sum(&self) -> u64 {
        self.developer.saturating_add(self.system).saturating_add(self.task)
    }
}

/// A block that found no room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DroppedBlock<'a> {
    /// Which block.
    pub block_id: Cow<'a, str>,
    /// Which bucket had no room.
    pub bucket: Bucket,
    /// False where there were too many blocks to look for the smallest number: then it is one that suffices.
    pub exact: bool,
    /// The smallest number of tokens, above what the bucket was given, with which it would have been kept.
    pub smallest_budget: u64,
    /// What the block counts.
    pub tokens: u64,
}
