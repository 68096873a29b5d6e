//! 8, verify outputs: what the postflight found decides whether the step has succeeded.

use super::execute::failed;
use super::postflight::Left;
use crate::checks::{FILES, Looked, PLACEHOLDERS};
use crate::codes::{BAD_OUTPUT, CRITERION, NO_OUTPUT, PLACEHOLDER, SET_COUNT};
use crate::fault::{Told, fault};
use crate::harness::End;
use deed_model::{CheckReceipt, FailureClass, StepContract, StepFailure};

pub(crate) fn expected(left: &Left) -> Result<(), End> {
    match &left.failure {
        None => Ok(()),
        Some(failure) => Err(failed(failure.clone(), Some(left.receipt.clone()), left.spent, left.sub_steps.clone())),
    }
}

/// The first thing that does not hold, and what class of failure that is.
pub(crate) fn judge(contract: &StepContract, outputs: &[Looked], checks: &[CheckReceipt]) -> Option<StepFailure> {
    let check = checks.iter().find(|check| check.blocks && !check.holds)?;
    let path = check.path.clone().unwrap_or_default();
    let found = check.found.clone().unwrap_or_default();
    let there = outputs.iter().any(|looked| looked.path == path);
    let (code, message) = if check.check.starts_with("criterion") {
        let of = if path.is_empty() { String::new() } else { format!(" of `{path}`") };
        (CRITERION, format!("a criterion of success{of} is not met: {found}"))
    } else if check.check == FILES {
        (SET_COUNT, format!("the set `{path}` {found}"))
    } else if !there {
        (NO_OUTPUT, format!("the output `{path}` was not written"))
    } else if check.check == PLACEHOLDERS {
        (PLACEHOLDER, format!("the output `{path}` is not finished: {found}"))
    } else {
        (BAD_OUTPUT, format!("the output `{path}` is not what the contract asks for ({}): {found}", check.check))
    };
    let failure = fault(FailureClass::OutputShape, code, message).about(if path.is_empty() {
        contract.step_id.clone()
    } else {
        path
    });
    Some(failure.help("all that was found is in the postflight receipt: `deed receipts show`"))
}
