//! The contract of an adapter that the compiler inserted.

use super::budget;
use super::refs::{Refs, by_slot};
use crate::lower::adapt::Inserted;
use crate::lower::cx::Cx;
use crate::lower::validators::{of_inserted, repair};
use crate::seal::spec_hash_with;
use deed_canon::{CanonError, ContentHash, Scratch};
use deed_diag::quote;
use deed_model::{
    ArtifactContract, Backend, ExecutionContract, ExecutionPattern, InputContract, IoContract, OutputContract,
    OutputRole, ProvenanceDemand, Routing, StepContract, StepKind,
};
use std::collections::BTreeMap;

/// Freezes the contract of an inserted adapter.
pub(super) fn contract(
    cx: Cx<'_>,
    inserted: &Inserted,
    refs: &Refs,
    scratch: &mut Scratch,
) -> Result<StepContract, CanonError> {
    let artifact = artifact(cx, inserted);
    let io_contract = io(inserted);
    let repair_policy = repair::of_adapter();
    let (from, to) = (quote(inserted.from_kind.as_str()), quote(inserted.kind.as_str()));
    let mut contract = StepContract {
        step_id: inserted.id.clone(),
        label: format!("Make {to} of {from}"),
        objective: format!("MUST turn {} into {to} by {}", quote(&inserted.reads), quote(&inserted.adapter)),
        objective_words: None,
        step_kind: StepKind::InsertedAdapter,
        depends_on: inserted.before.clone(),
        waits_for: Vec::new(),
        domain_pack_ids: Vec::new(),
        workflow_pack_ids: Vec::new(),
        policy: inserted.policy.clone(),
        allowed_tool_ids: Vec::new(),
        input_artifact_refs: refs.listed(&io_contract.read_paths),
        output_artifact_refs: refs.listed(&io_contract.write_paths),
        compiled_step_contract_v1: by_slot(&io_contract),
        executable_contract_v2: refs.executable(&io_contract, &repair_policy),
        io_contract,
        bindings: Vec::new(),
        validators: of_inserted(cx, &inserted.writes, &artifact, inserted.policy.rules),
        artifact_contracts: BTreeMap::from([(inserted.writes.clone(), artifact)]),
        execution_contract: execution(cx, inserted),
        repair_policy,
        success_criteria: Vec::new(),
        worst_case: budget::of_inserted(),
        spec_hash: ContentHash::of_bytes(b""),
    };
    contract.spec_hash = spec_hash_with(&contract, scratch)?;
    Ok(contract)
}

fn artifact(cx: Cx<'_>, inserted: &Inserted) -> ArtifactContract {
    let derived = inserted.derived.as_deref();
    let entity = derived.or_else(|| cx.catalog.entity(inserted.entity.as_str()));
    ArtifactContract {
        kind_key: inserted.kind.clone(),
        format: inserted.format,
        required_top_level_type: None,
        required_fields: Vec::new(),
        entity_schema_id: Some(inserted.entity.clone()),
        entity_hash: entity.map(|entity| entity.hash),
        derived_schema: derived.map(|entity| entity.schema.clone()),
        derived: true,
    }
}

fn io(inserted: &Inserted) -> IoContract {
    IoContract {
        read_paths: vec![inserted.reads.clone()],
        write_paths: vec![inserted.writes.clone()],
        write_sets: Vec::new(),
        inputs: vec![InputContract {
            slot: inserted.slot.clone(),
            required: true,
            entity_schema_id: inserted.from_entity.clone(),
            kind_key: Some(inserted.from_kind.clone()),
            path: Some(inserted.reads.clone()),
            fields: Vec::new(),
            grain: Vec::new(),
            provenance: ProvenanceDemand::None,
            role: None,
            entity_hash: None,
            derived_schema: None,
            held_to: None,
        }],
        outputs: vec![OutputContract {
            slot: inserted.slot.clone(),
            entity_schema_id: inserted.entity.clone(),
            kind_key: inserted.kind.clone(),
            profile_id: None,
            path: inserted.writes.clone(),
            role: OutputRole::Intermediate,
            fields: inserted.fields.iter().cloned().collect(),
            grain: inserted.grain.iter().cloned().collect(),
            provenance_fields: inserted.provenance.clone(),
        }],
    }
}

fn execution(cx: Cx<'_>, inserted: &Inserted) -> ExecutionContract {
    ExecutionContract {
        routing: Routing {
            backend: Backend::Native,
            needs_model: false,
            why: "a registered adapter does it".to_owned(),
        },
        pattern: ExecutionPattern::Adapter,
        tool_budget: 0,
        side_effects: Vec::new(),
        for_each: None,
        egress: Vec::new(),
        call_gates: Vec::new(),
        sandbox: None,
        attempt: budget::of_inserted(),
        language: None,
        code_hash: None,
        adapter_id: Some(inserted.adapter.clone()),
        loss: cx.catalog.adapter(&inserted.adapter).map(|adapter| adapter.loss),
        adapt: inserted.adapt.clone(),
    }
}
