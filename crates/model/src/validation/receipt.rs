//! Validation receipts: the verdicts of the phases that belong to no step.

use super::record::ValidationRecord;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The validation of a run before its first step, or after its last one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationReceipt {
    /// The run.
    pub run_id: String,
    /// The plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// The hash of the profile's frozen snapshot, which holds the packs.
    #[schemars(with = "String")]
    pub snapshot_hash: ContentHash,
    /// The part of the run.
    pub stage: ValidationStage,
    /// The verdicts.
    pub validation: Vec<ValidationRecord>,
}

/// A part of a run that belongs to no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidationStage {
    /// Before the first step: the plan, the compiled plan, and the inputs.
    Submission,
    /// After the last step: the files that the run delivers.
    Delivery,
}
