//! Why a store could not do what it was asked.

use thiserror::Error;

/// Why a store could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct StoreError {
    /// What sort of trouble it is.
    pub kind: StoreErrorKind,
    /// What happened.
    pub message: String,
    /// What can be done about it.
    pub help: Option<String>,
}

/// What sort of trouble a store is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// There is no such run or no such bytes.
    Unknown,
    /// Another process has it.
    Held,
    /// The same name with another content.
    Conflict,
    /// What is stored is not what was written.
    Corrupt,
    /// The disk is full.
    Full,
    /// It may not be written to.
    ReadOnly,
    /// Anything else that the disk or the database says.
    Unavailable,
}

impl StoreError {
    /// Trouble of a sort.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    /// The same, with what can be done.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
