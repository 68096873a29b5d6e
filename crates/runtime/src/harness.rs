//! The harness: nine steps around the work of one. Nothing a step reports about itself is trusted: success is decided only
//! by receipts that the runtime produces.

use crate::attempt::Attempt;
use crate::run::Run;
use crate::spans;
use crate::steps::{
    execute, materialize, persist, postflight, preflight, prepare, project, verify_inputs, verify_outputs,
};
use deed_canon::Envelope;
use deed_model::{Budget, StepContract, StepFailure, SubStep};
use deed_ports::StoreError;
use std::sync::Arc;

/// The end of an attempt.
#[derive(Debug)]
pub(crate) enum End {
    /// Its outputs are stored, and its success is recorded.
    Succeeded,
    /// It failed.
    Failed(Box<Failed>),
    /// Its code is parked at a gate.
    Parked(Box<Parked>),
    /// It was stopped, and nothing was decided.
    Stopped,
    /// The disk or the journal cannot be used, and nothing was decided.
    Unavailable(StoreError),
}

impl End {
    /// Returns a word for the log.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed(_) => "failed",
            Self::Parked(_) => "parked",
            Self::Stopped => "stopped",
            Self::Unavailable(_) => "unavailable",
        }
    }
}

/// An attempt that waits at a gate.
#[derive(Debug)]
pub(crate) struct Parked {
    pub(crate) gate_id: String,
    /// The spending so far, without its calls.
    pub(crate) spent: Budget,
    /// The execution that was stopped.
    pub(crate) sub_step: SubStep,
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: StepFailure,
    /// The signed receipt, if it came so far.
    pub(crate) receipt: Option<Envelope>,
    /// The spending, without its calls.
    pub(crate) spent: Budget,
    /// The executions of its program, if it came so far.
    pub(crate) sub_steps: Vec<SubStep>,
}

impl From<StepFailure> for End {
    fn from(failure: StepFailure) -> Self {
        Self::Failed(Box::new(Failed { failure, receipt: None, spent: Budget::default(), sub_steps: Vec::new() }))
    }
}

/// Runs one attempt of a step. Its folders are removed when the returned attempt is dropped.
pub(crate) fn run(run: &Arc<Run>, contract: &Arc<StepContract>, number: u32) -> (End, Option<Arc<Attempt>>) {
    let attempt = match prepare::workspace(run, contract, number) {
        Ok(attempt) => attempt,
        Err(end) => return (end, None),
    };
    let end = match nine_steps(&attempt) {
        Ok(()) => End::Succeeded,
        Err(end) => end,
    };
    (end, Some(attempt))
}

fn nine_steps(attempt: &Arc<Attempt>) -> Result<(), End> {
    let span = |name| spans::harness(attempt, name);
    span("prepare").in_scope(|| prepare::folders(attempt))?;
    let inputs = span("materialize").in_scope(|| materialize::inputs(attempt))?;
    let projected = span("project").in_scope(|| project::paths(attempt, &inputs))?;
    let entered = span("preflight").in_scope(|| preflight::receipt(attempt, inputs))?;
    span("verify_inputs").in_scope(|| verify_inputs::required(&entered))?;
    let execution = span("execute").in_scope(|| execute::step(attempt, &projected, &entered))?;
    let left = span("postflight").in_scope(|| postflight::receipt(attempt, &projected, &entered, execution))?;
    span("verify_outputs").in_scope(|| verify_outputs::expected(&left))?;
    span("persist").in_scope(|| persist::outputs(attempt, left))
}
