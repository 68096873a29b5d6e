//! Filled templates, one small case each: what is lowered, and every finding with its place and its words.

use deed_diag::{Document, Format};
use deed_imprint::{Imprint, Lowered, Supplied};
use deed_schema::Schema;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn imprint(schema: Value) -> Imprint {
    Imprint::new(Schema::new(schema).unwrap()).unwrap()
}

fn supplied(values: Value) -> Supplied {
    serde_json::from_value(values).unwrap()
}

/// A finding as one line: code, place, message and hint.
fn lines(lowered: &Lowered) -> Vec<String> {
    let line = |finding: &deed_imprint::Finding| {
        let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{} {}: {}{help}", finding.code, finding.pointer, finding.message)
    };
    lowered.findings.iter().map(line).collect()
}

/// The expected result of a filled template.
enum Expected {
    Payload(Value),
    Findings(&'static [&'static str]),
}
use Expected::{Findings, Payload};

#[track_caller]
fn check(schema: Value, filled: Value, expected: Expected) {
    check_supplied(schema, filled, json!({}), expected);
}

#[track_caller]
fn check_supplied(schema: Value, filled: Value, values: Value, expected: Expected) {
    let imprint = imprint(schema);
    same(&imprint, &imprint.lower(&filled, &supplied(values)), expected);
}

#[track_caller]
fn check_text(template: &str, filled: Value, values: Value, expected: Expected) {
    let imprint = Imprint::from_text(template).unwrap();
    same(&imprint, &imprint.lower(&filled, &supplied(values)), expected);
}

#[track_caller]
fn same(imprint: &Imprint, lowered: &Lowered, expected: Expected) {
    match expected {
        Payload(payload) => {
            assert_eq!(lines(lowered), Vec::<String>::new(), "{}", imprint.skeleton());
            assert_eq!(lowered.payload, Some(payload), "{}", imprint.skeleton());
        }
        Findings(findings) => {
            assert_eq!(lines(lowered), findings, "{}", imprint.skeleton());
            assert_eq!(lowered.payload, None);
        }
    }
}

fn person() -> Value {
    json!({
        "type": "object",
        "required": ["name", "status"],
        "additionalProperties": false,
        "properties": {
            "name": { "type": "string", "minLength": 2 },
            "status": { "enum": ["active", "paused", "archived"] },
            "age": { "type": "integer", "minimum": 0, "maximum": 150 },
            "email": { "type": "string", "format": "email" },
            "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 2 }
        }
    })
}

#[test]
fn a_filled_template_is_a_payload() {
    check(
        person(),
        json!({ "name": "Ada", "status": "active", "tags": ["a", "b"] }),
        Payload(json!({ "name": "Ada", "status": "active", "tags": ["a", "b"] })),
    );
}

#[test]
fn d1610_a_token_that_must_be_filled_is_still_there() {
    check(
        person(),
        json!({ "name": "Ada", "status": "{FILL_ENUM|active|paused|archived}" }),
        Findings(&["D1610 /status: `status` is not filled (replace the token by a value)"]),
    );
    check(
        person(),
        json!({ "name": "{FILL|string}", "status": "{FILL_ENUM|active|paused|archived}" }),
        Findings(&["D1610 : nothing was filled in (replace each `{FILL…}` by a value)"]),
    );
    check(
        json!({ "type": "array", "items": { "type": "integer" } }),
        json!([1, "{FILL|integer}", 3]),
        Findings(&["D1610 /1: this item is not filled (replace the token by a value, or leave the item out)"]),
    );
    check(
        json!({ "type": "string" }),
        json!("{FILL|string}"),
        Findings(&["D1610 : nothing was filled in (replace each `{FILL…}` by a value)"]),
    );
}

fn with_id() -> Value {
    json!({
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": { "type": "string", "format": "uuid", "readOnly": true },
            "name": { "type": "string" },
            "made": { "type": "string", "readOnly": true }
        }
    })
}

const ID: &str = "123e4567-e89b-12d3-a456-426614174000";

#[test]
fn d1611_a_place_of_the_system_was_written_to() {
    check_supplied(
        with_id(),
        json!({ "id": "mine", "name": "Ada" }),
        json!({ "/id": ID }),
        Findings(&[
            "D1611 /id: the system supplies this value (leave the `{AUTO…}` token as it is, or leave the key out)",
        ]),
    );
}

#[test]
fn of_several_variants_the_one_that_fits_says_what_is_special() {
    let pet = |kind: &str, id: Value, meta: Value| {
        json!({ "type": "object", "required": ["kind"],
                "properties": { "kind": { "const": kind }, "id": id, "meta": meta } })
    };
    let text = json!({ "type": "string", "contentMediaType": "application/json" });
    let schema = json!({ "oneOf": [
        pet("cat", json!({ "type": "string", "readOnly": true }), text),
        pet("dog", json!({ "type": "string" }), json!({ "type": "object" }))
    ] });
    check(
        schema.clone(),
        json!({ "kind": "cat", "id": "mine" }),
        Findings(&[
            "D1611 /id: the system supplies this value (leave the `{AUTO…}` token as it is, or leave the key out)",
        ]),
    );
    check(
        schema.clone(),
        json!({ "kind": "cat", "meta": { "a": 1 } }),
        Payload(json!({ "kind": "cat", "meta": "{\"a\":1}" })),
    );
    let dog = json!({ "kind": "dog", "id": "mine", "meta": { "a": 1 } });
    check(schema, dog.clone(), Payload(dog));
}

#[test]
fn d1612_a_value_the_system_owes_was_not_supplied() {
    let expected =
        &["D1612 : `id` is for the system to supply, and was not (supply the value beside the filled template)"];
    check(with_id(), json!({ "id": "{AUTO|string|format:uuid}", "name": "Ada" }), Findings(expected));
    // The template says so, and so does what is read from its text.
    let text = imprint(with_id()).text();
    assert!(text.contains(r#""id":"{AUTO|string|format:uuid|required}""#), "{text}");
    check_text(
        &text,
        json!({ "name": "Ada", "id": "{AUTO|string|format:uuid|required}" }),
        json!({}),
        Findings(expected),
    );
    // An optional one may be left out by the system too.
    check_supplied(
        with_id(),
        json!({ "id": "{AUTO|string|format:uuid}", "name": "Ada", "made": "{AUTO|string}" }),
        json!({ "/id": ID }),
        Payload(json!({ "id": ID, "name": "Ada" })),
    );
}

#[test]
fn d1613_a_value_was_supplied_for_nothing() {
    check_supplied(
        with_id(),
        json!({ "name": "Ada" }),
        json!({ "/id": ID, "/name": "Eve" }),
        Findings(&[
            "D1613 : a value was supplied for `/name`, which is not an `AUTO` place of the filled template (supply values \
             for `{AUTO…}` places alone)",
        ]),
    );
    check_supplied(
        with_id(),
        json!({ "name": "Ada" }),
        json!({ "/id": ID, "/no/such": 1 }),
        Findings(&[
            "D1613 : a value was supplied for `/no/such`, which is not an `AUTO` place of the filled template (supply \
             values for `{AUTO…}` places alone)",
        ]),
    );
}

#[test]
fn what_the_system_supplies_is_put_in_whether_or_not_its_token_was_kept() {
    for filled in [json!({ "id": "{AUTO|string|format:uuid}", "name": "Ada" }), json!({ "name": "Ada" })] {
        check_supplied(with_id(), filled, json!({ "/id": ID }), Payload(json!({ "id": ID, "name": "Ada" })));
    }
    // It is held to the schema as everything else is.
    check_supplied(
        with_id(),
        json!({ "name": "Ada" }),
        json!({ "/id": "no uuid" }),
        Findings(&["D1625 /id: `id` is not of the format `uuid` (it is `no uuid`)"]),
    );
}

#[test]
fn the_system_supplies_into_items_of_lists() {
    let schema = json!({ "type": "array", "items": with_id() });
    check_supplied(
        schema,
        json!([{ "name": "Ada", "id": "{AUTO|string}" }, { "name": "Eve" }]),
        json!({ "/0/id": ID, "/1/id": ID }),
        Payload(json!([{ "name": "Ada", "id": ID }, { "name": "Eve", "id": ID }])),
    );
}

#[test]
fn d1614_a_text_begins_like_a_token_and_is_none() {
    check(
        person(),
        json!({ "name": "{FILL|string", "status": "active" }),
        Findings(&[
            "D1614 /name: `{FILL|string` begins like a token but is malformed: the token has no end (if it is meant as \
                    text, write a `\\` before it)",
        ]),
    );
    check(
        json!({ "type": "object" }),
        json!({ "{KEY": 1, "{KEY|a\\": 1, "a": 1 }),
        Findings(&[
            "D1614 /{KEY|a\\: the key `{KEY|a\\` begins like a token but is malformed: nothing follows the `\\` (if \
                    it is meant as a key, write a `\\` before it)",
        ]),
    );
}

#[test]
fn d1615_something_was_not_chosen() {
    check(
        json!({ "type": "object" }),
        json!({ "{KEY}": 1, "a": 2 }),
        Findings(&["D1615 /{KEY}: `{KEY}` is not a key yet (replace it by the key that is meant)"]),
    );
    check(
        json!({ "type": "object" }),
        json!({ "a": "{ONE_OF}", "b": 1 }),
        Findings(&["D1615 /a: `{ONE_OF}` is not a value (replace it by what was chosen)"]),
    );
    let both = json!({ "{ONE_OF}": [{ "kind": "cat", "lives": 9 }, { "kind": "dog", "barks": true }] });
    let lowered = imprint(pets()).lower(&both, &BTreeMap::new());
    assert_eq!(lowered.payload, None);
    let line = "D1615 /{ONE_OF}: several variants are filled in (keep one of them, in the place of the whole)";
    assert!(lines(&lowered).contains(&line.to_owned()), "{:?}", lines(&lowered));
}

fn pets() -> Value {
    json!({
        "oneOf": [
            { "type": "object", "required": ["kind", "lives"],
              "properties": { "kind": { "const": "cat" }, "lives": { "type": "integer" } } },
            { "type": "object", "required": ["kind", "barks"],
              "properties": { "kind": { "const": "dog" }, "barks": { "type": "boolean" } } }
        ]
    })
}

#[test]
fn a_union_left_as_it_was_with_one_variant_filled_stands_for_that_variant() {
    let expected = json!({ "kind": "cat", "lives": 9 });
    check(pets(), expected.clone(), Payload(expected.clone()));
    check(
        pets(),
        json!({ "{ONE_OF}": [expected, { "kind": "{FILL_ENUM|dog}", "barks": "{FILL|boolean}" }] }),
        Payload(expected.clone()),
    );
    check(pets(), json!({ "{ONE_OF}": expected }), Payload(expected.clone()));
    let scalars = json!({ "anyOf": [{ "type": "integer" }, { "type": "string", "maxLength": 2 }] });
    check(scalars, json!({ "{ANY_OF}": ["{FILL|integer}", "ab"] }), Payload(json!("ab")));
}

#[test]
fn fields_of_a_condition_left_in_their_wrapper_belong_to_the_object() {
    let schema = json!({
        "type": "object",
        "required": ["kind"],
        "properties": { "kind": { "enum": ["a", "b"] } },
        "if": { "properties": { "kind": { "const": "a" } }, "required": ["kind"] },
        "then": { "required": ["x"], "properties": { "x": { "type": "integer" } } }
    });
    check(schema.clone(), json!({ "kind": "a", "{WHEN|kind=a}": { "x": 1 } }), Payload(json!({ "kind": "a", "x": 1 })));
    check(
        schema.clone(),
        json!({ "kind": "b", "{WHEN|kind=a}": { "x": "{FILL|integer}" } }),
        Payload(json!({ "kind": "b" })),
    );
    check(
        schema,
        json!({ "kind": "a", "{WHEN|kind=a}": { "x": "{FILL|integer}" } }),
        Findings(&["D1620 : the payload needs `x`"]),
    );
}

#[test]
fn d1616_a_key_is_given_twice() {
    check(
        json!({ "type": "object", "properties": { "kind": {}, "a": {} } }),
        json!({ "a": 1, "{WITH|kind}": { "a": 2 } }),
        Findings(&[
            "D1616 /{WITH|kind}: `a` is given twice (once as it is and once within a variant: keep one of them)",
        ]),
    );
}

#[test]
fn d1620_to_d1627_say_what_the_schema_rules_out() {
    check(person(), json!({ "name": "Ada" }), Findings(&["D1620 : the payload needs `status`"]));
    check(
        person(),
        json!({ "name": "Ada", "status": "active", "agee": 3 }),
        Findings(&["D1621 /agee: `agee` is not a key of the payload (did you mean `age`?)"]),
    );
    check(
        person(),
        json!({ "name": 5, "status": "active" }),
        Findings(&["D1622 /name: `name` must be a string, not a number"]),
    );
    check(
        person(),
        json!({ "name": "Ada", "status": "pausd" }),
        Findings(&["D1623 /status: `status` may not be `pausd` (did you mean `paused`?)"]),
    );
    check(
        person(),
        json!({ "name": "Ada", "status": "zzz" }),
        Findings(&["D1623 /status: `status` may not be `zzz` (it is one of `active`, `paused`, `archived`)"]),
    );
    check(
        person(),
        json!({ "name": "Ada", "status": "active", "age": 151 }),
        Findings(&["D1624 /age: `age` is 151, above 150"]),
    );
    check(
        person(),
        json!({ "name": "Ada", "status": "active", "email": "nobody" }),
        Findings(&["D1625 /email: `email` is not of the format `email` (it is `nobody`)"]),
    );
    check(
        json!({ "anyOf": [{ "type": "integer", "minimum": 3 }, { "type": "integer", "maximum": 1 }] }),
        json!(2),
        Findings(&["D1626 : the payload fits none of 2 shapes (the nearest of them says: the payload is 2, below 3)"]),
    );
    check(
        json!({ "type": "array", "uniqueItems": true, "items": { "type": "integer" } }),
        json!([1, 1]),
        Findings(&["D1627 : the payload has the same item twice"]),
    );
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    check(
        person(),
        json!({
            "name": "A", "status": "pausd", "age": "old", "email": "nobody", "tags": ["a", 2, "c"], "nick": 1
        }),
        Findings(&[
            "D1622 /age: `age` must be an integer, not a string",
            "D1625 /email: `email` is not of the format `email` (it is `nobody`)",
            "D1624 /name: `name` has fewer than 2 characters",
            "D1621 /nick: `nick` is not a key of the payload",
            "D1623 /status: `status` may not be `pausd` (did you mean `paused`?)",
            "D1624 /tags: `tags` has more than 2 items",
            "D1622 /tags/1: item 1 of `tags` must be a string, not a number",
        ]),
    );
    // What is wrong with the filling and what is wrong with the payload, together.
    check(
        person(),
        json!({ "name": "{FILL|string}", "status": "pausd", "age": "{FILL|" }),
        Findings(&[
            "D1614 /age: `{FILL|` begins like a token but is malformed: the token has no end (if it is meant as text, \
             write a `\\` before it)",
            "D1610 /name: `name` is not filled (replace the token by a value)",
            "D1623 /status: `status` may not be `pausd` (did you mean `paused`?)",
        ]),
    );
}

#[test]
fn what_is_optional_and_untouched_disappears() {
    let schema = json!({
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": { "type": "string" },
            "leaf": { "type": "integer" },
            "choice": { "enum": ["x", "y"] },
            "object": { "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } } },
            "list": { "type": "array", "items": { "type": "string" } },
            "union": pets(),
            "text": { "type": "string", "contentMediaType": "application/json" }
        }
    });
    let imprint = imprint(schema);
    // The template itself, with the one thing filled that must be.
    let mut filled: Value = serde_json::from_str(imprint.skeleton()).unwrap();
    filled["a"] = json!("x");
    let lowered = imprint.lower(&filled, &BTreeMap::new());
    assert_eq!(lines(&lowered), Vec::<String>::new());
    assert_eq!(lowered.payload, Some(json!({ "a": "x" })));
    let mut dropped = lowered.dropped;
    dropped.sort();
    assert_eq!(dropped, ["/choice", "/leaf", "/list", "/object", "/text", "/union"]);
}

#[test]
fn an_optional_object_that_was_begun_must_be_finished() {
    let inner = json!({ "type": "object", "required": ["b", "c"],
                        "properties": { "b": { "type": "string" }, "c": { "type": "string" } } });
    check(
        json!({ "type": "object", "properties": { "o": inner } }),
        json!({ "o": { "{OPTIONAL}": "", "b": "x", "c": "{FILL|string}" } }),
        Findings(&["D1610 /o/c: `c` is not filled (replace the token by a value)"]),
    );
}

#[test]
fn items_of_a_list_that_were_left_do_not_count() {
    check(
        json!({ "type": "array", "items": { "type": "integer" }, "minItems": 1 }),
        json!([7, "{OPTIONAL|integer}"]),
        Payload(json!([7])),
    );
    check(
        json!({ "type": ["array", "null"], "items": { "type": "integer" } }),
        json!(["{FILL|array|nullable}", 7]),
        Payload(json!([7])),
    );
    // A later item keeps its own place in what was filled in.
    check(
        json!({ "type": ["array", "null"], "items": { "type": "integer" } }),
        json!(["{FILL|array|nullable}", 7, "x"]),
        Findings(&["D1622 /2: item 1 must be an integer, not a string"]),
    );
}

fn serialized() -> Value {
    json!({
        "type": "object",
        "required": ["meta"],
        "properties": {
            "meta": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {
                    "type": "object",
                    "required": ["n"],
                    "properties": { "n": { "type": "integer" }, "s": { "type": "string" } }
                }
            }
        }
    })
}

#[test]
fn what_goes_over_the_wire_as_text_is_filled_as_json() {
    let expected = json!({ "meta": "{\"n\":1,\"s\":\"x\"}" });
    check(serialized(), json!({ "meta": { "s": "x", "n": 1 } }), Payload(expected.clone()));
    check(serialized(), json!({ "meta": { "{SERIALIZED}": { "s": "x", "n": 1 } } }), Payload(expected.clone()));
    // Text is text.
    check(serialized(), expected.clone(), Payload(expected.clone()));
    check(serialized(), json!({ "meta": "no JSON" }), Payload(json!({ "meta": "no JSON" })));
    check(
        serialized(),
        json!({ "meta": { "n": "one", "s": 2 } }),
        Findings(&[
            "D1622 /meta/n: `n` must be an integer, not a string",
            "D1622 /meta/s: `s` must be a string, not a number",
        ]),
    );
    let imprint = imprint(serialized());
    let filled = imprint.fill(&expected);
    assert_eq!(filled.document, json!({ "meta": { "n": 1, "s": "x" } }));
    // Text that is not written as it would be written again stays text.
    let spaced = json!({ "meta": "{ \"n\": 1 }" });
    assert_eq!(imprint.fill(&spaced).document, spaced);
}

#[test]
fn an_api_may_want_places_as_text_that_its_schema_has_as_json() {
    let schema = json!({
        "type": "object",
        "required": ["meta", "name"],
        "properties": {
            "name": { "type": "string" },
            "meta": { "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } }
        }
    });
    let imprint = imprint(schema).serializing(vec!["/meta".to_owned(), "/absent".to_owned(), "/name".to_owned()]);
    let filled = json!({ "name": "{a}", "meta": { "n": 1 } });
    let lowered = imprint.lower(&filled, &BTreeMap::new());
    same(&imprint, &lowered, Payload(json!({ "name": "{a}", "meta": "{\"n\":1}" })));
    // The payload, filled in again, is what was filled in.
    assert_eq!(imprint.fill(&lowered.payload.unwrap()).document, filled);
    let lowered = imprint.lower(&json!({ "name": "a", "meta": { "n": "x" } }), &BTreeMap::new());
    same(&imprint, &lowered, Findings(&["D1622 /meta/n: `n` must be an integer, not a string"]));
}

#[test]
fn keys_and_texts_that_look_like_tokens_are_escaped_both_ways() {
    let schema = json!({ "type": "object", "properties": { "{FILL|string}": { "type": "string" } } });
    let imprint = imprint(schema.clone());
    assert_eq!(imprint.skeleton(), "{\"\\\\{FILL|string}\":\"{OPTIONAL|string}\"}");
    let payload = json!({ "{FILL|string}": "{AUTO|x}", "\\{KEY}": ["\\{REF: a}", "{FILLED}"] });
    let filled = imprint.fill(&payload);
    assert_eq!(filled.document, json!({ "\\{FILL|string}": "\\{AUTO|x}", "\\\\{KEY}": ["\\\\{REF: a}", "{FILLED}"] }));
    same(&imprint, &imprint.lower(&filled.document, &filled.supplied), Payload(payload));
    // A finding speaks of the place as it was filled in.
    check(
        schema,
        json!({ "\\{FILL|string}": 5 }),
        Findings(&["D1622 /\\{FILL|string}: `{FILL|string}` must be a string, not a number"]),
    );
}

#[test]
fn a_finding_is_a_diagnostic_at_its_place() {
    let text = "{\n  \"name\": \"Ada\",\n  \"status\": \"pausd\",\n  \"nick\": 1\n}";
    let document = Document::read("filled.json", text.as_bytes(), Format::Json).unwrap();
    let imprint = imprint(person());
    let lowered = imprint.lower(document.value(), &BTreeMap::new());
    let shown: Vec<(String, String, String)> = lowered
        .findings
        .iter()
        .map(|finding| {
            let diagnostic = finding.diagnostic(&document);
            let place = diagnostic.place.unwrap();
            let span = place.span.unwrap();
            (diagnostic.code.to_string(), diagnostic.stage.into_owned(), text[span.start..span.end].to_owned())
        })
        .collect();
    let line = |code: &str, at: &str| (code.to_owned(), "lower".to_owned(), at.to_owned());
    assert_eq!(shown, [line("D1621", "\"nick\""), line("D1623", "\"pausd\"")]);
}

const NESTED: &str = r#"{
"customer": {
"id": "{AUTO|string|format:uuid}",
"profile": {
"name": "{FILL|string}",
"status": "{FILL_ENUM|active|paused|archived}",
"tags": ["{OPTIONAL|string}"]
}
}
}"#;

#[test]
fn a_template_written_by_hand_is_filled_and_lowered() {
    let imprint = Imprint::from_text(NESTED).unwrap();
    assert_eq!(
        imprint.skeleton(),
        r#"{"customer":{"id":"{AUTO|string|format:uuid}","profile":{"name":"{FILL|string}","status":"{FILL_ENUM|active|paused|archived}","tags":["{OPTIONAL|string}"]}}}"#
    );
    let profile = json!({ "name": "Ada", "status": "active" });
    check_text(
        NESTED,
        json!({ "customer": { "id": "{AUTO|string|format:uuid}", "profile": { "name": "Ada", "status": "active",
                "tags": ["{OPTIONAL|string}"] } } }),
        json!({ "/customer/id": ID }),
        Payload(json!({ "customer": { "id": ID, "profile": profile } })),
    );
    check_text(
        NESTED,
        json!({ "customer": { "profile": { "name": "Ada", "status": "gone", "tags": "x" } } }),
        json!({}),
        Findings(&[
            "D1623 /customer/profile/status: `status` may not be `gone` (it is one of `active`, `paused`, `archived`)",
            "D1622 /customer/profile/tags: `tags` must be an array, not a string",
        ]),
    );
}

#[test]
fn the_tokens_of_the_plan_template_are_understood() {
    let text = r#"{
        "slot": "{FILL|string}",
        "required": "{FILL|boolean}",
        "accepted_kind_keys": ["{OPTIONAL|string}"],
        "provenance_policy": "{OPTIONAL_ENUM|none|preferred|required}",
        "count": "{OPTIONAL|integer|range:1-100}",
        "code": "{OPTIONAL|string|pattern:lowercase_underscore}"
    }"#;
    let filled = json!({ "slot": "a", "required": true, "provenance_policy": "required", "count": 100, "code": "a_b" });
    check_text(text, filled.clone(), json!({}), Payload(filled));
    check_text(
        text,
        json!({ "slot": "a", "required": true, "count": 0, "code": "A" }),
        json!({}),
        Findings(&[
            "D1625 /code: `code` does not match `^[a-z][a-z0-9_]*$` (it is `A`)",
            "D1624 /count: `count` is 0, below 1",
        ]),
    );
}

#[track_caller]
fn not_a_template(text: &str, pointer: &str, message: &str) {
    match Imprint::from_text(text) {
        Err(deed_imprint::FromTextError::Template(error)) => {
            assert_eq!((error.pointer.as_str(), error.message.as_str()), (pointer, message));
        }
        Err(other) => panic!("{text}: {other:?}"),
        Ok(imprint) => panic!("{text} is read as {}", imprint.text()),
    }
}

#[test]
fn what_is_not_a_template_is_refused_at_its_place() {
    not_a_template(r#"{"a": 1}"#, "/a", "a template has tokens where a payload has values");
    not_a_template(r#"{"a": "text"}"#, "/a", "this text is not a token");
    not_a_template(r#"{"a": "{FILL}"}"#, "/a", "a token says its type");
    not_a_template(r#"{"a": "{FILL|strin}"}"#, "/a", "`strin` is not a type");
    not_a_template(r#"{"a": "{FILL|string|sometimes}"}"#, "/a", "`sometimes` is not a modifier");
    not_a_template(r#"{"a": "{FILL|integer|range:x}"}"#, "/a", "`x` is not a range");
    not_a_template(r#"{"a": "{FILL|string|length:x}"}"#, "/a", "`x` is not a count");
    not_a_template(r#"{"a": "{FILL|number|step:x}"}"#, "/a", "`x` is not a number");
    not_a_template(r#"{"a": "{FILL|string|pattern:x}"}"#, "/a", "`x` is not a known pattern; write `/x/`");
    not_a_template(r#"{"a": "{FILL_ENUM}"}"#, "/a", "an enum lists its values");
    not_a_template(r#"{"a": "{KEY}"}"#, "/a", "`KEY` stands for a key, not for a value");
    not_a_template(r#"{"a": "{REF: circular|of:/b}"}"#, "/a", "`/b` is not a place of this template");
    not_a_template(r#"{"a": "{REF: other}"}"#, "/a", "a reference is `circular`, `same` or `depth`");
    not_a_template(r#"{"a": []}"#, "/a", "a list is written with one representative item");
    not_a_template(
        r#"{"a": ["{FILL|string}", "{FILL|string}"]}"#,
        "/a",
        "a list is written with one representative item",
    );
    not_a_template(r#"{"a": ["{FILL|tuple|rest}"]}"#, "/a", "`rest` speaks of the last item, and there is none");
    not_a_template(r#"{"a": {"{ONE_OF}": {}}}"#, "/a/~one_of", "variants are listed in brackets");
    not_a_template(r#"{"a": "{FILL|string}", "{FILL}": ""}"#, "", "the token of an object comes before its keys");
    not_a_template(r#"{"{FILL}": {}}"#, "", "the first token of an object holds a note");
    not_a_template(r#"{"{WHEN|a}": {}, "a": "{FILL|string}"}"#, "", "a condition is written `key=value`");
    not_a_template(r#"{"{WITH|a|b}": {}, "a": "{FILL|string}"}"#, "", "`WITH` names one key");
    not_a_template(r#"{"{REF: same}": {}}"#, "", "`REF` cannot stand among the keys of an object");
    not_a_template(r#"{"{FILL|need:a b}": ""}"#, "", "`a b` is not a list of keys");
}

#[test]
fn remarks_on_objects_are_no_part_of_a_payload() {
    let schema = json!({
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": { "type": "object", "description": "Where it goes, in full", "properties": { "//": { "type": "string" } } },
            "o": { "type": "object", "description": "What else there is", "required": ["b"], "properties": { "b": { "type": "string" } } }
        }
    });
    let imprint = Imprint::new(Schema::new(schema).unwrap()).unwrap();
    let shown = json!({
        "a": { "//": "Where it goes, in full", "\\//": "{OPTIONAL|string}" },
        "o": { "//": "{OPTIONAL} What else there is", "b": "{FILL|string}" }
    });
    assert_eq!(serde_json::from_str::<Value>(imprint.skeleton()).unwrap(), shown);
    let lowered = |filled: Value| imprint.lower(&filled, &Default::default());
    // Left, overwritten or left out: it makes no difference.
    for remark in ["Where it goes, in full", "Berlin", "{FILL}"] {
        let filled = json!({ "a": { "//": remark, "\\//": "x" }, "o": { "//": "{OPTIONAL} What else there is", "b": "{FILL|string}" } });
        assert_eq!(lowered(filled).payload, Some(json!({ "a": { "//": "x" } })), "{remark}");
    }
    let filled = json!({ "a": {}, "o": { "//": "done", "b": "y" } });
    assert_eq!(lowered(filled).payload, Some(json!({ "a": {}, "o": { "b": "y" } })));
    let findings = lowered(json!({ "a": { "//": { "x": 1 } } })).findings;
    assert_eq!((findings[0].code.as_str(), findings[0].pointer.as_str()), ("D1615", "/a/~1~1"));
    let again = Imprint::from_text(&imprint.text()).unwrap();
    assert_eq!(again.skeleton(), imprint.skeleton());
}
