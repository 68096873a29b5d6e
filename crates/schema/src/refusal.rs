//! Why a schema is not taken.

use std::fmt;

/// The named reasons for which a schema is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It is neither an object nor a boolean, or its own dialect does not allow what it says.
    InvalidSchema,
    /// It is written in a dialect older than draft 4, or in an unknown version of OpenAPI.
    UnknownDialect,
    /// It refers to another document; nothing is ever fetched.
    RemoteReference,
    /// It refers to a place that it does not have.
    MissingReference,
    /// One of its patterns is no regular expression.
    BadPattern,
    /// No value at all is valid under it.
    NothingIsValid,
    /// It asks for more places than a template may have.
    TooLarge,
}

impl Reason {
    /// Every reason, in the order they are listed in reports.
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

/// A schema that is not taken: the reason, the place in it and words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The named reason.
    pub reason: Reason,
    /// The JSON pointer of the place in the schema; empty for the whole.
    pub pointer: String,
    /// What is wrong, lowercase and without a stop.
    pub message: String,
}

impl Refused {
    /// A refusal of the schema as a whole.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, pointer: String::new(), message: message.into() }
    }

    /// The same, at a place.
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}
