//! Eleven rungs that catch and correct a payload, with a reversible record of every change.
//!
//! A [`Ladder`] is a contract made ready. [`climb`] sends a payload up: raw text or a value enters, the payload
//! and a report leave. Every change is a JSON Patch with its inverse; [`undo`] gives back what came in. The rungs
//! that need understanding take proposals as data through the [`Proposer`] port and freeze them in the report,
//! so that a replay needs no model.
//!
//! The crate is pure: no files, no clock, no randomness.

mod climb;
mod edits;
mod embed;
mod excerpt;
mod flagged;
mod ladder;
mod naming;

mod place;
mod port;
mod prose;
mod reading;
mod repair;
mod rungs;
mod translate;
mod undo;

pub use climb::{Climbed, Input, climb};
pub use embed::{Choice, Embedder, Entry, Limits, Match, Names, Ranked, Similarity, Vector};
pub use ladder::{ContractFault, Ladder};
pub use port::{Proposer, frozen};
pub use repair::{Certainty, Reading, Repair, RepairKind, Unreadable, UnreadableKind, read, repaired_text};
pub use translate::{Placed, TranslateError, Translated, Translation, Unplaced, translate};
pub use undo::{ReplayError, redo, undo, undo_text};
