//! Replay of recordings.

use super::diff;
use super::inputs::{counted_by, prepare};
use super::origin::misfit;
use super::record::expectation;
use super::seal::broken;
use super::transcript;
use super::{REPLAY_FORMAT, REPLAY_FORMAT_V1};
use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::golden::{GoldenMove, unmet};
use crate::hydrate::{Hydrated, PackMaterial, hydrate_for};
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::seal::recorded_hash;
use deed_canon::{ContentHash, hash_of};
use deed_diag::{Invariant as _, Report, codes, quote};
use deed_model::{
    BundleExpectation, CONTEXT_PACK_TAG, CompileOutcome, DifferenceKind, GoldenExpectation, PacketResult,
    RecordedStage, ReplayBundle, ReplayResult, SourceKind, Stage,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The report of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ReplayReport {
    /// The id of the recording.
    pub packet_id: String,
    /// The kind of source.
    pub source_kind: SourceKind,
    /// The pack that it was replayed with.
    pub pack_ref: String,
    /// Typed hash of that pack as authored; none if it could not be compiled with.
    #[schemars(with = "Option<String>")]
    pub pack_hash: Option<ContentHash>,
    /// The overlays that were applied.
    pub overlays: Vec<String>,
    /// The result.
    pub result: ReplayResult,
    /// The parts of an operator's correction that do not hold.
    pub unmet: Vec<GoldenMove>,
    /// The first stage that changed.
    pub moved: Option<StageDifference>,
    /// The parts of the bundle that were changed since the recording.
    pub tampered: Vec<String>,
    /// Overlays of the recording that the other pack does not have.
    pub missing_overlays: Vec<String>,
    /// The recorded outcome.
    pub outcome_before: CompileOutcome,
    /// The present outcome.
    pub outcome_after: CompileOutcome,
}

/// The first stage that changed, and the place of the difference.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct StageDifference {
    /// The stage.
    pub stage: Stage,
    /// The kind of difference, regardless of its cause.
    pub kind: DifferenceKind,
    /// The document that the pointer refers to.
    pub within: DifferenceScope,
    /// JSON Pointer into the stage's record, or into the pack.
    pub pointer: String,
    /// The recorded value.
    pub before: Option<Value>,
    /// The present value.
    pub after: Option<Value>,
}

/// The document that a pointer refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceScope {
    /// The stage's record.
    Record,
    /// The pack: the stage changed only because the layer that it reads did.
    Pack,
    /// The decisions about the calls of the transcript.
    Calls,
}

impl ReplayReport {
    /// Returns true if every stage and every call has the recorded result, and the bundle is unchanged.
    pub fn is_equal(&self) -> bool {
        self.moved.is_none() && self.tampered.is_empty() && self.result != ReplayResult::Invalid
    }

    /// Reports a recording that cannot be replayed with its own pack.
    pub fn invalid(bundle: &ReplayBundle) -> Self {
        unreadable(bundle, Vec::new())
    }

    /// Reports a packet that another one has taken the place of, and that was not replayed.
    pub fn superseded(bundle: &ReplayBundle) -> Self {
        let outcome_after = bundle.expected.outcome.clone();
        Self { result: ReplayResult::Superseded, outcome_after, ..unreadable(bundle, Vec::new()) }
    }

    /// Returns the result as a packet stores it.
    pub fn result(&self) -> PacketResult {
        let moved = self.moved.as_ref();
        PacketResult {
            after: moved.and_then(|m| m.after.clone()),
            before: moved.and_then(|m| m.before.clone()),
            pointer: moved.map(|m| m.pointer.clone()),
            stage: moved.map(|m| m.stage),
            tampered: self.tampered.clone(),
            unmet: self.unmet.iter().map(|unmet| unmet.pointer.clone()).collect(),
            ..PacketResult::of(self.result)
        }
    }
}

/// Returns the share of equal replays, in parts per million; none if nothing was judged. Superseded packets were not
/// replayed and do not count.
pub fn determinism_rate<'r>(reports: impl Iterator<Item = &'r ReplayReport>) -> Option<u64> {
    let (mut all, mut equal) = (0u64, 0u64);
    for report in reports.filter(|report| report.result != ReplayResult::Superseded) {
        all += 1;
        equal += u64::from(report.is_equal());
    }
    (equal * 1_000_000).checked_div(all)
}

/// Replays a recording with its own pack.
///
/// # Errors
/// If the bundle has an unknown format or no canonical form, or its unchanged documents cannot be read.
pub fn replay(bundle: &ReplayBundle, cache: &Hydrations) -> Result<ReplayReport, Report> {
    let tampered = sealed(bundle)?;
    let recorded = PackMaterial::recorded(&bundle.inputs);
    match again(bundle, &recorded, cache) {
        Ok(now) => Ok(compare(bundle, &now, &recorded, tampered)),
        // A changed bundle may no longer be readable.
        Err(_) if !tampered.is_empty() => Ok(unreadable(bundle, tampered)),
        Err(report) => Err(report),
    }
}

/// What a replay gave.
struct Again {
    reference: String,
    expectation: BundleExpectation,
    unmet: Vec<GoldenMove>,
}

impl Again {
    fn of(
        bundle: &ReplayBundle,
        (pack, inputs): (&Hydrated, Inputs<'_>),
        outcome: &Outcome<'_>,
        stages: Vec<RecordedStage>,
        calls: Vec<deed_model::RecordedCall>,
    ) -> Self {
        let correction = bundle.packet.correction.as_ref();
        let unmet = correction.map(|c| unmet_of(&c.expect, (pack, inputs), outcome, &stages)).unwrap_or_default();
        Self { reference: pack.reference().to_owned(), expectation: expectation(outcome, stages, calls), unmet }
    }
}

/// Returns the parts of an expectation that a compile does not meet. That a request is refused says nothing without the
/// code: any fault of the pack refuses it too.
pub(super) fn unmet_of(
    expect: &GoldenExpectation,
    compiled: (&Hydrated, Inputs<'_>),
    outcome: &Outcome<'_>,
    stages: &[RecordedStage],
) -> Vec<GoldenMove> {
    let mut found = unmet(expect, compiled, outcome, stages);
    if expect.outcome == CompileOutcome::Refused && expect.code.is_none() {
        let after = expectation(outcome, Vec::new(), Vec::new()).refusal.map(Value::from);
        found.push(GoldenMove { stage: None, pointer: "/expect/code".to_owned(), before: None, after });
    }
    found
}

/// Returns true if every stage of a compile has the recorded result.
pub(super) fn is_equal_again(bundle: &ReplayBundle, outcome: &Outcome<'_>, stages: &[RecordedStage]) -> bool {
    let now = expectation(outcome, stages.to_vec(), Vec::new());
    let then = BundleExpectation { calls: Vec::new(), ..bundle.expected.clone() };
    first_moved(&then, &now).is_none()
}

fn again(bundle: &ReplayBundle, recorded: &PackMaterial, cache: &Hydrations) -> Result<Again, Report> {
    let prepared = prepare(&bundle.inputs)?;
    let pack = hydrate_for(recorded, counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, stages) = compile_recorded(&pack, prepared.inputs());
    let calls = transcript::decide(&pack, prepared.inputs(), &bundle.inputs.tool_transcript, true)?;
    Ok(Again::of(bundle, (&pack, prepared.inputs()), &outcome, stages, calls))
}

/// Replays a recording with another pack.
///
/// # Errors
/// If the bundle cannot be read, or the pack cannot be hydrated.
pub fn replay_against(
    bundle: &ReplayBundle,
    candidate: &PackMaterial,
    cache: &Hydrations,
) -> Result<ReplayReport, Report> {
    let tampered = sealed(bundle)?;
    if tampered.is_empty() {
        same_pack(bundle, candidate)?;
    }
    let prepared = prepare(&bundle.inputs)?;
    let (candidate, missing_overlays) = candidate.in_place_of(&bundle.inputs);
    let pack = hydrate_for(&candidate, counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, stages) = compile_candidate(&pack, prepared.inputs());
    // A candidate that refuses the request allows no call, which the stages tell.
    let calls = match &outcome {
        Outcome::Refused(_) => Vec::new(),
        Outcome::Compiled(_) | Outcome::MustEscalate(_) | Outcome::MustRefuse(_) => {
            transcript::decide(&pack, prepared.inputs(), &bundle.inputs.tool_transcript, false)?
        }
    };
    let now = Again::of(bundle, (&pack, prepared.inputs()), &outcome, stages, calls);
    let mut report = compare(bundle, &now, &candidate, tampered);
    report.moved = report.moved.map(|moved| in_the_pack(moved, &bundle.inputs.pack, &candidate.pack));
    Ok(ReplayReport { missing_overlays, ..report })
}

/// Refuses another pack than the recorded one: what it does with the request says nothing about this pack.
fn same_pack(bundle: &ReplayBundle, candidate: &PackMaterial) -> Result<(), Report> {
    fn id(pack: &Value) -> Option<&str> {
        pack.pointer("/pack_meta/pack_id").and_then(Value::as_str)
    }
    let (own, other) = (id(&bundle.inputs.pack), id(&candidate.pack));
    // Two packs without an id are not one pack.
    if own.is_some() && own == other {
        return Ok(());
    }
    let named = |id: Option<&str>| quote(id.unwrap_or("nothing"));
    let message = format!("it was recorded with {}, and {} is another pack", named(own), named(other));
    let refusal = Refusal::before(codes::REPLAYED_WITH_OTHER_PACK, message)
        .place("bundle", "/packet/pack_ref")
        .help("replay it with a version of its own pack");
    Err(Report::of(*refusal.diagnostic))
}

/// Returns the first difference between two compiles of one request, each with its pack.
pub(crate) fn moved_between(
    before: (&Outcome<'_>, Vec<RecordedStage>, &Value),
    after: (&Outcome<'_>, Vec<RecordedStage>, &Value),
) -> Option<StageDifference> {
    let then = expectation(before.0, before.1, Vec::new());
    let now = expectation(after.0, after.1, Vec::new());
    first_moved(&then, &now).map(|moved| in_the_pack(moved, before.2, after.2))
}

/// Returns the parts of a bundle that were changed since the recording.
fn sealed(bundle: &ReplayBundle) -> Result<Vec<String>, Report> {
    known_format(bundle)?;
    let no_canonical_form = |error| {
        let message = format!("the bundle has no canonical form: {error}");
        Report::of(*Refusal::before(codes::INPUT_WITHOUT_CANONICAL_FORM, message).diagnostic)
    };
    let mut broken = broken(bundle).map_err(no_canonical_form)?;
    let chain = transcript::chain_hash(&bundle.inputs.tool_transcript).map_err(no_canonical_form)?;
    if chain != bundle.packet.tool_transcript_chain_hash {
        broken.push("tool_transcript_chain_hash".to_owned());
    }
    let (policy, transcript) = (bundle.packet.side_effect_policy, &bundle.inputs.tool_transcript);
    // The first version had no transcripts, and its policies claimed nothing about one.
    if bundle.format != REPLAY_FORMAT_V1 && misfit(policy, transcript, &bundle.expected.calls).is_some() {
        broken.push("side_effect_policy".to_owned());
    }
    Ok(broken)
}

/// If a stage changed only because the layer that it reads did, the packs are more informative than two hashes.
fn in_the_pack(moved: StageDifference, then: &Value, now: &Value) -> StageDifference {
    if moved.within != DifferenceScope::Record || moved.pointer != diff::LAYER {
        return moved;
    }
    let layers: &[&str] = match moved.stage {
        Stage::Intent => &["/intent_layer", "/evaluation_layer/eval_targets"],
        Stage::Policy => &["/policy_layer", "/pack_meta/tenant", "/pack_meta/environment_defaults"],
        Stage::Tools => &["/tooling_layer"],
        Stage::Evidence => &["/intelligence_refs", "/pack_meta/data_classification", "/pack_meta/data_tags"],
        Stage::Memory => &["/memory_layer"],
        Stage::Budget => &["/budget_layer", "/tone_and_comms", "/decision_layer"],
        Stage::Buckets => &["/business_context"],
        Stage::Manifests => &[],
    };
    let differing = layers.iter().find_map(|at| diff::first_at(then.pointer(at), now.pointer(at), at));
    match differing {
        None => moved,
        Some(found) => StageDifference {
            within: DifferenceScope::Pack,
            pointer: found.pointer,
            before: found.before,
            after: found.after,
            ..moved
        },
    }
}

/// Refuses a bundle of an unknown format.
pub(crate) fn known_format(bundle: &ReplayBundle) -> Result<(), Report> {
    if [REPLAY_FORMAT, REPLAY_FORMAT_V1].contains(&bundle.format.as_str()) {
        return Ok(());
    }
    let message = format!(
        "the bundle has the format {}, and only `{REPLAY_FORMAT}` and `{REPLAY_FORMAT_V1}` are supported",
        quote(&bundle.format)
    );
    let refusal = Refusal::before(codes::UNKNOWN_RECORDING_FORMAT, message)
        .place("bundle", "/format")
        .help("replay it with the version of deed that recorded it");
    Err(Report::of(*refusal.diagnostic))
}

fn compare(bundle: &ReplayBundle, now: &Again, pack: &PackMaterial, tampered: Vec<String>) -> ReplayReport {
    let moved = first_moved(&bundle.expected, &now.expectation);
    let pack_hash = hash_of(&CONTEXT_PACK_TAG, &pack.pack).invariant("a pack that was hydrated has a canonical form");
    let is_own = pack.pack == bundle.inputs.pack && pack.selected == bundle.inputs.selected_overlays;
    let result = match (&bundle.packet.correction, &moved) {
        _ if !tampered.is_empty() => ReplayResult::Invalid,
        // The recorded fault itself cannot be reproduced, so nothing is known of its correction.
        (Some(_), Some(_)) if is_own => ReplayResult::ReplayMismatch,
        (Some(_), _) if now.unmet.is_empty() => ReplayResult::Fixed,
        (Some(_), _) => ReplayResult::StillFailing,
        (None, Some(_)) => ReplayResult::ReplayMismatch,
        (None, None) => ReplayResult::ReplayEqual,
    };
    ReplayReport {
        packet_id: bundle.packet.packet_id.clone(),
        source_kind: bundle.packet.source_kind,
        pack_ref: now.reference.clone(),
        pack_hash: Some(pack_hash),
        overlays: pack.selected.clone(),
        result,
        // A recording that is not what it was says nothing about its correction.
        unmet: if result == ReplayResult::StillFailing { now.unmet.clone() } else { Vec::new() },
        moved,
        tampered,
        missing_overlays: Vec::new(),
        outcome_before: bundle.expected.outcome.clone(),
        outcome_after: now.expectation.outcome.clone(),
    }
}

/// Reports a bundle that was changed until it could not be read.
fn unreadable(bundle: &ReplayBundle, tampered: Vec<String>) -> ReplayReport {
    ReplayReport {
        packet_id: bundle.packet.packet_id.clone(),
        source_kind: bundle.packet.source_kind,
        pack_ref: bundle.packet.pack_ref.clone(),
        pack_hash: None,
        overlays: bundle.inputs.selected_overlays.clone(),
        result: ReplayResult::Invalid,
        unmet: Vec::new(),
        moved: None,
        tampered,
        missing_overlays: Vec::new(),
        outcome_before: bundle.expected.outcome.clone(),
        outcome_after: CompileOutcome::Unreadable,
    }
}

/// Returns the record of a stage, if it ran.
fn of_stage(records: &[RecordedStage], stage: Stage) -> Option<&RecordedStage> {
    records.iter().find(|record| record.stage == stage)
}

fn first_moved(then: &BundleExpectation, now: &BundleExpectation) -> Option<StageDifference> {
    for stage in Stage::ALL {
        let (old, new) = (of_stage(&then.stages, stage), of_stage(&now.stages, stage));
        match (old, new) {
            (Some(old), Some(new)) if old.hash != new.hash || recorded_hash(old) != Some(new.hash) => {
                return Some(difference(old, new));
            }
            (Some(_), Some(_)) => {}
            // One compile refused here; earlier stages agree.
            (None, None) => break,
            (old, new) => return Some(refusal_moved(stage, then, now, old.is_some(), new.is_some())),
        }
    }
    let hash_then = then.compiled_context_hash;
    let changed = (then.outcome != now.outcome) || then.refusal != now.refusal;
    if changed || hash_then != now.compiled_context_hash {
        let whole = |e: &BundleExpectation| Some(json!([e.outcome, e.refusal, e.compiled_context_hash]));
        return Some(StageDifference {
            stage: refusing_stage(then, now),
            kind: DifferenceKind::Policy,
            within: DifferenceScope::Record,
            pointer: String::new(),
            before: whole(then),
            after: whole(now),
        });
    }
    call_moved(then, now)
}

/// Returns the first call that is decided differently. The stages agree, so the arguments decide.
fn call_moved(then: &BundleExpectation, now: &BundleExpectation) -> Option<StageDifference> {
    let longest = then.calls.len().max(now.calls.len());
    let at = (0..longest).find(|i| then.calls.get(*i) != now.calls.get(*i))?;
    let of = |calls: &[deed_model::RecordedCall]| calls.get(at).map(|call| json!(call.verdict));
    Some(StageDifference {
        stage: Stage::Policy,
        kind: DifferenceKind::Tool,
        within: DifferenceScope::Calls,
        pointer: format!("/{at}/verdict"),
        before: of(&then.calls),
        after: of(&now.calls),
    })
}

fn difference(old: &RecordedStage, new: &RecordedStage) -> StageDifference {
    let found = diff::of_stages(old, new);
    let (pointer, before, after) = match found {
        Some(found) => (found.pointer, found.before, found.after),
        // The record is the same, but its hash was changed.
        None => (String::new(), Some(json!(old.hash)), Some(json!(new.hash))),
    };
    StageDifference {
        stage: old.stage,
        kind: kind(old.stage, &pointer),
        within: DifferenceScope::Record,
        pointer,
        before,
        after,
    }
}

/// Reports that one of the two stopped before this stage.
fn refusal_moved(
    stage: Stage,
    then: &BundleExpectation,
    now: &BundleExpectation,
    ran_then: bool,
    ran_now: bool,
) -> StageDifference {
    let said = |ran: bool, e: &BundleExpectation| match (ran, &e.refusal) {
        (true, _) => json!("ran"),
        (false, Some(code)) => json!(format!("refused with {code}")),
        (false, None) => json!("not recorded"),
    };
    StageDifference {
        stage,
        kind: kind(stage, ""),
        within: DifferenceScope::Record,
        pointer: String::new(),
        before: Some(said(ran_then, then)),
        after: Some(said(ran_now, now)),
    }
}

/// Returns the stage at which both stopped.
fn refusing_stage(then: &BundleExpectation, now: &BundleExpectation) -> Stage {
    let ran = then.stages.len().min(now.stages.len());
    Stage::ALL.get(ran).copied().unwrap_or(Stage::Manifests)
}

fn kind(stage: Stage, pointer: &str) -> DifferenceKind {
    match stage {
        Stage::Intent | Stage::Policy => DifferenceKind::Policy,
        Stage::Tools => DifferenceKind::Tool,
        Stage::Evidence => DifferenceKind::Evidence,
        Stage::Memory => DifferenceKind::Memory,
        Stage::Budget | Stage::Buckets => DifferenceKind::Budget,
        Stage::Manifests if pointer.starts_with("/decided/request") || pointer.starts_with("/decided/run") => {
            DifferenceKind::Tamper
        }
        Stage::Manifests => DifferenceKind::Policy,
    }
}
