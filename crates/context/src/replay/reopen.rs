//! Reopening of recordings: the compiled context that was recorded, compiled again and proven to be the same.

use super::inputs::{counted_by, prepare};
use super::run::replay;
use crate::cache::Hydrations;
use crate::compile::compile_recorded;
use crate::hydrate::{PackMaterial, hydrate_for};
use crate::refusal::Refusal;
use deed_diag::{Report, codes};
use deed_model::{CompiledContext, EvidenceItem, ReplayBundle, RunContext};
use deed_pack::Resolved;
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// A recorded compile that came out the same again.
#[derive(Debug, Clone, Copy)]
pub struct Reopened<'r> {
    /// The compiled context.
    pub context: &'r CompiledContext<'r>,
    /// The pack with its overlays applied.
    pub pack: &'r Resolved,
    /// The facts of the request: `input.context`.
    pub facts: &'r Map<String, Value>,
    /// The run context.
    pub run: &'r RunContext,
    /// The evidence that was supplied.
    pub evidence: &'r [EvidenceItem],
}

/// Compiles a recording again and passes on everything that it is made of.
///
/// # Errors
/// If the bundle cannot be read, was changed since, compiles differently by now, or records a refusal.
pub fn reopen<T>(bundle: &ReplayBundle, cache: &Hydrations, with: impl FnOnce(Reopened<'_>) -> T) -> Result<T, Report> {
    let replayed = replay(bundle, cache)?;
    if !replayed.is_equal() {
        let why = match (&replayed.moved, replayed.tampered.as_slice()) {
            (_, [first, ..]) => format!("its {first} was changed since it was recorded"),
            (Some(moved), []) => format!("the stage `{}` comes out differently", moved.stage),
            (None, []) => "it comes out differently".to_owned(),
        };
        return Err(unusable(&why));
    }
    let prepared = prepare(&bundle.inputs)?;
    let material = PackMaterial::recorded(&bundle.inputs);
    let hydrated = hydrate_for(&material, counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, _) = compile_recorded(&hydrated, prepared.inputs());
    let Some(context) = outcome.context() else { return Err(unusable("the compile that it records was refused")) };
    let evidence = Vec::<EvidenceItem>::deserialize(&bundle.inputs.evidence).map_err(|e| unusable(&e.to_string()))?;
    let pack = material.resolve()?;
    let none = Map::new();
    let facts = bundle.inputs.request.pointer("/input/context").and_then(Value::as_object).unwrap_or(&none);
    Ok(with(Reopened { context, pack: &pack, facts, run: prepared.run.context(), evidence: &evidence }))
}

fn unusable(why: &str) -> Report {
    let message = format!("the recorded compile cannot be decided from: {why}");
    let diagnostic = Refusal::before(codes::CONTEXT_OF_DECISION_UNUSABLE, message).diagnostic;
    Report::of(diagnostic.help("record the request again with `deed context record`, and decide from that"))
}
