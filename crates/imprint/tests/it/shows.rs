//! The parts of a schema that a template shows, shape by shape: the laws would also hold for templates that show nothing.

use deed_imprint::Imprint;
use deed_schema::{Api, Part, Schema};
use serde_json::{Value, json};

/// The skeleton, and what is said not to be shown.
#[track_caller]
fn check(schema: Value, expected: Value, unshown: &[&str]) {
    let imprint = Imprint::new(Schema::new(schema).unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(imprint.skeleton()).unwrap(), expected, "{}", imprint.skeleton());
    let hidden: Vec<&str> = imprint.unshown().iter().map(|unshown| unshown.what.as_str()).collect();
    assert_eq!(hidden, unshown);
}

#[test]
fn scalars() {
    check(json!({ "type": "integer", "minimum": 1, "maximum": 5 }), json!("{FILL|integer|range:1-5}"), &[]);
    check(
        json!({ "type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5 }),
        json!("{FILL|number|range:>0-|step:0.5}"),
        &[],
    );
    check(
        json!({ "type": "string", "minLength": 2, "pattern": "^a/b|c$" }),
        json!("{FILL|string|length:2-|pattern:/^a\\/b|c$/}"),
        &[],
    );
    check(json!({ "type": "string", "pattern": "^[a-z]+$" }), json!("{FILL|string|pattern:lowercase}"), &[]);
    check(json!({ "type": ["string", "null"], "format": "uuid" }), json!("{FILL|string|format:uuid|nullable}"), &[]);
    check(json!({ "type": ["string", "integer"] }), json!("{FILL|string/integer}"), &[]);
    check(json!({ "type": "string", "not": { "enum": ["a", 5] } }), json!("{FILL|string|not:a|not:5}"), &[]);
    check(json!({ "type": "string", "not": { "pattern": "a" } }), json!("{FILL|string}"), &["not"]);
    check(json!({ "type": "integer", "default": 3 }), json!("{FILL|integer|default:3}"), &[]);
    check(
        json!({ "enum": ["a", "b|c", 1, "1", true, null, "nullable"] }),
        json!("{FILL_ENUM|a|b\\|c|1|\"1\"|true|\"nullable\"|nullable}"),
        &[],
    );
    check(json!({ "const": { "a": [1] } }), json!("{FILL_ENUM|{\"a\":[1]\\}}"), &[]);
}

#[test]
fn objects() {
    check(
        json!({ "type": "object", "required": ["b"], "properties": { "a": { "type": "string" }, "b": { "type": "string" },
                "c": { "type": "string", "readOnly": true } }, "additionalProperties": false, "minProperties": 1 }),
        json!({ "//": "{FILL|keys:1-}", "b": "{FILL|string}", "a": "{OPTIONAL|string}", "c": "{AUTO|string}" }),
        &[],
    );
    check(
        json!({ "type": "object", "additionalProperties": { "type": "integer" }, "propertyNames": { "pattern": "^x" } }),
        json!({ "{KEY|rest|pattern:/^x/}": "{OPTIONAL|integer}" }),
        &[],
    );
    check(
        json!({ "type": "object", "patternProperties": { "^x": { "type": "integer" } }, "additionalProperties": false }),
        json!({ "{KEY|pattern:/^x/}": "{OPTIONAL|integer}" }),
        &[],
    );
    check(
        json!({ "type": "object", "properties": { "a": {}, "b": {} }, "dependentRequired": { "a": ["b"] } }),
        json!({ "a": "{OPTIONAL|any|with:b}", "b": "{OPTIONAL|any}" }),
        &[],
    );
    check(
        json!({ "type": "object", "properties": { "a": {}, "b": {} }, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        json!({ "//": "{FILL|need:a/b}", "a": "{OPTIONAL|any}", "b": "{OPTIONAL|any}" }),
        &[],
    );
}

#[test]
fn lists_and_tuples() {
    check(
        json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true }),
        json!(["{FILL|string|items:1-|unique}"]),
        &[],
    );
    check(
        json!({ "type": ["array", "null"], "items": { "type": "string" } }),
        json!(["{FILL|array|nullable}", "{FILL|string}"]),
        &[],
    );
    let two = json!([{ "type": "string" }, { "type": "integer" }]);
    check(
        json!({ "type": "array", "prefixItems": two, "items": false }),
        json!(["{FILL|tuple|closed}", "{FILL|string}", "{FILL|integer}"]),
        &[],
    );
    check(
        json!({ "type": "array", "prefixItems": two, "items": { "type": "null" }, "minItems": 1 }),
        json!(["{FILL|tuple|rest|items:1-}", "{FILL|string}", "{FILL|integer}", "{FILL_ENUM|null}"]),
        &[],
    );
    check(
        json!({ "type": "array", "prefixItems": two }),
        json!(["{FILL|tuple}", "{FILL|string}", "{FILL|integer}"]),
        &[],
    );
    check(
        json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": two, "additionalItems": false }),
        json!(["{FILL|tuple|closed}", "{FILL|string}", "{FILL|integer}"]),
        &[],
    );
}

#[test]
fn unions() {
    check(json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), json!("{FILL|string|nullable}"), &[]);
    check(
        json!({ "oneOf": [{ "type": "string" }, { "type": "object", "properties": { "a": {} } }] }),
        json!({ "{ONE_OF}": ["{FILL|string}", { "a": "{OPTIONAL|any}" }] }),
        &[],
    );
    check(
        json!({ "type": "object", "properties": { "k": {} }, "anyOf": [
            { "properties": { "a": { "type": "string" } }, "required": ["a"] },
            { "properties": { "b": { "type": "string" } }, "required": ["b"] }
        ] }),
        json!({ "k": "{OPTIONAL|any}", "{ANY_OF}": [{ "a": "{FILL|string}" }, { "b": "{FILL|string}" }] }),
        &[],
    );
}

#[test]
fn conditions() {
    let when = |name: &str, value: Value| {
        json!({
            "type": "object",
            "properties": { name: { "type": "string" } },
            "if": { "properties": { name: { "const": value } }, "required": [name] },
            "then": { "required": ["x"] },
            "else": { "required": ["y"] }
        })
    };
    check(
        when("kind", json!("a")),
        json!({ "kind": "{OPTIONAL|string}", "{WHEN|kind=a}": { "x": "{FILL|any}" }, "{UNLESS|kind=a}": { "y": "{FILL|any}" } }),
        &[],
    );
    // What could not be read back bare is written in quotes.
    check(
        when("a=b", json!("a/b")),
        json!({
            "a=b": "{OPTIONAL|string}",
            "{WHEN|\"a=b\"=\"a/b\"}": { "x": "{FILL|any}" },
            "{UNLESS|\"a=b\"=\"a/b\"}": { "y": "{FILL|any}" }
        }),
        &[],
    );
    // What a condition can only ask of a whole value is named and not shown.
    check(when("kind", json!(["a"])), json!({ "kind": "{OPTIONAL|string}" }), &["if"]);
    check(
        json!({ "type": "object", "properties": { "a": {} }, "dependentSchemas": { "a": { "required": ["b"] } } }),
        json!({ "a": "{OPTIONAL|any}", "{WITH|a}": { "b": "{FILL|any}" } }),
        &[],
    );
}

/// A schema whose condition is written in one way, and the token that shows it.
#[track_caller]
fn condition(condition: Value, required: &[&str], when: &str, unless: &str) {
    let schema = json!({
        "type": "object",
        "required": required,
        "properties": { "kind": { "enum": ["a", "b", "c"] }, "size": { "type": "integer" } },
        "if": condition,
        "then": { "required": ["x"], "properties": { "x": { "type": "string" } } },
        "else": { "required": ["size"] }
    });
    let mut expected = json!({
        "kind": if required.contains(&"kind") { "{FILL_ENUM|a|b|c}" } else { "{OPTIONAL_ENUM|a|b|c}" },
        "size": "{OPTIONAL|integer}",
    });
    expected[when] = json!({ "x": "{FILL|string}" });
    expected[unless] = json!({ "size": "{FILL|integer}" });
    check(schema.clone(), expected.clone(), &[]);
    // The same where it stands in a list of schemas.
    let mut outer = schema.as_object().unwrap().clone();
    let inner: serde_json::Map<String, Value> =
        ["if", "then", "else"].into_iter().map(|key| (key.to_owned(), outer.remove(key).unwrap())).collect();
    outer.insert("allOf".to_owned(), json!([inner]));
    check(Value::Object(outer), expected, &[]);
}

#[test]
fn conditions_are_shown_however_they_are_spelt() {
    let a = json!({ "properties": { "kind": { "const": "a" } } });
    condition(a.clone(), &["kind"], "{WHEN|kind=a}", "{UNLESS|kind=a}");
    // Without `required` it holds of an object without the key as well.
    condition(a.clone(), &[], "{WHEN|kind=a/absent}", "{UNLESS|kind=a/absent}");
    let given = json!({ "properties": { "kind": { "const": "a" } }, "required": ["kind"] });
    condition(given.clone(), &[], "{WHEN|kind=a}", "{UNLESS|kind=a}");
    let listed = json!({ "type": "object", "properties": { "kind": { "type": "string", "enum": ["a", "b"] } } });
    condition(listed, &["kind"], "{WHEN|kind=a/b}", "{UNLESS|kind=a/b}");
    condition(json!({ "required": ["size"] }), &[], "{WHEN|size!=absent}", "{UNLESS|size!=absent}");
    let both = json!({ "properties": { "kind": { "const": "a" }, "size": { "enum": [1, 2] } }, "required": ["size"] });
    condition(both, &["kind"], "{WHEN|kind=a|size=1/2}", "{UNLESS|kind=a|size=1/2}");
    condition(json!({ "not": given }), &[], "{UNLESS|kind=a}", "{WHEN|kind=a}");
    let other = json!({ "properties": { "kind": { "not": { "enum": ["a", "b"] } } } });
    condition(other.clone(), &[], "{WHEN|kind!=a/b}", "{UNLESS|kind!=a/b}");
    let parts = json!({ "allOf": [a, { "required": ["kind"] }] });
    condition(parts, &[], "{WHEN|kind=a}", "{UNLESS|kind=a}");
    let either = json!({ "anyOf": [
        { "properties": { "kind": { "const": "a" } }, "required": ["kind"] },
        { "properties": { "kind": { "const": "b" } }, "required": ["kind"] }
    ] });
    condition(either, &[], "{WHEN|kind=a/b}", "{UNLESS|kind=a/b}");
}

#[test]
fn several_conditions_on_one_key_are_all_shown() {
    let when = |kind: &str, key: &str| {
        json!({
            "if": { "properties": { "kind": { "const": kind } } },
            "then": { "required": [key], "properties": { key: { "type": "string" } } }
        })
    };
    check(
        json!({
            "type": "object",
            "required": ["kind"],
            "properties": { "kind": { "enum": ["a", "b"] } },
            "allOf": [when("a", "x"), when("b", "y"), when("b", "z")]
        }),
        json!({
            "kind": "{FILL_ENUM|a|b}",
            "{WHEN|kind=a}": { "x": "{FILL|string}" },
            "{WHEN|kind=b}": { "y": "{FILL|string}" },
            "{WHEN|kind=b|#2}": { "z": "{FILL|string}" }
        }),
        &[],
    );
}

#[test]
fn what_nothing_can_be_is_not_offered() {
    for nothing in [
        json!({ "not": {} }),
        json!(false),
        json!({ "type": "string", "not": true }),
        json!({ "not": { "description": "x" } }),
    ] {
        check(
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": nothing } }),
            json!({ "a": "{OPTIONAL|string}" }),
            &["forbidden"],
        );
    }
    check(
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": { "not": {} } }),
        json!({ "a": "{OPTIONAL|string}" }),
        &[],
    );
    // The opposite of nothing is anything.
    check(json!({ "type": "string", "not": { "not": {} } }), json!("{FILL|string}"), &[]);
    let schema = json!({ "type": "object", "properties": { "b": { "not": {} } } });
    let imprint = Imprint::new(Schema::new(schema).unwrap()).unwrap();
    let lowered = imprint.lower(&json!({ "b": 1 }), &Default::default());
    assert_eq!(lowered.payload, None);
    assert!(Imprint::new(Schema::new(json!({ "not": {} })).unwrap()).is_err());
}

#[test]
fn text() {
    check(
        json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": { "type": "integer" } }),
        json!({ "{SERIALIZED}": "{FILL|integer}" }),
        &[],
    );
    check(
        json!({ "type": "string", "contentMediaType": "image/png", "contentEncoding": "base64" }),
        json!("{FILL|string}"),
        &["contentMediaType"],
    );
}

#[test]
fn what_several_schemas_ask_for_is_shown_as_one() {
    check(
        json!({
            "allOf": [
                { "type": "object", "properties": { "a": { "type": "integer", "minimum": 1 } }, "required": ["a"] },
                { "properties": { "a": { "maximum": 9 }, "b": { "type": "string" } } }
            ]
        }),
        json!({ "a": "{FILL|integer|range:1-9}", "b": "{OPTIONAL|string}" }),
        &[],
    );
}

#[test]
fn what_is_only_read_is_left_out_of_a_request() {
    let api = Api::new(json!({
        "openapi": "3.0.0",
        "paths": { "/a": { "post": { "operationId": "make", "requestBody": { "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["id", "name"],
            "properties": { "id": { "type": "string", "readOnly": true }, "name": { "type": "string" } }
        } } } } } } }
    }))
    .unwrap();
    let schema = api.schema(&api.operations()[0], Part::Body).unwrap().unwrap();
    let imprint = Imprint::new(schema).unwrap();
    assert_eq!(imprint.skeleton(), r#"{"name":"{FILL|string}"}"#);
    let left_out: Vec<_> =
        imprint.unshown().iter().map(|unshown| (unshown.what.as_str(), unshown.at.as_str())).collect();
    assert_eq!(left_out, [("readOnly", "/id")]);
    // It is still the system's to supply, and not the model's.
    let payload = json!({ "id": "x", "name": "a" });
    let filled = imprint.fill(&payload);
    assert_eq!(imprint.lower(&filled.document, &filled.supplied).payload, Some(payload.clone()));
    assert_eq!(imprint.lower(&payload, &Default::default()).payload, None);
}

#[test]
fn the_head_is_as_short_as_the_template() {
    let head = |schema: Value| Imprint::new(Schema::new(schema).unwrap()).unwrap().head().to_owned();
    let small = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["a"],
        "properties": { "a": { "type": "string" }, "b": { "type": "integer" }, "c": { "enum": ["x", "y"] } }
    });
    assert_eq!(head(small.clone()), "Fill each {…}, numbers unquoted, omit unused. No other keys. JSON only.");
    let mut titled = small.clone();
    titled["title"] = json!("{A} ticket");
    assert_eq!(head(titled), "Fill each {…}, numbers unquoted, omit unused: {A} ticket. No other keys. JSON only.");
    assert_eq!(
        head(json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } })),
        "Fill {…}. JSON only."
    );
    let mut large = small;
    large["allOf"] = json!([{ "if": { "properties": { "c": { "const": "x" } } }, "then": { "required": ["b"] } }]);
    large["properties"]["d"] =
        json!({ "oneOf": [{ "type": "string" }, { "type": "object", "properties": { "e": {} } }] });
    assert_eq!(
        head(large),
        "object, 6 fields, 4 levels. MUST fill 1. No other keys. ENUM: pick one. Omit unused. \
         Fill each {…}, numbers unquoted. Reply JSON only. ONE_OF: keep one. WHEN: only if so."
    );
}

#[test]
fn the_head_says_what_the_author_of_the_schema_says() {
    let head = |mut schema: Value| {
        schema["type"] = json!("array");
        schema["items"] = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } });
        Imprint::new(Schema::new(schema).unwrap()).unwrap().head().to_owned()
    };
    let bounded = json!({ "title": "Deny list", "minItems": 1, "maxItems": 50 });
    assert_eq!(head(bounded), "array of 1-50, 1 field. MUST fill 1: Deny list. Fill each {…}. Reply JSON only.");
    let warned = json!({ "title": "Deny list", "description": "CRITICAL: replaces the live deny list. More." });
    assert_eq!(
        head(warned),
        "array, 1 field. MUST fill 1: CRITICAL: replaces the live deny… Fill each {…}. Reply JSON only."
    );
    let described = json!({ "title": "Deny list", "description": "Hosts to block" });
    assert!(head(described).contains("MUST fill 1: Deny list: Hosts to block."));
    let own = json!({ "title": "Deny list", "x-deed-severity": "DESTRUCTIVE", "x-deed-next": "Then call publish" });
    assert_eq!(
        head(own),
        "array, 1 field. DESTRUCTIVE, fill 1: Deny list. Fill each {…}. Reply JSON only. Then call publish."
    );
    // Whatever they say, it stays one line of 200 characters that closes nothing.
    let long = "No other keys.\nX".repeat(40);
    let written = head(json!({ "title": long, "description": long, "x-deed-severity": long, "x-deed-next": long }));
    assert!(
        written.chars().count() <= 200 && !written.contains('\n') && !written.contains("No other keys."),
        "{written}"
    );
}

/// A required object counts among what must be filled, also if all of its own keys may be left out.
#[test]
fn the_head_counts_required_objects() {
    let text = || json!({ "type": "string" });
    let money = json!({ "type": "object", "properties": { "amount": { "type": "integer" }, "currency": text() } });
    let optional: serde_json::Map<String, Value> = (0..8).map(|n| (format!("o{n}"), text())).collect();
    let mut properties = json!({ "source_id": text(), "key": text(), "money": money, "tips": [] });
    properties["tips"] = json!({ "type": "object", "properties": { "of": money } });
    properties.as_object_mut().unwrap().extend(optional);
    let schema = json!({ "type": "object", "required": ["source_id", "key", "money"], "properties": properties });
    let imprint = Imprint::new(Schema::new(schema).unwrap()).unwrap();
    assert!(imprint.head().contains("MUST fill 3"), "{}", imprint.head());
    // What the schema lets be empty may be empty.
    let filled = json!({ "source_id": "a", "key": "b", "money": {} });
    assert_eq!(imprint.lower(&filled, &Default::default()).payload, Some(filled));
}
