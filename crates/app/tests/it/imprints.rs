//! Templates, filled templates and payloads.

use crate::project::{Project, codes, repository};
use deed_app::imprints::{
    AuditProgress, SchemaSource, Section, SourceForm, Verdicts, audit, counter, fill, join, lower, operations, template,
};
use deed_schema::Part;
use serde_json::json;
use std::path::PathBuf;

fn example(name: &str) -> PathBuf {
    repository("examples/imprint").join(name)
}

fn ticket() -> SchemaSource {
    SchemaSource { schema: example("ticket.schema.json"), ..SchemaSource::default() }
}

#[test]
fn a_filled_template_becomes_a_payload_and_again_a_filled_template() {
    let p = Project::new();
    let lowered = lower(&ticket(), &example("ticket.filled.json"), Some(&example("ticket.auto.json"))).unwrap();
    let payload = p.write("payload.json", lowered.payload.to_string());
    let filled = fill(&ticket(), &payload).unwrap();
    let again = p.write("filled.json", filled.document.to_string());
    let supplied = p.write("auto.json", json!(filled.supplied).to_string());
    assert_eq!(lower(&ticket(), &again, Some(&supplied)).unwrap().payload, lowered.payload);
}

#[test]
fn values_of_the_system_are_an_object() {
    let p = Project::new();
    let list = p.write("auto.json", "[]");
    assert_eq!(codes(lower(&ticket(), &example("ticket.filled.json"), Some(&list))), ["D1635"]);
}

#[test]
fn sections_are_joined_with_their_spine() {
    let p = Project::new();
    let source = SchemaSource { schema: example("order.schema.json"), ..SchemaSource::default() };
    let counter = counter().unwrap();
    let parts = template(&source).unwrap().sections(120, &|text| counter.count(text) as usize).parts;
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["", "/buyer", "/delivery", "/delivery/to"]);

    let spine = p.write("spine.json", r#"{"number": 7, "buyer": "{FILL|section|of:/buyer}"}"#);
    let buyer = Section { name: "/buyer".to_owned(), file: p.write("buyer.json", r#"{"name": "Ada"}"#) };
    let whole = join(&spine, std::slice::from_ref(&buyer)).unwrap();
    assert_eq!(whole, json!({ "number": 7, "buyer": { "name": "Ada" } }));
    assert_eq!(codes(join(&spine, &[buyer.clone(), buyer.clone()])), ["D1636"]);
    assert_eq!(codes(join(&spine, &[Section { name: "/seller".to_owned(), ..buyer }])), ["D1637"]);
}

#[test]
fn the_operations_of_an_api_have_templates() {
    let api = operations(&example("desk.openapi.yaml")).unwrap();
    let first = api.operations.first().unwrap();
    let source = SchemaSource {
        schema: example("desk.openapi.yaml"),
        operation: Some(first.id.clone()),
        part: Some(Part::Request),
        ..SchemaSource::default()
    };
    assert!(!template(&source).unwrap().skeleton().is_empty());
    let source = SchemaSource { operation: Some("no-such-operation".to_owned()), ..source };
    assert_eq!(codes(template(&source)), ["D1632"]);
    let source = SchemaSource { part: Some(Part::Body), ..ticket() };
    assert_eq!(codes(template(&source)), ["D1632"]);
}

#[test]
fn a_template_that_is_not_utf8_is_refused() {
    let p = Project::new();
    let schema = p.write("template.txt", b"{\"a\": \"{FILL|string}\xff\"}");
    let source = SchemaSource { schema, form: SourceForm::Template, ..SchemaSource::default() };
    assert_eq!(codes(template(&source)), ["D1630"]);
}

#[test]
fn an_audit_counts_what_it_cannot_read() {
    let p = Project::new();
    let good = json!({ "id": "a", "schema": { "type": "string" }, "tests": [{ "valid": true, "data": "x" }] });
    let lines = p.write("s.jsonl", format!("{good}\n\nnot json\n{{}}\n"));
    let mut seen = Vec::new();
    let audited = audit(&[lines], Verdicts::Kept, &mut |event| seen.push(event)).unwrap();
    assert_eq!((audited.audit.schemas, audited.unreadable, audited.verdicts.len()), (1, 2, 1));
    assert_eq!(audited.report.diagnostics().len(), 2);
    assert!(matches!(seen.first(), Some(AuditProgress::Opened { size: Some(_) })), "{seen:?}");
    assert_eq!(seen.last(), Some(&AuditProgress::Closed));
    assert_eq!(codes(audit(&[p.path("none.jsonl")], Verdicts::Counted, &mut |_| {})), ["D0001"]);
}
