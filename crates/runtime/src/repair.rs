//! Decides between retry and stop after a failure, by the contract and the class alone.

use deed_diag::codes;
use deed_model::{FailureCause, FailureClass, RepairBoundary, StepContract, StepFailure};

/// The next action after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryDecision {
    /// The step is retried under the same contract.
    Retry {
        /// The wait in milliseconds.
        after_ms: u64,
    },
    /// The step has failed and is not retried.
    Stop {
        /// The cause that ends the retries, where the failure does not say it itself.
        because: Option<FailureCause>,
    },
}

/// The first wait; each further one is twice as long.
const FIRST_MS: u64 = 200;
/// The longest wait.
const LONGEST_MS: u64 = 30_000;

/// Returns the action after attempt `attempt` of a step failed.
///
/// The class says where a failure ends, and its causes whether a retry can help. Code that is written already fails again,
/// so only failures that are not its own are retried: those of the sandbox, and calls whose other side failed. A call whose
/// outcome is unknown is not.
pub(crate) fn after_failure(contract: &StepContract, failure: &StepFailure, attempt: u32) -> RetryDecision {
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
    // Only new code fixes what code did wrong; other failures that are not retryable stay so.
    let fixable = |cause: &FailureCause| rewritten && *cause == FailureCause::DeterministicCodeError;
    let settled = failure.causes.iter().any(|cause| !cause.is_retryable() && !fixable(cause));
    if !may || settled || failure.code == codes::OUTCOME_UNKNOWN {
        return RetryDecision::Stop { because: None };
    }
    if attempt > policy.max_retries {
        return RetryDecision::Stop { because: Some(FailureCause::MaxRetriesReached) };
    }
    let doubled = FIRST_MS.saturating_mul(1 << attempt.saturating_sub(1).min(20));
    RetryDecision::Retry { after_ms: doubled.min(LONGEST_MS) }
}
