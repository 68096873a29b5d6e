//! Derives the checks of receipts again, from stored bytes, frozen contracts and frozen types.

use super::{Pass, records};
use crate::checks::{self, Facts, InspectedFile};
use crate::content::Content;
use crate::receipts;
use crate::sets;
use deed_model::{
    ArtifactFormat, ArtifactRecord, ArtifactSet, CheckReceipt, FileReceipt, PostflightReceipt, PreflightReceipt,
    StepContract, covers,
};
use serde_json::Value;
use std::io::Read;

/// Derives the checks of what entered a step.
pub(super) fn preflight(
    pass: &mut Pass<'_>,
    contract: &StepContract,
    receipt: &PreflightReceipt,
) -> Result<(), String> {
    same_inputs(pass, contract, &records(&receipt.inputs))?;
    same_sets(pass, &contract.io_contract.read_paths, &records(&receipt.inputs), &receipt.sets)?;
    formats(pass, &receipt.inputs, |types, path| checks::format_of_input(types, contract, path))?;
    let inputs = inputs(pass, contract)?;
    let Some(types) = &pass.types else { return Ok(()) };
    same_checks(&receipt.checks, &checks::of_inputs(types, contract, &inputs))
}

/// Derives the checks of what left a step, and whether it has succeeded.
pub(super) fn postflight(
    pass: &mut Pass<'_>,
    contract: &StepContract,
    receipt: &PostflightReceipt,
) -> Result<(), String> {
    same_inputs(pass, contract, &receipt.inputs)?;
    same_sets(pass, &contract.io_contract.write_paths, &records(&receipt.outputs), &receipt.sets)?;
    formats(pass, &receipt.outputs, |_, path| checks::format_of_output(contract, path))?;
    if let Some(file) = receipt.outputs.iter().find(|file| !contract.writes(&file.path)) {
        return Err(format!("the contract does not list the output `{}`", file.path));
    }
    let known = &pass.state.step(&contract.step_id);
    let known = |key: &String| known.is_some_and(|step| step.calls.get(key).is_some_and(|call| call.answer.is_some()));
    if let Some(key) = receipt.execution.calls.iter().find(|key| !known(key)) {
        return Err(format!("it lists the call `{key}`, which the journal does not have"));
    }
    same_evidence(pass, contract, receipt)?;
    if pass.types.is_none() {
        return Ok(());
    }
    let inputs = inputs(pass, contract)?;
    let mut outputs = Vec::new();
    for record in records(&receipt.outputs) {
        outputs.push(looked(pass, &record, checks::format_of_output(contract, &record.path))?);
    }
    let Some(types) = &pass.types else { return Ok(()) };
    let mut derived = checks::of_outputs(types, contract, &inputs, &outputs);
    derived.extend(checks::judged(contract, proofs(pass, contract, receipt), &records(&receipt.outputs)));
    same_checks(&receipt.checks, &derived)?;
    for file in outputs {
        let of = derived.iter().filter(|check| check.path.as_deref() == Some(file.path.as_str()));
        pass.outputs.insert(file.path.clone(), (file.found, of.cloned().collect()));
    }
    Ok(())
}

/// The proofs of the calls that a receipt lists, as the journal has them.
fn proofs<'p>(
    pass: &Pass<'p>,
    contract: &StepContract,
    receipt: &PostflightReceipt,
) -> impl Iterator<Item = &'p Value> {
    let step = pass.state.step(&contract.step_id);
    let calls = receipt.execution.calls.iter();
    let proofs: Vec<&Value> = calls.filter_map(|key| Some(&step?.calls.get(key)?.answer.as_ref()?.proof)).collect();
    proofs.into_iter()
}

/// Checks that the inputs that evaluations judged are those of the step.
fn same_evidence(pass: &Pass<'_>, contract: &StepContract, receipt: &PostflightReceipt) -> Result<(), String> {
    for piece in proofs(pass, contract, receipt).filter_map(|proof| proof.get("evidence")?.as_array()).flatten() {
        let text = |name: &str| piece.get(name).and_then(Value::as_str);
        let (Some(path), Some(sha256)) = (text("path"), text("sha256")) else { continue };
        let read = contract.io_contract.read_paths.iter().any(|read| covers(read, path));
        if read && pass.artifacts.get(path).is_none_or(|known| known.sha256.to_string() != sha256) {
            return Err(format!("the journal has another `{path}` than the one that was judged"));
        }
    }
    Ok(())
}

/// Derives whether the mission has succeeded.
pub(super) fn mission(pass: &Pass<'_>) -> Result<(), String> {
    let facts: Facts<'_> =
        pass.outputs.iter().map(|(path, (found, checks))| (path.clone(), (found, checks.clone()))).collect();
    let unmet = checks::mission(&pass.plan.mission, &facts).into_iter().find(|check| !check.holds);
    unmet.map_or(Ok(()), |check| {
        let path = check.path.as_deref().unwrap_or_default();
        Err(format!("the run succeeded although `{path}` does not meet them: {}", receipts::unmet(&check)))
    })
}

/// Returns the files that the contract lets the step read, as the journal has them by then.
fn read(pass: &Pass<'_>, contract: &StepContract) -> Vec<ArtifactRecord> {
    let files = |path: &String| {
        let of = pass.artifacts.values().filter(|record| covers(path, &record.path));
        of.cloned().collect::<Vec<_>>()
    };
    contract.io_contract.read_paths.iter().flat_map(files).collect()
}

fn same_inputs(pass: &Pass<'_>, contract: &StepContract, said: &[ArtifactRecord]) -> Result<(), String> {
    match read(pass, contract) == said {
        true => Ok(()),
        false => Err("it lists other inputs than the journal has for the contract".to_owned()),
    }
}

/// Derives the manifests of sets from their files; each has to be stored under its hash.
fn same_sets(pass: &Pass<'_>, paths: &[String], files: &[ArtifactRecord], said: &[ArtifactSet]) -> Result<(), String> {
    let derived = sets::of(paths, files).map_err(|error| error.to_string())?;
    if !derived.iter().map(|(set, _)| set).eq(said) {
        return Err("its sets are not those of the files that it lists".to_owned());
    }
    for (set, manifest) in derived {
        let mut stored = Vec::new();
        let mut blob = pass.blobs.open(&set.manifest).map_err(|error| error.to_string())?;
        blob.read_to_end(&mut stored).map_err(|error| error.to_string())?;
        if stored != manifest {
            return Err(format!("the stored manifest of `{}` was altered", set.path));
        }
    }
    Ok(())
}

/// Checks that files were read in the format of the contract: a receipt cannot choose one by itself.
fn formats(
    pass: &Pass<'_>,
    files: &[FileReceipt],
    expected: impl Fn(&crate::types::Types, &str) -> Option<ArtifactFormat>,
) -> Result<(), String> {
    let Some(types) = &pass.types else { return Ok(()) };
    match files.iter().find(|file| file.found.expected != expected(types, &file.path)) {
        None => Ok(()),
        Some(file) => Err(format!("`{}` was read in another format than the contract says", file.path)),
    }
}

fn inputs(pass: &mut Pass<'_>, contract: &StepContract) -> Result<Vec<InspectedFile>, String> {
    let mut inputs = Vec::new();
    for record in read(pass, contract) {
        let expected = pass.types.as_ref().and_then(|types| checks::format_of_input(types, contract, &record.path));
        inputs.push(looked(pass, &record, expected)?);
    }
    Ok(inputs)
}

fn looked(
    pass: &mut Pass<'_>,
    record: &ArtifactRecord,
    expected: Option<ArtifactFormat>,
) -> Result<InspectedFile, String> {
    let found = pass.look(&record.path, &record.sha256, expected)?.clone();
    if found.sha256 != record.sha256 {
        return Err(format!("the stored bytes of `{}` were altered", record.path));
    }
    let content = Content::from(pass.blobs.locate(&record.sha256).map_err(|error| error.to_string())?);
    Ok(InspectedFile { path: record.path.clone(), content, from_step: None, found })
}

/// Compares the checks of a receipt with those that were derived, in order.
fn same_checks(said: &[CheckReceipt], derived: &[CheckReceipt]) -> Result<(), String> {
    let named = |check: &CheckReceipt| match &check.path {
        Some(path) => format!("`{}` of `{path}`", check.check),
        None => format!("`{}`", check.check),
    };
    for (place, derived) in derived.iter().enumerate() {
        let Some(said) = said.get(place).filter(|said| named(said) == named(derived)) else {
            return Err(format!("the check {} is missing, or stands elsewhere", named(derived)));
        };
        if said.holds != derived.holds {
            let found = derived.found.as_ref().map_or_else(|| "it holds".to_owned(), Clone::clone);
            return Err(format!("the check {} does not come out as the receipt says: {found}", named(derived)));
        }
        if said != derived {
            return Err(format!("the check {} comes out in other words than the receipt says", named(derived)));
        }
    }
    match said.get(derived.len()) {
        None => Ok(()),
        Some(extra) => Err(format!("the check {} is not in the contract", named(extra))),
    }
}
