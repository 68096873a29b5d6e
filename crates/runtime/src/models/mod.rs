//! Models asked inside runs: every call is compiled, keyed, reserved, written down before it leaves and after it ends, and
//! read from the journal by every later process.
//!
//! `ask.rs` is the order of one call; the other files are its parts. Nothing here decides what is asked: a consumer hands in
//! a prepared call, which `deed-desk` made.

mod ask;
mod caller;
mod client;
mod cost;
mod failure;
mod frozen;
mod journal;
mod ready;
mod stored;
mod usable;
mod witness;

pub(crate) use caller::Caller;
pub(crate) use cost::{BESIDE_CALLS, owed, reserved, spent_by, worst};
pub(crate) use failure::AskFailure;
pub(crate) use frozen::{RunModels, check, freeze, rules_of};
pub use ready::asked_consumers;
pub(crate) use ready::{keys, may_ask, ready};
pub(crate) use stored::{load_reply, load_value};
pub(crate) use usable::{native_schema, until_usable, written};

use deed_llm::Replayer;
use deed_model::{CallGate, ServedTranscript};
use std::sync::Arc;

/// The source of replies of models.
#[derive(Debug, Clone, Default)]
pub enum ModelSource {
    /// Providers are asked.
    #[default]
    Providers,
    /// A transcript answers, and no provider is asked: a call that it does not have is an error.
    Transcript {
        /// The replies.
        replayer: Arc<Replayer>,
        /// The file, for the journal.
        served: ServedTranscript,
    },
}

impl ModelSource {
    /// Returns the transcript that answers in place of providers, if one does.
    pub fn served(&self) -> Option<ServedTranscript> {
        match self {
            Self::Providers => None,
            Self::Transcript { served, .. } => Some(served.clone()),
        }
    }
}

/// The question at a gate that a context pack demands before a model is asked.
const QUESTION: &str = "the context pack demands a decision before a model is asked: ";

/// Returns the gate that a control of a context pack demands before a call.
pub(crate) fn gate_of(control: &str, role: &str) -> CallGate {
    CallGate {
        tool: "operator.artifact.evaluate".to_owned(),
        question: format!("{QUESTION}{control}"),
        approver_role: role.to_owned(),
        when: None,
    }
}

/// Returns the control that a gate asks about, if it is one of a context pack.
pub(crate) fn control_of(question: &str) -> Option<&str> {
    question.strip_prefix(QUESTION)
}
