//! Cases that end before a compile: an input, the pack or its overlays are unusable.

use super::compare;
use super::observe::Observation;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, Report, Severity, codes};
use deed_model::{CompileOutcome, GoldenExpectation};

/// A refused input is an error of the case, unless the case expects exactly that.
pub(super) fn before_compile(
    document: &Document,
    expect: &GoldenExpectation,
    part: &str,
    refusal: &Refusal,
) -> Vec<Diagnostic> {
    if expect.outcome == CompileOutcome::Refused {
        return outcome(document, expect, refusal);
    }
    let within = refusal.diagnostic.place.as_ref().and_then(|place| place.pointer.as_deref()).unwrap_or_default();
    let pointer = format!("{}{within}", Pointer::push("", part));
    vec![finding(codes::GOLDEN_CASE_NOT_READABLE, &refusal.diagnostic).at(document.place(&pointer))]
}

/// Reports a pack that cannot be hydrated.
pub(super) fn unusable_pack(document: &Document, expect: &GoldenExpectation, refusal: &Refusal) -> Vec<Diagnostic> {
    if expect.outcome == CompileOutcome::Refused {
        return outcome(document, expect, refusal);
    }
    vec![finding(codes::GOLDEN_CASE_NOT_COMPILED, &refusal.diagnostic).at(document.place("/expect/outcome"))]
}

/// Reports overlays that cannot be applied.
pub(super) fn unusable_overlays(document: &Document, report: &Report) -> Diagnostic {
    let errors = || report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    let mut diagnostic = match errors().next() {
        Some(first) => finding(codes::GOLDEN_CASE_NOT_COMPILED, first),
        None => Diagnostic::error(codes::GOLDEN_CASE_NOT_COMPILED, "the overlays of the case cannot be applied"),
    };
    for other in errors() {
        if let Some(place) = &other.place {
            diagnostic = diagnostic.related(place.clone(), other.message.clone());
        }
    }
    diagnostic.at(document.place("/overlays"))
}

/// Compares a refusal with what the case expects.
fn outcome(document: &Document, expect: &GoldenExpectation, refusal: &Refusal) -> Vec<Diagnostic> {
    let refused = Outcome::Refused(Box::new(refusal.clone()));
    compare::outcome(document, expect, &refused, &Observation::before_compile(&refused))
}

/// Returns the same diagnostic under a code of the gate.
fn finding(code: Code, why: &Diagnostic) -> Diagnostic {
    Diagnostic::error(code, why.message.clone()).help_opt(why.help.clone())
}
