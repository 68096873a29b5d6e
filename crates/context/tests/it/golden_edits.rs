//! Golden cases that move: stage and field, versions, and what an author's file becomes.

use crate::common::{bundle, document, root};
use deed_context::{
    ExaminedCase, GoldenRunner, Hydrations, PackMaterial, Recording, accepted, examine, make_case, record,
    replay_against,
};
use deed_diag::{Document, Format, Severity};
use deed_model::{SourceKind, Stage};
use deed_pack::{Bundle, Gate, lint_with};
use serde_json::{Value, json};

const SUPPORT: &str = "packs/support";

/// The text of a golden case of the repository.
fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(SUPPORT).join("golden").join(name)).unwrap()
}

/// A pack with texts replaced in its document and its overlays, and with these cases.
fn pack_with(edits: &[(&str, &str)], cases: &[(&str, &str)]) -> Bundle {
    let edited = |path: &str| {
        let mut text = std::fs::read_to_string(root().join(SUPPORT).join(path)).unwrap();
        for (from, to) in edits {
            text = text.replace(from, to);
        }
        Document::read(path, text.as_bytes(), Format::Yaml).unwrap()
    };
    let overlays = bundle(SUPPORT).overlays.into_keys();
    let overlays = overlays.map(|name| (name.clone(), edited(&format!("overlays/{name}.yaml")))).collect();
    let golden = cases.iter().map(|(name, text)| {
        Document::read(name, text.as_bytes(), Format::of_name(name)).unwrap_or_else(|_| panic!("{text}"))
    });
    Bundle::new(edited("pack.yaml"), overlays, golden.collect())
}

fn examined(bundle: &Bundle) -> Vec<ExaminedCase> {
    examine(bundle, &bundle.typed().unwrap(), None)
}

const LOOSER: [(&str, &str); 1] = [("refund_amount }, 3000", "refund_amount }, 9000")];
const BUMP: [(&str, &str); 2] = [("pack_version: 1.0.0", "pack_version: 1.1.0"), ("@1.0.0", "@1.1.0")];

#[test]
fn a_failing_case_names_stage_and_field() {
    let bundle = pack_with(&LOOSER, &[("golden/03.yaml", &text("03_approval_needed.yaml"))]);
    let [case] = &examined(&bundle)[..] else { panic!() };
    assert!(!case.passes());
    assert_eq!(case.stage(), Some(Stage::Policy));
    let moved: Vec<String> =
        case.moved.iter().map(|moved| format!("{} {}", moved.stage.unwrap(), moved.pointer)).collect();
    assert!(moved.contains(&"policy /expect/outcome".to_owned()), "{moved:?}");
    let gates = case.moved.iter().find(|moved| moved.pointer == "/expect/approval_gates_active").unwrap();
    assert_eq!((&gates.before, &gates.after), (&Some(json!(["GATE_FINANCE_APPROVAL"])), &Some(json!([]))));
    // The replay gate says it in words, at the place.
    let report = lint_with(&bundle, &[Gate::Replay], &GoldenRunner).report;
    let helps: Vec<&str> = report.diagnostics().iter().filter_map(|found| found.help.as_deref()).collect();
    let line = "stage `policy` moved at /expect/approval_gates_active: `[\"GATE_FINANCE_APPROVAL\"]` -> `[]`";
    assert!(helps.iter().any(|help| help.starts_with(line)), "{helps:#?}");
    assert!(helps.iter().all(|help| help.starts_with("stage `")), "{helps:#?}");
}

/// The finding that a case has, and what moved in it, are computed apart: each says something if and only if the other
/// does, over every edit of every field of an expectation.
#[test]
fn what_is_found_and_what_moved_agree() {
    let mut tried = 0;
    for folder in [SUPPORT, "packs/grid"] {
        let whole = bundle(folder);
        let typed = whole.typed().unwrap();
        for case in &whole.golden {
            let expect = case.value()["expect"].as_object().unwrap();
            for key in expect.keys().filter(|key| *key != "outcome" && *key != "code") {
                let mut edited = case.value().clone();
                edited["expect"][key] = match &expect[key] {
                    Value::Array(items) if items.is_empty() => json!(["something else"]),
                    Value::Array(_) if key == "prompt_has" => json!(["a text that is nowhere"]),
                    Value::Array(_) if key == "prompt_lacks" => json!(["You work under"]),
                    Value::Array(_) => json!([]),
                    Value::Object(fields) => {
                        let Some((key, _)) = fields.iter().next() else { continue };
                        let value = match &fields[key] {
                            Value::Array(_) => json!([]),
                            Value::Number(_) => json!(77),
                            other => other.clone(),
                        };
                        json!({ key: value })
                    }
                    _ => json!("sha256:00"),
                };
                let text = serde_json::to_string(&edited).unwrap();
                let document = Document::read("golden/a.json", text.as_bytes(), Format::Json).unwrap();
                let one = Bundle::new(whole.document.clone(), whole.overlays.clone(), vec![document]);
                let [case] = &examine(&one, &typed, None)[..] else { panic!() };
                let found = case.findings.iter().any(|finding| finding.severity == Severity::Error);
                assert_eq!(found, !case.moved.is_empty(), "{key} {:?} {:?}", case.findings, case.moved);
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_case_stays_valid_when_the_version_is_bumped() {
    let cases: Vec<(String, String)> = std::fs::read_dir(root().join(SUPPORT).join("golden"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| (format!("golden/{name}"), text(&name)))
        .collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    for case in examined(&pack_with(&BUMP, &cases)) {
        assert!(case.passes(), "{} {:#?}", case.name, case.findings);
        // Nothing is silent: a hash that follows the version was not compared.
        let noted = case.findings.iter().all(|found| found.code.as_str() == "D0710");
        assert!(noted, "{:?}", case.findings);
    }
    // A reference to another pack is what it always was.
    let foreign = text("01_allow.yaml").replace("ctxpack.support@1.0.0", "ctxpack.other@1.0.0");
    let [case] = &examined(&pack_with(&BUMP, &[("golden/01.yaml", &foreign)]))[..] else { panic!() };
    assert!(!case.passes());
    assert!(case.findings.iter().any(|found| found.message.contains("D1502")), "{:?}", case.findings);
}

/// The text of a case after it was accepted with this pack.
#[track_caller]
fn accept(edits: &[(&str, &str)], name: &str, text: &str) -> String {
    let bundle = pack_with(edits, &[(name, text)]);
    let [case] = &examined(&bundle)[..] else { panic!() };
    let edited = accepted(&bundle.golden[0], case.expectation.as_ref().unwrap()).unwrap();
    let again = pack_with(edits, &[(name, &edited)]);
    let [passes] = &examined(&again)[..] else { panic!() };
    assert!(passes.passes(), "{:#?}\n{edited}", passes.findings);
    // A second time changes nothing, to the byte.
    assert_eq!(accepted(&again.golden[0], passes.expectation.as_ref().unwrap()).unwrap(), edited);
    let (before, after) = (bundle.golden[0].value(), again.golden[0].value());
    for part in ["description", "request", "run", "evidence", "memory", "overlays"] {
        assert_eq!(before.get(part), after.get(part), "{part}");
    }
    edited
}

#[test]
fn every_case_of_the_repository_is_accepted_in_place() {
    let edits: [&[(&str, &str)]; 2] = [
        &[("identity_verified }, true", "identity_verified }, false")],
        &[("approval_mode: read_only", "approval_mode: destructive")],
    ];
    for entry in std::fs::read_dir(root().join(SUPPORT).join("golden")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let original = text(&name);
        for edits in edits {
            let edited = accept(edits, &format!("golden/{name}"), &original);
            // Every comment outside of `expect` is still there, and so is the rest of the text before it.
            let (head, _) = original.split_once("\nexpect:").unwrap();
            assert!(edited.starts_with(head), "{edited}");
        }
    }
}

#[test]
fn comments_and_order_of_what_stays_are_kept() {
    let original = text("01_allow.yaml").replace(
        "  tools: [adp_orders.lookup, adp_policy.eval, adp_payments.issue_refund]\n",
        "  # The tools, in order.\n  tools: # all\n    # Reads.\n    - adp_orders.lookup # a read\n    - adp_gone.away\n    - adp_policy.eval\n    # Writes.\n    - adp_payments.issue_refund\n",
    );
    let edited = accept(&[], "golden/01.yaml", &original);
    assert_eq!(edited, original.replace("    - adp_gone.away\n", ""));
    let edited =
        accept(&[("kind: none", "kind: none")], "golden/01.yaml", &original.replace("    - adp_policy.eval\n", ""));
    assert!(edited.contains("    - adp_orders.lookup # a read\n    - adp_policy.eval\n    # Writes.\n"), "{edited}");
    assert!(edited.contains("  # Labels stand in every compile and change nothing by themselves.\n"), "{edited}");
}

#[test]
fn a_case_in_json_stays_json() {
    let mut value = document("packs/support/golden/01_allow.yaml").value().clone();
    value["expect"]["tools"] = json!(["adp_gone.away"]);
    value["expect"]["verdicts"] = json!({ "R_NEVER": "deny", "R_REFUND_REQUIRES_IDV": "require" });
    let edited = accept(&[], "golden/01.json", &format!("{value:#}\n"));
    let read: Value = serde_json::from_str(&edited).unwrap();
    assert_eq!(read["expect"]["tools"], json!(["adp_orders.lookup", "adp_policy.eval", "adp_payments.issue_refund"]));
    assert_eq!(read["expect"]["verdicts"], json!({ "R_REFUND_REQUIRES_IDV": "require" }));
    accept(&[], "golden/01.json", &value.to_string());
}

#[test]
fn a_case_that_ends_otherwise_gets_expectations_worth_keeping() {
    let refused = text("01_allow.yaml").split_once("expect:").unwrap().0.to_owned()
        + "expect:\n  outcome: refused # once\n  code: D1511\n";
    let edited = accept(&[], "golden/01.yaml", &refused);
    assert!(edited.contains("  outcome: compiled # once\n"), "{edited}");
    for field in ["tools:", "rules:", "stages:", "compiled_context_hash:", "tokens_allocated:"] {
        assert!(edited.contains(field), "{field}\n{edited}");
    }
    assert!(!edited.contains("D1511"), "{edited}");
}

#[test]
fn stage_hashes_name_the_stage_and_do_not_follow_the_version() {
    let plain = pack_with(&[], &[("golden/01.yaml", &text("01_allow.yaml"))]);
    let made = made(&plain, &worked());
    let bumped = pack_with(&BUMP, &[("golden/a.yaml", &made)]);
    let [case] = &examined(&bumped)[..] else { panic!() };
    assert!(case.passes() && case.moved.is_empty(), "{:#?}", case.findings);
    // The note says that every stage decides as before, and does not warn.
    assert!(case.findings.iter().all(|found| found.severity == Severity::Info), "{:?}", case.findings);
    // A text that this request never reads moves the hash alone.
    let elsewhere = pack_with(&[("name: Acme Support", "name: Acme")], &[("golden/a.yaml", &made)]);
    let [case] = &examined(&elsewhere)[..] else { panic!() };
    assert_eq!(case.passes(), case.moved.is_empty(), "{:#?}", case.findings);
    let looser = pack_with(&LOOSER, &[("golden/a.yaml", &made)]);
    let [case] = &examined(&looser)[..] else { panic!() };
    assert_eq!((case.passes(), case.stage()), (false, Some(Stage::Policy)));
    assert!(case.moved.iter().any(|moved| moved.pointer == "/expect/stages/policy"), "{:?}", case.moved);
}

#[test]
fn a_base_tells_the_field_of_the_record() {
    let looser = pack_with(&LOOSER, &[("golden/03.yaml", &text("03_approval_needed.yaml"))]);
    let base = PackMaterial::of_bundle(&bundle(SUPPORT), &[]);
    let cases = examine(&looser, &looser.typed().unwrap(), Some(&base));
    let rederived = cases[0].rederived.as_ref().unwrap();
    assert_eq!((rederived.stage, rederived.pointer.as_str()), (Stage::Policy, "/decided/controls/0/active"));
    assert_eq!((&rederived.before, &rederived.after), (&Some(json!(true)), &Some(json!(false))));
}

#[test]
fn an_unknown_stage_is_a_finding() {
    let wrong = text("01_allow.yaml") + "  stages: { polici: sha256:00 }\n";
    let [case] = &examined(&pack_with(&[], &[("golden/01.yaml", &wrong)]))[..] else { panic!() };
    assert_eq!(case.findings[0].message, "`polici` is not a stage");
    assert_eq!(case.findings[0].help.as_deref(), Some("did you mean `policy`?"));
}

/// The worked example as a recording of the support pack.
fn worked() -> Recording {
    let example = |name: &str| document(&format!("{SUPPORT}/examples/{name}.yaml")).value().clone();
    Recording {
        pack: PackMaterial::of_bundle(&bundle(SUPPORT), &[]),
        request: example("request"),
        run: example("run"),
        evidence: example("evidence"),
        memory: example("memory"),
        source_kind: SourceKind::DecisionRecord,
        origin: Default::default(),
        recalled_memory: None,
        reported_tokens: None,
    }
}

/// The text of the case that is made of a recording beside a pack.
fn made(beside: &Bundle, recording: &Recording) -> String {
    let recorded = record(recording.clone(), &Hydrations::new()).unwrap();
    let material = PackMaterial::of_bundle(beside, &[]);
    let replayed = replay_against(&recorded, &material, &Hydrations::new()).unwrap();
    let typed = beside.typed().unwrap();
    make_case(&recorded, &replayed, (beside, &typed), "golden/a.yaml", "As recorded.").unwrap().text
}

#[test]
fn a_case_from_a_recording_passes_at_once() {
    for edits in [&[][..], &BUMP] {
        let beside = pack_with(edits, &[]);
        let text = made(&beside, &worked());
        let [case] = &examined(&pack_with(edits, &[("golden/a.yaml", &text)]))[..] else { panic!() };
        assert!(case.passes() && case.findings.is_empty(), "{:#?}\n{text}", case.findings);
        let expect = case.expectation.as_ref().unwrap();
        assert_eq!(expect.outcome, "must_escalate");
        assert_eq!(expect.approval_gates_active.as_ref().unwrap(), &["GATE_FINANCE_APPROVAL"]);
        assert!(expect.tools.is_some() && expect.rules.is_some() && expect.evidence.is_some());
        assert_eq!((expect.tokens_allocated.len(), expect.stages.len()), (6, 8));
        assert!(expect.compiled_context_hash.is_some());
    }
}

#[test]
fn a_pack_that_decides_otherwise_gets_no_case() {
    let recorded = record(worked(), &Hydrations::new()).unwrap();
    let looser = pack_with(&LOOSER, &[]);
    let replayed = replay_against(&recorded, &PackMaterial::of_bundle(&looser, &[]), &Hydrations::new()).unwrap();
    let typed = looser.typed().unwrap();
    let report = make_case(&recorded, &replayed, (&looser, &typed), "golden/a.yaml", "As recorded.").unwrap_err();
    let found = &report.diagnostics()[0];
    assert_eq!(found.code.as_str(), "D0715");
    assert!(found.message.contains("the stage `policy` moved at"), "{}", found.message);
}
