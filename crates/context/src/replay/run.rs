//! Replay of recordings.

use super::REPLAY_FORMAT;
use super::diff;
use super::inputs::{counted_by, prepare};
use super::record::expectation;
use super::seal::broken;
use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::hydrate::{PackMaterial, hydrate_for};
use crate::refusal::Refusal;
use crate::seal::recorded_hash;
use deed_diag::{Report, codes, quote};
use deed_model::{BundleExpectation, CompileOutcome, PacketResult, RecordedStage, ReplayBundle, ReplayStatus, Stage};
use serde::Serialize;
use serde_json::{Value, json};

/// The report of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ReplayReport {
    /// The id of the recording.
    pub packet_id: String,
    /// The pack that it was replayed with.
    pub pack_ref: String,
    /// The status.
    pub status: ReplayStatus,
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
    pub kind: ReplayStatus,
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
}

impl ReplayReport {
    /// Returns true if every stage has the recorded result and the bundle is unchanged.
    pub fn is_equal(&self) -> bool {
        self.status == ReplayStatus::Equal
    }

    /// Returns the result as a packet stores it.
    pub fn result(&self) -> PacketResult {
        let moved = self.moved.as_ref();
        PacketResult {
            after: moved.and_then(|m| m.after.clone()),
            before: moved.and_then(|m| m.before.clone()),
            pointer: moved.map(|m| m.pointer.clone()),
            stage: moved.map(|m| m.stage),
            status: self.status,
            tampered: self.tampered.clone(),
        }
    }
}

/// Returns the share of equal replays, in parts per million; a million if there are none.
pub fn determinism_rate<'r>(reports: impl Iterator<Item = &'r ReplayReport>) -> u64 {
    let (mut all, mut equal) = (0u64, 0u64);
    for report in reports {
        all += 1;
        equal += u64::from(report.is_equal());
    }
    (equal * 1_000_000).checked_div(all).unwrap_or(1_000_000)
}

/// Replays a recording with its own pack.
///
/// # Errors
/// If the bundle has an unknown format or no canonical form, or its unchanged documents cannot be read.
pub fn replay(bundle: &ReplayBundle, cache: &Hydrations) -> Result<ReplayReport, Report> {
    let tampered = sealed(bundle)?;
    match again(bundle, cache) {
        Ok((now, reference)) => Ok(compare(bundle, &now, &reference, tampered)),
        // A changed bundle may no longer be readable.
        Err(_) if !tampered.is_empty() => Ok(unreadable(bundle, tampered)),
        Err(report) => Err(report),
    }
}

fn again(bundle: &ReplayBundle, cache: &Hydrations) -> Result<(BundleExpectation, String), Report> {
    let prepared = prepare(&bundle.inputs)?;
    let pack = hydrate_for(&PackMaterial::recorded(&bundle.inputs), counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, stages) = compile_recorded(&pack, prepared.inputs());
    Ok((expectation(&outcome, stages), pack.reference().to_owned()))
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
    let prepared = prepare(&bundle.inputs)?;
    let (candidate, missing_overlays) = candidate.in_place_of(&bundle.inputs);
    let pack = hydrate_for(&candidate, counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, stages) = compile_candidate(&pack, prepared.inputs());
    let now = expectation(&outcome, stages);
    let mut report = compare(bundle, &now, pack.reference(), tampered);
    report.moved = report.moved.map(|moved| in_the_pack(moved, &bundle.inputs.pack, &candidate.pack));
    Ok(ReplayReport { missing_overlays, ..report })
}

/// Returns the parts of a bundle that were changed since the recording.
fn sealed(bundle: &ReplayBundle) -> Result<Vec<String>, Report> {
    known_format(bundle)?;
    broken(bundle).map_err(|error| {
        let message = format!("the bundle has no canonical form: {error}");
        Report::of(*Refusal::before(codes::INPUT_WITHOUT_CANONICAL_FORM, message).diagnostic)
    })
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
    if bundle.format == REPLAY_FORMAT {
        return Ok(());
    }
    let message =
        format!("the bundle has the format {}, and only `{REPLAY_FORMAT}` is supported", quote(&bundle.format));
    let refusal = Refusal::before(codes::UNKNOWN_RECORDING_FORMAT, message)
        .place("bundle", "/format")
        .help("replay it with the version of deed that recorded it");
    Err(Report::of(*refusal.diagnostic))
}

fn compare(bundle: &ReplayBundle, now: &BundleExpectation, pack_ref: &str, tampered: Vec<String>) -> ReplayReport {
    let moved = first_moved(&bundle.expected, now);
    let status = match (&moved, tampered.is_empty()) {
        (_, false) => ReplayStatus::Tamper,
        (Some(moved), true) => moved.kind,
        (None, true) => ReplayStatus::Equal,
    };
    ReplayReport {
        packet_id: bundle.packet.packet_id.clone(),
        pack_ref: pack_ref.to_owned(),
        status,
        moved,
        tampered,
        missing_overlays: Vec::new(),
        outcome_before: bundle.expected.outcome.clone(),
        outcome_after: now.outcome.clone(),
    }
}

/// Reports a bundle that was changed until it could not be read.
fn unreadable(bundle: &ReplayBundle, tampered: Vec<String>) -> ReplayReport {
    ReplayReport {
        packet_id: bundle.packet.packet_id.clone(),
        pack_ref: bundle.packet.pack_ref.clone(),
        status: ReplayStatus::Tamper,
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
            kind: ReplayStatus::Policy,
            within: DifferenceScope::Record,
            pointer: String::new(),
            before: whole(then),
            after: whole(now),
        });
    }
    None
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

fn kind(stage: Stage, pointer: &str) -> ReplayStatus {
    match stage {
        Stage::Intent | Stage::Policy => ReplayStatus::Policy,
        Stage::Tools => ReplayStatus::Tool,
        Stage::Evidence => ReplayStatus::Evidence,
        Stage::Memory => ReplayStatus::Memory,
        Stage::Budget | Stage::Buckets => ReplayStatus::Budget,
        Stage::Manifests if pointer.starts_with("/decided/request") || pointer.starts_with("/decided/run") => {
            ReplayStatus::Tamper
        }
        Stage::Manifests => ReplayStatus::Policy,
    }
}
