//! C4, wiring: the files that steps read and write by path.
//!
//! Enters: the outputs of every step. Leaves: the writer of every path, and the paths that each step reads and writes,
//! in one spelling. Must prove: every path lies inside the workspace, is written once, and is read only after that.

mod paths;
mod reads;
mod writes;

pub(super) use self::writes::{Writer, Writers};

use super::candidate::Candidate;
use super::cx::{Cx, PerStep, StepIndex};
use super::findings::Findings;
use super::output::Source;
use super::outputs::Outputs;
use super::snapshot::Snapshot;
use deed_model::OutputRole;

/// The earlier outputs that wiring reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) snapshot: &'s Snapshot,
    pub(super) outputs: &'s Outputs,
}

/// The files of the plan.
pub(super) struct Wiring {
    pub(super) writers: Writers,
    steps: PerStep<StepFiles>,
}

/// The files of a step.
pub(super) struct StepFiles {
    /// Paths that it reads by name.
    pub(super) reads: Vec<String>,
    /// The producers of those of them that say what their file is.
    pub(super) by_path: Vec<Source>,
    /// Paths that it writes, sorted: their order in the plan means nothing.
    pub(super) writes: Vec<(String, OutputRole)>,
}

/// Brings all paths to one spelling, and ties each read to a write.
pub(super) fn normalize(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) -> Wiring {
    let (writers, writes) = writes::collect(cx, findings);
    let reads = reads::Reads { cx, inputs, offers: inputs.outputs.offers(inputs.snapshot), writers: &writers };
    let steps = cx.per_step(|step| {
        let (reads, by_path) = reads.of_step(step, findings);
        StepFiles { reads, by_path, writes: writes.get(step.index).clone() }
    });
    Wiring { writers, steps }
}

impl Wiring {
    pub(super) fn of_step(&self, step: StepIndex) -> &StepFiles {
        self.steps.get(step)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (StepIndex, &StepFiles)> {
        self.steps.iter()
    }
}
