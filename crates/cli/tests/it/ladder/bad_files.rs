//! Payloads that are no payloads, or too much of one.

use super::example::{climb, contract, example, fed, turned_down};
use serde_json::Value;

#[test]
fn payloads_that_are_not_read() {
    let p = example();
    p.write("image.png", [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
    p.write("latin1.txt", b"{\"name\": \"Andr\xe9\"}");
    std::fs::create_dir(p.path("folder")).unwrap();
    // It takes no room on the disk, and is refused before it is read.
    std::fs::File::create(p.path("huge.json")).unwrap().set_len(40 * 1024 * 1024).unwrap();
    for (file, exit, code, says) in [
        ("image.png", 1, "D1760", "the payload is not UTF-8 text"),
        ("latin1.txt", 1, "D1760", "latin1.txt"),
        ("huge.json", 1, "D0101", "huge.json"),
        ("folder", 3, "D0001", "it is a folder"),
        ("nowhere.json", 3, "D0001", "no such file"),
    ] {
        turned_down(&p, &["climb", "--contract", "order.contract.yaml", file], exit, code, says);
    }
    let args = ["ladder", "climb", "--contract", "order.contract.yaml", "-"];
    let out = fed(&p, &args, vec![b' '; 33 * 1024 * 1024]);
    assert!(out.code == 1 && out.stderr.contains("[D0101]"), "{}", out.stderr);
}

/// Text without one reading: rejected by the rung that reads, with the reason on record.
#[test]
fn texts_without_one_reading() {
    let p = contract("{}", "");
    let deep = |open: &str| open.repeat(100_000);
    for (text, reason, says) in [
        ("".to_owned(), "empty", "the text is empty"),
        (" \n\t".to_owned(), "empty", "the text is empty"),
        ("I found no order.".to_owned(), "no_json", "no JSON object"),
        ("\u{0}\u{1}\u{2}".to_owned(), "binary", "binary data"),
        (r#"{"a": 1} {"a": 2}"#.to_owned(), "several_readings", "several readings that the schema allows"),
        (r#"{"a": 1, "a": 2}"#.to_owned(), "duplicate_key", "twice with different values"),
        (r#"{"a": 9007199254740993}"#.to_owned(), "unsafe_integer", "beyond 2^53 - 1"),
        (r#"{"a": -9007199254740992}"#.to_owned(), "unsafe_integer", "beyond 2^53 - 1"),
        (r#"{"a": 1e400}"#.to_owned(), "number_range", "cannot be held by a double"),
        (r#"{"a": 1,000}"#.to_owned(), "digit_grouping", "grouped"),
        (r#"{"a": NaN}"#.to_owned(), "not_a_number", "not JSON numbers"),
        (r#"{"a": ...}"#.to_owned(), "placeholder", "placeholder"),
        (r#"{"a": "\ud800"}"#.to_owned(), "lone_surrogate", "half a character"),
        (deep("["), "too_deep", "nested deeper than 128 levels"),
        (deep("{\"a\":"), "too_deep", "nested deeper than 128 levels"),
        (format!("{}{}", deep("["), deep("]")), "too_deep", "nested deeper than 128 levels"),
    ] {
        let (out, payload, report) = climb(&p, &text);
        assert_eq!((out.code, payload), (1, Value::Null));
        let finding = &report["findings"][0];
        let code = if reason == "several_readings" { "D1772" } else { "D1704" };
        assert_eq!((&finding["code"], &finding["rule"]), (&code.into(), &reason.into()), "{}", out.stderr);
        assert!(out.stderr.contains(says) && out.stderr.contains("help: "), "{}", out.stderr);
        assert!(out.stderr.len() < 1000, "what is said of a large text is short");
    }
}

#[test]
fn the_largest_that_are_read() {
    let p = contract("{}", "");
    for text in [
        r#"{"a": 9007199254740991}"#.to_owned(),
        format!("{}{}", "[".repeat(120), "]".repeat(120)),
        r#"{"a": 1, "a": 1}"#.to_owned(),
        "null".to_owned(),
    ] {
        let (out, ..) = climb(&p, &text);
        assert_eq!(out.code, 0, "{text}\n{}", out.stderr);
    }
}

/// Four megabytes of notes come through.
#[test]
fn much_of_a_payload() {
    let p = contract("{ properties: { notes: { type: array, items: { type: string } } } }", "");
    let notes = vec!["\"word word word word\""; 200_000].join(",");
    let (out, payload, _) = climb(&p, &format!("{{\"notes\": [{notes}]}}"));
    assert_eq!((out.code, payload["notes"].as_array().map(Vec::len)), (0, Some(200_000)));
}
