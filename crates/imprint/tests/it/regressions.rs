//! Regressions.

use deed_canon::canonical_string;
use deed_imprint::{Imprint, Lowered};
use deed_schema::{Api, Part, Reason, Refused, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn imprint(schema: Value) -> Imprint {
    Imprint::new(Schema::new(schema).unwrap()).unwrap()
}

/// Checks that a valid payload comes back byte for byte.
#[track_caller]
fn comes_back(schema: Value, instance: Value) {
    let imprint = imprint(schema);
    assert_eq!(imprint.schema().is_valid(&instance), Ok(true));
    let filled = imprint.fill(&instance);
    let lowered = imprint.lower(&filled.document, &filled.supplied);
    let back = lowered.payload.as_ref().map(|payload| canonical_string(payload).unwrap());
    assert_eq!(back, Some(canonical_string(&instance).unwrap()), "{} {:?}", filled.document, lowered.findings);
}

/// Checks that a valid payload is valid under the meaning of the template.
#[track_caller]
fn not_stricter(schema: Value, instance: Value) {
    let imprint = imprint(schema);
    assert_eq!(imprint.schema().is_valid(&instance), Ok(true));
    let shown = Schema::new(imprint.shown()).unwrap();
    assert_eq!(shown.is_valid(&instance), Ok(true), "{} shows {}", imprint.text(), imprint.shown());
}

/// Checks that a template is the same when read and written again.
#[track_caller]
fn rewritten(schema: Value) {
    let imprint = imprint(schema);
    let again = Imprint::from_text(&imprint.text()).unwrap_or_else(|error| panic!("{}\n{error:?}", imprint.text()));
    assert_eq!(again.skeleton(), imprint.skeleton());
}

/// Does something that may not end; the thread is left behind if it does not.
#[track_caller]
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(10)).expect("it does not end")
}

fn lower(schema: Value, filled: Value) -> Lowered {
    imprint(schema).lower(&filled, &BTreeMap::new())
}

fn pointers(lowered: &Lowered) -> Vec<(&str, &str)> {
    lowered.findings.iter().map(|finding| (finding.code.as_str(), finding.pointer.as_str())).collect()
}

// Things that did not end.

#[test]
fn sections_of_a_shape_within_itself_end() {
    let name = json!({ "type": "string", "description": "long words to make it worth a section of its own" });
    let schema = json!({ "type": "object", "properties": { "a": name, "b": name, "child": { "$ref": "#" } } });
    soon(move || imprint(schema).sections(1, &|text| text.len() / 4).parts.len());
}

#[test]
fn sections_of_shapes_used_twice_are_not_as_many_as_their_paths() {
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(format!("d{level}"), json!({ "type": "object", "properties": { "a": next, "b": next } }));
    }
    definitions.insert("d40".to_owned(), json!({ "type": "string" }));
    let schema = json!({ "$defs": definitions, "$ref": "#/$defs/d0" });
    soon(move || imprint(schema).sections(1, &|text| text.len() / 4).parts.len());
}

#[test]
fn a_union_that_is_a_variant_of_itself_can_be_filled() {
    let schema = json!({
        "anyOf": [
            { "$ref": "#" },
            { "type": "object", "properties": { "id": { "type": "string", "readOnly": true } } }
        ]
    });
    soon(move || comes_back(schema, json!({ "id": "x" })));
}

// What is valid comes back.

#[test]
fn null_is_not_text() {
    comes_back(json!({ "type": ["string", "null"], "contentMediaType": "application/json" }), Value::Null);
}

#[test]
fn text_that_is_json_of_another_kind_than_told_stays_text() {
    let schema = json!({
        "type": "string", "contentMediaType": "application/json", "contentSchema": { "type": "object" }
    });
    comes_back(schema, json!("5"));
}

#[test]
fn what_the_system_supplies_within_text_by_the_callers_word_comes_back() {
    let schema = json!({ "type": "object", "properties": { "meta": {
        "type": "object", "properties": { "id": { "type": "string", "readOnly": true }, "n": { "type": "integer" } }
    } } });
    let imprint = imprint(schema).serializing(vec!["/meta".to_owned()]);
    let payload = json!({ "meta": "{\"id\":\"x\",\"n\":1}" });
    let filled = imprint.fill(&payload);
    let lowered = imprint.lower(&filled.document, &filled.supplied);
    assert_eq!(lowered.payload, Some(payload), "{:?}", lowered.findings);
}

// A template asks for no more than its schema.

#[test]
fn a_pattern_of_keys_too_long_to_show_is_no_rest() {
    let pattern = format!("^a{}", "x?".repeat(100));
    let schema = json!({
        "type": "object",
        "patternProperties": { pattern: { "type": "string" } },
        "additionalProperties": { "type": "integer" }
    });
    not_stricter(schema, json!({ "a": "x" }));
}

#[test]
fn a_form_of_keys_says_nothing_of_listed_ones() {
    let schema = json!({
        "type": "object",
        "properties": { "ab": { "type": "string" } },
        "propertyNames": { "pattern": "^a" },
        "additionalProperties": { "type": "integer" }
    });
    not_stricter(schema, json!({ "ab": "x" }));
}

#[test]
fn a_schema_without_a_type_takes_other_types() {
    not_stricter(json!({ "properties": { "a": { "type": "string" } }, "items": { "type": "integer" } }), json!("x"));
    not_stricter(json!({ "items": {}, "maxLength": 4 }), json!(1.5));
    not_stricter(json!({ "required": ["a"], "additionalProperties": false }), json!("x"));
    not_stricter(json!({ "minProperties": 2, "maxProperties": 1 }), json!("x"));
    let condition = json!({ "properties": { "a": { "const": 1 } }, "required": ["a"] });
    not_stricter(json!({ "if": condition, "then": { "required": ["b"] } }), json!("x"));
    let needs = |name: &str| json!({ "required": [name], "properties": { name: { "type": "string" } } });
    not_stricter(json!({ "properties": { "a": {} }, "anyOf": [needs("b"), needs("c")] }), json!("x"));
}

// What was written is read and written the same.

#[test]
fn a_key_that_begins_with_a_hash_is_a_key() {
    rewritten(json!({ "type": "object", "dependentSchemas": { "#a": { "required": ["b"] } } }));
}

#[test]
fn a_union_without_a_variant_is_written_as_something_that_can_be_read() {
    let never = json!({ "oneOf": [false, { "type": "string", "minLength": 1, "maxLength": 0 }] });
    rewritten(json!({ "type": "object", "properties": { "a": never } }));
    let group =
        json!({ "type": "object", "properties": { "z": {} }, "oneOf": [{ "type": "string" }, { "type": "null" }] });
    rewritten(json!({ "type": "object", "properties": { "a": group } }));
}

#[test]
fn a_branch_that_names_a_key_again_is_written_the_same() {
    rewritten(json!({
        "definitions": { "any": {} },
        "dependencies": { "x": {
            "dependencies": { "y": { "properties": { "name": { "$ref": "#/definitions/any" } } } },
            "properties": { "name": { "description": "two\nline" } },
        } },
    }));
    rewritten(json!({ "allOf": [
        { "additionalProperties": { "type": "string" }, "dependencies": { "q": { "required": ["x"] } } },
        { "properties": { "x": { "type": "null" } } },
    ] }));
    rewritten(json!({ "anyOf": [{
        "if": { "required": ["kind"] }, "properties": { "kind": { "const": "k1" } },
        "then": { "properties": { "kind": { "maxLength": 4, "readOnly": true } } },
    }] }));
}

/// Other JSON stays as it is where another shape takes anything.
#[test]
fn json_becomes_text_only_where_nothing_else_can_stand() {
    let schema = json!({ "anyOf": [{}, { "properties": { "a": { "contentMediaType": "application/json", "type": "string" } } }] });
    assert_eq!(lower(schema, json!({ "a": [] })).payload, Some(json!({ "a": [] })));
    let only = json!({ "properties": { "a": { "contentMediaType": "application/json", "type": "string" } } });
    assert_eq!(lower(only, json!({ "a": [] })).payload, Some(json!({ "a": "[]" })));
}

#[test]
fn a_need_of_nothing_is_no_need() {
    rewritten(
        json!({ "type": "object", "properties": { "b": {} }, "anyOf": [{ "required": [] }, { "required": ["b"] }] }),
    );
}

#[test]
fn a_title_cannot_close_an_object() {
    let inner = json!({ "type": "object", "properties": { "b": {} }, "additionalProperties": false });
    rewritten(json!({ "title": "No other keys.Really", "type": "object", "properties": { "a": inner } }));
}

#[test]
fn a_stop_for_depth_is_read_as_one() {
    let deep =
        (0..70).fold(json!({ "type": "string" }), |inner, _| json!({ "type": "object", "properties": { "a": inner } }));
    rewritten(deep);
}

#[test]
fn an_object_of_nothing_but_variants_stays_an_object() {
    rewritten(json!({
        "type": "object", "additionalProperties": false, "anyOf": [{ "maxProperties": 3 }, { "required": ["a"] }]
    }));
}

#[test]
fn a_fraction_of_the_system_has_a_type() {
    rewritten(json!({ "type": "object", "properties": { "a": { "const": 1.5, "readOnly": true } } }));
}

#[test]
fn what_stands_behind_two_rules_of_one_form_is_found() {
    let big: Map<String, Value> = (0..8).map(|n| (format!("field_{n}"), json!({ "type": "string" }))).collect();
    let big = json!({ "type": "object", "properties": big });
    rewritten(json!({
        "type": "object",
        "allOf": [
            { "patternProperties": { "^a": { "type": "string" } } },
            { "patternProperties": { "^a": { "maxLength": 5 }, "^b": { "$ref": "#/$defs/b%20ig" } } }
        ],
        "properties": { "z": { "type": "string" } },
        "dependentSchemas": { "z": { "properties": { "y": { "$ref": "#/$defs/b%20ig" } } } },
        "$defs": { "b ig": big }
    }));
}

#[test]
fn a_shape_first_met_at_a_place_of_the_system_is_still_shown() {
    let schema = json!({
        "type": "object",
        "required": ["origin"],
        "properties": { "origin": { "$ref": "#/$defs/node", "readOnly": true } },
        "additionalProperties": { "$ref": "#/$defs/node" },
        "$defs": { "node": { "type": "object", "properties": { "child": { "$ref": "#/$defs/node" } } } }
    });
    let skeleton = imprint(schema.clone()).skeleton().to_owned();
    assert!(skeleton.contains("\"child\""), "{skeleton}");
    rewritten(schema);
}

#[test]
fn a_place_of_the_system_within_itself_is_written_the_same_again() {
    rewritten(json!({
        "type": "object",
        "required": ["id"],
        "properties": { "id": { "$ref": "#", "readOnly": true } },
        "dependentRequired": { "id": ["other"] }
    }));
}

// What is shown is what is meant.

#[test]
fn a_place_of_the_system_within_itself_is_shown_as_such() {
    let schema = json!({ "type": "object", "properties": { "n": {}, "parent": { "$ref": "#", "readOnly": true } } });
    let skeleton = imprint(schema).skeleton().to_owned();
    assert!(skeleton.contains("\"parent\":\"{AUTO|"), "{skeleton}");
}

#[test]
fn a_union_of_the_system_is_not_shown_as_an_object() {
    let schema = json!({ "type": "object", "properties": {
        "u": { "readOnly": true, "oneOf": [{ "type": "string" }, { "type": "integer" }] }
    } });
    let skeleton = imprint(schema).skeleton().to_owned();
    assert!(!skeleton.contains("{AUTO|object}"), "{skeleton}");
}

#[test]
fn the_head_of_a_section_is_one_line() {
    let long: Map<String, Value> = (0..30).map(|n| (format!("field_{n}"), json!({ "type": "string" }))).collect();
    let schema = json!({ "type": "object", "properties": { "a\nb": { "type": "object", "properties": long } } });
    for part in imprint(schema).sections(50, &|text| text.len() / 4).parts {
        assert_eq!(part.text.lines().count(), 2, "{}", part.text);
    }
}

// What is filled in is read as it is meant.

#[test]
fn an_optional_list_with_a_token_before_its_item_disappears() {
    let with = |list: Value| json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" }, "l": list } });
    let list = with(json!({ "type": ["array", "null"], "items": { "type": "string" } }));
    let tuple = with(json!({ "type": "array", "prefixItems": [{ "type": "string" }] }));
    for schema in [list, tuple] {
        let mut filled: Value = serde_json::from_str(imprint(schema.clone()).skeleton()).unwrap();
        filled["a"] = json!("x");
        let lowered = lower(schema, filled);
        assert_eq!(lowered.payload, Some(json!({ "a": "x" })), "{:?}", lowered.findings);
    }
}

#[test]
fn a_required_object_whose_fields_are_all_optional_is_empty_and_not_missing() {
    let schema = json!({
        "type": "object",
        "required": ["n", "o"],
        "properties": {
            "n": { "type": "string" }, "o": { "type": "object", "properties": { "a": { "type": "string" } } }
        }
    });
    let lowered = lower(schema, json!({ "n": "x", "o": { "a": "{OPTIONAL|string}" } }));
    assert_eq!(lowered.payload, Some(json!({ "n": "x", "o": {} })), "{:?}", lowered.findings);
}

#[test]
fn a_template_that_asks_for_nothing_may_be_left() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let lowered = lower(schema, json!({ "a": "{OPTIONAL|string}" }));
    assert_eq!(lowered.payload, Some(json!({})), "{:?}", lowered.findings);
}

fn text_or_number() -> Value {
    json!({ "oneOf": [
        { "type": "string" },
        { "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } }
    ] })
}

#[test]
fn what_stands_beside_a_variant_is_not_lost_without_a_word() {
    let lowered = lower(text_or_number(), json!({ "{ONE_OF}": ["x", { "n": "{FILL|integer}" }], "b": 1 }));
    assert_eq!(lowered.payload, None);
}

#[test]
fn a_fault_within_a_variant_is_at_its_place() {
    let lowered = lower(text_or_number(), json!({ "{ONE_OF}": ["{FILL|string}", { "n": "five" }] }));
    assert_eq!(pointers(&lowered), [("D1622", "/{ONE_OF}/1/n")]);
    let lowered = lower(text_or_number(), json!({ "{ONE_OF}": ["{FILL|string}", { "n": "{FILL|", "m": 1 }] }));
    assert!(pointers(&lowered).contains(&("D1614", "/{ONE_OF}/1/n")), "{:?}", lowered.findings);
}

#[test]
fn several_variants_are_not_nothing() {
    let both = json!({ "{ONE_OF}": ["x", { "n": 1 }] });
    assert_eq!(pointers(&lower(text_or_number(), both)), [("D1615", "/{ONE_OF}")]);
}

#[test]
fn within_a_variant_left_in_its_union_places_are_as_special_as_elsewhere() {
    let schema = json!({ "oneOf": [
        { "type": "string" },
        { "type": "object", "required": ["n"], "properties": {
            "id": { "type": "string", "readOnly": true },
            "n": { "type": "string", "contentMediaType": "application/json" }
        } }
    ] });
    let lowered = lower(schema.clone(), json!({ "{ONE_OF}": ["{FILL|string}", { "n": { "a": 1 } }] }));
    assert_eq!(lowered.payload, Some(json!({ "n": "{\"a\":1}" })), "{:?}", lowered.findings);
    let lowered = lower(schema, json!({ "{ONE_OF}": ["{FILL|string}", { "n": "x", "id": "mine" }] }));
    assert!(lowered.findings.iter().any(|finding| finding.code.as_str() == "D1611"), "{lowered:?}");
}

#[test]
fn what_is_supplied_into_text_needs_no_token() {
    let schema = json!({ "type": "object", "properties": { "t": {
        "type": "string", "contentMediaType": "application/json", "contentSchema": {
            "type": "object", "properties": { "id": { "type": "string", "readOnly": true }, "n": {} }
        }
    } } });
    let supplied = BTreeMap::from([("/t/id".to_owned(), json!("x"))]);
    let lowered = imprint(schema).lower(&json!({ "t": { "n": 1 } }), &supplied);
    assert_eq!(lowered.payload, Some(json!({ "t": "{\"id\":\"x\",\"n\":1}" })), "{:?}", lowered.findings);
}

fn body_or_refused(schema: Value) -> Result<Schema, Refused> {
    let api = Api::new(json!({
        "openapi": "3.0.0",
        "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": { "schema": schema } } } } } }
    }))
    .unwrap();
    api.schema(&api.operations()[0], Part::Body).unwrap()
}

fn body(schema: Value) -> Schema {
    body_or_refused(schema).unwrap()
}

#[test]
fn a_schema_of_an_api_that_cannot_judge_says_so() {
    let schema = body(json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "(" } } }));
    match Imprint::new(schema) {
        Err(_) => {}
        Ok(imprint) => {
            let lowered = imprint.lower(&json!({ "a": "x" }), &BTreeMap::new());
            assert_eq!(pointers(&lowered), [("D1628", "")], "{:?}", lowered.findings);
        }
    }
}

#[test]
fn what_a_dead_reference_rules_out_is_not_passed() {
    // Neither place is followed when the template is made.
    let dead = json!({ "$ref": "#/components/schemas/Gone" });
    for schema in [json!({ "not": { "not": dead } }), json!({ "items": dead })] {
        let refused = body_or_refused(schema.clone()).err().unwrap_or_else(|| panic!("{schema}"));
        assert_eq!(refused.reason, Reason::MissingReference, "{schema}");
        assert!(refused.pointer.ends_with("/$ref"), "{}", refused.pointer);
    }
}

#[test]
fn almost_every_type_of_the_system_is_written_the_same_again() {
    let values = json!([false, 1.5, {}, [], "x"]);
    rewritten(json!({ "type": "object", "properties": { "a": { "enum": values, "readOnly": true } } }));
}

#[test]
fn an_object_whose_only_field_holds_nothing_is_written_the_same_again() {
    rewritten(json!({ "type": "object", "properties": { "a": false }, "dependentSchemas": { "a": {} } }));
}

#[test]
fn a_text_of_a_condition_that_does_not_hold_is_no_text() {
    let text = json!({ "properties": { "t": { "type": "string", "contentMediaType": "application/json" } } });
    comes_back(json!({ "type": "object", "dependentSchemas": { "b": text } }), json!({ "t": [] }));
    let condition = json!({ "properties": { "k": { "const": 1 } }, "required": ["k"] });
    comes_back(json!({ "type": "object", "if": condition, "then": text }), json!({ "t": [] }));
}

/// A place that the API wants as text must not be sent as something else.
#[test]
fn a_value_without_a_text_form_is_a_finding() {
    let schema = Schema::new(json!({ "type": "object", "properties": { "a": {} } })).unwrap();
    let imprint = Imprint::new(schema).unwrap().serializing(vec!["/a".to_owned()]);
    let lowered = imprint.lower(&json!({ "a": [1] }), &Default::default());
    assert_eq!(lowered.payload, Some(json!({ "a": "[1]" })));
    let lowered = imprint.lower(&json!({ "a": [1_u64 << 60] }), &Default::default());
    assert_eq!(lowered.payload, None);
    let found: Vec<_> = lowered.findings.iter().map(|f| (f.code.as_str(), f.pointer.as_str())).collect();
    assert_eq!(found, [("D1625", "/a")]);
}
