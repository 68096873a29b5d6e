//! What happens after a failure. It follows from the contract and the class, and is not improvised.

use crate::codes::OUTCOME_UNKNOWN;
use deed_model::{FailureClass, RepairBoundary, StepContract, StepFailure};

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The same contract once more, after so many milliseconds.
    Again {
        /// How long to wait.
        after_ms: u64,
    },
    /// The step has failed for good.
    Stop,
}

/// The first wait; each further one is twice as long.
const FIRST_MS: u64 = 200;
/// No wait is longer.
const LONGEST_MS: u64 = 30_000;

/// What happens after attempt `attempt` of a step failed.
///
/// Code that is written already gives the same again, so only failures that are not its own are tried again: those of
/// the sandbox, and calls whose other side failed. Of a call that may have happened nobody knows more by asking again.
pub fn next(contract: &StepContract, failure: &StepFailure, attempt: u32) -> Next {
    let class = failure.class;
    let policy = &contract.repair_policy;
    let boundary = policy.boundaries.get(&class).copied().unwrap_or(RepairBoundary::HardStop);
    let rewritten = contract.execution_contract.routing.needs_model;
    let may = match boundary {
        RepairBoundary::FreshContainer => true,
        RepairBoundary::RetrySameContract => rewritten || class == FailureClass::ToolBridge,
        RepairBoundary::RejectPlan
        | RepairBoundary::BlockStep
        | RepairBoundary::Report
        | RepairBoundary::HardStop
        | RepairBoundary::Pause => false,
    };
    if !may || failure.code == OUTCOME_UNKNOWN.as_str() || attempt > policy.max_retries {
        return Next::Stop;
    }
    let doubled = FIRST_MS.saturating_mul(1 << attempt.saturating_sub(1).min(20));
    Next::Again { after_ms: doubled.min(LONGEST_MS) }
}
