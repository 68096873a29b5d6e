//! Schemas that are not taken, each for a named reason and before anything is written.

use super::example::{TEXT, schema, turned_down};
use crate::common::Project;
use std::net::TcpListener;

#[track_caller]
fn refused(text: &str, code: &str, says: &str) {
    let p = schema(text);
    p.write("filled.json", "{}");
    for args in [&["template", "s.json"][..], &["lower", "s.json", "filled.json"], &["fill", "s.json", "filled.json"]] {
        let out = turned_down(&p, args, 1, code, says);
        assert!(out.stderr.contains("--> s.json") && out.stderr.contains("= help: "), "{}", out.stderr);
    }
}

#[test]
fn what_is_no_schema() {
    refused("[]", "D1601", "a schema is an object or a boolean");
    refused("\"string\"", "D1601", "a schema is an object or a boolean");
    refused("17", "D1601", "a schema is an object or a boolean");
    refused(r#"{"type": "strin"}"#, "D1601", "s.json:1:10");
    refused(r#"{"properties": {"a": {"minLength": -1}}}"#, "D1601", "s.json:1:36");
}

#[test]
fn dialects_that_are_not_read() {
    refused(r#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#, "D1602", "older than draft 4");
    refused(r#"{"openapi": "2.9.9", "paths": {}}"#, "D1602", "2.9.9");
    refused(r#"{"swagger": "1.2"}"#, "D1602", "1.2");
}

/// Nothing is fetched, neither from the network nor from the disk: a listener hears nothing, and a file beside the
/// schema is not opened.
#[test]
fn nothing_is_fetched() {
    refused(r#"{"$ref": "http://127.0.0.1:1/x.json"}"#, "D1603", "nothing is fetched");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    refused(&format!(r#"{{"properties": {{"a": {{"$ref": "{base}/a.json#/b"}}}}}}"#), "D1603", &base);
    let p = schema(&format!(r#"{{"$schema": "{base}/dialect", "$id": "{base}/me", "type": "boolean"}}"#));
    assert_eq!(p.ok(&["imprint", "template", "s.json", "--skeleton"]).stdout, "\"{FILL|boolean}\"\n");
    let api = format!(
        "openapi: 3.0.0\npaths: {{ /a: {{ post: {{ operationId: a, requestBody: {{ content: {{ application/json: {{ schema: {{ $ref: '{base}/x' }} }} }} }} }} }} }}\n"
    );
    p.write("api.yaml", api);
    turned_down(&p, &["template", "api.yaml", "--operation", "a"], 1, "D1603", &base);
    assert!(listener.accept().is_err(), "a connection was made");

    let p = schema(r#"{"$ref": "beside.json"}"#);
    p.write("beside.json", TEXT);
    turned_down(&p, &["template", "s.json"], 1, "D1603", "beside.json");
    let file = format!("file://{}", p.path("beside.json").display());
    refused(&format!(r#"{{"$ref": "{file}"}}"#), "D1603", "nothing is fetched");
}

#[test]
fn references_that_lead_nowhere() {
    refused(r##"{"$ref": "#/definitions/x"}"##, "D1604", "/definitions/x");
    refused(r##"{"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"a": {}}}"##, "D1604", "/$defs/b");
}

#[test]
fn patterns_that_are_none() {
    refused(r#"{"type": "string", "pattern": "("}"#, "D1605", "s.json:1:31");
    refused(r#"{"patternProperties": {"[": {}}}"#, "D1605", "is not a regular expression");
}

#[test]
fn schemas_under_which_nothing_is_valid() {
    refused("false", "D1606", "no value is valid under it");
    refused(r#"{"allOf": [{"type": "string"}, {"type": "object"}]}"#, "D1606", "no value is valid under it");
    refused(r#"{"type": "object", "required": ["a"], "properties": {"a": false}}"#, "D1606", "it requires `/a`");
    refused(r#"{"type": "integer", "enum": ["a", "b"]}"#, "D1606", "no value is valid under it");
    refused(r#"{"type": "number", "minimum": 3, "maximum": 2}"#, "D1606", "no value is valid under it");
}

#[test]
fn schemas_that_are_too_large() {
    let chain: Vec<String> = (0..1_600)
        .map(|i| format!(r##""d{i}": {{"properties": {{"a": {{"$ref": "#/$defs/d{}"}}}}}}"##, i + 1))
        .collect();
    refused(
        &format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d1600": {{}}}}}}"##, chain.join(",")),
        "D1607",
        "1500",
    );
}

/// References that double at each level come to a million shapes, and to twenty that are written once.
#[test]
fn references_that_double_are_written_once() {
    let twice: Vec<String> = (0..20)
        .map(|i| format!(r##""d{i}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{0}"}}, "b": {{"$ref": "#/$defs/d{0}"}}}}}}"##, i + 1))
        .collect();
    let text = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d20": {{"type": "string"}}}}}}"##, twice.join(","));
    let p = schema(&text);
    let out = p.ok(&["imprint", "template", "s.json", "--skeleton"]).stdout;
    assert!(out.contains("{REF: same|of:d18}") && out.len() < 5_000, "{out}");
    let closed = text.replacen('{', r#"{"unevaluatedProperties": false, "#, 1);
    refused(&closed, "D1607", "unevaluated");
}

/// A schema of another file format is not a schema either.
#[test]
fn yaml_is_read_and_held_to_the_same() {
    let p = Project::bare();
    p.write("s.yaml", "type: object\nproperties:\n  a: { type: integer }\n  200: { type: string }\n");
    let out = p.ok(&["imprint", "template", "s.yaml", "--skeleton"]).stdout;
    assert_eq!(out, "{\"200\":\"{OPTIONAL|string}\",\"a\":\"{OPTIONAL|integer}\"}\n");
    p.write("bad.yaml", "type: strin\n");
    turned_down(&p, &["template", "bad.yaml"], 1, "D1601", "bad.yaml:1:7");
}

/// A reference to another document is named with its line, the same one each time, and only where it is reached.
#[test]
fn a_remote_reference_is_underlined_where_it_stands() {
    let p = schema(
        "{\n  \"properties\": {\n    \"b\": {\"$ref\": \"b.json\"},\n    \"a\": {\"$ref\": \"a.json#/x\"}\n  }\n}\n",
    );
    for _ in 0..4 {
        let said = p.run(&["imprint", "template", "s.json"]).stderr;
        assert!(said.contains("s.json:4:19") && said.contains("`a.json#/x` is another document"), "{said}");
    }
    let unused = schema(r#"{"type": "object", "definitions": {"x": {"$ref": "x.json"}}}"#);
    unused.ok(&["imprint", "template", "s.json"]);
}
