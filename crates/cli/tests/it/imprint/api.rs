//! Operations of an API description.

use super::example::{example, finding, findings, lowered, skeleton, turned_down};
use crate::common::Project;
use serde_json::json;

const NOTE: [&str; 3] = ["desk.openapi.yaml", "--operation", "addNote"];
const UPLOAD: [&str; 3] = ["desk.openapi.yaml", "--operation", "uploadFile"];

#[test]
fn operations_are_listed() {
    let p = example();
    let out = p.ok(&["imprint", "operations", "desk.openapi.yaml"]);
    let lines: Vec<&str> = out.stdout.lines().collect();
    let expected = [
        "uploadFile  POST /files  multipart/form-data",
        "health  GET /health  -",
        "addNote  POST /tickets/{ticket}/notes  application/json",
    ];
    assert_eq!(lines, expected);
    assert!(out.stderr.contains("3 operations, openapi-3.0"), "{}", out.stderr);
    let data = p.json(&["imprint", "operations", "desk.openapi.yaml"])["data"].clone();
    assert_eq!(data["dialect"], "openapi-3.0");
    assert_eq!(
        data["operations"][0],
        json!({
            "id": "uploadFile",
            "method": "post",
            "path": "/files",
            "summary": "Upload a file",
            "media_type": "multipart/form-data",
            "body_required": true,
            "serialized": ["/body/about"]
        })
    );
}

#[test]
fn a_request_has_its_parts() {
    let p = example();
    let expected = json!({
        "body": {
            "text": "{FILL|string|length:1-} What happened",
            "kind": "{OPTIONAL_ENUM|public|internal|nullable}"
        },
        "path": { "ticket": "{FILL|string|pattern:/^t_[0-9]+$/}" },
        "query": { "//": "{OPTIONAL}", "notify": "{OPTIONAL|boolean|default:false}" }
    });
    for operation in ["addNote", "POST /tickets/{ticket}/notes", "post /tickets/{ticket}/notes"] {
        assert_eq!(skeleton(&p, &["desk.openapi.yaml", "--operation", operation]), expected, "{operation}");
    }
    assert_eq!(skeleton(&p, &[&NOTE[..], &["--part", "body"]].concat()), expected["body"]);
    assert_eq!(skeleton(&p, &[&NOTE[..], &["--part", "request"]].concat()), expected);
    // What is only read is named beside the template.
    let said = p.ok(&[&["imprint", "template"], &NOTE[..]].concat()).stderr;
    assert!(said.contains("left out as read-only: /body/id"), "{said}");
}

/// A `readOnly` property is not sent; `nullable` admits null beside `enum`.
#[test]
fn a_request_is_lowered() {
    let p = example();
    let filled = r#"{"path": {"ticket": "t_1"}, "query": {"notify": "{OPTIONAL|boolean}"},
        "body": {"id": "{AUTO|integer|required}", "text": "hi", "kind": null}}"#;
    let payload = lowered(&p, &NOTE, filled);
    assert_eq!(payload, json!({ "path": { "ticket": "t_1" }, "body": { "text": "hi", "kind": null } }));
    let body = lowered(&p, &[&NOTE[..], &["--part", "body"]].concat(), r#"{"text": "hi"}"#);
    assert_eq!(body, json!({ "text": "hi" }));
    let found =
        findings(&p, &NOTE, r#"{"path": {"ticket": "17"}, "body": {"text": "", "kind": "privat"}, "header": {}}"#);
    for says in ["1:21: error[D1625]", "1:45: error[D1624]", "1:57: error[D1623]", "error[D1621] `header`"] {
        assert!(found.iter().any(|line| line.contains(says)), "{says}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
    finding(&p, &NOTE, r#"{"body": {"text": "hi"}}"#, "1:1", "D1620", "needs `path`");
}

/// An object in a multipart form is sent as JSON text, once it is known to be right.
#[test]
fn an_object_of_a_multipart_form_becomes_text() {
    let p = example();
    let payload = lowered(&p, &UPLOAD, r#"{"body": {"file": "aGk=", "about": {"title": "Invoice", "pages": 2}}}"#);
    assert_eq!(payload, json!({ "body": { "file": "aGk=", "about": "{\"pages\":2,\"title\":\"Invoice\"}" } }));
    let body = [&UPLOAD[..], &["--part", "body"]].concat();
    let payload = lowered(&p, &body, r#"{"file": "aGk=", "about": {"title": "Invoice"}}"#);
    assert_eq!(payload["about"], "{\"title\":\"Invoice\"}");
    finding(&p, &body, r#"{"file": "aGk=", "about": {"title": "x", "pages": 0}}"#, "1:51", "D1624", "below 1");
}

#[test]
fn operations_that_are_not_there() {
    let p = example();
    let template = |operation| ["template", "desk.openapi.yaml", "--operation", operation];
    turned_down(&p, &template("addNot"), 1, "D1632", "did you mean `addNote`?");
    turned_down(&p, &template("PUT /files"), 1, "D1632", "there is no operation `PUT /files`");
    turned_down(&p, &template(""), 1, "D1632", "there is no operation");
    turned_down(&p, &["template", "desk.openapi.yaml"], 1, "D1632", "`deed imprint operations` lists them");
    turned_down(&p, &template("health"), 1, "D1633", "`health` takes no parameters and no body");
    turned_down(&p, &[&template("health")[..], &["--part", "body"]].concat(), 1, "D1633", "takes no body");
    turned_down(&p, &["template", "ticket.schema.json", "--operation", "x"], 2, "D1632", "this is a schema");
}

#[test]
fn documents_that_describe_no_api() {
    let p = example();
    turned_down(&p, &["operations", "ticket.schema.json"], 1, "D1602", "neither `openapi` nor `swagger`");
    p.write("four.yaml", "openapi: 4.0.0\npaths: {}\n");
    turned_down(&p, &["operations", "four.yaml"], 1, "D1602", "`4.0.0` is not supported");
    p.write("none.yaml", "openapi: 3.1.0\n");
    assert_eq!(p.ok(&["imprint", "operations", "none.yaml"]).stdout, "");
}

#[test]
fn a_path_described_in_another_document_is_a_warning() {
    let p = example();
    p.write("split.yaml", "openapi: 3.1.0\npaths:\n  /a: { $ref: \"a.yaml#/A\" }\n  /b: { get: { operationId: b } }\n");
    let out = p.ok(&["imprint", "operations", "split.yaml"]);
    assert_eq!(out.stdout, "b  GET /b  -\n");
    assert!(out.stderr.contains("warning[D1603]") && out.stderr.contains("`a.yaml#/A`"), "{}", out.stderr);
}

/// Swagger 2.0: no ids, parameters of the path, a form with a file.
#[test]
fn swagger_two() {
    let p = Project::bare();
    p.write(
        "api.yaml",
        r#"
swagger: "2.0"
info: { title: t, version: "1" }
paths:
  /a/{id}:
    parameters:
      - { name: id, in: path, required: true, type: integer }
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: f, in: formData, type: file, required: true }
      responses: { 200: { description: ok } }
"#,
    );
    assert!(p.ok(&["imprint", "operations", "api.yaml"]).stdout.contains("POST /a/{id}  multipart/form-data"));
    let shown = skeleton(&p, &["api.yaml", "--operation", "POST /a/{id}"]);
    assert_eq!(shown, json!({ "body": { "f": "{FILL|string|format:binary}" }, "path": { "id": "{FILL|integer}" } }));
}

/// A schema that is broken where only a payload would meet it judges nothing, and passes nothing.
#[test]
fn a_description_that_cannot_judge() {
    let p = Project::bare();
    p.write(
        "api.yaml",
        "swagger: '2.0'\npaths:\n  /a:\n    get:\n      operationId: a\n      parameters:\n        - { name: q, in: query, type: string, pattern: '(' }\n",
    );
    let out =
        super::example::fed(&p, &["imprint", "lower", "api.yaml", "--operation", "a", "-"], r#"{"query": {"q": "x"}}"#);
    let told = out.stderr.contains("[D1628]") || out.stderr.contains("[D1605]");
    assert!(out.code == 1 && told && out.stderr.contains("`(` is not a regular expression"), "{}", out.stderr);
}
