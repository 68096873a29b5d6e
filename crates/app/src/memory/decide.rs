//! Decisions about memories: review, promotion, revocation; and the record of ended lifetimes.

use super::{existing, instant, unknown};
use crate::error::AppError;
use crate::packs;
use crate::registry::{self, without_secret};
use crate::session::Session;
use deed_memory::{MemoryRecord, MemoryStatus};
use deed_model::{ReviewDecision, ReviewRole};
use deed_store::{MemoryStore, MemoryVerdict, Outcome, RegistryError, Stamp};
use tracing::info_span;

/// The decision of a person about a candidate; the person is the session's actor.
#[derive(Debug, Clone)]
pub struct MemoryReview {
    /// The memory.
    pub memory_id: String,
    /// The decision.
    pub decision: ReviewDecision,
    /// The role that the person acts in.
    pub role: ReviewRole,
    /// The reason.
    pub reason: String,
}

/// A memory after a decision.
#[derive(Debug)]
pub struct DecidedMemory {
    /// Its record.
    pub record: MemoryRecord,
    /// Its standing now.
    pub status: MemoryStatus,
    /// The recorded events, by the last of them.
    pub outcome: Outcome,
}

/// Reviews a candidate. Who proposed it may review it only where the registry's policy allows self-review.
///
/// # Errors
/// There is no such candidate, or the actor may not decide about it.
pub fn review(session: &Session, review: &MemoryReview) -> Result<DecidedMemory, AppError> {
    let reason = without_secret("--reason", &review.reason)?.to_owned();
    let self_review = packs::policy(session)?.self_review;
    let verdict = MemoryVerdict { decision: review.decision, role: review.role, reason, self_review };
    decide(session, &review.memory_id, |store, stamp| store.review(&review.memory_id, &verdict, stamp))
}

/// Promotes a candidate that was accepted.
///
/// # Errors
/// There is no such candidate, it was not accepted, or it contradicts what its reviewer did not see.
pub fn promote(session: &Session, memory_id: &str) -> Result<DecidedMemory, AppError> {
    decide(session, memory_id, |store, stamp| store.promote(memory_id, stamp))
}

/// Revokes a promoted memory, with everything that states the same.
///
/// # Errors
/// There is no such memory, or it was never promoted.
pub fn revoke(session: &Session, memory_id: &str, reason: &str) -> Result<DecidedMemory, AppError> {
    let reason = without_secret("--reason", reason)?;
    decide(session, memory_id, |store, stamp| store.revoke(memory_id, reason, stamp))
}

fn decide(
    session: &Session,
    memory_id: &str,
    transition: impl FnOnce(&MemoryStore, &Stamp) -> Result<Outcome, RegistryError>,
) -> Result<DecidedMemory, AppError> {
    let _span = info_span!("decide memory", memory_id).entered();
    let stamp = session.stamp()?;
    let store = existing(session)?.ok_or_else(|| unknown(memory_id))?;
    let outcome = transition(&store, &stamp).map_err(registry::error)?;
    let state = store.state().map_err(registry::error)?;
    let record = state.get(memory_id).cloned();
    let record = record.ok_or_else(|| AppError::internal("a memory that was decided about has a record"))?;
    let status = record.status(state.now(instant(&stamp)?));
    Ok(DecidedMemory { record, status, outcome })
}

/// Records the memories whose lifetimes have passed, and returns their ids. They are not recalled since then, whether this
/// was recorded or not.
///
/// # Errors
/// The log cannot be written.
pub fn expire(session: &Session) -> Result<(Vec<String>, Outcome), AppError> {
    let stamp = session.stamp()?;
    match existing(session)? {
        Some(store) => store.expire(&stamp).map_err(registry::error),
        None => Ok((Vec::new(), Outcome::AlreadyDone)),
    }
}
