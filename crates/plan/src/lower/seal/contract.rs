//! The contract of a step of the plan.

use super::budget;
use super::io;
use super::refs::{Refs, by_slot};
use super::{Inputs, sorted};
use crate::lower::cx::{Cx, Step};
use crate::lower::validators::repair;
use crate::seal::spec_hash_with;
use deed_canon::{CanonError, ContentHash, Scratch, hash_of};
use deed_diag::Invariant as _;
use deed_model::{
    Backend, Budget, ExecutionContract, PlanStep, Routing, STEP_CODE_TAG, SandboxDemand, SandboxLimits, StepCode,
    StepContract, StepKind,
};
use std::collections::BTreeSet;

/// Freezes the contract of a step.
pub(super) fn of_step(
    cx: Cx<'_>,
    inputs: Inputs<'_>,
    step: Step<'_>,
    refs: &Refs,
    scratch: &mut Scratch,
) -> Result<StepContract, CanonError> {
    let authored = step.authored;
    let routing = inputs.routes.of_step(step.index).invariant("a step of a plan that is not refused has a backend");
    let scope = inputs.snapshot.scope(step.index);
    let checks = inputs.validators.of_step(step.index);
    let io_contract = io::contract(cx, inputs, step);
    let repair_policy = repair::repair(authored, routing);
    let step_kind = kind(authored, routing.backend);
    let mut contract = StepContract {
        step_id: authored.id.clone(),
        label: authored.label.clone(),
        objective: authored.objective.clone(),
        objective_words: authored.objective_words.clone(),
        step_kind,
        depends_on: depends_on(inputs, step),
        waits_for: sorted(&authored.waits_for),
        domain_pack_ids: scope.packs.domain.clone(),
        workflow_pack_ids: scope.packs.workflow.clone(),
        policy: scope.policy.clone(),
        allowed_tool_ids: sorted(&authored.tool_needs),
        input_artifact_refs: refs.listed(&io_contract.read_paths),
        output_artifact_refs: refs.listed(&io_contract.write_paths),
        compiled_step_contract_v1: by_slot(&io_contract),
        executable_contract_v2: refs.executable(&io_contract, &repair_policy),
        io_contract,
        bindings: io::bindings(cx, inputs, step),
        artifact_contracts: inputs.outputs.of_step(step.index).contracts.clone(),
        execution_contract: execution(cx, authored, routing, step_kind)?,
        validators: checks.validators.clone(),
        success_criteria: checks.conditions.clone(),
        worst_case: budget::worst_case(authored, routing),
        repair_policy,
        spec_hash: ContentHash::of_bytes(b""),
    };
    contract.spec_hash = spec_hash_with(&contract, scratch)?;
    Ok(contract)
}

fn kind(step: &PlanStep, backend: Backend) -> StepKind {
    match (&step.adapter, &step.for_each, backend) {
        (Some(_), ..) => StepKind::Adapter,
        (None, _, Backend::ToolLoop) => StepKind::Tools,
        (None, Some(_), _) => StepKind::CodePerItem,
        (None, None, _) => StepKind::Code,
    }
}

/// The steps that a step depends on, the adapters of its inputs among them.
fn depends_on(inputs: Inputs<'_>, step: Step<'_>) -> Vec<String> {
    let reads = inputs.adapters.of_step(step.index).iter();
    let adapters = reads.filter_map(|read| read.arrival.as_ref()?.by.last().cloned());
    let all: BTreeSet<String> = step.authored.depends_on.iter().cloned().chain(adapters).collect();
    all.into_iter().collect()
}

fn execution(
    cx: Cx<'_>,
    step: &PlanStep,
    routing: &Routing,
    step_kind: StepKind,
) -> Result<ExecutionContract, CanonError> {
    let attempt = budget::attempt(step, routing);
    let adapter = step.adapter.as_deref().and_then(|id| cx.catalog.adapter(id));
    let adapt = step.abstract_inputs.iter().find_map(|input| input.adapt.clone());
    Ok(ExecutionContract {
        pattern: step_kind.into(),
        tool_budget: attempt.tool_calls.invariant("an attempt has a budget of tool calls"),
        side_effects: step.side_effects.clone(),
        for_each: step.for_each.clone(),
        egress: step.egress.clone(),
        call_gates: step.call_gates.clone(),
        sandbox: sandbox(step, routing.backend, attempt),
        attempt,
        language: step.code.as_ref().map(|code| code.language.to_lowercase()),
        routing: routing.clone(),
        code_hash: step.code.as_ref().map(code_hash).transpose()?,
        adapter_id: step.adapter.clone(),
        loss: adapter.map(|adapter| adapter.loss),
        adapt: adapt.filter(|_| step.adapter.is_some()),
    })
}

/// The hash of a step's code. The case of its language does not matter.
fn code_hash(code: &StepCode) -> Result<ContentHash, CanonError> {
    hash_of(&STEP_CODE_TAG, &StepCode { language: code.language.to_lowercase(), ..code.clone() })
}

/// The sandbox that a step demands. Its budget says how long an attempt takes; a limit that the plan names holds if it is
/// closer.
fn sandbox(step: &PlanStep, backend: Backend, attempt: Budget) -> Option<SandboxDemand> {
    if backend != Backend::SandboxSession {
        return None;
    }
    let mut demand = step.sandbox.unwrap_or_default();
    let own = demand.limits.wall_seconds;
    let usual = own == SandboxLimits::default().wall_seconds;
    demand.limits.wall_seconds = match attempt.wall_seconds {
        Some(wall) if usual => wall,
        Some(wall) => own.min(wall),
        None => own,
    };
    // A budget limits wall-clock time; CPU time is limited further only where the plan says so.
    if demand.limits.cpu_seconds == SandboxLimits::default().cpu_seconds {
        demand.limits.cpu_seconds = demand.limits.cpu_seconds.max(demand.limits.wall_seconds);
    }
    Some(demand)
}
