//! What enters a step: what is not there, or is not what the contract asks for, stops the step before any code runs.

use crate::common::run::Asking;
use crate::common::{Run, Watch, World, plan, python, with};
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
    assert!(matches!(refused, EngineError::Refused { code: "D2002", .. }), "{refused:?}");
    world.give("other.csv", "x\n1\n");
    let refused = world.try_submit(world.engine(), &reads(&["x"]), Asking::default()).err().unwrap();
    assert!(matches!(refused, EngineError::Refused { code: "D2002", .. }), "{refused:?}");
    std::fs::create_dir_all(world.path("input/given.csv")).unwrap();
    let refused = world.try_submit(world.engine(), &reads(&["x"]), Asking::default()).err().unwrap();
    assert!(matches!(&refused, EngineError::Refused { message, .. } if message.contains("no file")), "{refused:?}");
    assert!(deed_ports::JournalRead::runs(&*world.store()).unwrap().is_empty());
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
fn a_placeholder_that_was_given_is_told_and_not_held_against_the_step() {
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
