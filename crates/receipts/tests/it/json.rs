//! JSON: rows, lines and documents, and what does not parse.

use crate::common::{column, document, failure, keys, look, table};
use deed_model::{
    Agreement, ArtifactFormat, ColumnType, DetectedFormat, DistinctCount, Extreme, ParseOutcome, Precision, Uniqueness,
    ValueType,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

const JSON: Option<ArtifactFormat> = Some(ArtifactFormat::Json);

#[test]
fn rows_are_a_table() {
    let found = look(
        r#"[{"id": 1, "name": "a", "tags": [1, {"x": 2}], "day": "2024-01-01"},
            {"id": 2.0, "name": "\u0061", "day": "2024-01-02", "extra": null},
            {"id": 3, "name": "b", "day": "2024-01-03", "extra": true}]"#,
        JSON,
    );
    assert_eq!(
        (found.detected, found.agrees, &found.parse),
        (DetectedFormat::JsonRows, Agreement::Yes, &ParseOutcome::Parses)
    );
    assert_eq!(table(&found).rows, 3);
    assert_eq!(keys(&found), [["id"], ["day"]]);
    assert_eq!(column(&found, "name").distinct, Some(DistinctCount { count: 2, precision: Precision::Exact }));
    assert_eq!(column(&found, "tags").inferred, ColumnType::Array);
    assert_eq!((column(&found, "tags").missing, column(&found, "tags").distinct), (2, None));
    assert_eq!(column(&found, "extra").missing, 2);
    assert_eq!(column(&found, "day").inferred, ColumnType::Date);
    assert_eq!(column(&found, "id").max, Some(Extreme::Number("3".to_owned())));
}

#[test]
fn numbers_that_are_equal_are_one_value() {
    let found = look(r#"[{"id": 1}, {"id": 1.0}]"#, JSON);
    assert_eq!(column(&found, "id").unique, Uniqueness::NotUnique);
    let found = look(r#"[{"id": 1}, {"id": "1"}]"#, JSON);
    assert_eq!(column(&found, "id").inferred, ColumnType::Mixed);
    assert_eq!(column(&found, "id").distinct.unwrap().count, 2);
}

#[test]
fn documents_show_their_keys() {
    let found = look(r#"{"b": [1, 2], "a": {"x": null}, "n": 1.5, "s": "TBD"}"#, JSON);
    assert_eq!(found.detected, DetectedFormat::Json);
    let keys = BTreeMap::from([
        ("a".to_owned(), ValueType::Object),
        ("b".to_owned(), ValueType::Array),
        ("n".to_owned(), ValueType::Number),
        ("s".to_owned(), ValueType::Text),
    ]);
    assert_eq!((document(&found).keys.clone(), document(&found).depth), (keys, 2));
    assert_eq!(found.sentinels.findings[0].place.field.as_deref(), Some("s"));
    let found = look(r#"[1, {"a": 2}, "x"]"#, JSON);
    assert_eq!(found.detected, DetectedFormat::Json);
    assert_eq!(document(&found).items.len(), 3);
    assert_eq!(look("[]", JSON).detected, DetectedFormat::JsonRows);
    assert_eq!(document(&look("42", JSON)).top_level, ValueType::Integer);
}

#[test]
fn lines_are_rows_and_no_json_document() {
    let text = "{\"a\": 1}\n{\"a\": 2}\n";
    let found = look(text, None);
    assert_eq!(
        (found.detected, &found.parse, table(&found).rows),
        (DetectedFormat::JsonLines, &ParseOutcome::Parses, 2)
    );
    let found = look(text, JSON);
    assert_eq!((found.agrees, table(&found).rows), (Agreement::No, 2));
    assert_eq!(failure(&found), (Some(2), None, None, "this is JSON lines, where `json` is expected"));
}

#[test]
fn a_parse_failure_has_a_place() {
    let fault = |text: &str| {
        let found = look(text, JSON);
        let (line, _, offset, message) = failure(&found);
        (line.unwrap(), offset.unwrap(), message.to_owned())
    };
    assert_eq!(fault("{\n  \"a\": 1,\n}"), (3, 12, "a key in quotes was expected".to_owned()));
    assert_eq!(fault("[1, 2"), (1, 5, "a comma or the end of the list was expected".to_owned()));
    assert_eq!(fault("{\"a\": 01}").2, "a number that is not written as JSON has it");
    assert_eq!(fault("{\"a\": 1, \"a\": 2}").2, "a key stands twice in the object that ends here");
    assert_eq!(fault("{\"a\": \"\\ud800\"}").2, "an escape names half a character");
    assert_eq!(fault("{\"a\": \"x").2, "a string is opened and never closed");
    assert_eq!(fault("{\"a\": \"x\ty\"}").2, "a control character within a string");
    assert_eq!(fault("{} {}").2, "something follows the value");
    assert_eq!(fault("[truu]").2, "a value that is no JSON");
    assert_eq!(fault("\u{feff}{}").2, "a byte order mark, or bytes that are not JSON");
    assert_eq!(
        failure(&look(b"{\"a\": \"\xff\xff\", \"plain\": \"ascii text here\"}", JSON)).3,
        "the bytes are not UTF-8"
    );
}

#[test]
fn nesting_stops_at_128() {
    let nested = |depth: usize| look(format!("{}{}", "[".repeat(depth), "]".repeat(depth)), JSON);
    assert_eq!(nested(128).parse, ParseOutcome::Parses);
    assert_eq!(failure(&nested(129)).3, "more than 128 levels of nesting");
    assert_eq!(failure(&look("[".repeat(1 << 20), JSON)).3, "more than 128 levels of nesting");
    assert_eq!(failure(&look("{\"a\":".repeat(200_000), JSON)).3, "more than 128 levels of nesting");
}

#[test]
fn long_strings_are_compared_whole() {
    let long = "x".repeat(300_000);
    let found = look(format!(r#"[{{"a": "{long}"}}, {{"a": "{long}y"}}, {{"a": "{long}y"}}]"#), JSON);
    assert_eq!(found.parse, ParseOutcome::Parses);
    assert_eq!(column(&found, "a").distinct.unwrap().count, 2);
    let accents = "é".repeat(200_001);
    let found = look(format!(r#"{{"a": "{accents}"}}"#), JSON);
    assert_eq!(found.parse, ParseOutcome::Parses);
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Into::into),
        ".*".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::btree_map(".{0,6}", inner, 0..8)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_parses(value in prop::collection::vec(value(), 0..6)) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(look(&text, JSON).parse, ParseOutcome::Parses);
    }

    #[test]
    fn it_agrees_with_another_parser(text in r#"[\[\]{},:"0-9eE.truefalsn\\ -]{0,24}"#) {
        let found = look(&text, JSON);
        let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        let ours = found.parse == ParseOutcome::Parses;
        // We refuse what they forgive, such as a key that stands twice, and read numbers that overflow them.
        let out_of_range = serde_json::from_str::<serde_json::Value>(&text).is_err_and(|e| e.to_string().contains("range"));
        prop_assert!(!ours || theirs || out_of_range, "{:?} {:?}", text, found.parse);
    }
}
