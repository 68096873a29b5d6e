//! The diagnostic: the one value behind every finding and refusal.

use crate::code::Code;
use deed_canon::Span;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// The severity of a diagnostic. The strictest wins by comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information; changes no outcome.
    Info,
    /// Allowed, but probably not intended.
    Warning,
    /// An error: the operation is refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A place in a source: its name, and a JSON Pointer and a span if they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the source, usually a path.
    pub source: String,
    /// JSON Pointer into the document.
    pub pointer: Option<String>,
    /// The span in the source.
    pub span: Option<Span>,
}

impl Place {
    /// Creates a place for a whole source.
    pub fn file(source: impl Into<String>) -> Self {
        Self { source: source.into(), pointer: None, span: None }
    }

    /// Creates a place for a span of a source.
    pub fn span(source: impl Into<String>, span: Span) -> Self {
        Self { source: source.into(), pointer: None, span: Some(span) }
    }
}

/// A related place of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The other place.
    pub place: Place,
    /// Its relation to the diagnostic.
    pub message: String,
}

/// A finding or a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The stage, gate or command that reported it.
    pub stage: Cow<'static, str>,
    /// The place.
    pub place: Option<Place>,
    /// The message: lowercase, no final stop, user input in backticks.
    pub message: String,
    /// Help: how to fix it.
    pub help: Option<String>,
    /// Related places.
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// Creates a diagnostic with a severity.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            stage: Cow::Borrowed(""),
            place: None,
            message: message.into(),
            help: None,
            related: Vec::new(),
        }
    }

    /// Creates an error.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Creates a warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// Creates a note.
    pub fn info(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, code, message)
    }

    /// Sets the stage that reported it.
    pub fn stage(mut self, stage: impl Into<Cow<'static, str>>) -> Self {
        self.stage = stage.into();
        self
    }

    /// Sets the place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the help.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help, if there is any.
    pub fn help_opt(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Adds a related place.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push(Related { place, message: message.into() });
        self
    }
}
