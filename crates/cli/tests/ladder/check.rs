//! `deed ladder check`: how strictly a contract runs in each phase.

use crate::example::{contract, example, fed};
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
