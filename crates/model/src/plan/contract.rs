//! Step contracts: frozen, and addressed by their hash.

use super::authored::{ItemLoop, OutputRole, SideEffect};
use super::budget::Budget;
use super::calls::CallGate;
use super::criterion::Condition;
use super::executable::{ArtifactRef, CompiledStepContract, ExecutableContract};
use super::ports::{AdapterSettings, TopLevelType};
use super::repair::RepairPolicy;
use super::set::{WriteSet, covers};
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
    /// The instruction.
    pub label: String,
    /// Requirements: what it must, should and may do.
    pub objective: String,
    /// The part of the mission's objective that it implements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective_words: Option<String>,
    /// The kind of step.
    pub step_kind: StepKind,
    /// Steps that must finish before it.
    pub depends_on: Vec<String>,
    /// Gates that must be open before it starts.
    pub waits_for: Vec<String>,
    /// Domain packs that apply.
    pub domain_pack_ids: Vec<String>,
    /// Workflow packs that apply.
    pub workflow_pack_ids: Vec<String>,
    /// Policies that apply.
    pub policy: StepPolicy,
    /// Tools that it may use; the runtime grants no others.
    pub allowed_tool_ids: Vec<String>,
    /// The input files.
    pub input_artifact_refs: Vec<ArtifactRef>,
    /// The output files.
    pub output_artifact_refs: Vec<ArtifactRef>,
    /// Its inputs and outputs by slot.
    pub compiled_step_contract_v1: CompiledStepContract,
    /// The contract for the runtime: inputs, outputs and failure handling.
    pub executable_contract_v2: ExecutableContract,
    /// The files that it may read and write.
    pub io_contract: IoContract,
    /// The binding of each input, with its reason.
    pub bindings: Vec<Binding>,
    /// The artifact contract of each output, by path.
    pub artifact_contracts: BTreeMap<String, ArtifactContract>,
    /// The execution contract.
    pub execution_contract: ExecutionContract,
    /// The validators, with their phase and severity.
    pub validators: Vec<Validator>,
    /// The handling of failures.
    pub repair_policy: RepairPolicy,
    /// The success criteria.
    pub success_criteria: Vec<Condition>,
    /// The worst-case spending.
    pub worst_case: Budget,
    /// The hash of everything above.
    #[schemars(with = "String")]
    pub spec_hash: ContentHash,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Code, already written or written by a model.
    Code,
    /// Code that processes a list item by item.
    CodePerItem,
    /// Governed tool calls.
    Tools,
    /// A registered adapter that the plan names.
    Adapter,
    /// A registered adapter that the compiler inserted.
    InsertedAdapter,
}

/// The backend of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Backend {
    /// Code in the sandbox.
    #[serde(rename = "sandbox.session")]
    SandboxSession,
    /// Governed tool calls.
    #[serde(rename = "tool_loop")]
    ToolLoop,
    /// Small pure JavaScript in this process, under limits.
    #[serde(rename = "edge_isolate")]
    EdgeIsolate,
    /// Built in.
    #[serde(rename = "native")]
    Native,
}

impl Backend {
    /// Returns the backend's name.
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
    /// The combined rules.
    pub rules: PolicyRules,
}

/// The files that a step may read and write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IoContract {
    /// Paths that it reads.
    pub read_paths: Vec<String>,
    /// Paths that it writes; one with a `*` in its last part is a set of files.
    pub write_paths: Vec<String>,
    /// The allowed number of files of each set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_sets: Vec<WriteSet>,
    /// Inputs by slot.
    pub inputs: Vec<InputContract>,
    /// Outputs by slot.
    pub outputs: Vec<OutputContract>,
}

impl StepContract {
    /// Returns the artifact contract of a written file: by its own path, or by that of its set.
    pub fn artifact(&self, path: &str) -> Option<&ArtifactContract> {
        let of_set = || self.artifact_contracts.iter().find(|(declared, _)| covers(declared, path)).map(|(_, of)| of);
        self.artifact_contracts.get(path).or_else(of_set)
    }

    /// Returns true if the contract lists a written file, by its path or in a set.
    pub fn writes(&self, path: &str) -> bool {
        self.io_contract.write_paths.iter().any(|declared| covers(declared, path))
    }
}

/// An input by slot and entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputContract {
    /// The slot.
    pub slot: String,
    /// True if the step requires it.
    pub required: bool,
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The kind that it is read in; `None` for an optional input without a producer.
    pub kind_key: Option<KindKey>,
    /// The path that it is read from.
    pub path: Option<String>,
    /// Columns that are read.
    pub fields: Vec<String>,
    /// The fields that identify a row.
    pub grain: Vec<String>,
    /// The provenance that it must have.
    pub provenance: ProvenanceDemand,
    /// The input's role for the adapter of the step, if the adapter names roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The hash of the entity's schema, if the file is validated against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// The schema of an entity that the plan derives, such as grouped rows, and that is not in the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_schema: Option<Value>,
    /// The declaration of the file, if the mission is given it as an entity and the step reads it as generic data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_to: Option<HeldEntity>,
}

/// The entity and grain that a file was declared with, and is held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldEntity {
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The hash of the entity's schema.
    #[schemars(with = "String")]
    pub entity_hash: ContentHash,
    /// The fields that identify a row.
    pub grain: Vec<String>,
}

/// An output by slot and entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputContract {
    /// The slot.
    pub slot: String,
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The kind.
    pub kind_key: KindKey,
    /// The profile, if the catalogue has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<ProfileId>,
    /// The path that it is written to.
    pub path: String,
    /// Its role in the mission.
    pub role: OutputRole,
    /// Its columns.
    pub fields: Vec<String>,
    /// The fields that identify a row.
    pub grain: Vec<String>,
    /// Provenance fields: the source of each row.
    pub provenance_fields: Vec<String>,
}

/// The binding of an input to its producer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The index of the input among those of the step.
    pub input: usize,
    /// Its slot.
    pub slot: String,
    /// The producer.
    pub producer: Producer,
    /// The rank.
    pub rank: BindingRank,
    /// The reason, in words.
    pub why: String,
    /// Inserted adapters, by the ids of their steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// A description of what the adapters lose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drops: Vec<String>,
}

/// The producer of an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Producer {
    /// The step; `None` for an input of the mission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The path that it writes.
    pub path: String,
    /// The kind that it writes.
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
    /// The entity is the same, and adapters convert to an accepted kind.
    ByAdapter,
    /// One side is generic, and the policy allows it.
    Generic,
}

impl BindingRank {
    /// Returns the rank's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::AcceptedKind => "accepted kind",
            Self::ByAdapter => "by adapter",
            Self::Generic => "generic",
        }
    }
}

/// The contract of a written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactContract {
    /// Its kind.
    pub kind_key: KindKey,
    /// The format of its bytes.
    pub format: ArtifactFormat,
    /// The type of its outermost value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_top_level_type: Option<TopLevelType>,
    /// Required columns or keys.
    pub required_fields: Vec<String>,
    /// The entity, if the plan names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_schema_id: Option<EntitySchemaId>,
    /// The hash of the entity's schema, so that it cannot change under the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub entity_hash: Option<ContentHash>,
    /// The schema of an entity that the plan derives, such as grouped rows, and that is not in the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_schema: Option<Value>,
    /// True if the plan states it, false if it is derived.
    pub derived: bool,
}

/// The execution contract of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionContract {
    /// The backend, and the reason for it.
    pub routing: Routing,
    /// The execution pattern.
    pub pattern: ExecutionPattern,
    /// The maximum number of tool calls that a model may make in one attempt.
    pub tool_budget: u64,
    /// Its effects beyond the workspace.
    pub side_effects: Vec<SideEffect>,
    /// The list that it processes item by item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_each: Option<ItemLoop>,
    /// The egress rules of its code; without a rule it can reach nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub egress: Vec<EgressRule>,
    /// Calls of its code that need an approval each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_gates: Vec<CallGate>,
    /// The isolation and resource limits of its code; `None` if it runs no code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxDemand>,
    /// The budget of one attempt.
    #[serde(default)]
    pub attempt: Budget,
    /// The language of its code, if it is already written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The hash of its code, if it is already written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub code_hash: Option<ContentHash>,
    /// The adapter that does the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter_id: Option<String>,
    /// A description of what that adapter loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// Its settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapt: Option<AdapterSettings>,
}

/// The execution pattern of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionPattern {
    /// One program.
    Code,
    /// One program that processes a list item by item.
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

/// The routing of a step to a backend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// The backend.
    pub backend: Backend,
    /// True if a model writes code or calls tools for it.
    pub needs_model: bool,
    /// The reason.
    pub why: String,
}

/// A validator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validator {
    /// The phase.
    pub phase: Phase,
    /// The severity.
    pub mode: LadderMode,
    /// The file.
    pub path: String,
    /// The check.
    pub check: ValidatorCheck,
}

/// The check of a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidatorCheck {
    /// The file exists and is not empty.
    Exists,
    /// It parses in its format.
    Parses,
    /// It has its columns.
    Fields,
    /// Every row, or the document, satisfies its entity schema.
    EntitySchema,
    /// No two rows have the same key.
    UniqueGrain,
    /// Each row has its provenance fields.
    Provenance,
}

impl ValidatorCheck {
    /// Returns the word as contracts and receipts write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::Parses => "parses",
            Self::Fields => "fields",
            Self::EntitySchema => "entity_schema",
            Self::UniqueGrain => "unique_grain",
            Self::Provenance => "provenance",
        }
    }
}
