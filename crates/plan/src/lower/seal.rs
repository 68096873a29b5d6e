//! C9, the seal: the plan becomes contracts.
//!
//! Enters: everything that earlier stages decided. Leaves: the compiled plan with the hashes of its contracts, unless
//! anything was refused. Must prove: budgets cover the worst case, and every contract has a canonical form. What nothing
//! rests on is reported.

mod budget;
mod contract;
mod entities;
mod gates;
mod inserted;
mod io;
mod needless;
mod refs;

use self::refs::Refs;
use super::adapt::Adapters;
use super::bind::Bindings;
use super::candidate::Candidate;
use super::cx::Cx;
use super::findings::{At, Finding, Findings};
use super::outputs::Outputs;
use super::routing::Routes;
use super::snapshot::Snapshot;
use super::validators::Validators;
use super::wiring::Wiring;
use crate::order::order;
use crate::seal::plan_hash;
use deed_canon::{CanonError, ContentHash, Scratch};
use deed_diag::{Invariant as _, codes};
use deed_model::{Budget, CompiledPlan, StepContract};
use std::collections::{BTreeSet, HashMap};

/// The earlier outputs that the seal reads: all of them.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) snapshot: &'s Snapshot,
    pub(super) outputs: &'s Outputs,
    pub(super) wiring: &'s Wiring,
    pub(super) bindings: &'s Bindings<'s>,
    pub(super) adapters: &'s Adapters<'s>,
    pub(super) routes: &'s Routes,
    pub(super) validators: &'s Validators,
}

/// The outcome of the last stage.
#[derive(Default)]
pub(super) struct Sealed {
    /// The compiled plan; none if anything was refused.
    pub(super) compiled: Option<CompiledPlan>,
    /// The steps that run in an isolate, as far as that was decided.
    pub(super) isolated: BTreeSet<String>,
}

/// Freezes and hashes the contracts of a plan of which nothing was refused.
pub(super) fn seal(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) -> Sealed {
    let isolated = inputs.routes.isolated(cx);
    // Of a plan that is refused, what nothing needs may be needed once it is fixed.
    if !findings.is_refused() {
        needless::check(cx, inputs, findings);
    }
    budget::check(cx, inputs, findings);
    if findings.is_refused() {
        return Sealed { compiled: None, isolated };
    }
    let compiled = compile(cx, inputs).map_err(|error| {
        let message = format!("it has no canonical form: {error}");
        findings.add(Finding::error(At::plan(""), codes::PLAN_UNREADABLE, message));
    });
    Sealed { compiled: compiled.ok(), isolated }
}

fn compile(cx: Cx<'_>, inputs: Inputs<'_>) -> Result<CompiledPlan, CanonError> {
    let mut scratch = Scratch::default();
    let refs = Refs::of(cx, inputs);
    let mut steps: Vec<StepContract> = Vec::with_capacity(cx.plan.steps.len() + inputs.adapters.inserted.len());
    for step in cx.steps() {
        steps.push(contract::of_step(cx, inputs, step, &refs, &mut scratch)?);
    }
    for inserted in &inputs.adapters.inserted {
        steps.push(inserted::contract(cx, inserted, &refs, &mut scratch)?);
    }
    let steps = in_order(cx, inputs, steps);
    let mission_inputs = io::mission_inputs(cx, inputs);
    let mut compiled = CompiledPlan {
        version: "deed/compiled-plan/v1".to_owned(),
        plan: cx.plan.plan.clone(),
        mission: cx.plan.mission.clone(),
        catalog_hash: cx.catalog.hash(),
        entities: entities::named(cx, &steps, &mission_inputs),
        inputs: mission_inputs,
        gates: gates::contracts(cx.plan),
        budget: cx.plan.budget,
        worst_case: steps.iter().map(|step| step.worst_case).fold(Budget::default(), Budget::plus),
        steps,
        plan_hash: ContentHash::of_bytes(b""),
    };
    compiled.plan_hash = plan_hash(&compiled)?;
    Ok(compiled)
}

/// Sorts the contracts, those of inserted adapters among them. Gates order steps too.
fn in_order(cx: Cx<'_>, inputs: Inputs<'_>, contracts: Vec<StepContract>) -> Vec<StepContract> {
    let names: Vec<&str> = contracts.iter().map(|step| step.step_id.as_str()).collect();
    let positions: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let by_name = |step: &StepContract| -> BTreeSet<usize> {
        step.depends_on.iter().filter_map(|name| positions.get(name.as_str()).copied()).collect()
    };
    let mut before: Vec<BTreeSet<usize>> = contracts.iter().map(by_name).collect();
    for (step, needed) in cx.steps().zip(before.iter_mut()) {
        needed.extend(inputs.candidate.dependencies(step.index).before.iter().map(|step| step.position()));
    }
    let before: Vec<Vec<usize>> = before.into_iter().map(|needed| needed.into_iter().collect()).collect();
    let sorted = order(&names, &before).sorted;
    let mut contracts: Vec<Option<StepContract>> = contracts.into_iter().map(Some).collect();
    let take = |at: usize| contracts.get_mut(at).and_then(Option::take).invariant("each contract has one place");
    sorted.into_iter().map(take).collect()
}

fn sorted(texts: &[String]) -> Vec<String> {
    texts.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect()
}
