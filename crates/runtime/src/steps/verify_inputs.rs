//! 5, verify inputs: what the preflight found decides whether any code runs at all.

use super::preflight::Entered;
use crate::codes::BAD_INPUT;
use crate::fault::{Told, fault};
use crate::harness::End;
use deed_model::FailureClass;

pub(crate) fn required(entered: &Entered) -> Result<(), End> {
    let Some(check) = entered.checks.iter().find(|check| check.blocks && !check.holds) else { return Ok(()) };
    let path = check.path.clone().unwrap_or_default();
    let found = check.found.clone().unwrap_or_default();
    let message = format!("the input `{path}` is not what the contract asks for ({}): {found}", check.check);
    let help = "mend the file or the step that writes it; the whole finding is in the preflight receipt";
    Err(fault(FailureClass::MissingArtifact, BAD_INPUT, message).about(path).help(help).into())
}
