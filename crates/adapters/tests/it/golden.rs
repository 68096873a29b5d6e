//! Small inputs with the whole output, and refusals with their places.

use crate::common::{refusal, text};
use deed_adapters::{How, Loss, Measure, NoteKind, Settings, adapters, find};
use serde_json::{Value, json};

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["id", "name", "left"],
        "properties": {
            "id": { "type": "integer" },
            "name": { "type": "string" },
            "price": { "type": "number" },
            "open": { "type": "boolean" },
            "day": { "type": "string", "format": "date" },
            "left": { "type": ["integer", "null"] }
        }
    })
}

#[test]
fn ids_are_unique_and_say_where_they_lead() {
    for (i, adapter) in adapters().iter().enumerate() {
        assert!(adapters().iter().skip(i + 1).all(|other| other.id != adapter.id));
        assert_eq!(find(adapter.id).map(|found| found.to), Some(adapter.to));
        assert_eq!(adapter.drops.is_empty(), adapter.loss == Loss::None, "{}", adapter.id);
    }
    assert!(find("csv_to_xml.v1").is_none());
    assert_eq!(adapters().len(), if cfg!(feature = "parquet") { 16 } else { 14 });
}

#[test]
fn csv_without_a_schema_is_text() {
    let (out, notes) =
        text("csv_to_json_rows.v1", &["\u{feff}a,b\r\n1,\"x \"\"y\"\"\nz\"\r\n\r\n,=1+1\r\n"], &Settings::default());
    assert_eq!(out, "[\n{\"a\":\"1\",\"b\":\"x \\\"y\\\"\\nz\"},\n{\"a\":\"\",\"b\":\"=1+1\"}\n]\n");
    assert_eq!(notes, [(NoteKind::ByteOrderMark, 1), (NoteKind::BlankLine, 1)]);
}

#[test]
fn csv_with_a_schema_is_typed() {
    let schema = schema();
    let settings = Settings { row: Some(&schema), ..Settings::default() };
    let input = "id,name,price,open,day,left,more\n1,,2.50,TRUE,2024-02-29,,x\n-2,b,,,,7,\n3.0,c,1e3,false,,0,y";
    let (out, notes) = text("csv_to_json_rows.v1", &[input], &settings);
    assert_eq!(
        out,
        "[\n\
         {\"id\":1,\"name\":\"\",\"price\":2.50,\"open\":true,\"day\":\"2024-02-29\",\"left\":null,\"more\":\"x\"},\n\
         {\"id\":-2,\"name\":\"b\",\"left\":7},\n\
         {\"id\":3,\"name\":\"c\",\"price\":1e3,\"open\":false,\"left\":0,\"more\":\"y\"}\n]\n"
    );
    assert_eq!(notes, [(NoteKind::UntypedColumn, 1)]);
}

#[test]
fn csv_is_refused_with_its_place() {
    let schema = schema();
    let typed = Settings { row: Some(&schema), ..Settings::default() };
    let plain = Settings::default();
    let check = |settings: &Settings<'_>, input: &[u8], code: &str, place: &str| {
        let (found, words) = refusal("csv_to_json_rows.v1", &[input], settings);
        assert_eq!(found, code, "{words}");
        assert!(words.ends_with(&format!("({place})")), "{words}");
    };
    check(&plain, b"a,b\n1,2\n3\n", "ragged", "line 3, row 2");
    check(&plain, b"a,a\n", "header", "line 1");
    check(&plain, b"a,\n", "header", "line 1");
    check(&plain, b"a\nx\0y\n", "encoding", "line 2, column `a`, byte 3");
    check(&plain, b"a\nok\n\xff\n", "encoding", "line 3, byte 5");
    check(&plain, b"a\n\"b\nc\"\n\"open\n", "syntax", "line 4, column `a`, byte 8");
    check(&plain, b"a\nb\"c\n", "syntax", "line 2, column `a`, byte 3");
    check(&plain, b"a\n\"b\"c\n", "syntax", "line 2, column `a`, byte 5");
    check(&plain, b"a\nb\rc\n", "syntax", "line 2, column `a`, byte 3");
    check(&typed, b"id,name,left\nx,y,1\n", "type", "line 2, row 1, column `id`");
    check(&typed, b"id,name,left\n,y,1\n", "missing", "line 2, row 1, column `id`");
    check(&typed, b"id,name,left\n007,y,1\n", "type", "line 2, row 1, column `id`");
    check(&typed, b"id,name,left\n9007199254740992,y,1\n", "number", "line 2, row 1, column `id`");
    check(&typed, b"id,name,left,day\n1,y,1,2023-02-29\n", "type", "line 2, row 1, column `day`");
    check(&typed, b"id,left\n1,1\n", "header", "line 1");
    assert_eq!(refusal("csv_to_json_rows.v1", &[b""], &plain).0, "header");
}

#[test]
fn a_message_never_holds_a_row() {
    let schema = json!({ "properties": { "a": { "type": "integer" } } });
    let settings = Settings { row: Some(&schema), ..Settings::default() };
    let long = "secret ".repeat(50);
    let (_, words) = refusal("csv_to_json_rows.v1", &[format!("a\n{long}\n").as_bytes()], &settings);
    assert!(words.chars().count() < 120, "{words}");
}

#[test]
fn rows_become_a_table_of_all_columns() {
    let rows = r#"[{"a": 1.10, "b": "x,\"y\""}, {"c": null, "b": "=cmd|x", "a": -5}, {}]"#;
    let (out, notes) = text("json_rows_to_csv.v1", &[rows], &Settings::default());
    assert_eq!(out, "a,b,c\r\n1.10,\"x,\"\"y\"\"\",\r\n-5,=cmd|x,\r\n,,\r\n");
    assert_eq!(
        notes,
        [
            (NoteKind::TypeForgotten, 2),
            (NoteKind::AbsentFilled, 4),
            (NoteKind::FormulaLike, 1),
            (NoteKind::NullDropped, 1)
        ]
    );
    let (out, _) = text("json_rows_to_tsv.v1", &[r#"[{"a":"x\ty"},{"a":""}]"#], &Settings::default());
    assert_eq!(out, "a\n\"x\ty\"\n\"\"\n");
}

#[test]
fn rows_are_refused_with_their_place() {
    let check = |input: &str, code: &str, place: &str| {
        let (found, words) = refusal("json_rows_to_csv.v1", &[input.as_bytes()], &Settings::default());
        assert_eq!((found, words.contains(place)), (code, true), "{words}");
    };
    check(r#"[{"a":1},{"a":[1]}]"#, "nested", "row 2, column `a`");
    check(r#"[{"a":1,"a":2}]"#, "duplicate_key", "row 1, column `a`");
    check(r#"[{"a":1,"\u0061":2}]"#, "duplicate_key", "row 1, column `a`");
    check(r#"[{"a":9007199254740993}]"#, "number", "row 1, column `a`");
    check(r#"[{"a":{"b":1,"b":2}}]"#, "duplicate_key", "row 1, column `a`");
    check(r#"[{"a":1} {"b":2}]"#, "syntax", "row 1, byte 9");
    check(r#"[{"a":1},]"#, "syntax", "byte 9");
    check(r#"[{"a":1}] x"#, "syntax", "byte 10");
    check(r#"[{"a":01}]"#, "syntax", "row 1, column `a`, byte 6");
    check("[{\"a\":\"\u{1}\"}]", "syntax", "row 1, column `a`");
    check(r#"{"a":1}"#, "syntax", "byte 0");
    check(r#"[{"a":"x\u0000"}]"#, "encoding", "row 1, column `a`");
    check("[]", "header", "");
    check(r#"[{"a":1"#, "syntax", "row 1");
}

#[test]
fn a_number_is_kept_as_text_where_the_column_is_text() {
    let schema = json!({ "properties": { "n": { "type": "string" } }, "required": ["n"] });
    let settings = Settings { row: Some(&schema), ..Settings::default() };
    let (out, notes) = text("json_rows_to_csv.v1", &[r#"[{"n":123456789012345678901234567890}]"#], &settings);
    assert_eq!(out, "n\r\n123456789012345678901234567890\r\n");
    assert_eq!(notes, [(NoteKind::NumberAsText, 1)]);
}

#[test]
fn groups_are_summed_exactly() {
    let rows =
        r#"[{"k":"a","n":0.1,"t":"x"},{"k":"b","n":1},{"k":"\u0061","n":0.2,"t":"w"},{"k":"a","n":null},{"n":2.5}]"#;
    let keys = ["k".to_owned()];
    let measure = |field: &str, how, name: &str| Measure { field: field.into(), how, as_name: name.into() };
    let measures = [
        measure("n", How::Sum, "sum"),
        measure("n", How::Count, "values"),
        measure("", How::Count, "rows"),
        measure("n", How::Mean, "mean"),
        measure("t", How::Min, "least"),
        measure("n", How::Max, "most"),
    ];
    let settings = Settings { keys: &keys, measures: &measures, ..Settings::default() };
    let (out, notes) = text("json_rows_to_aggregated_rows.v1", &[rows], &settings);
    assert_eq!(
        out,
        "[\n\
         {\"k\":\"a\",\"sum\":0.3,\"values\":2,\"rows\":3,\"mean\":0.15,\"least\":\"w\",\"most\":0.2},\n\
         {\"k\":\"b\",\"sum\":1,\"values\":1,\"rows\":1,\"mean\":1,\"least\":null,\"most\":1},\n\
         {\"k\":null,\"sum\":2.5,\"values\":1,\"rows\":1,\"mean\":2.5,\"least\":null,\"most\":2.5}\n]\n"
    );
    assert_eq!(notes, [(NoteKind::MeasureSkipped, 7), (NoteKind::KeyAbsent, 1)]);
    let wrong = refusal("json_rows_to_aggregated_rows.v1", &[br#"[{"k":1,"n":"x"}]"#], &settings);
    assert_eq!(wrong.0, "type");
}

#[test]
fn a_join_keeps_every_row_of_the_first_table() {
    let keys = ["id".to_owned()];
    let settings = Settings { keys: &keys, ..Settings::default() };
    let left = r#"[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":1.0,"a":"z"},{"id":null}]"#;
    let right = r#"[{"id":1,"b":[1,{"c":2}]},{"id":3,"b":0},{"id":1,"b":[1,{"c":2}]}]"#;
    let (out, notes) = text("joined_rows.v1", &[left, right], &settings);
    assert_eq!(
        out,
        "[\n{\"id\":1,\"a\":\"x\",\"b\":[1,{\"c\":2}]},\n{\"id\":2,\"a\":\"y\"},\n\
         {\"id\":1.0,\"a\":\"z\",\"b\":[1,{\"c\":2}]},\n{\"id\":null}\n]\n"
    );
    assert_eq!(notes, [(NoteKind::RightRepeated, 1), (NoteKind::LeftUnmatched, 2), (NoteKind::RightUnmatched, 1)]);
    let refused = |right: &str| refusal("joined_rows.v1", &[left.as_bytes(), right.as_bytes()], &settings).0;
    assert_eq!(refused(r#"[{"id":1,"b":1},{"id":1,"b":2}]"#), "ambiguous_key");
    assert_eq!(refused(r#"[{"id":1,"a":1}]"#), "collision");
    assert_eq!(refused(r#"[{"id":[1]}]"#), "nested");
}

#[test]
fn json_becomes_yaml_and_back() {
    let json = r#"{"b":1,"a":{"yes":"no","empty":{},"list":[1,[true,null],{"k":"v: w","n":"1e3"}]},"t":"a\nb\u0007"}"#;
    let (yaml, _) = text("json_to_yaml.v1", &[json], &Settings::default());
    assert_eq!(
        yaml,
        "b: 1\na:\n  \"yes\": \"no\"\n  empty: {}\n  list:\n    - 1\n    - - true\n      - null\n    - k: \"v: w\"\n      \
         \"n\": \"1e3\"\nt: \"a\\nb\\u0007\"\n"
    );
    let (back, _) = text("yaml_to_json.v1", &[&yaml], &Settings::default());
    let expected: Value = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), expected);
    assert!(back.starts_with("{\n  \"b\": 1,\n  \"a\": {"), "{back}");
}

#[test]
fn yaml_that_could_mean_two_things_is_refused() {
    let check = |yaml: &str, code| {
        assert_eq!(refusal("yaml_to_json.v1", &[yaml.as_bytes()], &Settings::default()).0, code, "{yaml}");
    };
    check("a: &x 1\nb: *x\n", "unsupported");
    check("a: 1\na: 2\n", "duplicate_key");
    check("a: 9007199254740993\n", "number");
    check("a: [1\n", "syntax");
    check("a: 1\n---\nb: 2\n", "unsupported");
}

#[test]
fn markdown_becomes_a_whole_page_that_does_nothing() {
    let markdown = "# A & <b>\n\nSee [x](https://e.org/?a=1&b=2), [y](JaVa\u{1}script:alert(1)), ![z](data:text/html,x), [r](../a).\n\n\
                    <script>alert(1)</script>\n\n| a |\n|---|\n| ~~1~~ |\n";
    let (html, notes) = text("markdown_to_html.v1", &[markdown], &Settings::default());
    assert_eq!(
        html,
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>A &amp; &lt;b&gt;</title>\n</head>\n<body>\n\
         <h1>A &amp; &lt;b&gt;</h1>\n\
         <p>See <a href=\"https://e.org/?a=1&amp;b=2\">x</a>, <a href=\"#\">y</a>, <img src=\"#\" alt=\"z\" />, \
         <a href=\"../a\">r</a>.</p>\n\
         <p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n\
         <table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td><del>1</del></td></tr>\n</tbody></table>\n\
         </body>\n</html>\n"
    );
    assert_eq!(notes, [(NoteKind::ControlDropped, 1), (NoteKind::HtmlEscaped, 2), (NoteKind::LinkNeutralised, 2)]);
}

#[cfg(feature = "parquet")]
#[test]
fn rows_become_parquet_and_come_back() {
    use crate::common::run;
    let schema = schema();
    let settings = Settings { row: Some(&schema), ..Settings::default() };
    let rows = "[\n{\"id\":1,\"name\":\"\",\"price\":2.5,\"open\":true,\"day\":\"2024-02-29\",\"left\":null},\n\
                {\"id\":-2,\"name\":\"ü\",\"left\":7}\n]\n";
    let (file, adapted) = run("json_rows_to_parquet.v1", &[rows.as_bytes()], &settings).unwrap();
    assert_eq!(adapted.rows, Some(2));
    let (back, _) = run("parquet_to_json_rows.v1", &[&file], &settings).unwrap();
    assert_eq!(String::from_utf8(back).unwrap(), rows);
    let (untyped, _) = run("parquet_to_json_rows.v1", &[&file], &Settings::default()).unwrap();
    assert!(String::from_utf8(untyped).unwrap().contains("\"price\":null,\"open\":null,\"day\":null,\"left\":7"));
    let (again, _) = run("json_rows_to_parquet.v1", &[rows.as_bytes()], &settings).unwrap();
    assert_eq!(file, again, "the same rows make the same bytes");
    let mixed = refusal("json_rows_to_parquet.v1", &[br#"[{"a":1},{"a":"x"}]"#], &Settings::default());
    assert_eq!(mixed.0, "type");
}
