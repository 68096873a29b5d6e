//! Replay packets: every kind under every policy to every result, lives that are only appended to, and recordings of the
//! first version.

use crate::common::archive;

use archive::{calm, edited, recorded, small};
use deed_context::{
    DifferenceScope, Hydrations, LifeFault, PackMaterial, Recording, ReplayReport, extended, record, replay,
    replay_against, replayed_event, superseded_event, verify_life,
};
use deed_model::{
    CompileOutcome, Correction, DifferenceKind, GoldenExpectation, PacketEvent, PacketLife, PacketResult, ReplayBundle,
    ReplayResult, SideEffectPolicy, SourceKind, ToolCall, TranscriptEntry,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn code(result: Result<impl std::fmt::Debug, deed_diag::Report>) -> String {
    result.unwrap_err().diagnostics()[0].code.to_string()
}

/// A correction: the request should have been refused.
fn refuse_it() -> Correction {
    Correction {
        at: "2026-05-09T12:00:00Z".to_owned(),
        by: "ann".to_owned(),
        expect: GoldenExpectation { outcome: CompileOutcome::MustRefuse, ..GoldenExpectation::default() },
        reason: "the customer is blocked".to_owned(),
    }
}

fn call(tool: &str, answer: Option<Value>) -> TranscriptEntry {
    let call = ToolCall { arguments: serde_json::Map::new(), tool: tool.to_owned() };
    TranscriptEntry { answer, call }
}

/// A recording of a kind under a policy, with the calls that the policy allows.
fn packet(kind: SourceKind, policy: SideEffectPolicy) -> Recording {
    let mut recording = calm();
    recording.source_kind = kind;
    recording.origin.side_effect_policy = Some(policy);
    recording.origin.correction = (kind == SourceKind::OperatorCorrection).then(refuse_it);
    recording.origin.transcript = match policy {
        SideEffectPolicy::TranscriptOnly => vec![call("orders.lookup", Some(json!({ "state": "sent" })))],
        SideEffectPolicy::Sandbox => vec![call("orders.lookup", None)],
        SideEffectPolicy::LiveDisallowed => Vec::new(),
    };
    recording
}

/// The pack as it should be: it refuses the request.
fn fixed() -> PackMaterial {
    edited(&small(), |pack| {
        pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0]["then"] =
            json!({ "allow": false, "reason": "Blocked." });
    })
}

/// Another pack that changes something else.
fn other() -> PackMaterial {
    edited(&small(), |pack| pack["policy_layer"]["guardrails"]["must_escalate"] = json!(["label"]))
}

/// What each replay must give, stated apart from the code that decides it.
fn expected(kind: SourceKind, with: &str) -> ReplayResult {
    let corrected = kind == SourceKind::OperatorCorrection;
    match (with, corrected) {
        ("tampered", _) => ReplayResult::Invalid,
        ("own", false) => ReplayResult::ReplayEqual,
        ("own" | "other", true) => ReplayResult::StillFailing,
        ("fixed", true) => ReplayResult::Fixed,
        (_, false) => ReplayResult::ReplayMismatch,
        (with, true) => panic!("{with}"),
    }
}

#[test]
fn every_kind_under_every_policy_to_every_result() {
    let mut reached = std::collections::BTreeSet::from([ReplayResult::NotRun, ReplayResult::Superseded]);
    for kind in SourceKind::ALL.iter().copied() {
        for policy in SideEffectPolicy::ALL.iter().copied() {
            let bundle = recorded(packet(kind, policy));
            assert_eq!((bundle.packet.source_kind, bundle.packet.side_effect_policy), (kind, policy));
            assert_eq!(bundle.packet.tool_transcript_chain_hash.is_some(), policy != SideEffectPolicy::LiveDisallowed);
            let mut tampered = bundle.clone();
            tampered.inputs.run["shift"] = json!("early");
            let cache = Hydrations::new();
            let replays = [
                ("own", replay(&bundle, &cache)),
                ("other", replay_against(&bundle, &other(), &cache)),
                ("fixed", replay_against(&bundle, &fixed(), &cache)),
                ("tampered", replay(&tampered, &cache)),
            ];
            let mut life: Option<PacketLife> = None;
            let mut before = ReplayResult::NotRun;
            for (with, report) in replays {
                let report = report.unwrap();
                assert_eq!(report.result, expected(kind, with), "{kind} {policy} {with} {report:?}");
                assert_eq!(report.unmet.is_empty(), report.result != ReplayResult::StillFailing, "{report:?}");
                reached.insert(report.result);
                let event = replayed_event(&report, "2026-05-10T00:00:00Z", "ci");
                let longer = extended(life.take(), &bundle, event).unwrap();
                assert_eq!((longer.state(), longer.entries.len() as u64 - 1), (report.result, longer.head.seq));
                assert!(report.result.may_follow(before, kind));
                before = report.result;
                life = Some(longer);
            }
            // The end: nothing follows.
            let end = superseded_event(&bundle, "rpl_next", "2026-05-11T00:00:00Z", "ann");
            let ended = extended(life, &bundle, end).unwrap();
            verify_life(&ended, &bundle).unwrap();
            for result in ReplayResult::ALL.iter().copied() {
                let event = PacketEvent { result: PacketResult::of(result), ..ended.entries[0].event.clone() };
                let refused = extended(Some(ended.clone()), &bundle, event).unwrap_err();
                assert_eq!(refused, LifeFault::MayNotFollow { before: ReplayResult::Superseded, after: result });
            }
        }
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), ReplayResult::ALL);
}

#[test]
fn a_result_of_another_kind_never_enters_a_life() {
    for kind in SourceKind::ALL.iter().copied() {
        let bundle = recorded(packet(kind, SideEffectPolicy::LiveDisallowed));
        let report = replay(&bundle, &Hydrations::new()).unwrap();
        let event = replayed_event(&report, "2026-05-10T00:00:00Z", "ci");
        for result in ReplayResult::ALL.iter().copied() {
            let corrected = kind == SourceKind::OperatorCorrection;
            let allowed = match result {
                ReplayResult::NotRun => false,
                ReplayResult::ReplayEqual => !corrected,
                ReplayResult::Fixed | ReplayResult::StillFailing => corrected,
                ReplayResult::ReplayMismatch | ReplayResult::Invalid | ReplayResult::Superseded => true,
            };
            let event = PacketEvent { result: PacketResult::of(result), ..event.clone() };
            assert_eq!(extended(None, &bundle, event).is_ok(), allowed, "{kind} {result}");
        }
    }
}

#[test]
fn a_correction_states_a_fault() {
    let cache = Hydrations::new();
    let mut without = packet(SourceKind::OperatorCorrection, SideEffectPolicy::LiveDisallowed);
    without.origin.correction = None;
    assert_eq!(code(record(without, &cache)), "D2301");
    let mut of_run = packet(SourceKind::DecisionRecord, SideEffectPolicy::LiveDisallowed);
    of_run.origin.correction = Some(refuse_it());
    assert_eq!(code(record(of_run, &cache)), "D2302");
    let mut right = packet(SourceKind::OperatorCorrection, SideEffectPolicy::LiveDisallowed);
    right.origin.correction.as_mut().unwrap().expect.outcome = CompileOutcome::Compiled;
    assert_eq!(code(record(right, &cache)), "D2303");
    // The fault itself is in the recording: if it cannot be reproduced, nothing is known of its correction.
    let mut bundle = recorded(packet(SourceKind::OperatorCorrection, SideEffectPolicy::LiveDisallowed));
    assert_eq!(replay(&bundle, &cache).unwrap().unmet[0].pointer, "/expect/outcome");
    bundle.packet.correction.as_mut().unwrap().expect.outcome = CompileOutcome::Compiled;
    assert_eq!(replay(&bundle, &cache).unwrap().tampered, ["packet"]);
}

#[test]
fn a_snapshot_is_that_of_the_run() {
    let mut recording = calm();
    recording.origin.snapshot_ref = Some("another".to_owned());
    assert_eq!(code(record(recording, &Hydrations::new())), "D2304");
}

#[test]
fn a_policy_is_held_when_it_is_recorded_and_when_it_is_replayed() {
    let with = |policy, transcript: Vec<TranscriptEntry>| {
        let mut recording = calm();
        recording.origin.side_effect_policy = policy;
        recording.origin.transcript = transcript;
        record(recording, &Hydrations::new())
    };
    let answered = || vec![call("orders.lookup", Some(json!("sent")))];
    let unanswered = || vec![call("orders.lookup", None)];
    for (policy, transcript) in [
        (SideEffectPolicy::LiveDisallowed, answered()),
        (SideEffectPolicy::TranscriptOnly, unanswered()),
        (SideEffectPolicy::TranscriptOnly, Vec::new()),
    ] {
        assert_eq!(code(with(Some(policy), transcript)), "D2305", "{policy}");
    }
    assert_eq!(code(with(None, unanswered())), "D2305");
    // A call that was denied has no answer to give.
    let denied = with(None, vec![call("orders.purge", None)]).unwrap();
    assert_eq!(json!(denied.expected.calls), json!([{ "tool": "orders.purge", "verdict": "deny" }]));
    let derived = with(None, answered()).unwrap();
    assert_eq!(derived.packet.side_effect_policy, SideEffectPolicy::TranscriptOnly);
    // A forged packet is no excuse.
    let mut forged = derived.clone();
    forged.packet.side_effect_policy = SideEffectPolicy::LiveDisallowed;
    let report = replay(&forged, &Hydrations::new()).unwrap();
    assert_eq!(
        (report.result, report.tampered.join(" ").as_str()),
        (ReplayResult::Invalid, "packet side_effect_policy")
    );
}

#[test]
fn no_call_of_a_transcript_can_be_taken_out_or_changed() {
    let mut recording = calm();
    recording.origin.transcript =
        vec![call("orders.lookup", Some(json!(1))), call("orders.purge", None), call("orders.lookup", Some(json!(2)))];
    let bundle = recorded(recording);
    let changes: [fn(&mut Vec<TranscriptEntry>); 4] = [
        |calls| drop(calls.remove(1)),
        |calls| calls.swap(0, 2),
        |calls| calls[0].answer = Some(json!(3)),
        |calls| calls.push(call("orders.lookup", Some(json!(4)))),
    ];
    for change in changes {
        let mut changed = bundle.clone();
        change(&mut changed.inputs.tool_transcript);
        let report = replay(&changed, &Hydrations::new()).unwrap();
        assert_eq!(report.result, ReplayResult::Invalid);
        assert_eq!(report.tampered, ["tool_transcript", "tool_transcript_chain_hash"]);
    }
}

#[test]
fn a_call_that_another_pack_decides_differently_is_a_mismatch() {
    let mut recording = calm();
    let mut written = call("notes.write", Some(json!("ok")));
    written.call.arguments.insert("text".to_owned(), json!("a note of some length"));
    recording.origin.transcript = vec![written];
    let bundle = recorded(recording);
    assert_eq!(bundle.expected.calls[0].verdict.as_str(), "allow");
    let gated = edited(&small(), |pack| {
        pack["policy_layer"]["approval_gates"][0]["when"] =
            json!({ ">": [{ "var": "request.context.refund_amount" }, 3000] });
        pack["tooling_layer"]["permissions"][1]["arg_constraints"] = json!({ "text": { "max_length": 3 } });
    });
    let report = replay_against(&bundle, &gated, &Hydrations::new()).unwrap();
    assert_eq!(report.result, ReplayResult::ReplayMismatch);
    let mut forged = bundle.clone();
    forged.expected.calls[0].verdict = deed_model::CallVerdict::Deny;
    let moved = replay(&forged, &Hydrations::new()).unwrap().moved.unwrap();
    assert_eq!(
        (moved.within, moved.kind, moved.pointer.as_str()),
        (DifferenceScope::Calls, DifferenceKind::Tool, "/0/verdict")
    );
    assert_eq!((moved.before, moved.after), (Some(json!("deny")), Some(json!("allow"))));
}

/// A life of some length.
fn life_of(bundle: &ReplayBundle, results: usize) -> PacketLife {
    let report = replay(bundle, &Hydrations::new()).unwrap();
    let mut life = None;
    for at in 0..results {
        let event = replayed_event(&report, &format!("2026-05-{:02}T00:00:00Z", at + 1), "ci");
        life = Some(extended(life, bundle, event).unwrap());
    }
    life.unwrap()
}

/// Replaces the leaf at an index, counted in document order, with something else.
fn alter(value: &mut Value, left: &mut usize) -> bool {
    match value {
        Value::Object(fields) => fields.values_mut().any(|inner| alter(inner, left)),
        Value::Array(items) => items.iter_mut().any(|inner| alter(inner, left)),
        leaf => {
            if *left > 0 {
                *left -= 1;
                return false;
            }
            *leaf = match leaf {
                Value::String(text) => Value::String(match text.strip_suffix('0') {
                    Some(rest) => format!("{rest}1"),
                    None => format!("{}0", &text[..text.len() - 1]),
                }),
                Value::Number(number) => json!(number.as_u64().unwrap() + 1),
                _ => json!("now something"),
            };
            true
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A longer life begins as the shorter one, and every edit of a life is found.
    #[test]
    fn a_life_is_only_appended_to(length in 1usize..6, leaf in 0usize..200, entry in 0usize..6, other in 0usize..6) {
        let bundle = recorded(packet(SourceKind::DecisionRecord, SideEffectPolicy::LiveDisallowed));
        let life = life_of(&bundle, length);
        prop_assert_eq!(verify_life(&life, &bundle), Ok(()));
        let report = replay(&bundle, &Hydrations::new()).unwrap();
        let longer = extended(Some(life.clone()), &bundle, replayed_event(&report, "2026-06-01T00:00:00Z", "ci")).unwrap();
        prop_assert_eq!(&longer.entries[..length], &life.entries[..]);
        let is_found = |changed: &PacketLife| verify_life(changed, &bundle).is_err();
        // Any leaf of the document.
        let mut document = serde_json::to_value(&life).unwrap();
        let mut left = leaf;
        if alter(&mut document, &mut left)
            && let Ok(changed) = serde_json::from_value::<PacketLife>(document)
        {
            prop_assert!(is_found(&changed), "{leaf} {changed:?}");
        }
        // An entry taken out, cut off, doubled or moved.
        let (entry, other) = (entry % length, other % length);
        let mut without = life.clone();
        without.entries.remove(entry);
        prop_assert!(is_found(&without));
        let mut cut = life.clone();
        cut.entries.truncate(entry);
        prop_assert!(is_found(&cut));
        let mut doubled = life.clone();
        doubled.entries.insert(entry, life.entries[entry].clone());
        prop_assert!(is_found(&doubled));
        if entry != other {
            let mut moved = life.clone();
            moved.entries.swap(entry, other);
            prop_assert!(is_found(&moved));
        }
        // An older head, as after a rollback of the file's end.
        let mut rolled = life.clone();
        rolled.head = longer.head;
        prop_assert!(is_found(&rolled));
    }
}

#[test]
fn a_life_stands_beside_its_own_recording() {
    let bundle = recorded(packet(SourceKind::DecisionRecord, SideEffectPolicy::LiveDisallowed));
    let other = recorded(packet(SourceKind::DecisionRecord, SideEffectPolicy::Sandbox));
    let life = life_of(&bundle, 2);
    assert!(matches!(verify_life(&life, &other), Err(LifeFault::OtherRecording(_))));
    let later = PacketLife { format: "deed/packet-life/v2".to_owned(), ..life };
    assert!(matches!(verify_life(&later, &bundle), Err(LifeFault::Format(_))));
}

/// A recording that the first version wrote.
fn first_version() -> ReplayBundle {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fixtures/recording.v1.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn recordings_of_the_first_version_are_read_and_replayed() {
    let bundle = first_version();
    assert_eq!(bundle.format, "deed/replay-bundle/v1");
    assert_eq!(bundle.packet.source_kind, SourceKind::EnvironmentEpisode);
    assert_eq!(bundle.packet.side_effect_policy, SideEffectPolicy::LiveDisallowed);
    let report: ReplayReport = replay(&bundle, &Hydrations::new()).unwrap();
    assert_eq!((report.result, report.tampered.len()), (ReplayResult::ReplayEqual, 0), "{report:?}");
    let life = life_of(&bundle, 2);
    assert_eq!(verify_life(&life, &bundle), Ok(()));
    // Its own seal still holds it to what it was.
    for change in [
        (|b| b.packet.source_kind = SourceKind::GoldenCase) as fn(&mut ReplayBundle),
        |b| b.packet.source_kind = SourceKind::QualityReplayCase,
        |b| b.packet.side_effect_policy = SideEffectPolicy::Sandbox,
        |b| b.packet.trace_id = Some("trace".to_owned()),
    ] {
        let mut changed = bundle.clone();
        change(&mut changed);
        assert_eq!(replay(&changed, &Hydrations::new()).unwrap().tampered, ["packet"]);
    }
    // It cannot be passed off as the second version.
    let later = ReplayBundle { format: "deed/replay-bundle/v2".to_owned(), ..bundle };
    assert_eq!(replay(&later, &Hydrations::new()).unwrap().result, ReplayResult::Invalid);
}
