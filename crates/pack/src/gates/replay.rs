//! Gate 6, replay: golden cases compile to what they did before.
//!
//! Enters: the golden cases beside the pack. Leaves: one warning, because the compiler that runs them is
//! not here yet. Must prove: that nobody takes silence for a passed replay.

use super::GateInput;
use deed_diag::{Code, Diagnostic, Place};

const NO_GOLDEN_CASES_RUN: Code = Code::new("D0701");

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let help = match input.bundle.golden.len() {
        0 => "there are none under `golden/`; they run once packs can be compiled".to_owned(),
        count => format!("{count} under `golden/` will run once packs can be compiled"),
    };
    let place = Place::file(input.bundle.document.source().name());
    vec![Diagnostic::warning(NO_GOLDEN_CASES_RUN, "no golden cases run").at(place).help(help)]
}
