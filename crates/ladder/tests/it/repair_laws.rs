//! The laws of reading raw text, on texts that nobody wrote.

use deed_ladder::{Reading, RepairKind, UnreadableKind, read, repaired_text};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

/// Texts that look like something to be repaired, and are not.
const SUSPICIOUS: [&str; 24] = [
    "",
    "```json",
    "```\n{}\n```",
    "~~~",
    "// no comment",
    "/* neither */",
    "# title",
    "\"",
    "\\",
    "'",
    "it's",
    "“quoted”",
    "{",
    "}",
    "[1,]",
    "True",
    "None",
    "NaN",
    "...",
    ", \"a\": 1",
    "</json>",
    "<think>",
    "\u{feff}",
    "a\u{a0}b\u{200b}😀\u{7}",
];

fn words() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-zA-Z0-9 _.:,;-]{0,12}", 3 => select(&SUSPICIOUS[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-1000i64..1000).prop_map(Value::from),
        (-9_007_199_254_740_991i64..=9_007_199_254_740_991).prop_map(Value::from),
        (-1e6f64..1e6).prop_map(|f| Value::from((f * 8.0).round() / 8.0 + 0.0625)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::Bool), number(), words().prop_map(Value::String)];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::btree_map(words(), inner, 0..5).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(words(), value(), 1..6)
        .prop_map(|m| Value::Object(m.into_iter().collect::<Map<_, _>>()))
}

/// Writes a value with spaces and escapes that a seed decides.
struct Writer {
    seed: u64,
    out: String,
}

impl Writer {
    fn write(value: &Value, seed: u64) -> String {
        let mut writer = Self { seed, out: String::new() };
        writer.space();
        writer.value(value);
        writer.space();
        writer.out
    }

    fn next(&mut self, below: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }

    fn space(&mut self) {
        let space = ["", "", "", " ", "\n  ", "\t", "\r\n"][self.next(7) as usize];
        self.out.push_str(space);
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '/' if self.next(2) == 0 => self.out.push_str("\\/"),
                c if u32::from(c) < 0x20 || self.next(8) == 0 => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        self.out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.out.push('[');
                for (i, item) in items.iter().enumerate() {
                    self.comma(i);
                    self.value(item);
                }
                self.space();
                self.out.push(']');
            }
            Value::Object(members) => {
                self.out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    self.comma(i);
                    self.string(key);
                    self.space();
                    self.out.push(':');
                    self.space();
                    self.value(value);
                }
                self.space();
                self.out.push('}');
            }
            scalar => self.out.push_str(&scalar.to_string()),
        }
    }

    fn comma(&mut self, i: usize) {
        self.space();
        if i > 0 {
            self.out.push(',');
            self.space();
        }
    }
}

/// A string whose text is itself an object or array may be decoded: the one exception.
fn hides_a_payload(value: &Value) -> bool {
    value.as_str().is_some_and(|s| s.trim_start().starts_with(['{', '[']))
}

/// What every reading must keep, whatever the text.
fn check_reading(text: &str) {
    if let Ok(reading) = read(text) {
        let mut end = 0;
        for repair in &reading.repairs {
            assert!(
                repair.at().start >= end && repair.at().end >= repair.at().start,
                "{:?} in {text:?}",
                reading.repairs
            );
            assert!(text.get(repair.at()).is_some(), "{repair:?} in {text:?}");
            assert_ne!(repair.removed(text), repair.inserted(), "a repair that changes nothing in {text:?}");
            end = repair.at().end;
        }
        let repaired = repaired_text(text, &reading.repairs);
        let strict =
            deed_canon::parse(repaired.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text:?} became {repaired:?}"));
        assert_eq!(strict, reading.value, "{text:?}");
        if !hides_a_payload(&reading.value) {
            assert_eq!(read(&repaired), Ok(Reading { value: reading.value, repairs: Vec::new() }), "{text:?}");
        }
    }
}

/// Every leaf of `part` is the leaf of `whole` at the same place; the last string may be the beginning of one.
fn check_part(part: &Value, whole: &Value, last: bool) {
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            assert!(part.len() <= whole.len());
            for (i, item) in part.iter().enumerate() {
                check_part(item, &whole[i], last && i + 1 == part.len());
            }
        }
        (Value::Object(part), Value::Object(whole)) => {
            // The order of the text is not kept, so any member may be the last one: one of them may be cut.
            let cut = part.iter().filter(|(key, value)| whole[key.as_str()] != **value).count();
            assert!(cut <= usize::from(last), "{part:?} of {whole:?}");
            for (key, value) in part {
                check_part(value, &whole[key.as_str()], last);
            }
        }
        (Value::String(part), Value::String(whole)) if last => {
            assert!(whole.starts_with(part), "{part:?} of {whole:?}")
        }
        (part, whole) => assert_eq!(part, whole),
    }
}

/// Fragments of which broken texts are made.
const TOKENS: [&str; 52] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "`",
    "```",
    "~~~",
    "```json\n",
    "“",
    "”",
    "‘",
    "’",
    "„",
    ",",
    ":",
    ";",
    "=",
    "=>",
    "\\",
    "\\\"",
    "\\u",
    "\\ud83d",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    " ",
    "a",
    "key",
    "\"a\": ",
    "\"b\": 1",
    "'c': 'd'",
    "True",
    "null",
    "nul",
    "NaN",
    "12",
    "-",
    ".5",
    "0x1F",
    "007",
    "...",
    "<json>",
    "</json>",
    "<think>",
    "</think>",
    "\u{feff}",
    "\u{a0}",
    "😀",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn correct_json_is_never_altered(value in value(), seed: u64) {
        prop_assume!(!hides_a_payload(&value));
        let text = Writer::write(&value, seed);
        prop_assert_eq!(read(&text), Ok(Reading { value: deed_canon::parse(text.as_bytes()).unwrap(), repairs: Vec::new() }));
    }

    #[test]
    fn wrapping_is_taken_off_and_nothing_else(value in object(), seed: u64, wrap in 0usize..8) {
        let text = Writer::write(&value, seed);
        let wrapped = match wrap {
            0 => format!("```json\n{text}\n```\n"),
            1 => format!("Here is the JSON you asked for:\n\n```json\n{text}\n```\n\nLet me know!"),
            2 => format!("~~~\n{text}\n~~~"),
            3 => format!("<output>{text}</output>"),
            4 => format!("Sure thing. {text}"),
            5 => format!("{text}\nThat is all, see [1]."),
            6 => format!("\u{feff}{text}"),
            _ => format!("Use {{name}} here: **{text}** - done"),
        };
        let reading = read(&wrapped).unwrap();
        prop_assert_eq!(&reading.value, &value);
        let outer = [
            RepairKind::CodeFence, RepairKind::ProseBefore, RepairKind::ProseAfter, RepairKind::WrapperTag, RepairKind::Markup,
            RepairKind::ByteOrderMark,
        ];
        prop_assert!(reading.repairs.iter().all(|r| outer.contains(&r.kind)), "{:?}", reading.repairs);
        check_reading(&wrapped);
    }

    #[test]
    fn a_cut_text_gives_a_true_part_or_nothing(value in object(), seed: u64) {
        let text = Writer::write(&value, seed).trim().to_owned();
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let part = &text[..end];
            if let Ok(reading) = read(part) {
                check_part(&reading.value, &value, true);
                prop_assert!(reading.certainty() == deed_ladder::Certainty::Partial, "{part:?}");
            }
            check_reading(part);
        }
    }

    #[test]
    fn encoding_twice_is_undone_only_outside_of_json(value in object(), seed: u64) {
        let text = Writer::write(&value, seed);
        let encoded = serde_json::to_string(&text).unwrap();
        let reading = read(&encoded).unwrap();
        prop_assert_eq!(&reading.value, &serde_json::Value::String(text));
        prop_assert!(reading.repairs.is_empty());
        let within = format!("The arguments: {encoded} as asked");
        if let Ok(reading) = read(&within) {
            prop_assert_eq!(&reading.value, &value);
        }
        check_reading(&within);
    }

    #[test]
    fn the_notation_of_python_is_the_same_value(value in object()) {
        let mut text = String::new();
        python(&value, &mut text);
        prop_assert_eq!(&read(&text).map(|r| r.value), &Ok(value));
        check_reading(&text);
    }

    #[test]
    fn broken_texts_are_read_by_the_laws(value in value(), seed: u64, edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, select(&TOKENS[..])), 1..6)) {
        let mut text = Writer::write(&value, seed);
        for (place, how, token) in edits {
            let at = text.floor_char_boundary(place.index(text.len() + 1));
            let next = text.ceil_char_boundary((at + 1).min(text.len()));
            match how {
                0 => text.insert_str(at, token),
                1 => text.replace_range(at..next, ""),
                2 => text.replace_range(at..next, token),
                _ => text.truncate(at),
            }
        }
        check_reading(&text);
    }

    #[test]
    fn token_soup_is_read_by_the_laws(tokens in prop::collection::vec(select(&TOKENS[..]), 0..24)) {
        check_reading(&tokens.concat());
        check_reading(&format!("{{\"k\": {}}}", tokens.concat()));
    }

    #[test]
    fn any_text_is_read_by_the_laws(text: String) {
        check_reading(&text);
    }
}

/// A value as Python's `repr` writes it.
fn python(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(n) => out.push_str(&n.to_string()),
        Value::String(s) => python_string(s, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                python(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                python_string(key, out);
                out.push_str(": ");
                python(value, out);
            }
            out.push('}');
        }
    }
}

fn python_string(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 || u32::from(c) == 0x7f => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// Texts that would take for ever if anything were read again and again. They only have to come to an end.
#[test]
fn hostile_texts_come_to_an_end() {
    let patterns = [
        "{",
        "[",
        "{\"",
        "{'",
        "[\"",
        "{/*",
        "[//",
        "[1 ",
        "[a ",
        "{a:",
        "{\"a\":",
        "[[],",
        "\"",
        "\" \"",
        "\", \"",
        "```",
        "```a ",
        "~~~ ```x",
        "<think>",
        "<",
        "</",
        "{}",
        "[1] ",
        "{\"a\":1} ",
        "{\\\"a\\\":1} ",
        "{\\\"",
        "\\",
        "[\"a\" ",
        "“",
        "[“",
        "['a'b",
        "[`",
        "...",
        "//",
        "\n",
        " ",
        "[{\"a\": \"x \"y\" ",
        "{\"a\": 1, \"a\": 1}, ",
        "// ...\n{",
        "{/*...",
        "{{",
        "\u{feff}",
        "\u{a0}",
        "[1,\u{a0}",
    ];
    for pattern in patterns {
        let text = pattern.repeat(10_000);
        check_end(&text);
        check_end(&format!("{{\"a\": {text}"));
        check_end(&format!("[{text}"));
        check_end(&format!("{{\"a\": \"{text}"));
        check_end(&format!("{text}{{\"a\": 1}}{text}"));
    }
}

fn check_end(text: &str) {
    if let Ok(reading) = read(text) {
        let repaired = repaired_text(text, &reading.repairs);
        assert_eq!(deed_canon::parse(repaired.as_bytes()), Ok(reading.value));
    }
}

#[test]
fn the_search_is_given_up_at_last() {
    let reason = |text: &str| read(text).unwrap_err().reason;
    assert_eq!(reason(&"{/*".repeat(1000)), UnreadableKind::TooManyCandidates);
    assert_eq!(reason(&"[".repeat(100_000)), UnreadableKind::TooDeep);
    assert_eq!(reason(&"{\"a\":".repeat(100_000)), UnreadableKind::TooDeep);
}

#[test]
fn exactly_128_levels_pass() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(read(&nested(128)).unwrap().repairs, []);
    assert_eq!(read(&nested(129)).unwrap_err().reason, UnreadableKind::TooDeep);
    let fenced = |levels: usize| format!("```\n{}\n```", nested(levels));
    assert_eq!(read(&fenced(128)).unwrap().repairs.len(), 2);
    assert_eq!(read(&fenced(129)).unwrap_err().reason, UnreadableKind::TooDeep);
}

#[test]
fn the_short_way_reads_numbers_as_the_strict_reader_does() {
    for number in [
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1.0",
        "1e2",
        "1E+2",
        "1e-400",
        "0e999",
        "1e400",
        "9007199254740991",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993.0",
        "9.1e15",
        "1e20",
        "1e21",
        "100000000000000000000",
        "1000000000000000000000",
        "18446744073709551616",
        "0.1",
        "123.456e5",
    ] {
        let strict = deed_canon::parse(number.as_bytes()).ok();
        assert_eq!(read(number).ok().map(|r| r.value), strict, "{number}");
        let listed = format!("[{number}]");
        let strict = deed_canon::parse(listed.as_bytes()).ok();
        assert_eq!(read(&listed).ok().map(|r| r.value), strict, "{listed}");
    }
}
