//! Keywords that were meant to have an effect, and have none.

use deed_schema::{IdleProblem, idle_keywords};
use serde_json::{Value, json};

#[track_caller]
fn check(schema: Value, expected: &[(&str, &str)]) {
    let found = idle_keywords(&schema);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|idle| match &idle.problem {
            IdleProblem::Misspelt { near, .. } => (idle.pointer.as_str(), *near),
            IdleProblem::StatesNothing => (idle.pointer.as_str(), ""),
        })
        .collect();
    assert_eq!(found, expected, "{schema}");
}

#[test]
fn misspelt_keywords_are_found_at_any_depth() {
    check(json!({ "type": "object", "propertys": {} }), &[("/propertys", "properties")]);
    check(
        json!({ "properties": { "a": { "items": { "anyOf": [{ "minimun": 1 }] } } } }),
        &[("/properties/a/items/anyOf/0/minimun", "minimum")],
    );
    check(json!({ "$defs": { "b": { "Type": "string" } }, "$ref": "#/$defs/b" }), &[("/$defs/b/Type", "type")]);
}

#[test]
fn a_schema_without_a_known_keyword_states_nothing() {
    check(json!({ "operation": "CreatePayment" }), &[("", "")]);
    check(json!({ "title": "a payment" }), &[("", "")]);
    check(json!({ "requierd": ["a"] }), &[("", ""), ("/requierd", "required")]);
}

#[test]
fn what_is_meant_is_not_reported() {
    check(json!(true), &[]);
    check(json!({}), &[]);
    check(json!({ "type": "object", "x-requierd": 1, "vendor": 1 }), &[]);
    check(json!({ "properties": { "propertys": { "const": { "requierd": 1 } } } }), &[]);
    check(json!({ "enum": [{ "minimun": 1 }], "default": { "typ": 1 } }), &[]);
}
