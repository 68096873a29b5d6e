//! The facts of one recording, of a judged release and of a rollback.
//!
//! Enters: a recording. Leaves: what was decided, as it was recorded, and whether a replay gives the same. Must prove:
//! a recording that was changed since gives no facts, and one that cannot be read is an error and never left out.

use super::controls::{self, PackControls};
use crate::cache::Hydrations;
use crate::refusal::Refusal;
use crate::replay::{broken, known_format, replay};
use crate::whatif::GateVerdict;
use deed_canon::{ContentHash, TypeTag, hash_of};
use deed_diag::{Report, codes};
use deed_model::{
    Bucket, CompileOutcome, DecisionManifest, DroppedBlock, EvidenceStatus, IntentScope, LedgerCapability, Metric,
    Obligation, PackRef, PolicyDecision, RecordedStage, ReplayBundle, RuleBranch, Stage,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The type tag of the hash over the inputs of a recording.
const INPUTS_TAG: TypeTag = TypeTag::literal("deed/recorded-inputs/v1");

/// A recorded compile.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The version of the pack.
    pub pack_ref: PackRef,
    /// The intent that was asked for.
    pub intent: String,
    /// The result of a replay.
    pub replay: ReplayOutcome,
    /// The recorded facts; none if the recording was changed since.
    pub facts: Option<CompileFacts>,
}

/// The result of replaying a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayOutcome {
    /// Every stage has the recorded result.
    Equal,
    /// A stage has another result.
    Different,
    /// The recording was changed since it was made.
    Tampered,
    /// It could not be compiled again.
    Failed,
}

/// The facts that a recording states. Those of stages that did not run are none.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileFacts {
    /// The hash of the pack's document.
    pub pack_hash: Option<ContentHash>,
    /// The hash over all inputs.
    pub inputs: ContentHash,
    /// The hash of the compiled context; none if the compile was refused.
    pub context: Option<ContentHash>,
    /// The code of the refusal, if the compile was refused.
    pub refusal: Option<String>,
    /// The measured compile time in microseconds, if it was recorded.
    pub compile_us: Option<u64>,
    /// The rules that apply to the intent, by id.
    pub rules: Option<BTreeMap<String, RuleFacts>>,
    /// The surface.
    pub surface: Option<SurfaceFacts>,
    /// The buckets that a block did not fit into.
    pub truncated: Option<BTreeSet<Bucket>>,
    /// Required evidence by name: the number of demands, and of those that were met. None for a recording from before
    /// this was judged.
    pub evidence: Option<BTreeMap<String, (u64, u64)>>,
    /// The controls that the recorded pack has, each with whether it acted.
    pub controls: PackControls,
}

impl CompileFacts {
    /// Returns true if the compile gave a context.
    pub fn compiled(&self) -> bool {
        self.refusal.is_none()
    }
}

/// A rule in one compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleFacts {
    /// True if the predicate held.
    pub fired: bool,
    /// True if `else` applied; none if the rule has no `else`.
    pub otherwise: Option<bool>,
}

/// The tool surface of one compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurfaceFacts {
    /// The number of surfaced capabilities.
    pub surfaced: u64,
    /// The number of capabilities in the pack's registry.
    pub declared: u64,
}

/// A release gate that judged a version against the version before, over the recordings of that.
#[derive(Debug, Clone, PartialEq)]
pub struct GateObservation {
    /// The version that was judged.
    pub pack_ref: PackRef,
    /// The metric of the gate.
    pub metric: Metric,
    /// The verdict.
    pub verdict: GateVerdict,
}

/// A rollback, as the registry's log has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RollbackObservation {
    /// The version that was rolled back.
    pub pack_ref: PackRef,
    /// The environment.
    pub environment: String,
    /// The milliseconds that the operation took; none if the log does not have them.
    pub took_ms: Option<u64>,
}

/// An observation, and the reasons why a recording could not be replayed.
#[derive(Debug)]
pub struct Observed {
    /// The observation.
    pub observation: Observation,
    /// The findings of a replay that failed.
    pub report: Report,
}

/// Reads the facts of a recording and replays it.
///
/// # Errors
/// If the format is unknown, or a stage recorded something that this version cannot read.
pub fn observe(bundle: &ReplayBundle, cache: &Hydrations) -> Result<Observed, Report> {
    known_format(bundle)?;
    let pack_ref = bundle.packet.pack_ref.parse().map_err(|error: deed_model::RefError| {
        unread("/packet/pack_ref", &format!("the recording names no version of a pack: {error}"))
    })?;
    let changed = broken(bundle).map_or(true, |parts| !parts.is_empty());
    let intent = match bundle.inputs.request.pointer("/input/intent").and_then(Value::as_str) {
        Some(intent) => intent.to_owned(),
        // A recording that was changed is counted as such, whatever it says.
        None if changed => String::new(),
        None => return Err(unread("/inputs/request", "the recorded request names no intent")),
    };
    let mut report = Report::default();
    let outcome = match replay(bundle, cache) {
        _ if changed => ReplayOutcome::Tampered,
        Ok(again) if again.is_equal() => ReplayOutcome::Equal,
        Ok(_) => ReplayOutcome::Different,
        Err(found) => {
            report = found;
            ReplayOutcome::Failed
        }
    };
    let facts = if changed { None } else { Some(facts(bundle, &intent)?) };
    Ok(Observed { observation: Observation { pack_ref, intent, replay: outcome, facts }, report })
}

fn facts(bundle: &ReplayBundle, intent: &str) -> Result<CompileFacts, Report> {
    let expected = &bundle.expected;
    let refusal = match &expected.outcome {
        CompileOutcome::Compiled | CompileOutcome::MustEscalate | CompileOutcome::MustRefuse => None,
        CompileOutcome::Refused => {
            let code = expected.refusal.clone();
            Some(code.ok_or_else(|| unread("/expected/refusal", "the recorded refusal has no code"))?)
        }
        other @ (CompileOutcome::Unreadable | CompileOutcome::Other(_)) => {
            return Err(unread("/expected/outcome", &format!("`{other}` is no outcome of a compile")));
        }
    };
    let inputs = hash_of(&INPUTS_TAG, &bundle.inputs)
        .map_err(|error| unread("/inputs", &format!("the inputs have no canonical form: {error}")))?;
    Ok(CompileFacts {
        pack_hash: bundle.seal.parts.get("pack").copied(),
        controls: controls::of(bundle, refusal.is_none()),
        inputs,
        context: expected.compiled_context_hash,
        refusal,
        compile_us: bundle.measured.as_ref().map(|measured| measured.compile_us),
        rules: decided::<PolicyStage>(bundle, Stage::Policy)?
            .map(|stage| rules(&bundle.inputs.pack, intent, &stage))
            .transpose()?,
        surface: decided::<ToolsStage>(bundle, Stage::Tools)?.map(|stage| SurfaceFacts {
            surfaced: stage.capabilities.iter().filter(|capability| capability.surfaced).count() as u64,
            declared: stage.capabilities.len() as u64,
        }),
        truncated: decided::<BucketsStage>(bundle, Stage::Buckets)?
            .map(|stage| stage.dropped.iter().map(|block| block.bucket).collect()),
        evidence: decided::<ManifestsStage>(bundle, Stage::Manifests)?.and_then(demands),
    })
}

/// The decisions of stage 2 that are counted.
#[derive(Deserialize)]
struct PolicyStage {
    decisions: Vec<PolicyDecision<'static>>,
}

/// The decisions of stage 3 that are counted.
#[derive(Deserialize)]
struct ToolsStage {
    capabilities: Vec<LedgerCapability<'static>>,
}

/// The decisions of stage 7 that are counted.
#[derive(Deserialize)]
struct BucketsStage {
    dropped: Vec<DroppedBlock<'static>>,
}

/// The decisions of stage 8 that are counted. Recordings from before sufficiency was judged have neither.
#[derive(Deserialize)]
struct ManifestsStage {
    decisions: Option<Vec<DecisionManifest<'static>>>,
    obligations: Option<Vec<Obligation<'static>>>,
}

/// Reads what a stage decided; none if it did not run.
fn decided<S: for<'de> Deserialize<'de>>(bundle: &ReplayBundle, stage: Stage) -> Result<Option<S>, Report> {
    let found = bundle.expected.stages.iter().enumerate().find(|(_, record)| record.stage == stage);
    let read = |(at, record): (usize, &RecordedStage)| {
        S::deserialize(&record.decided).map_err(|error| {
            let message = format!("the recorded stage `{stage}` cannot be read: {error}");
            unread(&format!("/expected/stages/{at}/decided"), &message)
        })
    };
    found.map(read).transpose()
}

/// The parts of an authored rule that say when it can fire.
#[derive(Deserialize)]
struct AuthoredRule {
    rule_id: String,
    applies_to: Option<IntentScope>,
    #[serde(rename = "else")]
    otherwise: Option<Value>,
}

/// Returns the rules that apply to the intent, and what they did. No overlay adds or removes a rule.
fn rules(pack: &Value, intent: &str, stage: &PolicyStage) -> Result<BTreeMap<String, RuleFacts>, Report> {
    let mut found = BTreeMap::new();
    let bundles = pack.pointer("/policy_layer/policy_bundles").and_then(Value::as_array).into_iter().flatten();
    for (at, bundle) in bundles.enumerate() {
        let authored = bundle.pointer("/policy_dsl/rules").and_then(Value::as_array).into_iter().flatten();
        for (index, authored) in authored.enumerate() {
            let rule = AuthoredRule::deserialize(authored).map_err(|error| {
                let pointer = format!("/inputs/pack/policy_layer/policy_bundles/{at}/policy_dsl/rules/{index}");
                unread(&pointer, &format!("the recorded rule cannot be read: {error}"))
            })?;
            if rule.applies_to.as_ref().is_none_or(|scope| scope.covers(intent)) {
                let otherwise = rule.otherwise.is_some().then_some(false);
                found.insert(rule.rule_id, RuleFacts { fired: false, otherwise });
            }
        }
    }
    for decision in &stage.decisions {
        let rule = found.entry(decision.rule_id.clone().into_owned()).or_default();
        match decision.branch {
            RuleBranch::Then => rule.fired = true,
            RuleBranch::Else => rule.otherwise = Some(true),
            // It denies or is skipped: neither branch applied.
            RuleBranch::Error => {}
        }
    }
    Ok(found)
}

/// Returns the demands for evidence by name, with those that were met.
fn demands(stage: ManifestsStage) -> Option<BTreeMap<String, (u64, u64)>> {
    if stage.decisions.is_none() && stage.obligations.is_none() {
        return None;
    }
    let decisions = stage.decisions.iter().flatten().flat_map(|decision| &decision.required_evidence);
    let obligations = stage.obligations.iter().flatten().map(|obligation| &obligation.requirement);
    let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for requirement in decisions.chain(obligations) {
        let (demanded, met) = found.entry(requirement.name.clone().into_owned()).or_default();
        *demanded += 1;
        *met += u64::from(requirement.status == EvidenceStatus::Met);
    }
    Some(found)
}

fn unread(pointer: &str, message: &str) -> Report {
    let refusal = Refusal::before(codes::RECORDING_NOT_COUNTED, message.to_owned())
        .place("bundle", pointer)
        .help("count it with the version of deed that recorded it, or take it out of the archive");
    Report::of(*refusal.diagnostic)
}
