//! Running a recording again.

use super::REPLAY_FORMAT;
use super::diff;
use super::material::{PackMaterial, counted_by, hydrate_for, prepare};
use super::record::expectation;
use super::seal::broken;
use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::refusal::{Refusal, codes};
use crate::seal::recorded_hash;
use deed_diag::{Report, quote};
use deed_model::{BundleExpectation, PacketResult, RecordedStage, ReplayBundle, ReplayStatus, Stage};
use serde::Serialize;
use serde_json::{Value, json};

/// How a replay went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    /// Which recording.
    pub packet_id: String,
    /// The pack that it was replayed with.
    pub pack_ref: String,
    /// Equal, or what kind of difference.
    pub status: ReplayStatus,
    /// The first stage that moved.
    pub moved: Option<Moved>,
    /// The parts of the bundle that are not what was recorded.
    pub tampered: Vec<String>,
    /// Overlays of the recording that the other pack does not have.
    pub missing_overlays: Vec<String>,
    /// What was recorded.
    pub outcome_before: String,
    /// What came now.
    pub outcome_after: String,
}

/// The first stage that moved, and where.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// Which stage.
    pub stage: Stage,
    /// What kind of difference it is, apart from who made it.
    pub kind: ReplayStatus,
    /// What the pointer leads into.
    pub within: Within,
    /// JSON Pointer into the stage's record, or into the pack.
    pub pointer: String,
    /// What stood there.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
}

/// What a pointer leads into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// The stage's record.
    Record,
    /// The pack: the stage moved only because the layer that it reads did.
    Pack,
}

impl ReplayReport {
    /// True where every stage gave what it gave and nothing was changed since.
    pub fn is_equal(&self) -> bool {
        self.status == ReplayStatus::Equal
    }

    /// The same as a packet keeps it.
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

/// How many of some replays were equal, in parts per million; all of none.
pub fn determinism_rate<'r>(reports: impl Iterator<Item = &'r ReplayReport>) -> u64 {
    let (mut all, mut equal) = (0u64, 0u64);
    for report in reports {
        all += 1;
        equal += u64::from(report.is_equal());
    }
    (equal * 1_000_000).checked_div(all).unwrap_or(1_000_000)
}

/// Runs a recording again with the pack that is in it.
pub fn replay(bundle: &ReplayBundle, cache: &Hydrations) -> Result<ReplayReport, Report> {
    let tampered = sealed(bundle)?;
    match again(bundle, cache) {
        Ok((now, reference)) => Ok(compare(bundle, &now, &reference, tampered)),
        // What can no longer be read could be read when it was recorded.
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

/// Runs a recording again with another pack.
pub fn replay_against(
    bundle: &ReplayBundle,
    candidate: &PackMaterial,
    cache: &Hydrations,
) -> Result<ReplayReport, Report> {
    let tampered = sealed(bundle)?;
    let prepared = prepare(&bundle.inputs)?;
    let (candidate, missing_overlays) = candidate.with_selection(&bundle.inputs.selected_overlays);
    let pack = hydrate_for(&candidate, counted_by(&bundle.inputs, &prepared.run), cache)?;
    let (outcome, stages) = compile_candidate(&pack, prepared.inputs());
    let now = expectation(&outcome, stages);
    let mut report = compare(bundle, &now, pack.reference(), tampered);
    report.moved = report.moved.map(|moved| in_the_pack(moved, &bundle.inputs.pack, &candidate.pack));
    Ok(ReplayReport { missing_overlays, ..report })
}

/// The parts of a bundle that are not what was recorded.
fn sealed(bundle: &ReplayBundle) -> Result<Vec<String>, Report> {
    known_format(bundle)?;
    broken(bundle).map_err(|error| {
        let message = format!("the bundle has no canonical form: {error}");
        Report::of(*Refusal::before(codes::NO_CANONICAL_FORM, message).diagnostic)
    })
}

/// Where a stage moved only because the layer that it reads did, the packs say more than two hashes.
fn in_the_pack(moved: Moved, then: &Value, now: &Value) -> Moved {
    if moved.within != Within::Record || moved.pointer != diff::LAYER {
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
        Some(found) => {
            Moved { within: Within::Pack, pointer: found.pointer, before: found.before, after: found.after, ..moved }
        }
    }
}

/// Refuses a bundle that another version wrote.
pub(crate) fn known_format(bundle: &ReplayBundle) -> Result<(), Report> {
    if bundle.format == REPLAY_FORMAT {
        return Ok(());
    }
    let message = format!("the bundle has the format {}, and this is read: `{REPLAY_FORMAT}`", quote(&bundle.format));
    let refusal = Refusal::before(codes::BUNDLE_FORMAT, message)
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

/// A bundle that was changed until it could not be read.
fn unreadable(bundle: &ReplayBundle, tampered: Vec<String>) -> ReplayReport {
    ReplayReport {
        packet_id: bundle.packet.packet_id.clone(),
        pack_ref: bundle.packet.pack_ref.clone(),
        status: ReplayStatus::Tamper,
        moved: None,
        tampered,
        missing_overlays: Vec::new(),
        outcome_before: bundle.expected.outcome.clone(),
        outcome_after: "unreadable".to_owned(),
    }
}

/// The record of a stage, where it ran.
fn of_stage(records: &[RecordedStage], stage: Stage) -> Option<&RecordedStage> {
    records.iter().find(|record| record.stage == stage)
}

fn first_moved(then: &BundleExpectation, now: &BundleExpectation) -> Option<Moved> {
    for stage in Stage::ALL {
        let (old, new) = (of_stage(&then.stages, stage), of_stage(&now.stages, stage));
        match (old, new) {
            (Some(old), Some(new)) if old.hash != new.hash || recorded_hash(old) != Some(new.hash) => {
                return Some(difference(old, new));
            }
            (Some(_), Some(_)) => {}
            // It refused here, then or now; earlier stages agree.
            (None, None) => break,
            (old, new) => return Some(refusal_moved(stage, then, now, old.is_some(), new.is_some())),
        }
    }
    let hash_then = then.compiled_context_hash;
    let changed = (then.outcome != now.outcome) || then.refusal != now.refusal;
    if changed || hash_then != now.compiled_context_hash {
        let whole = |e: &BundleExpectation| Some(json!([e.outcome, e.refusal, e.compiled_context_hash]));
        return Some(Moved {
            stage: refusing_stage(then, now),
            kind: ReplayStatus::Policy,
            within: Within::Record,
            pointer: String::new(),
            before: whole(then),
            after: whole(now),
        });
    }
    None
}

fn difference(old: &RecordedStage, new: &RecordedStage) -> Moved {
    let found = diff::of_stages(old, new);
    let (pointer, before, after) = match found {
        Some(found) => (found.pointer, found.before, found.after),
        // The record is the same and its hash was changed.
        None => (String::new(), Some(json!(old.hash)), Some(json!(new.hash))),
    };
    Moved { stage: old.stage, kind: kind(old.stage, &pointer), within: Within::Record, pointer, before, after }
}

/// One of the two stopped before this stage.
fn refusal_moved(
    stage: Stage,
    then: &BundleExpectation,
    now: &BundleExpectation,
    ran_then: bool,
    ran_now: bool,
) -> Moved {
    let said = |ran: bool, e: &BundleExpectation| match (ran, &e.refusal) {
        (true, _) => json!("ran"),
        (false, Some(code)) => json!(format!("refused with {code}")),
        (false, None) => json!("not recorded"),
    };
    Moved {
        stage,
        kind: kind(stage, ""),
        within: Within::Record,
        pointer: String::new(),
        before: Some(said(ran_then, then)),
        after: Some(said(ran_now, now)),
    }
}

/// The stage at which both stopped.
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
