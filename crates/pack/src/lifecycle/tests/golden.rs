use super::super::*;
use super::fixture::*;
use deed_model::{AuditEvent, RegistryEvent};
use serde_json::{Value, json};

fn cases(outcome: &str) -> Vec<(String, Value)> {
    vec![
        ("02_deny".to_owned(), json!({ "expect": { "outcome": outcome } })),
        ("01_allow".to_owned(), json!({ "expect": { "outcome": "compiled" } })),
    ]
}

fn with_cases(outcome: &str) -> Candidate {
    candidate("1.0.0").with_golden(&cases(outcome)).unwrap()
}

#[test]
fn golden_cases_are_part_of_what_is_linted_reviewed_signed_and_published() {
    let pack = with_cases("must_refuse");
    let names: Vec<&str> = pack.golden().iter().map(CandidateGolden::name).collect();
    assert_eq!(names, ["01_allow", "02_deny"], "in the order of their names");
    // The same document with weaker cases, or without any.
    for other in [with_cases("compiled"), candidate("1.0.0")] {
        assert_eq!(pack.content_hash(), other.content_hash());
        let mut book = Book::new();
        book.lint(&pack).unwrap();
        refused(book.review(&other, &reviewed(&other, ROLES[0], 2)), &["D1201"]);
        let mut book = Book::signed(&pack);
        refused(book.publish(&other), &["D1307"]);
        book.publish(&pack).unwrap();
        refused(book.publish(&other), &["D1204"]);
        refused(book.lint(&other), &["D1204"]);
        assert_eq!(book.lint(&pack), Ok(Transition::AlreadyDone));
    }
    let store = Book::new().trusted().store();
    let reviews: Vec<_> = ROLES.into_iter().map(|role| reviewed(&pack, role, 2)).collect();
    let signature = signed(&pack, 1);
    let verify =
        |golden: &[(String, Value)]| verify_offline(pack.document(), &[], golden, &signature, &reviews, &store);
    assert!(verify(&cases("must_refuse")).unwrap().proved.iter().any(|fact| fact.contains("golden cases")));
    refused(verify(&[]), &["D1307", "D1202", "D1202"]);
}

#[test]
fn the_cases_come_back_from_the_statement() {
    let pack = with_cases("must_refuse");
    let named = documents_of(&signed(&pack, 1), &Book::new().trusted()).unwrap();
    let expected: Vec<_> = pack.golden().iter().map(|case| (case.name().to_owned(), case.sha256())).collect();
    assert_eq!(named.golden, expected);
    let bytes = pack.golden().iter().map(|case| (case.name().to_owned(), case.bytes().to_vec())).collect();
    let again = candidate("1.0.0").with_canonical_golden(bytes).unwrap();
    assert_eq!(again.golden_records(), pack.golden_records());
    let twice = vec![("a".to_owned(), json!(1)), ("a".to_owned(), json!(2))];
    refused(candidate("1.0.0").with_golden(&twice).map(|_| ()), &["D1212"]);
}

#[test]
fn records_from_before_golden_cases_stay_valid() {
    let pack = candidate("1.0.0");
    let mut book = Book::signed(&pack);
    book.publish(&pack).unwrap();
    // Written as an earlier version wrote them: without the field.
    for event in &book.events {
        let value = serde_json::to_value(event).unwrap();
        assert!(value["event"].get("golden").is_none());
        assert_eq!(serde_json::from_value::<AuditEvent>(value).unwrap(), *event);
    }
    assert!(
        matches!(&book.events.last().unwrap().event, RegistryEvent::PackPublished { golden, .. } if golden.is_empty())
    );
    assert!(book.proof(&pack).is_ok());
    // Cases that lie beside it now are not part of it, and do not make it fail lint.
    let beside = with_cases("must_refuse");
    assert_eq!(book.lint(&beside), Ok(Transition::AlreadyDone));
    refused(book.publish(&beside), &["D1204"]);
}
