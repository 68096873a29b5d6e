//! Inputs of a step: one that is missing, or not what the contract asks for, stops the step before any code runs.

use crate::common::run::Asking;
use crate::common::{Run, Watch, World, plan, python, with};
use deed_diag::codes;
use deed_model::{FailureClass, RunEvent, RunOutcome};
use deed_ports::{BlobPlace, BlobRead, EngineError};
use serde_json::{Value, json};

const COPY: &str = "import shutil\nshutil.copy('input/given.csv', 'output/a.csv')\n";

/// A step that reads a table with two columns.
fn reads(columns: &[&str]) -> Value {
    let step = python(
        "a",
        COPY,
        json!({
            "abstract_inputs": [{
                "slot": "raw_files", "entity_schema_id": "generic.record", "accepted_kind_keys": ["table.csv"],
                "fields": columns,
            }],
            "expected_outputs": [{ "path": "output/a.csv" }],
            "artifact_contracts": { "output/a.csv": { "format": "csv", "kind_key": "table.csv" } },
        }),
    );
    let given = json!([{ "slot": "raw_files", "path": "input/given.csv", "entity_schema_id": "generic.record" }]);
    with(plan(vec![step]), json!({ "inputs": given }))
}

#[track_caller]
fn blocked(run: &Run<'_>, code: &str, said: &str) {
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), (code, FailureClass::MissingArtifact), "{failure:?}");
    assert!(failure.message.contains(said), "{failure:?}");
    assert_eq!(failure.subject.as_deref(), Some("input/given.csv"));
    assert!(failure.help.is_some());
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    // No code ran: there is no receipt of an execution.
    assert_eq!(run.count(|event| matches!(event, RunEvent::StepFailed { receipt: Some(_), .. })), 0);
    run.verified();
}

#[test]
fn an_input_that_was_not_given_is_refused_before_there_is_a_run() {
    let world = World::new();
    let refused = world.try_submit(world.engine(), &reads(&["x"]), Asking::default()).err().unwrap();
    assert!(matches!(refused, EngineError::Refused { code: codes::INPUT_NOT_SUPPLIED, .. }), "{refused:?}");
    world.give("other.csv", "x\n1\n");
    let refused = world.try_submit(world.engine(), &reads(&["x"]), Asking::default()).err().unwrap();
    assert!(matches!(refused, EngineError::Refused { code: codes::INPUT_NOT_SUPPLIED, .. }), "{refused:?}");
    std::fs::create_dir_all(world.path("input/given.csv")).unwrap();
    let refused = world.try_submit(world.engine(), &reads(&["x"]), Asking::default()).err().unwrap();
    assert!(matches!(&refused, EngineError::Refused { message, .. } if message.contains("not a file")), "{refused:?}");
    assert!(deed_ports::JournalRead::runs(&*world.store()).unwrap().is_empty());
}

/// The workspace's own files have to be known before any file is given to a step.
#[test]
fn private_files_that_cannot_be_listed_refuse_the_run() {
    let world = World::new();
    world.give("given.csv", "x\n1\n");
    std::os::unix::fs::symlink(world.path("loop"), world.path("loop")).unwrap();
    let (missing, looped) = ([world.path("none")], [world.path("loop")]);
    let submit = |private| world.try_submit(world.engine(), &reads(&["x"]), Asking { private, ..Asking::default() });
    submit(&missing).unwrap();
    let refused = submit(&looped).err().unwrap();
    assert!(matches!(refused, EngineError::Refused { code: codes::PRIVATE_INPUT, .. }), "{refused:?}");
}

#[test]
fn an_input_that_does_not_parse_or_lacks_columns_blocks() {
    for (bytes, said) in
        [(&b"x,y\n1,2\n3\n"[..], "parses"), (b"x,z\n1,2\n", "y"), (b"", "input/given.csv"), (b"x,y\n\"1,2\n", "parses")]
    {
        let world = World::new();
        world.give("given.csv", bytes);
        let run = world.run(&reads(&["x", "y"]));
        blocked(&run, "D2021", said);
    }
    let world = World::new();
    world.give("given.csv", "x,y\n1,2\n");
    let run = world.run(&reads(&["x", "y"]));
    run.succeeded().verified();
    assert_eq!(run.output("output/a.csv"), b"x,y\n1,2\n");
}

/// Overwrites the stored bytes of the input.
fn alter(run: &Run<'_>) {
    let store = run.world.store();
    let state = run.state();
    let (record, _) = state.artifact("input/given.csv").unwrap();
    let BlobPlace::File(file) = store.locate(&record.sha256).unwrap() else { panic!("a large blob has a file") };
    #[allow(clippy::permissions_set_readonly_false, reason = "the file is removed with the test")]
    {
        let mut rights = std::fs::metadata(&file).unwrap().permissions();
        rights.set_readonly(false);
        std::fs::set_permissions(&file, rights).unwrap();
    }
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
}

#[test]
fn altered_bytes_block() {
    let world = World::new();
    world.give("given.csv", format!("x,y\n{}", "1,2\n".repeat(100_000)));
    let run = world.submit(&reads(&["x", "y"]));
    alter(&run);
    run.drive();
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2022", "{failure:?}");
    assert_eq!(failure.class, FailureClass::MissingArtifact);
}

#[test]
fn bytes_that_are_gone_block() {
    let world = World::new();
    world.give("given.csv", format!("x,y\n{}", "1,2\n".repeat(100_000)));
    let run = world.submit(&reads(&["x", "y"]));
    let state = run.state();
    let (record, _) = state.artifact("input/given.csv").unwrap();
    let BlobPlace::File(file) = world.store().locate(&record.sha256).unwrap() else { panic!("a file") };
    std::fs::remove_file(file).unwrap();
    run.drive();
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2009", FailureClass::MissingArtifact), "{failure:?}");
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
}

#[test]
fn code_cannot_change_what_it_was_given() {
    let world = World::new();
    world.give("given.csv", "x,y\n1,2\n");
    let source = "
import os, shutil
for way in (lambda: open('input/given.csv', 'a'), lambda: os.remove('input/given.csv'),
            lambda: os.rename('input/given.csv', 'input/x'), lambda: open('input/new', 'w'),
            lambda: os.chmod('input/given.csv', 0o777), lambda: open('meta/contract.json', 'w'),
            lambda: open('new', 'w')):
    try:
        way()
    except OSError:
        continue
    raise SystemExit('it was let')
shutil.copy('input/given.csv', 'output/a.csv')
";
    let mut plan = reads(&["x", "y"]);
    plan["steps"][0]["code"]["source"] = json!(source);
    let run = world.submit(&plan);
    run.drive_watched(Watch::new());
    run.succeeded().verified();
    assert_eq!(run.output("output/a.csv"), b"x,y\n1,2\n");
}

#[test]
fn a_name_of_a_run_leads_nowhere_else() {
    let world = World::new();
    for name in ["../x", "a/b", "", "A", "..", "x\0", &"x".repeat(500)] {
        let plan = plan(vec![python("a", "open('output/a.json', 'w').write('{}')", json!({}))]);
        let refused = world.try_submit(world.engine(), &plan, Asking { id: Some(name), ..Asking::default() });
        assert!(refused.is_err(), "{name:?}");
    }
}

#[test]
fn a_placeholder_in_an_input_is_reported_and_does_not_fail_the_step() {
    let world = World::new();
    world.give("rows.csv", "id,client\n1,TBD\n2,Ada\n");
    let inputs =
        json!({ "inputs": [{ "slot": "raw_files", "path": "input/rows.csv", "entity_schema_id": "generic.file" }] });
    let step = |text: &str| {
        let source = format!("open('input/rows.csv').read()\nopen('output/a.csv', 'w').write({text:?})\n");
        let more = json!({
            "input_file_paths": ["input/rows.csv"],
            "expected_outputs": [{ "path": "output/a.csv" }],
            "artifact_contracts": { "output/a.csv": { "format": "csv", "kind_key": "table.csv" } },
        });
        with(plan(vec![python("a", &source, more)]), inputs.clone())
    };
    let run = world.run(&step("id,client\n1,TBD\n"));
    run.succeeded().verified();
    let remarks = run.state().steps["a"].remarks.clone();
    assert!(remarks.iter().any(|remark| remark.contains("stood in an input")), "{remarks:?}");
    // What the step left itself is held against it, also beside what was given.
    for left in ["id,client\n1,TODO\n", "id,client\n1,TBD\n2,TODO\n"] {
        assert_eq!(world.run(&step(left)).failure("a").code, "D2042", "{left}");
    }
}

#[test]
fn a_list_that_is_longer_than_allowed_blocks_before_anything_is_done() {
    let world = World::new();
    let rows = |count: usize| {
        let rows: Vec<Value> = (0..count).map(|n| json!({ "n": n })).collect();
        let source = format!("open('work/rows.json', 'w').write({:?})\n", json!(rows).to_string());
        let first = json!({
            "expected_outputs": [{ "path": "work/rows.json" }],
            "artifact_contracts": { "work/rows.json": { "format": "json", "kind_key": "table.json_rows" } },
            "abstract_outputs": [{ "slot": "findings", "entity_schema_id": "generic.record", "path": "work/rows.json",
                "preferred_kind_keys": ["table.json_rows"] }],
        });
        let second = json!({
            "depends_on": ["a"],
            "abstract_inputs": [{ "slot": "findings", "entity_schema_id": "generic.record", "from": "a",
                "accepted_kind_keys": ["table.json_rows"] }],
            "tool_needs": ["operator.artifact.evaluate"],
            "for_each": { "slot": "findings", "most_items": 5, "calls_per_item": 1 },
        });
        plan(vec![python("a", &source, first), python("b", "open('output/b.json', 'w').write('{}')\n", second)])
    };
    world.run(&rows(5)).succeeded();
    let run = world.run(&rows(6));
    let failure = run.failure("b");
    assert!(failure.message.contains("it has 6 rows, and `most_items` of `for_each` is 5"), "{failure:?}");
    assert_eq!(run.state().steps["b"].calls.len(), 0);
}

/// Two tables in one slot, told apart by entity, and an input that is optional and that nothing gives.
fn bound(language: &str, source: &str) -> Value {
    let input = |slot: &str, entity: &str, required: bool| {
        let kinds = if required { json!(["table.csv"]) } else { json!(["table.json_rows"]) };
        json!({ "slot": slot, "entity_schema_id": entity, "accepted_kind_keys": kinds, "required": required })
    };
    let reads = crate::common::step(
        "a",
        language,
        source,
        json!({
            "tool_needs": ["sandbox.session"],
            "abstract_inputs": [
                input("raw_files", "billing.time_entry", true), input("raw_files", "billing.rate_card", true),
                input("source_manifest", "billing.source_profile", false),
            ],
        }),
    );
    let given = json!([
        { "slot": "raw_files", "path": "input/time_entries.csv", "entity_schema_id": "billing.time_entry" },
        { "slot": "raw_files", "path": "input/rate_card.csv", "entity_schema_id": "billing.rate_card" },
    ]);
    with(plan(vec![reads]), json!({ "inputs": given, "domain_pack_ids": ["billing-audit"] }))
}

#[test]
fn code_finds_its_inputs_by_slot_and_entity() {
    let world = World::new();
    for name in ["time_entries.csv", "rate_card.csv"] {
        let file = format!("{}/../../examples/billing/input/{name}", env!("CARGO_MANIFEST_DIR"));
        world.give(name, std::fs::read(file).unwrap());
    }
    let python = r#"
import deed, json
refused = []
for wanted in [("raw_files",), ("raw_file",), ("raw_files", "billing.none")]:
    try: deed.input(*wanted)
    except deed.InputNotFound as error: refused.append(str(error))
json.dump({
    "entries": deed.input("raw_files", "billing.time_entry"), "rates": deed.input("raw_files", "billing.rate_card"),
    "manifest": deed.input("source_manifest"), "all": deed.inputs("raw_files"), "refused": refused,
}, open("output/a.json", "w"))
"#;
    let node = r#"
import * as deed from "./deed.mjs";
import fs from "node:fs";
const refused = [];
for (const wanted of [["raw_files"], ["raw_file"], ["raw_files", "billing.none"]]) {
  try { deed.input(...wanted); } catch (error) { refused.push(error.message); }
}
fs.writeFileSync("output/a.json", JSON.stringify({
  entries: deed.input("raw_files", "billing.time_entry"), rates: deed.input("raw_files", "billing.rate_card"),
  manifest: deed.input("source_manifest"), all: deed.inputs("raw_files"), refused,
}));
"#;
    let (entries, rates) = ("input/time_entries.csv", "input/rate_card.csv");
    for (language, source) in [("python", python), ("javascript", node)] {
        let run = world.run(&bound(language, source));
        run.succeeded();
        let mut found = run.json("output/a.json");
        let refused = found.as_object_mut().unwrap().remove("refused").unwrap();
        let expected = json!({ "entries": entries, "rates": rates, "manifest": null, "all": [entries, rates] });
        assert_eq!(found, expected, "{language}");
        let listed = "the step has the inputs raw_files (billing.time_entry): input/time_entries.csv, \
                      raw_files (billing.rate_card): input/rate_card.csv, source_manifest (billing.source_profile): nothing";
        let says = [
            "2 inputs have the slot 'raw_files': name the entity, or use inputs(); ",
            "no input has the slot 'raw_file'; ",
            "no input has the slot 'raw_files' and the entity 'billing.none'; ",
        ];
        assert_eq!(refused, json!(says.map(|says| format!("{says}{listed}"))), "{language}");
    }
    let run = world.run(&bound("shell", r#"cp "$DEED_INPUTS" output/a.json"#));
    let listed = run.succeeded().json("output/a.json");
    let first = json!({ "slot": "raw_files", "entity": "billing.time_entry", "path": entries, "set": false, "files": [entries] });
    let last = json!({ "slot": "source_manifest", "entity": "billing.source_profile", "path": null, "set": false, "files": [] });
    assert_eq!((&listed["version"], &listed["inputs"][0], &listed["inputs"][2]), (&json!(1), &first, &last));
}
