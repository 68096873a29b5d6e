//! 5, verify inputs: what the preflight found decides whether any code runs at all.

use super::preflight::StepInputs;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::receipts;
use crate::validation;
use deed_diag::{Invariant as _, codes};
use deed_model::FailureClass;

pub(crate) fn required(entered: &StepInputs) -> Result<(), End> {
    let Some(check) = entered.checks.iter().find(|check| check.blocks && !check.holds) else {
        return validation::stopping(&entered.validation)
            .map_or(Ok(()), |record| Err(validation::failure(record).into()));
    };
    let path = check.path.clone().invariant("a check of an input names the input");
    let found = receipts::unmet(check);
    let message = format!("the input `{path}` is not what the contract asks for ({}): {found}", check.check);
    let help = "fix the file or the step that writes it; the whole finding is in the preflight receipt";
    Err(fault(FailureClass::MissingArtifact, codes::BAD_INPUT, message).about(path).help(help).into())
}
