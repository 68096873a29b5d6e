//! Receipts: what was found, as in-toto statements, signed by the workspace.

use crate::checks::InspectedFile;
use crate::run::Run;
use deed_canon::{CanonError, ContentHash, Envelope, SigningKey, Statement, Subject};
use deed_diag::Invariant as _;
use deed_model::{
    AbsentFile, ArtifactRecord, Backend, CheckReceipt, ExecutionReceipt, FileReceipt, POSTFLIGHT_PREDICATE,
    PREFLIGHT_PREDICATE, PostflightReceipt, PreflightReceipt, RUN_SEAL_PREDICATE, ReceiptSubject, RunSeal,
    StepContract,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Returns the identity of the attempt that a receipt is about.
pub(crate) fn of(run: &Run, contract: &StepContract, attempt: u32) -> ReceiptSubject {
    let snapshot_hash = run.request.profile.as_ref().map(|frozen| frozen.snapshot_hash);
    ReceiptSubject {
        run_id: run.request.run_id.clone(),
        plan_hash: run.plan.plan_hash,
        step_id: contract.step_id.clone(),
        contract_hash: frozen(contract.spec_hash, snapshot_hash),
        spec_hash: snapshot_hash.map(|_| contract.spec_hash),
        snapshot_hash,
        code_hash: contract.execution_contract.code_hash,
        attempt,
    }
}

/// Returns the hash of a contract as it is frozen with a run: with the snapshot of the profile, if one governs it.
pub(crate) fn frozen(spec_hash: ContentHash, snapshot_hash: Option<ContentHash>) -> ContentHash {
    let under = |snapshot| deed_plan::contract_hash(spec_hash, snapshot).ok().invariant("hashes have a canonical form");
    snapshot_hash.map_or(spec_hash, under)
}

/// Files as receipts list them.
pub(crate) fn files(looked: &[InspectedFile]) -> Vec<FileReceipt> {
    let file = |looked: &InspectedFile| FileReceipt {
        path: looked.path.clone(),
        from_step: looked.from_step.clone(),
        exists: true,
        found: looked.found.clone(),
    };
    looked.iter().map(file).collect()
}

/// The files that a contract promises and that were not found. A set has no file that is promised by name.
pub(crate) fn absent(contract: &StepContract, found: &[InspectedFile]) -> Vec<AbsentFile> {
    let io = &contract.io_contract;
    let sets: Vec<&str> = io.write_sets.iter().map(|set| set.path.as_str()).collect();
    let single = io.write_paths.iter().filter(|path| !sets.contains(&path.as_str()));
    let missing = single.filter(|path| !found.iter().any(|file| file.path == **path));
    missing.map(|path| AbsentFile { path: path.clone(), exists: false }).collect()
}

/// Files by content.
pub(crate) fn records(looked: &[InspectedFile]) -> Vec<ArtifactRecord> {
    let record = |looked: &InspectedFile| ArtifactRecord {
        path: looked.path.clone(),
        sha256: looked.found.sha256,
        bytes: looked.found.bytes,
    };
    looked.iter().map(record).collect()
}

/// Returns remarks on checks that do not hold and do not block.
pub(crate) fn remarks(checks: &[CheckReceipt]) -> Vec<String> {
    let unmet = checks.iter().filter(|check| !check.holds && !check.blocks);
    let words = unmet.map(|check| {
        let found = check.found.as_deref().unwrap_or("it does not hold");
        match &check.path {
            Some(path) => format!("`{path}`: {found}"),
            None => format!("{}: {found}", check.check),
        }
    });
    words.collect()
}

/// Returns the finding of a check of this process that does not hold.
pub(crate) fn unmet(check: &CheckReceipt) -> &str {
    check.found.as_deref().invariant("a check that does not hold says what was found")
}

/// Returns remarks on what an adapter dropped or changed.
pub(crate) fn adapter_notes(execution: &ExecutionReceipt) -> Vec<String> {
    if execution.backend != Backend::Native {
        return Vec::new();
    }
    let notes = execution.printed.as_array().into_iter().flatten();
    let adapter = execution.program.as_deref().invariant("a native execution names its adapter");
    notes.filter_map(|note| note.get("line")?.as_str()).map(|line| format!("`{adapter}`: {line}")).collect()
}

/// Signs a preflight receipt.
pub(crate) fn sign_preflight(receipt: &PreflightReceipt, key: &SigningKey) -> Result<Envelope, CanonError> {
    let subjects = receipt.inputs.iter().map(|file| subject(&file.path, &file.found.sha256.hex())).collect();
    sign(subjects, PREFLIGHT_PREDICATE, receipt, key)
}

/// Signs a postflight receipt. The subject of a step that wrote nothing is its contract.
pub(crate) fn sign_postflight(receipt: &PostflightReceipt, key: &SigningKey) -> Result<Envelope, CanonError> {
    let subjects = receipt.outputs.iter().map(|file| subject(&file.path, &file.found.sha256.hex())).collect();
    sign(subjects, POSTFLIGHT_PREDICATE, receipt, key)
}

/// Signs the end of a run.
pub(crate) fn sign_seal(seal: &RunSeal, key: &SigningKey) -> Result<Envelope, CanonError> {
    let subjects = seal.outputs.iter().map(|output| subject(&output.path, &output.sha256.hex())).collect();
    sign(subjects, RUN_SEAL_PREDICATE, seal, key)
}

fn subject(name: &str, hex: &str) -> Subject {
    Subject { name: name.to_owned(), digest: BTreeMap::from([("sha256".to_owned(), hex.to_owned())]) }
}

fn sign(
    subjects: Vec<Subject>,
    predicate_type: &str,
    predicate: &impl Serialize,
    key: &SigningKey,
) -> Result<Envelope, CanonError> {
    let predicate = serde_json::to_value(predicate).map_err(|error| CanonError::NotJson(error.to_string()))?;
    Statement::new(subjects, predicate_type, predicate).sign(key)
}
