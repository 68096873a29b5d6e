//! Help for failures whose cause is known only after the step: the events of the run that explain them.

use deed_diag::codes;
use deed_model::{StepContract, StepFailure};

/// Adds help to a failure of a step.
pub(super) fn explained(run_id: &str, contract: &StepContract, failure: StepFailure) -> StepFailure {
    let step = &contract.step_id;
    if failure.code == codes::EVALUATOR_REJECTED {
        let help = format!(
            "`deed runs events {run_id} --step {step} --kind call_ended --json` prints the verdict with its reasons"
        );
        return StepFailure { help: Some(help), ..failure };
    }
    failure
}
