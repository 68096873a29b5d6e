//! Validation packs in runs: six phases, three modes, corrections with their records, freezing, verification.

use super::tamper::{change, replace};
use crate::common::{Project, Ran};
use serde_json::{Value, json};

/// A plan that copies its input, in the process.
const PLAN: &str = r#"plan: copy
mission:
  objective: OBJECTIVE
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/in.txt, entity_schema_id: generic.file }
steps:
  - id: copy
    label: Copy the input
    objective: MUST copy the input as it is
    input_file_paths: [input/in.txt]
    code:
      language: javascript
      source: |
        export default function (inputs) { return { "output/out.txt": inputs["input/in.txt"] }; }
    expected_outputs: [{ path: output/out.txt, role: primary }]
    artifact_contracts:
      output/out.txt: { format: txt, kind_key: file.text }
    success_criteria: [output/out.txt exists]
    max_retries: 0
"#;

/// A pack for every phase. Payloads are orders; of a plan the objective is judged.
const PACK: &str = r#"pack_ref: valpack.acme.order@v1
phases: [ingestion, planner_candidate, compiled_plan, step_input, step_output, final_output]
largest_bytes: 100000
rules:
  - id: plan
    artifact_path: plan/*
    read_as: json
    contract:
      contract: plan
      schema: { type: object }
      transforms: [{ id: trimmed, at: /mission/objective, apply: trim }]
      domain: [{ id: not-bad, rule: { "!=": [{ var: mission.objective }, bad] }, message: the objective is bad }]
  - id: order
    artifact_path: "*"
    read_as: json
    contract:
      contract: order
      schema:
        type: object
        required: [id, total]
        properties: { id: { type: string }, total: { type: integer, maximum: 100 } }
      synonyms: [{ from: [number], to: id }]
"#;

const PHASES: [&str; 6] =
    ["ingestion", "planner_candidate", "compiled_plan", "step_input", "step_output", "final_output"];

/// A profile in which some phases have modes.
fn profile(phases: &[(&str, &str)]) -> String {
    let phase =
        |(name, mode): &(&str, &str)| format!("    {name}: {{ pack_ref: valpack.acme.order@v1, mode: {mode} }}\n");
    let phases: String = phases.iter().map(phase).collect();
    format!("profile_id: team\nversion: 1.0.0\nissuer: tenant_acme_prod\nvalidation:\n  phases:\n{phases}")
}

fn project(phases: &[(&str, &str)], objective: &str, payload: &str) -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    p.write("plan.yaml", PLAN.replace("OBJECTIVE", objective));
    p.write("input/in.txt", payload);
    p.write("team.yaml", profile(phases));
    p.write("valpacks/order.yaml", PACK);
    p
}

fn run(p: &Project) -> Ran {
    p.run(&["run", "plan.yaml", "--input", "input", "--id", "one", "--profile", "./team.yaml"])
}

fn shown(p: &Project) -> Value {
    p.json(&["runs", "show", "one"])["data"].clone()
}

/// The records of a phase.
fn records(data: &Value, phase: &str) -> Vec<Value> {
    let all = data["validation"].as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|record| record["phase"] == phase).collect()
}

const GOOD: &str = "{\"id\": \"a\", \"total\": 3}";
const CORRECTABLE: &str = "{'number': \"a\", \"total\": 3,}";
const CORRECTED: &str = "{\"id\":\"a\",\"total\":3}";
const BAD: &str = "{\"id\": \"a\", \"total\": 300}";

/// One cell of the matrix: what a phase in a mode comes to for a payload.
fn check(phase: &str, mode: &str, payload: &str) {
    let of_plan = matches!(phase, "planner_candidate" | "compiled_plan");
    let (objective, text) = match (payload, of_plan) {
        ("good", _) | ("correctable" | "bad", false) => ("Copy it", payload),
        ("correctable", true) => ("\"  Copy it\"", "good"),
        _ => ("bad", "good"),
    };
    let text = match text {
        "correctable" => CORRECTABLE,
        "bad" => BAD,
        _ => GOOD,
    };
    let p = project(&[(phase, mode)], objective, text);
    let ran = run(&p);
    let said = format!("{phase} {mode} {payload}: {}{}", ran.stdout, ran.stderr);
    let corrects = matches!(phase, "ingestion" | "planner_candidate" | "step_output");
    let stops = mode == "block" && (payload == "bad" || (payload == "correctable" && !corrects));
    let verdict = match (mode, payload) {
        ("'off'", _) => "off",
        (_, "good") => "passed",
        (_, "bad") => "failed",
        ("block", _) if corrects => "corrected",
        _ => "correctable",
    };
    assert_eq!(ran.code, i32::from(stops), "{said}");
    if stops {
        assert!(said.contains("does not pass `valpack.acme.order@v1`") && said.contains(phase), "{said}");
    }
    let submitted = !matches!(phase, "ingestion" | "planner_candidate" | "compiled_plan");
    if stops && !submitted {
        assert!(said.contains("D2910"), "{said}");
        p.refuses(&["runs", "show", "one"], 1, "D2004", "one");
        return;
    }
    let data = shown(&p);
    assert_eq!(data["status"], if stops { "failed" } else { "succeeded" }, "{said}");
    p.ok(&["receipts", "verify", "one"]);
    // The other phases say that they are off.
    for other in PHASES.iter().filter(|other| **other != phase && !stops) {
        let all = records(&data, other);
        assert_eq!((all.len(), &all[0]["verdict"]), (1, &json!("off")), "{other} {said}");
    }
    if stops && phase == "step_output" {
        let failure = &data["steps"][0]["failure"];
        assert_eq!((&failure["code"], &failure["class"]), (&json!("D2910"), &json!("output_shape")), "{said}");
        return;
    }
    let own = records(&data, phase);
    assert_eq!((own.len(), &own[0]["verdict"]), (1, &json!(verdict)), "{said}");
    let expected = match (verdict, phase) {
        ("corrected", "ingestion" | "step_output") => CORRECTED,
        _ => text,
    };
    if !stops {
        assert_eq!(p.ok(&["artifacts", "cat", "one", "output/out.txt"]).stdout, expected, "{said}");
    }
    let told = p.ok(&["receipts", "show", "one"]).stdout;
    assert!(told.contains(&format!("{phase} {verdict}")), "{told}");
    if verdict == "corrected" {
        let correction = &own[0]["correction"];
        let after = correction["after"].as_str().unwrap();
        assert!(told.contains(after) && told.contains(own[0]["before"].as_str().unwrap()), "{told}");
        let shown = p.ok(&["runs", "show", "one"]).stdout;
        assert!(shown.contains("was corrected by `valpack.acme.order@v1`") && shown.contains(after), "{shown}");
    }
}

/// Every mode and payload of a phase.
fn check_phase(phase: &str) {
    for mode in ["'off'", "report", "block"] {
        for payload in ["good", "correctable", "bad"] {
            check(phase, mode, payload);
        }
    }
}

#[test]
fn ingestion_in_every_mode() {
    check_phase("ingestion");
}

#[test]
fn planner_candidates_in_every_mode() {
    check_phase("planner_candidate");
}

#[test]
fn compiled_plans_in_every_mode() {
    check_phase("compiled_plan");
}

#[test]
fn step_inputs_in_every_mode() {
    check_phase("step_input");
}

#[test]
fn step_outputs_in_every_mode() {
    check_phase("step_output");
}

#[test]
fn final_outputs_in_every_mode() {
    check_phase("final_output");
}

#[test]
fn a_correction_is_an_artifact_and_can_be_undone() {
    let p = project(&[("step_output", "block")], "Copy it", CORRECTABLE);
    assert_eq!(run(&p).code, 0);
    let kept = |ending: &str| format!("validation/step_output/output/out.txt.{ending}");
    let listed = p.ok(&["artifacts", "list", "one"]).stdout;
    assert!(listed.contains(&kept("original")) && listed.contains(&kept("correction.json")), "{listed}");
    assert_eq!(p.ok(&["artifacts", "cat", "one", &kept("original")]).stdout, CORRECTABLE);
    p.ok_to("report.json", &["artifacts", "cat", "one", &kept("correction.json")]);
    p.ok_to("after.json", &["artifacts", "cat", "one", "output/out.txt"]);
    let undone = p.ok(&["ladder", "undo", "--report", "report.json", "after.json"]).stdout;
    assert_eq!(undone.trim_end_matches('\n'), CORRECTABLE);
}

#[test]
fn later_steps_read_the_corrected_bytes() {
    let more = r#"  - id: read
    label: Read what was copied
    objective: MUST give the id of the order
    depends_on: [copy]
    input_file_paths: [output/out.txt]
    code:
      language: javascript
      source: |
        export default function (inputs) { return { "output/id.txt": JSON.parse(inputs["output/out.txt"]).id }; }
    expected_outputs: [{ path: output/id.txt }]
    artifact_contracts:
      output/id.txt: { format: txt, kind_key: file.text }
    success_criteria: [output/id.txt exists]
    max_retries: 0
"#;
    let p = project(&[], "Copy it", CORRECTABLE);
    p.write("plan.yaml", PLAN.replace("OBJECTIVE", "Copy it") + more);
    let phase = "    step_output: { matchers: [{ artifact_path: output/out.txt, pack_ref: valpack.acme.order@v1 }], mode: block }\n";
    p.write("team.yaml", profile(&[]) + phase);
    let ran = run(&p);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(p.ok(&["artifacts", "cat", "one", "output/id.txt"]).stdout, "a");
    let data = shown(&p);
    let verdicts: Vec<Value> = records(&data, "step_output").iter().map(|record| record["verdict"].clone()).collect();
    assert_eq!(verdicts, ["corrected", "not_validated"]);
    p.ok(&["receipts", "verify", "one"]);
}

#[test]
fn what_is_too_large_is_told_and_not_read() {
    let p =
        project(&[("step_output", "block"), ("ingestion", "report")], "Copy it", &format!("[{}]", " ".repeat(100_000)));
    let ran = run(&p);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let told = p.ok(&["receipts", "show", "one"]).stdout;
    assert!(told.contains("D2911") && told.contains("100002 bytes are more than the 100000"), "{told}");
    p.ok(&["receipts", "verify", "one"]);
}

/// Under a profile that blocks, nothing is delivered that no pack has read.
#[test]
fn what_is_too_large_is_blocked_by_the_strict_profile() {
    let p = super::example::tally();
    let large = [(
        "file.write(f\"{total['orders']} orders, {total['total']} in all\\n\")",
        "file.write('a line\\n' * 2_600_000)",
    )];
    super::example::changed(&p, "tally.yaml", &large);
    let args = ["--id", "one", "--approve", "clerk", "--profile", "strict-compliance"];
    let out = p.run(&[&super::example::RUN[..], &args].concat());
    let said = format!("{}{}", out.stdout, out.stderr);
    assert!(out.code == 1 && said.contains("18200000 bytes are more than the 16777216"), "{said}");
    let out = p.run(
        &[&super::example::RUN[..], &["--id", "two", "--approve", "clerk", "--profile", "fast-prototype"]].concat(),
    );
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
}

#[test]
fn packs_are_frozen_with_the_run() {
    let p = project(&[("step_output", "block")], "Copy it", CORRECTABLE);
    let gated = PLAN
        .replace("OBJECTIVE", "Copy it")
        .replace("    max_retries: 0\n", "    max_retries: 0\n    waits_for: [seen]\n")
        + "gates:\n  - { id: seen, question: May it be copied?, approver_role: clerk, after: [] }\n";
    p.write("plan.yaml", gated);
    assert_eq!(run(&p).code, 5);
    let before = shown(&p)["profile"].clone();
    // The pack is changed, and then gone, while the run waits.
    p.write("valpacks/order.yaml", PACK.replace("maximum: 100", "maximum: 1"));
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    std::fs::remove_dir_all(p.path("valpacks")).unwrap();
    std::fs::remove_file(p.path("team.yaml")).unwrap();
    p.ok(&["runs", "resume", "one"]);
    let after = shown(&p);
    assert_eq!((&after["status"], &after["profile"]), (&json!("succeeded"), &before));
    assert_eq!(records(&after, "step_output")[0]["verdict"], "corrected");
    p.ok(&["receipts", "verify", "one"]);
}

#[test]
fn altered_verdicts_corrections_and_originals_are_found() {
    let altered = |table: &str, column: &str, find: &str, by: &str, says: &str| {
        let p = project(&[("ingestion", "block"), ("step_output", "block")], "Copy it", CORRECTABLE);
        assert_eq!(run(&p).code, 0);
        p.ok(&["receipts", "verify", "one"]);
        change(&p, |db| replace(db, table, column, find, by));
        let found = p.run(&["receipts", "verify", "one"]);
        let said = format!("{}{}", found.stdout, found.stderr);
        assert!(found.code != 0 && said.contains(says), "{find}\n{said}");
    };
    // The pack in the frozen profile, the original bytes, the report of the correction, and the recorded verdict.
    altered("small_blobs", "bytes", "\"maximum\":100", "\"maximum\":101", "broken  profile frozen with the run");
    altered("small_blobs", "bytes", "{'number': \"a\"", "{'number': \"b\"", "broken  validation of the submission");
    altered(
        "small_blobs",
        "bytes",
        "\"rule\":\"number→id\"",
        "\"rule\":\"number→ix\"",
        "broken  validation of the submission",
    );
    altered("events", "body", "\"verdict\":\"corrected\"", "\"verdict\":\"passed\"", "was altered at event");
}

#[test]
fn packs_that_cannot_be_used_are_refused_before_anything_runs() {
    let p = project(&[("step_output", "block")], "Copy it", GOOD);
    let args = ["run", "plan.yaml", "--input", "input", "--id", "one", "--profile", "./team.yaml"];
    p.write("valpacks/order.yaml", PACK.replace("acme.order@v1", "acme.orders@v1"));
    p.refuses(&args, 1, "D2902", "valpack.acme.orders@v1");
    p.refuses(&["profile", "lint", "team.yaml"], 1, "D2902", "did you mean `valpack.acme.orders@v1`");
    p.write("valpacks/order.yaml", PACK.replace(", step_output", ""));
    p.refuses(&args, 1, "D2903", "is not meant for `step_output`");
    p.write("valpacks/order.yaml", PACK.replace("read_as", "reed_as"));
    p.refuses(&args, 1, "D0203", "reed_as");
    p.write("valpacks/order.yaml", PACK);
    p.write("valpacks/again.yaml", PACK.replace("maximum: 100", "maximum: 99"));
    p.refuses(&args, 1, "D2908", "valpack.acme.order@v1");
    p.refuses(&["runs", "show", "one"], 1, "D2004", "one");
}

#[test]
fn packs_of_a_profile_are_published_with_it() {
    let p = project(&[], "Copy it", CORRECTABLE);
    let own: String = PACK
        .lines()
        .enumerate()
        .map(|(place, line)| format!("    {} {line}\n", if place == 0 { "-" } else { " " }))
        .collect();
    p.write("team.yaml", profile(&[("step_output", "block")]) + "  packs:\n" + &own);
    std::fs::remove_dir_all(p.path("valpacks")).unwrap();
    p.ok(&["keys", "generate", "acme"]);
    p.ok(&["keys", "trust", "acme", "--issuer", "tenant_acme_prod", "--sign"]);
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    let listed = p.ok(&["valpack", "list", "--profile", "team@1.0.0"]).stdout;
    assert!(listed.contains("valpack.acme.order@v1") && listed.contains("profile"), "{listed}");
    p.ok(&["run", "plan.yaml", "--input", "input", "--id", "one", "--profile", "team@1.0.0"]);
    assert_eq!(records(&shown(&p), "step_output")[0]["verdict"], "corrected");
    // A pack beside the file is not published with it.
    p.write("team.yaml", profile(&[("step_output", "block")]).replace("1.0.0", "1.1.0"));
    p.write("valpacks/order.yaml", PACK);
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2902", "valpack.acme.order@v1");
}

/// The shipped pack holds JSON to the entity that the contract names.
#[test]
fn json_is_held_to_the_entity_of_its_contract() {
    let plan = r#"plan: hours
mission: { objective: List the hours }
policy_profile_id: generic.inference-allowed.v1
entities:
  team.hours: { type: object, required: [who, hours], properties: { who: { type: string }, hours: { type: number } } }
inputs:
  - { slot: raw_files, path: input/in.txt, entity_schema_id: generic.file }
steps:
  - id: list
    label: List the hours
    objective: MUST list the hours of everybody
    input_file_paths: [input/in.txt]
    abstract_outputs:
      - { slot: findings, entity_schema_id: team.hours, preferred_kind_keys: [table.json_rows], path: output/hours.json }
    code:
      language: javascript
      source: |
        export default function (inputs) { return { "output/hours.json": inputs["input/in.txt"] }; }
    expected_outputs: [{ path: output/hours.json, role: primary }]
    success_criteria: [output/hours.json exists and is valid json]
    max_retries: 0
"#;
    let run = |payload: &str| {
        let p = project(&[], "Copy it", payload);
        p.write("plan.yaml", plan);
        let ran = p.run(&["run", "plan.yaml", "--input", "input", "--id", "one", "--profile", "strict-compliance"]);
        (p, format!("{}{}", ran.stdout, ran.stderr), ran.code)
    };
    let (p, said, code) = run(r#"[{"who": "ada", "hours": "3"}]"#);
    assert_eq!(code, 0, "{said}");
    assert_eq!(p.ok(&["artifacts", "cat", "one", "output/hours.json"]).stdout, r#"[{"hours":3,"who":"ada"}]"#);
    p.ok(&["receipts", "verify", "one"]);
    let (_, said, code) = run(r#"[{"who": "ada", "hours": "three"}]"#);
    assert_eq!(code, 1, "{said}");
}

/// A plan as a model writes it is read by the ladder before it is compiled.
#[test]
fn a_malformed_plan_is_corrected_before_it_is_compiled() {
    let p = project(&[("planner_candidate", "block")], "Copy it", GOOD);
    let plan = json!({
        "plan": "copy", "mission": { "objective": "Copy it" }, "policy_profile_id": "generic.inference-allowed.v1",
        "inputs": [{ "slot": "raw_files", "path": "input/in.txt", "entity_schema_id": "generic.file" }],
        "steps": [{
            "id": "copy", "label": "Copy the input", "objective": "MUST copy the input as it is",
            "input_file_paths": ["input/in.txt"],
            "code": { "language": "javascript", "source": "export default function (i) { return { 'output/out.txt': i['input/in.txt'] }; }" },
            "expected_outputs": [{ "path": "output/out.txt", "role": "primary" }],
            "artifact_contracts": { "output/out.txt": { "format": "txt", "kind_key": "file.text" } },
            "success_criteria": ["output/out.txt exists"], "max_retries": 0,
        }],
    });
    p.write("plan.json", format!("Here is the plan:\n```json\n{plan:#}\n```\n"));
    let args = ["run", "plan.json", "--input", "input", "--id", "one", "--profile", "./team.yaml"];
    p.ok(&args);
    assert_eq!(records(&shown(&p), "planner_candidate")[0]["verdict"], "corrected");
    p.ok(&["receipts", "verify", "one"]);
    // Without a phase that corrects it, it is no document.
    p.write("team.yaml", profile(&[("planner_candidate", "report")]));
    let out = p.run(&["run", "plan.json", "--input", "input", "--id", "two", "--profile", "./team.yaml"]);
    assert!(out.code == 1 && out.stderr.contains("error[D01"), "{}", out.stderr);
}

#[test]
fn outputs_that_are_reused_are_judged_again() {
    let p = project(&[("step_output", "block")], "Copy it", CORRECTABLE);
    assert_eq!(run(&p).code, 0);
    let again = |id: &str| {
        p.ok(&["run", "plan.yaml", "--input", "input", "--id", id, "--profile", "./team.yaml", "--reuse"]);
        p.ok(&["receipts", "verify", id]);
        let data = p.json(&["runs", "show", id])["data"].clone();
        (data["steps"][0]["reused_from"].clone(), records(&data, "step_output")[0]["verdict"].clone())
    };
    // The corrected bytes are taken over, and pass.
    assert_eq!(again("two"), (json!("one"), json!("passed")));
    // Under a stricter pack they do not, so the step runs, and fails.
    p.write("valpacks/order.yaml", PACK.replace("maximum: 100", "maximum: 1"));
    let out = p.run(&["run", "plan.yaml", "--input", "input", "--id", "three", "--profile", "./team.yaml", "--reuse"]);
    let said = format!("{}{}", out.stdout, out.stderr);
    assert!(out.code == 1 && said.contains("D2910"), "{said}");
}

#[test]
fn shipped_profiles_judge_whole_runs() {
    for name in ["strict-compliance", "fast-prototype"] {
        let p = project(&[], "Copy it", "three orders\n");
        let ran = p.run(&["run", "plan.yaml", "--input", "input", "--id", "one", "--profile", name]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        let data = shown(&p);
        for phase in PHASES {
            let all = records(&data, phase);
            assert!(!all.is_empty() && all.iter().all(|record| record["verdict"] == "passed"), "{phase} {all:?}");
        }
        p.ok(&["receipts", "verify", "one"]);
    }
}

#[test]
fn packs_are_written_checked_and_shown() {
    let p = Project::bare();
    p.ok(&["valpack", "new", "valpack.acme.orders", "--out", "orders.yaml"]);
    p.ok(&["valpack", "lint", "orders.yaml", "--deny-warnings"]);
    let shown = p.ok(&["valpack", "show", "./orders.yaml"]).stdout;
    assert!(shown.contains("valpack.acme.orders@v1 sha256:") && shown.contains("output/*.json"), "{shown}");
    p.refuses(&["valpack", "new", "orders"], 2, "D0015", "is not a name of a validation pack");
    p.refuses(&["valpack", "show", "valpack.operator.json-shema@v1"], 1, "D2902", "did you mean");
    let text = std::fs::read_to_string(p.path("orders.yaml")).unwrap();
    for (find, wrong, code) in [
        ("output/*.json", "out/*.json", "D2904"),
        ("step_output]", "step_outputs]", "D0206"),
        ("read_as: json", "read_as: jsn", "D0206"),
    ] {
        p.write("wrong.yaml", text.replacen(find, wrong, 1));
        let out = p.run(&["valpack", "lint", "wrong.yaml"]);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert!(out.code == 1 && said.contains(code), "{said}");
    }
    assert_eq!(p.json(&["valpack", "list"])["data"].as_array().unwrap().len(), 8);
}
