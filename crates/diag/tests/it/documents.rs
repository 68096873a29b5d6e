//! Documents keep the span of every part, in JSON and in YAML alike.

use deed_diag::{Document, Format, Style};

fn yaml(text: &str) -> Document {
    Document::read("d.yaml", text.as_bytes(), Format::Yaml).unwrap_or_else(|r| panic!("{}", r.render(Style::Plain)))
}

/// The text that a pointer leads to.
fn at<'a>(document: &'a Document, pointer: &str) -> &'a str {
    let span = document.place(pointer).span.unwrap();
    &document.source().text()[span.start..span.end]
}

fn refused(text: &str, format: Format) -> String {
    Document::read("d", text.as_bytes(), format).unwrap_err().render(Style::Lines)
}

#[test]
fn yaml_spans_count_bytes_also_behind_wide_letters() {
    let d = yaml("ключ: значение\nлист:\n  - één\n  - {тип: \"два слова\"}\nend: 3\n");
    assert_eq!(at(&d, "/ключ"), "значение");
    assert_eq!(at(&d, "/лист/0"), "één");
    assert_eq!(at(&d, "/лист/1/тип"), "\"два слова\"");
    assert_eq!(at(&d, "/лист"), "лист", "a larger part is shown by its key");
    assert_eq!(at(&d, "/end"), "3");
    assert_eq!(at(&d, "/end/missing"), "3", "what is missing is shown by what it is missing from");
}

#[test]
fn a_quoted_text_ends_with_its_quote() {
    let d = yaml("a: \"x\\\"y\"   # note\nb: 'it''s'  # note\nc: [\"p\" , 'q' ]\n");
    assert_eq!((at(&d, "/a"), at(&d, "/b")), ("\"x\\\"y\"", "'it''s'"));
    assert_eq!((at(&d, "/c/0"), at(&d, "/c/1")), ("\"p\"", "'q'"));
}

#[test]
fn yaml_and_json_give_the_same_value() {
    let y = yaml("a: 1\nb: [true, null, ~, 1.50, \"x\"]\nc: |\n  two\n  lines\nd: 0x1f\ne: 1e3\nf: 007x\n");
    let text = r#"{"a":1,"b":[true,null,null,1.5,"x"],"c":"two\nlines\n","d":31,"e":1000,"f":"007x"}"#;
    let j = Document::read("d.json", text.as_bytes(), Format::Json).unwrap();
    assert_eq!(y.value(), j.value());
}

#[test]
fn words_that_only_look_like_booleans_are_texts() {
    let d = yaml("a: no\nb: on\nc: 1.0.0\nd: 2026-05-09T00:00:00Z\ne: 1_000\nf: 0b1\n");
    assert!(d.value().as_object().unwrap().values().all(serde_json::Value::is_string), "{}", d.value());
}

#[test]
fn yaml_that_has_two_meanings_is_refused() {
    for (text, code) in [
        ("a: 1\na: 2\n", "D0104"),
        ("a: &x 1\n", "D0108"),
        ("a: !!str 1\n", "D0108"),
        ("a: 1\n---\nb: 2\n", "D0108"),
        ("1: x\n", "D0108"),
        ("true: x\n", "D0108"),
        ("[a]: x\n", "D0108"),
        ("a: 007\n", "D0108"),
        ("a: .nan\n", "D0105"),
        ("a: -.inf\n", "D0105"),
        ("a: 9007199254740992\n", "D0105"),
        ("a: 1e999\n", "D0105"),
        ("", "D0103"),
        ("a: [1\n", "D0103"),
        ("\u{feff}a: 1\n", "D0102"),
    ] {
        let said = refused(text, Format::Yaml);
        assert!(said.contains(code), "{text:?}: {said}");
    }
}

#[test]
fn yaml_nests_128_levels_and_no_more() {
    let flow = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let block = |n: usize| "- ".repeat(n) + "x";
    for nested in [flow, block] {
        yaml(&nested(128));
        assert!(refused(&nested(129), Format::Yaml).contains("D0107"));
    }
}

#[test]
fn a_second_key_names_the_first() {
    let report = Document::read("d.yaml", b"a: 1\nb: 2\na: 3\n", Format::Yaml).unwrap_err();
    let diagnostic = &report.diagnostics()[0];
    assert_eq!(diagnostic.place.as_ref().unwrap().span.unwrap().start, 10);
    assert_eq!(diagnostic.related[0].place.span.unwrap().start, 0);
}
