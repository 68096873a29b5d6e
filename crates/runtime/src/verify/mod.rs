//! Verifies a run again, offline, without the user's catalogue: signatures, what receipts speak of, and everything that
//! can be derived again from stored bytes, frozen contracts and frozen types. What cannot is listed by name.

mod calls;
mod checks;
mod code;
mod decision;
mod execution;
mod models;
mod part;
mod validation;

pub use part::VerifiedPart;

use crate::checkpoint::{self, Checkpoints};
use crate::engine::delivered;
use crate::receipts;
use crate::state::RunState;
use crate::types::Types;
use crate::workspace;
use deed_canon::{ContentHash, KeyId, PublicKey, Statement};
use deed_diag::Invariant as _;
use deed_model::{
    ArtifactFormat, ArtifactRecord, CheckReceipt, CompiledPlan, FileReceipt, Inspection, POSTFLIGHT_PREDICATE,
    PREFLIGHT_PREDICATE, PostflightReceipt, PreflightReceipt, RUN_SEAL_PREDICATE, ReceiptSubject, RunEvent, RunOutcome,
    RunSeal, StepContract, StepFailure, ValidationStage,
};
use deed_ports::{BlobRead, JournalEntry, ReadSeek};
use deed_receipts::{InspectLimits, concealed, inspect};
use deed_validation::Validator;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Something that was checked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Reverified {
    /// The part.
    #[schemars(with = "String")]
    pub what: VerifiedPart,
    /// True if it holds.
    pub holds: bool,
    /// The finding, where it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// The result of verifying a run again.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verification {
    /// The parts that were derived again, in the order of the journal.
    pub checked: Vec<Reverified>,
    /// The parts that were not derived again, and are trusted.
    pub not_derived: Vec<String>,
    /// True if the run is of a version that froze no types with it: the checks of its files were not derived again.
    pub without_types: bool,
}

/// The parts that no verification derives again.
const NEVER_DERIVED: [&str; 4] = [
    "that the code writes the same bytes when it is run again",
    "what the code printed, how long it ran and which sandbox it had: as the receipt states it",
    "what hosts answered and what the evaluator judged: as the journal states it",
    "arguments of calls, addresses of hosts, and calls that neither journal nor receipt mentions: as the journal states it",
];

/// Verifies everything that a run left.
pub fn reverify(
    entries: &[JournalEntry],
    plan: &CompiledPlan,
    blobs: &dyn BlobRead,
    known: &dyn Fn(&KeyId) -> Option<PublicKey>,
) -> Verification {
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let mut pass = Pass::new(plan, blobs, known, &state);
    let run_id = state.request.as_ref().map(|request| request.run_id.as_str()).unwrap_or_default();
    match checkpoint::check(run_id, entries, known) {
        Ok(Checkpoints { count: 0, .. }) => {}
        Ok(_) => pass.say(VerifiedPart::Checkpoints, Ok(())),
        Err(why) => pass.say(VerifiedPart::Checkpoints, Err(why)),
    }
    pass.types();
    pass.profile();
    code::verify(&mut pass);
    for (index, entry) in entries.iter().enumerate() {
        pass.event(&entry.record.event, entries.get(..index).invariant("an event has a place in the journal"));
    }
    if state.ended == Some(RunOutcome::Succeeded) && pass.validator.is_some() {
        for stage in [ValidationStage::Submission, ValidationStage::Delivery] {
            if !state.validated.contains(&stage) {
                pass.say(VerifiedPart::ValidationReceipt { stage }, Err("it is missing".to_owned()));
            }
        }
    }
    if state.ended.is_some() && !state.sealed {
        pass.say(VerifiedPart::Seal, Err("the run ended and was not sealed".to_owned()));
    }
    models::verify(&mut pass, entries);
    calls::verify(&mut pass, entries);
    for by in &state.accepted_rollbacks {
        let words = format!("what the journal lacked when {by} continued it: `--accept-rollback` was given");
        pass.not_derived.insert(words);
    }
    for served in &state.replays {
        let words = format!("replies of models: served from the transcript `{}` ({})", served.file, served.sha256);
        pass.not_derived.insert(words);
    }
    let not_derived = NEVER_DERIVED.iter().map(|words| (*words).to_owned()).chain(pass.not_derived).collect();
    Verification { checked: pass.all, not_derived, without_types: pass.without_types }
}

/// Verifies the checkpoints and the calls of models of a journal that has nothing else.
pub(crate) fn reverify_models(
    entries: &[JournalEntry],
    plan: &CompiledPlan,
    blobs: &dyn BlobRead,
    known: &dyn Fn(&KeyId) -> Option<PublicKey>,
) -> Vec<Reverified> {
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let mut pass = Pass::new(plan, blobs, known, &state);
    let checked = match &state.request {
        Some(request) => checkpoint::check(&request.run_id, entries, known).map(drop),
        None => Err("nothing says what it is about".to_owned()),
    };
    pass.say(VerifiedPart::Checkpoints, checked);
    models::verify(&mut pass, entries);
    pass.all
}

struct Pass<'p> {
    plan: &'p CompiledPlan,
    blobs: &'p dyn BlobRead,
    known: &'p dyn Fn(&KeyId) -> Option<PublicKey>,
    /// Inspections of bytes, by hash and expected format.
    looked: BTreeMap<(ContentHash, String), Result<Inspection, String>>,
    all: Vec<Reverified>,
    state: &'p RunState,
    /// The types that were frozen with the run; none where none were, or where they cannot be read.
    types: Option<Types>,
    /// The validation packs that were frozen with the run; none without a profile that can be read.
    validator: Option<Validator>,
    /// Files of the workspace so far, by path.
    artifacts: BTreeMap<String, ArtifactRecord>,
    /// Inspections and checks of outputs, by path.
    outputs: BTreeMap<String, (Inspection, Vec<CheckReceipt>)>,
    not_derived: BTreeSet<String>,
    /// True if the run names no frozen types.
    without_types: bool,
}

impl<'p> Pass<'p> {
    fn new(
        plan: &'p CompiledPlan,
        blobs: &'p dyn BlobRead,
        known: &'p dyn Fn(&KeyId) -> Option<PublicKey>,
        state: &'p RunState,
    ) -> Self {
        Self {
            plan,
            blobs,
            known,
            looked: BTreeMap::new(),
            all: Vec::new(),
            state,
            types: None,
            validator: None,
            artifacts: BTreeMap::new(),
            outputs: BTreeMap::new(),
            not_derived: BTreeSet::new(),
            without_types: false,
        }
    }

    /// Checks the profile that was frozen with the run, if one governs it.
    fn profile(&mut self) {
        let Some(request) = self.state.request.as_ref().filter(|request| request.profile.is_some()) else { return };
        match crate::validation::of_run(request, self.blobs) {
            Ok(validator) => {
                if validator.is_none() {
                    let words = "validation packs: the run was submitted by a version that froze none";
                    self.not_derived.insert(words.to_owned());
                }
                self.validator = validator;
                self.say(VerifiedPart::FrozenProfile, Ok(()));
            }
            Err(why) => self.say(VerifiedPart::FrozenProfile, Err(why)),
        }
    }

    /// Reads the types that were frozen with the run.
    fn types(&mut self) {
        match self.state.request.as_ref().and_then(|request| request.types_blob.as_ref()) {
            Some(hash) => {
                let found = match Types::load(hash, self.plan, self.blobs) {
                    Ok(types) => {
                        self.types = Some(types);
                        Ok(())
                    }
                    Err(error) => Err(error.message),
                };
                self.say(VerifiedPart::FrozenTypes, found);
            }
            // Versions that list executions froze types before they did.
            None if self.state.steps.values().any(|step| !step.sub_steps.is_empty()) => {
                let why = "the run names none, although it is of a version that freezes them";
                self.say(VerifiedPart::FrozenTypes, Err(why.to_owned()));
            }
            None => {
                self.without_types = true;
                let words = "checks of files: the run was submitted by a version that froze no types";
                self.not_derived.insert(words.to_owned());
            }
        }
    }

    fn event(&mut self, event: &RunEvent, before: &[JournalEntry]) {
        match event {
            RunEvent::Submitted { run } => {
                self.artifacts.extend(run.inputs.iter().map(|input| (input.path.clone(), input.clone())));
                if self.validator.is_some() || !run.validation.is_empty() {
                    let found = validation::submission(self, run);
                    self.say(VerifiedPart::Validation { stage: ValidationStage::Submission }, found);
                }
            }
            RunEvent::Preflighted { step, validation, receipt, .. } => {
                let opened = self.open::<PreflightReceipt>(receipt, PREFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| match receipt.validation == *validation {
                    true => self.preflight(step, &receipt),
                    false => Err("the journal has other verdicts of validation packs than the receipt".to_owned()),
                });
                self.say(VerifiedPart::Preflight { step: step.clone() }, found);
            }
            RunEvent::Validated { stage, validation, receipt } => {
                let found = validation::stage(self, *stage, validation, receipt);
                self.say(VerifiedPart::ValidationReceipt { stage: *stage }, found);
            }
            RunEvent::StepSucceeded { step, attempt, receipt, outputs, sets, spent, sub_steps, validation, .. } => {
                let opened = self.open::<PostflightReceipt>(receipt, POSTFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| {
                    if receipt.of.attempt != *attempt || receipt.execution.spent != *spent {
                        return Err("the journal has another attempt or other spending than the receipt".to_owned());
                    }
                    if receipt.execution.sub_steps != *sub_steps || sub_steps.iter().any(|sub_step| !sub_step.ok) {
                        return Err("the journal has other executions than the receipt, or one that failed".to_owned());
                    }
                    if receipt.validation != *validation {
                        return Err("the journal has other verdicts of validation packs than the receipt".to_owned());
                    }
                    if receipt.sets != *sets {
                        return Err("the journal lists other sets than the receipt".to_owned());
                    }
                    execution::verify(self, self.contract(step)?, &receipt, before)?;
                    self.postflight(step, &receipt, outputs)
                });
                self.artifacts.extend(outputs.iter().map(|output| (output.path.clone(), output.clone())));
                self.say(VerifiedPart::Postflight { step: step.clone() }, found);
            }
            RunEvent::StepFailed { step, receipt: Some(receipt), failure, .. } => {
                let opened = self.open::<PostflightReceipt>(receipt, POSTFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| self.failed(step, &receipt, failure));
                self.say(VerifiedPart::FailedAttempt { step: step.clone() }, found);
            }
            RunEvent::GateDecided { signed } => {
                let found = decision::verify(self, signed, before);
                self.say(VerifiedPart::Decision { gate_id: signed.approval.gate_id.clone() }, found);
            }
            RunEvent::Ended { outcome: RunOutcome::Succeeded, .. }
                if !self.plan.mission.success_criteria.is_empty() && self.types.is_some() =>
            {
                let found = checks::mission(self);
                self.say(VerifiedPart::MissionCriteria, found);
            }
            RunEvent::Sealed { seal } => {
                let opened = self.open::<RunSeal>(seal, RUN_SEAL_PREDICATE);
                let found = opened.and_then(|seal| sealed(&seal, self.plan, before.last(), self.state));
                self.say(VerifiedPart::Seal, found);
            }
            _ => {}
        }
    }
}

impl<'p> Pass<'p> {
    fn say(&mut self, what: VerifiedPart, found: Result<(), String>) {
        let found = found.err();
        self.all.push(Reverified { what, holds: found.is_none(), found });
    }

    fn open<T: DeserializeOwned>(&self, envelope: &deed_canon::Envelope, predicate: &str) -> Result<T, String> {
        let (statement, _) = Statement::open(envelope, self.known).map_err(|error| error.to_string())?;
        if statement.predicate_type != predicate {
            return Err(format!("it is a `{}`", statement.predicate_type));
        }
        let subjects = statement.subject.clone();
        let value = statement.predicate.clone();
        for list in ["inputs", "outputs"] {
            let files = value.get(list).and_then(serde_json::Value::as_array).into_iter().flatten();
            let about = (predicate == PREFLIGHT_PREDICATE) == (list == "inputs");
            for file in files.filter(|_| about && predicate != RUN_SEAL_PREDICATE) {
                let path = file.get("path").and_then(serde_json::Value::as_str);
                let hash = file.pointer("/found/sha256").and_then(serde_json::Value::as_str);
                let spoken = subjects.iter().any(|subject| {
                    Some(subject.name.as_str()) == path
                        && subject.digest.get("sha256").map(|hex| format!("sha256:{hex}")).as_deref() == hash
                });
                if !spoken {
                    return Err("its subjects are not the files that it lists".to_owned());
                }
            }
        }
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    /// Returns whether a receipt speaks of this run, this plan and the contract that the plan has.
    fn of(&self, step: &str, of: &ReceiptSubject) -> Result<(), String> {
        let contract = self.contract(step)?;
        let request = self.state.request.as_ref();
        if request.is_none_or(|request| request.run_id != of.run_id) {
            return Err("it speaks of another run".to_owned());
        }
        if of.plan_hash != self.plan.plan_hash || of.compiled() != contract.spec_hash || of.step_id != step {
            return Err("it speaks of another contract".to_owned());
        }
        // Receipts from before the profile was part of them name the compiled contract alone.
        let frozen = request.and_then(|request| request.profile.as_ref()).map(|frozen| frozen.snapshot_hash);
        if of.snapshot_hash.is_some() && of.snapshot_hash != frozen {
            return Err("it speaks of another profile".to_owned());
        }
        if of.contract_hash != receipts::frozen(contract.spec_hash, of.snapshot_hash) {
            return Err("it speaks of another contract".to_owned());
        }
        if of.code_hash != contract.execution_contract.code_hash {
            return Err("it speaks of other code".to_owned());
        }
        Ok(())
    }

    fn contract(&self, step: &str) -> Result<&'p StepContract, String> {
        let contract = self.plan.steps.iter().find(|contract| contract.step_id == step);
        contract.ok_or_else(|| format!("the plan has no step `{step}`"))
    }

    fn preflight(&mut self, step: &str, receipt: &PreflightReceipt) -> Result<(), String> {
        self.of(step, &receipt.of)?;
        receipt.inputs.iter().try_for_each(|file| self.file(file))?;
        checks::preflight(self, self.contract(step)?, receipt)?;
        validation::inputs(self, self.contract(step)?, receipt)
    }

    fn postflight(
        &mut self,
        step: &str,
        receipt: &PostflightReceipt,
        outputs: &[ArtifactRecord],
    ) -> Result<(), String> {
        self.of(step, &receipt.of)?;
        if records(&receipt.outputs) != outputs {
            return Err("the journal lists other outputs than the receipt".to_owned());
        }
        if receipt.failure.is_some() {
            return Err("it says that the step failed, and the journal that it succeeded".to_owned());
        }
        if let Some(check) = receipt.checks.iter().find(|check| check.blocks && !check.holds) {
            return Err(format!("the step succeeded although `{}` does not hold", check.check));
        }
        receipt.outputs.iter().try_for_each(|file| self.file(file))?;
        checks::postflight(self, self.contract(step)?, receipt)?;
        validation::outputs(self, self.contract(step)?, receipt)
    }

    /// The receipt of an attempt that failed. Nothing that it wrote was kept.
    fn failed(&mut self, step: &str, receipt: &PostflightReceipt, failure: &StepFailure) -> Result<(), String> {
        self.of(step, &receipt.of)?;
        self.not_derived.insert("checks of failed attempts: what they wrote was not kept".to_owned());
        let said = receipt.failure.as_ref().map(|said| (said.class, &said.code));
        if said != Some((failure.class, &failure.code)) {
            return Err("the journal has another failure than the receipt".to_owned());
        }
        Ok(())
    }

    /// Inspects the stored bytes again: every finding of the receipt has to be the same.
    fn file(&mut self, file: &FileReceipt) -> Result<(), String> {
        let said = &file.found;
        let found = self.look(&file.path, &said.sha256, said.expected)?;
        // One of before says more than is said today, and the same otherwise.
        if *found == *said || *found == concealed(said.clone()) {
            return Ok(());
        }
        Err(match found.sha256 == said.sha256 {
            false => format!("the stored bytes of `{}` were altered", file.path),
            true => format!("the stored bytes of `{}` are not what the receipt says", file.path),
        })
    }

    /// Inspects stored bytes, once for each format that they are read in.
    fn look(
        &mut self,
        path: &str,
        sha256: &ContentHash,
        expected: Option<ArtifactFormat>,
    ) -> Result<&Inspection, String> {
        let blobs = self.blobs;
        let found = self.looked.entry((*sha256, format!("{expected:?}"))).or_insert_with(|| {
            let mut blob = blobs.open(sha256).map_err(|error| error.to_string())?;
            inspect(&mut blob, expected, &InspectLimits::default()).map_err(|error| error.to_string())
        });
        found.as_ref().map_err(|error| format!("`{path}`: {error}"))
    }
}

/// Files by content, as the journal lists them.
fn records(files: &[FileReceipt]) -> Vec<ArtifactRecord> {
    let record = |file: &FileReceipt| ArtifactRecord {
        path: file.path.clone(),
        sha256: file.found.sha256,
        bytes: file.found.bytes,
    };
    files.iter().map(record).collect()
}

fn sealed(seal: &RunSeal, plan: &CompiledPlan, before: Option<&JournalEntry>, state: &RunState) -> Result<(), String> {
    let before = before.ok_or("nothing stands before it")?;
    if seal.journal.seq != before.seq || seal.journal.hash != before.hash {
        return Err("the journal is not the one that was sealed".to_owned());
    }
    if seal.plan_hash != plan.plan_hash || Some(seal.outcome) != state.ended {
        return Err("it speaks of another plan or another end".to_owned());
    }
    let frozen = state.request.as_ref().and_then(|request| request.profile.as_ref()).map(|frozen| frozen.snapshot_hash);
    // Seals from before the profile was part of them name none.
    if seal.snapshot_hash.is_some() && seal.snapshot_hash != frozen {
        return Err("it names another profile".to_owned());
    }
    if seal.workspace != workspace::sealed(state) {
        return Err("it speaks of another workspace, or of other approvals in it".to_owned());
    }
    if seal.replays != state.replays {
        return Err("it names other transcripts than the journal".to_owned());
    }
    let other =
        seal.outputs.iter().find(|output| state.artifact(&output.path).map(|(record, _)| record) != Some(output));
    if let Some(output) = other {
        return Err(format!("`{}` is not what the journal has", output.path));
    }
    let delivered = delivered(plan, state);
    match delivered.iter().find(|output| !seal.outputs.contains(output)) {
        Some(output) => Err(format!("it does not list `{}`, which the run delivered", output.path)),
        None => Ok(()),
    }
}

/// The hash and the number of the bytes that can be read.
pub(crate) fn hash_of(from: &mut dyn ReadSeek) -> io::Result<(ContentHash, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        let count = from.read(&mut buffer)?;
        let part = buffer.get(..count).invariant("a reader fills no more than its buffer");
        if part.is_empty() {
            break;
        }
        bytes += count as u64;
        hasher.update(part);
    }
    Ok((ContentHash::of_digest(hasher.finalize().into()), bytes))
}
