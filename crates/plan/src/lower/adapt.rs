//! C6, adapters: the steps that turn what is given into what is read.
//!
//! Enters: the bindings. Leaves: the adapters that bindings need, as steps of their own, and where and as what every
//! input is read. Must prove: adapters that the plan names take and give what their declaration says.

mod arrival;
mod insert;
mod named;
mod roles;

pub(super) use self::arrival::Arrival;
pub(super) use self::insert::Inserted;

use self::insert::Insertions;
use super::bind::{Bindings, Bound};
use super::candidate::Candidate;
use super::cx::{Cx, Input, PerStep, StepIndex};
use super::findings::Findings;
use super::snapshot::{InputNeed, Snapshot};

/// The earlier outputs that this stage reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) snapshot: &'s Snapshot,
    pub(super) bindings: &'s Bindings<'s>,
}

/// The adapters of the plan, and what they lead to.
pub(super) struct Adapters<'s> {
    /// Adapters that the compiler inserts.
    pub(super) inserted: Vec<Inserted>,
    steps: PerStep<Vec<ReadInput<'s>>>,
}

/// An input as its step reads it.
pub(super) struct ReadInput<'s> {
    pub(super) input: Input<'s>,
    pub(super) need: Option<&'s InputNeed>,
    pub(super) bound: Option<&'s Bound>,
    /// The path and the kind at which it is read; none if it is not bound, or no adapter can write what it needs.
    pub(super) arrival: Option<Arrival>,
}

/// Checks the adapters that steps name, and inserts those that bindings need.
pub(super) fn insert<'s>(cx: Cx<'s>, inputs: Inputs<'s>, findings: &mut Findings<'_>) -> Adapters<'s> {
    for step in cx.steps() {
        match &step.authored.adapter {
            Some(id) => named::check(cx, inputs, step, id, findings),
            None => roles::check_none(step, findings),
        }
    }
    let mut insertions = Insertions::default();
    let mut steps = cx.per_step(|step| {
        let inputs = inputs.bindings.of_step(step.index).iter();
        let unread = inputs.map(|known| ReadInput {
            input: known.input,
            need: known.need,
            bound: known.bound.as_ref(),
            arrival: None,
        });
        unread.collect::<Vec<_>>()
    });
    for step in &inputs.candidate.order {
        for read in steps.get_mut(*step) {
            read.arrival = arrival::of(cx, inputs, read, &mut insertions, findings);
        }
    }
    Adapters { inserted: insertions.into_steps(), steps }
}

impl<'s> Adapters<'s> {
    pub(super) fn of_step(&self, step: StepIndex) -> &[ReadInput<'s>] {
        self.steps.get(step)
    }
}
