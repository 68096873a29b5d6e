//! What a step is compiled to: frozen, and addressed by its hash.

use super::authored::{ItemLoop, OutputRole, SideEffect};
use super::budget::Budget;
use super::calls::CallGate;
use super::criterion::Condition;
use super::ports::{Adapt, TopLevelType};
use super::repair::RepairPolicy;
use super::set::{WriteSet, covers};
use super::words::{ArtifactRef, CompiledStepContract, ExecutableContract};
use crate::catalog::{
    ArtifactFormat, EntitySchemaId, KindKey, Loss, PolicyProfileId, PolicyRules, ProfileId, ProvenanceDemand,
};
use crate::execution::{EgressRule, SandboxDemand};
use crate::ladder::{LadderMode, Phase};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The contract of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepContract {
    /// Its name.
    pub step_id: String,
    /// What it does.
    pub label: String,
    /// What it must, should and may do.
    pub objective: String,
    /// The words of the mission's objective that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective_words: Option<String>,
    /// What sort of step it is.
    pub step_kind: StepKind,
    /// Steps that come before it.
    pub depends_on: Vec<String>,
    /// Gates that have to be open before it begins.
    pub waits_for: Vec<String>,
    /// Domain packs that apply.
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs that apply.
    pub workflow_pack_ids: Vec<String>,
    /// Policies that apply.
    pub policy: StepPolicy,
    /// Tools that it may use; more it cannot get.
    pub allowed_tool_ids: Vec<String>,
    /// The files that it is given.
    pub input_artifact_refs: Vec<ArtifactRef>,
    /// The files that it makes.
    pub output_artifact_refs: Vec<ArtifactRef>,
    /// Its inputs and outputs by slot.
    pub compiled_step_contract_v1: CompiledStepContract,
    /// What the runtime is handed: inputs, outputs and how failures are met.
    pub executable_contract_v2: ExecutableContract,
    /// What it may read and write.
    pub io_contract: IoContract,
    /// What each input is bound to, and why.
    pub bindings: Vec<Binding>,
    /// What each output must be, by its path.
    pub artifact_contracts: BTreeMap<String, ArtifactContract>,
    /// How it is run.
    pub execution_contract: ExecutionContract,
    /// What is validated, when, and how strictly.
    pub validators: Vec<Validator>,
    /// How failures are met.
    pub repair_policy: RepairPolicy,
    /// When it has succeeded.
    pub success_criteria: Vec<Condition>,
    /// The most it can spend.
    pub worst_case: Budget,
    /// The hash of all the above.
    #[schemars(with = "String")]
    pub spec_hash: ContentHash,
}

/// What sort of step it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Code, written already or by a model.
    Code,
    /// Code that works through a list item by item.
    CodePerItem,
    /// Governed tool calls.
    Tools,
    /// A registered adapter that the plan names.
    Adapter,
    /// A registered adapter that the compiler put in.
    InsertedAdapter,
}

/// Where a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Backend {
    /// Code in the sandbox.
    #[serde(rename = "sandbox.session")]
    SandboxSession,
    /// Governed tool calls.
    #[serde(rename = "tool_loop")]
    ToolLoop,
    /// Small pure JavaScript in the same process, under caps.
    #[serde(rename = "edge_isolate")]
    EdgeIsolate,
    /// Built in.
    #[serde(rename = "native")]
    Native,
}

impl Backend {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SandboxSession => "sandbox.session",
            Self::ToolLoop => "tool_loop",
            Self::EdgeIsolate => "edge_isolate",
            Self::Native => "native",
        }
    }
}

/// The policies of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepPolicy {
    /// Their names.
    pub policy_profile_ids: Vec<PolicyProfileId>,
    /// What they demand together.
    pub rules: PolicyRules,
}

/// What a step may read and write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IoContract {
    /// Paths it reads.
    pub read_paths: Vec<String>,
    /// Paths it writes; one with a `*` in its last part is a set of files.
    pub write_paths: Vec<String>,
    /// How many files each set has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_sets: Vec<WriteSet>,
    /// Inputs by meaning.
    pub inputs: Vec<InputContract>,
    /// Outputs by meaning.
    pub outputs: Vec<OutputContract>,
}

impl StepContract {
    /// Returns what a written file must be: by its own path, or by that of its set.
    pub fn artifact(&self, path: &str) -> Option<&ArtifactContract> {
        let of_set = || self.artifact_contracts.iter().find(|(declared, _)| covers(declared, path)).map(|(_, of)| of);
        self.artifact_contracts.get(path).or_else(of_set)
    }

    /// Returns whether the contract lists a file that is written, by itself or in a set.
    pub fn writes(&self, path: &str) -> bool {
        self.io_contract.write_paths.iter().any(|declared| covers(declared, path))
    }
}

/// An input by meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputContract {
    /// Its part between steps.
    pub slot: String,
    /// Whether the step cannot do without.
    pub required: bool,
    /// What it means.
    pub entity_schema_id: EntitySchemaId,
    /// The form it is read in; none if it is optional and nothing gives it.
    pub kind_key: Option<KindKey>,
    /// Where it is read.
    pub path: Option<String>,
    /// Columns that are read.
    pub fields: Vec<String>,
    /// What one row is.
    pub grain: Vec<String>,
    /// What is asked of its provenance.
    pub provenance: ProvenanceDemand,
    /// The role that it has for the adapter of the step, where the adapter names roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The hash of the entity's schema, where the file is held to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// The schema of an entity that the plan derives, such as grouped rows: no catalogue holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_schema: Option<Value>,
}

/// An output by meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputContract {
    /// Its part between steps.
    pub slot: String,
    /// What it means.
    pub entity_schema_id: EntitySchemaId,
    /// Its form.
    pub kind_key: KindKey,
    /// Meaning and form under one name, where the catalogue has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<ProfileId>,
    /// Where it is written.
    pub path: String,
    /// What it is to the mission.
    pub role: OutputRole,
    /// Columns that it has.
    pub fields: Vec<String>,
    /// What one row is.
    pub grain: Vec<String>,
    /// Fields that say where each row came from.
    pub provenance_fields: Vec<String>,
}

/// What an input is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The input's place among those of the step.
    pub input: usize,
    /// Its slot.
    pub slot: String,
    /// What it is bound to.
    pub producer: Producer,
    /// How well it fits.
    pub rank: BindingRank,
    /// Why, in words.
    pub why: String,
    /// Adapters on the way, by the names of their steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// What is lost on the way, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drops: Vec<String>,
}

/// What gives an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Producer {
    /// The step; none for what the mission is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The path it writes.
    pub path: String,
    /// The form it has there.
    pub kind_key: KindKey,
}

/// How well a producer fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BindingRank {
    /// Profile, entity, kind and grain are the same.
    Exact,
    /// The entity is the same, and the kind is accepted.
    AcceptedKind,
    /// The entity is the same, and adapters lead to an accepted kind.
    ByAdapter,
    /// One side is generic, and the policy allows it.
    Generic,
}

impl BindingRank {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::AcceptedKind => "accepted kind",
            Self::ByAdapter => "by adapter",
            Self::Generic => "generic",
        }
    }
}

/// What a written file must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactContract {
    /// Its kind.
    pub kind_key: KindKey,
    /// The format of its bytes.
    pub format: ArtifactFormat,
    /// What is outermost in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_top_level_type: Option<TopLevelType>,
    /// Columns or keys that it must have.
    pub required_fields: Vec<String>,
    /// What it means, where the plan says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_schema_id: Option<EntitySchemaId>,
    /// The hash of that entity's schema, so that it cannot change beneath the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// The schema of an entity that the plan derives, such as grouped rows: no catalogue holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_schema: Option<Value>,
    /// Whether it is written down in the plan or follows from it.
    pub derived: bool,
}

/// How a step is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionContract {
    /// Where, and why there.
    pub routing: Routing,
    /// How its work is done.
    pub pattern: ExecutionPattern,
    /// Tool calls that a model may make in one attempt.
    pub tool_budget: u64,
    /// What it does beyond the workspace.
    pub side_effects: Vec<SideEffect>,
    /// The list that it works through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_each: Option<ItemLoop>,
    /// What its code may reach; nothing if there is no rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub egress: Vec<EgressRule>,
    /// Calls of its code that a person has to approve one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_gates: Vec<CallGate>,
    /// How well its code is walled in, and how much it may use; none for what runs no code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxDemand>,
    /// What one attempt may spend.
    #[serde(default)]
    pub attempt: Budget,
    /// The language of its code, if that is written already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The hash of its code, if that is written already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub code_hash: Option<ContentHash>,
    /// The adapter that does the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter_id: Option<String>,
    /// What that adapter loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// Its settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapt: Option<Adapt>,
}

/// How the work of a step is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionPattern {
    /// One program.
    Code,
    /// One program that works through a list item by item.
    CodePerItem,
    /// Governed tool calls.
    ToolLoop,
    /// A registered adapter.
    Adapter,
}

impl From<StepKind> for ExecutionPattern {
    fn from(kind: StepKind) -> Self {
        match kind {
            StepKind::Code => Self::Code,
            StepKind::CodePerItem => Self::CodePerItem,
            StepKind::Tools => Self::ToolLoop,
            StepKind::Adapter | StepKind::InsertedAdapter => Self::Adapter,
        }
    }
}

/// Where a step runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// The backend.
    pub backend: Backend,
    /// Whether a model writes code or calls tools for it.
    pub needs_model: bool,
    /// Why there.
    pub why: String,
}

/// Something that is validated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validator {
    /// When.
    pub phase: Phase,
    /// How strictly.
    pub mode: LadderMode,
    /// The file.
    pub path: String,
    /// What.
    pub check: ValidatorCheck,
}

/// What is validated of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidatorCheck {
    /// It is there and not empty.
    Exists,
    /// It is read in its format.
    Parses,
    /// It has its columns.
    Fields,
    /// Every row, or the document, satisfies its entity schema.
    EntitySchema,
    /// No two rows have the same grain.
    UniqueGrain,
    /// Each row says where it came from.
    Provenance,
}
