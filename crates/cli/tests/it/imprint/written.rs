//! Templates written by hand: what they say is their schema.

use super::example::{finding, lowered, skeleton, turned_down};
use crate::common::Project;
use serde_json::json;

fn template(text: &str) -> Project {
    let p = Project::bare();
    p.write("t.txt", text);
    p
}

const BOOKING: &str = r#"A booking. No other keys.
{
  "name": "{FILL|string|length:1-40} As on the passport",
  "seats": "{OPTIONAL|integer|range:1-9|default:1}",
  "class": "{FILL_ENUM|economy|business|\"1\"}",
  "id": "{AUTO|string}",
  "stops": ["{OPTIONAL|string|pattern:uppercase|items:0-3|unique}"],
  "meal": { "{ONE_OF|optional|nullable}": ["{FILL|boolean}", { "{FILL}": "", "kind": "{FILL_ENUM|vegan|kosher}" }] },
  "extra": { "{SERIALIZED|optional}": { "{FILL|open}": "", "note": "{FILL|string}" } },
  "with": "{REF: same|of:/name}"
}
"#;

#[test]
fn a_template_is_used_as_it_is_written() {
    let p = template(BOOKING);
    let filled = r#"{"name": "Ada", "class": "1", "seats": 2, "stops": ["ULM"], "meal": {"kind": "vegan"}, "extra": {"note": "window"}, "with": "Bob"}"#;
    let payload = lowered(&p, &["--template", "t.txt"], filled);
    let expected = json!({
        "name": "Ada",
        "class": "1",
        "seats": 2,
        "stops": ["ULM"],
        "meal": { "kind": "vegan" },
        "extra": "{\"note\":\"window\"}",
        "with": "Bob"
    });
    assert_eq!(payload, expected);
    for (filled, place, code, says) in [
        (r#"{"name": "Ada"}"#, "1:1", "D1620", "`class`"),
        (r#"{"name": "Ada", "class": 1}"#, "1:26", "D1623", "`class`"),
        (r#"{"name": "Ada", "class": "1", "x": 1}"#, "1:31", "D1621", "`x`"),
        (r#"{"name": "", "class": "1"}"#, "1:10", "D1624", "`name`"),
        (r#"{"name": "Ada", "class": "1", "stops": ["a"]}"#, "1:41", "D1625", "item 0 of `stops`"),
        (r#"{"name": "Ada", "class": "1", "id": "x"}"#, "1:37", "D1611", "the system"),
    ] {
        finding(&p, &["--template", "t.txt"], filled, place, code, says);
    }
}

/// The output of `deed imprint template` is a template, and means the same when it is read.
#[test]
fn what_is_written_is_read_again() {
    let p = super::example::example();
    p.ok_to("again.txt", &["imprint", "template", "ticket.schema.json", "--pretty"]);
    assert_eq!(skeleton(&p, &["--template", "again.txt"]), skeleton(&p, &["ticket.schema.json"]));
    assert!(p.json(&["imprint", "fill", "--template", "again.txt", "ticket.filled.json"])["ok"] == true);
}

#[test]
fn texts_that_are_no_templates() {
    for (text, says) in [
        (r#"{"a": "{FILL|strin}"}"#, "at `/a`: `strin` is not a type"),
        (r#"{"a": "{FILL|string"}"#, "at `/a`: the token has no end"),
        (r#"{"a": {"b": "hello"}}"#, "at `/a/b`: this text is not a token"),
        (r#"{"a": 1}"#, "at `/a`: a template has tokens where a payload has values"),
        (r#"{"a": "{FILL}"}"#, "at `/a`: a token says its type"),
        (r#"{"a": "{FILL|string|lenght:3}"}"#, "`lenght:3` is not a modifier"),
        (r#"{"a": "{FILL|string|length:x}"}"#, "`x` is not a count"),
        (r#"{"a": "{FILL|integer|range:1}"}"#, "`1` is not a range"),
        (r#"{"a": "{FILL|number|step:x}"}"#, "`x` is not a number"),
        (r#"{"a": "{FILL|string|pattern:foo}"}"#, "write `/foo/`"),
        (r#"{"a": "{FILL_ENUM}"}"#, "an enum lists its values"),
        (r#"{"a": "{KEY}"}"#, "`KEY` stands for a key, not for a value"),
        (r#"{"a": "{REF: same|of:/b}"}"#, "`/b` is not a place of this template"),
        (r#"{"a": "{REF: elsewhere}"}"#, "`circular`, `same` or `depth`"),
        (r#"{"a": ["{FILL|string}", "{FILL|integer}"]}"#, "one representative item"),
        (r#"{"a": []}"#, "one representative item"),
        (r#"{"a": {"{ONE_OF}": "{FILL|string}"}}"#, "variants are listed in brackets"),
        (r#"{"{WHEN|a}": {"b": "{FILL|string}"}}"#, "a condition is written `key=value`"),
        (r#"{"b": "{FILL|string}", "{FILL|closed}": ""}"#, "comes before its keys"),
        (r#"{"a": "{FILL|string}", "a": "{FILL|string}"}"#, "stands twice"),
        (r#"{"a": "#, "cannot be read"),
        ("hello", "cannot be read"),
        ("", "cannot be read"),
    ] {
        let p = template(text);
        turned_down(&p, &["template", "--template", "t.txt"], 1, "D1631", says);
    }
    let p = template(r#"{"a": "{FILL|string|pattern:/(/}"}"#);
    turned_down(&p, &["template", "--template", "t.txt"], 1, "D1605", "is not a regular expression");
    turned_down(
        &super::example::example(),
        &["template", "--template", "ticket.schema.json"],
        1,
        "D1631",
        "not a token",
    );
    turned_down(&p, &["template", "--template", "nowhere.txt"], 3, "D0001", "nowhere.txt");
}
