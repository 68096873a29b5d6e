//! Reasons for which a model is not asked.

use deed_diag::{Code, codes};
use std::fmt;

/// A reason for which a model is not asked. Nothing was reserved and nothing left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRefusal {
    /// The kind.
    pub kind: DeskRefusalKind,
    /// The reason, in words.
    pub message: String,
    /// The fix.
    pub help: Option<String>,
}

/// The kind of a [`DeskRefusal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskRefusalKind {
    /// The profile binds no model to the consumer.
    Unbound,
    /// The pack, the prompt or the binding cannot be used for the consumer.
    Unusable,
    /// The pack says that this request must be refused, or does not admit what the model would read.
    MustRefuse,
    /// The pack's budget does not hold everything that has to be read.
    TooLarge,
}

impl DeskRefusal {
    pub(crate) fn new(kind: DeskRefusalKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the code of the diagnostic.
    pub fn code(&self) -> Code {
        match self.kind {
            DeskRefusalKind::Unbound => codes::EVALUATOR_NOT_CONFIGURED,
            DeskRefusalKind::Unusable => codes::MODEL_BINDING_UNUSABLE,
            DeskRefusalKind::MustRefuse => codes::MODEL_CALL_REFUSED_BY_PACK,
            DeskRefusalKind::TooLarge => codes::MODEL_CONTEXT_TOO_LARGE,
        }
    }
}

impl fmt::Display for DeskRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
