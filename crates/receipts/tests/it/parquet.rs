//! A Parquet file is summarised as the JSON form of its rows is, to the last finding: receipts that were made from that
//! form verify.

use crate::common::look;
use deed_adapters::{Settings, find};
use deed_model::{ArtifactFormat, Inspection};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::io::Cursor;

fn adapted(id: &str, bytes: &[u8], row: Option<&Value>) -> Vec<u8> {
    let mut out = Vec::new();
    let settings = Settings { row, ..Settings::default() };
    find(id).unwrap().run(&mut [&mut Cursor::new(bytes)], &mut out, &settings).unwrap();
    out
}

fn is_alike(rows: &Value, row: Option<&Value>) -> (Inspection, Inspection) {
    let parquet = adapted("json_rows_to_parquet.v1", &serde_json::to_vec(rows).unwrap(), row);
    let json = adapted("parquet_to_json_rows.v1", &parquet, None);
    let one = look(&parquet, Some(ArtifactFormat::Parquet));
    let other = look(&json, Some(ArtifactFormat::Json));
    assert_eq!((&one.summary, &one.parse, &one.notes), (&other.summary, &other.parse, &other.notes));
    assert_eq!(one.sentinels, other.sentinels);
    (one, other)
}

#[test]
fn long_texts_and_placeholders_are_found_alike() {
    let long = format!("TODO {}", "x".repeat(70_000));
    let exact = "y".repeat(65_536);
    let rows: Vec<Value> = (0..40)
        .map(|i| match i % 8 {
            0 => json!({ "id": i, "note": "TODO", "when": "2024-02-29" }),
            1 => json!({ "id": i, "note": long, "when": null }),
            2 => json!({ "id": i, "note": exact, "when": "2024-02-30" }),
            3 => json!({ "id": i, "note": format!("{exact}z"), "when": "2024-01-01T10:00:00Z" }),
            4 => json!({ "id": i, "note": "<insert name here>\n\"quoted\" \\ \u{1}", "when": "lorem ipsum" }),
            5 => json!({ "id": i, "note": "", "when": "ä" }),
            6 => json!({ "id": i, "note": "null", "when": "TBD" }),
            _ => json!({ "id": i, "note": "plain", "when": "2024-02-29" }),
        })
        .collect();
    let (one, _) = is_alike(&json!(rows), None);
    assert!(one.sentinels.certain > 0, "{:?}", one.sentinels);
    assert!(one.notes.iter().any(|note| note.contains("65536")), "{:?}", one.notes);
}

#[test]
fn a_table_without_rows_is_alike() {
    let row = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    is_alike(&json!([]), Some(&row));
}

/// Columns of one type each, as the adapter asks for.
fn rows() -> impl Strategy<Value = Value> {
    let texts = prop::sample::select(vec!["", "a", "TODO", "FIXME", "n/a", "2024-01-01", "12", "x y", "ä", "\"", "\n"]);
    let row = (any::<i32>(), any::<bool>(), -1e9..1e9_f64, texts, prop::option::of(0..3_i32));
    prop::collection::vec(row, 1..60).prop_map(|rows| {
        rows.into_iter()
            .map(|(whole, truth, number, text, some)| {
                let mut row = Map::new();
                row.insert("whole".to_owned(), json!(whole));
                row.insert("truth".to_owned(), json!(truth));
                row.insert("number".to_owned(), json!(number + 0.5));
                row.insert("text".to_owned(), json!(text));
                row.insert("some".to_owned(), json!(some));
                Value::Object(row)
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rows_are_alike(rows in rows()) {
        is_alike(&rows, None);
    }
}
