//! Rules at the shell: one by one and in bulk, in both modes.

use crate::common::Project;
use serde_json::{Value, json};

const RULE: &str = r#"{"and": [{"==": [{"var": "role"}, "agent"]}, {">": [{"var": "amount"}, 3000]}]}"#;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn one_rule() {
    let p = Project::bare();
    assert_eq!(p.ok(&["logic", "eval", RULE, r#"{"role": "agent", "amount": 4200}"#]).stdout, "true\n");
    p.write("rule.yaml", "'>': [{ var: amount }, 3000]\n");
    p.write("data.json", r#"{"amount": 4200}"#);
    assert_eq!(p.ok(&["logic", "eval", "rule.yaml", "data.json"]).stdout, "true\n");
    assert_eq!(p.ok(&["logic", "eval", r#"{"+": [1, 2]}"#, "null"]).stdout, "3\n");
    p.refuses(&["logic", "eval", RULE, r#"{"role": "agent", "amount": "4200"}"#], 1, "D1402", "<rule>:1:");
    p.refuses(&["logic", "eval", RULE, r#"{"role": "agent"}"#], 1, "D1402", "no `amount`");
    p.refuses(&["logic", "eval", r#"{"frob": [1]}"#, "{}"], 1, "D1401", "`frob`");
    p.refuses(&["logic", "eval", r#"{"+": [9007199254740991, 1]}"#, "{}"], 1, "D1402", "2^53");
    p.refuses(&["logic", "eval", RULE], 2, "D1406", "DATA");
    assert_eq!(p.ok(&["logic", "eval", r#"{"==": [null, false]}"#, "{}", "--mode", "compat"]).stdout, "false\n");
    assert_eq!(p.ok(&["logic", "eval", r#"{"==": [1, "1"]}"#, "{}", "--mode", "compat"]).stdout, "true\n");
}

#[test]
fn an_explanation_shows_every_part() {
    let p = Project::bare();
    let told = p.ok(&["logic", "explain", RULE, r#"{"role": "clerk", "amount": 1}"#]).stdout;
    assert!(told.contains("clerk") && told.contains("not evaluated"), "{told}");
    let failed = p.json(&["logic", "explain", RULE, r#"{"role": "agent"}"#]);
    assert_eq!((&failed["ok"], &failed["diagnostics"][0]["code"]), (&json!(false), &json!("D1402")));
}

#[test]
fn a_check_needs_no_data() {
    let p = Project::bare();
    assert!(p.ok(&["logic", "check", RULE]).stdout.contains("depth 3"));
    let out = p.refuses(&["logic", "check", RULE, r#"{"role": "agent", "amout": 1}"#], 1, "D1404", "no `amount`");
    assert!(out.stderr.contains("did you mean `amout`?"));
    p.write("schema.json", r#"{"type": "object", "properties": {"role": {"type": "string"}, "amount": {"type": "string"}}, "required": ["role", "amount"]}"#);
    p.refuses(&["logic", "check", RULE, "--schema", "schema.json"], 1, "D1404", "string and a number");
}

#[test]
fn bulk_answers_line_by_line() {
    let p = Project::bare();
    p.write("data.jsonl", "{\"role\": \"agent\", \"amount\": 4200}\n\n{\"role\": \"agent\"}\nnot json\n{\"role\": \"x\", \"amount\": 1}\n");
    let out = p.run(&["logic", "eval", RULE, "data.jsonl"]);
    let answers = lines(&out.stdout);
    assert_eq!(out.code, 1);
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["value"], &answers[3]["value"]), (&json!(true), &json!(false)));
    assert_eq!((&answers[1]["error"]["code"], &answers[2]["error"]["code"]), (&json!("D1402"), &json!("D1403")));
    p.write("cases.jsonl", "{\"rule\": {\"var\": \"a\"}, \"data\": {\"a\": [1]}}\n{\"rule\": {\"nope\": 1}}\n");
    let answers = lines(&p.run(&["logic", "eval", "--cases", "cases.jsonl", "--mode", "compat"]).stdout);
    assert_eq!((&answers[0]["value"], &answers[1]["error"]["code"]), (&json!([1]), &json!("D1401")));
    let explained = lines(&p.run(&["logic", "explain", RULE, "data.jsonl"]).stdout);
    assert_eq!(explained.len(), 4);
    assert!(explained[0]["explanation"].is_object());
    let checked = lines(&p.run(&["logic", "check", RULE, "data.jsonl"]).stdout);
    assert_eq!(checked[0]["findings"], json!([]));
    assert_eq!(checked[1]["findings"][0]["code"], "D1404");
}
