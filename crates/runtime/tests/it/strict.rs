//! Every policy profile times every way of giving a step its input, with the verdict that is due.

use crate::common::run::Asking;
use crate::common::{World, with};
use deed_catalog::builtin;
use deed_diag::{Document, Format, Severity};
use deed_model::RunOutcome;
use deed_ports::EngineError;
use serde_json::{Value, json};

const POLICIES: [&str; 5] = [
    "strict.fail-closed.v1",
    "strict.allow-normalizers.v1",
    "provenance.required.v1",
    "deploy.human-review-required.v1",
    "generic.inference-allowed.v1",
];

const GOOD: &str = r#"[{"entry_id":"1","person_id":"p","role":"r","client_id":"c","project_id":"x",
    "worked_on":"2026-01-01","hours":2,"billable":true,"status":"draft","source_id":"s"}]"#;

/// A step of small JavaScript that copies nothing but a number, so that every run is made in this process.
fn step(id: &str, more: Value) -> Value {
    let path = format!("output/{id}.json");
    let source = format!("export default function () {{ return {{ '{path}': {{ x: 1 }} }}; }}");
    let step = json!({
        "id": id, "label": id, "objective": "MUST do it", "code": { "language": "javascript", "source": source },
        "expected_outputs": [{ "path": path, "role": "primary" }],
        "artifact_contracts": { path: { "format": "json", "kind_key": "object.json" } },
        "success_criteria": [format!("output/{id}.json is valid json")],
    });
    with(step, more)
}

/// A step of small JavaScript that writes rows.
fn rows(path: &str, rows: &str, more: Value) -> Value {
    let source = format!("export default function () {{ return {{ '{path}': {rows} }}; }}");
    let step = json!({
        "id": "make", "label": "make", "objective": "MUST do it",
        "code": { "language": "javascript", "source": source },
        "expected_outputs": [{ "path": path }],
        "artifact_contracts": { path: { "format": "json", "kind_key": "table.json_rows" } },
        "success_criteria": [format!("{path} is valid json")],
    });
    with(step, more)
}

fn plan(policy: &str, inputs: Value, steps: Vec<Value>) -> Value {
    json!({
        "plan": "matrix", "mission": { "objective": "Try it" }, "policy_profile_id": policy,
        "domain_pack_ids": ["billing-audit", "finance-analysis"], "inputs": inputs, "steps": steps,
    })
}

fn need(entity: &str, kind: &str) -> Value {
    json!({ "abstract_inputs": [{ "slot": "raw_files", "entity_schema_id": entity, "accepted_kind_keys": [kind] }] })
}

fn given(path: &str, entity: &str, kind: &str) -> Value {
    json!([{ "slot": "raw_files", "path": path, "entity_schema_id": entity, "kind_key": kind }])
}

/// A way of giving a step its input: its name, the file, the plan under a policy, and the verdict of each policy.
struct Way {
    name: &'static str,
    file: (&'static str, String),
    plan: fn(&str) -> Value,
    verdicts: [&'static str; 5],
}

const JSON: &str = "input/time.rows.json";
const TIME: &str = "billing.time_entry";
const ROWS: &str = "table.json_rows";

fn by_slot(policy: &str) -> Value {
    plan(policy, given(JSON, TIME, ROWS), vec![step("read", need(TIME, ROWS))])
}

fn by_path(policy: &str) -> Value {
    plan(policy, given(JSON, TIME, ROWS), vec![step("read", json!({ "input_file_paths": [JSON] }))])
}

fn by_adapter(policy: &str) -> Value {
    plan(policy, given("input/time.csv", TIME, "table.csv"), vec![step("read", need(TIME, ROWS))])
}

fn bare_path(policy: &str) -> Value {
    let reads = json!({ "input_file_paths": ["work/a.rows.json"], "depends_on": ["make"] });
    plan(policy, json!([]), vec![rows("work/a.rows.json", "[{ id: 1 }]", json!({})), step("read", reads)])
}

fn path_of_a_step(policy: &str) -> Value {
    let gives = json!({ "abstract_outputs": [{
        "slot": "findings", "entity_schema_id": TIME, "preferred_kind_keys": [ROWS],
    }] });
    let reads = json!({ "input_file_paths": ["work/a.rows.json"], "depends_on": ["make"] });
    plan(policy, json!([]), vec![rows("work/a.rows.json", GOOD, gives), step("read", reads)])
}

fn generic_to_generic(policy: &str) -> Value {
    plan(policy, given(JSON, "generic.record", ROWS), vec![step("read", need("generic.record", ROWS))])
}

fn generic_to_entity(policy: &str) -> Value {
    plan(policy, given(JSON, "generic.record", ROWS), vec![step("read", need(TIME, ROWS))])
}

fn entity_to_generic(policy: &str) -> Value {
    plan(policy, given(JSON, TIME, ROWS), vec![step("read", need("generic.record", ROWS))])
}

fn by_path_and_as_generic(policy: &str) -> Value {
    let read = with(need("generic.record", ROWS), json!({ "input_file_paths": [JSON] }));
    plan(policy, given(JSON, TIME, ROWS), vec![step("read", read)])
}

fn by_adapter_as_generic(policy: &str) -> Value {
    plan(policy, given("input/time.csv", TIME, "table.csv"), vec![step("read", need("generic.record", ROWS))])
}

fn generic_by_path(policy: &str) -> Value {
    let read = step("read", json!({ "input_file_paths": [JSON] }));
    plan(policy, given(JSON, "generic.file", "object.json"), vec![read])
}

fn rows_without_provenance(policy: &str) -> Value {
    let gives = json!({ "abstract_outputs": [{
        "slot": "findings", "entity_schema_id": TIME, "preferred_kind_keys": [ROWS],
        "fields": ["entry_id", "person_id", "role", "client_id", "project_id", "worked_on", "hours", "billable", "status"],
    }] });
    let reads = json!({
        "depends_on": ["make"],
        "abstract_inputs": [{ "slot": "findings", "entity_schema_id": TIME, "accepted_kind_keys": [ROWS] }],
    });
    let bare = GOOD.replace(r#","source_id":"s""#, "");
    plan(policy, json!([]), vec![rows("work/a.rows.json", &bare, gives), step("read", reads)])
}

fn ways() -> Vec<Way> {
    let good = || ("time.rows.json", GOOD.to_owned());
    let csv = "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
               1,p,r,c,x,2026-01-01,2,true,draft\n";
    let twice = format!("[{0},{0}]", GOOD.trim_start_matches('[').trim_end_matches(']'));
    let way = |name, file, plan, verdicts| Way { name, file, plan, verdicts };
    vec![
        way("slot, exact", good(), by_slot, ["runs"; 5]),
        way("slot, by adapter", ("time.csv", csv.to_owned()), by_adapter, ["D1945", "runs", "runs", "runs", "runs"]),
        way("path, declared by the mission", good(), by_path, ["runs"; 5]),
        way("path, declared by a step", good(), path_of_a_step, ["runs"; 5]),
        way("bare path", good(), bare_path, ["D1979", "D1979", "D1979", "runs", "runs"]),
        way("generic to generic", good(), generic_to_generic, ["D1946", "D1946", "D1946", "D1946", "runs"]),
        way("generic to entity", good(), generic_to_entity, ["D1946", "D1946", "D1946", "D1946", "runs"]),
        way("entity to generic", good(), entity_to_generic, ["D1946", "D1946", "D1946", "D1946", "runs"]),
        way("generic by path", good(), generic_by_path, ["D1946", "D1946", "D1946", "D1946", "runs"]),
        way("rows without provenance", good(), rows_without_provenance, ["D1949", "runs", "D1949", "runs", "runs"]),
        way(
            "bad rows by slot",
            ("time.rows.json", GOOD.replace("2026-01-01", "yesterday")),
            by_slot,
            ["D2015", "D2015", "D2015", "D2015", "remark"],
        ),
        way(
            "bad rows by path",
            ("time.rows.json", GOOD.replace("\"hours\":2", "\"hours\":-5")),
            by_path,
            ["D2015", "D2015", "D2015", "D2015", "remark"],
        ),
        way(
            "bad rows as generic data",
            ("time.rows.json", GOOD.replace("\"hours\":2", "\"hours\":-5")),
            entity_to_generic,
            ["D1946", "D1946", "D1946", "D1946", "remark"],
        ),
        way(
            "bad rows by path and as generic data",
            ("time.rows.json", GOOD.replace("\"hours\":2", "\"hours\":-5")),
            by_path_and_as_generic,
            ["D1946", "D1946", "D1946", "D1946", "remark"],
        ),
        way(
            "the same row twice as generic data",
            ("time.rows.json", twice.clone()),
            entity_to_generic,
            ["D1946", "D1946", "D1946", "D1946", "remark"],
        ),
        way(
            "bad rows by adapter",
            ("time.csv", csv.replace(",2,", ",-2,")),
            by_adapter,
            ["D1945", "D2015", "D2015", "D2015", "remark"],
        ),
        way(
            "bad rows by adapter as generic data",
            ("time.csv", csv.replace(",2,", ",-2,")),
            by_adapter_as_generic,
            ["D1946", "D1946", "D1946", "D1946", "remark"],
        ),
        way("the same row twice", ("time.rows.json", twice), by_slot, ["D2015", "D2015", "D2015", "D2015", "remark"]),
        way(
            "bytes of another kind",
            ("time.rows.json", "this is not json <html>".to_owned()),
            by_slot,
            ["D2015", "D2015", "D2015", "D2015", "fails"],
        ),
    ]
}

/// The verdict on a plan: the code of a refusal, or how the run went.
fn verdict(plan: &Value, file: &(&str, String)) -> String {
    let document = Document::read("plan.json", plan.to_string().as_bytes(), Format::Json).unwrap();
    let lowered = deed_plan::lower(&document, builtin().unwrap());
    let errors: Vec<&str> = lowered
        .report
        .diagnostics()
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| found.code.as_str())
        .collect();
    if let Some(first) = errors.first() {
        assert!(errors.iter().all(|code| code == first), "{errors:?}");
        return (*first).to_owned();
    }
    let world = World::new();
    world.give(file.0, &file.1);
    let run = match world.try_submit(world.engine(), plan, Asking::default()) {
        Ok((run, _)) => run,
        Err(EngineError::Refused { code, .. }) => return code.to_string(),
        Err(other) => panic!("{other:?}"),
    };
    run.drive();
    let state = run.state();
    let remarks = state.steps.values().flat_map(|step| &step.remarks).count();
    match (state.ended, remarks) {
        (Some(RunOutcome::Succeeded), 0) => "runs".to_owned(),
        (Some(RunOutcome::Succeeded), _) => "remark".to_owned(),
        (ended, _) => {
            let blocked = state.steps.values().any(|step| format!("{:?}", step.status).contains("D20"));
            assert!(blocked, "{ended:?} {:?}", state.steps);
            "fails".to_owned()
        }
    }
}

#[test]
fn every_policy_judges_every_way_of_giving_an_input() {
    let mut wrong = Vec::new();
    for way in ways() {
        for (policy, expected) in POLICIES.iter().zip(way.verdicts) {
            let found = verdict(&(way.plan)(policy), &way.file);
            if found != expected {
                wrong.push(format!("{} under {policy}: {found}, and {expected} is due", way.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The stricter of two verdicts: what is refused before a run is refused, then what a run is refused for, then what fails,
/// then what is remarked.
fn stricter(one: &'static str, other: &'static str) -> &'static str {
    let rank = |verdict: &str| match verdict {
        "runs" => 0,
        "remark" => 1,
        "fails" => 2,
        "D2015" => 3,
        _ => 4,
    };
    if rank(one) >= rank(other) { one } else { other }
}

/// Every pair of a plan's policy and one that its steps name, times every way: a step is only ever stricter.
#[test]
fn a_step_is_never_looser_than_its_plan() {
    let mut wrong = Vec::new();
    for way in ways() {
        for (outer, by_plan) in POLICIES.iter().zip(way.verdicts) {
            for (inner, by_step) in POLICIES.iter().zip(way.verdicts).filter(|(inner, _)| *inner != outer) {
                let mut plan = (way.plan)(outer);
                for step in plan["steps"].as_array_mut().unwrap() {
                    step["policy_profile_id"] = json!(inner);
                }
                let (found, expected) = (verdict(&plan, &way.file), stricter(by_plan, by_step));
                if found != expected {
                    wrong.push(format!("{}: {inner} under {outer}: {found}, and {expected} is due", way.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A policy about deployment says nothing of generic data: another may allow it, and a strict one still forbids it.
#[test]
fn generic_data_needs_a_policy_that_allows_it_and_none_that_forbids_it() {
    let file = ("time.rows.json", GOOD.to_owned());
    let under = |more: &str| {
        let plan = generic_to_generic("deploy.human-review-required.v1");
        verdict(&with(plan, json!({ "extra_policy_profile_ids": [more] })), &file)
    };
    assert_eq!(under("generic.inference-allowed.v1"), "runs");
    assert_eq!(under("strict.allow-normalizers.v1"), "D1946");
}

#[test]
fn a_bad_input_of_a_later_step_is_refused_before_any_step_runs() {
    let world = World::new();
    world.give("time.rows.json", GOOD.replace("\"status\":\"draft\"", "\"status\":\"nonsense\""));
    let first = step("first", json!({}));
    let mut plan = by_slot("strict.allow-normalizers.v1");
    plan["steps"].as_array_mut().unwrap().insert(0, first);
    plan["steps"][1]["depends_on"] = json!(["first"]);
    let refused = world.try_submit(world.engine(), &plan, Asking::default()).map(|_| ()).unwrap_err();
    let EngineError::Refused { code, message, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(code.as_str(), "D2015");
    assert!(message.contains("`input/time.rows.json`") && message.contains("row 1"), "{message}");
}

#[test]
fn all_steps_without_code_and_all_capabilities_without_a_tool_are_named() {
    let world = World::new();
    let refused = |plan: &Value| {
        let refused = world.try_submit(world.engine(), plan, Asking::default()).map(|_| ()).unwrap_err();
        let EngineError::Refused { code, message, .. } = refused else { panic!("{refused:?}") };
        (code, message)
    };
    let mut without = [step("one", json!({})), step("two", json!({})), step("three", json!({}))];
    for step in &mut without[..2] {
        step.as_object_mut().unwrap().remove("code");
    }
    let (code, message) = refused(&plan("strict.fail-closed.v1", json!([]), without.to_vec()));
    assert_eq!(code.as_str(), "D2001");
    assert!(message.contains("`one`, `two`") && !message.contains("three"), "{message}");

    let needs = |id: &str, tools: &[&str]| step(id, json!({ "tool_needs": tools }));
    let steps = vec![
        needs("send", &["document.to_pdf", "sandbox.exec"]),
        needs("show", &["browser.render", "operator.artifact.write"]),
    ];
    let (code, message) = refused(&plan("strict.allow-normalizers.v1", json!([]), steps));
    assert_eq!(code.as_str(), "D1980");
    for named in ["`document.to_pdf` (step `send`)", "`sandbox.exec` (step `send`)", "`browser.render` (step `show`)"] {
        assert!(message.contains(named), "{message}");
    }
    assert!(!message.contains("artifact.write"), "{message}");
}

#[test]
fn the_catalogue_marks_exactly_the_capabilities_that_this_runtime_has() {
    for known in builtin().unwrap().capabilities() {
        assert_eq!(known.implemented, deed_runtime::implements(&known.capability), "{}", known.capability);
    }
}
