use deed_canon::{ContentHash, to_canonical};
use deed_model::{
    LadderReport, Phase, ProfileSnapshot, ReadAs, ResolvedPhase, ValidationMode, ValidationPack, ValidationVerdict,
};
use deed_validation::{Artifact, ArtifactSchema, Judged, PackFile, Validator, corrects, shipped_packs};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A snapshot in which one pack judges everything in every phase.
fn snapshot(pack: &ValidationPack, mode: ValidationMode) -> ProfileSnapshot {
    let phase = ResolvedPhase { mode, default_pack_ref: Some(pack.pack_ref.clone()), matchers: Vec::new() };
    let validation: BTreeMap<String, ResolvedPhase> =
        Phase::ALL.into_iter().map(|name| (name.as_str().to_owned(), phase.clone())).collect();
    let empty = json!({
        "format": "deed/profile-snapshot/v1", "profile_ref": "team@1.0.0", "profile_hash": ContentHash::of_bytes(b"").to_string(),
        "bindings": {}, "prompts": {}, "validation": {}, "skill_policy": {}, "window_size": 1, "timeouts": {},
        "power": { "egress": [], "denied_skills": [] }, "routing_strategy": "plan_always",
        "planning_guidance": [], "reasoning": {},
    });
    let mut snapshot: ProfileSnapshot = serde_json::from_value(empty).unwrap();
    snapshot.validation = validation;
    snapshot.validation_packs = BTreeMap::from([(pack.pack_ref.clone(), pack.clone())]);
    snapshot
}

fn pack(rules: &str) -> ValidationPack {
    let text = format!("pack_ref: valpack.acme.own@v1\nphases: [step_output]\nlargest_bytes: 4000\nrules:\n{rules}");
    PackFile::read("pack.yaml", text.as_bytes()).unwrap().pack().unwrap().clone()
}

fn judged(pack: &ValidationPack, mode: ValidationMode, phase: Phase, path: &str, bytes: &[u8]) -> Judged {
    let validator = Validator::new(&snapshot(pack, mode)).unwrap();
    let sha256 = ContentHash::of_bytes(bytes);
    let size = bytes.len() as u64;
    let read = Some(bytes).filter(|_| validator.reads(phase, path, size));
    validator.judge(&Artifact {
        phase,
        path,
        sha256,
        size,
        bytes: read,
        schema: None,
        may_correct: true,
        proposed: None,
    })
}

const ORDERS: &str = "  - id: order
    artifact_path: '*'
    read_as: json
    contract:
      contract: order
      schema: { type: object, required: [id, total], properties: { id: { type: string }, total: { type: integer, maximum: 100 } } }
      synonyms: [{ from: [number], to: id }]
";

/// Six phases, three modes, a good, a correctable and a bad payload: what each comes to.
#[test]
fn verdicts_follow_phase_mode_and_payload() {
    let pack = pack(ORDERS);
    for phase in Phase::ALL {
        for mode in [ValidationMode::Off, ValidationMode::Report, ValidationMode::Block] {
            for (payload, text) in [
                ("good", r#"{"id":"a","total":3}"#),
                ("correctable", r#"{"number":"a","total":3}"#),
                ("bad", r#"{"id":"a","total":300}"#),
            ] {
                let judged = judged(&pack, mode, phase, "output/a.json", text.as_bytes());
                let made = mode == ValidationMode::Block && corrects(phase);
                let expected = match (mode, payload) {
                    (ValidationMode::Off, _) => ValidationVerdict::Off,
                    (_, "good") => ValidationVerdict::Passed,
                    (_, "bad") => ValidationVerdict::Failed,
                    _ if made => ValidationVerdict::Corrected,
                    _ => ValidationVerdict::Correctable,
                };
                assert_eq!(judged.record.verdict, expected, "{phase:?} {mode:?} {payload}");
                assert_eq!(judged.correction.is_some(), expected == ValidationVerdict::Corrected);
                let stops = mode == ValidationMode::Block && (payload == "bad" || (payload == "correctable" && !made));
                assert_eq!(judged.record.stops(), stops, "{phase:?} {mode:?} {payload}");
            }
        }
    }
}

#[test]
fn a_correction_names_both_hashes_and_can_be_undone() {
    let text = "Here it is:\n```json\n{'number': 'a', 'total': \"3\",}\n```\n";
    let judged = judged(&pack(ORDERS), ValidationMode::Block, Phase::StepOutput, "output/a.json", text.as_bytes());
    let (record, correction) = (judged.record.correction.unwrap(), judged.correction.unwrap());
    assert_eq!(String::from_utf8(correction.bytes.clone()).unwrap(), r#"{"id":"a","total":3}"#);
    assert_eq!(record.after, ContentHash::of_bytes(&correction.bytes));
    assert_eq!(judged.record.before, Some(ContentHash::of_bytes(text.as_bytes())));
    assert_eq!(record.original.sha256, ContentHash::of_bytes(text.as_bytes()));
    assert_eq!(record.original.path, "validation/step_output/output/a.json.original");
    assert_eq!(record.report.sha256, ContentHash::of_bytes(&correction.report));
    let report: LadderReport = serde_json::from_slice(&correction.report).unwrap();
    let after: Value = serde_json::from_slice(&correction.bytes).unwrap();
    assert_eq!(deed_ladder::undo(&report, &after).unwrap(), Value::from(text));
}

#[test]
fn bytes_that_are_named_elsewhere_are_not_corrected() {
    let validator = Validator::new(&snapshot(&pack(ORDERS), ValidationMode::Block)).unwrap();
    let bytes = br#"{"number":"a","total":3}"#;
    let judged = validator.judge(&Artifact {
        phase: Phase::StepOutput,
        path: "output/a.json",
        sha256: ContentHash::of_bytes(bytes),
        size: bytes.len() as u64,
        bytes: Some(bytes),
        schema: None,
        may_correct: false,
        proposed: None,
    });
    assert_eq!((judged.record.verdict, judged.correction), (ValidationVerdict::Correctable, None));
}

#[test]
fn what_is_too_large_is_a_finding_and_never_read() {
    let bytes = vec![b' '; 4001];
    let own = pack(ORDERS);
    let judged = self::judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.json", &bytes);
    assert_eq!(judged.record.verdict, ValidationVerdict::NotValidated);
    assert_eq!(
        judged.record.findings[0].message,
        "not validated: 4001 bytes are more than the 4000 that the pack reads"
    );
    let mut refusing = own;
    refusing.beyond_limit = deed_model::BeyondLimit::Refuse;
    let judged = self::judged(&refusing, ValidationMode::Block, Phase::StepOutput, "output/a.json", &bytes);
    assert_eq!((judged.record.verdict, judged.record.stops()), (ValidationVerdict::Failed, true));
}

#[test]
fn what_no_rule_matches_is_a_finding() {
    let own = pack("  - { id: a, artifact_path: '*.json', read_as: json, checks: [parses] }\n");
    let judged = judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.csv", b"a\n1\n");
    assert_eq!(
        (judged.record.verdict, judged.record.findings[0].code.as_str()),
        (ValidationVerdict::NotValidated, "D2914")
    );
}

#[test]
fn rows_are_judged_one_by_one_and_never_rewritten() {
    let own = pack(&ORDERS.replace("read_as: json", "read_as: csv_rows"));
    let check = |text: &str, verdict: ValidationVerdict, row: Option<u64>| {
        let judged = judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.csv", text.as_bytes());
        assert_eq!(judged.record.verdict, verdict, "{text}: {:?}", judged.record.findings);
        assert_eq!(judged.record.findings.first().and_then(|found| found.row), row, "{text}");
    };
    check("id,total\na,3\nb,4\n", ValidationVerdict::Passed, None);
    check("id,total\na,3\nb,400\n", ValidationVerdict::Failed, Some(2));
    check("number,total\na,3\n", ValidationVerdict::Correctable, Some(1));
    check("id,total\na,3,5\n", ValidationVerdict::Failed, None);
    let many = format!("id,total\n{}", "a,400\n".repeat(50));
    let judged = judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.csv", many.as_bytes());
    assert_eq!((judged.record.findings.len(), judged.record.unlisted), (20, 30));
}

#[test]
fn yaml_is_judged_and_never_rewritten() {
    let own = pack(&ORDERS.replace("read_as: json", "read_as: yaml"));
    let check = |text: &str, verdict: ValidationVerdict| {
        let judged = judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.yaml", text.as_bytes());
        assert_eq!(judged.record.verdict, verdict, "{text}: {:?}", judged.record.findings);
        assert_eq!(judged.correction, None);
    };
    check("# kept\nid: a\ntotal: 3\n", ValidationVerdict::Passed);
    check("number: a\ntotal: 3\n", ValidationVerdict::Correctable);
    check("id: a\ntotal: 300\n", ValidationVerdict::Failed);
    check("id: [\n", ValidationVerdict::Failed);
    check("\u{0}", ValidationVerdict::Failed);
}

/// Every check, with a file that meets it and one that does not.
#[test]
fn checks_hold_for_what_they_ask() {
    const PAGE: &str = "<!doctype html><html><head><title>T</title></head><body><h1>A</h1><p>b</p></body></html>";
    let cases: [(&str, ReadAs, &str, &str); 9] = [
        ("not_empty", ReadAs::Text, "a", " \n"),
        ("parses", ReadAs::Json, "{}", "{"),
        ("no_credentials", ReadAs::Text, "a token", "key ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
        ("no_placeholders", ReadAs::Text, "Total: 3", "Revenue was [TBD] in May"),
        ("has_rows", ReadAs::CsvRows, "a\n1\n", "a\n"),
        ("html_parts", ReadAs::Html, PAGE, "<p>a</p>"),
        ("html_title", ReadAs::Html, PAGE, "<!doctype html><html><head></head><body></body></html>"),
        ("html_headings", ReadAs::Html, PAGE, "<html><body><p>a</p></body></html>"),
        ("html_balanced", ReadAs::Html, PAGE, "<html><body><div><section></div></body></html>"),
    ];
    for (check, read_as, good, bad) in cases {
        let own =
            pack(&format!("  - {{ id: a, artifact_path: '*', read_as: {}, checks: [{check}] }}\n", read_as.as_str()));
        let verdict = |text: &str| {
            let judged = judged(&own, ValidationMode::Report, Phase::FinalOutput, "output/a", text.as_bytes());
            if judged.record.verdict == ValidationVerdict::Failed {
                assert_eq!(judged.record.findings[0].by, check);
                assert!(!judged.record.findings[0].message.contains("A1b2C3"));
            }
            judged.record.verdict
        };
        assert_eq!(verdict(good), ValidationVerdict::Passed, "{check}");
        assert_eq!(verdict(bad), ValidationVerdict::Failed, "{check}");
    }
}

#[test]
fn the_schema_of_the_artifact_decides_where_there_is_one() {
    let json_schema = deed_validation::shipped_pack("valpack.operator.json-schema@v1").unwrap().pack().unwrap();
    let validator = Validator::new(&snapshot(json_schema, ValidationMode::Block)).unwrap();
    let row = json!({ "type": "object", "required": ["hours"], "properties": { "hours": { "type": "number" } } });
    let verdict = |text: &str, schema: Option<ArtifactSchema<'_>>| {
        let bytes = text.as_bytes();
        let judged = validator.judge(&Artifact {
            phase: Phase::StepOutput,
            path: "output/rows.json",
            sha256: ContentHash::of_bytes(bytes),
            size: bytes.len() as u64,
            bytes: Some(bytes),
            schema,
            may_correct: true,
            proposed: None,
        });
        (judged.record.verdict, judged.correction.map(|correction| String::from_utf8(correction.bytes).unwrap()))
    };
    let rows = Some(ArtifactSchema { schema: &row, of_rows: true });
    assert_eq!(verdict(r#"[{"hours": 3}]"#, rows), (ValidationVerdict::Passed, None));
    assert_eq!(
        verdict(r#"[{"hours": "3"}]"#, rows),
        (ValidationVerdict::Corrected, Some(r#"[{"hours":3}]"#.to_owned()))
    );
    assert_eq!(verdict(r#"[{"hours": "three"}]"#, rows).0, ValidationVerdict::Failed);
    assert_eq!(verdict(r#"[{"hours": "three"}]"#, None).0, ValidationVerdict::Passed);
    let broken = json!({ "type": "nothing" });
    let broken = Some(ArtifactSchema { schema: &broken, of_rows: false });
    assert_eq!(verdict("{}", broken).0, ValidationVerdict::Failed);
}

#[test]
fn a_snapshot_without_its_packs_is_refused() {
    let own = pack(ORDERS);
    let mut without = snapshot(&own, ValidationMode::Report);
    assert!(!Validator::is_without_packs(&without));
    without.validation_packs.clear();
    assert!(Validator::new(&without).err().unwrap().contains("valpack.acme.own@v1"));
    // That is how an older version froze it.
    assert!(Validator::is_without_packs(&without));
    assert!(!Validator::is_without_packs(&snapshot(&own, ValidationMode::Off)));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1000_i64..1000).prop_map(Value::from),
        "[a-z ]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// No shipped pack corrects JSON that is an object or a list, and the same bytes give the same record.
    #[test]
    fn good_payloads_are_left_as_they_are(value in value()) {
        prop_assume!(value.is_object() || value.is_array());
        let text = format!("{value:#}");
        for file in shipped_packs() {
            let pack = file.pack().unwrap();
            for phase in pack.phases.iter().filter(|phase| !matches!(phase, Phase::PlannerCandidate | Phase::CompiledPlan)) {
                let first = judged(pack, ValidationMode::Block, *phase, "output/a.json", text.as_bytes());
                prop_assert_eq!(&first, &judged(pack, ValidationMode::Block, *phase, "output/a.json", text.as_bytes()));
                prop_assert!(first.correction.is_none(), "{:?}", first.record);
            }
        }
    }

    /// A payload in a fence is corrected to its value, and the record gives the text back.
    #[test]
    fn corrections_are_undone(value in value()) {
        prop_assume!(value.is_object());
        let pack = deed_validation::shipped_pack("valpack.operator.generic.step-output@v1").unwrap().pack().unwrap();
        let text = format!("```json\n{value:#}\n```\n");
        let judged = judged(pack, ValidationMode::Block, Phase::StepOutput, "output/a.json", text.as_bytes());
        let correction = judged.correction.unwrap();
        prop_assert_eq!(&correction.bytes, &to_canonical(&value).unwrap());
        let report: LadderReport = serde_json::from_slice(&correction.report).unwrap();
        prop_assert_eq!(deed_ladder::undo(&report, &value).unwrap(), Value::from(text));
    }

    /// Any bytes under any path give a record, and none panics.
    #[test]
    fn any_bytes_give_a_record(bytes in prop::collection::vec(any::<u8>(), 0..200), path in "output/[a-z]{1,3}\\.(json|yaml|csv|tsv|html|md|txt|bin)") {
        for file in shipped_packs() {
            let pack = file.pack().unwrap();
            for phase in &pack.phases {
                let judged = judged(pack, ValidationMode::Block, *phase, &path, &bytes);
                prop_assert_eq!(judged.record.phase, *phase);
            }
        }
    }
}

/// A payload that would be written anew with another number is not corrected.
#[test]
fn a_number_that_would_be_rounded_is_not_rewritten() {
    let own = pack(
        "  - id: amounts
    artifact_path: '*'
    read_as: json
    contract: { contract: amounts, schema: { type: object, properties: { amount: { type: number } } } }
",
    );
    let verdict = |text: &str| {
        let judged = judged(&own, ValidationMode::Block, Phase::StepOutput, "output/a.json", text.as_bytes());
        (judged.record.verdict, judged.correction.is_some())
    };
    assert_eq!(verdict(r#"{"amount": 123.25,}"#), (ValidationVerdict::Corrected, true));
    assert_eq!(verdict(r#"{"amount": 123456789012.123456,}"#), (ValidationVerdict::Correctable, false));
}
