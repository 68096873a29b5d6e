//! Payloads and contracts that nobody should send: each is refused in words, nothing panics, nothing grows beyond
//! what came in.

use deed_ladder::{Climbed, ContractFault, Input, Ladder, climb};
use deed_model::{LadderOutcome, Phase, Proposals, Rung};
use serde_json::{Map, Value, json};

fn ladder(contract: Value) -> Ladder {
    Ladder::new(serde_json::from_value(contract).unwrap()).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn go(contract: Value, input: Input<'_>) -> Climbed {
    climb(&ladder(contract), input, Phase::Ingestion, &Proposals::default())
}

fn anything() -> Value {
    json!({ "contract": "anything", "schema": {} })
}

/// A text that cannot be read is refused for this reason and nothing else.
#[track_caller]
fn unreadable(text: &str, reason: &str) {
    let Climbed { payload, report } = go(anything(), Input::Text(text));
    assert_eq!((payload, report.outcome), (None, LadderOutcome::Rejected));
    let found: Vec<_> = report.findings.iter().map(|f| (f.rung, f.code.as_str(), f.rule.as_deref())).collect();
    assert_eq!(found, [(Rung::L0, "D1704", Some(reason))]);
    assert!(report.findings[0].message.len() < 300 && report.findings[0].help.is_some());
}

#[test]
fn texts_without_one_reading_are_refused() {
    unreadable("", "empty");
    unreadable("\u{feff}\r\n\t", "empty");
    unreadable("\u{0}\u{1}\u{2}\u{3}", "binary");
    unreadable("%PDF-1.7\n%\u{fffd}\u{fffd}\u{fffd}\nobj", "binary");
    unreadable(r#"{"a": 1, "a": 2}"#, "duplicate_key");
    unreadable(r#"{"a": 9007199254740993}"#, "unsafe_integer");
    unreadable(r#"{"a": 1e400}"#, "number_range");
    unreadable(r#"{"a": -Infinity}"#, "not_a_number");
}

#[test]
fn deep_texts_are_refused_without_a_deep_stack() {
    let deep = 100_000;
    unreadable(&"[".repeat(deep), "too_deep");
    unreadable(&format!("{}1{}", "[".repeat(deep), "]".repeat(deep)), "too_deep");
    unreadable(&format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)), "too_deep");
}

#[test]
fn a_deep_value_is_refused_in_words() {
    let mut value = json!(1);
    for _ in 0..1_000 {
        value = Value::Array(vec![value]);
    }
    let Climbed { report, .. } = go(anything(), Input::Value(&value));
    // Whether it passes or not, it is told; the canonical form has a depth.
    assert!(report.outcome == LadderOutcome::Accepted || report.findings.iter().any(|finding| finding.blocks));
}

#[test]
fn numbers_that_no_two_programs_read_alike_are_refused() {
    for number in [json!(9_007_199_254_740_993_u64), json!(u64::MAX), json!(i64::MIN)] {
        let Climbed { payload, report } = go(anything(), Input::Value(&json!({ "a": [number] })));
        assert_eq!(report.outcome, LadderOutcome::Rejected);
        assert_eq!(report.findings[0].code, "D1705");
        assert!(payload.is_some() && report.changes.is_empty());
    }
    let edge = json!({ "a": 9_007_199_254_740_991_u64, "b": -9_007_199_254_740_991_i64, "c": 1e300, "d": 5e-324 });
    assert_eq!(go(anything(), Input::Value(&edge)).report.outcome, LadderOutcome::Accepted);
}

#[test]
fn thirty_megabytes_are_climbed() {
    let long = format!("{{\"a\": \"{}\"}}", "lorem ipsum ".repeat(30 * 1024 * 1024 / 12));
    let Climbed { payload, report } = go(anything(), Input::Text(&long));
    assert_eq!(report.outcome, LadderOutcome::Accepted);
    assert_eq!(payload.unwrap()["a"].as_str().unwrap().len(), long.len() - 9);
    // The record of a payload that was not touched is small, however large the payload.
    assert!(serde_json::to_string(&report).unwrap().len() < 4_000);
}

#[test]
fn ten_thousand_unknown_keys_are_told_without_flooding() {
    let many: Map<String, Value> = (0..10_000).map(|n| (format!("stranger_{n}"), json!(n))).collect();
    let payload = Value::Object(many);
    let schema = json!({ "type": "object", "properties": { "known": {} }, "additionalProperties": false });
    let closed = json!({ "contract": "closed", "schema": schema });
    let report = go(closed.clone(), Input::Value(&payload)).report;
    assert_eq!(report.outcome, LadderOutcome::Rejected);
    // Each key is told, though of 10,000 strangers nobody reads the last; see the report of bugs.
    assert!(report.findings.len() <= 10_001, "{}", report.findings.len());

    let mut stripped = closed;
    stripped["allowed_keys"] = json!([{ "keys": ["known"] }]);
    let Climbed { payload, report } = go(stripped, Input::Value(&payload));
    assert_eq!((payload, report.outcome), (Some(json!({})), LadderOutcome::Accepted));
    assert_eq!(report.changes.len(), 10_000);
}

#[test]
fn unknown_keys_are_ranked_once_each() {
    let many: Map<String, Value> = (0..500).map(|n| (format!("stranger_{n}"), json!(n))).collect();
    let schema = json!({ "type": "object", "properties": { "known": {}, "other": {} } });
    let contract = json!({ "contract": "open", "schema": schema, "vector": {} });
    let report = go(contract, Input::Value(&Value::Object(many))).report;
    assert_eq!(report.findings.iter().filter(|finding| finding.rung == Rung::L1).count(), 500);
}

fn lines(count: usize, key: &str, value: &Value) -> Value {
    let line = |_| json!({ "sku": "a", key: value });
    json!({ "lines": (0..count).map(line).collect::<Vec<_>>() })
}

fn line_contract(extra: Value) -> Value {
    let item = json!({
        "type": "object",
        "properties": { "sku": { "type": "string" }, "quantity": { "type": "integer" }, "size": { "enum": ["s", "m"] } },
        "required": ["sku"],
        "additionalProperties": false,
    });
    let mut contract = json!({
        "contract": "lines",
        "schema": { "type": "object", "properties": { "lines": { "type": "array", "items": item } } },
    });
    contract.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    contract
}

/// Work grows with the payload: twice the lines, twice the changes, and a report of twice the size.
#[track_caller]
fn linear(count: usize, key: &str, value: &Value, extra: &Value) {
    let climbed = |count: usize| go(line_contract(extra.clone()), Input::Value(&lines(count, key, value)));
    let (one, two) = (climbed(count), climbed(2 * count));
    assert_eq!(one.report.outcome, LadderOutcome::Accepted, "{:?}", one.report.findings.first());
    assert_eq!((one.report.changes.len(), two.report.changes.len()), (count, 2 * count));
    let size = |climbed: &Climbed| serde_json::to_string(&climbed.report).unwrap().len();
    assert!(size(&two) < 2 * size(&one) + 4 * count);
}

#[test]
fn ten_thousand_synonyms_are_renamed() {
    let synonyms = json!({ "synonyms": [{ "at": "/lines/*", "from": ["qty"], "to": "quantity" }] });
    linear(5_000, "qty", &json!(1), &synonyms);
}

#[test]
fn a_hundred_thousand_lines_with_unknown_names_are_renamed() {
    linear(50_000, "qty", &json!(1), &json!({ "vector": {} }));
}

#[test]
fn some_numbers_as_text_are_read() {
    linear(400, "quantity", &json!("3"), &json!({}));
}

#[test]
fn some_enum_values_in_another_case_are_mended() {
    linear(400, "size", &json!("M"), &json!({}));
}

#[test]
fn every_number_as_text_is_read_however_many_there_are() {
    linear(9_000, "quantity", &json!("3"), &json!({}));
}

#[test]
fn every_enum_value_is_mended_however_many_there_are() {
    linear(1_500, "size", &json!("M"), &json!({}));
}

fn faults(contract: Value) -> Vec<ContractFault> {
    Ladder::new(serde_json::from_value(contract).unwrap()).err().unwrap_or_default()
}

/// The contract is refused at these places.
#[track_caller]
fn refused(extra: Value, pointers: &[&str]) {
    let mut contract = json!({ "contract": "bad", "schema": { "type": "object" } });
    contract.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let faults = faults(contract);
    let found: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(found, pointers, "{faults:?}");
    for fault in &faults {
        let Some(first) = fault.message.chars().next() else { panic!("no message at {}", fault.pointer) };
        assert!(!first.is_uppercase() && !fault.message.ends_with('.'), "{}", fault.message);
    }
}

#[test]
fn a_schema_that_is_none_is_refused() {
    refused(json!({ "schema": { "type": "objekt" } }), &["/schema/type"]);
    refused(json!({ "schema": false }), &["/schema"]);
    refused(json!({ "schema": 5 }), &["/schema"]);
    let elsewhere = json!({ "schema": { "$ref": "https://example.com/other.json" } });
    refused(elsewhere, &["/schema/$ref"]);
}

#[test]
fn a_place_that_is_none_is_refused() {
    refused(json!({ "synonyms": [{ "at": "lines", "from": ["a"], "to": "b" }] }), &["/synonyms/0/at"]);
    refused(json!({ "allowed_keys": [{ "keys": [] }, { "at": "x/y", "keys": [] }] }), &["/allowed_keys/1/at"]);
    refused(json!({ "patch": { "allow": ["/ok", "no"], "deny": ["~"] } }), &["/patch/allow/1", "/patch/deny/0"]);
    refused(json!({ "vector": { "vocabulary": [{ "at": "a", "name": "b" }] } }), &["/vector/vocabulary/0/at"]);
    refused(json!({ "domain": [{ "id": "d", "at": "a", "rule": true, "message": "m" }] }), &["/domain/0/at"]);
    refused(json!({ "transforms": [{ "id": "t", "at": "a", "apply": "trim" }] }), &["/transforms/0/at"]);
    refused(json!({ "defaults": { "values": [{ "at": "", "value": 1 }] } }), &["/defaults/values/0/at"]);
    refused(json!({ "defaults": { "values": [{ "at": "/a/*", "value": 1 }] } }), &["/defaults/values/0/at"]);
    refused(json!({ "defaults": { "values": [{ "at": "**", "value": 1 }] } }), &["/defaults/values/0/at"]);
}

#[test]
fn a_place_that_looks_like_another_is_refused() {
    refused(json!({ "synonyms": [{ "at": "/lines/**", "from": ["a"], "to": "b" }] }), &["/synonyms/0/at"]);
    refused(json!({ "synonyms": [{ "at": "/li~nes", "from": ["a"], "to": "b" }] }), &["/synonyms/0/at"]);
    refused(json!({ "transforms": [{ "id": "t", "at": "**", "apply": "trim" }] }), &["/transforms/0/at"]);
}

#[test]
fn a_rule_that_does_not_compile_is_refused() {
    let rule = json!({ "domain": [{ "id": "d", "rule": { "betwixt": [1] }, "message": "m" }] });
    refused(rule, &["/domain/0/rule"]);
    let when = json!({ "defaults": { "values": [{ "at": "/a", "value": 1, "when": { "a": 1, "b": 2 } }] } });
    refused(when, &["/defaults/values/0/when"]);
    let set = json!({ "transforms": [{ "id": "t", "at": "/a", "apply": { "set": { "log": 1 } } }] });
    refused(set, &["/transforms/0/apply/set"]);
    let when = json!({ "transforms": [{ "id": "t", "at": "/a", "apply": "trim", "when": { "if": [true, 1] } }] });
    refused(when, &["/transforms/0/when"]);
}

#[test]
fn what_the_guard_cannot_seek_is_refused() {
    refused(json!({ "guard": { "personal": ["email", "emial"] } }), &["/guard/personal/1"]);
    let pattern = json!({ "guard": { "forbidden": [{ "id": "p", "pattern": "(" }] } });
    refused(pattern, &["/guard/forbidden/0/pattern"]);
    let pattern = json!({ "guard": { "forbidden": [{ "id": "ok", "pattern": "x" }, { "id": "p", "pattern": "a*" }] } });
    refused(pattern, &["/guard/forbidden/1/pattern"]);
    let allow = json!({ "guard": { "personal": ["email"], "allow": [{ "at": "/a", "class": "iban" }] } });
    refused(allow, &["/guard/allow/0/class"]);
    let help = faults(json!({ "contract": "c", "schema": {}, "guard": { "personal": ["credit_crad"] } }));
    assert!(help[0].help.as_deref().is_some_and(|help| help.contains("credit_card")), "{help:?}");
}

#[test]
fn synonyms_that_contradict_each_other_are_refused() {
    let two = json!({ "synonyms": [{ "from": ["a"], "to": "b" }, { "from": ["a"], "to": "c" }] });
    refused(two, &["/synonyms/1"]);
    let own = faults(json!({ "contract": "c", "schema": {}, "synonyms": [{ "from": ["a"], "to": "a" }] }));
    assert!(own.iter().all(|fault| fault.pointer == "/synonyms/0") && !own.is_empty(), "{own:?}");
    let chain = json!({ "synonyms": [{ "from": ["a"], "to": "b" }, { "from": ["b"], "to": "c" }] });
    refused(chain, &["/synonyms/0"]);
    let chain = json!({ "synonyms": [{ "from": ["b"], "to": "c" }, { "from": ["a"], "to": "b" }] });
    refused(chain, &["/synonyms/1"]);
    let circle = json!({ "synonyms": [{ "from": ["a"], "to": "b" }, { "from": ["b"], "to": "a" }] });
    refused(circle, &["/synonyms/0", "/synonyms/1"]);
    let apart = json!({ "synonyms": [{ "from": ["a"], "to": "b" }, { "at": "/x", "from": ["a"], "to": "c" }] });
    refused(apart, &[]);
}

#[test]
fn synonyms_of_places_that_overlap_are_refused() {
    let two = [json!({ "at": "**", "from": ["a"], "to": "b" }), json!({ "at": "/x", "from": ["a"], "to": "c" })];
    refused(json!({ "synonyms": two }), &["/synonyms/1"]);
    let two = [json!({ "at": "/*/x", "from": ["a"], "to": "b" }), json!({ "at": "/y/*", "from": ["a"], "to": "c" })];
    refused(json!({ "synonyms": two }), &["/synonyms/1"]);
    let circle = [json!({ "at": "**", "from": ["a"], "to": "b" }), json!({ "at": "/x", "from": ["b"], "to": "a" })];
    refused(json!({ "synonyms": circle }), &["/synonyms/0", "/synonyms/1"]);
    let apart = [json!({ "at": "/*/x", "from": ["a"], "to": "b" }), json!({ "at": "/y", "from": ["a"], "to": "c" })];
    refused(json!({ "synonyms": apart }), &[]);
    let alike = [json!({ "at": "**", "from": ["a"], "to": "b" }), json!({ "at": "/x", "from": ["a"], "to": "b" })];
    refused(json!({ "synonyms": alike }), &[]);
}

#[test]
fn a_confidence_beyond_the_scale_is_refused() {
    refused(json!({ "patch": { "least_confidence": 1000 } }), &[]);
    refused(json!({ "patch": { "least_confidence": 1001 } }), &["/patch/least_confidence"]);
}

/// The places of a contract whose rules no valid payload can be touched by, with their help.
#[track_caller]
fn odd(schema: Value, rules: Value, expected: &[(&str, &str)]) {
    let mut contract = json!({ "contract": "odd", "schema": schema });
    contract.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
    let ladder = ladder(contract);
    let found: Vec<(&str, &str)> = ladder
        .remarks()
        .iter()
        .map(|remark| (remark.pointer.as_str(), remark.help.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(found, expected);
    assert!(ladder.remarks().iter().all(|remark| remark.code.as_str() == "D1755"));
}

fn orders() -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": { "type": "string" },
            "customer": { "$ref": "#/$defs/party" },
            "lines": { "type": "array", "items": { "anyOf": [{ "$ref": "#/$defs/line" }, { "$ref": "#/$defs/party" }] } },
            "more": { "type": "object", "properties": { "a": true } },
            "other": { "type": "object", "patternProperties": { "^x": true }, "additionalProperties": false },
        },
        "additionalProperties": false,
        "$defs": {
            "party": { "type": "object", "properties": { "name": { "type": "string" } }, "additionalProperties": false },
            "line": { "type": "object", "properties": { "quantity": { "type": "integer" } }, "additionalProperties": false },
        },
    })
}

#[test]
fn rules_for_places_that_cannot_be_are_told() {
    let rules = json!({
        "synonyms": [
            { "from": ["state"], "to": "statsu" },
            { "at": "/lines/*", "from": ["qty"], "to": "quantitiy" },
            { "at": "/status", "from": ["a"], "to": "b" },
        ],
        "defaults": { "values": [{ "at": "/customer/nmae", "value": "x" }] },
        "transforms": [{ "id": "t", "at": "/customr/name", "apply": "trim" }],
        "allowed_keys": [{ "at": "/lnes/*", "keys": [] }, { "at": "/status/*", "keys": [] }],
    });
    let expected = [
        ("/synonyms/0/to", "did you mean `status`?"),
        ("/synonyms/1/to", "did you mean `quantity`?"),
        ("/synonyms/2/to", ""),
        ("/defaults/values/0/at", "did you mean `name`?"),
        ("/transforms/0/at", "did you mean `customer`?"),
        ("/allowed_keys/0/at", "did you mean `lines`?"),
        ("/allowed_keys/1/at", ""),
    ];
    odd(orders(), rules, &expected);
}

#[test]
fn rules_for_places_that_may_be_are_not() {
    let rules = json!({
        "synonyms": [
            { "from": ["client"], "to": "customer" },
            { "at": "/client", "from": ["nom"], "to": "name" },
            { "at": "/lines/*", "from": ["n"], "to": "name" },
            { "at": "/more", "from": ["n"], "to": "anything" },
            { "at": "/other", "from": ["n"], "to": "x1" },
            { "at": "**", "from": ["n1"], "to": "whatever" },
        ],
        "transforms": [{ "id": "t", "at": "/*/name", "apply": "trim" }, { "id": "u", "at": "/lines/0/name", "apply": "trim" }],
        "allowed_keys": [{ "keys": ["status", "unknown"] }, { "at": "/more/deep/er", "keys": [] }],
    });
    odd(orders(), rules.clone(), &[]);
    for open in
        [json!({}), json!(true), json!({ "$ref": "#/$defs/x", "$defs": { "x": {} }, "additionalProperties": false })]
    {
        odd(open, rules.clone(), &[]);
    }
}

#[test]
fn as_many_faults_as_are_listed_are_not_more() {
    let schema = json!({ "contract": "c", "schema": { "items": { "type": "integer" } } });
    for (faults, listed, told) in [(999, 999, false), (1000, 1000, false), (1001, 1001, true), (5000, 1001, true)] {
        let found = go(schema.clone(), Input::Value(&json!(vec!["x"; faults]))).report.findings;
        assert_eq!(found.len(), listed);
        assert_eq!(found.iter().any(|finding| finding.message.contains("more than 1000")), told, "{faults}");
    }
}

#[test]
fn ten_thousand_synonyms_are_read_in_no_time() {
    let many: Vec<Value> =
        (0..10_000).map(|n| json!({ "from": [format!("old{n}")], "to": format!("new{n}") })).collect();
    refused(json!({ "synonyms": many }), &[]);
}

#[test]
fn transforms_that_could_not_be_undone_by_their_own_words_are_refused() {
    let scale = |scale: Value| json!({ "transforms": [{ "id": "t", "at": "/a", "apply": { "scale": scale } }] });
    refused(scale(json!({ "factor": "10" })), &["/transforms/0/apply"]);
    refused(scale(json!({ "factor": "10", "unit_key": "u" })), &["/transforms/0/apply"]);
    refused(scale(json!({ "factor": "10", "unit_key": "u", "from": "m" })), &["/transforms/0/apply"]);
    refused(scale(json!({ "factor": "ten", "unit_key": "u", "from": "m", "to": "cm" })), &["/transforms/0/apply"]);
    refused(scale(json!({ "factor": "", "unit_key": "u", "from": "m", "to": "cm" })), &["/transforms/0/apply"]);
    let date = |date: Value| json!({ "transforms": [{ "id": "t", "at": "/a", "apply": { "date": date } }] });
    refused(date(json!({ "from": ["MM/DD"] })), &["/transforms/0/apply"]);
    refused(date(json!({ "from": ["DD/MM/YY", "DD.MM.YYYY"] })), &["/transforms/0/apply"]);
    refused(date(json!({ "from": ["DD.MM.YYYY"], "to": "DD Mon YYYY" })), &["/transforms/0/apply"]);
    refused(json!({ "vector": { "threshold": 1001, "margin": 9999 } }), &["/vector/threshold", "/vector/margin"]);
}

#[test]
fn all_faults_are_told_at_once() {
    let contract = json!({
        "contract": "bad",
        "schema": { "type": "objekt" },
        "guard": { "personal": ["faces"], "forbidden": [{ "id": "p", "pattern": "(" }], "allow": [{ "at": "x", "class": "iban" }] },
        "synonyms": [{ "at": "x", "from": ["a"], "to": "a" }],
        "defaults": { "values": [{ "at": "/a/*", "value": 1, "when": { "nope": 1 } }] },
        "transforms": [{ "id": "t", "at": "b", "apply": { "scale": { "factor": "1" } } }],
        "vector": { "threshold": 2000 },
        "patch": { "allow": ["c"] },
        "allowed_keys": [{ "at": "d", "keys": [] }],
        "domain": [{ "id": "d", "at": "e", "rule": { "nope": 1 }, "message": "m" }],
    });
    let mut found: Vec<String> = faults(contract).into_iter().map(|fault| fault.pointer).collect();
    found.dedup();
    let expected = [
        "/schema/type",
        "/guard/personal/0",
        "/guard/forbidden/0/pattern",
        "/guard/allow/0/class",
        "/guard/allow/0/at",
        "/synonyms/0/at",
        "/synonyms/0",
        "/defaults/values/0/when",
        "/defaults/values/0/at",
        "/transforms/0/at",
        "/transforms/0/apply",
        "/vector/threshold",
        "/patch/allow/0",
        "/allowed_keys/0/at",
        "/domain/0/at",
        "/domain/0/rule",
    ];
    assert_eq!(found, expected);
}

#[test]
fn unknown_members_of_a_contract_are_refused() {
    for extra in [
        json!({ "synonymes": [] }),
        json!({ "guard": { "secret": true } }),
        json!({ "modes": { "L9": "block" } }),
        json!({ "modes": { "L1": "maybe" } }),
        json!({ "phases": { "lunch": {} } }),
        json!({ "transforms": [{ "id": "t", "at": "/a", "apply": "shout" }] }),
    ] {
        let mut contract = anything();
        contract.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        assert!(serde_json::from_value::<deed_model::LadderContract>(contract).is_err(), "{extra}");
    }
}
