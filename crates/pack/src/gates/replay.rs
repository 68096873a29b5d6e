//! Gate 6, replay: golden cases compile to what they did before.
//!
//! Enters: the golden cases beside the pack, and who can run them. Leaves: every way in which a case comes out
//! differently, or one warning that none ran. Must prove: that nobody takes silence for a passed replay.

use super::GateInput;
use crate::bundle::Bundle;
use deed_diag::{Code, Diagnostic, Place};
use deed_model::ContextPack;

const NO_GOLDEN_CASES_RUN: Code = Code::new("D0701");

/// Runs golden cases. The compiler stands above this crate, so whoever lints brings it.
pub trait Golden {
    /// Every way in which the golden cases of a bundle come out differently, over all cases.
    fn run(&self, bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic>;
}

/// Runs nothing, and says so.
pub(crate) struct NoRunner;

impl Golden for NoRunner {
    fn run(&self, bundle: &Bundle, _pack: &ContextPack) -> Vec<Diagnostic> {
        let help = match bundle.golden.len() {
            1 => "the case under `golden/` runs with `deed pack lint`".to_owned(),
            count => format!("the {count} cases under `golden/` run with `deed pack lint`"),
        };
        vec![none_run(bundle, help)]
    }
}

pub(crate) fn check(input: &GateInput<'_>, golden: &dyn Golden) -> Vec<Diagnostic> {
    if input.bundle.golden.is_empty() {
        return vec![none_run(input.bundle, "write some under `golden/`".to_owned())];
    }
    golden.run(input.bundle, input.pack)
}

fn none_run(bundle: &Bundle, help: String) -> Diagnostic {
    let place = Place::file(bundle.document.source().name());
    Diagnostic::warning(NO_GOLDEN_CASES_RUN, "no golden cases run").at(place).help(help)
}
