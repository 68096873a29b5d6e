//! Messages of violations: one small case for each.

use deed_schema::{Schema, Violation, ViolationKind};
use serde_json::{Map, Value, json};

fn found(schema: Value, value: &Value) -> Vec<Violation> {
    let schema = Schema::new(schema).unwrap();
    let found = schema.violations(value).unwrap();
    assert_eq!(found.is_empty(), schema.is_valid(value).unwrap(), "{found:?}");
    found
}

/// Each violation as a line: kind, place, message and hint.
#[track_caller]
fn check(schema: Value, value: Value, expected: &[&str]) {
    let line = |violation: &Violation| {
        let help = violation.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{:?} {}: {}{help}", violation.kind, violation.pointer, violation.message)
    };
    let found: Vec<String> = found(schema, &value).iter().map(line).collect();
    assert_eq!(found, expected);
}

#[test]
fn types() {
    check(json!({ "type": "string" }), json!(1), &["WrongType : the payload must be a string, not a number"]);
    check(
        json!({ "properties": { "a": { "type": ["integer", "null"] } } }),
        json!({ "a": "x" }),
        &["WrongType /a: `a` must be null or an integer, not a string"],
    );
    check(
        json!({ "items": { "type": "object" } }),
        json!([{}, []]),
        &["WrongType /1: item 1 must be an object, not an array"],
    );
    check(
        json!({ "properties": { "list": { "items": { "type": "boolean" } } } }),
        json!({ "list": [true, null] }),
        &["WrongType /list/1: item 1 of `list` must be a boolean, not null"],
    );
}

#[test]
fn keys() {
    let schema = json!({
        "type": "object",
        "required": ["customer_id", "name"],
        "properties": { "customer_id": {}, "name": {}, "note": {} },
        "additionalProperties": false
    });
    check(
        schema.clone(),
        json!({ "customer_ids": 1, "name": "x" }),
        &[
            "Missing : the payload needs `customer_id` (is `customer_ids` meant?)",
            "UnknownKey /customer_ids: `customer_ids` is not a key of the payload (did you mean `customer_id`?)",
        ],
    );
    check(
        schema.clone(),
        json!({ "customer_id": 1, "name": "x", "zzz": 1 }),
        &["UnknownKey /zzz: `zzz` is not a key of the payload (it may have `note`)"],
    );
    check(
        schema,
        json!({ "customer_id": 1, "name": "x", "a/b~c": 1 }),
        &["UnknownKey /a~1b~0c: `a/b~c` is not a key of the payload (it may have `note`)"],
    );
    check(
        json!({ "properties": { "in/ner": { "required": ["a"] } } }),
        json!({ "in/ner": {} }),
        &["Missing /in~1ner: `in/ner` needs `a`"],
    );
}

#[test]
fn keys_say_which_key() {
    let schema = json!({ "required": ["a"], "properties": { "a": {} }, "additionalProperties": false });
    let keys: Vec<(ViolationKind, Option<String>)> =
        found(schema, &json!({ "b": 1 })).into_iter().map(|violation| (violation.kind, violation.key)).collect();
    let expected = [(ViolationKind::Missing, Some("a".to_owned())), (ViolationKind::UnknownKey, Some("b".to_owned()))];
    assert_eq!(keys, expected);
}

#[test]
fn values() {
    let schema = json!({ "properties": { "s": { "enum": ["active", "paused"] } } });
    check(
        schema.clone(),
        json!({ "s": "Active" }),
        &["NotAllowed /s: `s` may not be `Active` (did you mean `active`?)"],
    );
    check(schema, json!({ "s": 5 }), &["NotAllowed /s: `s` may not be `5` (it is one of `active`, `paused`)"]);
    check(json!({ "const": 5 }), json!(6), &["NotAllowed : the payload may not be `6` (did you mean `5`?)"]);
    let many: Vec<String> = (0..20).map(|n| format!("value-{n:02}-{}", "x".repeat(n))).collect();
    let said = found(json!({ "enum": many }), &json!("q"))[0].help.clone().unwrap();
    assert!(said.ends_with("and 8 more"), "{said}");
}

#[test]
fn bounds() {
    let one = |keyword: &str, limit: Value| json!({ keyword: limit });
    check(one("minimum", json!(3)), json!(2), &["OutOfRange : the payload is 2, below 3"]);
    check(one("maximum", json!(3)), json!(4), &["OutOfRange : the payload is 4, above 3"]);
    check(one("exclusiveMinimum", json!(3)), json!(3), &["OutOfRange : the payload is 3, and must be above 3"]);
    check(one("exclusiveMaximum", json!(3)), json!(3), &["OutOfRange : the payload is 3, and must be below 3"]);
    check(one("multipleOf", json!(3)), json!(4), &["OutOfRange : the payload is 4, not a multiple of 3"]);
    check(one("minLength", json!(2)), json!("a"), &["OutOfRange : the payload has fewer than 2 characters"]);
    check(one("maxLength", json!(1)), json!("ab"), &["OutOfRange : the payload has more than 1 character"]);
    check(one("minItems", json!(1)), json!([]), &["OutOfRange : the payload has fewer than 1 item"]);
    check(one("maxItems", json!(1)), json!([1, 2]), &["OutOfRange : the payload has more than 1 item"]);
    check(one("minProperties", json!(1)), json!({}), &["OutOfRange : the payload has fewer than 1 key"]);
    check(one("maxProperties", json!(0)), json!({ "a": 1 }), &["OutOfRange : the payload has more than 0 keys"]);
    let draft4 =
        json!({ "$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": true });
    check(draft4, json!(3), &["OutOfRange : the payload is 3, and must be above 3"]);
}

#[test]
fn forms() {
    check(json!({ "pattern": "^a+$" }), json!("b"), &["BadForm : the payload does not match `^a+$` (it is `b`)"]);
    check(json!({ "format": "uuid" }), json!("b"), &["BadForm : the payload is not of the format `uuid` (it is `b`)"]);
    // Every draft is held to it, and an unknown format is a remark.
    let old = json!({ "$schema": "http://json-schema.org/draft-04/schema#", "format": "uuid" });
    check(old, json!("b"), &["BadForm : the payload is not of the format `uuid` (it is `b`)"]);
    check(json!({ "format": "int32" }), json!("b"), &[]);
    let bad = json!({ "type": "string", "pattern": "^(a|a)*\\1b$" });
    check(
        bad,
        json!("a".repeat(3_000)),
        &["BadForm : the payload cannot be matched against its pattern within bounds (the pattern of the schema \
           backtracks too much on this text)"],
    );
}

#[test]
fn the_rest() {
    check(json!({ "uniqueItems": true }), json!([1, 1.0]), &["Other : the payload has the same item twice"]);
    check(json!({ "properties": { "a": false } }), json!({ "a": 1 }), &["Other /a: `a` must not be given"]);
    check(
        json!({ "not": { "type": "string" } }),
        json!("x"),
        &["Other : the payload is what the schema rules out with `not`"],
    );
    check(
        json!({ "contains": { "type": "string" } }),
        json!([1]),
        &["Other : the payload has no item of the kind it must contain"],
    );
    let names = found(json!({ "propertyNames": { "maxLength": 2 } }), &json!({ "abc": 1 }));
    assert_eq!(names[0].kind, ViolationKind::UnknownKey);
    assert!(names[0].message.starts_with("a key of the payload is not allowed"), "{names:?}");
    let tuple = json!({ "prefixItems": [{}], "items": false });
    assert!(!found(tuple, &json!([1, 2])).is_empty());
}

fn pets() -> Value {
    json!({
        "oneOf": [
            { "type": "object", "required": ["kind", "lives"],
              "properties": { "kind": { "const": "cat" }, "lives": { "type": "integer" } } },
            { "type": "object", "required": ["kind", "barks"],
              "properties": { "kind": { "const": "dog" }, "barks": { "type": "boolean" } } },
            { "type": "string" }
        ]
    })
}

#[test]
fn the_variant_of_the_same_kind_speaks() {
    check(pets(), json!({ "kind": "dog", "barks": 1 }), &["WrongType /barks: `barks` must be a boolean, not a number"]);
    check(pets(), json!({ "kind": "cat" }), &["Missing : the payload needs `lives`"]);
}

#[test]
fn the_only_variant_of_the_same_type_speaks() {
    let schema = json!({ "anyOf": [{ "type": "integer", "maximum": 3 }, { "type": "string", "maxLength": 2 }] });
    check(schema.clone(), json!(4), &["OutOfRange : the payload is 4, above 3"]);
    check(schema.clone(), json!("abc"), &["OutOfRange : the payload has more than 2 characters"]);
    check(
        schema,
        json!([]),
        &["NoVariant : the payload fits none of 2 shapes (the nearest of them says: the payload must be an integer, \
           not an array)"],
    );
}

#[test]
fn of_several_alike_the_nearest_is_named() {
    let schema = json!({
        "anyOf": [
            { "type": "object", "required": ["a", "b"] },
            { "type": "object", "required": ["c"] }
        ]
    });
    check(
        schema,
        json!({}),
        &["NoVariant : the payload fits none of 2 shapes (the nearest of them says: the payload needs `c`)"],
    );
}

#[test]
fn too_many_variants_are_said() {
    check(
        json!({ "oneOf": [{ "type": "integer" }, { "minimum": 0 }] }),
        json!(1),
        &["NoVariant : the payload fits several shapes of which it may fit only one (leave out what belongs to the \
           other shape)"],
    );
}

#[test]
fn unions_within_unions_are_looked_into() {
    let schema = json!({ "properties": { "pet": { "anyOf": [pets(), { "type": "null" }] } } });
    check(
        schema,
        json!({ "pet": { "kind": "dog", "barks": "loud" } }),
        &["WrongType /pet/barks: `barks` must be a boolean, not a string"],
    );
}

#[test]
fn words_are_the_same_where_references_are_shared() {
    // Written out it would be too large, so references are asked one by one.
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(format!("d{level}"), json!({ "properties": { "a": next, "b": next } }));
    }
    definitions.insert(
        "d40".to_owned(),
        json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } }),
    );
    definitions.insert("pet".to_owned(), pets());
    let schema = json!({
        "$defs": definitions,
        "properties": {
            "deep": { "$ref": "#/$defs/d38" },
            "pet": { "$ref": "#/$defs/pet" },
            "large": { "$ref": "#/$defs/d0" }
        }
    });
    check(
        schema.clone(),
        json!({ "deep": { "a": { "b": { "name": 1 } }, "b": { "a": {} } }, "pet": { "kind": "dog", "barks": 1 } }),
        &[
            "WrongType /deep/a/b/name: `name` must be a string, not a number",
            "Missing /deep/b/a: `a` needs `name`",
            "WrongType /pet/barks: `barks` must be a boolean, not a number",
        ],
    );
    check(schema, json!({ "pet": "rex", "deep": {} }), &[]);
}

#[test]
fn everything_is_said_once_and_in_the_order_of_places() {
    let schema = json!({
        "allOf": [{ "properties": { "a": { "type": "string" } } }, { "properties": { "a": { "type": "string" } } }],
        "properties": { "b": { "type": "string" } }
    });
    check(
        schema,
        json!({ "b": 1, "a": 1 }),
        &["WrongType /a: `a` must be a string, not a number", "WrongType /b: `b` must be a string, not a number"],
    );
}

#[test]
fn a_flood_of_faults_ends() {
    let schema = json!({ "items": { "type": "string" } });
    let many: Value = (0..100_000).collect();
    let said = found(schema, &many);
    assert!(said.len() >= 1_000 && said.len() <= 1_001, "{}", said.len());
}

#[test]
fn as_many_as_are_listed_are_not_more() {
    let schema = Schema::new(json!({ "items": { "type": "integer" } })).unwrap();
    for (faults, listed) in [(3, 3), (4, 4), (5, 5), (9, 5)] {
        let found = schema.violations_up_to(&json!(vec!["x"; faults]), 4).unwrap();
        assert_eq!(found.len(), listed);
        assert_eq!(found.iter().any(|v| v.message.starts_with("more than 4 things are wrong")), faults > 4, "{faults}");
    }
    let found = schema.violations_up_to(&json!(["x", "x"]), 1).unwrap();
    assert!(found.iter().any(|v| v.message == "more than 1 thing is wrong; the rest is not listed"), "{found:?}");
    // What is said twice is one thing.
    let twice = json!({ "allOf": [{ "items": { "type": "integer" } }, { "items": { "type": "integer" } }] });
    let found = Schema::new(twice).unwrap().violations_up_to(&json!(["x", "x", "x"]), 4).unwrap();
    assert_eq!(found.len(), 3, "{found:?}");
}
