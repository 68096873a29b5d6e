//! The law of attribution: whatever single field of whatever input is changed, a replay names a stage that reads it.
//!
//! The table below says which stage that is. It was written from the design and from what each stage's file says that
//! it reads, and it is the truth that replay is held against.

use crate::common::archive;
use crate::common::edits;

use archive::{brief, calm, recorded, support as support_pack, tiny, with_overlays, worked};
use deed_context::{Hydrations, Recording, ReplayReport, replay};
use deed_model::{ReplayBundle, ReplayResult, Stage};
use deed_testkit::Random;
use edits::{Edit, Editor};
use serde_json::json;
use std::collections::BTreeMap;

use Stage::{Buckets, Budget, Evidence, Intent, Manifests, Memory, Policy, Tools};

/// A place, as part and pointer, and the stages of which the first to move must be one. `*` is one segment, `**` any
/// number of them, `@order` a change of order and `@new` a field that no contract knows. The first row that matches
/// holds.
type Row = (&'static str, &'static [Stage]);

/// No stage reads it.
const NOBODY: &[Stage] = &[];

const READERS: &[Row] = &[
    // What a stage takes from the pack is hashed by layer, so a layer's first reader moves whatever is changed in it.
    ("pack/policy_layer/**", &[Policy]),
    ("pack/tooling_layer/**", &[Tools]),
    ("pack/memory_layer/**", &[Memory]),
    // They are reserved with the head.
    ("pack/business_context/non_negotiables/**", &[Budget]),
    ("pack/business_context/**", &[Buckets]),
    ("pack/tone_and_comms/**", &[Budget]),
    ("pack/budget_layer/**", &[Budget]),
    ("pack/intent_layer/**", &[Intent]),
    // A rule's mode is held against that of its decision, so these may show in what a rule decides.
    ("pack/decision_layer/decision_specs/*/approval_mode", &[Policy, Budget]),
    ("pack/decision_layer/decision_specs/*/decision_key", &[Policy, Budget]),
    ("pack/decision_layer/decision_specs/*", &[Policy, Budget]),
    ("pack/decision_layer/**", &[Budget]),
    // Without a catalogue the targets are the catalogue. Gates judge releases and no request.
    ("pack/evaluation_layer/eval_targets/**", &[Intent]),
    ("pack/evaluation_layer/**", &[Manifests]),
    // The ontology is looked at before the first stage too, where a refusal counts for that one.
    ("pack/intelligence_refs/ontology/version", &[Intent, Evidence]),
    ("pack/intelligence_refs/ontology/namespace", &[Intent, Evidence]),
    ("pack/intelligence_refs/identity_layer/**", &[Intent, Evidence]),
    ("pack/intelligence_refs/**", &[Evidence]),
    ("pack/pack_meta/data_classification", &[Tools, Evidence]),
    ("pack/pack_meta/data_tags/**", &[Evidence]),
    ("pack/pack_meta/tenant/tenant_id", &[Intent]),
    ("pack/pack_meta/tenant/**", &[Policy]),
    ("pack/pack_meta/environment_defaults/**", &[Policy]),
    // Who asks for a pack by name is refused where it is called otherwise.
    ("pack/pack_meta/pack_id", &[Intent]),
    ("pack/pack_meta/pack_version", &[Intent]),
    // Lifetime, declared overlays, sharing: what the last stage promises, and the hash of the pack.
    ("pack/pack_meta/**", &[Manifests]),
    ("pack/contract_meta/compatibility/requires/**", &[Intent, Manifests]),
    ("pack/contract_meta/contract_version", &[Intent, Manifests]),
    ("pack/contract_meta/**", &[Manifests]),
    ("pack/@new", &[Manifests]),
    //
    ("request/input/intent", &[Intent]),
    ("request/input/message", &[Budget]),
    ("request/input/context/identity_verified/**", &[Policy]),
    ("request/input/context/refund_amount/**", &[Policy]),
    ("request/input/context", &[Policy]),
    ("request/channel", &[Buckets]),
    ("request/locale", &[Buckets]),
    ("request/session/recent_turns/*/@new", &[Manifests]),
    ("request/session/recent_turns/**", &[Buckets]),
    ("request/session/@new", &[Manifests]),
    // Taken out, a list of references leaves the choice to who loaded the pack.
    ("request/context_pack_refs/**", &[Intent, Manifests]),
    ("request/tenant_id", &[Intent, Manifests]),
    // It is the provenance of the session's blocks.
    ("request/request_id", &[Buckets]),
    ("request/**", &[Manifests]),
    //
    ("run/tenant_id", &[Intent]),
    ("run/intent", &[Intent]),
    ("run/user/role", &[Policy]),
    ("run/user", &[Policy]),
    ("run/safety_mode", &[Tools]),
    // Put into one order when they are read.
    ("run/prohibitions/@order", NOBODY),
    ("run/subject_ids/@order", NOBODY),
    ("run/ontologies/*/@order", NOBODY),
    ("run/prohibitions/*/@new", &[Manifests]),
    ("run/prohibitions/**", &[Tools]),
    ("run/kg_snapshot_id", &[Evidence]),
    ("run/session_id", &[Evidence]),
    ("run/as_of", &[Evidence]),
    ("run/max_classification", &[Evidence]),
    // A subject in no namespace is refused before the first stage.
    ("run/subject_ids/**", &[Intent, Memory]),
    ("run/run_budget/@new", &[Manifests]),
    ("run/run_budget/**", &[Budget]),
    ("run/tokenizer", &[Budget]),
    ("run/components/**", &[Intent, Manifests]),
    ("run/ontologies/**", &[Intent, Manifests]),
    ("run/context_pack_refs/**", &[Intent, Manifests]),
    ("run/**", &[Manifests]),
    // The order in which evidence and memory are supplied has no meaning, nor has that of tags and contradictions.
    ("evidence/@order", NOBODY),
    ("evidence/*/tags/@order", NOBODY),
    ("evidence/*/conflicts_with/@order", NOBODY),
    ("evidence/*/@new", NOBODY),
    ("evidence/**", &[Evidence]),
    ("memory/@order", NOBODY),
    ("memory/*/@new", NOBODY),
    ("memory/**", &[Memory]),
    // An overlay that is not applied is read by nobody; rows of a recording that applies one come before this.
    ("overlays/**", NOBODY),
    ("selected_overlays/@order", NOBODY),
    ("selected_overlays/**", &[Intent, Policy, Tools]),
];

/// A recording, and what is true for it alone.
struct Base {
    name: &'static str,
    bundle: ReplayBundle,
    own: &'static [Row],
}

impl Base {
    fn of(name: &'static str, recording: Recording, own: &'static [Row]) -> Self {
        Self { name, bundle: recorded(recording), own }
    }

    fn readers(&self, edit: &Edit) -> &'static [Stage] {
        let row = self.own.iter().chain(READERS).find(|(pattern, _)| edits::matches(pattern, &edit.place));
        row.unwrap_or_else(|| panic!("no row for {}", edit.place)).1
    }

    /// What a replay may name; nothing stands for no stage. A recording that was refused has no record of the stage
    /// that refused nor of those after it: of these only a refusal that comes, goes or changes is seen.
    fn may_name(&self, edit: &Edit) -> Vec<Option<Stage>> {
        let readers = self.readers(edit);
        let ran = |stage: &Stage| self.bundle.expected.stages.iter().any(|s| s.stage == *stage);
        let refusing = Stage::ALL.into_iter().find(|stage| !ran(stage));
        let mut named: Vec<Option<Stage>> =
            readers.iter().filter(|stage| ran(stage) || Some(**stage) == refusing).copied().map(Some).collect();
        if readers.is_empty() || !readers.iter().all(ran) {
            named.push(None);
        }
        named
    }
}

/// With a catalogue the targets are only scores.
const CATALOGUE: Row = ("pack/evaluation_layer/**", &[Manifests]);
/// The run has no session, so that of the request counts.
const SESSION: Row = ("request/session/session_id", &[Evidence]);
const WITH_SESSION: Row = ("request/session", &[Evidence]);
/// A capability that the run prohibits is hidden by that run.
const HIDING: Row = ("run/run_id", &[Tools]);
/// The stage reads the lower of two ceilings, and the pack's is INTERNAL.
const CEILING: Row = ("run/max_classification", &[Evidence, Manifests]);
/// No rule of the least pack reads who asks.
const ROLE: Row = ("run/user/**", &[Manifests]);

/// Compiled: everything is read by somebody.
const CALM: &[Row] = &[
    CATALOGUE,
    SESSION,
    WITH_SESSION,
    HIDING,
    CEILING,
    ("request/input/context/fraud_score/**", &[Policy]),
    ("run/kg_snapshot_id", &[Policy]),
];

/// Must refuse, with both overlays applied, about the user, with a number of tokens.
const DENIED: &[Row] = &[
    HIDING,
    // Without subjects a run is about its user.
    ("run/user/id", &[Memory]),
    ("run/user", &[Memory]),
    ROLE,
    ("overlays/*/changes/*/rationale", &[Manifests]),
    ("overlays/*/changes/@order", &[Manifests]),
    ("overlays/site/changes/0/**", &[Tools]),
    ("overlays/site/changes/1/**", &[Policy]),
    ("overlays/risk/changes/0/**", &[Policy]),
    ("overlays/risk/changes/1/**", &[Intent]),
    // One more, that says what another says already or sets what another sets.
    ("overlays/*/changes/2", &[Intent, Policy, Tools, Manifests]),
    ("selected_overlays/0", &[Policy]),
    ("selected_overlays/1", &[Intent]),
    // An overlay sets these: what stands below it is in no layer, only in the hash of the pack.
    ("pack/tooling_layer/adapter_registry/0/endpoint_ref", &[Manifests]),
    ("pack/pack_meta/environment_defaults/language", &[Manifests]),
    ("pack/policy_layer/approval_gates/0/when/>/1", &[Manifests]),
    ("pack/evaluation_layer/eval_targets/0/utility", &[Manifests]),
    // The run has a session, so that of the request is read by nobody, and only its turns are.
    ("request/session", &[Buckets]),
];

/// A predicate reads by a path that is computed, so it may read anything of request and run.
const EVERYTHING: &[Row] = &[
    CATALOGUE,
    ("request/input/intent", &[Intent]),
    ("request/context_pack_refs/**", &[Intent, Policy]),
    ("request/tenant_id", &[Intent, Policy]),
    ("request/**", &[Policy]),
    ("run/tenant_id", &[Intent]),
    ("run/intent", &[Intent]),
    ("run/prohibitions/@order", NOBODY),
    ("run/subject_ids/@order", NOBODY),
    ("run/subject_ids/**", &[Intent, Policy]),
    ("run/ontologies/*/@order", NOBODY),
    ("run/components/**", &[Intent, Policy]),
    ("run/ontologies/**", &[Intent, Policy]),
    ("run/context_pack_refs/**", &[Intent, Policy]),
    ("run/**", &[Policy]),
];

/// Compiled or refused by a stage, under the least of packs.
const TINY: &[Row] = &[CATALOGUE, SESSION, WITH_SESSION, HIDING, CEILING, ROLE];

/// What counts where nothing is named is what the recording names.
const DEFAULT_TOKENIZER: &[Row] = &[("run/tokenizer", &[Budget, Manifests])];

fn denied() -> Recording {
    let mut denied = brief(with_overlays(&tiny()));
    denied.request["input"]["context"]["identity_verified"] = json!(false);
    denied.request["session"]["session_id"] = json!("ses_5");
    denied.request.as_object_mut().unwrap().remove("tenant_id");
    denied.run["session_id"] = json!("ses_4");
    denied.run["run_budget"] = json!({ "bucket_tokens": 700 });
    for gone in ["subject_ids", "max_classification", "context_pack_refs", "intent"] {
        denied.run.as_object_mut().unwrap().remove(gone);
    }
    denied
}

fn everything() -> Recording {
    let mut everything = brief(tiny());
    let rule = everything.pack.pack.pointer_mut("/policy_layer/policy_bundles/0/policy_dsl/rules/0").unwrap();
    rule["if"] = json!({ "==": [{ "var": [{ "var": "shift" }, 1] }, 1] });
    everything
}

fn without_snapshot() -> Recording {
    let mut recording = brief(tiny());
    recording.run.as_object_mut().unwrap().remove("kg_snapshot_id");
    recording
}

fn without_room_for_policy() -> Recording {
    let mut recording = brief(tiny());
    recording.run["run_budget"] = json!({ "bucket_tokens": { "policy": 3, "evidence": 400 } });
    recording
}

fn bases() -> Vec<Base> {
    let bases = vec![
        Base::of("worked example", worked(support_pack(&[])), &[]),
        Base::of("compiled", calm(), CALM),
        Base::of("must_refuse", denied(), DENIED),
        Base::of("everything read", everything(), EVERYTHING),
        Base::of("refused by evidence", without_snapshot(), TINY),
        Base::of("refused by buckets", without_room_for_policy(), TINY),
        Base::of("brief", brief(tiny()), TINY),
    ];
    let outcomes: Vec<&str> = bases.iter().map(|b| b.bundle.expected.outcome.as_str()).collect();
    assert_eq!(outcomes, ["must_escalate", "compiled", "must_refuse", "compiled", "refused", "refused", "compiled"]);
    assert_eq!([4, 5].map(|i: usize| bases[i].bundle.expected.stages.len()), [3, 6]);
    bases
}

/// Misses that are known: a ticket is redacted before anything is hashed.
const KNOWN: &[&str] = &["request/input/message (`Refund order ord_1, my ticket is TCK-"];

/// What came of some trials.
#[derive(Default)]
struct Tally {
    trials: usize,
    unreadable: usize,
    missed: BTreeMap<String, usize>,
    named: BTreeMap<Option<Stage>, usize>,
}

impl Tally {
    fn enter(&mut self, base: &Base, edit: &Edit, report: ReplayReport) {
        assert_eq!(
            (report.result, &report.tampered),
            (ReplayResult::Invalid, &vec![edit.sealed().to_owned()]),
            "{edit:?}"
        );
        if report.outcome_after == "unreadable" {
            assert_eq!(report.moved, None);
            self.unreadable += 1;
            return;
        }
        self.trials += 1;
        let found = report.moved.map(|moved| moved.stage);
        *self.named.entry(found).or_default() += 1;
        let expected = base.may_name(edit);
        if !expected.contains(&found) {
            let line = format!("{}: {} ({}): expected {expected:?}, found {found:?}", base.name, edit.place, edit.what);
            *self.missed.entry(line).or_default() += 1;
        }
    }

    /// At least 99 in 100, with the misses listed.
    fn judge(&self) {
        let misses: usize = self.missed.values().sum();
        for (line, times) in &self.missed {
            println!("miss, {times} times: {line}");
        }
        println!("{} trials, {misses} misses, {} unreadable; {:?}", self.trials, self.unreadable, self.named);
        let news: Vec<&String> =
            self.missed.keys().filter(|line| !KNOWN.iter().any(|known| line.contains(known))).collect();
        assert!(news.is_empty(), "nobody knew of these: {news:#?}");
        assert!(misses * 100 <= self.trials, "{misses} of {} missed: {:#?}", self.trials, self.missed);
    }
}

/// Changes one field at random and replays, until enough of the edits gave something that could be read.
fn run(trials: usize, seed: u64, bases: &mut [Base], cache: &Hydrations, tally: &mut Tally) {
    let mut rng = Random::new(seed);
    let editors: Vec<Editor> = bases.iter().map(|base| Editor::of(&base.bundle.inputs)).collect();
    // The first two have the largest packs and take the longest to read.
    let turns = [0, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6];
    while tally.trials < trials {
        let at = turns[rng.below(turns.len())] % bases.len();
        let (base, editor) = (&mut bases[at], &editors[at]);
        let edit = editor.edit(&mut base.bundle.inputs, &mut rng);
        if let Some(edit) = edit.filter(|_| editor.is_changed(&base.bundle.inputs)) {
            tally.enter(base, &edit, replay(&base.bundle, cache).unwrap());
        }
        editor.restore(&mut base.bundle.inputs);
    }
}

/// A quarter of the ten thousand, so that several cores can share them.
fn a_quarter(seed: u64) {
    let mut tally = Tally::default();
    run(2_500, seed, &mut bases(), &Hydrations::with_room(64), &mut tally);
    tally.judge();
    assert_eq!(tally.named.len(), 9, "every stage was named, and none: {:?}", tally.named);
}

#[test]
fn a_replay_names_a_stage_that_reads_what_was_changed_1() {
    a_quarter(1);
}

#[test]
fn a_replay_names_a_stage_that_reads_what_was_changed_2() {
    a_quarter(2);
}

#[test]
fn a_replay_names_a_stage_that_reads_what_was_changed_3() {
    a_quarter(3);
}

#[test]
fn a_replay_names_a_stage_that_reads_what_was_changed_4() {
    a_quarter(4);
}

#[test]
fn it_does_so_with_an_exact_tokenizer() {
    let mut recording = worked(support_pack(&[]));
    recording.run["tokenizer"] = json!("o200k_base");
    let mut tally = Tally::default();
    run(300, 5, &mut [Base::of("worked example", recording, DEFAULT_TOKENIZER)], &Hydrations::new(), &mut tally);
    tally.judge();
}

/// Redaction comes before every hash, so that a recording cannot be searched for what was hidden. What is changed within
/// a hidden value is seen by the seal alone; in evidence and memory it is seen by their own hashes too.
#[test]
fn what_is_redacted_moves_no_stage() {
    let cache = Hydrations::new();
    let mut recording = calm();
    recording.evidence[0]["content"] = json!("Ticket TCK-204881.");
    let bundle = recorded(recording);
    let changed = |change: fn(&mut ReplayBundle)| {
        let mut bundle = bundle.clone();
        change(&mut bundle);
        let report = replay(&bundle, &cache).unwrap();
        (report.moved.map(|moved| moved.stage), report.tampered)
    };
    let message = |text: &str| format!("Refund order ord_1, my ticket is {text}, thanks.");
    assert_eq!(bundle.inputs.request["input"]["message"], json!(message("TCK-204881")));
    let hidden = changed(|b| {
        b.inputs.request["input"]["message"] = json!("Refund order ord_1, my ticket is TCK-204882, thanks.")
    });
    assert_eq!(hidden, (None, vec!["request".to_owned()]));
    // With a digit less it is no ticket.
    let shown = changed(|b| {
        b.inputs.request["input"]["message"] = json!("Refund order ord_1, my ticket is TCK-20488, thanks.")
    });
    assert_eq!(shown, (Some(Budget), vec!["request".to_owned()]));
    let evidence = changed(|b| b.inputs.evidence[0]["content"] = json!("Ticket TCK-204882."));
    assert_eq!(evidence, (Some(Evidence), vec!["evidence".to_owned()]));
}
