//! Golden cases: requests beside a pack, each with what it must compile to.
//!
//! Enters: a pack folder whose pack has the shape of one. Leaves: every way in which a case comes out differently, with
//! the place of the expectation. Must prove: a case is silent only if it was compiled and all that it expects holds.

mod compare;
mod read;
mod ready;
mod refused;
mod stems;

use crate::compile::compile;
use deed_diag::{Code, Diagnostic, Document};
use deed_model::{ContextPack, GoldenCase, GoldenExpectation, schema_for};
use deed_pack::{Bundle, Golden};
use deed_schema::Shape;
use read::GoldenInputs;
use ready::Packs;

const WEAK_CASE: Code = Code::new("D0706");

/// Compiles the golden cases of a pack and compares what comes of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoldenRunner;

impl Golden for GoldenRunner {
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

/// Everything that one case has to say.
fn run(document: &Document, shape: &Shape, packs: &mut Packs<'_>) -> Vec<Diagnostic> {
    let case = match read::case(document, shape) {
        Ok(case) => case,
        Err(faults) => return faults,
    };
    let mut found = weakness(document, &case.expect);
    found.extend(judge(document, &case, packs));
    found
}

/// What stands against a case that can be read: that it cannot be compiled, or does not come out as expected.
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

/// A case that would hold whatever the compiler put into the context.
fn weakness(document: &Document, expect: &GoldenExpectation) -> Vec<Diagnostic> {
    let bare = GoldenExpectation { outcome: expect.outcome.clone(), ..GoldenExpectation::default() };
    if *expect != bare {
        return Vec::new();
    }
    let help = match expect.outcome.as_str() {
        "refused" => "say with which `code`",
        _ => "say what else must hold: rules, tools, evidence, blocks, or the hash of it all",
    };
    let message = "the case expects nothing beyond the outcome";
    vec![Diagnostic::warning(WEAK_CASE, message).at(document.place("/expect/outcome")).help(help)]
}
