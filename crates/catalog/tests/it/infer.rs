//! Entities inferred from summaries of tables.

use deed_catalog::{Cells, InferError, infer_entity};
use deed_model::{CandidateKey, ColumnSummary, ColumnType, Coverage, Nullability, TableSummary, Uniqueness, ValueType};
use serde_json::json;
use std::collections::BTreeMap;

fn column(name: &str, inferred: ColumnType, missing: u64) -> ColumnSummary {
    ColumnSummary {
        name: name.to_owned(),
        inferred,
        types: BTreeMap::from([(ValueType::Integer, 2), (ValueType::Text, 1)]),
        nullability: if missing > 0 { Nullability::Nullable } else { Nullability::NeverNull },
        missing,
        distinct: None,
        min: None,
        max: None,
        unique: Uniqueness::NotUnique,
    }
}

fn table(columns: Vec<ColumnSummary>, keys: &[&[&str]]) -> TableSummary {
    let key = |columns: &&[&str]| CandidateKey {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        unique: Uniqueness::Unique,
    };
    TableSummary {
        coverage: Coverage::Complete,
        rows: 30,
        column_count: columns.len() as u64,
        columns,
        candidate_keys: keys.iter().map(key).collect(),
    }
}

#[test]
fn columns_become_fields() {
    let columns = vec![
        column("id", ColumnType::Integer, 0),
        column("rate", ColumnType::Number, 1),
        column("day", ColumnType::Date, 0),
        column("at", ColumnType::Timestamp, 0),
        column("mixed", ColumnType::Mixed, 0),
        column("empty", ColumnType::Null, 3),
    ];
    let table = table(columns, &[&["id"]]);
    let of = |cells: Cells| infer_entity("a.b_c".parse().unwrap(), &table, cells).unwrap().schema;
    let text = of(Cells::Text);
    let types = |schema: &serde_json::Value, name: &str| schema["properties"][name]["type"].clone();
    assert_eq!(text["title"], "B c");
    assert_eq!(text["required"], json!(["id", "day", "at", "mixed"]));
    assert_eq!((types(&text, "id"), types(&text, "rate")), (json!("integer"), json!(["number", "null"])));
    assert_eq!(text["properties"]["day"]["format"], "date");
    assert_eq!(text["properties"]["at"].get("format"), None);
    assert_eq!((types(&text, "mixed"), types(&text, "empty")), (json!("string"), json!(["string", "null"])));
    let typed = of(Cells::Typed);
    assert_eq!((types(&typed, "mixed"), types(&typed, "empty")), (json!(["integer", "string"]), json!(null)));
}

/// An id is the likeliest key, and a measured value that happens to be unique is none.
#[test]
fn the_likeliest_key_is_the_grain() {
    let columns = || {
        vec![
            column("amount", ColumnType::Number, 0),
            column("day", ColumnType::Date, 0),
            column("name", ColumnType::Text, 0),
            column("order_id", ColumnType::Text, 0),
        ]
    };
    let keys = |keys: &[&[&str]]| {
        let entity = infer_entity("a.b".parse().unwrap(), &table(columns(), keys), Cells::Text).unwrap();
        (entity.schema["x-deed-keys"].clone(), entity.schema["x-deed-grain"].clone())
    };
    let all = keys(&[&["amount"], &["day"], &["name"], &["order_id"]]);
    assert_eq!(all, (json!([["order_id"], ["name"], ["day"]]), json!(["order_id"])));
    assert_eq!(keys(&[&["amount"]]), (json!([["amount"]]), json!(["amount"])));
    assert_eq!(keys(&[&["day", "name"]]), (json!([["day", "name"]]), json!(["day", "name"])));
    let none = infer_entity("a.b".parse().unwrap(), &table(columns(), &[]), Cells::Text).unwrap();
    assert_eq!(none.schema.get("x-deed-grain"), None);
    assert!(none.notes.iter().any(|note| note.contains("x-deed-grain")), "{:?}", none.notes);
}

#[test]
fn tables_that_give_no_entity() {
    let infer = |table: &TableSummary| infer_entity("a.b".parse().unwrap(), table, Cells::Text).unwrap_err();
    let named = |name: &str| table(vec![column(name, ColumnType::Text, 0)], &[]);
    assert_eq!(infer(&table(Vec::new(), &[])), InferError::NoColumns);
    assert_eq!(infer(&TableSummary { rows: 0, ..named("a") }), InferError::NoRows);
    assert_eq!(infer(&TableSummary { column_count: 9, ..named("a") }), InferError::TooManyColumns(9));
    for name in [" ", &"x".repeat(128), "[secret]"] {
        assert!(matches!(infer(&named(name)), InferError::ColumnName(1, _)), "{name}");
    }
    let twice = table(vec![column("a", ColumnType::Text, 0), column("a", ColumnType::Text, 0)], &[]);
    assert_eq!(infer(&twice), InferError::DuplicateColumn("a".to_owned()));
}

/// In a few rows every column is unique by chance: only one that is called an id counts, and a note says so.
#[test]
fn a_few_rows_tell_no_keys() {
    let columns = || vec![column("name", ColumnType::Text, 0), column("order_id", ColumnType::Text, 0)];
    let few = |keys: &[&[&str]]| {
        let table = TableSummary { rows: 3, ..table(columns(), keys) };
        infer_entity("a.b".parse().unwrap(), &table, Cells::Text).unwrap()
    };
    let named = few(&[&["name"], &["order_id"]]);
    assert_eq!(named.schema["x-deed-keys"], json!([["order_id"]]));
    assert!(named.notes[0].contains("because of its name; the file has only 3 rows"), "{:?}", named.notes);
    let guessed = few(&[&["name"]]);
    assert_eq!((guessed.schema.get("x-deed-keys"), guessed.schema.get("x-deed-grain")), (None, None));
    assert!(guessed.notes[0].starts_with("3 rows are too few to tell which columns are keys"), "{:?}", guessed.notes);
}
