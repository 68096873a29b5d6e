//! Findings with the place of the expectation that they are about.

use super::{DIFFERS, OTHER_OUTCOME};
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document};

/// The findings of one case.
pub(super) struct Findings<'d> {
    document: &'d Document,
    found: Vec<Diagnostic>,
}

impl<'d> Findings<'d> {
    pub(super) fn of(document: &'d Document) -> Self {
        Self { document, found: Vec::new() }
    }

    /// The outcome, or the code of a refusal, is another.
    pub(super) fn outcome(&mut self, name: &str, message: String, help: Option<String>) {
        let place = self.document.place(&pointer(&[name]));
        self.found.push(Diagnostic::error(OTHER_OUTCOME, message).at(place).help_opt(help));
    }

    /// An expectation, by its path under `expect`, does not hold.
    pub(super) fn differs(&mut self, path: &[&str], message: String, help: Option<String>) {
        let place = self.document.place(&pointer(path));
        self.found.push(Diagnostic::error(DIFFERS, message).at(place).help_opt(help));
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.found
    }
}

fn pointer(path: &[&str]) -> String {
    path.iter().fold("/expect".to_owned(), |pointer, part| Pointer::push(&pointer, part))
}
