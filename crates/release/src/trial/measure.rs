//! What a compile of the candidate shows by itself: its surface, its size and its time.

use super::Stopwatch;
use deed_context::{
    Evidence, Hydrations, Inputs, Memory, PackMaterial, ReadInput, Request, Run, compile_candidate, hydrate,
};
use deed_diag::Invariant as _;
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
    /// The surfaced capabilities; none if there is no context.
    pub(crate) tools: BTreeSet<String>,
    /// Capabilities whose results are among the evidence.
    pub(crate) called: BTreeSet<String>,
    /// Tokens of the prompt; none if there is no context.
    pub(crate) tokens: Option<u64>,
    /// The time that the compile took; none if the candidate cannot be compiled with the overlays of the request.
    pub(crate) took: Option<Duration>,
}

/// Compiles a request with the candidate; `None` if its inputs cannot be read, which other gates report. A request whose
/// overlays do not fit the candidate is measured all the same: it gets nothing.
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
    let found = Measured {
        id: id.to_owned(),
        intent: request.intent().to_owned(),
        tools: BTreeSet::new(),
        called: called(&inputs.evidence),
        tokens: None,
        took: None,
    };
    let Ok(pack) = hydrate(&material, &run, cache) else { return Some(found) };
    let borrowed = Inputs { request: &request, run: &run, evidence: &evidence, memory: &memory };
    let began = stopwatch();
    let (outcome, _) = compile_candidate(&pack, borrowed);
    let took = stopwatch().saturating_sub(began);
    let context = outcome.context();
    let entries = context.into_iter().flat_map(|context| &context.manifests.tool_manifest);
    let tools = entries
        .flat_map(|entry| entry.capability_metadata.keys().map(move |name| format!("{}.{name}", entry.adapter_id)));
    let tokens = context.map(|c| c.budget_report.head_tokens.sum() + c.budget_report.tokens_used_at_compile);
    Some(Measured { tools: tools.collect(), tokens, took: Some(took), ..found })
}

/// Returns the capabilities whose results are among the evidence: `tool:<adapter>.<capability>:<call>`.
fn called(evidence: &Value) -> BTreeSet<String> {
    let items = evidence.as_array().invariant("evidence that was read is a list").iter();
    let references = items.filter_map(|item| item.get("evidence_ref").and_then(Value::as_str));
    references.filter_map(|text| Some(text.strip_prefix("tool:")?.split_once(':')?.0.to_owned())).collect()
}
