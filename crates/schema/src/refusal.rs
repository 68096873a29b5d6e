//! Refusals of schemas.

use std::fmt;

/// The reasons for which a schema is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It is neither an object nor a boolean, or it is not valid in its own dialect.
    InvalidSchema,
    /// It is written in a dialect older than draft 4, or in an unknown version of OpenAPI.
    UnknownDialect,
    /// It refers to another document; nothing is ever fetched.
    RemoteReference,
    /// It refers to something that it does not contain.
    MissingReference,
    /// One of its patterns is not a regular expression.
    BadPattern,
    /// No value at all is valid under it.
    NothingIsValid,
    /// It is nested too deeply, or larger than a validator or a template may be.
    TooLarge,
}

impl Reason {
    /// Every reason, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::InvalidSchema,
        Self::UnknownDialect,
        Self::RemoteReference,
        Self::MissingReference,
        Self::BadPattern,
        Self::NothingIsValid,
        Self::TooLarge,
    ];

    /// The name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidSchema => "invalid_schema",
            Self::UnknownDialect => "unknown_dialect",
            Self::RemoteReference => "remote_reference",
            Self::MissingReference => "missing_reference",
            Self::BadPattern => "bad_pattern",
            Self::NothingIsValid => "nothing_is_valid",
            Self::TooLarge => "too_large",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The refusal of a schema: its reason, the location and a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The reason.
    pub reason: Reason,
    /// The JSON pointer of the location in the schema; empty for the whole.
    pub pointer: String,
    /// The message, lowercase and without a final stop.
    pub message: String,
}

impl Refused {
    /// Refuses a schema as a whole.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, pointer: String::new(), message: message.into() }
    }

    /// Sets the location.
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}
