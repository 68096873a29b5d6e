//! The compile: eight stages, one after the other.

use crate::hydrate::Hydrated;
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::resolve;
use crate::seal::Seals;
use crate::stages::buckets::Filling;
use crate::stages::manifests::Results;
use crate::stages::{Cx, buckets, budget, evidence, intent, manifests, memory, policy, tools};
use crate::tokens::CountCache;
use deed_model::{CompiledContext, RecordedStage};

/// Compiles a request under a pack. Pure: the same inputs give the same bytes.
pub fn compile<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> Outcome<'a> {
    Outcome::of(stages(Cx { pack, inputs, counts: None, pinned: true }, &mut Seals::new()))
}

/// The same, with token counts that other compiles have taken already.
pub fn compile_with<'a>(pack: &'a Hydrated, inputs: Inputs<'a>, counts: &'a dyn CountCache) -> Outcome<'a> {
    Outcome::of(stages(Cx { pack, inputs, counts: Some(counts), pinned: true }, &mut Seals::new()))
}

/// Compiles, and keeps what each stage read and decided.
pub fn compile_recorded<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> (Outcome<'a>, Vec<RecordedStage>) {
    recorded(Cx { pack, inputs, counts: None, pinned: true })
}

/// The same for recorded inputs under another pack than the one that they name.
pub(crate) fn compile_candidate<'a>(pack: &'a Hydrated, inputs: Inputs<'a>) -> (Outcome<'a>, Vec<RecordedStage>) {
    recorded(Cx { pack, inputs, counts: None, pinned: false })
}

fn recorded(cx: Cx<'_>) -> (Outcome<'_>, Vec<RecordedStage>) {
    let mut seals = Seals::recording();
    let outcome = Outcome::of(stages(cx, &mut seals));
    (outcome, seals.into_records())
}

fn stages<'a>(cx: Cx<'a>, seals: &mut Seals) -> Result<CompiledContext<'a>, Refusal> {
    let assumed = resolve::admit(cx)?;
    let intent = intent::classify(cx, seals)?;
    let policy = policy::resolve(cx, &intent, seals)?;
    let mut tools = tools::surface(cx, &policy, seals)?;
    let mut evidence = evidence::admit(cx, seals)?;
    let mut memory = memory::recall(cx, &intent, seals)?;
    let budget = budget::allocate(cx, &intent, &policy, seals)?;
    let mut filling =
        Filling { policy: &policy, tools: &mut tools, evidence: &mut evidence, memory: &mut memory, budget: &budget };
    let buckets = buckets::assemble(cx, &mut filling, seals)?;
    manifests::emit(cx, Results { intent, policy, tools, evidence, memory, budget, buckets, assumed }, seals)
}
