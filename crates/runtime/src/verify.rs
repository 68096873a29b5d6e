//! Checks the receipts of a run again, offline: signatures, what they speak of, and what they say of the bytes.

use crate::checkpoint::{self, Checkpoints};
use crate::gates::check_signature;
use crate::state::RunState;
use deed_canon::{ContentHash, KeyId, PublicKey, Statement};
use deed_model::{
    ArtifactRecord, CompiledPlan, FileReceipt, Inspection, POSTFLIGHT_PREDICATE, PREFLIGHT_PREDICATE,
    PostflightReceipt, PreflightReceipt, RUN_SEAL_PREDICATE, ReceiptOf, RunEvent, RunSeal, SignedApproval,
};
use deed_ports::{BlobRead, JournalEntry, ReadSeek};
use deed_receipts::{InspectLimits, concealed, inspect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;

/// Something that was checked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reverified {
    /// What, such as `postflight receipt of find_discrepancies`.
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
    /// What was found, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// Checks everything that a run left.
pub fn reverify(
    entries: &[JournalEntry],
    plan: &CompiledPlan,
    blobs: &dyn BlobRead,
    known: &dyn Fn(&KeyId) -> Option<PublicKey>,
) -> Vec<Reverified> {
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let mut pass = Pass { plan, blobs, known, looked: BTreeMap::new(), all: Vec::new(), state: &state };
    let run_id = state.request.as_ref().map(|request| request.run_id.as_str()).unwrap_or_default();
    match checkpoint::check(run_id, entries, known) {
        Ok(Checkpoints { count: 0, .. }) => {}
        Ok(_) => pass.say("checkpoints of the journal".to_owned(), Ok(())),
        Err(why) => pass.say("checkpoints of the journal".to_owned(), Err(why)),
    }
    for (index, entry) in entries.iter().enumerate() {
        match &entry.record.event {
            RunEvent::Preflighted { step, receipt, .. } => {
                let what = format!("preflight receipt of {step}");
                let opened = pass.open::<PreflightReceipt>(receipt, PREFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| pass.preflight(step, &receipt));
                pass.say(what, found);
            }
            RunEvent::StepSucceeded { step, receipt, outputs, .. } => {
                let what = format!("postflight receipt of {step}");
                let opened = pass.open::<PostflightReceipt>(receipt, POSTFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| pass.postflight(step, &receipt, outputs));
                pass.say(what, found);
            }
            RunEvent::StepFailed { step, receipt: Some(receipt), .. } => {
                let what = format!("receipt of the failed attempt of {step}");
                let opened = pass.open::<PostflightReceipt>(receipt, POSTFLIGHT_PREDICATE);
                let found = opened.and_then(|receipt| pass.of(step, &receipt.of));
                pass.say(what, found);
            }
            RunEvent::GateDecided { signed } => {
                let what = format!("decision at {}", signed.approval.gate_id);
                let found = pass.decision(signed);
                pass.say(what, found);
            }
            RunEvent::Sealed { seal } => {
                let opened = pass.open::<RunSeal>(seal, RUN_SEAL_PREDICATE);
                let before = index.checked_sub(1).and_then(|before| entries.get(before));
                let found = opened.and_then(|seal| sealed(&seal, plan, before, &state));
                pass.say("seal of the run".to_owned(), found);
            }
            _ => {}
        }
    }
    if state.ended.is_some() && !state.sealed {
        pass.say("seal of the run".to_owned(), Err("the run ended and was not sealed".to_owned()));
    }
    pass.all
}

struct Pass<'p> {
    plan: &'p CompiledPlan,
    blobs: &'p dyn BlobRead,
    known: &'p dyn Fn(&KeyId) -> Option<PublicKey>,
    /// What was found of bytes, by hash and expected format.
    looked: BTreeMap<(ContentHash, String), Result<Inspection, String>>,
    all: Vec<Reverified>,
    state: &'p RunState,
}

impl Pass<'_> {
    fn say(&mut self, what: String, found: Result<(), String>) {
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

    /// Whether a decision is what was signed, about a gate of this run.
    fn decision(&self, signed: &SignedApproval) -> Result<(), String> {
        let run_id = self.state.request.as_ref().map(|request| request.run_id.as_str()).unwrap_or_default();
        check_signature(run_id, signed, self.known)
    }

    /// Whether a receipt speaks of this run, this plan and the contract that the plan has.
    fn of(&self, step: &str, of: &ReceiptOf) -> Result<(), String> {
        let contract = self.plan.steps.iter().find(|contract| contract.step_id == step);
        let contract = contract.ok_or_else(|| format!("the plan has no step `{step}`"))?;
        let request = self.state.request.as_ref();
        if request.is_none_or(|request| request.run_id != of.run_id) {
            return Err("it speaks of another run".to_owned());
        }
        if of.plan_hash != self.plan.plan_hash || of.contract_hash != contract.spec_hash || of.step != step {
            return Err("it speaks of another contract".to_owned());
        }
        if of.code_hash != contract.execution_contract.code_hash {
            return Err("it speaks of other code".to_owned());
        }
        Ok(())
    }

    fn preflight(&mut self, step: &str, receipt: &PreflightReceipt) -> Result<(), String> {
        self.of(step, &receipt.of)?;
        receipt.inputs.iter().try_for_each(|file| self.file(file))
    }

    fn postflight(
        &mut self,
        step: &str,
        receipt: &PostflightReceipt,
        outputs: &[ArtifactRecord],
    ) -> Result<(), String> {
        self.of(step, &receipt.of)?;
        let listed: Vec<ArtifactRecord> = receipt
            .outputs
            .iter()
            .map(|file| ArtifactRecord { path: file.path.clone(), sha256: file.found.sha256, bytes: file.found.bytes })
            .collect();
        if listed != outputs {
            return Err("the journal lists other outputs than the receipt".to_owned());
        }
        if let Some(check) = receipt.checks.iter().find(|check| check.blocks && !check.holds) {
            return Err(format!("the step succeeded although `{}` does not hold", check.check));
        }
        receipt.outputs.iter().try_for_each(|file| self.file(file))
    }

    /// Looks at the stored bytes again: everything that the receipt says of them has to come out the same.
    fn file(&mut self, file: &FileReceipt) -> Result<(), String> {
        let key = (file.found.sha256, format!("{:?}", file.found.expected));
        if !self.looked.contains_key(&key) {
            let found = self.look(file);
            self.looked.insert(key.clone(), found);
        }
        match self.looked.get(&key) {
            Some(Ok(found)) if *found == file.found => Ok(()),
            // One of before says more than is said today, and the same otherwise.
            Some(Ok(found)) if *found == concealed(file.found.clone()) => Ok(()),
            Some(Ok(found)) if found.sha256 != file.found.sha256 => {
                Err(format!("the stored bytes of `{}` were altered", file.path))
            }
            Some(Ok(_)) => Err(format!("the stored bytes of `{}` are not what the receipt says", file.path)),
            Some(Err(error)) => Err(format!("`{}`: {error}", file.path)),
            None => Err("it was not looked at".to_owned()),
        }
    }

    fn look(&self, file: &FileReceipt) -> Result<Inspection, String> {
        let mut blob = self.blobs.open(&file.found.sha256).map_err(|error| error.to_string())?;
        inspect(&mut blob, file.found.expected, &InspectLimits::default()).map_err(|error| error.to_string())
    }
}

fn sealed(seal: &RunSeal, plan: &CompiledPlan, before: Option<&JournalEntry>, state: &RunState) -> Result<(), String> {
    let before = before.ok_or("nothing stands before it")?;
    if seal.journal.seq != before.seq || seal.journal.hash != before.hash {
        return Err("the journal is not the one that was sealed".to_owned());
    }
    if seal.plan_hash != plan.plan_hash || Some(seal.outcome) != state.ended {
        return Err("it speaks of another plan or another end".to_owned());
    }
    let other =
        seal.outputs.iter().find(|output| state.artifact(&output.path).map(|(record, _)| record) != Some(output));
    other.map_or(Ok(()), |output| Err(format!("`{}` is not what the journal has", output.path)))
}

/// The hash and the number of the bytes that can be read.
pub(crate) fn hash_of(from: &mut dyn ReadSeek) -> io::Result<(ContentHash, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        let count = from.read(&mut buffer)?;
        let part = buffer.get(..count).unwrap_or_default();
        if part.is_empty() {
            break;
        }
        bytes += count as u64;
        hasher.update(part);
    }
    Ok((ContentHash::of_digest(hasher.finalize().into()), bytes))
}
