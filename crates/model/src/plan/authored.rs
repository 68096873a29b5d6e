//! Plans as they are authored: structure, without frozen paths or bound code.

use super::budget::Budget;
use super::calls::CallGate;
use super::criterion::{Criteria, Criterion, one_or_several};
use super::ports::{AbstractInput, AbstractOutput, ArtifactSpec};
use crate::execution::{EgressRule, SandboxDemand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Plan {
    /// Its name: lowercase words with dashes.
    #[schemars(length(min = 1, max = 100))]
    pub plan: String,
    /// The objective and its success criteria.
    pub mission: Mission,
    /// Domain packs for all steps.
    #[serde(default)]
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs for all steps.
    #[serde(default)]
    pub workflow_pack_ids: Vec<String>,
    /// The policy of all steps.
    #[serde(default)]
    pub policy_profile_id: Option<String>,
    /// Additional policies of all steps; the strictest of all applies.
    #[serde(default)]
    pub extra_policy_profile_ids: Vec<String>,
    /// Entities that only this plan uses: JSON Schemas by entity id, as a type pack has them in files.
    #[serde(default)]
    pub entities: BTreeMap<String, serde_json::Value>,
    /// The inputs of the mission.
    #[serde(default)]
    pub inputs: Vec<MissionInput>,
    /// The steps; their order in the file has no meaning.
    pub steps: Vec<PlanStep>,
    /// Approval gates.
    #[serde(default)]
    pub gates: Vec<PlanGate>,
    /// The budget of all steps together.
    #[serde(default)]
    pub budget: Option<Budget>,
}

/// The objective of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mission {
    /// The objective, in the author's words.
    #[schemars(length(min = 1))]
    pub objective: String,
    /// The success criteria: one text, or a list of conditions.
    #[serde(default, deserialize_with = "one_or_several")]
    #[schemars(with = "Criteria")]
    pub success_criteria: Vec<Criterion>,
}

/// An input file of the mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MissionInput {
    /// The slot.
    pub slot: String,
    /// The path in the workspace, below `input/`.
    pub path: String,
    /// The type of the data: an entity of the plan or of the catalogue, such as `generic.file`.
    pub entity_schema_id: String,
    /// The kind; by the file name if it is left out.
    #[serde(default)]
    pub kind_key: Option<String>,
    /// Its columns, if they are known.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The fields that identify a row, if they differ from the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanStep {
    /// Its id, which other steps depend on.
    #[schemars(length(min = 1, max = 100))]
    pub id: String,
    /// The instruction, as an imperative.
    #[schemars(length(min = 1))]
    pub label: String,
    /// Requirements: what it must, should and may do.
    #[schemars(length(min = 1))]
    pub objective: String,
    /// The part of the mission's objective that it implements.
    #[serde(default)]
    pub objective_words: Option<String>,
    /// Steps that must finish before it.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// Domain packs, in addition to the plan's.
    #[serde(default)]
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs, in addition to the plan's.
    #[serde(default)]
    pub workflow_pack_ids: Vec<String>,
    /// The policy, in addition to the plan's.
    #[serde(default)]
    pub policy_profile_id: Option<String>,
    /// Additional policies; the strictest of all applies.
    #[serde(default)]
    pub extra_policy_profile_ids: Vec<String>,
    /// The resolution status of its packs and policy, if a resolver assigned them.
    #[serde(default)]
    pub resolution_status: Option<ResolutionStatus>,
    /// The resolver's confidence, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// The resolver's reason for these packs and this policy.
    #[serde(default)]
    pub reason: Option<String>,
    /// The resolver's warnings, which the compiler repeats.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Files that it reads. Each must have the entity and kind that its producer declares.
    #[serde(default)]
    pub input_file_paths: Vec<String>,
    /// Inputs by slot and entity.
    #[serde(default)]
    pub abstract_inputs: Vec<AbstractInput>,
    /// Outputs by slot and entity.
    #[serde(default)]
    pub abstract_outputs: Vec<AbstractOutput>,
    /// Files that it writes.
    #[serde(default)]
    pub expected_outputs: Vec<ExpectedOutput>,
    /// The artifact contract of each of them, by path.
    #[serde(default)]
    pub artifact_contracts: BTreeMap<String, ArtifactSpec>,
    /// The success criteria: one text, or a list of conditions.
    #[serde(default, deserialize_with = "one_or_several")]
    #[schemars(with = "Criteria")]
    pub success_criteria: Vec<Criterion>,
    /// Hints for finding packs and skills.
    #[serde(default)]
    pub semantic_hints: SemanticHints,
    /// Its code, if it is already written.
    #[serde(default)]
    pub code: Option<StepCode>,
    /// The registered adapter that does the work, instead of code.
    #[serde(default)]
    pub adapter: Option<String>,
    /// Capabilities that it needs.
    #[serde(default)]
    pub tool_needs: Vec<String>,
    /// Its effects beyond the workspace.
    #[serde(default)]
    pub side_effects: Vec<SideEffect>,
    /// Gates that must be open before it starts.
    #[serde(default)]
    pub waits_for: Vec<String>,
    /// The egress rules of its code; without a rule it can reach nothing.
    #[serde(default)]
    pub egress: Vec<EgressRule>,
    /// Calls of its code that need an approval each.
    #[serde(default)]
    pub call_gates: Vec<CallGate>,
    /// The isolation and resource limits of its code.
    #[serde(default)]
    pub sandbox: Option<SandboxDemand>,
    /// The budget of one attempt.
    #[serde(default)]
    pub budget: Option<Budget>,
    /// The number of retries; six by default.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub max_retries: Option<u32>,
    /// The list that it processes item by item.
    #[serde(default)]
    pub for_each: Option<ItemLoop>,
}

/// An output file of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectedOutput {
    /// The path: below `output/` for files that the mission delivers, below `work/` for files between steps. One `*` in
    /// the last part, as in `output/pages/*.html`, means a set of files whose names the code chooses.
    pub path: String,
    /// The location: always the sandbox's workspace.
    #[serde(default)]
    pub location: OutputLocation,
    /// The minimum number of files of a set; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
    /// The maximum number of files of a set; 1,000 by default, and never more than 10,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
    /// Its role in the mission.
    #[serde(default)]
    pub role: OutputRole,
    /// The slot of the abstract output that it carries.
    #[serde(default)]
    pub slot: Option<String>,
}

/// The location of an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputLocation {
    /// The workspace of the sandbox.
    #[default]
    Sandbox,
}

/// The resolution status of a step's packs and policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionStatus {
    /// Resolved: they are assigned.
    Resolved,
    /// Ambiguous: several fit equally well.
    Ambiguous,
    /// Unresolved: none fits well enough.
    Unresolved,
}

impl ResolutionStatus {
    /// Returns the status's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Ambiguous => "ambiguous",
            Self::Unresolved => "unresolved",
        }
    }
}

/// The role of a file in the mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputRole {
    /// The requested result.
    Primary,
    /// A supplement of the result.
    #[default]
    Supporting,
    /// Intermediate data that only other steps need.
    Intermediate,
}

/// Hints for finding packs and skills.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SemanticHints {
    /// Domain hints.
    #[serde(default)]
    pub domain_terms: Vec<String>,
    /// Workflow hints.
    #[serde(default)]
    pub workflow_terms: Vec<String>,
    /// Policy hints.
    #[serde(default)]
    pub policy_terms: Vec<String>,
}

/// Code that is already written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct StepCode {
    /// Its language.
    pub language: String,
    /// Its text.
    #[serde(default)]
    pub source: String,
    /// The path of the file with its text, relative to the plan; instead of `source`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// An effect of a step beyond the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SideEffect {
    /// The kind of effect, such as `deploy` or `submit`.
    pub action: String,
    /// The target.
    pub target: String,
}

/// The list that a step processes item by item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ItemLoop {
    /// The slot of the input that holds the list.
    pub slot: String,
    /// The entity of that input, if several have the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_schema_id: Option<String>,
    /// The maximum number of items.
    #[schemars(range(min = 1))]
    pub most_items: u64,
    /// The maximum number of governed calls per item.
    #[serde(default)]
    pub calls_per_item: u64,
}

/// An approval gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanGate {
    /// Its name.
    #[schemars(length(min = 1, max = 100))]
    pub id: String,
    /// The question.
    #[schemars(length(min = 1))]
    pub question: String,
    /// The role that decides.
    pub approver_role: String,
    /// Steps whose results are reviewed.
    #[serde(default)]
    pub after: Vec<String>,
    /// Seconds that the approval request, and the decision, stay valid; the run's setting by default.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub ttl_seconds: Option<u64>,
}
