//! 7, postflight: everything that was written is found, hashed, inspected and checked, and the findings are signed.
//! Nothing the step reports about itself is trusted.

use super::execute::Execution;
use super::preflight::StepInputs;
use super::project::Projected;
use super::{disk, store};
use crate::attempt::Attempt;
use crate::checks::{self, InspectedFile};
use crate::content::Content;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::receipts;
use crate::sets;
use crate::validation;
use deed_canon::{CanonError, Envelope};
use deed_diag::codes;
use deed_model::{
    ArtifactSet, Budget, CheckReceipt, FailureClass, PostflightReceipt, StepFailure, SubStep, ValidationRecord,
    folder_of_set, is_set,
};
use deed_plan::composed;
use deed_receipts::{InspectLimits, inspect};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of characters of a path that are shown.
const LONGEST_SHOWN: usize = 300;

/// The inspected outputs of a step.
#[derive(Debug)]
pub(crate) struct StepOutputs {
    pub(crate) outputs: Vec<InspectedFile>,
    /// The sets that some of them belong to, with the bytes of their manifests.
    pub(crate) sets: Vec<(ArtifactSet, Vec<u8>)>,
    pub(crate) failure: Option<StepFailure>,
    pub(crate) receipt: Envelope,
    pub(crate) spent: Budget,
    /// The executions of its program.
    pub(crate) sub_steps: Vec<SubStep>,
    /// Findings that did not fail the step.
    pub(crate) remarks: Vec<String>,
    /// The verdicts of validation packs.
    pub(crate) validation: Vec<ValidationRecord>,
}

/// Judges the outputs by their validation packs. Those that are corrected are inspected as they are from then on.
fn validated(
    attempt: &Arc<Attempt>,
    inputs: &[InspectedFile],
    outputs: &mut [InspectedFile],
) -> Result<Vec<ValidationRecord>, End> {
    let Some(validator) = &attempt.run.validator else { return Ok(Vec::new()) };
    let failed = |error: io::Error| disk("an output cannot be read", &error);
    let found = validation::outputs(validator, (&attempt.run.types, attempt), inputs, outputs)?;
    for (output, judged) in outputs.iter_mut().zip(&found.judged) {
        let Some(correction) = &judged.correction else { continue };
        validation::keep(judged, &mut *output.content.open().map_err(failed)?, &*attempt.run.world.blobs)
            .map_err(store)?;
        let expected = checks::format_of_output(&attempt.contract, &output.path);
        output.content = Content::Held(correction.bytes.clone().into());
        output.found = inspect(&mut output.content.open().map_err(failed)?, expected, &InspectLimits::default())
            .map_err(failed)?;
    }
    Ok(found.records)
}

pub(crate) fn receipt(
    attempt: &Arc<Attempt>,
    projected: &Projected,
    entered: &StepInputs,
    execution: Execution,
) -> Result<StepOutputs, End> {
    let spent = execution.receipt.spent;
    let sub_steps = execution.receipt.sub_steps.clone();
    let mut outputs = Vec::new();
    let mut absent = Vec::new();
    let (mut checks, mut validation) = (Vec::new(), Vec::new());
    let mut failure = execution.failure;
    // What runs in this process writes to nothing but paths of the contract.
    let held = execution.outputs;
    if failure.is_none() && held.is_none() {
        failure = stray(attempt, projected);
    }
    if failure.is_none() {
        outputs = look(attempt, held.as_ref())?;
        validation = validated(attempt, &entered.inputs, &mut outputs)?;
        absent = receipts::absent(&attempt.contract, &outputs);
        checks = checks::of_outputs(&attempt.run.types, &attempt.contract, &entered.inputs, &outputs);
        checks.extend(judged(attempt, &execution.receipt.calls, &outputs));
        failure = super::verify_outputs::judge(&attempt.contract, &outputs, &checks)
            .or_else(|| validation::stopping(&validation).map(validation::failure));
    }
    let mut remarks = receipts::adapter_notes(&execution.receipt);
    remarks.extend(receipts::remarks(&entered.checks));
    remarks.extend(receipts::remarks(&checks));
    remarks.extend(validation::remarks(&entered.validation));
    remarks.extend(validation::remarks(&validation));
    remarks.extend(left_behind(&execution.receipt.printed));
    let sets = sets::of(&attempt.contract.io_contract.write_paths, &receipts::records(&outputs)).map_err(unsigned)?;
    let receipt = PostflightReceipt {
        of: receipts::of(&attempt.run, &attempt.contract, attempt.number),
        inputs: receipts::records(&entered.inputs),
        execution: execution.receipt,
        absent,
        outputs: receipts::files(&outputs),
        sets: sets.iter().map(|(set, _)| set.clone()).collect(),
        checks,
        validation: validation.clone(),
        failure: failure.clone(),
    };
    let envelope = receipts::sign_postflight(&receipt, &attempt.run.world.signer).map_err(unsigned)?;
    Ok(StepOutputs { outputs, sets, failure, receipt: envelope, spent, sub_steps, remarks, validation })
}

/// Checks that what evaluations of this attempt judged is what it leaves.
fn judged(attempt: &Attempt, calls: &[String], outputs: &[InspectedFile]) -> Vec<CheckReceipt> {
    let state = attempt.run.state();
    let Some(step) = state.step(&attempt.contract.step_id) else { return Vec::new() };
    let proofs = calls.iter().filter_map(|key| Some(&step.calls.get(key)?.answer.as_ref()?.proof));
    checks::judged(&attempt.contract, proofs, &receipts::records(outputs))
}

fn unsigned(error: CanonError) -> End {
    fault(FailureClass::ContractSchema, codes::STORE_FAILED, format!("cannot be signed: {error}")).into()
}

/// A remark on processes that the program left running when it ended.
fn left_behind(printed: &Value) -> Option<String> {
    let count = printed.get("left_behind")?.as_u64()?;
    let (processes, them) = if count == 1 { ("process was", "it") } else { ("processes were", "them") };
    Some(format!("{count} {processes} still running when the program ended; the sandbox ended {them}"))
}

/// Returns the failure over a path that was written and is not in the contract, or is not a file. `work/` is scratch: of
/// what lies there only declared outputs count.
fn stray(attempt: &Attempt, projected: &Projected) -> Option<StepFailure> {
    let mut found = None;
    let declared = &attempt.contract.io_contract.write_paths;
    let no_file = |shown: &str| {
        fault(FailureClass::PolicyViolation, codes::OUTPUT_NOT_A_FILE, format!("`{shown}` is not a file"))
            .help("outputs are plain files: no folders, links, devices, sockets or pipes")
            .about(shown)
    };
    let members = |path: &String| if is_set(path) { sets::written(attempt, path) } else { vec![path.clone()] };
    let above = declared.iter().filter(|path| is_set(path)).map(|path| folder_of_set(path).to_owned());
    if let Some(path) = above.into_iter().find_map(|folder| other_than(attempt, &folder, Metadata::is_dir)) {
        return Some(no_file(&path));
    }
    if let Some(path) = declared.iter().flat_map(members).find_map(|path| other_than(attempt, &path, Metadata::is_file))
    {
        return Some(no_file(&path));
    }
    if let Some(failure) = attempt.contract.io_contract.write_sets.iter().find_map(|set| sets::misnamed(attempt, set)) {
        return Some(failure);
    }
    walk(&attempt.stage.outputs(), &mut |relative, metadata| {
        let path = relative.to_str();
        let listed = path.is_some_and(|path| attempt.contract.writes(path));
        // A file that stands where an input was bound is empty; where it was copied, what it is now does not matter.
        let bound = path.is_some_and(|path| projected.bound.contains(path))
            && (metadata.is_some_and(|found| found.len() == 0) || !projected.mounts);
        let shown: String = relative.as_os_str().to_string_lossy().escape_debug().take(LONGEST_SHOWN).collect();
        if bound {
            return;
        }
        if listed {
            return;
        }
        let failure = fault(
            FailureClass::PolicyViolation,
            codes::UNDECLARED_WRITE,
            format!("`{shown}` was written, and the contract does not list it"),
        );
        // Two names that look alike: one has letters with marks, the other letters and marks.
        let alike = path.map(composed).is_some_and(|path| declared.iter().any(|listed| *listed == path));
        found.get_or_insert(failure.about(shown).help(if alike {
            "the contract lists it with composed letters (Unicode NFC); write it under that name"
        } else {
            "list it under `expected_outputs`, or write files that only this step needs to `work/` or `/tmp`"
        }));
    });
    found
}

/// A declared path, or a folder above it, that code made something else of. Links are not followed: one in the place of a
/// folder could lead anywhere on this machine.
fn other_than(attempt: &Attempt, path: &str, is_it: fn(&Metadata) -> bool) -> Option<String> {
    let mut whole = attempt.stage.outputs();
    let mut seen = String::new();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        whole.push(part);
        seen = if seen.is_empty() { part.to_owned() } else { format!("{seen}/{part}") };
        let found = fs::symlink_metadata(&whole).ok()?;
        let as_declared = if parts.peek().is_some() { found.is_dir() } else { is_it(&found) };
        if !as_declared {
            return Some(seen);
        }
    }
    None
}

/// Visits everything that is not a folder, in order of names, except beneath `work/`. What cannot be inspected is visited
/// without metadata: code may nest folders deeper than a path can say.
fn walk(root: &Path, each: &mut dyn FnMut(&Path, Option<&Metadata>)) {
    let mut left = vec![PathBuf::new()];
    while let Some(relative) = left.pop() {
        if relative == Path::new("work") {
            continue;
        }
        let whole = root.join(&relative);
        match fs::symlink_metadata(&whole) {
            Ok(found) if found.is_dir() => match fs::read_dir(&whole).and_then(Iterator::collect) {
                Ok(entries) => {
                    let entries: Vec<fs::DirEntry> = entries;
                    let mut below: Vec<PathBuf> = entries.iter().map(|e| relative.join(e.file_name())).collect();
                    below.sort();
                    left.extend(below.into_iter().rev());
                }
                Err(_) => each(&relative, None),
            },
            Ok(found) => each(&relative, Some(&found)),
            Err(_) => each(&relative, None),
        }
    }
}

/// Inspects the outputs of the contract, as far as they are there.
fn look(attempt: &Attempt, held: Option<&BTreeMap<String, Content>>) -> Result<Vec<InspectedFile>, End> {
    let mut outputs = Vec::new();
    let paths = attempt.contract.io_contract.write_paths.iter();
    let paths = paths.flat_map(|path| if is_set(path) { sets::written(attempt, path) } else { vec![path.clone()] });
    for path in paths {
        let path = &path;
        let failed = |error: std::io::Error| disk(&format!("`{path}` cannot be read"), &error);
        let content = match held {
            Some(held) => held.get(path).cloned(),
            None => written(attempt, path).map_err(failed)?,
        };
        // What is absent is listed in the receipt, and checked against what the contract requires.
        let Some(content) = content else { continue };
        let expected = checks::format_of_output(&attempt.contract, path);
        let mut file = content.open().map_err(failed)?;
        let found = inspect(&mut file, expected, &InspectLimits::default()).map_err(failed)?;
        outputs.push(InspectedFile {
            path: path.clone(),
            content,
            from_step: Some(attempt.contract.step_id.clone()),
            found,
        });
    }
    Ok(outputs)
}

/// Returns a file that code wrote, if it did. An output that cannot be inspected is an error: it is not known to be absent.
fn written(attempt: &Attempt, path: &str) -> io::Result<Option<Content>> {
    let host = attempt.stage.output(path);
    match fs::symlink_metadata(&host) {
        Ok(found) if found.is_file() => {
            make_readable(&host);
            Ok(Some(Content::File(host)))
        }
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a file readable: code may have taken the right to read away, also from its owner. Where the file belongs to the sandbox's user,
/// this process is root and needs no right.
fn make_readable(host: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(host, fs::Permissions::from_mode(0o644));
}
