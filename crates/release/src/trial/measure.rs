//! What a compile of the candidate shows by itself: its surface, its size and its time.

use super::Stopwatch;
use deed_context::{
    Evidence, Hydrations, Inputs, Memory, PackMaterial, ReadInput, Request, Run, compile_candidate, hydrate,
};
use deed_model::BundleInputs;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// One request, compiled with the candidate.
#[derive(Debug)]
pub(crate) struct Measured {
    /// `golden/<name>`, or the id of the recording.
    pub(crate) id: String,
    /// The intent that the request names.
    pub(crate) intent: String,
    /// The surfaced capabilities; none if the compile was refused.
    pub(crate) tools: BTreeSet<String>,
    /// Capabilities whose results are among the evidence.
    pub(crate) called: BTreeSet<String>,
    /// Tokens of the prompt; none if the compile was refused.
    pub(crate) tokens: Option<u64>,
    /// The time that the compile took.
    pub(crate) took: Duration,
}

/// Compiles a request with the candidate; `None` if its inputs or the pack cannot be read, which other gates report.
pub(super) fn compile(
    candidate: &PackMaterial,
    id: &str,
    inputs: &BundleInputs,
    (cache, stopwatch): (&Hydrations, Stopwatch<'_>),
) -> Option<Measured> {
    let request = Request::from_value(inputs.request.clone()).ok()?;
    let run = Run::from_value(inputs.run.clone()).ok()?;
    let evidence = Evidence::from_value(inputs.evidence.clone()).ok()?;
    let memory = Memory::from_value(inputs.memory.clone()).ok()?;
    let mut selected: Vec<String> =
        inputs.selected_overlays.iter().filter(|name| candidate.overlays.contains_key(*name)).cloned().collect();
    selected.extend(candidate.selected.iter().filter(|name| !inputs.selected_overlays.contains(name)).cloned());
    let material = PackMaterial { selected, ..candidate.clone() };
    let pack = hydrate(&material, &run, cache).ok()?;
    let borrowed = Inputs { request: &request, run: &run, evidence: &evidence, memory: &memory };
    let began = stopwatch();
    let (outcome, _) = compile_candidate(&pack, borrowed);
    let took = stopwatch().saturating_sub(began);
    let context = outcome.context();
    let tools = context.map(|context| {
        let entries = context.manifests.tool_manifest.iter();
        entries
            .flat_map(|entry| entry.capability_metadata.keys().map(move |name| format!("{}.{name}", entry.adapter_id)))
            .collect()
    });
    let tokens = context.map(|c| c.budget_report.head_tokens.sum() + c.budget_report.tokens_used_at_compile);
    let intent = inputs.request.pointer("/input/intent").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Measured {
        id: id.to_owned(),
        intent,
        tools: tools.unwrap_or_default(),
        called: called(&inputs.evidence),
        tokens,
        took,
    })
}

/// Returns the capabilities whose results are among the evidence: `tool:<adapter>.<capability>:<call>`.
fn called(evidence: &Value) -> BTreeSet<String> {
    let items = evidence.as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let references = items.filter_map(|item| item.get("evidence_ref").and_then(Value::as_str));
    references.filter_map(|text| Some(text.strip_prefix("tool:")?.split_once(':')?.0.to_owned())).collect()
}
