//! Every finding has its code, its place, and a page that explains it.

use super::example::{climb, climb_order, contract, example, findings, order, order_with};
use serde_json::{Value, json};

const SCHEMA: &str = "{ type: object, additionalProperties: false, properties: { start_date: { type: string }, \
     end_date: { type: string }, amount: { type: number, maximum: 9 }, code: { type: string, minLength: 2, pattern: '^a' }, \
     kind: { enum: [x, y] }, one: { oneOf: [{ type: object, required: [a] }, { type: array }] }, odd: { not: { const: 1 } }, \
     day: { type: string, format: date } } }";

/// The findings of a payload under the schema above and some rules.
#[track_caller]
fn check(rest: &str, payload: Value, expected: &[&str]) -> String {
    let p = contract(SCHEMA, rest);
    let (out, _, report) = climb(&p, &payload.to_string());
    assert_eq!(findings(&report), expected, "{payload}\n{}", out.stderr);
    for finding in expected {
        let code = finding.split(' ').nth(1).unwrap();
        assert!(out.stderr.contains(&format!("[{code}]")), "{}", out.stderr);
        assert!(p.ok(&["explain", code]).stdout.starts_with(&format!("# {code}: ")));
    }
    out.stderr
}

#[test]
fn of_the_schema() {
    check("", json!({ "zzz": 1 }), &["L4 D1731 /zzz!"]);
    check("", json!({ "amount": true }), &["L4 D1732 /amount!"]);
    check("", json!({ "kind": "z" }), &["L4 D1733 /kind!"]);
    check("", json!({ "amount": 10 }), &["L4 D1734 /amount!"]);
    check("", json!({ "code": "b" }), &["L4 D1734 /code!", "L4 D1735 /code!"]);
    check("", json!({ "one": 3 }), &["L4 D1736 /one!"]);
    check("", json!({ "odd": 1 }), &["L4 D1737 /odd!"]);
    check("", json!([]), &["L4 D1732 !"]);
    let p = example();
    let mut short = order();
    short.as_object_mut().unwrap().remove("currency");
    let (out, _, report) = climb_order(&p, &[], &short);
    assert_eq!(findings(&report), ["L4 D1730 !"]);
    assert!(out.stderr.contains("needs `currency`"), "{}", out.stderr);
}

#[test]
fn of_synonyms() {
    let rest = "synonyms: [{ from: [begin, start], to: start_date }]";
    let said = check(rest, json!({ "begin": "x", "start_date": "y" }), &["L0b D1710 !", "L4 D1731 /begin!"]);
    assert!(said.contains("`begin` and `start_date` all mean `start_date`"), "{said}");
    check(rest, json!({ "begin": "x", "start": "x" }), &["L0b D1710 !", "L4 D1731 /begin!", "L4 D1731 /start!"]);
}

#[test]
fn of_conditions_and_transforms() {
    let when = "when: { '==': [{ var: nowhere }, 1] }";
    check(&format!("defaults: {{ values: [{{ at: /kind, value: x, {when} }}] }}"), json!({}), &["L0d D1712 !"]);
    let transform = |apply: &str, more: &str| format!("transforms: [{{ id: t, at: /amount, apply: {apply} {more} }}]");
    check(&transform("{ set: 1 }", &format!(", {when}")), json!({ "amount": 2 }), &["L0e D1712 /amount!"]);
    check(&transform("{ set: { '/': [1, 0] } }", ""), json!({ "amount": 2 }), &["L0e D1713 /amount!"]);
    let scale = transform("{ scale: { factor: '1e30' } }", ", when: { '<': [{ var: value }, 9] }");
    let said = check(&scale, json!({ "amount": 1.5 }), &["L0e D1713 /amount!"]);
    assert!(said.contains("1.5 cannot be scaled exactly"), "{said}");
}

/// A date that can be two is left as it is.
#[test]
fn of_dates() {
    let forms =
        |forms: &str| format!("transforms: [{{ id: t, at: /start_date, apply: {{ date: {{ from: [{forms}] }} }} }}]");
    check(&forms("MM/DD/YYYY, DD/MM/YYYY"), json!({ "start_date": "03/04/2026" }), &["L0e D1717 /start_date"]);
    check(&forms("MM/DD/YYYY, DD/MM/YYYY"), json!({ "start_date": "03/03/2026" }), &[]);
    check(&forms("MM/DD/YYYY, DD/MM/YYYY"), json!({ "start_date": "03/14/2026" }), &[]);
    check(&forms("MM/DD/YYYY"), json!({ "start_date": "soon" }), &[]);
    // What the contract's own forms say twice is said once, and the schema refuses it if it matters.
    let day = "transforms: [{ id: t, at: /day, apply: { date: { from: [MM/DD/YYYY, DD/MM/YYYY] } } }]";
    check(day, json!({ "day": "03/04/2026" }), &["L0e D1717 /day", "L4 D1735 /day!"]);
    let both = "transforms: [{ id: t, at: /start_date, apply: { date: { from: [MM/DD/YYYY], to: DD/MM/YYYY } } }]";
    check(both, json!({ "start_date": "03/04/2026" }), &["L0e D1717 /start_date"]);
    check(both, json!({ "start_date": "14/03/2026" }), &[]);
    check("", json!({ "day": "03/04/2026" }), &["L2 D1717 /day", "L4 D1735 /day!"]);
    check("", json!({ "day": "14.03.2026" }), &[]);
    check("", json!({ "day": "soon" }), &["L4 D1735 /day!"]);
}

#[test]
fn of_names() {
    let said = check("vector: {}", json!({ "colour": 1 }), &["L1 D1714 /colour", "L4 D1731 /colour!"]);
    assert!(said.contains("unknown name `colour`, and no missing name is near enough"), "{said}");
    let said = check("vector: { threshold: 200 }", json!({ "date": "x" }), &["L1 D1715 /date", "L4 D1731 /date!"]);
    assert!(said.contains("is as near to `"), "{said}");
    check(
        "vector: {}",
        json!({ "startdate": "x", "start_dt": "y" }),
        &["L1 D1716 ", "L4 D1731 /start_dt!", "L4 D1731 /startdate!"],
    );
    check("vector: {}", json!({ "startDate": true }), &["L1 D1716 /startDate", "L4 D1731 /startDate!"]);
    check("vector: {}", json!({ "startDate": "x" }), &[]);
    // Without the rung a name is only unknown.
    check("", json!({ "startDate": "x" }), &["L4 D1731 /startDate!"]);
}

#[test]
fn of_rules() {
    let rule = |rule: &str| format!("domain: [{{ id: r, message: too little, {rule} }}]");
    let said = check(&rule("rule: { '>': [{ var: amount }, 5] }"), json!({ "amount": 2 }), &["L5 D1740 !"]);
    assert!(said.contains("too little"), "{said}");
    let said = check(&rule("rule: { '>': [{ var: amount }, 5] }"), json!({}), &["L5 D1741 !"]);
    assert!(said.contains("too little (it cannot be judged: the context has no `amount`)"), "{said}");
    check(&rule("rule: false, severity: warning"), json!({}), &["L5 D1740 "]);
    check(&rule("rule: false, when: { '==': [{ var: [amount, 0] }, 1] }"), json!({}), &[]);
    // What its schema refuses is not judged further.
    check(&rule("rule: false"), json!({ "amount": true }), &["L4 D1732 /amount!"]);
    let p = example();
    let lines = json!([{ "sku": "TEA-001", "quantity": 120, "price_cents": 0 }, { "sku": "TEA-002", "quantity": 1, "price_cents": 0 }]);
    let (out, _, report) = climb_order(&p, &[], &order_with(json!({ "lines": lines, "total_cents": 0 })));
    assert_eq!((out.code, findings(&report)), (0, vec!["L5 D1740 /lines/0".to_owned()]), "each item for itself");
}

#[test]
fn of_the_example_across_fields() {
    let p = example();
    for (keys, says) in [
        (json!({ "ship_by": "2026-03-01" }), "it ships before it was ordered"),
        (json!({ "total_cents": 1299 }), "the total is not the sum of the lines"),
        (
            json!({ "priority": "express", "parcel": { "weight": 6, "unit": "kg" } }),
            "express parcels weigh at most 5000 g",
        ),
    ] {
        let (out, _, report) = climb_order(&p, &[], &order_with(keys));
        assert_eq!(findings(&report), ["L5 D1740 !"]);
        assert!(out.stderr.contains(says), "{}", out.stderr);
    }
}

/// An address is expected at its place and stops the payload at any other.
#[test]
fn of_the_guard() {
    let p = example();
    let (_, _, report) =
        climb_order(&p, &[], &order_with(json!({ "customer": { "name": "Ada", "email": "ada@acme-shop.de" } })));
    assert_eq!(report["outcome"], "accepted");
    for (keys, finding) in [
        (
            json!({ "customer": { "name": "ada@acme-shop.de", "email": "ada@acme-shop.de" } }),
            "L3 D1702 /customer/name!",
        ),
        (json!({ "customer": { "name": "4111 1111 1111 1111", "email": "a@b.example" } }), "L3 D1702 /customer/name!"),
        (json!({ "order_id": "INTERNAL-ONLY" }), "L3 D1703 /order_id!"),
        (json!({ "note": "internal only" , "INTERNAL ONLY": 1 }), "L3 D1703 !"),
    ] {
        let (_, payload, report) = climb_order(&p, &[], &order_with(keys));
        assert_eq!((payload, findings(&report)), (Value::Null, vec![finding.to_owned()]));
    }
}
