//! `deed plan compile`: contracts with their hashes, and what becomes of those that were altered.

use super::example::{changed, example};
use crate::common::Project;
use serde_json::Value;

fn compiled(p: &Project) -> Value {
    serde_json::from_str(&p.ok(&["plan", "compile", "plan.yaml"]).stdout).unwrap()
}

#[test]
fn contracts_on_stdout() {
    let p = example();
    let plan = compiled(&p);
    assert_eq!(plan, p.json(&["plan", "compile", "plan.yaml"])["data"]);
    let steps: Vec<&str> =
        plan["steps"].as_array().unwrap().iter().map(|step| step["step_id"].as_str().unwrap()).collect();
    assert_eq!(
        steps,
        [
            "adapt:input/invoices.csv:csv_to_json_rows.v1",
            "adapt:input/time.csv:csv_to_json_rows.v1",
            "compare",
            "report"
        ]
    );
    for step in plan["steps"].as_array().unwrap() {
        for part in [
            "io_contract",
            "bindings",
            "artifact_contracts",
            "execution_contract",
            "validators",
            "repair_policy",
            "worst_case",
            "spec_hash",
        ] {
            assert!(step.get(part).is_some(), "{part}");
        }
    }
    assert_eq!(plan["steps"][2]["bindings"][0]["rank"], "by_adapter");
    assert_eq!(plan["steps"][3]["repair_policy"]["boundaries"].as_object().unwrap().len(), 9);
}

#[test]
fn contracts_in_a_file() {
    let p = example();
    let whole = p.ok(&["plan", "compile", "plan.yaml"]).stdout;
    let out = p.ok(&["plan", "compile", "plan.yaml", "--out", "made/plan.json"]);
    assert_eq!(std::fs::read_to_string(p.path("made/plan.json")).unwrap(), whole);
    let plan: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(out.stdout.lines().next().unwrap(), format!("{} audit", plan["plan_hash"].as_str().unwrap()));
    assert_eq!(out.stdout.lines().count(), 5);
    // It may be written again: what is compiled can be compiled again.
    let answer = p.json(&["plan", "compile", "plan.yaml", "--out", "made/plan.json"]);
    assert_eq!(answer["data"]["steps"]["report"], plan["steps"][3]["spec_hash"]);
    assert_eq!(answer["data"]["written"], "made/plan.json");
    p.refuses(&["plan", "compile", "plan.yaml", "--out", "made"], 3, "D0002", "cannot write it");
}

#[test]
fn a_plan_that_is_refused_leaves_no_file() {
    let p = example();
    changed(&p, "bad.yaml", &[("depends_on: [compare]", "depends_on: [nobody]")]);
    p.refuses(&["plan", "compile", "bad.yaml", "--out", "out.json"], 1, "D1905", "`nobody`");
    assert!(!p.path("out.json").exists());
    p.write("out.json", "before");
    p.refuses(&["plan", "compile", "bad.yaml", "--out", "out.json"], 1, "D1905", "`nobody`");
    assert_eq!(std::fs::read_to_string(p.path("out.json")).unwrap(), "before");
}

/// The order of steps in the file means nothing, and words of one step leave the others alone.
#[test]
fn what_hashes_cover() {
    let p = example();
    let first = compiled(&p);
    let text = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    let (head, steps) = text.split_once("steps:\n").unwrap();
    let (one, two) = steps.split_once("\n  - id: report").unwrap();
    p.write("turned.yaml", format!("{head}steps:\n  - id: report{two}\n{one}\n"));
    assert_eq!(p.json(&["plan", "check", "turned.yaml"])["data"]["plan_hash"], first["plan_hash"]);
    changed(&p, "words.yaml", &[("label: Compare hours", "label: Compare all hours")]);
    let other = p.json(&["plan", "compile", "words.yaml"])["data"].clone();
    let hash = |plan: &Value, step: usize| plan["steps"][step]["spec_hash"].clone();
    assert_ne!(other["plan_hash"], first["plan_hash"]);
    assert_ne!(hash(&other, 2), hash(&first, 2));
    for step in [0, 1, 3] {
        assert_eq!(hash(&other, step), hash(&first, step));
    }
}

#[test]
fn a_compiled_plan_given_back() {
    let p = example();
    p.ok(&["plan", "compile", "plan.yaml", "--out", "c.json"]);
    for args in [&["plan", "check"][..], &["plan", "compile"], &["plan", "graph"]] {
        let file = |name| p.ok(&[args, &[name]].concat()).stdout;
        assert_eq!(file("c.json"), file("plan.yaml"));
    }
    assert_eq!(
        p.ok(&["plan", "explain", "c.json", "compare"]).stdout,
        p.ok(&["plan", "explain", "plan.yaml", "compare"]).stdout
    );
}

/// Whatever is changed in a compiled plan, it is refused, by every command.
#[test]
fn a_compiled_plan_that_was_altered() {
    let p = example();
    let plan = compiled(&p);
    let other_hash = format!("sha256:{}", "0".repeat(64));
    let alterations: [(&str, Value, &str); 10] = [
        ("/steps/2/label", "Something else".into(), "step `compare`"),
        ("/steps/3/worst_case/model_tokens", 1.into(), "step `report`"),
        ("/steps/0/execution_contract/adapter_id", "tsv_to_json_rows.v1".into(), "step `adapt:input/invoices.csv"),
        ("/steps/2/io_contract/read_paths/0", "input/other.csv".into(), "step `compare`"),
        ("/steps/2/spec_hash", other_hash.as_str().into(), "step `compare`"),
        ("/plan", "other".into(), "the plan is not the one that was hashed"),
        ("/mission/objective", "other".into(), "the plan is not the one that was hashed"),
        ("/catalog_hash", other_hash.as_str().into(), "the plan is not the one that was hashed"),
        ("/worst_case/tool_calls", 0.into(), "the plan is not the one that was hashed"),
        ("/plan_hash", other_hash.as_str().into(), "the plan is not the one that was hashed"),
    ];
    for (at, value, says) in alterations {
        let mut altered = plan.clone();
        *altered.pointer_mut(at).unwrap() = value;
        p.write("t.json", altered.to_string());
        p.refuses(&["plan", "check", "t.json"], 1, "D1969", says);
    }
    for args in [
        &["plan", "compile", "t.json"][..],
        &["plan", "explain", "t.json", "report"],
        &["plan", "graph", "t.json"],
        &["plan", "diff", "t.json", "plan.yaml"],
        &["plan", "diff", "plan.yaml", "t.json"],
    ] {
        p.refuses(args, 1, "D1969", "t.json");
    }
    let mut steps = plan.clone();
    steps["steps"].as_array_mut().unwrap().remove(0);
    p.write("t.json", steps.to_string());
    p.refuses(&["plan", "check", "t.json"], 1, "D1969", "the plan is not the one that was hashed");
    let mut more = plan;
    more["extra"] = 1.into();
    p.write("t.json", more.to_string());
    p.refuses(&["plan", "check", "t.json"], 1, "D1969", "unknown field `extra`");
}
