//! Refusals of a compile.

use deed_diag::{Code, Diagnostic, Place};
use deed_model::Stage;
use std::borrow::Cow;

/// A refused compile: the diagnostic, and the stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The diagnostic.
    pub diagnostic: Box<Diagnostic>,
    /// The stage that refused; `None` for a refusal before the first stage.
    pub stage: Option<Stage>,
}

impl Refusal {
    /// Creates a refusal before the first stage.
    pub(crate) fn before(code: Code, message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(code, message).stage("resolve");
        Self { diagnostic: Box::new(diagnostic), stage: None }
    }

    /// Creates a refusal by a stage.
    pub(crate) fn at(stage: Stage, code: Code, message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(code, message).stage(Cow::Borrowed(stage.as_str()));
        Self { diagnostic: Box::new(diagnostic), stage: Some(stage) }
    }

    /// Sets the help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Sets the place: an input by name and a JSON Pointer into it.
    pub(crate) fn place(mut self, source: &str, pointer: &str) -> Self {
        let pointer = (!pointer.is_empty()).then(|| pointer.to_owned());
        let place = Place { source: source.to_owned(), pointer, span: None };
        self.diagnostic.place = Some(place);
        self
    }
}
