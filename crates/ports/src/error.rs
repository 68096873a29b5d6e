//! Errors of a store.

use thiserror::Error;

/// An error of a store.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct StoreError {
    /// The kind of the error.
    pub kind: StoreErrorKind,
    /// The fact.
    pub message: String,
    /// The fix.
    pub help: Option<String>,
}

/// The kind of a store error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// The run or the blob is unknown.
    Unknown,
    /// Another process drives the run.
    Held,
    /// The name exists with another content, or the operation contradicts the stored state.
    Conflict,
    /// The stored content is not what was written.
    Corrupt,
    /// The disk is full.
    Full,
    /// The store is not writable.
    ReadOnly,
    /// Any other error of the disk or the database.
    Unavailable,
}

impl StoreError {
    /// Creates an error of a kind.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    /// Adds the fix.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
