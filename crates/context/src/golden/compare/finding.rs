//! Findings with the place of their expectation.

use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes};

/// The findings of one case.
pub(super) struct Findings<'d> {
    document: &'d Document,
    found: Vec<Diagnostic>,
}

impl<'d> Findings<'d> {
    pub(super) fn of(document: &'d Document) -> Self {
        Self { document, found: Vec::new() }
    }

    /// Reports another outcome, or another code of a refusal.
    pub(super) fn outcome(&mut self, name: &str, message: String, help: Option<String>) {
        let place = self.document.place(&pointer(&[name]));
        self.found.push(Diagnostic::error(codes::GOLDEN_CASE_OUTCOME, message).at(place).help_opt(help));
    }

    /// Reports an expectation, by its path under `expect`, that does not hold.
    pub(super) fn differs(&mut self, path: &[&str], message: String, help: Option<String>) {
        let place = self.document.place(&pointer(path));
        self.found.push(Diagnostic::error(codes::GOLDEN_CASE_EXPECTATION, message).at(place).help_opt(help));
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.found
    }
}

fn pointer(path: &[&str]) -> String {
    path.iter().fold("/expect".to_owned(), |pointer, part| Pointer::push(&pointer, part))
}
