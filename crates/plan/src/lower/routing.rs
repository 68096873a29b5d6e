//! C7, routing: where every step runs, and what has to be approved before.
//!
//! Enters: the bindings and the inputs as they are read. Leaves: the backend of every step. Must prove: code has a
//! backend, effects are approved where the policy asks for it, loops have a list, and egress rules can be read.

mod approvals;
mod backend;
mod call_gates;
mod egress;
mod items;

pub use self::call_gates::call_arguments;
pub(super) use self::egress::concealed_source;

use super::adapt::Adapters;
use super::bind::Bindings;
use super::candidate::Candidate;
use super::cx::{Cx, PerStep, StepIndex};
use super::findings::Findings;
use super::snapshot::Snapshot;
use super::wiring::Wiring;
use deed_model::{Backend, Routing};
use std::collections::BTreeSet;

/// The earlier outputs that routing reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) snapshot: &'s Snapshot,
    pub(super) wiring: &'s Wiring,
    pub(super) bindings: &'s Bindings<'s>,
    pub(super) adapters: &'s Adapters<'s>,
}

/// The backends of all steps; none for code that no backend runs.
pub(super) struct Routes(PerStep<Option<Routing>>);

/// Chooses the backend of every step.
pub(super) fn choose(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) -> Routes {
    Routes(cx.per_step(|step| {
        approvals::check_effects(cx, inputs, step, findings);
        approvals::check_order(cx, inputs, step, findings);
        items::check(cx, inputs, step, findings);
        egress::check(cx, step, findings);
        call_gates::check(step, findings);
        backend::choose(step).map_err(|finding| findings.add(finding)).ok()
    }))
}

impl Routes {
    pub(super) fn of_step(&self, step: StepIndex) -> Option<&Routing> {
        self.0.get(step).as_ref()
    }

    /// The names of the steps that run in an isolate.
    pub(super) fn isolated(&self, cx: Cx<'_>) -> BTreeSet<String> {
        let isolated = |step: StepIndex| self.of_step(step).is_some_and(|known| known.backend == Backend::EdgeIsolate);
        cx.steps().filter(|step| isolated(step.index)).map(|step| step.id().to_owned()).collect()
    }
}
