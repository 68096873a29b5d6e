//! C9, the seal: what nobody needs is named, budgets are held against the worst case, and contracts get their hashes.

mod budget;
mod io;
mod needless;
mod refs;

use self::budget::{acts, adapter_budget, budgets};
pub(super) use self::io::mission_mode;
use self::io::{bindings, io, mission_inputs};
use self::needless::needless;
use self::refs::{Refs, by_slot};
use super::state::{Inserted, Lowering, Step};
use super::validators::{of_adapted, repair};
use crate::codes::NOT_READ;
use crate::order::order;
use crate::seal::{plan_hash, spec_hash_with};
use deed_canon::{CanonError, ContentHash, Scratch};
use deed_diag::{Severity, quote};
use deed_model::{
    ArtifactContract, Backend, Budget, CompiledPlan, Condition, ExecutionContract, ExecutionPattern, GateContract,
    InputContract, IoContract, OutputContract, OutputRole, PlanStep, ProvenanceDemand, Routing, STEP_CODE_TAG,
    SandboxDemand, SandboxLimits, StepCode, StepContract, StepKind, Validator,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn seal(lowering: &mut Lowering<'_>) -> Option<CompiledPlan> {
    lowering.stage = "seal";
    // Of a plan that is refused, what nobody needs may be needed once it is mended.
    if !lowering.is_refused() {
        needless(lowering);
    }
    budgets(lowering);
    if lowering.is_refused() {
        return None;
    }
    let compiled = contracts(lowering);
    match compiled {
        Ok(compiled) => Some(compiled),
        Err(error) => {
            lowering.say(Severity::Error, NOT_READ, "", format!("it has no canonical form: {error}"), None);
            None
        }
    }
}

fn contracts(lowering: &mut Lowering<'_>) -> Result<CompiledPlan, CanonError> {
    let mut made: Vec<StepContract> = Vec::with_capacity(lowering.steps.len() + lowering.inserted.len());
    let mut scratch = Scratch::default();
    let refs = Refs::of(lowering);
    for index in 0..lowering.steps.len() {
        // What goes into the contract as it is need not be copied.
        let taken = lowering.steps.get_mut(index).map(|step| Taken {
            artifacts: std::mem::take(&mut step.artifacts),
            validators: std::mem::take(&mut step.validators),
            conditions: std::mem::take(&mut step.conditions),
        });
        if let (Some(step), Some(taken)) = (lowering.steps.get(index), taken) {
            made.push(contract(lowering, step, taken, &refs, &mut scratch)?);
        }
    }
    for inserted in &lowering.inserted {
        made.push(adapter(lowering, inserted, &refs, &mut scratch)?);
    }
    let names: Vec<&str> = made.iter().map(|step| step.step_id.as_str()).collect();
    let index: HashMap<&str, usize> = names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut before: Vec<Vec<usize>> = made
        .iter()
        .map(|step| step.depends_on.iter().filter_map(|name| index.get(name.as_str()).copied()).collect())
        .collect();
    // Gates order steps too.
    for (step, needed) in lowering.steps.iter().zip(before.iter_mut()) {
        let all: BTreeSet<usize> = needed.iter().chain(&step.before).copied().collect();
        *needed = all.into_iter().collect();
    }
    let sorted = order(&names, &before).sorted;
    let mut slots: Vec<Option<StepContract>> = made.into_iter().map(Some).collect();
    let steps: Vec<StepContract> =
        sorted.into_iter().filter_map(|at| slots.get_mut(at).and_then(Option::take)).collect();
    let worst_case = steps.iter().map(|step| step.worst_case).fold(Budget::default(), Budget::plus);
    let mut compiled = CompiledPlan {
        version: "deed/compiled-plan/v1".to_owned(),
        plan: lowering.plan.plan.clone(),
        mission: lowering.plan.mission.clone(),
        catalog_hash: lowering.catalog.hash(),
        inputs: mission_inputs(lowering),
        gates: gates(lowering),
        budget: lowering.plan.budget,
        steps,
        worst_case,
        plan_hash: ContentHash::of_bytes(b""),
    };
    compiled.plan_hash = plan_hash(&compiled)?;
    Ok(compiled)
}

fn gates(lowering: &Lowering<'_>) -> Vec<GateContract> {
    let mut waiting: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for step in &lowering.plan.steps {
        for gate in &step.waits_for {
            waiting.entry(gate).or_default().insert(step.id.clone());
        }
    }
    let mut gates: Vec<GateContract> = lowering
        .plan
        .gates
        .iter()
        .map(|gate| GateContract {
            gate_id: gate.id.clone(),
            question: gate.question.clone(),
            approver_role: gate.approver_role.clone(),
            after: sorted(&gate.after),
            before: waiting.remove(gate.id.as_str()).into_iter().flatten().collect(),
            ttl_seconds: gate.ttl_seconds,
        })
        .collect();
    gates.sort_by(|a, b| a.gate_id.cmp(&b.gate_id));
    gates
}

fn sorted(texts: &[String]) -> Vec<String> {
    texts.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Parts of a step that become parts of its contract.
struct Taken {
    artifacts: BTreeMap<String, ArtifactContract>,
    validators: Vec<Validator>,
    conditions: Vec<Condition>,
}

fn contract(
    lowering: &Lowering<'_>,
    step: &Step<'_>,
    taken: Taken,
    refs: &Refs,
    scratch: &mut Scratch,
) -> Result<StepContract, CanonError> {
    let authored = step.authored;
    let routing = step.routing.clone().unwrap_or(Routing {
        backend: Backend::SandboxSession,
        needs_model: true,
        why: String::new(),
    });
    let adapters: BTreeSet<String> = step.by.iter().filter_map(|by| by.last().cloned()).collect();
    let depends_on: BTreeSet<String> = authored.depends_on.iter().cloned().chain(adapters).collect();
    let step_kind = match (&authored.adapter, &authored.for_each, routing.backend) {
        (Some(_), ..) => StepKind::Adapter,
        (None, _, Backend::ToolLoop) => StepKind::Tools,
        (None, Some(_), _) => StepKind::CodePerItem,
        (None, None, _) => StepKind::Code,
    };
    let code_hash = match &authored.code {
        Some(code) => {
            // Written in any letters, a language is the same.
            let frozen = StepCode { language: code.language.to_lowercase(), ..code.clone() };
            Some(deed_canon::hash_of(&STEP_CODE_TAG, &frozen)?)
        }
        None => None,
    };
    let loss = authored.adapter.as_deref().and_then(|id| lowering.catalog.adapter(id)).map(|adapter| adapter.loss);
    let adapt =
        authored.adapter.as_ref().and_then(|_| authored.abstract_inputs.iter().find_map(|input| input.adapt.clone()));
    let io_contract = io(lowering, step);
    let repair_policy = repair(routing.needs_model, authored.adapter.is_some(), acts(step), authored.max_retries);
    let attempt = budget::attempt(step, &routing);
    let mut contract = StepContract {
        step_id: authored.id.clone(),
        label: authored.label.clone(),
        objective: authored.objective.clone(),
        objective_words: authored.objective_words.clone(),
        step_kind,
        depends_on: depends_on.into_iter().collect(),
        waits_for: sorted(&authored.waits_for),
        domain_pack_ids: step.domain_packs.clone(),
        workflow_pack_ids: step.workflow_packs.clone(),
        policy: step.policy.clone(),
        allowed_tool_ids: sorted(&authored.tool_needs),
        input_artifact_refs: refs.listed(&io_contract.read_paths),
        output_artifact_refs: refs.listed(&io_contract.write_paths),
        compiled_step_contract_v1: by_slot(&io_contract),
        executable_contract_v2: refs.executable(&io_contract, &repair_policy),
        io_contract,
        bindings: bindings(lowering, step),
        artifact_contracts: taken.artifacts,
        repair_policy,
        execution_contract: ExecutionContract {
            pattern: step_kind.into(),
            tool_budget: attempt.tool_calls.unwrap_or(0),
            side_effects: authored.side_effects.clone(),
            for_each: authored.for_each.clone(),
            egress: authored.egress.clone(),
            call_gates: authored.call_gates.clone(),
            sandbox: demand(authored, routing.backend, attempt),
            attempt,
            language: authored.code.as_ref().map(|code| code.language.to_lowercase()),
            routing,
            code_hash,
            adapter_id: authored.adapter.clone(),
            loss,
            adapt,
        },
        validators: taken.validators,
        success_criteria: taken.conditions,
        worst_case: step.worst_case,
        spec_hash: ContentHash::of_bytes(b""),
    };
    contract.spec_hash = spec_hash_with(&contract, scratch)?;
    Ok(contract)
}

/// What the sandbox of a step must be. Its budget says how long an attempt takes; a limit that the plan names holds if
/// it is closer.
fn demand(authored: &PlanStep, backend: Backend, attempt: Budget) -> Option<SandboxDemand> {
    if backend != Backend::SandboxSession {
        return None;
    }
    let mut demand = authored.sandbox.unwrap_or_default();
    let own = demand.limits.wall_seconds;
    let usual = own == SandboxLimits::default().wall_seconds;
    demand.limits.wall_seconds = match attempt.wall_seconds {
        Some(wall) if usual => wall,
        Some(wall) => own.min(wall),
        None => own,
    };
    // Time on the wall is what a budget is about; CPU is held to more only where the plan says so.
    if demand.limits.cpu_seconds == SandboxLimits::default().cpu_seconds {
        demand.limits.cpu_seconds = demand.limits.cpu_seconds.max(demand.limits.wall_seconds);
    }
    Some(demand)
}

/// The contract of an adapter that was put in.
fn adapter(
    lowering: &Lowering<'_>,
    inserted: &Inserted,
    refs: &Refs,
    scratch: &mut Scratch,
) -> Result<StepContract, CanonError> {
    let declared = lowering.catalog.adapter(&inserted.adapter);
    let derived = inserted.derived.as_deref();
    let entity = derived.or_else(|| lowering.catalog.entity(inserted.entity.as_str()));
    let artifact = ArtifactContract {
        kind_key: inserted.kind.clone(),
        format: inserted.format,
        required_top_level_type: None,
        required_fields: Vec::new(),
        entity_schema_id: Some(inserted.entity.clone()),
        entity_hash: entity.map(|entity| entity.hash),
        derived_schema: derived.map(|entity| entity.schema.clone()),
        derived: true,
    };
    let validators = of_adapted(lowering, &inserted.writes, &artifact);
    let (from, to) = (quote(inserted.from_kind.as_str()), quote(inserted.kind.as_str()));
    let grain: Vec<String> = inserted.grain.iter().cloned().collect();
    let fields: Vec<String> = inserted.fields.iter().cloned().collect();
    let io_contract = IoContract {
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
        }],
        outputs: vec![OutputContract {
            slot: inserted.slot.clone(),
            entity_schema_id: inserted.entity.clone(),
            kind_key: inserted.kind.clone(),
            profile_id: None,
            path: inserted.writes.clone(),
            role: OutputRole::Intermediate,
            fields,
            grain,
            provenance_fields: inserted.provenance.clone(),
        }],
    };
    let repair_policy = repair(false, true, false, None);
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
        artifact_contracts: BTreeMap::from([(inserted.writes.clone(), artifact)]),
        execution_contract: ExecutionContract {
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
            attempt: adapter_budget(),
            language: None,
            code_hash: None,
            adapter_id: Some(inserted.adapter.clone()),
            loss: declared.map(|adapter| adapter.loss),
            adapt: inserted.adapt.clone(),
        },
        validators,
        repair_policy,
        success_criteria: Vec::new(),
        worst_case: adapter_budget(),
        spec_hash: ContentHash::of_bytes(b""),
    };
    contract.spec_hash = spec_hash_with(&contract, scratch)?;
    Ok(contract)
}
