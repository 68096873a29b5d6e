//! What was found and must not come back.

use deed_ladder::{Climbed, Input, Ladder, climb, translate};
use deed_model::{LadderOutcome, Phase, ProposalVerdict, Proposals};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

fn ladder(contract: Value) -> Ladder {
    Ladder::new(serde_json::from_value(contract).unwrap()).unwrap()
}

fn go(contract: Value, input: Input<'_>, proposals: Value) -> Climbed {
    let proposals: Proposals = serde_json::from_value(json!({ "proposals": proposals })).unwrap();
    climb(&ladder(contract), input, Phase::StepOutput, &proposals)
}

fn text(climbed: &Climbed) -> String {
    serde_json::to_string(&climbed.report).unwrap()
}

fn replace(id: &str, path: &str, value: Value) -> Value {
    json!({ "id": id, "rung": "L2", "patch": [{ "op": "replace", "path": path, "value": value }] })
}

fn verdicts(climbed: &Climbed) -> Vec<(&str, ProposalVerdict)> {
    climbed.report.proposals.iter().map(|record| (record.proposal.id.as_str(), record.verdict)).collect()
}

const FORBIDDEN: &str = r#"[{"id": "code", "pattern": "\"code\" is \\d+"}, {"id": "plan", "pattern": "^topsecret"}]"#;

fn guarded(modes: Value) -> Value {
    json!({
        "contract": "guarded",
        "schema": { "type": "object", "properties": {
            "n": { "type": "string" }, "kind": { "enum": ["a", "b"] }, "note": {}, "password": {},
        } },
        "guard": {
            "personal": ["email", "credit_card"],
            "forbidden": serde_json::from_str::<Value>(FORBIDDEN).unwrap(),
        },
        "modes": modes,
    })
}

#[test]
fn a_text_that_cannot_be_read_shows_nothing_that_its_escapes_hide() {
    for (input, secret, code) in [
        (r#"{"a":1}{"note": "the \"code\" is 1234"}"#, "is 1234", "D1703"),
        (r#"{"status":"open"}{"password":"hunter2\u0048unter2xQ9z7"}"#, "unter2xQ9z7", "D1701"),
        (r#"{"status":"open"}{"o":"joe.smith\u0040corp-mail.io"}"#, "corp-mail", "D1702"),
        (r#"{"status":"open"}{"o":"{\"p\":\"joe.smith\\u0040corp-mail.io\"}"}"#, "corp-mail", "D1702"),
        (r#"{"status":"open"}{"o":"topsecret plan"}"#, "topsecret", "D1703"),
        (r#"{"status":"open"}{'o':'topsecret plan'}"#, "topsecret", "D1703"),
    ] {
        let climbed = go(guarded(json!({})), Input::Text(input), json!([]));
        assert_eq!(climbed.report.findings[0].code, code, "{input}");
        assert!(!text(&climbed).contains(secret), "{input}\n{}", text(&climbed));
    }
}

#[test]
fn a_refused_proposal_is_looked_at_value_by_value() {
    let payload = json!({ "kind": "x", "note": "fine", "password": "" });
    for (path, value, secret) in [
        ("/note", json!("the \"code\" is 1234"), "is 1234"),
        ("/note", json!("topsecret plan"), "topsecret"),
        ("/password", json!("hunter2Hunter2xQ9z7"), "unter2xQ9z7"),
        ("/note", json!({ "password": ["hunter2Hunter2xQ9z7"] }), "unter2xQ9z7"),
        ("/note", json!({ "joe.smith@corp-mail.io": 1 }), "corp-mail"),
        ("/note", json!(4111111111111111_u64), "4111111111111111"),
        ("/joe.smith@corp-mail.io", json!(1), "corp-mail"),
    ] {
        let climbed = go(guarded(json!({})), Input::Value(&payload), json!([replace("p", path, value.clone())]));
        assert_eq!(verdicts(&climbed), [("p", ProposalVerdict::Refused)], "{value}");
        assert!(climbed.report.proposals[0].proposal.concealed, "{value}");
        assert!(!text(&climbed).contains(secret), "{value}\n{}", text(&climbed));
    }
}

#[test]
fn what_the_guard_lets_through_is_in_no_part_of_the_record() {
    let payload = json!({
        "joe.smith@corp-mail.io": { "q": 1 },
        "n": 4111111111111111_u64,
        "kind": "4111111111111111",
        "old": "call \"joe.smith@corp-mail.io\"\n",
        "wrapped": "{\"at\": \"joe.smith@corp-mail.io\"}",
    });
    let mut contract = guarded(json!({ "L3": "report" }));
    let more = json!({
        "defaults": { "values": [{ "at": "/*/d", "value": 1 }] },
        "synonyms": [{ "from": ["old"], "to": "new" }],
        "transforms": [{ "id": "up", "at": "/new", "apply": "upper_case" }],
        "allowed_keys": [{ "at": "", "keys": ["n", "kind"] }],
    });
    contract.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let proposals = json!([replace("p", "/kind", json!("a")), replace("q", "/n", json!("4111111111111111"))]);
    let climbed = go(contract, Input::Value(&payload), proposals);
    let said = text(&climbed).to_lowercase();
    assert!(!said.contains("corp-mail") && !said.contains("41111111"), "{said}");
    assert!(climbed.payload.is_some());
}

/// A place that is only known to hold something once it was put right is concealed in what was said before.
#[test]
fn what_was_said_before_the_last_guard_is_concealed_too() {
    let contract = json!({
        "contract": "late",
        "schema": { "type": "object", "properties": { "a": { "type": "string", "maxLength": 3 } } },
        "guard": { "forbidden": [{ "id": "big", "pattern": "^PLAN NINE$" }] },
        "transforms": [{ "id": "up", "at": "/a", "apply": "upper_case" }],
        "modes": { "L3": "report" },
    });
    let climbed = go(contract, Input::Value(&json!({ "a": "plan nine" })), json!([]));
    assert!(climbed.report.findings.iter().any(|finding| finding.code == "D1703"));
    assert!(!text(&climbed).to_lowercase().contains("plan nine"), "{}", text(&climbed));
}

#[test]
fn thousands_of_flagged_values_are_concealed_soon() {
    let begun = Instant::now();
    let items: Vec<Value> = (0..4_000).map(|n| json!({ "n": format!("p{n}@corp-mail.io"), "d": 1 })).collect();
    let contract = json!({
        "contract": "many",
        "schema": { "properties": { "xs": { "items": { "properties": { "n": { "type": "integer" } } } } } },
        "guard": { "personal": ["email"] },
        "modes": { "L3": "report" },
        "defaults": { "values": [{ "at": "/xs/*/e", "value": 1 }] },
    });
    let climbed = go(contract, Input::Value(&json!({ "xs": items })), json!([]));
    assert!(!text(&climbed).contains("corp-mail"));
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn a_proposal_names_its_place_in_the_one_way_there_is() {
    let contract = json!({
        "contract": "pointers",
        "schema": { "type": "object" },
        "patch": { "deny": ["/a~0", "/b"] },
    });
    let payload = json!({ "a~": 1, "b": 1, "c~2": 1, "d~/": 1 });
    for path in ["/a~", "/c~2", "b", "~1b", "/d~/", "/a~0~"] {
        let climbed = go(contract.clone(), Input::Value(&payload), json!([replace("p", path, json!(2))]));
        assert_eq!(verdicts(&climbed), [("p", ProposalVerdict::Refused)], "{path}");
        assert_eq!(climbed.payload.as_ref(), Some(&payload), "{path}");
    }
    let climbed = go(contract, Input::Value(&payload), json!([replace("p", "/d~0~1", json!(2))]));
    assert_eq!(verdicts(&climbed), [("p", ProposalVerdict::Applied)]);
}

fn payments() -> Value {
    let of = |kind: &str, key: &str, inner: Value| {
        json!({
            "type": "object", "additionalProperties": false, "required": ["kind", key],
            "properties": { "kind": { "const": kind }, (key): inner }
        })
    };
    let bank = of("bank", "iban", json!({ "type": "string", "minLength": 3 }));
    let card = of("card", "number", json!({ "type": "integer" }));
    json!({ "contract": "pay", "schema": { "type": "object", "properties": { "pay": { "oneOf": [bank, card] } } } })
}

#[test]
fn proposals_are_judged_together_whatever_their_order() {
    let payload = json!({ "pay": { "kind": "bnk", "iban": "D" } });
    let (kind, iban) = (replace("kind", "/pay/kind", json!("bank")), replace("iban", "/pay/iban", json!("DE55")));
    for given in [json!([kind, iban]), json!([iban, kind])] {
        let climbed = go(payments(), Input::Value(&payload), given.clone());
        assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{given}");
        assert!(verdicts(&climbed).iter().all(|(_, verdict)| *verdict == ProposalVerdict::Applied));
        let names: Vec<&str> = verdicts(&climbed).iter().map(|(id, _)| *id).collect();
        assert_eq!(names, given.as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap()).collect::<Vec<_>>());
    }
}

#[test]
fn a_kind_that_is_put_right_may_bring_to_light_what_was_wrong() {
    let payload = json!({ "pay": { "kind": "bnk", "iban": "D" } });
    let climbed = go(payments(), Input::Value(&payload), json!([replace("kind", "/pay/kind", json!("bank"))]));
    assert_eq!(verdicts(&climbed), [("kind", ProposalVerdict::Applied)]);
    assert_eq!(climbed.report.outcome, LadderOutcome::Rejected);
    assert_eq!(climbed.report.findings[0].pointer, "/pay/iban");
    // A kind that fits nothing else of it brings nothing to light.
    let climbed = go(payments(), Input::Value(&payload), json!([replace("kind", "/pay/kind", json!("card"))]));
    assert_eq!(verdicts(&climbed), [("kind", ProposalVerdict::Refused)]);
}

#[test]
fn proposals_under_many_variants_are_judged_soon() {
    let begun = Instant::now();
    let mut parts = Map::new();
    for n in 0..200 {
        let inner: Map<String, Value> =
            (0..8).map(|p| (format!("p{p}"), json!({ "type": "string", "pattern": "^[a-z]+$" }))).collect();
        let part = json!({ "required": ["kind", "a"], "properties": {
            "kind": { "const": format!("k{n}") }, "a": { "type": "object", "properties": inner },
        } });
        parts.insert(format!("v{n}"), part);
    }
    let variants: Vec<Value> = parts.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    let schema = json!({ "$defs": parts, "properties": { "xs": { "items": { "oneOf": variants } } } });
    let item = json!({ "kind": "no", "a": { "p0": "x", "p1": 7 } });
    let given: Vec<Value> = (0..5).map(|n| replace("p", &format!("/xs/{n}/a/p1"), json!("y"))).collect();
    let contract = json!({ "contract": "many", "schema": schema });
    let climbed = go(contract, Input::Value(&json!({ "xs": vec![item; 5] })), json!(given));
    assert_eq!(verdicts(&climbed).len(), 5);
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn a_place_is_sought_soon_however_often_a_schema_refers_to_itself() {
    let begun = Instant::now();
    let mut parts = Map::new();
    for level in 0..26 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        parts.insert(format!("d{level}"), json!({ "allOf": [next, next] }));
    }
    let closed = json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": false });
    parts.insert("d26".to_owned(), closed.clone());
    let itself = json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] });
    for schema in [
        json!({ "$defs": parts, "$ref": "#/$defs/d0" }),
        json!({ "$defs": { "a": closed }, "allOf": [{ "$ref": "#/$defs/a" }, itself] }),
    ] {
        let transforms =
            json!([{ "id": "t", "at": "/b", "apply": "trim" }, { "id": "u", "at": "/a", "apply": "trim" }]);
        let ladder = ladder(json!({ "contract": "chain", "schema": schema, "transforms": transforms }));
        let places: Vec<&str> = ladder.remarks().iter().map(|remark| remark.pointer.as_str()).collect();
        assert_eq!(places, ["/transforms/0/at"]);
    }
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

fn wrapping(schema: Value) -> Value {
    json!({
        "contract": "wrapping", "schema": schema,
        "structure": { "wrappers": ["result"] }, "allowed_keys": [{ "at": "", "keys": ["b"] }],
    })
}

#[test]
fn a_wrapper_is_taken_off_where_nothing_is_required() {
    let closed =
        json!({ "type": "object", "additionalProperties": false, "properties": { "b": { "type": "boolean" } } });
    for (payload, expected) in [
        (json!({ "result": { "b": true } }), json!({ "b": true })),
        (json!({ "result": { "result": { "b": true } } }), json!({ "b": true })),
        (json!({ "result": { "b": "true" } }), json!({ "b": true })),
    ] {
        let climbed = go(wrapping(closed.clone()), Input::Value(&payload), json!([]));
        assert_eq!(climbed.payload, Some(expected), "{payload}");
        assert_eq!(climbed.report.outcome, LadderOutcome::Accepted);
    }
}

#[test]
fn stripping_never_empties_a_payload_of_what_was_wrapped() {
    let open = json!({ "type": "object", "properties": { "b": { "type": "boolean" } } });
    for schema in [open, json!({ "type": "object" })] {
        let payload = json!({ "result": { "z": true } });
        let climbed = go(wrapping(schema), Input::Value(&payload), json!([]));
        assert_eq!(climbed.payload, Some(payload));
        assert_eq!(climbed.report.outcome, LadderOutcome::Rejected);
        assert_eq!(climbed.report.findings[0].code, "D1731");
    }
}

fn carried(schema: Value, to: Value, synonyms: &[(&str, &str)], document: Value) -> deed_ladder::Translated {
    let synonyms: BTreeMap<String, String> =
        synonyms.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    translate(schema, to, &synonyms, &document).unwrap()
}

#[test]
fn a_key_that_is_a_star_is_a_key() {
    let any = json!({ "type": "object" });
    let to = json!({ "type": "object", "properties": {
        "o": { "type": "object", "properties": { "*": { "type": "integer" }, "*x": { "type": "integer" } } },
    } });
    let document = json!({ "o": { "*": 1, "*x": 2 } });
    let done = carried(any.clone(), to.clone(), &[], document.clone());
    assert_eq!((done.document, done.unplaced.len()), (Some(document), 0));
    assert_eq!(done.placed[0].from, "/o/*x");
    assert_eq!(done.placed[1].from, "/o/~*");
    let done = carried(any, json!({ "type": "object", "properties": {} }), &[], json!({ "o": { "*": 1 } }));
    assert_eq!(done.unplaced.iter().map(|left| left.from.as_str()).collect::<Vec<_>>(), ["/o/~*"]);
}

#[test]
fn an_item_without_fields_is_carried_with_the_others() {
    let schema = json!({ "type": "object", "properties": {
        "l": { "type": "array", "items": { "type": "object", "properties": { "amount": { "type": "integer" } } } },
    } });
    let document = json!({ "l": [{ "amount": 1 }, {}] });
    let done = carried(schema.clone(), schema, &[], document.clone());
    assert_eq!((done.document, done.unplaced), (Some(document), Vec::new()));
}

#[test]
fn two_synonyms_that_want_one_place_are_told_so() {
    let from = json!({ "type": "object", "properties": { "aaaaa": {}, "bbbbb": {} } });
    let to = json!({ "type": "object", "properties": { "total": {} } });
    let done = carried(from, to, &[("aaaaa", "total"), ("bbbbb", "total")], json!({ "aaaaa": 1, "bbbbb": 2 }));
    assert_eq!(done.unplaced.len(), 2);
    assert!(done.unplaced.iter().all(|left| left.reason == "/total is wanted by several"), "{:?}", done.unplaced);
}

#[test]
fn what_is_nested_too_deep_is_not_told_to_write_numbers_as_text() {
    let deep = (0..140).fold(json!(1), |inner, _| json!([inner]));
    let climbed = go(json!({ "contract": "deep", "schema": {} }), Input::Value(&deep), json!([]));
    let finding = climbed.report.findings.iter().find(|finding| finding.code == "D1705").unwrap();
    assert_eq!(finding.help.as_deref(), Some("write a flatter value"));
    let climbed = go(json!({ "contract": "big", "schema": {} }), Input::Value(&json!(u64::MAX)), json!([]));
    assert_eq!(climbed.report.findings[0].help.as_deref(), Some("write large numbers as text"));
}

#[test]
fn a_word_that_was_cut_is_named_as_it_was_read() {
    let climbed = go(json!({ "contract": "cut", "schema": {} }), Input::Text(r#"{"b":tru"#), json!([]));
    assert_eq!(climbed.payload, Some(json!({ "b": true })));
    let finding = climbed.report.findings.iter().find(|finding| finding.code == "D1706").unwrap();
    assert!(finding.message.contains("`true`") && finding.message.contains("`}`"), "{}", finding.message);
}

#[test]
fn kinds_of_slips_are_named_once() {
    let contract = json!({ "contract": "strict", "schema": {}, "modes": { "L0": "report" } });
    let climbed = go(contract, Input::Text("{'a': 'b', 'c': 'd',}"), json!([]));
    let message = &climbed.report.findings[0].message;
    assert_eq!(message.matches("single_quotes").count(), 1, "{message}");
}

#[test]
fn undo_writes_a_number_in_the_digits_it_had() {
    let schema = json!({
        "type": "object",
        "properties": { "version": { "type": "string" }, "n": { "type": "number" } }, "additionalProperties": false,
    });
    let contract =
        json!({ "contract": "digits", "schema": schema, "synonyms": [{ "at": "", "from": ["ver"], "to": "version" }] });
    let climbed = go(contract, Input::Text(r#"{"ver": 1.10, "n": 2}"#), json!([]));
    let payload = climbed.payload.unwrap();
    assert_eq!(payload, json!({ "version": "1.10", "n": 2 }), "{:#?}", climbed.report);
    let text = deed_ladder::undo_text(&climbed.report, &payload).unwrap();
    assert_eq!(text, "{\n  \"n\": 2,\n  \"ver\": 1.10\n}");
}
