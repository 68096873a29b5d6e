//! 8, verify outputs: what the postflight found decides whether the step has succeeded.

use super::execute::failed;
use super::postflight::StepOutputs;
use crate::checks::InspectedFile;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::receipts;
use deed_diag::codes;
use deed_model::{CheckName, CheckReceipt, FailureClass, StepContract, StepFailure};

pub(crate) fn expected(left: &StepOutputs) -> Result<(), End> {
    match &left.failure {
        None => Ok(()),
        Some(failure) => Err(failed(failure.clone(), Some(left.receipt.clone()), left.spent, left.sub_steps.clone())),
    }
}

/// The first thing that does not hold, and what class of failure that is.
pub(crate) fn judge(
    contract: &StepContract,
    outputs: &[InspectedFile],
    checks: &[CheckReceipt],
) -> Option<StepFailure> {
    let check = checks.iter().find(|check| check.blocks && !check.holds)?;
    let path = check.path.clone().unwrap_or_default();
    let found = receipts::unmet(check);
    let there = outputs.iter().any(|looked| looked.path == path);
    let (code, message) = match &check.check {
        CheckName::Criterion(_) => {
            let of = if path.is_empty() { String::new() } else { format!(" of `{path}`") };
            (codes::CRITERION_NOT_MET, format!("a criterion of success{of} is not met: {found}"))
        }
        CheckName::Judged => {
            let message = format!("the output `{path}` is not what was judged: {found}");
            let failure = fault(FailureClass::SemanticVerdict, codes::JUDGED_OUTPUT_CHANGED, message).about(path);
            return Some(failure.help("write the file first and have it judged last, or have it judged again"));
        }
        CheckName::Files => (codes::SET_SIZE, format!("the set `{path}` {found}")),
        _ if !there => (codes::OUTPUT_MISSING, format!("the output `{path}` was not written")),
        CheckName::Placeholders => (codes::PLACEHOLDER_LEFT, format!("the output `{path}` is not finished: {found}")),
        CheckName::Validator(_) | CheckName::ForEach | CheckName::Other(_) => {
            let name = &check.check;
            (codes::BAD_OUTPUT, format!("the output `{path}` is not what the contract asks for ({name}): {found}"))
        }
    };
    let failure = fault(FailureClass::OutputShape, code, message).about(if path.is_empty() {
        contract.step_id.clone()
    } else {
        path
    });
    Some(failure.help("all that was found is in the postflight receipt: `deed receipts show`"))
}
