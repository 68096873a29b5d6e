//! A plan after it was compiled.

use super::authored::Mission;
use super::budget::Budget;
use super::contract::StepContract;
use crate::catalog::{EntitySchemaId, KindKey};
use crate::ladder::LadderMode;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A compiled plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledPlan {
    /// The version of this form.
    pub version: String,
    /// The plan's name.
    pub plan: String,
    /// What is to be achieved.
    pub mission: Mission,
    /// The hash of the catalogue it was compiled against.
    #[schemars(with = "String")]
    pub catalog_hash: ContentHash,
    /// The files that the mission is given and steps read, each with what it is held to before any step runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<MissionInputContract>,
    /// The contracts, in the order the steps may run in.
    pub steps: Vec<StepContract>,
    /// Places where a person has to approve.
    pub gates: Vec<GateContract>,
    /// What all steps together may spend, as the plan says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// The most that all steps together can spend.
    pub worst_case: Budget,
    /// The hash of all the above, steps by their hashes.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
}

/// The contract of a file that the mission is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionInputContract {
    /// Its part between steps.
    pub slot: String,
    /// Where it is in the workspace.
    pub path: String,
    /// What it means.
    pub entity_schema_id: EntitySchemaId,
    /// The hash of that entity's schema; none for generic data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// Its form.
    pub kind_key: KindKey,
    /// Columns that it has to have.
    pub fields: Vec<String>,
    /// What one row is.
    pub grain: Vec<String>,
    /// Whether a violation refuses the run, or is only reported.
    pub mode: LadderMode,
}

/// A place where a person has to approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateContract {
    /// Its name.
    pub gate_id: String,
    /// What is asked.
    pub question: String,
    /// Who may answer.
    pub approver_role: String,
    /// Steps whose results are looked at.
    pub after: Vec<String>,
    /// Steps that wait for it.
    pub before: Vec<String>,
    /// Seconds that a question, and the answer to it, hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<u64>,
}
