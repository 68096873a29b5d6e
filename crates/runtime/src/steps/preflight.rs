//! 4, preflight: every input is hashed, inspected and checked, and the findings are signed and recorded before any code
//! runs.

use super::materialize::Materialized;
use super::{disk, store};
use crate::attempt::Attempt;
use crate::checks::{self, InspectedFile};
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::receipts;
use crate::sets;
use crate::validation;
use deed_diag::codes;
use deed_model::{CheckReceipt, FailureClass, PreflightReceipt, RunEvent, ValidationRecord};
use deed_ports::Wait;
use deed_receipts::{InspectLimits, inspect};

/// The inspected inputs of a step.
#[derive(Debug)]
pub(crate) struct StepInputs {
    pub(crate) inputs: Vec<InspectedFile>,
    pub(crate) checks: Vec<CheckReceipt>,
    /// The verdicts of validation packs.
    pub(crate) validation: Vec<ValidationRecord>,
}

pub(crate) fn receipt(attempt: &Attempt, inputs: Vec<Materialized>) -> Result<StepInputs, End> {
    let mut looked = Vec::new();
    for input in inputs {
        looked.push(look(attempt, input)?);
    }
    let world = &attempt.run.world;
    let checks = checks::of_inputs(&attempt.run.types, &attempt.contract, &looked);
    let validation = match &attempt.run.validator {
        None => Vec::new(),
        Some(validator) => validation::inputs(validator, &attempt.run.types, &attempt.contract, &looked)
            .map_err(|error| disk("an input cannot be read", &error))?,
    };
    let of = receipts::of(&attempt.run, &attempt.contract, attempt.number);
    let unsigned =
        |error| fault(FailureClass::ContractSchema, codes::STORE_FAILED, format!("cannot be signed: {error}"));
    let sets =
        sets::records(&attempt.contract.io_contract.read_paths, &receipts::records(&looked)).map_err(unsigned)?;
    let (checked, judged) = (checks.clone(), validation.clone());
    let inputs = receipts::files(&looked);
    let receipt = PreflightReceipt { of, inputs, sets, checks: checked, validation: judged };
    let envelope = receipts::sign_preflight(&receipt, &world.signer).map_err(unsigned)?;
    let step = attempt.contract.step_id.clone();
    let event =
        RunEvent::Preflighted { step, attempt: attempt.number, validation: validation.clone(), receipt: envelope };
    // Nothing has happened yet that could get ahead of it.
    attempt.run.record(event, Wait::Ordered).map_err(store)?;
    Ok(StepInputs { inputs: looked, checks, validation })
}

fn look(attempt: &Attempt, input: Materialized) -> Result<InspectedFile, End> {
    let path = input.record.path.clone();
    let expected = checks::format_of_input(&attempt.run.types, &attempt.contract, &path);
    let mut file = input.content.open().map_err(|error| disk(&format!("`{path}` cannot be read"), &error))?;
    let found = inspect(&mut file, expected, &InspectLimits::default())
        .map_err(|error| disk(&format!("`{path}` cannot be read"), &error))?;
    if found.sha256 != input.record.sha256 {
        let message = format!("the stored bytes of `{path}` are not those that were written");
        let help = "restore the file from a backup, or run the plan again from the step that writes it";
        return Err(fault(FailureClass::MissingArtifact, codes::ALTERED_INPUT, message).about(path).help(help).into());
    }
    Ok(InspectedFile { path, content: input.content, from_step: input.from_step, found })
}
