//! A second climb changes nothing, and a rule that would go on changing its result is refused.

use super::example::{changes, climb, contract, example, fed, findings, printed};
use serde_json::json;

#[test]
fn a_second_climb_changes_nothing() {
    let p = example();
    let args = ["ladder", "climb", "--contract", "order.contract.yaml"];
    let (payload, _) = printed(&p.ok(&[&args[..], &["--proposals", "proposals.json", "answer.txt"]].concat()));
    let (again, report) = printed(&fed(&p, &[&args[..], &["-"]].concat(), payload.to_string()));
    assert_eq!((again, changes(&report), findings(&report)), (payload, vec![], vec![]));
}

#[test]
fn a_rule_that_would_change_its_own_result() {
    let half = "{ id: per_piece, at: /price, apply: { set: { '/': [{ var: value }, 2] } }, when: { '==': [{ var: unit }, pair] } }";
    let p = contract("{}", &format!("transforms:\n  - {half}"));
    let (out, _, report) = climb(&p, r#"{"price": 8, "unit": "pair"}"#);
    assert_eq!(findings(&report), ["L0e D1752 /price!"]);
    assert!(out.stderr.contains("`per_piece` would change its own result again"), "{}", out.stderr);
    // Its condition does not hold of the result: it is done.
    let p =
        contract("{}", &format!("transforms:\n  - {half}\n  - {{ id: piece, at: /unit, apply: {{ set: piece }} }}"));
    let (_, payload, _) = climb(&p, r#"{"price": 8, "unit": "pair"}"#);
    assert_eq!(payload, json!({ "price": 4, "unit": "piece" }));
}

/// Two rules that undo each other.
#[test]
fn two_rules_that_disagree() {
    let p = contract(
        "{}",
        "transforms:\n  - { id: up, at: /a, apply: { set: { if: [{ '==': [{ var: value }, x] }, y, x] } } }",
    );
    let (_, _, report) = climb(&p, r#"{"a": "x"}"#);
    assert_eq!(findings(&report), ["L0e D1752 /a!"]);
}

/// A rung below conformance never makes a valid payload invalid.
#[test]
fn a_rule_that_would_break_a_valid_payload() {
    let p =
        contract("{ properties: { n: { type: integer } } }", "transforms: [{ id: t, at: /n, apply: { set: many } }]");
    let (out, payload, report) = climb(&p, r#"{"n": 1}"#);
    assert_eq!((out.code, payload, findings(&report)), (0, json!({ "n": 1 }), vec!["L0e D1751 ".to_owned()]));
    assert_eq!(report["suggestions"][0]["rule"], "t");
}

/// A fault that a later rung uncovers is corrected too, and no sound rule is blamed for it.
#[test]
fn what_a_later_rung_lays_open() {
    let schema =
        "{ properties: { child: { type: object, additionalProperties: false, properties: { quantity: {} } } } }";
    let p = contract(schema, "synonyms: [{ at: /child, from: [qty], to: quantity }]");
    let (out, payload, _) = climb(&p, r#"{"child": "{\"qty\": 2}"}"#);
    assert_eq!((out.code, payload), (0, json!({ "child": { "quantity": 2 } })), "{}", out.stderr);
}

/// A name that begins with a letter whose capital is two.
#[test]
fn capitals_that_are_two_letters() {
    let p = contract("{}", "transforms: [{ id: names, at: /name, apply: title_case }]");
    let (out, _, report) = climb(&p, r#"{"name": "ßeta"}"#);
    assert_eq!(findings(&report), Vec::<String>::new(), "{}", out.stderr);
}
