//! `deed ladder check`: how strictly a contract runs in each phase.

use super::example::{contract, example, fed};
use serde_json::json;

#[test]
fn the_example() {
    let p = example();
    let out = p.ok(&["ladder", "check", "order.contract.yaml"]);
    let lines: Vec<&str> = out.stdout.lines().map(str::trim_end).collect();
    assert!(lines[0].starts_with("orders.order sha256:"), "{}", out.stdout);
    assert_eq!(
        &lines[1..],
        [
            "                   L3     L0     L0b    L0c    L0d    L0e    L1     L2     L4     L5     L6",
            "ingestion          block  block  block  block  block  block  block  block  block  report off",
            "planner_candidate  block  block  block  block  block  block  block  block  block  block  block",
            "compiled_plan      block  block  block  block  block  block  block  block  block  block  block",
            "step_input         block  block  block  block  block  block  block  block  block  block  block",
            "step_output        block  block  block  block  block  block  block  block  block  block  block",
            "final_output       block  block  block  block  block  block  off    report block  block  off",
        ]
    );
}

#[test]
fn as_json() {
    let p = example();
    let document = p.json(&["ladder", "check", "order.contract.yaml"]);
    let data = &document["data"];
    assert_eq!((&document["ok"], &data["contract"]), (&json!(true), &json!("orders.order")));
    assert_eq!(data["phases"].as_object().unwrap().len(), 6);
    assert_eq!(
        (&data["phases"]["ingestion"]["L5"], &data["phases"]["step_input"]["L5"]),
        (&json!("report"), &json!("block"))
    );
}

/// JSON and YAML of one contract are one contract.
#[test]
fn in_json_and_from_standard_input() {
    let p = contract("{ type: object }", "modes: { L1: 'off' }");
    let yaml = p.ok(&["ladder", "check", "c.yaml"]).stdout;
    let json = r#"{"contract": "test", "schema": {"type": "object"}, "modes": {"L1": "off"}}"#;
    p.write("c.json", json);
    assert_eq!(p.ok(&["ladder", "check", "c.json"]).stdout, yaml);
    assert_eq!(fed(&p, &["ladder", "check", "-"], json).stdout, yaml);
}

/// The hash is that of the contract in canonical form, and a record carries it.
#[test]
fn the_hash_is_in_the_record() {
    let p = example();
    let hash = p.json(&["ladder", "check", "order.contract.yaml"])["data"]["hash"].clone();
    let climbed = p.json(&["ladder", "climb", "--contract", "order.contract.yaml", "answer.txt"]);
    assert_eq!(climbed["data"]["report"]["contract_hash"], hash);
    p.edit_in_place("order.contract.yaml", &[("most_changes: 24", "most_changes: 25")]);
    assert_ne!(p.json(&["ladder", "check", "order.contract.yaml"])["data"]["hash"], hash);
}

/// A rule for a place that the schema has no room for is a warning, and does not stop a climb.
#[test]
fn rules_that_touch_nothing() {
    let schema = "{ type: object, properties: { quantity: { type: integer } }, additionalProperties: false }";
    let p = contract(schema, "synonyms: [{ from: [qty], to: quantitiy }]");
    let out = p.ok(&["ladder", "check", "c.yaml", "--lines"]);
    let told = "warning[D1755] the schema has no room for `quantitiy` in the outermost object (help: did you mean `quantity`?)";
    assert!(out.stderr.contains(told), "{}", out.stderr);
    assert!(out.stderr.contains("c.yaml:"), "{}", out.stderr);
    let document = p.json(&["ladder", "check", "c.yaml"]);
    assert_eq!((&document["ok"], &document["diagnostics"][0]["code"]), (&json!(true), &json!("D1755")), "{document}");
    assert!(p.ok(&["explain", "D1755"]).stdout.starts_with("# D1755: "));
}

#[test]
fn confidence_beyond_the_scale() {
    let p = contract("{ type: object }", "patch: { least_confidence: 1001 }");
    let out = p.run(&["ladder", "check", "c.yaml", "--lines"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stderr.contains("error[D1753] `least_confidence` is in thousandths, at most 1000"), "{}", out.stderr);
}
