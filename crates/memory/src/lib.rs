//! The memory pipeline as pure functions: a proposal is captured, checked, reviewed where that is demanded, promoted with a
//! tier and a lifetime, and ends expired, superseded or revoked.
//!
//! Every transition is an event, and the state of all memories is a fold over them ([`MemoryState`]). A transition takes
//! the state and returns the events that have to be appended; nothing here reads a clock or a file. What has not been
//! promoted cannot be recalled ([`recall`]), and what was revoked never returns.

mod checks;
mod contradiction;
mod fold;
mod item;
mod personal;
mod recall;
mod reference;
mod rules;
mod spelling;
mod statement;
mod transitions;
mod withdrawn;

pub use fold::{MemoryRecord, MemoryState, MemoryStatus, PromotionRecord, ReviewRecord, SetBack};
pub use item::item_of;
pub use personal::holds_personal_data;
pub use recall::{RecallQuery, recall};
pub use rules::rules_of;
pub use spelling::{compared_name, compared_value};
pub use transitions::{Proposed, Review, Submission, expected_events, expire, promote, propose, review, revoke};
pub use withdrawn::{Withdrawal, withdrawn};

/// The format of the events that are written and read.
pub const MEMORY_FORMAT: u32 = 1;

/// The class of memories that outrank the facts they contradict.
pub const CORRECTION: &str = "correction";

/// Stands for any subject or any intent.
pub(crate) const ANY: &str = "*";
