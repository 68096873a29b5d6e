//! C8, validators: what is checked of every file, and when a step has succeeded.
//!
//! Enters: the inputs as they are read and the contracts of files. Leaves: the validators and the success conditions of
//! every step. Must prove: every success criterion can be checked by a machine.

mod conditions;
mod files;
mod inputs;
pub(super) mod repair;

pub(super) use self::files::{of_inserted, owed_provenance};
pub(super) use self::inputs::held_to;

use super::adapt::Adapters;
use super::bind::Bindings;
use super::cx::{Cx, PerStep, StepIndex};
use super::findings::Findings;
use super::outputs::Outputs;
use super::snapshot::Snapshot;
use super::wiring::Wiring;
use deed_model::{Condition, Validator};

/// The earlier outputs that this stage reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) outputs: &'s Outputs,
    pub(super) wiring: &'s Wiring,
    pub(super) bindings: &'s Bindings<'s>,
    pub(super) adapters: &'s Adapters<'s>,
}

/// The checks of all steps.
pub(super) struct Validators(PerStep<StepChecks>);

/// The checks of one step.
pub(super) struct StepChecks {
    /// The checks of its files.
    pub(super) validators: Vec<Validator>,
    /// Its success criteria.
    pub(super) conditions: Vec<Condition>,
}

/// Computes the checks of every step.
pub(super) fn compute(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) -> Validators {
    let steps = cx.per_step(|step| {
        let mut validators = inputs::validators(cx, inputs, step);
        validators.extend(files::validators(cx, inputs, step));
        StepChecks { validators, conditions: conditions::of_step(cx, inputs, step, findings) }
    });
    conditions::check_mission(cx, inputs, findings);
    Validators(steps)
}

impl Validators {
    pub(super) fn of_step(&self, step: StepIndex) -> &StepChecks {
        self.0.get(step)
    }
}
