//! CSV and TSV: types, keys, ranges, placeholders, and what does not parse.

use crate::common::{column, failure, keys, limited, look, table};
use deed_model::{
    Agreement, ArtifactFormat, ColumnType, Coverage, DetectedFormat, DistinctCount, Extreme, Nullability, ParseOutcome,
    Precision, SentinelStrength, Uniqueness, ValueType,
};
use deed_receipts::InspectLimits;
use std::collections::BTreeMap;
use std::fmt::Write;

const TABLE: &str = "id,name,price,day,at,ok,note\r\n\
    1,Ann,1.50,2024-01-31,2024-01-31T10:00:00Z,true,\r\n\
    2,\"Bo, Jr\",2,2023-12-01,2024-01-31T09:00:00Z,false,\"said \"\"hi\"\"\"\r\n\
    3,Ann,-0.25,2024-02-29,2024-02-01 08:00,true,x\r\n";

#[test]
fn a_table_is_summed_up() {
    let found = look(TABLE, Some(ArtifactFormat::Csv));
    assert_eq!((found.detected, found.agrees), (DetectedFormat::Csv, Agreement::Yes));
    assert_eq!(found.parse, ParseOutcome::Parses);
    assert_eq!((table(&found).rows, table(&found).column_count), (3, 7));
    assert_eq!(table(&found).coverage, Coverage::Complete);
    let types: Vec<ColumnType> = table(&found).columns.iter().map(|column| column.inferred).collect();
    use ColumnType as T;
    assert_eq!(types, [T::Integer, T::Text, T::Number, T::Date, T::Timestamp, T::Boolean, T::Text]);
    let price = column(&found, "price");
    assert_eq!(price.types, BTreeMap::from([(ValueType::Integer, 1), (ValueType::Number, 2)]));
    assert_eq!(price.min, Some(Extreme::Number("-0.25".to_owned())));
    assert_eq!(price.max, Some(Extreme::Number("2".to_owned())));
    let name = column(&found, "name");
    assert_eq!(name.distinct, Some(DistinctCount { count: 2, precision: Precision::Exact }));
    assert_eq!(name.unique, Uniqueness::NotUnique);
    let note = column(&found, "note");
    assert_eq!((note.nullability, note.missing), (Nullability::Nullable, 1));
    assert_eq!(note.min, Some(Extreme::Text("said \"hi\"".to_owned())));
    assert_eq!(column(&found, "day").max, Some(Extreme::Text("2024-02-29".to_owned())));
    assert_eq!(keys(&found), [["id"], ["price"], ["day"], ["at"]]);
}

#[test]
fn without_a_key_pairs_are_tried() {
    let mut text = "region,month,sum,constant\n".to_owned();
    for region in 0..30 {
        for month in 0..12 {
            writeln!(text, "r{region},{month},{},x", (region * month) % 7).unwrap();
        }
    }
    let found = look(&text, None);
    assert_eq!(keys(&found), [["region", "month"]]);
    let with_gap = text.replace("r3,5,", "r3,,");
    assert!(keys(&look(&with_gap, None)).is_empty());
}

#[test]
fn a_pair_beyond_its_cap_is_unknown_and_none_where_a_value_is_missing() {
    let mut text = "a,b\n".to_owned();
    for i in 0..120_000 {
        writeln!(text, "{},{}", (i / 400 * 7) % 300, (i * 3) % 400).unwrap();
    }
    let found = look(&text, None);
    assert_eq!(keys(&found), [["a", "b"]]);
    assert_eq!(table(&found).candidate_keys[0].unique, Uniqueness::Unknown);
    assert!(keys(&look(text + "1,\n", None)).is_empty());
}

#[test]
fn beyond_the_cap_keys_are_unknown_unless_order_proves_them() {
    let mut text = "rising,scattered,twice\n".to_owned();
    for i in 0..5_000_u64 {
        writeln!(text, "{i},{},{}", (i * 7_919) % 5_003, i / 2).unwrap();
    }
    let limits = InspectLimits { unique_rows: 1_000, distinct: 500, ..InspectLimits::default() };
    let found = limited(&text, None, &limits);
    assert_eq!(column(&found, "rising").unique, Uniqueness::Unique);
    assert_eq!(column(&found, "rising").distinct, Some(DistinctCount { count: 5_000, precision: Precision::Exact }));
    assert_eq!(column(&found, "scattered").unique, Uniqueness::Unknown);
    assert_eq!(column(&found, "scattered").distinct.unwrap().precision, Precision::Approximate);
    assert_eq!(column(&found, "twice").unique, Uniqueness::NotUnique);
    assert_eq!(column(&look(&text, None), "scattered").unique, Uniqueness::Unique);
}

#[test]
fn a_parse_failure_has_a_place() {
    let csv = |text: &str| look(text, Some(ArtifactFormat::Csv));
    assert_eq!(failure(&csv("a,b\n1,2\n3\n")), (Some(3), Some(2), None, "1 cells where the header has 2"));
    assert_eq!(failure(&csv("a,b\n1,\"2\n")).3, "a quote is opened and never closed");
    assert_eq!(
        failure(&csv("a,b\n1,2\n1,x\"y\n")),
        (Some(3), Some(2), Some(11), "a quote within a cell that is not in quotes")
    );
    assert_eq!(failure(&csv("a,a\n1,2\n")).3, "two columns are called `a`");
    assert_eq!(failure(&csv("a,b\n1,\"\n\"\n1\n")).0, Some(4));
    let partial = csv("a,b\n1,2\n3\n");
    assert_eq!((table(&partial).rows, table(&partial).coverage), (1, Coverage::Partial));
    let latin = look(b"name,size\ncaf\xe9,1\nmore,2\n", Some(ArtifactFormat::Csv));
    assert_eq!(failure(&latin), (Some(2), Some(1), Some(13), "the bytes are not UTF-8"));
}

#[test]
fn another_format_is_named() {
    let found = look("{\"error\": \"no data\"}", Some(ArtifactFormat::Csv));
    assert_eq!((found.detected, found.agrees), (DetectedFormat::Json, Agreement::No));
    assert_eq!(failure(&found).3, "this is JSON, where `csv` is expected");
    let empty = look("", Some(ArtifactFormat::Csv));
    assert_eq!((empty.detected, empty.agrees), (DetectedFormat::Empty, Agreement::No));
    assert_eq!(failure(&empty).3, "this is empty, where `csv` is expected");
}

#[test]
fn placeholders_have_row_and_column() {
    let found = look("id,owner,status\n1,Ann,TODO\n2,TBD,open\n3,TBD,open\n", None);
    assert_eq!((found.sentinels.certain, found.sentinels.suspect), (2, 1));
    let first = &found.sentinels.findings[0];
    assert_eq!(
        (first.sentinel.as_str(), first.strength, first.count),
        ("unfinished_mark", SentinelStrength::Certain, 2)
    );
    assert_eq!((first.place.line, first.place.row, first.place.field.as_deref()), (Some(3), Some(2), Some("owner")));
    assert_eq!(found.sentinels.findings[1].strength, SentinelStrength::Suspect);
}

#[test]
fn many_columns_are_counted_and_some_summed_up() {
    let header: Vec<String> = (0..100_000).map(|i| format!("c{i}")).collect();
    let row: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let text = format!("{}\n{}\n", header.join(","), row.join(","));
    let found = look(&text, Some(ArtifactFormat::Csv));
    assert_eq!(found.parse, ParseOutcome::Parses);
    assert_eq!((table(&found).column_count, table(&found).columns.len()), (100_000, 2_000));
    assert!(found.notes.iter().any(|note| note.contains("after the first 2000")), "{:?}", found.notes);
    let wide = look(",".repeat(300_000), Some(ArtifactFormat::Csv));
    assert!(!matches!(wide.parse, ParseOutcome::Parses), "{:?}", wide.parse);
}

#[test]
fn a_row_that_is_too_long_is_reported() {
    let text = format!("a,b\n1,\"{}\"\n", "x".repeat(9 << 20));
    let found = look(&text, Some(ArtifactFormat::Csv));
    assert_eq!(
        found.parse,
        ParseOutcome::NotChecked { reason: "line 2 begins a row of more than 8388608 bytes".to_owned() }
    );
}

#[test]
fn marks_blank_lines_and_tabs_are_seen() {
    let found = look("\u{feff}a\tb\n\n1\t2\n", None);
    assert_eq!((found.detected, table(&found).rows), (DetectedFormat::Tsv, 1));
    assert_eq!(table(&found).columns[0].name, "a");
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
}

/// The counts agree with those of the `csv` crate, on a table larger than one window.
#[test]
fn counts_agree_with_another_reader() {
    let mut text = "id,word,quoted\n".to_owned();
    for i in 0..40_000_u64 {
        writeln!(text, "{i},w{},\"a \"\"{}\"\", b\n{}\"", i % 1_234, i % 777, i % 3).unwrap();
    }
    let found = look(&text, None);
    let mut expected: Vec<std::collections::BTreeSet<String>> = vec![Default::default(); 3];
    let mut rows = 0;
    for record in csv::Reader::from_reader(text.as_bytes()).records() {
        rows += 1;
        for (cell, seen) in record.unwrap().iter().zip(&mut expected) {
            seen.insert(cell.to_owned());
        }
    }
    assert_eq!(table(&found).rows, rows);
    for (column, expected) in table(&found).columns.iter().zip(&expected).skip(1) {
        assert_eq!(column.distinct, Some(DistinctCount { count: expected.len() as u64, precision: Precision::Exact }));
        let text = |extreme: &Option<Extreme>| match extreme {
            Some(Extreme::Text(text)) => text.replace(' ', "\n"),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(&column.min), expected.first().unwrap().replace(' ', "\n"));
        assert_eq!(text(&column.max), expected.last().unwrap().replace(' ', "\n"));
    }
}

#[test]
fn one_column_is_a_table_if_the_contract_expects_one() {
    let csv = |text: &str| look(text, Some(ArtifactFormat::Csv));
    for text in
        ["x\n1\n2\n", "x\r\n1\r\n2\r\n", "\u{feff}x\n1\n2\n", "x\n1\n2", "x\n\n1\n\n2\n", "\"x\"\n\"1\"\n\"2\"\n"]
    {
        for format in [ArtifactFormat::Csv, ArtifactFormat::Tsv] {
            let found = look(text, Some(format));
            assert_eq!((found.agrees, &found.parse), (Agreement::Yes, &ParseOutcome::Parses), "{text:?}");
            assert_eq!((table(&found).rows, column(&found, "x").inferred), (2, ColumnType::Integer), "{text:?}");
        }
        assert_eq!(look(text, None).detected, DetectedFormat::Text, "{text:?}");
    }
    for text in ["x\n", "x", "x\r\n", "\u{feff}x"] {
        let found = csv(text);
        assert_eq!(
            (found.agrees, table(&found).rows, &found.parse),
            (Agreement::Yes, 0, &ParseOutcome::Parses),
            "{text:?}"
        );
    }
    let text = csv("note\nA sentence, no.\n");
    assert_eq!((text.detected, text.agrees), (DetectedFormat::Text, Agreement::No));
    let text = csv("note\nA sentence.\n\"One, and\nanother \"\"one\"\".\"\n");
    assert_eq!((table(&text).rows, column(&text, "note").inferred), (2, ColumnType::Text));
    assert_eq!(column(&text, "note").max, Some(Extreme::Text("One, and another \"one\".".to_owned())));
    for text in ["", "\n", "\u{feff}", "\u{feff}\n\n"] {
        assert_eq!(csv(text).agrees, Agreement::No, "{text:?}");
    }
}

#[test]
fn secrets_are_no_extremes() {
    // Assembled here, so that secret scanners do not find a key in this file.
    let aws = "AKIA".to_owned() + "Y7QK3MZ2XW5RPL4T";
    let tokens = ["k3J9sQ2vX7pL0wZ8mN4tB6yR1cF5hD", "Qz8Wn2Lk5Vx1Tp7Rm3Yc9Bd4Hf6Js0G"];
    let mut text = "aws,api_key,city,day,amount\n".to_owned();
    for (row, token) in tokens.iter().enumerate() {
        writeln!(text, "{aws},{token},{},2024-01-0{},{row}.5", ["Bern", "Wien"][row], row + 1).unwrap();
    }
    let found = look(&text, None);
    let secret = Some(Extreme::Text("[secret]".to_owned()));
    assert_eq!((&column(&found, "aws").min, &column(&found, "aws").max), (&secret, &secret));
    // What is a secret by the name of its column is left out, whatever it looks like.
    assert_eq!((&column(&found, "api_key").min, &column(&found, "api_key").max), (&None, &None));
    assert_eq!(column(&found, "api_key").unique, Uniqueness::Unique);
    assert_eq!(column(&found, "city").max, Some(Extreme::Text("Wien".to_owned())));
    assert_eq!(column(&found, "day").min, Some(Extreme::Text("2024-01-01".to_owned())));
    assert_eq!(column(&found, "amount").max, Some(Extreme::Number("1.5".to_owned())));
    let said = serde_json::to_string(&found).unwrap();
    assert!(!said.contains(&aws) && tokens.iter().all(|token| !said.contains(token)), "{said}");
    let rows: Vec<_> = tokens.iter().map(|token| serde_json::json!({ "api_key": token })).collect();
    let rows = look(serde_json::to_string(&rows).unwrap(), None);
    assert_eq!(column(&rows, "api_key").min, None);
}
