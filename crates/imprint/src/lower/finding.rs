//! Findings about a filled template.

use deed_diag::{Code, Diagnostic, Document, codes};

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its stable code.
    pub code: Code,
    /// The JSON pointer of the place in the filled template.
    pub pointer: String,
    /// The message: lowercase, without a final stop.
    pub message: String,
    /// A hint.
    pub help: Option<String>,
}

impl Finding {
    pub(super) fn new(code: Code, pointer: String, message: impl Into<String>) -> Self {
        Self { code, pointer, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The finding with its place in the document that was filled in.
    pub fn diagnostic(&self, document: &Document) -> Diagnostic {
        let place = if self.code == codes::UNEXPECTED_KEY {
            document.key_place(&self.pointer)
        } else {
            document.place(&self.pointer)
        };
        Diagnostic::error(self.code, self.message.clone()).stage("lower").at(place).help_opt(self.help.clone())
    }
}
