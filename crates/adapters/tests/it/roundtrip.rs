//! The declared loss of each adapter, checked by converting generated tables there and back.

use crate::common::run;
use deed_adapters::{How, Measure, Settings};
use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

const CASES: u32 = 150;

fn schema() -> Value {
    json!({
        "required": ["id", "name", "score"],
        "additionalProperties": false,
        "properties": {
            "id": { "type": "integer" },
            "name": { "type": "string" },
            "score": { "type": ["number", "null"] },
            "open": { "type": "boolean" },
            "day": { "type": "string", "format": "date" },
            "note": { "type": "string" }
        }
    })
}

fn any_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            4 => proptest::char::range('a', 'z'),
            1 => proptest::sample::select(vec![',', '"', '\n', '\r', '\t', '=', '\\', ' ', 'é', '漢', '😀', '\u{7}', '\'', '#']),
            1 => any::<char>().prop_filter("no NUL", |c| *c != '\0'),
        ],
        0..12,
    )
    .prop_map(|chars| chars.into_iter().collect())
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        (-1e9..1e9_f64).prop_filter_map("finite", |n| Number::from_f64(n).map(Value::Number)),
        any::<f64>().prop_filter_map("safe", |n| deed_canon::number_from_f64(n).ok().map(Value::Number)),
    ]
}

/// Rows that fit the schema. Text in an optional column is not empty, since an empty cell says that there is none.
fn rows() -> impl Strategy<Value = Vec<Value>> {
    let row = (
        -9_007_199_254_740_991_i64..=9_007_199_254_740_991,
        any_text(),
        proptest::option::of(number()),
        proptest::option::of(any::<bool>()),
        proptest::option::of((0..9999_u32, 1..=12_u32, 1..=28_u32)),
        proptest::option::of(any_text().prop_filter("not empty", |text| !text.is_empty())),
    )
        .prop_map(|(id, name, score, open, day, note)| {
            let mut row = Map::new();
            row.insert("id".to_owned(), id.into());
            row.insert("name".to_owned(), name.into());
            row.insert("score".to_owned(), score.unwrap_or(Value::Null));
            open.map(|open| row.insert("open".to_owned(), open.into()));
            day.map(|(y, m, d)| row.insert("day".to_owned(), format!("{y:04}-{m:02}-{d:02}").into()));
            note.map(|note| row.insert("note".to_owned(), note.into()));
            Value::Object(row)
        });
    proptest::collection::vec(row, 0..20)
}

/// Tables of text, with names that are not empty and not twice.
fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1..6_usize).prop_flat_map(|width| {
        let names = proptest::collection::hash_set(any_text().prop_filter("a name", |t| !t.is_empty()), width);
        // A byte order mark at the very beginning is left out, as it should be.
        let names = names.prop_filter("no mark", |names| names.iter().all(|name| !name.starts_with('\u{feff}')));
        let cells = proptest::collection::vec(proptest::collection::vec(any_text(), width), 0..12);
        (names, cells).prop_map(|(names, mut cells)| {
            cells.insert(0, names.into_iter().collect());
            cells
        })
    })
}

fn csv_of(table: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    table.iter().for_each(|record| writer.write_record(record).unwrap());
    writer.into_inner().unwrap()
}

fn cells_of(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(bytes);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn value(bytes: &[u8]) -> Value {
    deed_canon::parse(bytes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_come_back_from_csv_tsv_and_parquet(rows in rows()) {
        let schema = schema();
        let settings = Settings { row: Some(&schema), ..Settings::default() };
        let json = serde_json::to_vec(&rows).unwrap();
        let expected = value(&json);
        for (there, back) in [
            ("json_rows_to_csv.v1", "csv_to_json_rows.v1"),
            ("json_rows_to_tsv.v1", "tsv_to_json_rows.v1"),
            #[cfg(feature = "parquet")]
            ("json_rows_to_parquet.v1", "parquet_to_json_rows.v1"),
        ] {
            let (table, _) = run(there, &[&json], &settings).unwrap();
            let (rows, _) = run(back, &[&table], &settings).unwrap();
            prop_assert_eq!(&value(&rows), &expected, "{}", there);
        }
    }

    #[test]
    fn csv_and_tsv_have_the_same_cells(table in table()) {
        let csv = csv_of(&table);
        let (tsv, _) = run("csv_to_tsv.v1", &[&csv], &Settings::default()).unwrap();
        let (back, _) = run("tsv_to_csv.v1", &[&tsv], &Settings::default()).unwrap();
        prop_assert_eq!(cells_of(&tsv, b'\t'), table.clone());
        prop_assert_eq!(cells_of(&back, b','), table);
    }

    #[test]
    fn cells_are_those_that_the_csv_crate_reads(table in table()) {
        let csv = csv_of(&table);
        let (rows, _) = run("csv_to_json_rows.v1", &[&csv], &Settings::default()).unwrap();
        let header = &table[0];
        let expected: Vec<Value> = table[1..]
            .iter()
            .map(|record| Value::Object(header.iter().cloned().zip(record.iter().cloned().map(Value::from)).collect()))
            .collect();
        prop_assert_eq!(value(&rows), Value::Array(expected));
        // Without rows there is nothing to take a header from.
        if table.len() > 1 {
            let (back, _) = run("json_rows_to_csv.v1", &[&rows], &Settings::default()).unwrap();
            prop_assert_eq!(cells_of(&back, b','), table);
        }
    }

    #[test]
    fn objects_come_back_from_yaml(object in object()) {
        let json = serde_json::to_vec(&object).unwrap();
        let (yaml, _) = run("json_to_yaml.v1", &[&json], &Settings::default()).unwrap();
        let (back, _) = run("yaml_to_json.v1", &[&yaml], &Settings::default()).unwrap();
        prop_assert_eq!(value(&back), value(&json), "{}", String::from_utf8_lossy(&yaml));
    }

    #[test]
    fn rows_are_rows(rows in rows()) {
        let json = serde_json::to_vec(&rows).unwrap();
        for id in ["aggregated_rows_to_json_rows.v1", "joined_rows_to_json_rows.v1"] {
            let (out, _) = run(id, &[&json], &Settings::default()).unwrap();
            prop_assert_eq!(value(&out), value(&json));
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_order_of_rows(cents in proptest::collection::vec((0..4_u8, -1_000_000..1_000_000_i64), 1..40)) {
        let row = |(k, n): &(u8, i64)| format!(r#"{{"k":{k},"n":{}{}.{:02}}}"#, if *n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100);
        let keys = ["k".to_owned()];
        let measures = [Measure { field: "n".to_owned(), how: How::Sum, as_name: "sum".to_owned() }];
        let settings = Settings { keys: &keys, measures: &measures, ..Settings::default() };
        let sums = |list: Vec<String>| {
            let json = format!("[{}]", list.join(","));
            let (out, _) = run("json_rows_to_aggregated_rows.v1", &[json.as_bytes()], &settings).unwrap();
            let mut sums: Vec<String> = value(&out).as_array().unwrap().iter().map(Value::to_string).collect();
            sums.sort();
            sums
        };
        let ahead = sums(cents.iter().map(row).collect());
        prop_assert_eq!(&ahead, &sums(cents.iter().rev().map(row).collect()));
        let mut expected = std::collections::BTreeMap::new();
        cents.iter().for_each(|(k, n)| *expected.entry(*k).or_insert(0) += n);
        let exact: Vec<String> = expected
            .iter()
            .map(|(k, n)| json!({ "k": k, "sum": value((*n as f64 / 100.0).to_string().as_bytes()) }).to_string())
            .collect();
        prop_assert_eq!(ahead, exact);
    }

    #[test]
    fn a_join_has_every_row_of_the_first_table_once(left in proptest::collection::vec(0..9_u8, 0..20), right in proptest::collection::hash_set(0..9_u8, 0..9)) {
        let first: Vec<Value> = left.iter().enumerate().map(|(i, k)| json!({ "k": k, "i": i })).collect();
        let second: Vec<Value> = right.iter().map(|k| json!({ "k": k, "v": format!("v{k}") })).collect();
        let keys = ["k".to_owned()];
        let settings = Settings { keys: &keys, ..Settings::default() };
        let inputs = [serde_json::to_vec(&first).unwrap(), serde_json::to_vec(&second).unwrap()];
        let (out, _) = run("joined_rows.v1", &[&inputs[0], &inputs[1]], &settings).unwrap();
        let expected: Vec<Value> = left
            .iter()
            .enumerate()
            .map(|(i, k)| if right.contains(k) { json!({ "k": k, "i": i, "v": format!("v{k}") }) } else { json!({ "k": k, "i": i }) })
            .collect();
        prop_assert_eq!(value(&out), Value::Array(expected));
    }
}

fn object() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        any_text().prop_map(Value::from),
        proptest::sample::select(vec![
            "yes",
            "null",
            "1e3",
            "0x1f",
            "~",
            "- a",
            "a: b",
            "a #b",
            "2024-01-01",
            ".5",
            "y",
            "a "
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((any_text(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
