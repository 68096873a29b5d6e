//! A plan as a person, a program or a model writes it: structure without paths that are frozen or code that is bound.

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
    /// What is to be achieved.
    pub mission: Mission,
    /// Domain packs for all steps.
    #[serde(default)]
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs for all steps.
    #[serde(default)]
    pub workflow_pack_ids: Vec<String>,
    /// The policy for all steps.
    #[serde(default)]
    pub policy_profile_id: Option<String>,
    /// Further policies for all steps; the strictest of all holds.
    #[serde(default)]
    pub extra_policy_profile_ids: Vec<String>,
    /// What the mission is given.
    #[serde(default)]
    pub inputs: Vec<MissionInput>,
    /// The steps; their order in the file means nothing.
    pub steps: Vec<PlanStep>,
    /// Places where a person has to approve.
    #[serde(default)]
    pub gates: Vec<PlanGate>,
    /// What all steps together may spend.
    #[serde(default)]
    pub budget: Option<Budget>,
}

/// What is to be achieved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mission {
    /// The objective in the words it was given in.
    #[schemars(length(min = 1))]
    pub objective: String,
    /// When it is achieved: one text, or a list of conditions.
    #[serde(default, deserialize_with = "one_or_several")]
    #[schemars(with = "Criteria")]
    pub success_criteria: Vec<Criterion>,
}

/// A file that the mission is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MissionInput {
    /// Its part between steps.
    pub slot: String,
    /// Where it is in the workspace, beneath `input/`.
    pub path: String,
    /// What it means.
    pub entity_schema_id: String,
    /// Its form; by its file name if it is left out.
    #[serde(default)]
    pub kind_key: Option<String>,
    /// Its columns, if they are known.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Fields that say what one row is, if other than the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanStep {
    /// Its name, which other steps depend on.
    #[schemars(length(min = 1, max = 100))]
    pub id: String,
    /// What it does, as an imperative.
    #[schemars(length(min = 1))]
    pub label: String,
    /// What it must, should and may do.
    #[schemars(length(min = 1))]
    pub objective: String,
    /// The words of the mission's objective that it came from.
    #[serde(default)]
    pub objective_words: Option<String>,
    /// Steps that come before it.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// Domain packs, in addition to the plan's.
    #[serde(default)]
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs, in addition to the plan's.
    #[serde(default)]
    pub workflow_pack_ids: Vec<String>,
    /// Its policy, in addition to the plan's.
    #[serde(default)]
    pub policy_profile_id: Option<String>,
    /// Further policies; the strictest of all holds.
    #[serde(default)]
    pub extra_policy_profile_ids: Vec<String>,
    /// How surely its packs and policy are known, if they were assigned by a resolver.
    #[serde(default)]
    pub resolution_status: Option<ResolutionStatus>,
    /// How sure the resolver is, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Why the resolver chose these packs and this policy.
    #[serde(default)]
    pub reason: Option<String>,
    /// What the resolver warns of; the compiler repeats it.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Files that it reads. Each is held to the entity and kind that its producer declares.
    #[serde(default)]
    pub input_file_paths: Vec<String>,
    /// What it needs, by meaning.
    #[serde(default)]
    pub abstract_inputs: Vec<AbstractInput>,
    /// What it gives, by meaning.
    #[serde(default)]
    pub abstract_outputs: Vec<AbstractOutput>,
    /// Files that it writes.
    #[serde(default)]
    pub expected_outputs: Vec<ExpectedOutput>,
    /// What each of them must be, by its path.
    #[serde(default)]
    pub artifact_contracts: BTreeMap<String, ArtifactSpec>,
    /// When it has succeeded: one text, or a list of conditions.
    #[serde(default, deserialize_with = "one_or_several")]
    #[schemars(with = "Criteria")]
    pub success_criteria: Vec<Criterion>,
    /// Words that help to find packs and skills.
    #[serde(default)]
    pub semantic_hints: SemanticHints,
    /// Its code, if it is written already.
    #[serde(default)]
    pub code: Option<StepCode>,
    /// The registered adapter that does the work, in place of code.
    #[serde(default)]
    pub adapter: Option<String>,
    /// Capabilities that it needs.
    #[serde(default)]
    pub tool_needs: Vec<String>,
    /// What it does beyond the workspace.
    #[serde(default)]
    pub side_effects: Vec<SideEffect>,
    /// Gates that have to be open before it begins.
    #[serde(default)]
    pub waits_for: Vec<String>,
    /// What its code may reach; nothing if there is no rule.
    #[serde(default)]
    pub egress: Vec<EgressRule>,
    /// Calls of its code that a person has to approve one by one.
    #[serde(default)]
    pub call_gates: Vec<CallGate>,
    /// How well its code is walled in, and how much it may use.
    #[serde(default)]
    pub sandbox: Option<SandboxDemand>,
    /// What one attempt may spend.
    #[serde(default)]
    pub budget: Option<Budget>,
    /// How often it is tried again; six times if nothing is said.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub max_retries: Option<u32>,
    /// The list that it works through item by item.
    #[serde(default)]
    pub for_each: Option<ItemLoop>,
}

/// A file that a step writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectedOutput {
    /// Where: beneath `output/` for what the mission delivers, beneath `work/` for what passes between steps. One `*` in the
    /// last part, as in `output/pages/*.html`, means a set of files whose names the code chooses.
    pub path: String,
    /// Where the file is written: always in the sandbox's workspace.
    #[serde(default)]
    pub location: OutputLocation,
    /// The fewest files of a set; 1 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
    /// The most files of a set; 1,000 if nothing is said, and never more than 10,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
    /// What it is to the mission.
    #[serde(default)]
    pub role: OutputRole,
    /// The slot of the abstract output that it carries.
    #[serde(default)]
    pub slot: Option<String>,
}

/// Where a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputLocation {
    /// The workspace of the sandbox.
    #[default]
    Sandbox,
}

/// How surely the packs and policy of a step are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionStatus {
    /// They are assigned.
    Resolved,
    /// Several fit alike.
    Ambiguous,
    /// None fits well enough.
    Unresolved,
}

impl ResolutionStatus {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Ambiguous => "ambiguous",
            Self::Unresolved => "unresolved",
        }
    }
}

/// What a file is to the mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputRole {
    /// What was asked for.
    Primary,
    /// What belongs to it.
    #[default]
    Supporting,
    /// What only other steps need.
    Intermediate,
}

/// Words that help to find packs and skills.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SemanticHints {
    /// Of the domain.
    #[serde(default)]
    pub domain_terms: Vec<String>,
    /// Of the workflow.
    #[serde(default)]
    pub workflow_terms: Vec<String>,
    /// Of policy.
    #[serde(default)]
    pub policy_terms: Vec<String>,
}

/// Code that was written already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct StepCode {
    /// Its language.
    pub language: String,
    /// Its text.
    #[serde(default)]
    pub source: String,
    /// The file that has its text, beside the plan; in place of `source`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What a step does beyond the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SideEffect {
    /// What it does, such as `deploy` or `submit`.
    pub action: String,
    /// To what.
    pub target: String,
}

/// The list that a step works through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ItemLoop {
    /// The slot of the input that holds the list.
    pub slot: String,
    /// The entity of that input, where several have the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_schema_id: Option<String>,
    /// How many items there may be.
    #[schemars(range(min = 1))]
    pub most_items: u64,
    /// Governed calls that one item may make.
    #[serde(default)]
    pub calls_per_item: u64,
}

/// A place where a person has to approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanGate {
    /// Its name.
    #[schemars(length(min = 1, max = 100))]
    pub id: String,
    /// What is asked.
    #[schemars(length(min = 1))]
    pub question: String,
    /// Who may answer.
    pub approver_role: String,
    /// Steps whose results are looked at.
    #[serde(default)]
    pub after: Vec<String>,
    /// Seconds that a question, and the answer to it, hold; as long as the run says otherwise.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub ttl_seconds: Option<u64>,
}
