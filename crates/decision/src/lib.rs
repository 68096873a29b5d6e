//! The critic of decisions, and what a decision record is made of.
//!
//! [`critique`] judges a drafted decision against the compiled context that the model was shown, the pack that the
//! context was compiled from, and the approvals that were given. It is pure: the same inputs give the same record and
//! the same critique, so that [`recheck`] can derive a recorded verdict again.

mod approve;
mod bindings;
mod checks;
mod claim;
mod critic;
mod inputs;
mod seal;
mod sheet;

pub use approve::{ApprovalError, Approver, approve, subject, subject_hash};
pub use critic::{Judged, critique, recheck};
pub use inputs::CriticInputs;
pub use seal::is_sealed;
