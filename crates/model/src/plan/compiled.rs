//! Compiled plans.

use super::authored::Mission;
use super::budget::Budget;
use super::contract::StepContract;
use crate::catalog::{EntitySchemaId, KindKey};
use crate::ladder::LadderMode;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A compiled plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledPlan {
    /// The version of this format.
    pub version: String,
    /// The plan's name.
    pub plan: String,
    /// The objective and its success criteria.
    pub mission: Mission,
    /// The hash of the catalogue that it was compiled with.
    #[schemars(with = "String")]
    pub catalog_hash: ContentHash,
    /// The schemas of entities that the plan itself declares, as far as contracts name them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub entities: BTreeMap<EntitySchemaId, serde_json::Value>,
    /// The input files of the mission, each with the contract that is checked before any step runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<MissionInputContract>,
    /// The contracts, in a valid order of execution.
    pub steps: Vec<StepContract>,
    /// Approval gates.
    pub gates: Vec<GateContract>,
    /// The budget of all steps together, as the plan sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// The worst-case spending of all steps together.
    pub worst_case: Budget,
    /// The hash of everything above, steps by their hashes.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
}

/// The contract of an input file of the mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionInputContract {
    /// The slot.
    pub slot: String,
    /// The path in the workspace.
    pub path: String,
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The hash of the entity's schema; `None` for generic data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// The kind.
    pub kind_key: KindKey,
    /// Required columns.
    pub fields: Vec<String>,
    /// The fields that identify a row.
    pub grain: Vec<String>,
    /// True if a violation refuses the run, false if it is only reported.
    pub mode: LadderMode,
}

/// An approval gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateContract {
    /// Its name.
    pub gate_id: String,
    /// The question.
    pub question: String,
    /// The role that decides.
    pub approver_role: String,
    /// Steps whose results are reviewed.
    pub after: Vec<String>,
    /// Steps that wait for it.
    pub before: Vec<String>,
    /// Seconds that the approval request, and the decision, stay valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<u64>,
}
