//! Recordings: what is in one, that it replays to the same bytes, and which results and differences are reached.

use crate::common::archive;

use archive::{calm, edited, recorded, small, support as support_pack, with_overlays, worked};
use deed_canon::{ContentHash, derive_id, hash_of};
use deed_context::{
    DifferenceScope, Hydrations, PackMaterial, REPLAY_FORMAT, Recording, ReplayReport, StageDifference,
    determinism_rate, record, replay, replay_against,
};
use deed_model::{
    CONTEXT_PACK_TAG, CompileOutcome, Correction, DifferenceKind, GoldenExpectation, REPLAY_BUNDLE_TAG, ReplayBundle,
    ReplayResult, SideEffectPolicy, SourceKind, Stage, UsageReport,
};
use serde_json::{Value, json};

fn again(bundle: &ReplayBundle) -> ReplayReport {
    replay(bundle, &Hydrations::new()).unwrap_or_else(|report| panic!("{report:?}"))
}

fn against(bundle: &ReplayBundle, candidate: &PackMaterial) -> ReplayReport {
    replay_against(bundle, candidate, &Hydrations::new()).unwrap_or_else(|report| panic!("{report:?}"))
}

fn code(result: Result<impl std::fmt::Debug, deed_diag::Report>) -> String {
    result.unwrap_err().diagnostics()[0].code.to_string()
}

fn refused_by_evidence() -> Recording {
    let mut refused = calm();
    refused.run.as_object_mut().unwrap().remove("kg_snapshot_id");
    refused
}

fn refused_before_the_stages() -> Recording {
    let mut refused = calm();
    refused.run["tenant_id"] = json!("tenant_other");
    refused.request["tenant_id"] = json!("tenant_other");
    refused
}

fn denied() -> Recording {
    let mut denied = worked(support_pack(&["staging", "high_risk"]));
    denied.request["input"]["context"]["identity_verified"] = json!(false);
    denied
}

/// One of each outcome, and how many stages it has a record of.
fn outcomes() -> [(Recording, &'static str, Option<&'static str>, usize); 5] {
    [
        (calm(), "compiled", None, 8),
        (worked(support_pack(&[])), "must_escalate", None, 8),
        (denied(), "must_refuse", None, 8),
        (refused_by_evidence(), "refused", Some("D1513"), 3),
        (refused_before_the_stages(), "refused", Some("D1504"), 0),
    ]
}

#[test]
fn every_outcome_is_recorded_and_replays_equal() {
    for (recording, outcome, refusal, stages) in outcomes() {
        let bundle = recorded(recording);
        let expected = &bundle.expected;
        assert_eq!(
            (expected.outcome.as_str(), expected.refusal.as_deref(), expected.stages.len()),
            (outcome, refusal, stages)
        );
        assert_eq!(expected.compiled_context_hash.is_some(), refusal.is_none());
        let text = serde_json::to_string(&bundle).unwrap();
        let read: ReplayBundle = serde_json::from_str(&text).unwrap();
        assert_eq!(read, bundle);
        let pretty: ReplayBundle = serde_json::from_str(&serde_json::to_string_pretty(&bundle).unwrap()).unwrap();
        let equal = ReplayReport {
            packet_id: bundle.packet.packet_id.clone(),
            pack_ref: bundle.packet.pack_ref.clone(),
            source_kind: SourceKind::DecisionRecord,
            pack_hash: Some(hash_of(&CONTEXT_PACK_TAG, &bundle.inputs.pack).unwrap()),
            overlays: bundle.inputs.selected_overlays.clone(),
            result: ReplayResult::ReplayEqual,
            unmet: Vec::new(),
            moved: None,
            tampered: Vec::new(),
            missing_overlays: Vec::new(),
            outcome_before: outcome.into(),
            outcome_after: outcome.into(),
        };
        for bundle in [&bundle, &read, &pretty] {
            assert_eq!(again(bundle), equal);
        }
        // Against the pack that is in it nothing moves either, but for a request that the pins alone refused.
        assert_eq!(against(&bundle, &PackMaterial::recorded(&bundle.inputs)), equal);
    }
}

#[test]
fn a_recording_is_made_of_what_was_read() {
    let recording = worked(support_pack(&["high_risk", "staging"]));
    let bundle = recorded(recording.clone());
    assert_eq!(bundle.format, REPLAY_FORMAT);
    assert_eq!((&bundle.inputs.pack, &bundle.inputs.overlays), (&recording.pack.pack, &recording.pack.overlays));
    assert_eq!(bundle.inputs.selected_overlays, ["high_risk", "staging"]);
    assert_eq!([&bundle.inputs.request, &bundle.inputs.run], [&recording.request, &recording.run]);
    assert_eq!([&bundle.inputs.evidence, &bundle.inputs.memory], [&recording.evidence, &recording.memory]);
    let parts: Vec<&str> = bundle.seal.parts.keys().map(String::as_str).collect();
    assert_eq!(
        parts,
        [
            "bundle",
            "evidence",
            "expected",
            "memory",
            "overlays",
            "pack",
            "packet",
            "request",
            "run",
            "tokenizer",
            "usage"
        ]
    );
    let stages: Vec<Stage> = bundle.expected.stages.iter().map(|s| s.stage).collect();
    assert_eq!(stages, Stage::ALL);
    // The same again is the same again, to the byte.
    assert_eq!(serde_json::to_string(&recorded(recording)).unwrap(), serde_json::to_string(&bundle).unwrap());
}

#[test]
fn a_tokenizer_that_was_assumed_is_written_down() {
    let mut recording = calm();
    recording.run.as_object_mut().unwrap().remove("tokenizer");
    let bundle = recorded(recording.clone());
    assert_eq!((bundle.inputs.tokenizer.as_str(), &bundle.inputs.run), ("o200k_base", &recording.run));
    recording.run.as_object_mut().unwrap().remove("as_of");
    assert_eq!(code(record(recording, &Hydrations::new())), "D1507");
}

#[test]
fn a_packet_says_what_a_recording_is_kept_for() {
    for kind in SourceKind::ALL.iter().copied() {
        let mut recording = worked(support_pack(&[]));
        recording.source_kind = kind;
        let corrected = kind == SourceKind::OperatorCorrection;
        recording.origin.correction = corrected.then(|| Correction {
            at: "2026-05-09T12:00:00Z".to_owned(),
            by: "ann".to_owned(),
            expect: GoldenExpectation { outcome: CompileOutcome::MustRefuse, ..GoldenExpectation::default() },
            reason: "it was fraud".to_owned(),
        });
        let bundle = recorded(recording);
        let packet = &bundle.packet;
        assert_eq!((packet.source_kind, packet.side_effect_policy), (kind, SideEffectPolicy::LiveDisallowed));
        assert_eq!(
            (packet.pack_ref.as_str(), packet.source_ref.as_str()),
            ("ctxpack.support@1.0.0", "run_2026_05_09_001/req_881")
        );
        assert_eq!(packet.session_ids, ["ses_4"]);
        assert_eq!(packet.snapshot_ref.as_deref(), Some("snapshot_kg_2026_05_03_T0930"));
        // What was read and what came of it make the id, and not what it is kept for; two corrections are two packets.
        let mut parts = bundle.seal.parts.clone();
        parts.retain(|name, _| !["bundle", "packet", "usage"].contains(&name.as_str()));
        let recording = hash_of(&REPLAY_BUNDLE_TAG, &parts).unwrap();
        let identity = match &packet.correction {
            None => recording,
            Some(correction) => hash_of(&REPLAY_BUNDLE_TAG, &(recording, &correction.expect)).unwrap(),
        };
        assert_eq!(packet.packet_id, derive_id("rpl", &identity));
        assert_eq!(packet.expected.outcome, "must_escalate");
        assert_eq!(packet.expected.compiled_context_hash, bundle.expected.compiled_context_hash);
        assert_eq!(packet.latest_result, None);
    }
}

#[test]
fn a_packet_keeps_its_latest_result() {
    let mut bundle = recorded(calm());
    // None is written as null, and is read from null and from nothing.
    let mut written = serde_json::to_value(&bundle).unwrap();
    assert_eq!(written["packet"]["latest_result"], Value::Null);
    written["packet"].as_object_mut().unwrap().remove("latest_result");
    assert_eq!(serde_json::from_value::<ReplayBundle>(written).unwrap(), bundle);
    bundle.inputs.run["safety_mode"] = json!("read_only");
    let result = again(&bundle).result();
    let expected = json!({
        "result": "invalid", "stage": "tools", "pointer": "/reads/safety_mode", "before": "destructive",
        "after": "read_only", "tampered": ["run"],
    });
    assert_eq!(serde_json::to_value(&result).unwrap(), expected);
    bundle.packet.latest_result = Some(result);
    let read: ReplayBundle = serde_json::from_str(&serde_json::to_string(&bundle).unwrap()).unwrap();
    assert_eq!(read, bundle);
    // It is no part of what was recorded.
    bundle.inputs.run["safety_mode"] = json!("destructive");
    assert!(again(&bundle).is_equal());
    let plain = again(&bundle).result();
    assert_eq!(serde_json::to_value(&plain).unwrap(), json!({ "result": "replay_equal" }));
}

#[test]
fn an_unknown_format_is_refused() {
    let mut bundle = recorded(calm());
    for format in ["deed/replay-bundle/v3", "", "deed/replay-bundle/v1 "] {
        bundle.format = format.to_owned();
        assert_eq!(code(replay(&bundle, &Hydrations::new())), "D1526");
        assert_eq!(code(replay_against(&bundle, &small(), &Hydrations::new())), "D1526");
    }
}

#[test]
fn reported_tokens_are_reconciled() {
    let mut recording = calm();
    let plain = recorded(recording.clone());
    recording.reported_tokens = Some(1);
    let budget = &plain.expected.stages[5].decided;
    let sum = |parts: &Value| parts.as_object().unwrap().values().map(|v| v.as_u64().unwrap()).sum::<u64>();
    let counted = sum(&budget["head"]) + sum(&plain.expected.stages[6].decided["used"]);
    assert!(counted > 100);
    for reported in [counted, counted + 50, 1] {
        recording.reported_tokens = Some(reported);
        let usage = UsageReport {
            counted,
            difference: i64::try_from(reported).unwrap() - i64::try_from(counted).unwrap(),
            exact: false,
            per_mille: reported * 1000 / counted,
            reported,
            tokenizer: "bytes/4".to_owned(),
        };
        let bundle = recorded(recording.clone());
        assert_eq!(bundle.usage, Some(usage));
        // What a provider reports changes nothing of what a recording is known by, and is sealed with it.
        assert_eq!(bundle.packet, plain.packet);
        assert!(again(&bundle).is_equal());
        let mut forged = bundle.clone();
        forged.usage.as_mut().unwrap().reported += 1;
        assert_eq!(again(&forged).tampered, ["usage"]);
    }
    assert_eq!(plain.usage, None);
    let mut refused = refused_by_evidence();
    refused.reported_tokens = Some(7);
    assert_eq!(recorded(refused).usage, None);
}

/// The first stage that moves with another pack. Nobody has touched the recording, so the result is a mismatch.
fn moves(recording: Recording, change: impl FnOnce(&mut Value), expected: StageDifference) {
    let candidate = edited(&recording.pack, change);
    let bundle = recorded(recording);
    let report = against(&bundle, &candidate);
    assert_eq!((report.result, report.tampered.len()), (ReplayResult::ReplayMismatch, 0), "{report:?}");
    assert_eq!(report.moved, Some(expected));
}

fn moved(
    stage: Stage,
    kind: DifferenceKind,
    pointer: &str,
    before: Option<Value>,
    after: Option<Value>,
) -> StageDifference {
    StageDifference { stage, kind, within: DifferenceScope::Record, pointer: pointer.to_owned(), before, after }
}

#[test]
fn evidence_moves() {
    moves(
        worked(support_pack(&[])),
        |pack| pack["pack_meta"]["data_classification"] = json!("PUBLIC"),
        moved(
            Stage::Evidence,
            DifferenceKind::Evidence,
            "/reads/ceiling",
            Some(json!("INTERNAL")),
            Some(json!("PUBLIC")),
        ),
    );
}

#[test]
fn policy_moves() {
    let rules = "/policy_layer/policy_bundles/0/policy_dsl/rules";
    let high = json!(["R_HIGH_VALUE_REQUIRES_APPROVAL"]);
    moves(
        worked(support_pack(&[])),
        |pack| *pack.pointer_mut(&format!("{rules}/1/if/and/1/>/1")).unwrap() = json!(5000),
        moved(Stage::Policy, DifferenceKind::Policy, "/decided/controls/0/named_by", Some(high), None),
    );
    // Other words for a denial make another decision: the words are said, and not the id that follows from them.
    moves(
        denied_without_overlays(),
        |pack| *pack.pointer_mut(&format!("{rules}/0/else/reason")).unwrap() = json!("No."),
        moved(
            Stage::Policy,
            DifferenceKind::Policy,
            "/decided/decisions/0/reason",
            Some(json!("The customer's identity was not verified, so no refund is possible.")),
            Some(json!("No.")),
        ),
    );
    // So are the words for what a rule is for.
    let recording = denied_without_overlays();
    let candidate =
        edited(&recording.pack, |pack| pack.pointer_mut(&format!("{rules}/0")).unwrap()["rationale"] = json!("Since."));
    let moved = against(&recorded(recording), &candidate).moved.unwrap();
    let rationale = "/decided/decisions/0/rationale";
    assert_eq!(
        (moved.stage, moved.within, moved.pointer.as_str()),
        (Stage::Policy, DifferenceScope::Record, rationale)
    );
}

fn denied_without_overlays() -> Recording {
    let mut denied = worked(support_pack(&[]));
    denied.request["input"]["context"]["identity_verified"] = json!(false);
    denied
}

#[test]
fn an_intent_moves() {
    moves(
        calm(),
        |pack| pack["intent_layer"]["catalog"][0]["task_id"] = json!("other"),
        moved(Stage::Intent, DifferenceKind::Policy, "/decided/task", Some(json!("refund")), Some(json!("other"))),
    );
    moves(
        calm(),
        |pack| pack["intent_layer"]["catalog"][0]["id"] = json!("support.other"),
        moved(Stage::Intent, DifferenceKind::Policy, "", Some(json!("ran")), Some(json!("refused with D1511"))),
    );
}

#[test]
fn tools_move() {
    moves(
        worked(support_pack(&[])),
        |pack| {
            pack["tooling_layer"]["permissions"].as_array_mut().unwrap().remove(0);
        },
        moved(Stage::Tools, DifferenceKind::Tool, "/decided/capabilities/0/block_id", Some(json!("tool_0")), None),
    );
}

#[test]
fn memory_moves() {
    moves(
        worked(support_pack(&[])),
        |pack| *pack.pointer_mut("/memory_layer/memory_policy/tier_ttls/semantic").unwrap() = json!("30d"),
        moved(Stage::Memory, DifferenceKind::Memory, "/decided/0/reasons/0", None, Some(json!("expired"))),
    );
}

#[test]
fn a_budget_moves() {
    let mut recording = worked(support_pack(&[]));
    recording.run["run_budget"] = json!({ "bucket_tokens": 4000 });
    let record = recorded(recording.clone()).expected.stages[5].decided.clone();
    let (before, head) = (&record["allocated"]["business"], record["head"].as_object().unwrap().values());
    let rest = 4000 - head.map(|v| v.as_u64().unwrap()).sum::<u64>();
    assert_eq!(before, &json!((rest + 5) / 10));
    let split =
        json!({ "business": 0.5, "policy": 0.2, "tool": 0.1, "evidence": 0.1, "memory": 0.05, "session": 0.05 });
    moves(
        recording,
        |pack| pack["budget_layer"] = json!({ "splits": { "support.refund": split } }),
        moved(
            Stage::Budget,
            DifferenceKind::Budget,
            "/decided/allocated/business",
            Some(before.clone()),
            // Half of an odd number: the first bucket has the larger remainder.
            Some(json!(rest.div_ceil(2))),
        ),
    );
}

#[test]
fn buckets_move() {
    let hash = |text: &str| json!(ContentHash::of_bytes(text.as_bytes()));
    moves(
        calm(),
        |pack| pack["business_context"]["summary"]["differentiators"][0] = json!("swift"),
        moved(
            Stage::Buckets,
            DifferenceKind::Budget,
            "/decided/blocks/0/content",
            Some(hash("Help\nFor: all; some.\nWhat sets us apart: quick.")),
            Some(hash("Help\nFor: all; some.\nWhat sets us apart: swift.")),
        ),
    );
}

#[test]
fn manifests_move() {
    let hash = |pack: &Value| json!(deed_canon::hash(&deed_model::CONTEXT_PACK_TAG, pack).unwrap());
    let before = small();
    let after = edited(&before, |pack| pack["contract_meta"]["description"] = json!("other"));
    moves(
        calm(),
        |pack| pack["contract_meta"]["description"] = json!("other"),
        moved(
            Stage::Manifests,
            DifferenceKind::Policy,
            "/decided/pack/hash",
            Some(hash(&before.pack)),
            Some(hash(&after.pack)),
        ),
    );
}

#[test]
fn where_only_a_layer_moved_the_packs_say_more() {
    let reason = |words: &str| Some(json!(words));
    let found = StageDifference {
        within: DifferenceScope::Pack,
        ..moved(
            Stage::Policy,
            DifferenceKind::Policy,
            "/policy_layer/approval_gates/0/required_approver_role",
            reason("lead"),
            reason("chief"),
        )
    };
    moves(calm(), |pack| pack["policy_layer"]["approval_gates"][0]["required_approver_role"] = json!("chief"), found);
    // With the recording's own pack there is nothing to lay beside it, and the layer is what is said.
    let (_, found) = tampered(calm(), |b| {
        b.inputs.pack["policy_layer"]["approval_gates"][0]["required_approver_role"] = json!("chief")
    });
    let found = found.unwrap();
    assert_eq!(
        (found.stage, found.within, found.pointer.as_str()),
        (Stage::Policy, DifferenceScope::Record, "/reads/layer")
    );
}

#[test]
fn what_can_no_longer_be_read_was_tampered_with() {
    type Change = fn(&mut ReplayBundle);
    let cases: [(&str, Change); 5] = [
        ("run", |b| b.inputs.run["tenant_id"] = json!(7)),
        ("request", |b| b.inputs.request = json!([])),
        ("evidence", |b| b.inputs.evidence = json!({})),
        ("memory", |b| b.inputs.memory[0]["id"] = json!(null)),
        ("pack", |b| b.inputs.pack["policy_layer"] = json!(null)),
    ];
    for (part, change) in cases {
        let mut bundle = recorded(calm());
        change(&mut bundle);
        let report = again(&bundle);
        assert_eq!(
            (report.result, report.tampered, report.moved),
            (ReplayResult::Invalid, vec![part.to_owned()], None)
        );
        assert_eq!((report.outcome_before.as_str(), report.outcome_after.as_str()), ("compiled", "unreadable"));
    }
}

#[test]
fn the_label_is_sealed() {
    type Change = fn(&mut ReplayBundle);
    let cases: [Change; 4] = [
        |b| b.packet.expected.outcome = CompileOutcome::MustRefuse,
        |b| b.packet.pack_ref = "other@1.0.0".to_owned(),
        |b| b.packet.source_kind = SourceKind::GoldenCase,
        |b| b.packet.packet_id = "rpl_0".to_owned(),
    ];
    for change in cases {
        assert_eq!(tampered(calm(), change), (vec!["packet".to_owned()], None));
    }
}

#[test]
fn another_version_is_tried_although_the_request_pins_one() {
    let bundle = recorded(calm());
    let next = edited(&small(), |pack| pack["pack_meta"]["pack_version"] = json!("1.1.0"));
    let report = against(&bundle, &next);
    assert_eq!((report.pack_ref.as_str(), report.outcome_after.as_str()), ("small@1.1.0", "compiled"));
    // The system text names the version.
    assert_eq!(report.moved.map(|m| (m.stage, m.pointer)), Some((Stage::Budget, "/decided/system".to_owned())));
}

#[test]
fn an_overlay_that_the_other_pack_lacks_is_named() {
    let mut recording = calm();
    recording.pack = with_overlays(&small());
    let bundle = recorded(recording);
    assert!(against(&bundle, &PackMaterial::recorded(&bundle.inputs)).is_equal());
    // A selection of the candidate's own is not what counts.
    let none = PackMaterial { selected: Vec::new(), ..with_overlays(&small()) };
    assert!(against(&bundle, &none).is_equal());
    let mut without = with_overlays(&small());
    without.overlays.remove("site");
    without.pack["pack_meta"]["overlays"] = json!(["small.risk@1.0.0"]);
    let report = against(&bundle, &without);
    assert_eq!(report.missing_overlays, ["site"]);
    assert_eq!(report.moved.map(|m| (m.stage, m.kind)), Some((Stage::Policy, DifferenceKind::Policy)));
    assert_eq!(against(&bundle, &small()).missing_overlays, ["site", "risk"]);
}

/// What a change to a recording leads to: the parts that are not what they were, and where it shows first.
fn tampered(recording: Recording, change: impl FnOnce(&mut ReplayBundle)) -> (Vec<String>, Option<StageDifference>) {
    let mut bundle = recorded(recording);
    change(&mut bundle);
    let report = again(&bundle);
    assert_eq!((report.result, report.is_equal()), (ReplayResult::Invalid, false));
    (report.tampered, report.moved)
}

#[test]
fn every_input_is_sealed() {
    use Stage::{Buckets, Evidence, Intent, Manifests, Memory, Tools};
    type Change = fn(&mut ReplayBundle);
    let cases: [(&str, Change, Option<Stage>); 8] = [
        ("evidence", |b| b.inputs.evidence[0]["source_id"] = json!("elsewhere"), Some(Evidence)),
        ("memory", |b| b.inputs.memory[0]["text"] = json!("Other words."), Some(Memory)),
        (
            "overlays",
            |b| b.inputs.overlays.get_mut("site").unwrap()["changes"][0]["value"] = json!("internal://x"),
            Some(Tools),
        ),
        ("overlays", |b| b.inputs.selected_overlays.truncate(1), Some(Intent)),
        ("pack", |b| b.inputs.pack["pack_meta"]["ttl_seconds"] = json!(1), Some(Manifests)),
        ("request", |b| b.inputs.request["channel"] = json!("voice"), Some(Buckets)),
        ("run", |b| b.inputs.run["shift"] = json!("early"), Some(Manifests)),
        // Nothing reads the order, and still it is not what was recorded.
        ("evidence", |b| b.inputs.evidence.as_array_mut().unwrap().reverse(), None),
    ];
    for (part, change, stage) in cases {
        let mut recording = calm();
        recording.pack = with_overlays(&small());
        let (parts, moved) = tampered(recording, change);
        assert_eq!((parts, moved.map(|m| m.stage)), (vec![part.to_owned()], stage));
    }
}

#[test]
fn a_change_to_request_or_run_that_no_stage_sees_is_tampering() {
    for (change, pointer) in [
        ((|b| b.inputs.run["shift"] = json!("early")) as fn(&mut ReplayBundle), "/decided/run/hash"),
        (|b| b.inputs.request["zz"] = json!("own"), "/decided/request/hash"),
    ] {
        let moved = tampered(calm(), change).1.unwrap();
        assert_eq!(
            (moved.stage, moved.kind, moved.pointer.as_str()),
            (Stage::Manifests, DifferenceKind::Tamper, pointer)
        );
    }
}

#[test]
fn what_was_expected_is_sealed() {
    let other = ContentHash::of_bytes(b"other");
    let hash = recorded(calm()).expected.compiled_context_hash;
    let (parts, found) = tampered(calm(), |b| b.expected.compiled_context_hash = Some(other));
    let whole = |hash: Option<ContentHash>| Some(json!(["compiled", null, hash]));
    assert_eq!(parts, ["expected"]);
    assert_eq!(found, Some(moved(Stage::Manifests, DifferenceKind::Policy, "", whole(Some(other)), whole(hash))));

    let (parts, found) = tampered(calm(), |b| b.expected.outcome = CompileOutcome::MustRefuse);
    let expected = (Some(json!(["must_refuse", null, hash])), whole(hash));
    assert_eq!(parts, ["expected"]);
    assert_eq!(found.map(|m| (m.before, m.after)), Some(expected));

    let refusal = |code: &str| Some(json!(["refused", code, null]));
    let (parts, found) = tampered(refused_by_evidence(), |b| b.expected.refusal = Some("D1511".to_owned()));
    assert_eq!(parts, ["expected"]);
    assert_eq!(found, Some(moved(Stage::Evidence, DifferenceKind::Policy, "", refusal("D1511"), refusal("D1513"))));
}

#[test]
fn every_record_and_every_hash_of_a_stage_is_sealed() {
    let bundle = recorded(calm());
    let other = ContentHash::of_bytes(b"other");
    for (i, stage) in Stage::ALL.into_iter().enumerate() {
        let real = bundle.expected.stages[i].clone();
        // A record that was changed shows, although its hash still stands there.
        let (parts, found) = tampered(calm(), |b| b.expected.stages[i].reads["layer"] = json!("forged"));
        let found = found.unwrap();
        assert_eq!((parts, found.stage, found.pointer.as_str()), (vec!["expected".to_owned()], stage, "/reads/layer"));
        assert_eq!((found.before, found.after.as_ref()), (Some(json!("forged")), real.reads.get("layer")));
        let (parts, found) = tampered(calm(), |b| b.expected.stages[i].hash = other);
        let found = found.unwrap();
        assert_eq!((parts, found.stage, found.pointer.as_str()), (vec!["expected".to_owned()], stage, ""));
        assert_eq!((found.before, found.after), (Some(json!(other)), Some(json!(real.hash))));
        // A stage that was taken out.
        let (parts, found) = tampered(calm(), |b| {
            b.expected.stages.remove(i);
        });
        assert_eq!((parts, found.map(|m| m.stage)), (vec!["expected".to_owned()], Some(stage)));
    }
}

#[test]
fn the_seal_is_sealed() {
    let other = ContentHash::of_bytes(b"other");
    let parts: Vec<String> = recorded(calm()).seal.parts.keys().cloned().collect();
    for part in parts {
        let (found, moved) = tampered(calm(), |b| {
            b.seal.parts.insert(part.clone(), other);
        });
        let expected = if part == "bundle" { vec!["seal".to_owned()] } else { vec![part.clone(), "seal".to_owned()] };
        assert_eq!((found, moved), (expected.clone(), None));
        let (found, _) = tampered(calm(), |b| {
            b.seal.parts.remove(&part);
        });
        assert_eq!(found, expected);
    }
    let (found, _) = tampered(calm(), |b| {
        b.seal.parts.insert("more".to_owned(), other);
    });
    assert_eq!(found, ["more", "seal"]);
}

#[test]
fn every_kind_of_difference_is_reached() {
    let bundle = recorded(calm());
    let kind = |report: ReplayReport| report.moved.unwrap().kind;
    let candidate = |change: fn(&mut Value)| kind(against(&bundle, &edited(&small(), change)));
    let mut broken = bundle.clone();
    broken.inputs.run["shift"] = json!("early");
    let mut reached = vec![
        kind(again(&broken)),
        candidate(|p| p["pack_meta"]["data_tags"] = json!([])),
        candidate(|p| p["policy_layer"]["guardrails"]["must_escalate"] = json!(["label"])),
        candidate(|p| p["tooling_layer"]["permissions"][0]["allow"] = json!(false)),
        candidate(|p| p["memory_layer"]["recall_policy"]["max_per_intent"] = json!(1)),
        candidate(|p| p["budget_layer"]["default_total"] = json!(2000)),
    ];
    reached.sort_unstable();
    assert_eq!(reached, DifferenceKind::ALL);
}

#[test]
fn the_rate_of_equal_replays() {
    let bundle = recorded(calm());
    let equal = again(&bundle);
    let other = against(&bundle, &edited(&small(), |p| p["pack_meta"]["ttl_seconds"] = json!(61)));
    assert_eq!(determinism_rate([].iter()), None);
    assert_eq!(determinism_rate([equal.clone(), equal.clone()].iter()), Some(1_000_000));
    assert_eq!(determinism_rate([equal.clone(), other.clone(), equal].iter()), Some(666_666));
    assert_eq!(determinism_rate([other].iter()), Some(0));
}

#[test]
fn the_origin_of_a_pack_is_recorded_and_a_folder_keeps_its_hash() {
    use deed_model::{PackNaming, PackOrigin, PackSource};
    let made = |origin: Option<PackOrigin>, named_by: Option<PackNaming>| {
        recorded(worked(support_pack(&[]).from_source(PackSource { origin, named_by })))
    };
    let plain = made(None, None);
    // As recordings were before the origin was stated.
    let text = serde_json::to_value(&plain).unwrap();
    assert!(text["inputs"].get("pack_source").is_none() && text["seal"].get("pack_source").is_none());
    let folder = made(Some(PackOrigin::Folder), Some(PackNaming::Request));
    let proven = made(Some(PackOrigin::Proven), Some(PackNaming::Request));
    let caller = made(Some(PackOrigin::Folder), Some(PackNaming::Caller));
    let hash = |bundle: &ReplayBundle| bundle.expected.compiled_context_hash.unwrap();
    assert_eq!(hash(&plain), hash(&folder));
    let hashes = [hash(&plain), hash(&proven), hash(&caller)];
    assert!(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2], "{hashes:?}");
    for bundle in [plain, folder, proven, caller] {
        let again = replay(&bundle, &Hydrations::new()).unwrap();
        assert!(again.is_equal(), "{again:?}");
        // Another source of the same documents decides the same.
        let other = replay_against(&bundle, &support_pack(&[]), &Hydrations::new()).unwrap();
        assert!(other.is_equal(), "{other:?}");
    }
}
