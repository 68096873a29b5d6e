//! Events of the decision log.

use super::critique::CriticVerdict;
use super::record::DecisionStatus;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry of the decision log: the body of a link in its hash chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionEvent {
    /// The version of this record's format. A reader refuses a version that it does not know.
    pub format: u32,
    /// The time, in RFC 3339 and UTC.
    pub at: String,
    /// The actor, as named by the caller.
    pub actor: String,
    /// The decision that was recorded.
    pub decision: RecordedDecision,
}

/// A decision as the log lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedDecision {
    /// The record's id.
    pub record_id: String,
    /// The record's hash.
    #[schemars(with = "String")]
    pub record_hash: ContentHash,
    /// The key of the decision's spec.
    pub decision_key: String,
    /// The version of the spec.
    pub version: String,
    /// The outcome.
    pub outcome: String,
    /// The status.
    pub status: DecisionStatus,
    /// The critic's verdict.
    pub verdict: CriticVerdict,
    /// The run.
    pub run: String,
    /// The approvals that it used up: the id of each, and for one of a run's gate the step after `/`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<String>,
    /// The blob with the case.
    #[schemars(with = "String")]
    pub case: ContentHash,
    /// The blob with the recorded compile.
    #[schemars(with = "String")]
    pub recording: ContentHash,
}
