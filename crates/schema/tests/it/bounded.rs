//! Violations are explained in bounded time, whatever the schema.

use deed_schema::{Schema, ViolationKind};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

fn expressions() -> Schema {
    let of = |op: &str| {
        json!({
            "type": "object", "additionalProperties": false, "required": ["op", "left", "right"],
            "properties": { "op": { "const": op }, "left": { "$ref": "#/$defs/e" }, "right": { "$ref": "#/$defs/e" } }
        })
    };
    let mut variants: Vec<Value> = ["add", "sub", "mul", "div", "and", "or", "eq", "lt"].map(of).to_vec();
    variants.push(json!({
        "type": "object", "additionalProperties": false, "required": ["lit"],
        "properties": { "lit": { "type": "number" } }
    }));
    Schema::new(json!({ "$defs": { "e": { "oneOf": variants } }, "$ref": "#/$defs/e" })).unwrap()
}

fn nested(levels: usize, leaf: Value) -> Value {
    (0..levels).fold(leaf, |left, _| json!({ "op": "add", "left": left, "right": { "lit": 1 } }))
}

#[test]
fn a_wrong_leaf_under_a_recursive_union_is_named_however_deep() {
    let schema = expressions();
    for levels in [3, 12, 20, 60, 124] {
        let begun = Instant::now();
        let wrong = nested(levels, json!({ "lit": "x" }));
        assert_eq!(schema.is_valid(&wrong), Ok(false));
        let found = schema.violations(&wrong).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].pointer, format!("{}/lit", "/left".repeat(levels)));
        assert_eq!(found[0].kind, ViolationKind::WrongType);
        assert!(begun.elapsed() < SOON, "{levels}: {:?}", begun.elapsed());
        assert_eq!(schema.is_valid(&nested(levels, json!({ "lit": 1 }))), Ok(true));
        assert_eq!(schema.violations(&nested(levels, json!({ "lit": 1 }))), Ok(Vec::new()));
    }
}

#[test]
fn a_wrong_kind_deep_down_is_said_of_its_own_place() {
    let found =
        expressions().violations(&nested(30, json!({ "op": "pow", "left": { "lit": 1 }, "right": { "lit": 1 } })));
    let found = found.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].pointer, "/left".repeat(30));
}

/// Variants that nothing tells apart: the same three ways at every level.
#[test]
fn unions_without_a_kind_are_judged_soon() {
    let begun = Instant::now();
    let part =
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/n" }, "b": { "$ref": "#/$defs/n" } } });
    for union in ["anyOf", "oneOf"] {
        let schema = json!({
            "$defs": { "n": { (union): [part, { "$ref": "#/$defs/m" }, { "type": "string" }] }, "m": part },
            "$ref": "#/$defs/n"
        });
        let schema = Schema::new(schema).unwrap();
        let wrong = (0..60).fold(json!(1), |inner, _| json!({ "a": inner, "b": "x" }));
        assert_eq!(schema.is_valid(&wrong), Ok(false));
        assert!(!schema.violations(&wrong).unwrap().is_empty());
    }
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

/// Each part asks the next one twice, so that there are 2^26 ways from the first to the last.
#[test]
fn a_chain_of_parts_that_ask_twice_is_judged_soon() {
    let begun = Instant::now();
    let mut parts = Map::new();
    for level in 0..26 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        parts.insert(format!("d{level}"), json!({ "allOf": [next, next] }));
    }
    parts.insert("d26".to_owned(), json!({ "properties": { "a": { "type": "string" } } }));
    let schema = Schema::new(json!({ "$defs": parts, "$ref": "#/$defs/d0" })).unwrap();
    assert_eq!(schema.is_valid(&json!({ "a": 1 })), Ok(false));
    assert_eq!(schema.is_valid(&json!({ "a": "1" })), Ok(true));
    let found = schema.violations(&json!({ "a": 1 })).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer, "/a");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn a_schema_that_refers_to_itself_alone_says_what_else_it_says() {
    let own = json!({ "type": "object", "properties": { "x": { "type": "integer" } }, "additionalProperties": false });
    let itself = json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] });
    let schema = Schema::new(json!({ "$defs": { "a": own }, "allOf": [{ "$ref": "#/$defs/a" }, itself] })).unwrap();
    assert_eq!(schema.violations(&json!({ "x": 1 })), Ok(Vec::new()));
    let found = schema.violations(&json!({ "x": "1", "y": 2 })).unwrap();
    let places: Vec<&str> = found.iter().map(|violation| violation.pointer.as_str()).collect();
    assert_eq!(places, ["/x", "/y"]);
}

/// A schema that depends on annotations is asked as a whole; if that could take exponential time, the violation says
// that it is not explained.
#[test]
fn what_cannot_be_explained_soon_is_refused_and_says_so() {
    let begun = Instant::now();
    let of = |op: &str| {
        json!({
            "type": "object", "required": ["op"], "unevaluatedProperties": false,
            "properties": { "op": { "const": op }, "a": { "$ref": "#/$defs/e" }, "b": { "$ref": "#/$defs/e" } }
        })
    };
    let variants: Vec<Value> = ["p", "q", "r", "s", "t", "u", "v", "w"].map(of).to_vec();
    let schema = Schema::new(json!({ "$defs": { "e": { "oneOf": variants } }, "$ref": "#/$defs/e" })).unwrap();
    let wrong = (0..20).fold(json!({ "op": 1 }), |inner, _| json!({ "op": "p", "a": inner }));
    let found = schema.violations(&wrong).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("cannot say why"), "{found:?}");
    // Near the surface it is explained as ever.
    let found = schema.violations(&json!({ "op": "p", "x": 1 })).unwrap();
    assert!(found.iter().any(|violation| violation.pointer == "/x"), "{found:?}");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn what_is_wrong_with_a_name_is_said_in_words() {
    let schema = Schema::new(json!({
        "$defs": { "name": { "maxLength": 2 }, "again": { "$ref": "#/$defs/name" } },
        "propertyNames": { "$ref": "#/$defs/again" }
    }));
    let found = schema.unwrap().violations(&json!({ "abc": 1 })).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("abc") && !found[0].message.contains("$defs"), "{found:?}");
}

#[test]
fn a_slip_of_blanks_is_not_taken_for_another_case() {
    let schema = Schema::new(json!({ "enum": ["a", "A", "b"] })).unwrap();
    for given in ["a ", " a", "a\n"] {
        let found = schema.violations(&json!(given)).unwrap();
        assert_eq!(found[0].help.as_deref(), Some("did you mean `a`?"), "{given:?}");
    }
}
