//! Everything that a recorded decision is derived from again.

use super::approval::RunEvidence;
use super::critique::Critique;
use super::record::DecisionRecord;
use deed_canon::{ContentHash, PublicKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A recorded decision: the record, the critic's judgement, and what the critic read besides the recorded compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionCase {
    /// `deed/decision-case/v1`.
    pub format: String,
    /// The record.
    pub record: DecisionRecord,
    /// The judgement.
    pub critique: Critique,
    /// Plain SHA-256 of the canonical bytes of the recorded compile.
    #[schemars(with = "String")]
    pub recording: ContentHash,
    /// The facts of the run, if it is in the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunEvidence>,
    /// The keys by which approvals were verified.
    #[schemars(with = "Vec<String>")]
    pub approver_keys: Vec<PublicKey>,
}
