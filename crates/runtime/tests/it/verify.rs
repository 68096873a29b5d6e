//! A run is verified by deriving it again: receipts that were altered and signed anew are found.

use crate::common::{Run, World, key, plan, python};
use deed_canon::{Envelope, Statement};
use deed_model::{ArtifactRecord, CheckReceipt, RunEvent};
use deed_ports::{BlobRead, BlobWrite, JournalEntry};
use deed_receipts::{InspectLimits, inspect};
use deed_runtime::{Reverified, Verification};
use serde_json::{Value, json};
use std::io::Cursor;

const PATH: &str = "output/a.rows.json";

/// A run whose step writes rows of an entity, reads rows, and has criteria.
fn world() -> World {
    let world = World::new();
    world.give("given.json", rates(&["r0"]).to_string());
    world
}

fn rates(ids: &[&str]) -> Value {
    ids.iter()
        .map(|id| {
            json!({
                "rate_id": id, "rate_card_id": "c1", "role": "lead", "unit": "hour", "rate": 100, "currency": "EUR",
                "effective_from": "2026-01-01", "source_id": "card",
            })
        })
        .collect()
}

fn ran(world: &World) -> Run<'_> {
    let source =
        format!("import json\njson.dump(json.loads({:?}), open('{PATH}', 'w'))\n", rates(&["r1", "r2"]).to_string());
    let more = json!({
        "domain_pack_ids": ["billing-audit"],
        "abstract_inputs": [{ "slot": "normalized_rows", "entity_schema_id": "billing.rate_card", "accepted_kind_keys": ["table.json_rows"] }],
        "abstract_outputs": [{
            "slot": "findings", "entity_schema_id": "billing.rate_card",
            "preferred_kind_keys": ["table.json_rows"], "provenance_fields": ["source_id"],
        }],
        "expected_outputs": [{ "path": PATH, "slot": "findings", "role": "primary" }],
        "artifact_contracts": { PATH: { "format": "json", "kind_key": "table.json_rows", "required_fields": ["rate_id"] } },
        "success_criteria": [
            format!("{PATH} has at least 2 rows"), format!("{PATH} has at most 9 rows"),
            format!("{PATH} matches its schema"), { "check": "rule", "rule": { ">": [{ "var": "outputs.findings.rows" }, 1] } },
        ],
        "policy_profile_id": "provenance.required.v1",
    });
    let given = json!([{ "slot": "normalized_rows", "path": "input/given.json", "entity_schema_id": "billing.rate_card", "kind_key": "table.json_rows" }]);
    let mission = json!({ "objective": "Try it", "success_criteria": [format!("{PATH} has at least 2 rows")] });
    let plan =
        crate::common::with(plan(vec![python("a", &source, more)]), json!({ "inputs": given, "mission": mission }));
    let run = world.run(&plan);
    run.succeeded().verified();
    run
}

fn again(run: &Run<'_>, entries: &[JournalEntry]) -> Verification {
    let blobs: &dyn BlobRead = &*run.world.store();
    let public = key().public();
    deed_runtime::reverify(entries, &run.plan, blobs, &|id| (*id == public.id()).then(|| public.clone()))
}

fn entries(run: &Run<'_>) -> Vec<JournalEntry> {
    run.engine.load(&run.id).unwrap().0
}

/// The statement, changed and signed again with the key of the workspace.
fn resigned(envelope: &Envelope, edit: impl FnOnce(&mut Value)) -> Envelope {
    let public = key().public();
    let (statement, _) = Statement::open(envelope, |id| (*id == public.id()).then(|| public.clone())).unwrap();
    let mut predicate = statement.predicate.clone();
    edit(&mut predicate);
    let mut subjects = statement.subject.clone();
    for subject in &mut subjects {
        let files = ["inputs", "outputs"].into_iter().filter_map(|list| predicate[list].as_array()).flatten();
        let file =
            files.filter(|file| file["path"] == json!(subject.name)).find_map(|file| file["found"]["sha256"].as_str());
        if let Some(sha256) = file {
            subject.digest.insert("sha256".to_owned(), sha256.strip_prefix("sha256:").unwrap().to_owned());
        }
    }
    Statement::new(subjects, &statement.predicate_type, predicate).sign(&key()).unwrap()
}

/// Verifies a run whose postflight receipt was changed.
fn postflight(run: &Run<'_>, edit: impl Fn(&mut Value)) -> Verification {
    let mut entries = entries(run);
    for entry in &mut entries {
        if let RunEvent::StepSucceeded { receipt, .. } = &mut entry.record.event {
            *receipt = resigned(receipt, &edit);
        }
    }
    again(run, &entries)
}

/// Verifies a run whose preflight receipt was changed.
fn preflight(run: &Run<'_>, edit: impl Fn(&mut Value)) -> Verification {
    let mut entries = entries(run);
    for entry in &mut entries {
        if let RunEvent::Preflighted { receipt, .. } = &mut entry.record.event {
            *receipt = resigned(receipt, &edit);
        }
    }
    again(run, &entries)
}

#[track_caller]
fn broken(found: &Verification, what: &str, says: &str) {
    let one =
        found.checked.iter().find(|one| one.what.to_string() == what).unwrap_or_else(|| panic!("{what}: {found:#?}"));
    assert!(!one.holds && one.found.as_deref().is_some_and(|found| found.contains(says)), "{says}: {one:?}");
}

const LEFT: &str = "postflight receipt of a";

#[test]
fn every_check_of_a_receipt_is_derived_again() {
    let world = world();
    let run = ran(&world);
    let checks: Vec<CheckReceipt> = run.receipt("a").checks;
    let names: Vec<&str> = checks.iter().map(|check| check.check.as_str()).collect();
    for needed in ["exists", "parses", "fields", "entity_schema", "unique_grain", "provenance", "placeholders"] {
        assert!(names.contains(&needed), "{names:?}");
    }
    assert_eq!(names.iter().filter(|name| name.starts_with("criterion")).count(), 4, "{names:?}");
    for (place, check) in checks.iter().enumerate() {
        let found = postflight(&run, |receipt| {
            receipt["checks"].as_array_mut().unwrap().remove(place);
        });
        broken(&found, LEFT, check.check.as_str());
        let found = postflight(&run, |receipt| receipt["checks"][place]["blocks"] = json!(false));
        broken(&found, LEFT, check.check.as_str());
        let found = postflight(&run, |receipt| {
            receipt["checks"][place]["blocks"] = json!(false);
            receipt["checks"][place]["holds"] = json!(false);
        });
        broken(&found, LEFT, check.check.as_str());
        let found = postflight(&run, |receipt| receipt["checks"][place]["check"] = json!("looks_nice"));
        broken(&found, LEFT, check.check.as_str());
    }
    broken(&postflight(&run, |receipt| receipt["checks"] = json!([])), LEFT, "is missing");
    let extra = json!({ "check": "reviewed", "path": PATH, "holds": true, "blocks": true });
    let found = postflight(&run, |receipt| receipt["checks"].as_array_mut().unwrap().push(extra.clone()));
    broken(&found, LEFT, "`reviewed` of `output/a.rows.json` is not in the contract");
}

#[test]
fn checks_of_inputs_are_derived_again() {
    let world = world();
    let run = ran(&world);
    let found = preflight(&run, |receipt| receipt["checks"] = json!([]));
    broken(&found, "preflight receipt of a", "is missing");
    let found = preflight(&run, |receipt| receipt["inputs"] = json!([]));
    broken(&found, "preflight receipt of a", "other inputs");
    let found = postflight(&run, |receipt| receipt["inputs"] = json!([]));
    broken(&found, LEFT, "other inputs");
}

/// The run with other bytes for its output: the receipt, the journal and the store all agree on them.
fn replaced(run: &Run<'_>, text: &str) -> Verification {
    let kept = run.world.store().put(&mut text.as_bytes()).unwrap();
    let expected = run.receipt("a").outputs[0].found.expected;
    let found = inspect(&mut Cursor::new(text.as_bytes()), expected, &InspectLimits::default()).unwrap();
    let record = ArtifactRecord { path: PATH.to_owned(), sha256: kept.sha256, bytes: kept.bytes };
    let mut entries = entries(run);
    for entry in &mut entries {
        if let RunEvent::StepSucceeded { receipt, outputs, .. } = &mut entry.record.event {
            *outputs = vec![record.clone()];
            *receipt = resigned(receipt, |receipt| receipt["outputs"][0]["found"] = json!(found));
        }
    }
    again(run, &entries)
}

#[test]
fn checks_come_from_the_bytes_and_not_from_the_receipt() {
    let world = world();
    let run = ran(&world);
    let text = |edit: &dyn Fn(&mut Value)| {
        let mut rows = rates(&["r1", "r2"]);
        edit(&mut rows);
        rows.to_string()
    };
    for (edit, says) in [
        ((|rows| rows[1]["rate"] = json!("a lot")) as fn(&mut Value), "`entity_schema`"),
        (|rows| rows[1]["rate_id"] = json!("r1"), "`unique_grain`"),
        (|rows| rows[1]["source_id"] = json!(" "), "`provenance`"),
        (|rows| rows[1]["role"] = json!("Lorem ipsum dolor sit amet"), "`placeholders`"),
        (|rows| *rows = json!([rows[0]]), "`criterion: rows_at_least`"),
        (|rows| drop(rows[1].as_object_mut().unwrap().remove("rate_id")), "`fields`"),
        (|rows| *rows = json!({}), "`parses`"),
    ] {
        broken(&replaced(&run, &text(&|rows| edit(rows))), LEFT, says);
    }
    broken(&replaced(&run, "[{"), LEFT, "`parses`");
    broken(&replaced(&run, ""), LEFT, "`exists`");
    // One row alone also fails the mission.
    broken(&replaced(&run, &text(&|rows| *rows = json!([rows[0]]))), "criteria of the mission", "does not meet them");
}

#[test]
fn spending_and_attempts_are_held_to_what_was_granted() {
    let world = world();
    let run = ran(&world);
    let mut told = entries(&run);
    for entry in &mut told {
        if let RunEvent::StepSucceeded { spent, .. } = &mut entry.record.event {
            spent.wall_seconds = Some(1_000_000);
        }
        if let RunEvent::Submitted { run } = &mut entry.record.event {
            run.grant.wall_seconds = Some(30);
        }
    }
    let found = again(&run, &told);
    broken(&found, "spending of the run", "has spent 1000000 of `wall_seconds`, and 30 were granted");
    broken(&found, LEFT, "other spending");
}

#[test]
fn an_approval_that_was_cut_out_is_missed() {
    let mut world = world();
    world.approver = crate::common::approver("clerk");
    let gated = python("b", "open('output/b.json', 'w').write('{}')", json!({ "waits_for": ["seen"] }));
    let gates = json!([{ "id": "seen", "question": "Go on?", "approver_role": "clerk" }]);
    let run = world.run(&crate::common::with(plan(vec![gated]), json!({ "gates": gates })));
    run.succeeded().verified();
    let mut told = entries(&run);
    told.retain(|entry| !matches!(entry.record.event, RunEvent::GateDecided { .. } | RunEvent::ApprovalUsed { .. }));
    broken(
        &again(&run, &told),
        "approvals before what waits for them",
        "`b` began without an approval at the gate `seen`",
    );
}

#[test]
fn lost_or_altered_types_are_reported() {
    let world = world();
    let run = ran(&world);
    let mut told = entries(&run);
    for entry in &mut told {
        if let RunEvent::Submitted { run } = &mut entry.record.event {
            run.types_blob = Some(deed_canon::ContentHash::of_bytes(b"nothing"));
        }
    }
    broken(&again(&run, &told), "types frozen with the run", "");
    // Other types than those of the contract are not taken.
    let other =
        json!({ "version": 1, "catalog_hash": run.plan.catalog_hash, "entities": [], "kinds": [], "adapters": [] });
    let other = world.store().put(&mut other.to_string().as_bytes()).unwrap().sha256;
    for entry in &mut told {
        if let RunEvent::Submitted { run } = &mut entry.record.event {
            run.types_blob = Some(other);
        }
    }
    broken(&again(&run, &told), "types frozen with the run", "`billing.rate_card` is not the one");
}

#[test]
fn what_is_not_derived_again_is_said() {
    let world = world();
    let run = ran(&world);
    let found = again(&run, &entries(&run));
    assert!(found.checked.iter().all(|one: &Reverified| one.holds), "{found:#?}");
    assert!(found.not_derived.iter().any(|words| words.contains("when it is run again")), "{found:#?}");
    // A run of an older version has no frozen types: what that means is said, and the rest is still verified.
    assert!(!found.without_types);
    let mut told = without_types(&run);
    for entry in &mut told {
        if let RunEvent::StepSucceeded { receipt, sub_steps, .. } = &mut entry.record.event {
            sub_steps.clear();
            *receipt = resigned(receipt, |receipt| receipt["execution"]["sub_steps"] = json!([]));
        }
    }
    let found = again(&run, &told);
    assert!(found.checked.iter().all(|one| one.holds), "{found:#?}");
    assert!(found.without_types, "it is not sound without a word");
    assert!(found.not_derived.iter().any(|words| words.contains("froze no types")), "{found:#?}");
}

fn without_types(run: &Run<'_>) -> Vec<JournalEntry> {
    let mut told = entries(run);
    for entry in &mut told {
        if let RunEvent::Submitted { run } = &mut entry.record.event {
            run.types_blob = None;
        }
    }
    told
}

/// Versions that list executions freeze types: where one is there, the other has to be.
#[test]
fn types_or_executions_that_were_taken_out_are_missed() {
    let world = world();
    let run = ran(&world);
    let found = again(&run, &without_types(&run));
    broken(&found, "types frozen with the run", "a version that freezes them");
    let mut told = entries(&run);
    for entry in &mut told {
        if let RunEvent::StepSucceeded { receipt, sub_steps, .. } = &mut entry.record.event {
            sub_steps.clear();
            *receipt = resigned(receipt, |receipt| receipt["execution"]["sub_steps"] = json!([]));
        }
    }
    broken(&again(&run, &told), LEFT, "it lists no execution");
}

/// A run with a gate before its only step.
fn gated(world: &World) -> Run<'_> {
    let gated = python("b", "open('output/b.json', 'w').write('{}')", json!({ "waits_for": ["seen"] }));
    let gates = json!([{ "id": "seen", "question": "Go on?", "approver_role": "clerk" }]);
    let run = world.run(&crate::common::with(plan(vec![gated]), json!({ "gates": gates })));
    run.succeeded().verified();
    run
}

/// Journal and signature agree on a decision that does not fit its gate: the forger holds the key.
#[test]
fn decisions_are_held_to_their_gates() {
    let mut world = world();
    world.approver = crate::common::approver("clerk");
    let run = gated(&world);
    let forged = |opened: &dyn Fn(&mut Value), decided: &dyn Fn(&mut Value)| {
        let mut told = entries(&run);
        let mut shown = None;
        for entry in &mut told {
            match &mut entry.record.event {
                RunEvent::GateOpened { subject, subject_hash } => {
                    let mut value = json!(subject);
                    opened(&mut value);
                    **subject = serde_json::from_value(value).unwrap();
                    *subject_hash = deed_runtime::subject_hash(subject).unwrap();
                    shown = Some(*subject_hash);
                }
                RunEvent::GateDecided { signed } => {
                    let edit = |approval: &mut Value| {
                        approval["subject_hash"] = json!(shown.unwrap());
                        decided(approval);
                    };
                    let mut approval = json!(signed.approval);
                    edit(&mut approval);
                    signed.approval = serde_json::from_value(approval).unwrap();
                    signed.envelope = about(resigned(&signed.envelope, edit), &shown.unwrap().hex());
                }
                _ => {}
            }
        }
        again(&run, &told)
    };
    let same = |_: &mut Value| {};
    assert!(forged(&same, &same).checked.iter().all(|one| one.holds));
    let decision = "decision at seen";
    let role = |value: &mut Value| value["role"] = json!("intern");
    broken(&forged(&same, &role), decision, "decided as `intern`, and the gate is for `clerk`");
    let asked = |value: &mut Value| value["approver_role"] = json!("intern");
    broken(&forged(&asked, &role), decision, "neither plan nor contract has a gate for `intern`");
    let early = |value: &mut Value| value["expires_at"] = json!("1970-01-01T00:00:00Z");
    broken(&forged(&same, &early), decision, "and the gate at");
    let found = forged(&early, &early);
    broken(&found, decision, "when the gate had expired");
    broken(&found, "approvals before what waits for them", "after it had expired");
    // Nothing was asked.
    let mut told = entries(&run);
    told.retain(|entry| !matches!(entry.record.event, RunEvent::GateOpened { .. }));
    broken(&again(&run, &told), decision, "does not say that it was asked for");
}

/// The statement with another digest of its only subject.
fn about(envelope: Envelope, hex: &str) -> Envelope {
    let public = key().public();
    let (mut statement, _) = Statement::open(&envelope, |id| (*id == public.id()).then(|| public.clone())).unwrap();
    statement.subject[0].digest.insert("sha256".to_owned(), hex.to_owned());
    Statement::new(statement.subject, &statement.predicate_type, statement.predicate).sign(&key()).unwrap()
}

/// The execution in a receipt is checked against the contract and the events before it.
#[test]
fn an_execution_is_held_to_its_contract() {
    let world = world();
    let run = ran(&world);
    let execution =
        |edit: fn(&mut Value)| postflight(&run, move |predicate| edit(predicate.pointer_mut("/execution").unwrap()));
    type Edit = fn(&mut Value);
    let cases: [(Edit, &str); 5] = [
        (|execution| execution["ended"] = json!("ended by signal 9"), "it says `ended by signal 9`"),
        (|execution| execution["sandbox"]["obtained"] = json!("L0"), "its sandbox was L0"),
        (|execution| execution["sandbox"] = Value::Null, "it names no sandbox"),
        (|execution| execution["backend"] = json!("native"), "it ran on `native`"),
        (
            |execution| execution["sub_steps"][0]["code"] = json!(format!("sha256:{}", "0".repeat(64))),
            "other executions than the receipt",
        ),
    ];
    for (edit, says) in cases {
        broken(&execution(edit), "postflight receipt of a", says);
    }
}

/// The journal has to say that an attempt began and that its inputs were inspected.
#[test]
fn a_success_without_a_beginning_is_missed() {
    let world = world();
    let run = ran(&world);
    for (left_out, says) in [
        ("step_started", "does not say that the attempt began"),
        ("preflighted", "the inputs of the step were not inspected"),
    ] {
        let kept: Vec<JournalEntry> = entries(&run)
            .into_iter()
            .filter(|entry| serde_json::to_value(&entry.record.event).unwrap()["kind"] != json!(left_out))
            .collect();
        broken(&again(&run, &kept), "postflight receipt of a", says);
    }
}

/// Journal and receipt that agree on something that the contract does not allow.
#[test]
fn what_journal_and_receipt_say_alike_is_held_to_the_contract() {
    let world = world();
    let run = ran(&world);
    let changed = |edit: &dyn Fn(&mut Value, &mut Value)| {
        let mut all = entries(&run);
        for entry in &mut all {
            let mut event = serde_json::to_value(&entry.record.event).unwrap();
            if event["kind"] != json!("step_succeeded") {
                continue;
            }
            let envelope: Envelope = serde_json::from_value(event["receipt"].clone()).unwrap();
            let mut journal = event.clone();
            let signed = resigned(&envelope, |predicate| edit(predicate, &mut journal));
            journal["receipt"] = serde_json::to_value(signed).unwrap();
            event = journal;
            entry.record.event = serde_json::from_value(event).unwrap();
        }
        again(&run, &all)
    };
    let other = format!("sha256:{}", "0".repeat(64));
    let code = changed(&|receipt, journal| {
        receipt["execution"]["sub_steps"][0]["code"] = json!(other);
        journal["sub_steps"][0]["code"] = json!(other);
    });
    broken(&code, "postflight receipt of a", "it executed other code than the run has");
    let spent = changed(&|receipt, journal| {
        receipt["execution"]["spent"]["wall_seconds"] = json!(9_000_000);
        journal["spent"]["wall_seconds"] = json!(9_000_000);
    });
    broken(&spent, "postflight receipt of a", "of `wall_seconds`, and an attempt may spend");
    for code in [json!(1), Value::Null] {
        let exit = changed(&|receipt, journal| {
            receipt["execution"]["sub_steps"][0]["exit_code"] = code.clone();
            journal["sub_steps"][0]["exit_code"] = code.clone();
        });
        broken(&exit, "postflight receipt of a", "an execution has the exit code");
    }
    let attempt = changed(&|receipt, journal| {
        receipt["of"]["attempt"] = json!(99);
        journal["attempt"] = json!(99);
    });
    broken(&attempt, "postflight receipt of a", "it was attempt 99, and the contract allows");
}

/// A seal names everything that the run delivered.
#[test]
fn a_seal_that_omits_an_output_is_reported() {
    let world = world();
    let run = ran(&world);
    let mut all = entries(&run);
    for entry in &mut all {
        if let RunEvent::Sealed { seal } = &mut entry.record.event {
            *seal = resigned(seal, |predicate| predicate["outputs"] = json!([]));
        }
    }
    broken(&again(&run, &all), "seal of the run", "it does not list `output/a.rows.json`");
}
