//! Recording of compiles.

use super::REPLAY_FORMAT;
use super::inputs::prepare;
use super::origin::RecordingOrigin;
use super::seal::{identity, seal};
use super::transcript;
use crate::cache::Hydrations;
use crate::compile::compile_recorded;
use crate::golden::unmet;
use crate::hydrate::{PackMaterial, hydrate_for};
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::tokens::{DEFAULT_TOKENIZER, reconcile};
use deed_canon::{CanonError, MAX_DEPTH, Pointer, derive_id};
use deed_diag::{Report, codes};
use deed_model::{
    BundleExpectation, BundleInputs, PacketExpectation, RecordedCall, RecordedStage, ReplayBundle, ReplayPacket,
    SourceKind, UsageReport,
};
use serde_json::Value;

/// The documents to record.
#[derive(Debug, Clone)]
pub struct Recording {
    /// The pack.
    pub pack: PackMaterial,
    /// The request.
    pub request: Value,
    /// The run; `as_of` is required.
    pub run: Value,
    /// A list of evidence.
    pub evidence: Value,
    /// A list of memories.
    pub memory: Value,
    /// A list of what the store recalled; none if it was not asked.
    pub recalled_memory: Option<Value>,
    /// The kind of source.
    pub source_kind: SourceKind,
    /// Everything else that is known of its origin.
    pub origin: RecordingOrigin,
    /// The token count of the prompt that a provider reported.
    pub reported_tokens: Option<u64>,
}

/// Compiles and records everything that was read and decided. A refused compile is recorded too.
///
/// # Errors
/// If a document cannot be read, or the pack cannot be hydrated.
pub fn record(recording: Recording, cache: &Hydrations) -> Result<ReplayBundle, Report> {
    let source_kind = recording.source_kind;
    let reported = recording.reported_tokens;
    let origin = recording.origin.clone();
    origin.check(source_kind)?;
    let (material, inputs) = inputs_of(recording);
    let prepared = prepare(&inputs)?;
    let pack = hydrate_for(&material, &inputs.tokenizer, cache)?;
    let (outcome, stages) = compile_recorded(&pack, prepared.inputs());
    let usage = usage(&outcome, reported);
    let calls = transcript::decide(&pack, prepared.inputs(), &inputs.tool_transcript, true)?;
    let side_effect_policy = origin.side_effects(&inputs.tool_transcript, &calls)?;
    if let Some(correction) = &origin.correction
        && unmet(&correction.expect, (&pack, prepared.inputs()), &outcome, &stages).is_empty()
    {
        return Err(RecordingOrigin::nothing_to_correct());
    }
    let expected = expectation(&outcome, stages, calls);
    let no_hash = |error: CanonError| {
        let message = format!("the recording has no canonical form: {error}");
        let refusal = Refusal::before(codes::INPUT_WITHOUT_CANONICAL_FORM, message);
        let refusal = match deepest(&inputs) {
            Some((name, at)) => refusal
                .place(name, &at)
                .help(format!("a recording holds its inputs two levels deeper: flatten this to {} levels", ROOM)),
            None => refusal,
        };
        Report::of(*refusal.diagnostic)
    };
    let identity = identity(&inputs, &expected).map_err(no_hash)?;
    let chain = transcript::chain_hash(&inputs.tool_transcript).map_err(no_hash)?;
    let run = prepared.run.context();
    let packet = ReplayPacket {
        expected: PacketExpectation {
            compiled_context_hash: expected.compiled_context_hash,
            outcome: expected.outcome.clone(),
        },
        latest_result: None,
        pack_ref: pack.reference().to_owned(),
        packet_id: derive_id("rpl", &origin.identity(&identity).map_err(no_hash)?),
        session_ids: origin.sessions(prepared.inputs()),
        side_effect_policy,
        snapshot_ref: origin.snapshot(run.kg_snapshot_id.as_deref())?,
        source_kind,
        source_ref: origin
            .source_ref
            .clone()
            .unwrap_or_else(|| format!("{}/{}", run.run_id, prepared.request.request_id())),
        tool_transcript_chain_hash: chain,
        correction: origin.correction,
        supersedes: origin.supersedes,
        trace_id: origin.trace_id,
    };
    let seal = seal(&inputs, &expected, &packet, usage.as_ref()).map_err(no_hash)?;
    Ok(ReplayBundle { expected, format: REPLAY_FORMAT.to_owned(), inputs, measured: None, packet, seal, usage })
}

/// The levels that an input may have: a recording has it under `inputs`, and a stage's reads under theirs.
const ROOM: usize = MAX_DEPTH - 4;

/// Returns the first value that leaves a recording too few levels, by the name of its input and its place there.
fn deepest(inputs: &BundleInputs) -> Option<(&'static str, String)> {
    let named = [
        ("request", &inputs.request),
        ("run context", &inputs.run),
        ("evidence", &inputs.evidence),
        ("memory", &inputs.memory),
        ("pack", &inputs.pack),
    ];
    let recalled = inputs.recalled_memory.iter().map(|value| ("recalled memory", value));
    named.into_iter().chain(recalled).find_map(|(name, value)| beyond(value, String::new(), ROOM).map(|at| (name, at)))
}

/// Returns the place of the first value below so many levels. The way to it is cut where it says enough.
fn beyond(value: &Value, at: String, levels: usize) -> Option<String> {
    /// The parts of a place that are shown; a hundred more would not help.
    const SHOWN: usize = 8;
    let below = |key: &str, inner: &Value| {
        let deeper = match at.matches('/').count() < SHOWN {
            true => Pointer::push(&at, key),
            false => at.clone(),
        };
        match levels.checked_sub(1) {
            Some(levels) => beyond(inner, deeper, levels),
            None => Some(deeper),
        }
    };
    match value {
        Value::Array(items) => items.iter().enumerate().find_map(|(i, item)| below(&i.to_string(), item)),
        Value::Object(fields) => fields.iter().find_map(|(key, inner)| below(key, inner)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn inputs_of(recording: Recording) -> (PackMaterial, BundleInputs) {
    let Recording { pack, request, run, evidence, memory, recalled_memory, origin, .. } = recording;
    let named = run.get("tokenizer").and_then(Value::as_str).unwrap_or(DEFAULT_TOKENIZER);
    let tokenizer = named.to_owned();
    let inputs = BundleInputs {
        endpoints: pack.endpoints.clone(),
        evidence,
        memory,
        overlays: pack.overlays.clone(),
        pack: pack.pack.clone(),
        pack_source: pack.source.clone(),
        recalled_memory,
        request,
        run,
        selected_overlays: pack.selected.clone(),
        tokenizer,
        tool_transcript: origin.transcript,
    };
    (pack, inputs)
}

/// Returns the result of a compile as it is recorded.
pub(super) fn expectation(
    outcome: &Outcome<'_>,
    stages: Vec<RecordedStage>,
    calls: Vec<RecordedCall>,
) -> BundleExpectation {
    BundleExpectation {
        calls,
        compiled_context_hash: outcome.context().and_then(|c| c.context_ledger.compiled_context_hash),
        outcome: outcome.recorded(),
        refusal: match outcome {
            Outcome::Refused(refusal) => Some(refusal.diagnostic.code.to_string()),
            Outcome::Compiled(_) | Outcome::MustEscalate(_) | Outcome::MustRefuse(_) => None,
        },
        stages,
    }
}

fn usage(outcome: &Outcome<'_>, reported: Option<u64>) -> Option<UsageReport> {
    Some(reconcile(outcome.context()?, reported?))
}
