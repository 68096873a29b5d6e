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

/// A schema that states nothing accepts everything, which its author has to learn.
#[test]
fn keywords_without_effect_are_warned_of() {
    let p = contract("{ propertys: { a: { type: integer } }, requierd: [a] }", "");
    let out = p.ok(&["ladder", "check", "c.yaml", "--lines"]);
    for says in ["warning[D1756] unknown schema keyword `propertys`", "did you mean `required`?", "warning[D1757]"] {
        assert!(out.stderr.contains(says), "{says}: {}", out.stderr);
    }
    p.write("a.json", "{}");
    let climbed = p.ok(&["ladder", "climb", "--contract", "c.yaml", "a.json", "--lines"]);
    assert!(climbed.stderr.contains("warning[D1757]"), "{}", climbed.stderr);
}

const PAYMENTS: &str = r##"
openapi: 3.0.3
info: { title: Payments, version: 1.0.0 }
paths:
  /payments:
    post:
      operationId: CreatePayment
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Payment" } } }
      responses: { 200: { description: done } }
components:
  schemas:
    Payment:
      type: object
      required: [amount]
      properties: { amount: { $ref: "#/components/schemas/Amount" }, note: { type: string, nullable: true } }
    Amount: { type: integer }
"##;

#[test]
fn the_schema_of_an_operation_is_read_beside_the_contract() {
    let schema = |part: &str| format!("{{ openapi: payments.yaml, operation: CreatePayment{part} }}");
    let p = contract(&schema(", part: body"), "modes: { L2: 'off' }");
    p.write("payments.yaml", PAYMENTS);
    let checked = p.ok(&["ladder", "check", "c.yaml"]);
    assert_eq!(checked.stderr, "");
    // What it says counts, and where the file stands does not depend on the folder of the command.
    let climb = |payload: &str| {
        p.write("a.json", payload);
        p.run(&["ladder", "climb", "--contract", &p.path("c.yaml").display().to_string(), "a.json", "--payload"])
    };
    let accepted = climb(r#"{"amount": 1250, "note": null}"#);
    assert_eq!((accepted.code, accepted.stdout.as_str()), (0, "{\n  \"amount\": 1250,\n  \"note\": null\n}\n"));
    let rejected = climb(r#"{"amount": "a lot"}"#);
    assert_eq!((rejected.code, rejected.stdout.as_str()), (1, ""), "{}", rejected.stderr);
    // The hash covers what the description says.
    p.write("payments.yaml", PAYMENTS.replace("Amount: { type: integer }", "Amount: { type: number }"));
    assert_ne!(p.ok(&["ladder", "check", "c.yaml"]).stdout.lines().next(), checked.stdout.lines().next());
    let whole = p.path("whole.yaml");
    std::fs::write(whole, format!("contract: test\nschema: {}\n", schema(""))).unwrap();
    p.write("a.json", r#"{"body": {"amount": 1}}"#);
    p.ok(&["ladder", "climb", "--contract", "whole.yaml", "a.json"]);
}

#[test]
fn a_schema_that_names_no_operation_is_refused() {
    for (schema, code, says) in [
        ("{ openapi: payments.yaml, operation: CreatePaymnt }", "D1632", "did you mean `CreatePayment`?"),
        ("{ openapi: payments.yaml }", "D1753", "one of its operations"),
        ("{ openapi: payments.yaml, operation: CreatePayment, prat: body }", "D1753", "did you mean `part`?"),
        ("{ openapi: payments.yaml, operation: CreatePayment, part: head }", "D1753", "it is `body` or `request`"),
        ("{ openapi: 3.0.0, paths: {} }", "D1753", "a whole API description"),
        ("{ openapi: nosuch.yaml, operation: a }", "D0001", "nosuch.yaml"),
    ] {
        let p = contract(schema, "");
        p.write("payments.yaml", PAYMENTS);
        let out = p.run(&["ladder", "check", "c.yaml"]);
        let told = out.stderr.contains(&format!("[{code}]")) && out.stderr.contains(says);
        assert!(out.code != 0 && told, "{schema}: {}", out.stderr);
    }
}
