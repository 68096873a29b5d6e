//! The transitions, one file each: what must hold, and the events that follow. No events mean that the same was recorded
//! before.

mod expected;
mod expire;
mod promote;
mod propose;
mod review;
mod revoke;

pub use expected::expected_events;
pub use expire::expire;
pub use promote::promote;
pub use propose::{Proposed, Submission, propose};
pub use review::{Review, review};
pub use revoke::revoke;

use crate::fold::{MemoryRecord, MemoryState, MemoryStatus};
use deed_diag::{Diagnostic, Place, codes, quote};
use jiff::Timestamp;

/// The place of a memory in findings.
fn place(memory_id: &str) -> Place {
    Place::file(format!("memory:{memory_id}"))
}

/// Finds a memory, or refuses.
fn known<'s>(state: &'s MemoryState, memory_id: &str) -> Result<&'s MemoryRecord, Vec<Diagnostic>> {
    state.get(memory_id).ok_or_else(|| {
        let finding = Diagnostic::error(codes::UNKNOWN_MEMORY, format!("there is no memory {}", quote(memory_id)));
        vec![finding.stage("memory").at(place(memory_id)).help("`deed memory list` shows them")]
    })
}

/// The refusal of a transition that the standing of a memory does not allow.
fn wrong_status(record: &MemoryRecord, at: Timestamp, wanted: &str) -> Vec<Diagnostic> {
    let status = record.status(at);
    let help = match status {
        MemoryStatus::InReview => "a person decides first: `deed memory review`",
        MemoryStatus::Accepted => "it can be promoted: `deed memory promote`",
        MemoryStatus::Captured | MemoryStatus::Rejected => "correct the proposal, and propose it again",
        MemoryStatus::Promoted => "it is promoted: revoke it, or propose a correction",
        MemoryStatus::Expired | MemoryStatus::Superseded | MemoryStatus::Revoked => "its life is over: propose another",
    };
    let message = format!("memory `{}` is {status}, and {wanted}", record.memory_id);
    let finding = Diagnostic::error(codes::MEMORY_NOT_AT_THIS_POINT, message);
    vec![finding.stage("memory").at(place(&record.memory_id)).help(help)]
}

/// Refuses a decision without a reason.
fn reasoned(memory_id: &str, reason: &str) -> Result<(), Vec<Diagnostic>> {
    if !reason.trim().is_empty() {
        return Ok(());
    }
    let finding = Diagnostic::error(codes::MEMORY_REASON_MISSING, "a decision about a memory needs a reason");
    Err(vec![finding.stage("memory").at(place(memory_id)).help("say why, for those who read the log later")])
}
