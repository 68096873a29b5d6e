//! Rules, evaluated one by one and line by line.

use crate::project::{Project, codes};
use deed_app::lines::Lines;
use deed_app::rules::{Rule, document, line_case, line_data, line_value, schema_type};
use deed_logic::Mode;
use serde_json::json;

#[test]
fn a_rule_is_evaluated_explained_and_checked() {
    let rule = Rule::load(r#"{">": [{"var": "amount"}, 1000]}"#, Mode::Strict).unwrap();
    let (value, text) = rule.evaluate(&json!({ "amount": 1200 })).unwrap();
    assert_eq!((value, text.as_str()), (json!(true), "true"));
    assert_eq!(codes(rule.evaluate(&json!({ "amount": "many" }))), ["D1402"]);
    let (_, report) = rule.explain(&json!({ "amount": "many" }));
    assert!(report.has_errors());
    let p = Project::new();
    let schema = p.write("s.json", r#"{"type": "object", "properties": {"amount": {"type": "string"}}}"#);
    assert!(rule.check(&schema_type(&schema).unwrap()).has_errors());
}

#[test]
fn every_fault_of_a_rule_is_reported() {
    let rule = Rule::load(r#"{"and": [{"nope": []}, {"nor": []}]}"#, Mode::Strict);
    assert_eq!(codes(rule), ["D1401", "D1401"]);
}

#[test]
fn data_is_given_inline_or_in_a_file() {
    let p = Project::new();
    let file = p.write("data.json", r#"{"a": 1}"#);
    assert_eq!(
        document(r#"{"a": 1}"#, "<data>").unwrap().value(),
        document(file.to_str().unwrap(), "<data>").unwrap().value()
    );
    assert_eq!(document("17", "<data>").unwrap().value(), &json!(17));
}

#[test]
fn a_line_that_fails_has_a_code() {
    let p = Project::new();
    let path = p.write(
        "cases.jsonl",
        "{\"rule\": {\"+\": [1, {\"var\": \"n\"}]}, \"data\": {\"n\": 2}}\nnot json\n{\"data\": 1}\n{\"rule\": {\"nope\": []}}\n",
    );
    let mut lines = Lines::open(&path).unwrap();
    let mut answers = Vec::new();
    while let Some(line) = lines.read_next().unwrap() {
        let answer = line_case(&line, Mode::Strict).and_then(|(rule, data)| line_value(&rule, &data));
        answers.push(answer.map_err(|error| error.code.to_string()));
    }
    let failed = |code: &str| Err(code.to_owned());
    assert_eq!(answers, [Ok(json!(3)), failed("D1403"), failed("D1403"), failed("D1401")]);
}

#[test]
fn a_line_that_is_too_long_is_skipped_whole() {
    let p = Project::new();
    let long = "x".repeat(deed_diag::MAX_DOCUMENT_BYTES as usize + 10);
    let path = p.write("data.jsonl", format!("{long}\n17\n"));
    let mut lines = Lines::open(&path).unwrap();
    let first = lines.read_next().unwrap().map(|line| line_data(&line).map_err(|error| error.message));
    assert_eq!(first, Some(Err("the line is too long".to_owned())));
    let second = lines.read_next().unwrap().map(|line| line_data(&line).map_err(|error| error.message));
    assert_eq!(second, Some(Ok(json!(17))));
    assert_eq!(lines.read_next().unwrap(), None);
}
