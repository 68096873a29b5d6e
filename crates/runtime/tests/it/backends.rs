//! The backends of steps: adapters and small JavaScript in this process, other code in the sandbox.

use crate::common::{World, plan, python, step, with};
use deed_model::{Backend, FailureClass, IsolationLevel, RunEvent, StepFailure};
use serde_json::{Value, json};

#[test]
fn an_adapter_makes_rows_of_a_table() {
    let world = World::new();
    world.give("given.csv", "x,y\n1,a\n2,\"b, c\"\n");
    let reads = python(
        "a",
        "import json\njson.dump({'rows': json.load(open([p for p in READ if p.endswith('.json')][0]))}, open('output/a.json', 'w'))\n"
            .replace("READ", "json.load(open('meta/contract.json'))['io_contract']['read_paths']")
            .as_str(),
        json!({ "abstract_inputs": [{
            "slot": "raw_files", "entity_schema_id": "generic.record", "accepted_kind_keys": ["table.json_rows"],
        }]}),
    );
    let given = json!([{ "slot": "raw_files", "path": "input/given.csv", "entity_schema_id": "generic.record" }]);
    let plan = with(plan(vec![reads]), json!({ "inputs": given }));
    let run = world.run(&plan);
    run.succeeded().verified();
    let rows = run.json("output/a.json")["rows"].clone();
    assert_eq!((rows[1]["y"].clone(), rows.as_array().unwrap().len()), (json!("b, c"), 2), "{rows}");
    let adapter = run.plan.steps.iter().find(|step| step.step_id.starts_with("adapt:")).unwrap();
    let receipt = run.receipt(&adapter.step_id);
    assert_eq!(receipt.execution.backend, Backend::Native);
    assert_eq!(receipt.execution.program, adapter.execution_contract.adapter_id);
    assert!(receipt.execution.sandbox.is_none());
    // What it cannot read, it does not make up.
    let world = World::new();
    world.give("given.csv", "x,x\n1,a\n");
    let run = world.run(&plan);
    let failure = run.failure(&adapter.step_id);
    assert!(["D2021", "D2038"].contains(&failure.code.as_str()), "{failure:?}");
    assert!(run.state().step("a").is_none());
}

fn script(source: &str) -> Value {
    plan(vec![step("a", "javascript", source, json!({ "budget": { "wall_seconds": 5 } }))])
}

#[track_caller]
fn refused(source: &str) -> StepFailure {
    let world = World::new();
    let run = world.run(&script(source));
    run.verified();
    assert!(run.made().is_empty());
    run.failure("a")
}

#[test]
fn small_javascript_runs_in_an_isolate() {
    let world = World::new();
    let source = "export default function () { console.log('one'); return { 'output/a.json': { x: 1 } }; }";
    let run = world.run(&script(source));
    run.succeeded().verified();
    assert_eq!(run.output("output/a.json"), b"{\"x\":1}\n");
    let receipt = run.receipt("a");
    assert_eq!(receipt.execution.backend, Backend::EdgeIsolate);
    assert_eq!(receipt.execution.printed["log"], json!(["one"]));

    let failure = refused("export default function () { throw new Error('it is wrong'); }");
    assert_eq!((failure.code.as_str(), failure.class), ("D2030", FailureClass::OutputShape), "{failure:?}");
    let failure = refused("this is no code");
    assert_eq!(failure.code, "D2030", "{failure:?}");
    let failure = refused("export default function () { return { 'output/b.json': {} }; }");
    assert_eq!((failure.code.as_str(), failure.class), ("D2043", FailureClass::PolicyViolation), "{failure:?}");
    let failure = refused("export default function () { while (true) {} }");
    assert_eq!((failure.code.as_str(), failure.class), ("D2032", FailureClass::BudgetExhaustion), "{failure:?}");
    let failure =
        refused("export default function () { const all = []; while (true) all.push(new Uint8Array(1 << 20)); }");
    assert_eq!((failure.code.as_str(), failure.class), ("D2033", FailureClass::BudgetExhaustion), "{failure:?}");
    let failure = refused("export default function () { return {}; }");
    assert_eq!((failure.code.as_str(), failure.class), ("D2040", FailureClass::OutputShape), "{failure:?}");
}

#[test]
fn what_an_isolate_is_given_is_what_the_contract_says() {
    let world = World::new();
    world.give("given.txt", "seven");
    let source = "export default function (inputs, context) {
        return { 'output/a.json': { text: inputs['input/given.txt'], read: context.read, more: typeof fetch } };
    }";
    let given = json!([{ "slot": "raw_files", "path": "input/given.txt", "entity_schema_id": "generic.file" }]);
    let reads = step("a", "javascript", source, json!({ "input_file_paths": ["input/given.txt"] }));
    let run = world.run(&with(plan(vec![reads]), json!({ "inputs": given })));
    run.succeeded().verified();
    let expected = json!({ "text": "seven", "read": ["input/given.txt"], "more": "undefined" });
    assert_eq!(run.json("output/a.json"), expected);
}

/// As the clients for Python and Node do it, and with their errors: see `inputs.rs`.
#[test]
fn an_isolate_finds_its_inputs_by_slot_and_entity() {
    let world = World::new();
    for name in ["time_entries.csv", "rate_card.csv"] {
        let file = format!("{}/../../examples/billing/input/{name}", env!("CARGO_MANIFEST_DIR"));
        world.give(name, std::fs::read(file).unwrap());
    }
    let source = "export default function (inputs, context) {
        const refused = [];
        for (const wanted of [['raw_files'], ['raw_file'], ['raw_files', 'billing.none']]) {
            try { context.input(...wanted); } catch (error) { refused.push(String(error)); }
        }
        const entries = context.input('raw_files', 'billing.time_entry');
        const [header] = inputs[entries].split('\\n');
        const found = { entries, header, manifest: context.input('source_manifest'), all: context.inputs('raw_files') };
        return { 'output/a.json': { ...found, refused } };
    }";
    let input = |slot: &str, entity: &str, required: bool| {
        let kinds = if required { json!(["table.csv"]) } else { json!(["table.json_rows"]) };
        json!({ "slot": slot, "entity_schema_id": entity, "accepted_kind_keys": kinds, "required": required })
    };
    let bound = json!([
        input("raw_files", "billing.time_entry", true),
        input("raw_files", "billing.rate_card", true),
        input("source_manifest", "billing.source_profile", false),
    ]);
    let reads = step("a", "javascript", source, json!({ "abstract_inputs": bound }));
    let given = json!([
        { "slot": "raw_files", "path": "input/time_entries.csv", "entity_schema_id": "billing.time_entry" },
        { "slot": "raw_files", "path": "input/rate_card.csv", "entity_schema_id": "billing.rate_card" },
    ]);
    let run = world.run(&with(plan(vec![reads]), json!({ "inputs": given, "domain_pack_ids": ["billing-audit"] })));
    run.succeeded().verified();
    assert_eq!(run.receipt("a").execution.backend, Backend::EdgeIsolate);
    let mut found = run.json("output/a.json");
    let refused = found.as_object_mut().unwrap().remove("refused").unwrap();
    let header = found.as_object_mut().unwrap().remove("header").unwrap();
    assert!(header.as_str().unwrap().contains("entry_id"), "{header}");
    let (entries, rates) = ("input/time_entries.csv", "input/rate_card.csv");
    assert_eq!(found, json!({ "entries": entries, "manifest": null, "all": [entries, rates] }));
    let listed = "the step has the inputs raw_files (billing.time_entry): input/time_entries.csv, \
                  raw_files (billing.rate_card): input/rate_card.csv, source_manifest (billing.source_profile): nothing";
    let says = [
        "2 inputs have the slot 'raw_files': name the entity, or use inputs(); ",
        "no input has the slot 'raw_file'; ",
        "no input has the slot 'raw_files' and the entity 'billing.none'; ",
    ];
    assert_eq!(refused, json!(says.map(|says| format!("InputNotFound: {says}{listed}"))));
}

#[test]
fn shell_and_node_run_in_the_sandbox() {
    let world = World::new();
    let shell = step("a", "shell", "printf '{\"x\": %d}' $((1 + 2)) > output/a.json\n", json!({}));
    let node = "import { writeFileSync } from 'node:fs'; writeFileSync('output/b.json', JSON.stringify({ x: 4 }));";
    let node = step("b", "javascript", node, json!({ "tool_needs": ["sandbox.session"] }));
    let run = world.run(&plan(vec![shell, node]));
    run.succeeded().verified();
    assert_eq!((run.json("output/a.json"), run.json("output/b.json")), (json!({ "x": 3 }), json!({ "x": 4 })));
    for id in ["a", "b"] {
        let execution = run.receipt(id).execution;
        assert_eq!(execution.backend, Backend::SandboxSession);
        assert!(execution.sandbox.unwrap().obtained >= IsolationLevel::L2);
    }
    let run = world.run(&plan(vec![step("a", "shell", "echo wrong >&2; exit 7\n", json!({}))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.printed.as_deref()), ("D2030", Some("wrong")), "{failure:?}");
}

#[test]
fn a_level_that_this_machine_does_not_have_is_refused() {
    let mut world = World::new();
    let tools = deed_sandbox::Tools::prepare(&world.path("tools")).unwrap();
    let options =
        deed_sandbox::ProbeOptions { without_user_namespaces: true, without_bwrap: true, ..Default::default() };
    world.site = std::sync::Arc::new(deed_runtime::Site::new(tools, options, deed_sandbox::PrivatePaths::default()));
    let done = "open('output/a.json', 'w').write('{}')\n";
    let run = world.run(&plan(vec![python("a", done, json!({ "sandbox": { "minimum": "L2" } }))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2036", FailureClass::PolicyViolation), "{failure:?}");
    assert!(failure.help.unwrap().contains("deed sandbox probe"));
    assert_eq!(
        run.events().iter().filter(|event| matches!(event, deed_model::RunEvent::StepStarted { .. })).count(),
        1
    );
}

#[test]
fn a_script_that_fails_says_where_and_what_it_said() {
    let world = World::new();
    let source =
        "export default function () {\n  console.log('looking at', 7)\n  return { 'output/a.json': {}.b.c }\n}";
    let run = world.run(&plan(vec![step("a", "javascript", source, json!({}))]));
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2030");
    assert!(failure.message.ends_with("at or after line 2 of its code"), "{failure:?}");
    assert!(failure.printed.unwrap().starts_with("looking at 7\n"));
    let receipt = run.events().into_iter().find_map(|event| match event {
        RunEvent::StepFailed { receipt, .. } => receipt,
        _ => None,
    });
    let (statement, _) =
        deed_canon::Statement::open(&receipt.unwrap(), |_| Some(crate::common::key().public())).unwrap();
    let told = statement.predicate.to_string();
    assert!(told.contains("looking at 7"), "{told}");
}
