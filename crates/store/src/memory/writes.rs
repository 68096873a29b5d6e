//! Operations that append: each folds, checks and appends inside one immediate transaction.

use super::MemoryStore;
use super::fault::within;
use super::log::append_all;
use crate::error::RegistryError;
use crate::registry::{Outcome, Stamp};
use deed_canon::{CanonError, ContentHash, timestamp, to_canonical_of};
use deed_diag::{Diagnostic, Place, codes};
use deed_memory::{MEMORY_FORMAT, MemoryState, Proposed, Review, Submission, expire, promote, propose, review, revoke};
use deed_model::{
    MemoryEvent, MemoryLogEvent, MemoryProposal, MemoryRules, RejectionReason, ReviewDecision, ReviewRole, SelfReview,
};
use jiff::Timestamp;
use rusqlite::{Transaction, TransactionBehavior};
use tracing::debug_span;

/// The outcome of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedMemory {
    /// The memory.
    pub memory_id: String,
    /// The reasons of the checks that rejected it; empty for a candidate.
    pub rejected: Vec<RejectionReason>,
    /// What was recorded.
    pub outcome: Outcome,
}

/// The decision of a person about a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryVerdict {
    /// The decision.
    pub decision: ReviewDecision,
    /// The role of the reviewer.
    pub role: ReviewRole,
    /// The reason.
    pub reason: String,
    /// The registry's rule for those who review what they proposed.
    pub self_review: SelfReview,
}

/// The events of an operation, the bytes that must be on disk before they are recorded, and what the caller is told.
struct Plan<T> {
    events: Vec<MemoryEvent>,
    bytes: Vec<Vec<u8>>,
    told: T,
}

impl MemoryStore {
    /// Captures and checks a proposal under the rules of a pack, and promotes it if nothing demands a review.
    ///
    /// # Errors
    /// The proposal has no canonical form, or the log cannot be written.
    pub fn propose(
        &self,
        proposal: &MemoryProposal,
        rules: &MemoryRules,
        stamp: &Stamp,
    ) -> Result<CapturedMemory, RegistryError> {
        let content_bytes = to_canonical_of(proposal).map_err(no_canonical_form)?;
        let rules_bytes = to_canonical_of(rules).map_err(no_canonical_form)?;
        let (content, rules_hash) = (ContentHash::of_bytes(&content_bytes), ContentHash::of_bytes(&rules_bytes));
        let (told, outcome) = self.write(stamp, |state, at| {
            let proposed = propose(state, Submission { proposal, content, rules, rules_hash, at })?;
            let Proposed { memory_id, events, rejected } = proposed;
            let kept = if rejected.is_empty() { vec![rules_bytes, content_bytes] } else { vec![rules_bytes] };
            let bytes = if events.is_empty() { Vec::new() } else { kept };
            Ok(Plan { events, bytes, told: (memory_id, rejected) })
        })?;
        let (memory_id, rejected) = told;
        Ok(CapturedMemory { memory_id, rejected, outcome })
    }

    /// Records the decision of a person about a candidate. The stamp's actor is the reviewer.
    ///
    /// # Errors
    /// The transition is not allowed, or the log cannot be written.
    pub fn review(&self, memory_id: &str, verdict: &MemoryVerdict, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.append(stamp, |state, at| {
            let MemoryVerdict { decision, role, reason, self_review } = verdict;
            let (decision, role, self_review, reviewer) = (*decision, *role, *self_review, stamp.actor.as_str());
            review(state, Review { memory_id, decision, reviewer, role, reason, self_review, at })
        })
    }

    /// Promotes a candidate that a person accepted.
    ///
    /// # Errors
    /// The transition is not allowed, or the log cannot be written.
    pub fn promote(&self, memory_id: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.append(stamp, |state, at| promote(state, memory_id, at))
    }

    /// Revokes a promoted memory, with everything that states the same.
    ///
    /// # Errors
    /// The transition is not allowed, or the log cannot be written.
    pub fn revoke(&self, memory_id: &str, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.append(stamp, |state, at| revoke(state, memory_id, reason, at))
    }

    /// Records the memories whose lifetimes have passed, and returns their ids.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn expire(&self, stamp: &Stamp) -> Result<(Vec<String>, Outcome), RegistryError> {
        self.write(stamp, |state, at| {
            let events = expire(state, at);
            let told = events.iter().map(|event| event.memory_id().to_owned()).collect();
            Ok(Plan { events, bytes: Vec::new(), told })
        })
    }

    fn append(
        &self,
        stamp: &Stamp,
        transition: impl FnOnce(&MemoryState, Timestamp) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>>,
    ) -> Result<Outcome, RegistryError> {
        let plan = |state: &MemoryState, at| Ok(Plan { events: transition(state, at)?, bytes: Vec::new(), told: () });
        self.write(stamp, plan).map(|((), outcome)| outcome)
    }

    /// Reads, checks and appends under the write lock. If anything fails, nothing was recorded.
    fn write<T>(
        &self,
        stamp: &Stamp,
        plan: impl FnOnce(&MemoryState, Timestamp) -> Result<Plan<T>, RegistryError>,
    ) -> Result<(T, Outcome), RegistryError> {
        let _transaction = debug_span!("transaction", memory = %self.dir.display(), actor = stamp.actor).entered();
        let at = timestamp(&stamp.at).ok_or_else(|| RegistryError::Refused(vec![bad_time(&stamp.at)]))?;
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let folded = self.fold(&tx)?;
            let Plan { events, bytes, told } = plan(&folded.state, at)?;
            if events.is_empty() {
                return Ok((told, Outcome::AlreadyDone));
            }
            self.blobs.sweep()?;
            for bytes in bytes {
                self.blobs.put(&bytes, &self.steps)?;
            }
            let logged = |event| MemoryLogEvent {
                format: MEMORY_FORMAT,
                at: stamp.at.clone(),
                actor: stamp.actor.clone(),
                event,
            };
            let events = events.into_iter().map(logged).collect();
            let appended = append_all(&tx, folded.head, events, &self.steps)?;
            self.steps.before("commit")?;
            tx.commit()?;
            self.keep(&folded, &appended);
            let end = appended.last().map(|entry| entry.link.head());
            Ok((told, end.map_or(Outcome::AlreadyDone, Outcome::Recorded)))
        };
        run().map_err(|e: RegistryError| within(e, &self.dir))
    }
}

fn bad_time(at: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_TIME, format!("`{at}` is not an RFC 3339 time"))
        .stage("memory")
        .at(Place::file("new event"))
        .help("write `2026-05-09T00:00:00Z`")
}

fn no_canonical_form(error: CanonError) -> RegistryError {
    let message = format!("the proposal has no canonical form: {error}");
    let finding = Diagnostic::error(codes::INPUT_WITHOUT_CANONICAL_FORM, message).stage("memory");
    RegistryError::Refused(vec![finding.at(Place::file("proposal")).help("write large numbers as text")])
}
