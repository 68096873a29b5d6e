//! C5, bindings: the producer of every input.
//!
//! Enters: what every step needs and gives. Leaves: one producer for every input that has one, and what steps give once
//! adapters have passed their columns on. Must prove: every required input has exactly one producer that fits best.
//!
//! Producers are looked for near first: among the steps that an input's step depends on, then among all that come before
//! those, then among what the mission is given. Of those that fit, the best rank counts; two of the same rank are
//! ambiguous, and the plan has to say which is meant.

mod ambiguous;
mod bound;
mod cells;
mod columns;
mod elsewhere;
mod find;
mod inherit;
mod measures;
mod misfit;
mod producers;
mod provenance;
mod refuse;
mod twice;

pub(super) use self::bound::Bound;

use self::producers::BySlot;
use super::candidate::Candidate;
use super::cx::{Cx, Input, PerStep, StepIndex};
use super::findings::Findings;
use super::output::{Offers, Source};
use super::outputs::Outputs;
use super::snapshot::{InputNeed, Snapshot, input_mode};
use super::wiring::Wiring;
use deed_catalog::{Fit, Misfit, fit};
use deed_model::{LadderMode, PolicyRules};
use std::collections::HashSet;

/// The earlier outputs that binding reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) snapshot: &'s Snapshot,
    pub(super) outputs: &'s Outputs,
    pub(super) wiring: &'s Wiring,
}

/// The producers of all inputs.
pub(super) struct Bindings<'s> {
    /// Everything that is given. Outputs of adapters have the columns that they inherit.
    pub(super) offers: Offers<'s>,
    steps: PerStep<Vec<StepInput<'s>>>,
}

/// An input with what it needs and what it is bound to.
pub(super) struct StepInput<'s> {
    pub(super) input: Input<'s>,
    /// None if its names lead nowhere.
    pub(super) need: Option<&'s InputNeed>,
    /// None if nothing fits, or the input is optional and nothing gives it.
    pub(super) bound: Option<Bound>,
}

/// A view of everything that is bound so far.
#[derive(Clone, Copy)]
struct View<'v, 's> {
    cx: Cx<'s>,
    inputs: Inputs<'s>,
    by_slot: &'v BySlot,
    bindings: &'v Bindings<'s>,
}

/// Binds every input, in the frozen order of the steps.
pub(super) fn bind<'s>(cx: Cx<'s>, inputs: Inputs<'s>, findings: &mut Findings<'_>) -> Bindings<'s> {
    let unbound =
        |(input, need): (Input<'s>, &'s Option<InputNeed>)| StepInput { input, need: need.as_ref(), bound: None };
    let mut bindings = Bindings {
        offers: inputs.outputs.offers(inputs.snapshot),
        steps: cx.per_step(|step| step.inputs().zip(inputs.snapshot.needs(step.index)).map(unbound).collect()),
    };
    let by_slot = producers::by_slot(inputs.candidate, &bindings.offers);
    for step in inputs.candidate.order.iter().map(|index| cx.step(*index)) {
        let view = View { cx, inputs, by_slot: &by_slot, bindings: &bindings };
        let needed = bindings.of_step(step.index).iter();
        let bound: Vec<Option<Bound>> =
            needed.map(|input| find::find(view, input.input, input.need?, findings)).collect();
        for (input, bound) in bindings.steps.get_mut(step.index).iter_mut().zip(bound) {
            input.bound = bound;
        }
        let view = View { cx, inputs, by_slot: &by_slot, bindings: &bindings };
        let inherited = inherit::columns(view, step, findings);
        if let Some(inherited) = inherited {
            inherited.pass_on(bindings.offers.of_step_mut(step.index));
        }
        twice::check(step, bindings.of_step(step.index), findings);
    }
    cells::check(cx, inputs, &bindings, findings);
    bindings
}

impl<'s> Bindings<'s> {
    pub(super) fn of_step(&self, step: StepIndex) -> &[StepInput<'s>] {
        self.steps.get(step)
    }

    /// The producers that a step is bound to.
    pub(super) fn sources_of(&self, step: StepIndex) -> impl Iterator<Item = Source> {
        self.of_step(step).iter().filter_map(|input| Some(input.bound.as_ref()?.source))
    }

    /// All producers that something is bound to.
    pub(super) fn used(&self) -> HashSet<Source> {
        self.steps.iter().flat_map(|(step, _)| self.sources_of(step)).collect()
    }

    /// The mode in which an input of the mission is held to its entity; none if no step reads it.
    pub(super) fn mission_mode(&self, snapshot: &Snapshot, wiring: &Wiring, given: Source) -> Option<LadderMode> {
        let path = &self.offers.get(given).path;
        let readers = wiring.iter().filter(|(step, files)| {
            let by_path = files.by_path.contains(&given) || files.reads.contains(path);
            by_path || self.sources_of(*step).any(|source| source == given)
        });
        readers.map(|(step, _)| input_mode(snapshot.rules(step))).max_by_key(|mode| *mode == LadderMode::Block)
    }
}

impl<'s> View<'_, 's> {
    fn offers(&self) -> &Offers<'s> {
        &self.bindings.offers
    }

    fn rules(&self, input: Input<'_>) -> PolicyRules {
        self.inputs.snapshot.rules(input.step.index)
    }

    /// Compares what a producer gives with what an input needs.
    fn judge(&self, input: Input<'_>, need: &InputNeed, source: Source) -> Result<Fit<'s>, Misfit<'s>> {
        let need = need.in_slot(&input.authored.slot);
        fit(self.cx.catalog, &need, &self.offers().get(source).offer(), &self.rules(input))
    }
}
