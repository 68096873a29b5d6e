//! 4, preflight: every input is hashed, looked into and checked, and what was found is signed and written down before
//! any code runs.

use super::materialize::Materialized;
use super::{disk, store};
use crate::attempt::Attempt;
use crate::checks::{self, Looked};
use crate::codes::{ALTERED_INPUT, STORE};
use crate::fault::{Told, fault};
use crate::harness::End;
use crate::receipts;
use deed_model::{CheckReceipt, FailureClass, Phase, PreflightReceipt, RunEvent, StepContract};
use deed_ports::Wait;
use deed_receipts::{InspectLimits, inspect};

/// What entered.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) inputs: Vec<Looked>,
    pub(crate) checks: Vec<CheckReceipt>,
}

pub(crate) fn receipt(attempt: &Attempt, inputs: Vec<Materialized>) -> Result<Entered, End> {
    let mut looked = Vec::new();
    for input in inputs {
        looked.push(look(attempt, input)?);
    }
    let world = &attempt.run.world;
    let checks = looked
        .iter()
        .flat_map(|file| checks::check(world, &attempt.contract, &[Phase::StepInput], file))
        .chain(looked.iter().filter_map(|file| items(&attempt.contract, file)))
        .collect::<Vec<_>>();
    let of = receipts::of(&attempt.run, &attempt.contract, attempt.number);
    let receipt = PreflightReceipt { of, inputs: receipts::files(&looked), checks: checks.clone() };
    let envelope = receipts::sign_preflight(&receipt, &world.signer)
        .map_err(|error| fault(FailureClass::ContractSchema, STORE, format!("cannot be signed: {error}")))?;
    let step = attempt.contract.step_id.clone();
    let event = RunEvent::Preflighted { step, attempt: attempt.number, receipt: envelope };
    // Nothing has happened yet that could get ahead of it.
    attempt.run.record(event, Wait::Ordered).map_err(store)?;
    Ok(Entered { inputs: looked, checks })
}

/// Whether a list has no more items than the contract lets its code work through.
fn items(contract: &StepContract, file: &Looked) -> Option<CheckReceipt> {
    let each = contract.execution_contract.for_each.as_ref()?;
    let meant = |entity: &str| each.entity_schema_id.as_ref().is_none_or(|meant| meant == entity);
    let inputs = contract.io_contract.inputs.iter();
    let mut listed = inputs.filter(|input| input.slot == each.slot && meant(input.entity_schema_id.as_str()));
    listed.find(|input| input.path.as_deref() == Some(file.path.as_str()))?;
    let rows = checks::rows_of(&file.found)?;
    let most = each.most_items;
    Some(CheckReceipt {
        check: "for_each".to_owned(),
        path: Some(file.path.clone()),
        holds: rows <= most,
        blocks: true,
        found: (rows > most).then(|| format!("it has {rows} rows, and `most_items` of `for_each` is {most}")),
    })
}

fn look(attempt: &Attempt, input: Materialized) -> Result<Looked, End> {
    let path = input.record.path.clone();
    let kind = attempt.contract.io_contract.inputs.iter().find(|known| known.path.as_deref() == Some(path.as_str()));
    let kind = kind.and_then(|known| known.kind_key.as_ref());
    let kind = kind.and_then(|kind| attempt.run.world.catalog.kind(kind.as_str()));
    let expected = kind.filter(|kind| kind.has_form() && !kind.is_archive()).map(|kind| kind.format);
    let mut file = input.content.open().map_err(|error| disk(&format!("`{path}` cannot be read"), &error))?;
    let found = inspect(&mut file, expected, &InspectLimits::default())
        .map_err(|error| disk(&format!("`{path}` cannot be read"), &error))?;
    if found.sha256 != input.record.sha256 {
        let message = format!("the stored bytes of `{path}` are not those that were written");
        let help = "restore the file from a backup, or run the plan again from the step that writes it";
        return Err(fault(FailureClass::MissingArtifact, ALTERED_INPUT, message).about(path).help(help).into());
    }
    Ok(Looked { path, content: input.content, from_step: input.from_step, found })
}
