//! Signed checkpoints of a run's journal. Each names an earlier event by its place and hash, which covers that event and
//! all before it. Without the key nothing before a checkpoint can be changed undetected. The journal can still
//! be cut off, which the anchor outside the journal detects.

use deed_canon::{CanonError, ChainHead, Envelope, KeyId, PublicKey, SigningKey, Statement, Subject};
use deed_model::{CallIntent, RUN_CHECKPOINT_PREDICATE, RunCheckpoint, RunEvent, RunOutcome};
use deed_ports::JournalEntry;
use std::collections::BTreeMap;

/// Events after which the next durable one is followed by a checkpoint.
pub(crate) const EVERY: u64 = 64;
/// Events after which a checkpoint is written without waiting for a durable one.
pub(crate) const AT_MOST: u64 = 1_024;

/// Returns whether an event is followed by a checkpoint at once: a decision about effects, or an effect that is about to
/// happen.
pub(crate) fn follows(event: &RunEvent) -> bool {
    match event {
        RunEvent::GateOpened { .. } | RunEvent::GateDecided { .. } | RunEvent::ApprovalUsed { .. } => true,
        RunEvent::CallBegan { call } => changes_something(call),
        _ => false,
    }
}

/// Returns whether a call sends something that changes something: by the name of its tool, or by its method for a request
/// through the proxy.
pub(crate) fn changes_something(call: &CallIntent) -> bool {
    let method = call.summary.split(' ').next().unwrap_or_default();
    match call.tool.as_str() {
        "http.submit" => true,
        "http.proxy" => deed_reach::capability(method) == "http.submit",
        _ => false,
    }
}

/// Signs a checkpoint.
pub(crate) fn sign(checkpoint: &RunCheckpoint, key: &SigningKey) -> Result<Envelope, CanonError> {
    let predicate = serde_json::to_value(checkpoint).map_err(|error| CanonError::NotJson(error.to_string()))?;
    Statement::new(vec![subject(checkpoint)], RUN_CHECKPOINT_PREDICATE, predicate).sign(key)
}

fn subject(checkpoint: &RunCheckpoint) -> Subject {
    let digest = BTreeMap::from([("sha256".to_owned(), checkpoint.journal.hash.hex())]);
    Subject { name: format!("{}/journal/{}", checkpoint.run_id, checkpoint.journal.seq), digest }
}

/// The checkpoints of a run that hold.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checkpoints {
    /// The number of checkpoints.
    pub(crate) count: u64,
    /// The outcome that the last of them names.
    pub(crate) outcome: Option<RunOutcome>,
}

/// Checks every checkpoint of a run: its signature, and that the event that it names is the one that was signed.
pub(crate) fn check(
    run_id: &str,
    entries: &[JournalEntry],
    known: impl Fn(&KeyId) -> Option<PublicKey>,
) -> Result<Checkpoints, String> {
    let mut found = Checkpoints::default();
    for entry in entries {
        let RunEvent::Checkpointed { checkpoint } = &entry.record.event else { continue };
        let opened = open(checkpoint, &known).map_err(|why| format!("the checkpoint at event {}: {why}", entry.seq))?;
        let ChainHead { seq, hash } = opened.journal;
        let covered = usize::try_from(seq).ok().and_then(|at| entries.get(at));
        let same = covered.is_some_and(|covered| covered.seq == seq && covered.hash == hash);
        if opened.run_id != run_id || seq >= entry.seq || !same {
            return Err(format!(
                "event {seq} or one before it is not what the checkpoint at event {} covers",
                entry.seq
            ));
        }
        found = Checkpoints { count: found.count + 1, outcome: opened.outcome };
    }
    Ok(found)
}

fn open(envelope: &Envelope, known: &impl Fn(&KeyId) -> Option<PublicKey>) -> Result<RunCheckpoint, String> {
    let (statement, _) = Statement::open(envelope, known).map_err(|error| error.to_string())?;
    let checkpoint: RunCheckpoint = serde_json::from_value(statement.predicate).map_err(|error| error.to_string())?;
    let meant = statement.predicate_type == RUN_CHECKPOINT_PREDICATE && statement.subject == [subject(&checkpoint)];
    if meant { Ok(checkpoint) } else { Err("the statement is not a checkpoint".to_owned()) }
}
