//! The budget report: where the tokens went.

use super::block::Bucket;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The tokens that were allocated and used, and the blocks that did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetReport<'a> {
    /// `true` for each bucket that dropped a block.
    pub bucket_truncations: BTreeMap<Bucket, bool>,
    /// Ids of dropped blocks, by bucket.
    pub dropped_block_ids: BTreeMap<Bucket, Vec<Cow<'a, str>>>,
    /// Each dropped block, with the budget that would have kept it.
    pub dropped_blocks: Vec<DroppedBlock<'a>>,
    /// Tokens of system, developer and task, reserved before any bucket.
    pub head_tokens: HeadTokens,
    /// Tokens allocated to each bucket.
    pub tokens_allocated: TokensByBucket,
    /// The token limit: head and buckets together.
    pub tokens_total: u64,
    /// Tokens of all blocks.
    pub tokens_used_at_compile: u64,
    /// Tokens of all blocks, by bucket.
    pub tokens_used_by_bucket: TokensByBucket,
    /// Assumptions that the allocation made.
    pub warnings: Vec<Cow<'a, str>>,
}

/// A token count for each bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the buckets are described where they are named")]
pub struct TokensByBucket {
    pub business: u64,
    pub evidence: u64,
    pub memory: u64,
    pub policy: u64,
    pub session: u64,
    pub tool: u64,
}

impl TokensByBucket {
    /// Returns the count of a bucket.
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

    /// Returns a mutable reference to the count of a bucket.
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

    /// Returns the sum of all counts.
    pub fn sum(&self) -> u64 {
        Bucket::ALL.into_iter().fold(0, |sum: u64, bucket| sum.saturating_add(self.get(bucket)))
    }
}

/// Token counts of system, developer and task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadTokens {
    /// The count of `developer`.
    pub developer: u64,
    /// The count of `system`.
    pub system: u64,
    /// The count of `task`.
    pub task: u64,
}

impl HeadTokens {
    /// Returns the sum of the three counts.
    pub fn sum(&self) -> u64 {
        self.developer.saturating_add(self.system).saturating_add(self.task)
    }
}

/// A block that did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DroppedBlock<'a> {
    /// The block's id.
    pub block_id: Cow<'a, str>,
    /// The bucket that it did not fit into.
    pub bucket: Bucket,
    /// False if `smallest_budget` is sufficient but maybe not the smallest, because there were too many blocks to
    /// search.
    pub exact: bool,
    /// The smallest budget above the allocated one that would have kept the block.
    pub smallest_budget: u64,
    /// The token count of the block.
    pub tokens: u64,
}
