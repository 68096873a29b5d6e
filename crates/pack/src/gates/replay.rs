//! Validation gate 6, replay: golden cases have the expected outcome.
//!
//! Enters: the golden cases beside the pack, and a runner. Leaves: every difference of a case, or one warning that none
//! was run. Must prove: skipped cases are never mistaken for passed ones.

use super::GateInput;
use crate::bundle::Bundle;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::ContextPack;

/// Runs golden cases. The compiler is above this crate, so the caller supplies it.
pub trait GoldenCaseRunner {
    /// Returns every difference of the golden cases of a bundle.
    fn run(&self, bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic>;
}

/// A runner that runs nothing, and reports that.
pub(crate) struct NoRunner;

impl GoldenCaseRunner for NoRunner {
    fn run(&self, bundle: &Bundle, _pack: &ContextPack) -> Vec<Diagnostic> {
        let help = match bundle.golden.len() {
            1 => "the case under `golden/` runs with `deed pack lint`".to_owned(),
            count => format!("the {count} cases under `golden/` run with `deed pack lint`"),
        };
        vec![none_run(bundle, help)]
    }
}

pub(crate) fn check(input: &GateInput<'_>, golden: &dyn GoldenCaseRunner) -> Vec<Diagnostic> {
    if input.bundle.golden.is_empty() {
        return vec![none_run(input.bundle, "write some under `golden/`".to_owned())];
    }
    golden.run(input.bundle, input.pack)
}

fn none_run(bundle: &Bundle, help: String) -> Diagnostic {
    let place = Place::file(bundle.document.source().name());
    Diagnostic::warning(codes::NO_GOLDEN_CASES_RUN, "no golden cases were run").at(place).help(help)
}
