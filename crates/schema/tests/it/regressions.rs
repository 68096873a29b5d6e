//! Regressions.

use deed_schema::{Api, Part, Reason, Refused, Schema, read_foreign};
use serde_json::{Map, Value, json};

fn body(schema: Value) -> Schema {
    body_or_refused(schema).unwrap()
}

fn body_or_refused(schema: Value) -> Result<Schema, Refused> {
    let api = Api::new(json!({
        "openapi": "3.0.0",
        "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": { "schema": schema } } } } } }
    }))
    .unwrap();
    api.schema(&api.operations()[0], Part::Body).unwrap()
}

#[test]
fn a_reference_that_leads_nowhere_is_never_valid() {
    for (reference, reason) in [
        ("#/components/schemas/Gone", Reason::MissingReference),
        ("https://example.invalid/pet.yaml#/Pet", Reason::RemoteReference),
    ] {
        let refused = body_or_refused(json!({ "type": "array", "items": { "$ref": reference } })).err().unwrap();
        assert_eq!(refused.reason, reason, "{reference}");
        assert_eq!(refused.pointer, "/paths/~1a/post/requestBody/content/application~1json/schema/items/$ref");
    }
}

#[test]
fn a_reference_that_leads_nowhere_is_refused_however_large_the_schema() {
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(format!("d{level}"), json!({ "properties": { "a": next, "b": next } }));
    }
    definitions.insert("d40".to_owned(), json!({ "type": "string" }));
    let schema = Schema::new(json!({
        "$defs": definitions,
        "properties": { "x": { "$ref": "#/$defs/d0" }, "y": { "contains": { "$ref": "#/$defs/gone" } } }
    }));
    match schema {
        Err(refused) => assert_eq!(refused.reason, Reason::MissingReference),
        Ok(schema) => assert_ne!(schema.is_valid(&json!({ "y": [1] })), Ok(true)),
    }
}

#[test]
fn a_schema_that_cannot_judge_says_so() {
    let schema = body(json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "(" } } }));
    assert_eq!(schema.is_valid(&json!({ "a": "x" })).map_err(|refused| refused.reason), Err(Reason::BadPattern));
}

#[test]
fn what_is_no_pattern_is_called_so_wherever_it_stands() {
    for schema in [
        json!({ "patternProperties": { "(": {} } }),
        json!({ "$schema": "http://json-schema.org/draft-07/schema#", "items": { "patternProperties": { "(": {} } } }),
        json!({ "$schema": "http://json-schema.org/draft-04/schema#", "additionalProperties": { "pattern": "(" } }),
    ] {
        assert_eq!(
            Schema::new(schema.clone()).err().map(|refused| refused.reason),
            Some(Reason::BadPattern),
            "{schema}"
        );
    }
}

#[test]
fn a_constant_that_looks_like_a_reference_is_a_constant() {
    let schema = Schema::new(json!({ "const": { "$ref": "#/a b" } })).unwrap();
    assert_eq!(schema.is_valid(&json!({ "$ref": "#/a b" })), Ok(true));
}

fn with(version: &str, schema: Value, schemas: Value) -> Schema {
    let api = Api::new(json!({
        "openapi": version,
        "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": { "schema": schema } } } } } },
        "components": { "schemas": schemas }
    }))
    .unwrap();
    api.schema(&api.operations()[0], Part::Body).unwrap().unwrap()
}

#[test]
fn an_api_schema_that_refers_to_itself_alone_ends() {
    let dead_end = [
        json!({ "$ref": "#/components/schemas/A" }),
        json!({ "allOf": [{ "$ref": "#/components/schemas/A" }, { "type": "object" }] }),
        json!({ "anyOf": [{ "$ref": "#/components/schemas/A" }, { "type": "string" }] }),
    ];
    for schema in dead_end {
        let schema = with("3.0.0", json!({ "$ref": "#/components/schemas/A" }), json!({ "A": schema }));
        let _ = schema.is_valid(&json!({}));
        let _ = schema.violations(&json!(5));
    }
}

#[test]
fn what_a_reference_evaluates_is_evaluated() {
    let body = json!({
        "allOf": [{ "$ref": "#/components/schemas/Base" }],
        "properties": { "b": {} },
        "unevaluatedProperties": false
    });
    let schema = with("3.1.0", body, json!({ "Base": { "type": "object", "properties": { "a": {} } } }));
    // Either it is judged rightly or it is said that it cannot be.
    assert_ne!(schema.is_valid(&json!({ "a": 1, "b": 2 })), Ok(false));
    assert_ne!(schema.is_valid(&json!({ "a": 1, "c": 2 })), Ok(true));
}

#[test]
fn a_parameter_of_swagger_may_be_nullable() {
    let api = Api::new(json!({
        "swagger": "2.0",
        "paths": { "/a": { "get": { "parameters": [
            { "name": "dry", "in": "query", "type": "boolean", "x-nullable": true }
        ] } } }
    }))
    .unwrap();
    let schema = api.schema(&api.operations()[0], Part::Request).unwrap().unwrap();
    assert_eq!(schema.is_valid(&json!({ "query": { "dry": null } })), Ok(true));
}

#[test]
fn what_follows_a_document_is_not_ignored() {
    for text in ["a: 1\n---\nb: 2\n", "{\"a\": 1} trailing", "[1]\n[2]", "{\"a\": 1}\n{\"b\": 2}"] {
        assert!(read_foreign(text).is_err(), "{text}");
    }
}

#[test]
fn a_merge_of_yaml_is_not_a_key_of_its_own() {
    let read = read_foreign("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n");
    assert!(read.is_err() || read == Ok(json!({ "a": { "b": 1 }, "c": { "b": 1, "d": 2 } })), "{read:?}");
}

#[test]
fn a_number_too_large_is_not_text() {
    assert!(read_foreign("{\"a\": 1e999}").is_err());
}

#[test]
fn the_first_reference_to_another_document_is_named_with_its_place() {
    let schema = json!({
        "properties": { "b": { "$ref": "b.json" }, "a": { "items": { "$ref": "https://x.test/a.json#/x" } } },
        "definitions": { "unused": { "$ref": "never.json" } }
    });
    for _ in 0..8 {
        let refused = Schema::new(schema.clone()).err().unwrap();
        assert_eq!((refused.reason, refused.pointer.as_str()), (Reason::RemoteReference, "/properties/a/items/$ref"));
        assert!(refused.message.starts_with("`https://x.test/a.json#/x` is another document"), "{}", refused.message);
    }
    let unused = json!({ "type": "string", "definitions": { "unused": { "$ref": "never.json#/x" } } });
    assert_eq!(Schema::new(unused).unwrap().is_valid(&json!("a")), Ok(true));
}

#[test]
fn references_within_named_documents_and_to_known_ones_are_not_remote() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://x.test/root.json",
        "properties": {
            "a": { "$ref": "root.json#/definitions/a" },
            "b": { "$ref": "item.json" },
            "c": { "$ref": "http://json-schema.org/draft-07/schema#" }
        },
        "definitions": { "a": { "type": "string" }, "b": { "$id": "item.json", "type": "integer" } }
    });
    let schema = Schema::new(schema).unwrap();
    assert_eq!(schema.is_valid(&json!({ "a": "x", "b": 1, "c": { "type": "string" } })), Ok(true));
    assert_eq!(schema.is_valid(&json!({ "a": 1 })), Ok(false));
    assert_eq!(schema.is_valid(&json!({ "b": "1" })), Ok(false));
}

#[test]
fn patterns_without_the_u_flag_judge_in_every_dialect() {
    let schema = json!({ "type": "object", "properties": { "a": { "pattern": "^[\\w\\-\\i]+]$" } },
        "patternProperties": { "^x{,2}\\a$": { "type": "integer" } }, "additionalProperties": true });
    for draft in ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema"] {
        let mut schema = schema.clone();
        schema["$schema"] = json!(draft);
        let schema = Schema::new(schema).unwrap();
        assert_eq!(schema.is_valid(&json!({ "a": "a-i]", "x{,2}a": 1 })), Ok(true));
        assert_eq!(schema.is_valid(&json!({ "a": "a-i" })), Ok(false));
        assert_eq!(schema.is_valid(&json!({ "x{,2}a": "1" })), Ok(false));
        assert!(!schema.violations(&json!({ "x{,2}a": "1" })).unwrap().is_empty());
    }
    let large = Schema::new(json!({ "type": "string", "pattern": "^.{0,20000}$" })).unwrap();
    assert_eq!(large.is_valid(&json!("a".repeat(20_000))), Ok(true));
    assert_eq!(large.is_valid(&json!("a".repeat(20_001))), Ok(false));
    let refused = Schema::new(json!({ "pattern": "^((\\w{1000}){1000}x){9}$" })).err().unwrap();
    assert_eq!(refused.reason, Reason::TooLarge);
    assert!(refused.message.contains("32 MiB"), "{}", refused.message);
}
