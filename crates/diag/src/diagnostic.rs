//! The one value behind every finding and refusal.

use crate::code::Code;
use deed_canon::Span;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// How much a finding weighs. The strictest wins by comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; changes no outcome.
    Info,
    /// Allowed, and probably not meant.
    Warning,
    /// Refused.
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

/// A place in a source: its name, a JSON Pointer where there is one, the bytes where they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the source, usually a path.
    pub source: String,
    /// JSON Pointer into the document.
    pub pointer: Option<String>,
    /// Bytes of the source.
    pub span: Option<Span>,
}

impl Place {
    /// A whole source.
    pub fn file(source: impl Into<String>) -> Self {
        Self { source: source.into(), pointer: None, span: None }
    }

    /// Some bytes of a source.
    pub fn span(source: impl Into<String>, span: Span) -> Self {
        Self { source: source.into(), pointer: None, span: Some(span) }
    }
}

/// Another place that helps to understand a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The other place.
    pub place: Place,
    /// What it has to do with the finding.
    pub message: String,
}

/// A finding or a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// Weight.
    pub severity: Severity,
    /// Which stage, gate or command found it.
    pub stage: Cow<'static, str>,
    /// Where.
    pub place: Option<Place>,
    /// What: lowercase, no final stop, the user's words in backticks.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
    /// Other places.
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// A finding of a given weight.
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

    /// An error.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A remark.
    pub fn info(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, code, message)
    }

    /// Says which stage found it.
    pub fn stage(mut self, stage: impl Into<Cow<'static, str>>) -> Self {
        self.stage = stage.into();
        self
    }

    /// Says where.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Says the way out.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says the way out, if there is one.
    pub fn help_opt(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Names another place.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push(Related { place, message: message.into() });
        self
    }
}
