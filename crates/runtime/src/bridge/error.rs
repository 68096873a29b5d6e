//! The error that the code of a step gets for a call.

use deed_model::BridgeErrorKind;

/// The error that the code of a step gets for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BridgeError {
    /// The kind, which code can match on.
    pub(crate) kind: BridgeErrorKind,
    pub(crate) message: String,
}

impl BridgeError {
    pub(crate) fn new(kind: BridgeErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}
