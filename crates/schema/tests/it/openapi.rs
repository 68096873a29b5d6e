//! API descriptions: what an operation takes, as a schema that can judge it.

use deed_schema::{Api, Dialect, Operation, Part, Reason, Schema, read_foreign};
use serde_json::{Value, json};

fn api(document: Value) -> Api {
    Api::new(document).unwrap()
}

fn operation(api: &Api, id: &str) -> Operation {
    api.operations().into_iter().find(|operation| operation.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn schema(api: &Api, id: &str, part: Part) -> Schema {
    api.schema(&operation(api, id), part).unwrap_or_else(|| panic!("{id} takes nothing")).unwrap()
}

#[track_caller]
fn judges(schema: &Schema, valid: &[Value], invalid: &[Value]) {
    for value in valid {
        assert_eq!(schema.violations(value).unwrap(), [], "{value}");
        assert_eq!(schema.is_valid(value), Ok(true), "{value}");
    }
    for value in invalid {
        assert_eq!(schema.is_valid(value), Ok(false), "{value}");
        assert!(!schema.violations(value).unwrap().is_empty(), "{value}");
    }
}

/// A description of one POST with a body of a schema.
fn three(version: &str, media: &str, schema: Value, components: Value) -> Api {
    api(json!({
        "openapi": version,
        "paths": { "/a": { "post": { "operationId": "make", "requestBody": {
            "required": true, "content": { media: { "schema": schema } }
        } } } },
        "components": components
    }))
}

fn swagger() -> Api {
    api(json!({
        "swagger": "2.0",
        "consumes": ["application/vnd.x+json"],
        "paths": {
            "/pets/{id}": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "type": "integer", "minimum": 1 }],
                "put": {
                    "operationId": "replace",
                    "summary": "Replace a pet.\nAll of it.",
                    "parameters": [
                        { "name": "pet", "in": "body", "required": true, "schema": { "$ref": "#/definitions/Pet" } },
                        { "name": "dry", "in": "query", "type": "boolean", "x-nullable": true }
                    ]
                },
                "post": {
                    "operationId": "upload",
                    "consumes": ["multipart/form-data"],
                    "parameters": [
                        { "name": "photo", "in": "formData", "type": "file", "required": true },
                        { "name": "tags", "in": "formData", "type": "array", "items": { "type": "string" },
                          "collectionFormat": "csv" }
                    ]
                },
                "get": {}
            }
        },
        "definitions": {
            "Pet": {
                "type": "object",
                "required": ["name", "id"],
                "properties": {
                    "id": { "type": "integer", "readOnly": true },
                    "name": { "type": "string" },
                    "nick": { "type": "string", "x-nullable": true }
                }
            }
        }
    }))
}

#[test]
fn swagger_bodies_and_parameters() {
    let api = swagger();
    assert_eq!(api.dialect(), Dialect::OpenApi20);
    let replace = operation(&api, "replace");
    assert_eq!(replace.media_type.as_deref(), Some("application/vnd.x+json"));
    assert_eq!((replace.summary.as_str(), replace.body_required), ("Replace a pet.", true));
    judges(
        &schema(&api, "replace", Part::Body),
        &[json!({ "name": "Rex" }), json!({ "name": "Rex", "id": 5, "nick": null })],
        &[json!({}), json!({ "name": 5 }), json!([]), json!(null)],
    );
    judges(
        &schema(&api, "replace", Part::Request),
        &[
            json!({ "path": { "id": 1 }, "body": { "name": "Rex" } }),
            json!({ "path": { "id": 1 }, "body": { "name": "Rex" }, "query": { "dry": true } }),
        ],
        &[
            json!({ "body": { "name": "Rex" } }),
            json!({ "path": { "id": 0 }, "body": { "name": "Rex" } }),
            json!({ "path": { "id": 1 } }),
            json!({ "path": { "id": 1 }, "body": { "name": "Rex" }, "query": { "dry": "yes" } }),
            json!({ "path": { "id": 1, "other": 1 }, "body": { "name": "Rex" } }),
            json!({ "path": { "id": 1 }, "body": { "name": "Rex" }, "cookie": {} }),
        ],
    );
}

#[test]
fn swagger_forms_and_files() {
    let api = swagger();
    let upload = operation(&api, "upload");
    assert_eq!(upload.media_type.as_deref(), Some("multipart/form-data"));
    assert!(upload.body_required);
    judges(
        &schema(&api, "upload", Part::Body),
        &[json!({ "photo": "bytes" }), json!({ "photo": "bytes", "tags": ["a"] })],
        &[json!({}), json!({ "photo": 5 }), json!({ "photo": "x", "tags": "a" }), json!({ "photo": "x", "b": 1 })],
    );
}

#[test]
fn operations_are_listed_by_path_and_method_and_named() {
    let ids: Vec<String> = swagger().operations().into_iter().map(|operation| operation.id).collect();
    assert_eq!(ids, ["get /pets/{id}", "replace", "upload"]);
}

#[test]
fn an_operation_that_takes_nothing_has_no_schema() {
    let api = api(json!({ "openapi": "3.1.0", "paths": { "/a": { "get": { "operationId": "look" } } } }));
    let look = operation(&api, "look");
    assert!(api.schema(&look, Part::Request).is_none());
    assert!(api.schema(&look, Part::Body).is_none());
}

#[test]
fn nullable_admits_null_whatever_stands_beside_it() {
    let schema_of = |property: Value| {
        let components = json!({ "schemas": { "S": { "type": "string" } } });
        let api = three("3.0.3", "application/json", json!({ "properties": { "a": property } }), components);
        schema(&api, "make", Part::Body)
    };
    for property in [
        json!({ "type": "string", "nullable": true }),
        json!({ "type": "string", "enum": ["x"], "nullable": true }),
        json!({ "allOf": [{ "$ref": "#/components/schemas/S" }], "nullable": true }),
    ] {
        judges(&schema_of(property), &[json!({ "a": null }), json!({ "a": "x" })], &[json!({ "a": 5 })]);
    }
    judges(&schema_of(json!({ "type": "string", "nullable": false })), &[json!({ "a": "x" })], &[json!({ "a": null })]);
}

#[test]
fn what_is_read_only_is_not_asked_of_a_request() {
    let components = json!({ "schemas": { "Id": { "type": "string", "readOnly": true } } });
    let body = json!({
        "type": "object",
        "required": ["id", "made", "name"],
        "properties": {
            "id": { "$ref": "#/components/schemas/Id" },
            "made": { "type": "string", "readOnly": true },
            "name": { "type": "string" }
        }
    });
    let api = three("3.0.0", "application/json", body, components);
    judges(
        &schema(&api, "make", Part::Body),
        &[json!({ "name": "x" }), json!({ "name": "x", "id": "1" })],
        &[json!({ "id": "1", "made": "x" }), json!({ "name": "x", "id": 1 })],
    );
}

#[test]
fn a_discriminator_picks_by_the_schemas_themselves() {
    let pet = |kind: &str, own: &str| {
        json!({ "allOf": [
            { "$ref": "#/components/schemas/Pet" },
            { "type": "object", "required": [own],
              "properties": { "kind": { "enum": [kind] }, own: { "type": "integer" } } }
        ] })
    };
    let components = json!({ "schemas": {
        "Pet": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" } },
                 "discriminator": { "propertyName": "kind" } },
        "Cat": pet("cat", "lives"),
        "Dog": pet("dog", "barks")
    } });
    let body = json!({
        "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }],
        "discriminator": { "propertyName": "kind", "mapping": { "cat": "#/components/schemas/Cat" } }
    });
    let api = three("3.0.0", "application/json", body, components);
    let schema = schema(&api, "make", Part::Body);
    judges(
        &schema,
        &[json!({ "kind": "cat", "lives": 9 }), json!({ "kind": "dog", "barks": 1 })],
        &[json!({ "kind": "cat", "barks": 1 }), json!({ "kind": "cow" }), json!({ "lives": 9 })],
    );
    let said = schema.violations(&json!({ "kind": "cat", "lives": "nine" })).unwrap();
    assert_eq!(said[0].message, "`lives` must be an integer, not a string");
}

#[test]
fn bodies_and_parameters_by_reference() {
    let api = api(json!({
        "openapi": "3.0.0",
        "paths": {
            "/a": { "$ref": "#/components/pathItems/A" }
        },
        "components": {
            "pathItems": { "A": {
                "parameters": [
                    { "name": "q", "in": "query", "schema": { "type": "integer" } },
                    { "name": "h", "in": "header", "schema": { "type": "string" } }
                ],
                "post": {
                    "operationId": "make",
                    "parameters": [
                        { "name": "q", "in": "query", "required": true, "schema": { "type": "string" } },
                        { "$ref": "#/components/parameters/Session" }
                    ],
                    "requestBody": { "$ref": "#/components/requestBodies/B" }
                }
            } },
            "parameters": {
                "Session": { "name": "s", "in": "cookie", "required": true, "schema": { "type": "string" } }
            },
            "requestBodies": { "B": { "content": {
                "text/plain": { "schema": { "type": "string" } },
                "application/json": { "schema": { "type": "object", "required": ["x"] } }
            } } }
        }
    }));
    assert_eq!(operation(&api, "make").media_type.as_deref(), Some("application/json"));
    assert!(!operation(&api, "make").body_required);
    judges(
        &schema(&api, "make", Part::Request),
        &[
            json!({ "query": { "q": "text" }, "cookie": { "s": "1" } }),
            json!({ "query": { "q": "text" }, "cookie": { "s": "1" }, "header": { "h": "x" }, "body": { "x": 1 } }),
        ],
        &[
            json!({ "query": { "q": 5 }, "cookie": { "s": "1" } }),
            json!({ "cookie": { "s": "1" } }),
            json!({ "query": { "q": "text" } }),
            json!({ "query": { "q": "text" }, "cookie": { "s": "1" }, "header": { "h": 5 } }),
            json!({ "query": { "q": "text" }, "cookie": { "s": "1" }, "body": {} }),
        ],
    );
}

#[test]
fn a_parameter_with_content_goes_over_the_wire_as_text() {
    let api = api(json!({
        "openapi": "3.0.0",
        "paths": { "/a/{f}": { "get": { "operationId": "look", "parameters": [
            { "name": "f", "in": "path", "required": true, "description": "A filter.",
              "content": { "application/json": { "schema": { "type": "object" } } } }
        ] } } }
    }));
    let schema = schema(&api, "look", Part::Request);
    judges(&schema, &[json!({ "path": { "f": "{}" } })], &[json!({ "path": { "f": {} } })]);
    assert_eq!(schema.value()["properties"]["path"]["properties"]["f"]["description"], "A filter.");
}

#[test]
fn objects_of_a_multipart_form_are_sent_as_json_text() {
    let components = json!({ "schemas": { "Meta": { "type": "object" } } });
    let form = json!({ "type": "object", "properties": {
        "file": { "type": "string", "format": "binary" },
        "meta": { "$ref": "#/components/schemas/Meta" },
        "own": { "properties": { "a": {} } },
        "list": { "type": "array", "items": { "type": "string" } },
        "a/b": { "type": "object" }
    } });
    let api = three("3.0.0", "multipart/form-data", form, components);
    assert_eq!(operation(&api, "make").serialized, ["/body/a~1b", "/body/meta", "/body/own"]);
}

#[test]
fn an_encoding_says_what_is_json_text() {
    let of = |media: &str| {
        let api = api(json!({
            "openapi": "3.0.0",
            "paths": { "/a": { "post": { "operationId": "make", "requestBody": { "content": { media: {
                "schema": { "type": "object", "properties": {
                    "list": { "type": "array", "items": {} }, "plain": { "type": "object" }, "xml": { "type": "object" }
                } },
                "encoding": { "list": { "contentType": "application/json" }, "xml": { "contentType": "text/xml" } }
            } } } } } }
        }));
        operation(&api, "make").serialized
    };
    assert_eq!(of("application/x-www-form-urlencoded"), ["/body/list"]);
    assert_eq!(of("multipart/form-data"), ["/body/list", "/body/plain"]);
    assert_eq!(of("application/json"), Vec::<String>::new());
}

#[test]
fn the_preferred_media_type_is_json_then_forms() {
    let of = |types: &[&str]| {
        let content: serde_json::Map<String, Value> =
            types.iter().map(|name| ((*name).to_owned(), json!({ "schema": {} }))).collect();
        let api = api(json!({ "openapi": "3.0.0", "paths": { "/a": { "post": {
            "operationId": "make", "requestBody": { "content": content } } } } }));
        operation(&api, "make").media_type
    };
    assert_eq!(
        of(&["text/plain", "application/json; charset=utf-8"]).as_deref(),
        Some("application/json; charset=utf-8")
    );
    assert_eq!(of(&["multipart/form-data", "application/vnd.a+json"]).as_deref(), Some("application/vnd.a+json"));
    assert_eq!(
        of(&["multipart/form-data", "application/x-www-form-urlencoded", "a/a"]).as_deref(),
        Some("application/x-www-form-urlencoded")
    );
}

#[test]
fn three_one_is_the_newest_draft() {
    let body = json!({
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": { "type": ["string", "null"] },
            "b": { "$ref": "#/components/schemas/B", "maxLength": 3 },
            "c": { "const": 1 },
            "d": { "prefixItems": [{ "type": "integer" }] },
            "e": { "type": "string", "nullable": true }
        }
    });
    let api = three("3.1.0", "application/json", body, json!({ "schemas": { "B": { "type": "string" } } }));
    assert_eq!(api.dialect(), Dialect::OpenApi31);
    judges(
        &schema(&api, "make", Part::Body),
        &[json!({ "a": null }), json!({ "a": "x", "b": "abc", "c": 1, "d": [1, "x"] })],
        &[
            json!({ "a": 5 }),
            json!({ "a": "x", "b": "abcd" }),
            json!({ "a": "x", "c": 2 }),
            json!({ "a": "x", "d": ["x"] }),
            json!({ "a": "x", "e": null }),
        ],
    );
}

#[test]
fn names_with_slashes_spaces_and_percents_are_found() {
    let components = json!({ "schemas": { "A b[c]%": { "type": "integer" } } });
    let body = json!({ "properties": { "x": { "$ref": "#/components/schemas/A b[c]%25" } } });
    let api = three("3.0.0", "application/json; v=\"1 %\"", body, components);
    judges(&schema(&api, "make", Part::Body), &[json!({ "x": 1 })], &[json!({ "x": "y" })]);
}

#[test]
fn versions_that_are_not_read_are_refused() {
    for (document, words) in [
        (json!({ "swagger": "1.2" }), "OpenAPI `1.2` is not supported; use 2.0, 3.0 or 3.1"),
        (json!({ "openapi": "4.0.0" }), "OpenAPI `4.0.0` is not supported; use 2.0, 3.0 or 3.1"),
        (json!({ "info": {} }), "it has neither `openapi` nor `swagger`"),
    ] {
        let refused = Api::new(document).err().unwrap();
        assert_eq!((refused.reason, refused.message.as_str()), (Reason::UnknownDialect, words));
    }
    assert!(Api::looks_like(&json!({ "openapi": "3.0.0" })) && !Api::looks_like(&json!({ "type": "object" })));
    assert_eq!(Api::new(json!({ "swagger": 2.0, "paths": {} })).unwrap().dialect(), Dialect::OpenApi20);
}

#[test]
fn yaml_is_read_as_it_is_found() {
    let text = "\u{feff}openapi: 3.0.0
paths:
  /a:
    post:
      operationId: make
      responses:
        200: { description: ok }
        404: { description: gone }
      requestBody:
        content:
          application/json:
            schema: &pet
              type: object
              required: [name]
              properties:
                name: { type: string, pattern: '^no$', default: no }
                'on': { type: boolean, default: True }
                limit: { type: integer, maximum: 0x10, minimum: 0o7 }
                big: { type: integer, maximum: 18446744073709551615 }
                half: { type: number, maximum: .5, minimum: -1e3 }
                nothing: { default: ~ }
components:
  schemas:
    Again: *pet
";
    let document = read_foreign(text).unwrap();
    assert_eq!(document["paths"]["/a"]["post"]["responses"]["200"]["description"], "ok");
    let properties = &document["components"]["schemas"]["Again"]["properties"];
    assert_eq!(properties["name"]["default"], "no");
    assert_eq!(properties["on"]["default"], true);
    assert_eq!(properties["limit"], json!({ "type": "integer", "maximum": 16, "minimum": 7 }));
    assert_eq!(properties["big"]["maximum"], json!(18_446_744_073_709_551_615_u64));
    assert_eq!(properties["half"], json!({ "type": "number", "maximum": 0.5, "minimum": -1000.0 }));
    assert_eq!(properties["nothing"]["default"], Value::Null);
    judges(&schema(&api(document), "make", Part::Body), &[json!({ "name": "no" })], &[json!({ "limit": 5 })]);
}

#[track_caller]
fn unreadable(text: &str, words: &str, line: usize) {
    let error = read_foreign(text).expect_err("it is read");
    assert!(error.message.contains(words), "{}", error.message);
    assert_eq!(error.line, line, "{}", error.message);
}

#[test]
fn what_two_readers_could_read_differently_is_refused() {
    unreadable("a: 1\nb: 2\na: 3\n", "the key `a` stands twice", 3);
    unreadable("{\"a\": 1,\n \"a\": 2}", "the key `a` stands twice", 2);
    unreadable("200: a\n'200': b\n", "the key `200` stands twice", 2);
    unreadable("", "the document is empty", 1);
    unreadable("  \n", "the document is empty", 1);
    unreadable("? [a, b]\n: 1\n", "a key is not text", 1);
}

#[test]
fn flow_style_that_begins_like_json_is_yaml() {
    assert_eq!(read_foreign("{a: 1, b: [x, 'y']}").unwrap(), json!({ "a": 1, "b": ["x", "y"] }));
    assert_eq!(read_foreign("{\"a\": 1.0}").unwrap(), json!({ "a": 1.0 }));
}

#[test]
fn aliases_that_expand_without_end_are_refused() {
    let mut bomb = String::from("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let inner = vec![format!("*l{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("l{level}: &l{level} [{inner}]\n"));
    }
    let error = read_foreign(&bomb).expect_err("it is read");
    assert_eq!(error.message, "its aliases expand to more than 2000000 values");
}

#[test]
fn nesting_without_end_is_refused() {
    for text in ["[".repeat(5_000), "{\"a\":".repeat(5_000), "- ".repeat(5_000)] {
        let _ = read_foreign(&text).map(|_| ());
    }
    let deep = format!("{}x{}", "[".repeat(400), "]".repeat(400));
    assert!(read_foreign(&format!("a: {deep}")).is_err());
    assert!(read_foreign(&"- ".repeat(2_000)).is_err());
}

#[test]
fn a_reference_into_a_schema_that_admits_null_leads_there() {
    let api = three(
        "3.0.1",
        "application/json",
        json!({ "type": "object", "properties": {
            "x": { "$ref": "#/components/schemas/Outer/properties/x" },
            "whole": { "$ref": "#/components/schemas/Outer" },
            "deep": { "$ref": "#/components/schemas/Outer/properties/list/items/properties/y" },
            "part": { "$ref": "#/components/schemas/Parts/allOf/1/properties/z" }
        } }),
        json!({ "schemas": {
            "Outer": { "type": "object", "nullable": true, "properties": {
                "x": { "type": "integer" },
                "list": { "type": "array", "nullable": true, "items": {
                    "type": "object", "nullable": true, "properties": { "y": { "type": "boolean" } }
                } }
            } },
            "Parts": { "nullable": true, "allOf": [{ "type": "object" }, { "properties": { "z": { "type": "string" } } }] }
        } }),
    );
    let schema = schema(&api, "make", Part::Body);
    judges(
        &schema,
        &[json!({ "x": 1, "deep": true, "part": "a" }), json!({ "whole": null }), json!({ "whole": { "x": 1 } })],
        &[json!({ "x": "1" }), json!({ "x": null }), json!({ "deep": 1 }), json!({ "part": 1 }), json!({ "whole": 1 })],
    );
}

#[test]
fn only_what_an_operation_reaches_must_be_there() {
    let document = json!({
        "swagger": "2.0",
        "paths": {
            "/a": { "post": { "operationId": "good", "parameters": [
                { "name": "b", "in": "body", "schema": { "$ref": "#/definitions/Pet" } }
            ] } },
            "/b": { "post": { "operationId": "bad", "parameters": [
                { "name": "b", "in": "body", "schema": { "$ref": "#/definitions/Other" } }
            ] } },
            "/c": { "post": { "operationId": "lost", "parameters": [{ "$ref": "parameters.json#/Limit" }] } }
        },
        "definitions": {
            "Pet": { "type": "object", "properties": { "name": { "type": "string" } } },
            "Other": { "type": "object", "properties": {
                "z": { "$ref": "https://x.test/z.json" }, "a": { "$ref": "my file.json#/definitions/A" }
            } },
            "Unused": { "$ref": "other.yaml#/definitions/Gone" }
        }
    });
    for _ in 0..8 {
        let api = api(document.clone());
        judges(&schema(&api, "good", Part::Body), &[json!({ "name": "a" })], &[json!({ "name": 1 })]);
        let refused = |id: &str, part| api.schema(&operation(&api, id), part).unwrap().err().unwrap();
        let bad = refused("bad", Part::Body);
        assert_eq!(bad.reason, Reason::RemoteReference);
        assert_eq!(bad.pointer, "/definitions/Other/properties/a/$ref");
        assert_eq!(
            bad.message,
            "`my%20file.json#/definitions/A` is another document, and nothing is fetched; 1 more reference leads to another document"
        );
        let lost = refused("lost", Part::Request);
        assert_eq!(
            (lost.reason, lost.pointer.as_str()),
            (Reason::RemoteReference, "/paths/~1c/post/parameters/0/$ref")
        );
    }
}

#[test]
fn a_path_described_elsewhere_is_reported_as_unread() {
    let api = api(json!({
        "openapi": "3.0.0",
        "paths": {
            "/a": { "$ref": "a.yaml#/A" },
            "/b": { "get": { "operationId": "b" } },
            "/c": { "$ref": "#/components/pathItems/Gone" }
        }
    }));
    assert_eq!(api.operations().len(), 1);
    let unread: Vec<_> = api.unread_paths().into_iter().map(|refused| (refused.reason, refused.pointer)).collect();
    assert_eq!(
        unread,
        [
            (Reason::RemoteReference, "/paths/~1a/$ref".to_owned()),
            (Reason::MissingReference, "/paths/~1c/$ref".to_owned())
        ]
    );
}

#[test]
fn an_operation_of_another_description_is_refused() {
    let parameters = json!([{ "name": "q", "in": "query", "required": true, "schema": { "type": "string" } }]);
    let with = api(json!({ "openapi": "3.0.0", "paths": { "/a": { "get": { "parameters": parameters } } } }));
    let without = api(json!({ "openapi": "3.0.0", "paths": { "/a": { "get": {} } } }));
    let refused = without.schema(&operation(&with, "get /a"), Part::Request).unwrap().err().unwrap();
    assert_eq!(
        (refused.reason, refused.message.as_str()),
        (Reason::MissingReference, "it has no parameter at `/paths/~1a/get/parameters/0`")
    );
}

#[test]
fn nullable_counts_at_every_depth_and_deeper_descriptions_are_refused() {
    let list = |levels: usize| {
        let leaf = json!({ "type": "string", "nullable": true });
        let schema = (0..levels).fold(leaf, |items, _| json!({ "type": "array", "items": items }));
        json!({ "openapi": "3.0.3", "paths": { "/a": { "post": { "operationId": "make", "requestBody": {
            "content": { "application/json": { "schema": schema } }
        } } } } })
    };
    let api = api(list(220));
    let value = |leaf: Value| (0..220).fold(leaf, |item, _| json!([item]));
    judges(&schema(&api, "make", Part::Body), &[value(json!(null)), value(json!("x"))], &[value(json!(1))]);
    assert_eq!(Api::new(list(400)).err().unwrap().reason, Reason::TooLarge);
}

#[test]
fn a_body_described_in_another_document_is_refused_at_its_place() {
    let api = api(json!({
        "openapi": "3.0.0",
        "paths": { "/a": { "post": {
            "operationId": "make",
            "parameters": [{ "name": "n", "in": "query", "schema": { "type": "integer" } }],
            "requestBody": { "$ref": "bodies.yaml#/Make" }
        } } }
    }));
    let refused = api.schema(&operation(&api, "make"), Part::Body).unwrap().err().unwrap();
    assert_eq!(
        (refused.reason, refused.pointer.as_str()),
        (Reason::RemoteReference, "/paths/~1a/post/requestBody/$ref")
    );
}

/// The same schema without its description beside it.
fn standalone(api: &Api, id: &str, part: Part) -> Schema {
    Schema::new(api.standalone(&operation(api, id), part).unwrap().unwrap()).unwrap()
}

#[test]
fn a_standalone_schema_judges_as_the_description_does() {
    let api = swagger();
    judges(
        &standalone(&api, "replace", Part::Body),
        &[json!({ "name": "Rex" }), json!({ "name": "Rex", "id": 5, "nick": null })],
        &[json!({}), json!({ "name": 5 }), json!([]), json!(null)],
    );
    judges(
        &standalone(&api, "replace", Part::Request),
        &[json!({ "path": { "id": 1 }, "body": { "name": "Rex" }, "query": { "dry": null } })],
        &[json!({ "path": { "id": 0 }, "body": { "name": "Rex" } }), json!({ "path": { "id": 1 } })],
    );
}

#[test]
fn a_standalone_schema_copies_only_what_it_reaches() {
    let components = json!({ "schemas": {
        "Node": { "type": "object", "nullable": true, "properties": {
            "next": { "$ref": "#/components/schemas/Node" },
            "default": { "$ref": "#/components/schemas/a~1b%20c" },
            "depth": { "$ref": "#/components/schemas/Node/properties/size" },
            "size": { "type": "integer" }
        } },
        "a/b c": { "type": "string" },
        "Unused": { "$ref": "https://elsewhere.test/x" }
    } });
    let api = three("3.0.3", "application/json", json!({ "$ref": "#/components/schemas/Node" }), components);
    let value = api.standalone(&operation(&api, "make"), Part::Body).unwrap().unwrap();
    let names: Vec<&String> = value["definitions"].as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(!value.to_string().contains("elsewhere"), "{value}");
    judges(
        &standalone(&api, "make", Part::Body),
        &[json!(null), json!({ "next": { "next": null }, "default": "x", "depth": 1 })],
        &[json!({ "next": 1 }), json!({ "default": 1 }), json!({ "next": { "depth": "x" } })],
    );
}
