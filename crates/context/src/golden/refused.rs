//! Cases that end before a compile: an input, the pack or its overlays cannot be used.

use super::compare;
use super::read::NOT_READABLE;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, Report, Severity};
use deed_model::GoldenExpectation;

const NOT_COMPILED: Code = Code::new("D0705");

/// An input that is refused is a fault of the case, unless the case is about just that.
pub(super) fn before_compile(
    document: &Document,
    expect: &GoldenExpectation,
    part: &str,
    refusal: &Refusal,
) -> Vec<Diagnostic> {
    if expect.outcome == "refused" {
        return compare::outcome(document, expect, &refused(refusal));
    }
    let within = refusal.diagnostic.place.as_ref().and_then(|place| place.pointer.as_deref()).unwrap_or_default();
    let pointer = format!("{}{within}", Pointer::push("", part));
    vec![told(NOT_READABLE, &refusal.diagnostic).at(document.place(&pointer))]
}

/// A pack that cannot be made ready.
pub(super) fn unusable_pack(document: &Document, expect: &GoldenExpectation, refusal: &Refusal) -> Vec<Diagnostic> {
    if expect.outcome == "refused" {
        return compare::outcome(document, expect, &refused(refusal));
    }
    vec![told(NOT_COMPILED, &refusal.diagnostic).at(document.place("/expect/outcome"))]
}

/// Overlays that cannot be applied.
pub(super) fn unusable_overlays(document: &Document, report: &Report) -> Diagnostic {
    let errors = || report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    let mut diagnostic = match errors().next() {
        Some(first) => told(NOT_COMPILED, first),
        None => Diagnostic::error(NOT_COMPILED, "the overlays of the case cannot be applied"),
    };
    for other in errors() {
        if let Some(place) = &other.place {
            diagnostic = diagnostic.related(place.clone(), other.message.clone());
        }
    }
    diagnostic.at(document.place("/overlays"))
}

fn refused<'a>(refusal: &Refusal) -> Outcome<'a> {
    Outcome::Refused(Box::new(refusal.clone()))
}

/// The same under a code of the gate.
fn told(code: Code, why: &Diagnostic) -> Diagnostic {
    Diagnostic::error(code, why.message.clone()).help_opt(why.help.clone())
}
