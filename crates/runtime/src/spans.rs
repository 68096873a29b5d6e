//! Spans of a run, each with the ids of the run and the step. Fields hold ids, names and numbers: never arguments,
//! contents or what code printed.

use crate::attempt::Attempt;
use tracing::{Span, debug_span, info_span};

/// The span in which a process drives a run.
pub(crate) fn run(run_id: &str) -> Span {
    info_span!("run", run = run_id)
}

/// The span of a step, inside the run's.
pub(crate) fn step(run: &Span, run_id: &str, step: &str) -> Span {
    info_span!(parent: run, "step", run = run_id, step)
}

/// The span of one attempt of a step.
pub(crate) fn attempt(run_id: &str, step: &str, attempt: u32) -> Span {
    info_span!("attempt", run = run_id, step, attempt)
}

/// The span of one of the nine steps of the harness.
pub(crate) fn harness(attempt: &Attempt, name: &'static str) -> Span {
    let (run, step) = (attempt.run.request.run_id.as_str(), attempt.contract.step_id.as_str());
    debug_span!("harness", run, step, attempt = attempt.number, harness_step = name)
}

/// The span of a call through the bridge, which is served on a thread of its own.
pub(crate) fn call(attempt: &Attempt, tool: &str) -> Span {
    let (run, step) = (attempt.run.request.run_id.as_str(), attempt.contract.step_id.as_str());
    debug_span!(parent: &attempt.span, "call", run, step, attempt = attempt.number, tool)
}
