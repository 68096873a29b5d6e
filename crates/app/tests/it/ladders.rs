//! Payloads that climb, and their records.

use crate::project::{Project, codes, repository};
use deed_app::ladders::{Climber, Direction, MapRequest, UndoRequest, load, map, undo};
use deed_app::lines::Lines;
use deed_model::{LadderOutcome, Phase};
use serde_json::json;

fn example(name: &str) -> std::path::PathBuf {
    repository("examples/ladder").join(name)
}

fn climber() -> Climber {
    Climber::load(&example("order.contract.yaml"), Some(&example("proposals.json")), Phase::StepOutput).unwrap()
}

#[test]
fn a_climb_is_undone_and_redone_with_its_record() {
    let p = Project::new();
    let climbed = climber().file(&example("answer.txt")).unwrap();
    assert_eq!(climbed.climbed.report.outcome, LadderOutcome::Accepted);
    let payload = climbed.climbed.payload.clone().unwrap();
    let record = p.write("record.json", json!({ "payload": payload, "report": climbed.climbed.report }).to_string());

    let request = UndoRequest { record: record.clone(), ..UndoRequest::default() };
    let restored = undo(&request).unwrap();
    assert_eq!(restored.text, std::fs::read_to_string(example("answer.txt")).unwrap());
    let request = UndoRequest { record, payload: Some(example("answer.txt")), direction: Direction::Redo };
    assert_eq!(undo(&request).unwrap().payload, payload);
}

#[test]
fn a_record_without_its_payload_is_refused() {
    let p = Project::new();
    let climbed = climber().file(&example("answer.txt")).unwrap();
    let record = p.write("report.json", json!(climbed.climbed.report).to_string());
    let request = UndoRequest { record, ..UndoRequest::default() };
    assert_eq!(codes(undo(&request)), ["D1762"]);
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let p = Project::new();
    let payload = p.write("payload.txt", b"\xff{}");
    assert_eq!(codes(climber().file(&payload)), ["D1760"]);
    let climbed = climber().file(&example("answer.txt")).unwrap();
    let record = p.write("record.json", json!({ "payload": {}, "report": climbed.climbed.report }).to_string());
    let request = UndoRequest { record, payload: Some(payload), direction: Direction::Redo };
    assert_eq!(codes(undo(&request)), ["D1760"]);
}

#[test]
fn each_line_climbs_by_itself() {
    let climber = climber();
    let mut lines = Lines::open(&example("orders.jsonl")).unwrap();
    assert_eq!(lines.size(), std::fs::metadata(example("orders.jsonl")).ok().map(|meta| meta.len()));
    let mut outcomes = Vec::new();
    while let Some(line) = lines.read_next().unwrap() {
        outcomes.push((line.number, climber.line(&line).unwrap().report.outcome));
    }
    assert_eq!(outcomes.first(), Some(&(1, LadderOutcome::Accepted)));
    assert!(outcomes.iter().any(|(_, outcome)| *outcome == LadderOutcome::Rejected), "{outcomes:?}");
}

/// A contract with three faults.
const FAULTY: &str = r#"contract: faulty
schema: { type: object, properties: { reference: { type: integer } } }
synonyms: [{ from: [a], to: a }]
patch: { allow: [status], deny: [id] }
"#;

#[test]
fn all_faults_of_a_contract_are_reported() {
    let p = Project::new();
    let contract = p.write("c.yaml", FAULTY);
    let Err(error) = load(&contract) else { panic!("the contract is faulty") };
    assert_eq!(error.report.diagnostics().len(), 3, "{error}");
    let request = MapRequest {
        document: example("shop.order.json"),
        from: example("shop.schema.json"),
        contract: Some(contract),
        ..MapRequest::default()
    };
    let Err(error) = map(&request) else { panic!("the contract is faulty") };
    assert_eq!(error.report.diagnostics().len(), 3, "{error}");
}

#[test]
fn a_document_is_translated() {
    let request = MapRequest {
        document: example("shop.order.json"),
        from: example("shop.schema.json"),
        to: Some(example("invoice.schema.json")),
        synonyms: Some(example("shop.synonyms.json")),
        ..MapRequest::default()
    };
    let mapped = map(&request).unwrap();
    assert!(!mapped.holds_secret);
    assert_eq!(mapped.translated.document.as_ref().map(|invoice| &invoice["reference"]), Some(&json!(4711)));
    assert_eq!(mapped.translated.missing, Vec::<String>::new());
}

#[test]
fn without_a_schema_to_translate_to_the_request_is_malformed() {
    let request =
        MapRequest { document: example("shop.order.json"), from: example("shop.schema.json"), ..MapRequest::default() };
    assert_eq!(codes(map(&request)), ["D0019"]);
}

#[test]
fn the_secret_of_a_document_is_not_in_its_errors() {
    let p = Project::new();
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let secret = sample.text.get(sample.secret).unwrap().to_owned();
    let document = p.write("order.json", json!({ "note": secret, "number": 1 }).to_string());
    let from = p.write("from.json", json!({ "type": "object", "required": ["missing"] }).to_string());
    let request = MapRequest { document, from: from.clone(), to: Some(from), ..MapRequest::default() };
    let Err(error) = map(&request) else { panic!("the document is not of its schema") };
    assert!(!error.to_string().contains(&secret), "{error}");
    assert!(error.to_string().contains("1 faults"), "{error}");
}
