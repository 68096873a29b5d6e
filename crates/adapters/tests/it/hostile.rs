//! Inputs that mean harm, and inputs that mean nothing: each is refused by name, within the limits, without a panic.

use crate::common::{refusal, run};
use deed_adapters::{How, Input, Limits, Measure, Settings, adapters};
use proptest::prelude::*;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

fn limited(limits: Limits) -> Settings<'static> {
    Settings { limits, ..Settings::default() }
}

fn small() -> Limits {
    Limits {
        input_bytes: 1 << 20,
        output_bytes: 1 << 20,
        rows: 1_000,
        columns: 20,
        row_bytes: 64 << 10,
        cell_bytes: 16 << 10,
        held_bytes: 1 << 20,
        entries: 10,
        entry_bytes: 256 << 10,
        ratio: 100,
        depth: 32,
    }
}

/// An input that never ends: the same bytes again and again.
struct Endless(&'static [u8], u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.0[usize::try_from(self.1).unwrap() % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.1 = if let SeekFrom::Start(at) = to { at } else { u64::MAX / 2 };
        Ok(self.1)
    }
}

/// An input whose second read has another column than its first.
struct Changing(Cursor<&'static [u8]>);

impl Read for Changing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.0.position() > 0 {
            self.0 = Cursor::new(b"[{\"a\":1,\"b\":2}]");
        }
        self.0.seek(to)
    }
}

#[test]
fn an_input_that_changes_between_two_reads_is_refused() {
    for id in ["json_rows_to_csv.v1", "json_rows_to_parquet.v1"] {
        let Some(adapter) = deed_adapters::find(id) else { continue };
        let mut input = Changing(Cursor::new(b"[{\"a\":1}]"));
        let inputs: &mut [&mut dyn Input] = &mut [&mut input];
        let error = adapter.run(inputs, &mut Vec::new(), &Settings::default()).unwrap_err();
        assert_eq!(
            (error.kind.code(), error.message.as_str()),
            ("read", "the input changed between two reads"),
            "{id}"
        );
    }
}

#[test]
fn a_row_schema_with_names_that_are_not_text_is_refused() {
    for schema in [
        serde_json::json!({ "required": ["a", 1] }),
        serde_json::json!({ "required": ["a"], "properties": { "a": { "type": ["string", 1] } } }),
    ] {
        let settings = Settings { row: Some(&schema), ..Settings::default() };
        assert_eq!(refusal("csv_to_json_rows.v1", &[b"a\nx\n"], &settings).0, "settings", "{schema}");
    }
}

#[test]
fn what_never_ends_is_stopped() {
    let keys = ["a".to_owned()];
    for (id, bytes) in [
        ("csv_to_json_rows.v1", b"x" as &'static [u8]),
        ("csv_to_json_rows.v1", b"\""),
        ("csv_to_json_rows.v1", b"\"x\n"),
        ("csv_to_json_rows.v1", b"a,"),
        ("csv_to_json_rows.v1", b"\n"),
        ("tsv_to_csv.v1", b"x"),
        ("json_rows_to_csv.v1", b"["),
        ("json_rows_to_csv.v1", b" "),
        ("json_rows_to_csv.v1", b"[{\"a\":\"x"),
        ("json_rows_to_aggregated_rows.v1", b"[{\"a\":"),
        ("json_to_yaml.v1", b"["),
        ("yaml_to_json.v1", b"- "),
        ("markdown_to_html.v1", b"> "),
        ("zip_to_batch_manifest.v1", b"PK"),
        #[cfg(feature = "parquet")]
        ("parquet_to_json_rows.v1", b"PAR1"),
    ] {
        let mut input = Endless(bytes, 0);
        let mut inputs: [&mut dyn Input; 1] = [&mut input];
        let settings = Settings { keys: &keys, limits: small(), ..Settings::default() };
        let adapter = deed_adapters::find(id).unwrap();
        let error = adapter.run(&mut inputs, &mut io::sink(), &settings).unwrap_err();
        assert!(matches!(error.kind.code(), "limit" | "syntax" | "header"), "{id}: {error}");
    }
}

#[test]
fn limits_of_tables_hold() {
    let check = |id: &str, input: &str, limits: Limits, words: &str| {
        let (code, message) = refusal(id, &[input.as_bytes()], &limited(limits));
        assert_eq!(code, "limit", "{message}");
        assert!(message.contains(words), "{message}");
    };
    let csv = "csv_to_json_rows.v1";
    let rows = "json_rows_to_csv.v1";
    let base = Limits::default();
    check(csv, "a,b,c\n", Limits { columns: 2, ..base }, "2 columns");
    check(csv, "a\nlong cell\n", Limits { cell_bytes: 5, ..base }, "5 bytes in one cell");
    check(csv, "a\n\"long cell\"\n", Limits { cell_bytes: 5, ..base }, "5 bytes in one cell");
    check(csv, "a,b\n1234,5678\n", Limits { row_bytes: 8, ..base }, "8 bytes in one row");
    check(csv, "a\n1\n2\n3\n", Limits { rows: 2, ..base }, "2 rows");
    check(csv, "a\n1\n2\n3\n", Limits { input_bytes: 5, ..base }, "5 bytes of input");
    check(csv, "a\n1\n2\n3\n", Limits { output_bytes: 5, ..base }, "5 bytes of output");
    check(rows, r#"[{"a":1,"b":2,"c":3}]"#, Limits { columns: 2, ..base }, "2 columns");
    check(rows, r#"[{"a":"long cell"}]"#, Limits { cell_bytes: 5, ..base }, "5 bytes in one cell");
    check(rows, r#"[{"a":"long cell"}]"#, Limits { row_bytes: 8, ..base }, "8 bytes in one row");
    check(rows, r#"[{"a":1},{"a":2}]"#, Limits { rows: 1, ..base }, "1 rows");
    check(rows, r#"[{"a":[[[1]]]}]"#, Limits { depth: 3, ..base }, "3 levels");
    let deep = format!("[{{\"a\":{}", "[".repeat(100_000));
    check(rows, &deep, base, "128 levels");
    check("json_to_yaml.v1", &"[".repeat(100_000), base, "128 levels");
    check("yaml_to_json.v1", &"[".repeat(5_000), base, "nesting");
}

#[test]
fn what_is_held_is_counted() {
    let keys = ["k".to_owned()];
    let measures = [Measure { field: String::new(), how: How::Count, as_name: "n".to_owned() }];
    let limits = Limits { held_bytes: 4_096, ..Limits::default() };
    let settings = Settings { keys: &keys, measures: &measures, limits, ..Settings::default() };
    let rows: Vec<String> = (0..1_000).map(|i| format!("{{\"k\":{i}}}")).collect();
    let rows = format!("[{}]", rows.join(","));
    assert_eq!(refusal("json_rows_to_aggregated_rows.v1", &[rows.as_bytes()], &settings).0, "limit");
    assert_eq!(refusal("joined_rows.v1", &[b"[]", rows.as_bytes()], &settings).0, "limit");
}

#[test]
fn yaml_cannot_expand() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (from, to) in ('a'..='h').zip('b'..='i') {
        bomb.push_str(&format!("{to}: &{to} [*{from},*{from},*{from},*{from},*{from},*{from},*{from},*{from}]\n"));
    }
    assert_eq!(refusal("yaml_to_json.v1", &[bomb.as_bytes()], &Settings::default()).0, "unsupported");
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use super::*;

    fn file() -> Vec<u8> {
        let rows: Vec<String> =
            (0..200).map(|i| format!("{{\"i\":{i},\"t\":\"text {}\",\"n\":{}.5,\"b\":true}}", i % 7, i)).collect();
        run("json_rows_to_parquet.v1", &[format!("[{}]", rows.join(",")).as_bytes()], &Settings::default()).unwrap().0
    }

    const READ: &str = "parquet_to_json_rows.v1";

    #[test]
    fn every_truncation_is_refused() {
        let file = file();
        for length in (0..file.len()).step_by(7) {
            let (code, words) = refusal(READ, &[&file[..length]], &Settings::default());
            assert_eq!(code, "syntax", "{words}");
        }
    }

    #[test]
    fn a_footer_that_lies_is_refused() {
        let file = file();
        for length in [0_u32, 1, 100_000, u32::MAX] {
            let mut bytes = file.clone();
            let at = bytes.len() - 8;
            bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
            assert_eq!(refusal(READ, &[&bytes], &Settings::default()).0, "syntax");
        }
        let mut bytes = file.clone();
        let at = bytes.len() - 1;
        bytes[at] = b'E';
        assert_eq!(refusal(READ, &[&bytes], &Settings::default()).0, "encrypted");
        assert_eq!(refusal(READ, &[&file], &limited(Limits { rows: 100, ..Limits::default() })).0, "limit");
        assert_eq!(refusal(READ, &[&file], &limited(Limits { columns: 2, ..Limits::default() })).0, "limit");
        assert_eq!(refusal(READ, &[&file], &limited(Limits { output_bytes: 100, ..Limits::default() })).0, "limit");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        /// Damage is refused or read as other values, and never stops the program.
        #[test]
        fn damage_does_not_panic(places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
            let mut bytes = file();
            for (place, byte) in places {
                let at = place.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = run(READ, &[&bytes], &limited(small()));
        }
    }
}

/// Bytes that look a little like something.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&'static [u8]> = vec![
        b"[",
        b"]",
        b"{",
        b"}",
        b"\"",
        b",",
        b":",
        b"\\",
        b"\\u",
        b"\n",
        b"\r\n",
        b"\t",
        b"a",
        b"\"a\":",
        b"1",
        b"-",
        b"e9",
        b"0.1",
        b"null",
        b"true",
        b"- ",
        b"&x",
        b"*x",
        b"# ",
        b"<b>",
        b"[x](javascript:y)",
        b"| a |\n|---|\n",
        b"PK\x03\x04",
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"PAR1",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        "ü".as_bytes(),
        b"=",
        b"[{\"a\":1}",
        b"a,b\n",
    ];
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(proptest::sample::select(words), 0..40).prop_map(|words| words.concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_does_not_panic(first in noise(), second in noise()) {
        let keys = ["a".to_owned()];
        let measures = [Measure { field: "a".to_owned(), how: How::Sum, as_name: "s".to_owned() }];
        let schema = serde_json::json!({ "properties": { "a": { "type": ["integer", "null"] } } });
        for row in [None, Some(&schema)] {
            let settings = Settings { row, keys: &keys, measures: &measures, limits: small() };
            for adapter in adapters() {
                let inputs: &[&[u8]] = if adapter.from.len() == 2 { &[&first, &second] } else { &[&first] };
                if let Err(error) = run(adapter.id, inputs, &settings) {
                    prop_assert!(error.to_string().chars().count() < 250, "{}", error);
                }
            }
        }
    }

    /// Rows are read alike whatever the pieces in which they arrive.
    #[test]
    fn pieces_do_not_matter(input in noise(), size in 1..9_usize) {
        struct Pieces(Cursor<Vec<u8>>, usize);
        impl Read for Pieces {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let most = buffer.len().min(self.1);
                self.0.read(&mut buffer[..most])
            }
        }
        impl Seek for Pieces {
            fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
                self.0.seek(to)
            }
        }
        for id in ["csv_to_json_rows.v1", "tsv_to_csv.v1", "json_rows_to_csv.v1", "joined_rows_to_json_rows.v1"] {
            let whole = run(id, &[&input], &Settings::default()).map(|(output, _)| output);
            let mut pieces = Pieces(Cursor::new(input.clone()), size);
            let mut inputs: [&mut dyn Input; 1] = [&mut pieces];
            let mut output = Vec::new();
            let adapter = deed_adapters::find(id).unwrap();
            let parts = adapter.run(&mut inputs, &mut output, &Settings::default()).map(|_| output);
            prop_assert_eq!(whole, parts, "{}", id);
        }
    }
}
