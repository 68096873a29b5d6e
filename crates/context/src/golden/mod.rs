//! Golden cases: requests beside a pack, each with its expected outcome.
//!
//! Enters: a pack folder whose pack has a valid shape. Leaves: every difference of a case, with the place of the
//! expectation. Must prove: a case is silent only if it was compiled and all its expectations hold.

mod compare;
mod read;
mod ready;
mod refused;
mod stems;

use crate::compile::compile;
use deed_diag::{Diagnostic, Document, codes};
use deed_model::{CompileOutcome, ContextPack, GoldenCase, GoldenExpectation, schema_for};
use deed_pack::{Bundle, GoldenCaseRunner};
use deed_schema::Shape;
use read::GoldenInputs;
use ready::Packs;

/// Compiles the golden cases of a pack and compares the results with their expectations.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoldenRunner;

impl GoldenCaseRunner for GoldenRunner {
    fn run(&self, bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
        let shape = Shape::new(schema_for::<GoldenCase>());
        let mut packs = Packs::of(bundle, pack);
        let mut found = stems::repeated(&bundle.golden);
        for document in &bundle.golden {
            found.extend(run(document, &shape, &mut packs));
        }
        found
    }
}

/// Returns all findings of one case.
fn run(document: &Document, shape: &Shape, packs: &mut Packs<'_>) -> Vec<Diagnostic> {
    let case = match read::case(document, shape) {
        Ok(case) => case,
        Err(faults) => return faults,
    };
    let mut found = weakness(document, &case.expect);
    found.extend(judge(document, &case, packs));
    found
}

/// Returns the findings of a readable case: it cannot be compiled, or its outcome differs.
fn judge(document: &Document, case: &GoldenCase, packs: &mut Packs<'_>) -> Vec<Diagnostic> {
    let before = |part: &str, refusal| refused::before_compile(document, &case.expect, part, refusal);
    let inputs = match GoldenInputs::read(case) {
        Ok(inputs) => inputs,
        Err((part, refusal)) => return before(part, &refusal),
    };
    let tokenizer = match inputs.run.tokenizer() {
        Ok(tokenizer) => tokenizer,
        Err(refusal) => return before("run", &refusal),
    };
    let hydrated = match packs.ready(&case.overlays, tokenizer) {
        Ok(Ok(hydrated)) => hydrated,
        Ok(Err(refusal)) => return refused::unusable_pack(document, &case.expect, &refusal),
        Err(report) => return vec![refused::unusable_overlays(document, &report)],
    };
    compare::outcome(document, &case.expect, &compile(&hydrated, inputs.borrow()))
}

/// Reports a case that would pass whatever the compiler put into the context.
fn weakness(document: &Document, expect: &GoldenExpectation) -> Vec<Diagnostic> {
    let bare = GoldenExpectation { outcome: expect.outcome.clone(), ..GoldenExpectation::default() };
    if *expect != bare {
        return Vec::new();
    }
    let help = match expect.outcome {
        CompileOutcome::Refused => "add the expected `code`",
        _ => "add further expectations: rules, tools, evidence, blocks, or the hash of the whole",
    };
    let message = "the case expects nothing beyond the outcome";
    vec![Diagnostic::warning(codes::GOLDEN_CASE_WEAK, message).at(document.place("/expect/outcome")).help(help)]
}
