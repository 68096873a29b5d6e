//! Templates in parts: what the parts are, and what joining them refuses.

use deed_imprint::{Imprint, JoinError, join};
use deed_schema::Schema;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A schema with two large fields, one of them under a name that looks like a token and has a slash.
fn imprint() -> Imprint {
    let large = |name: &str| {
        let fields: Map<String, Value> =
            (0..12).map(|n| (format!("{name}_{n}"), json!({ "type": "string", "maxLength": 9 }))).collect();
        json!({ "type": "object", "properties": fields })
    };
    let schema = json!({
        "type": "object",
        "required": ["name", "address"],
        "properties": { "name": { "type": "string" }, "address": large("line"), "{KEY}/~": large("extra") }
    });
    Imprint::new(Schema::new(schema).unwrap()).unwrap()
}

fn parts(values: Value) -> BTreeMap<String, Value> {
    serde_json::from_value(values).unwrap()
}

const EXTRA: &str = "/\\{KEY}~1~0";

#[test]
fn the_spine_comes_first_and_names_its_sections() {
    let sections = imprint().sections(60, &|text| text.len() / 4);
    let names: Vec<&str> = sections.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["", EXTRA, "/address"]);
    let (head, spine) = sections.parts[0].text.split_once('\n').unwrap();
    assert!(head.ends_with("Reply JSON only; sections follow."), "{head}");
    let spine: Value = serde_json::from_str(spine).unwrap();
    assert_eq!(spine["address"], "{FILL|section|of:/address}");
    assert_eq!(spine["\\{KEY}/~"], "{OPTIONAL|section|of:/\\\\{KEY\\}~1~0}");
    assert_eq!(imprint().sections(10_000, &|text| text.len() / 4).parts.len(), 1);
}

#[test]
fn filled_parts_are_one_filled_template() {
    let joined = join(&parts(json!({
        "": { "name": "Ada", "address": "{FILL|section|of:/address}",
              "\\{KEY}/~": "{OPTIONAL|section|of:/\\\\{KEY\\}~1~0}" },
        "/address": { "line_1": "x" },
        EXTRA: { "extra_2": "y" }
    })))
    .unwrap();
    let lowered = imprint().lower(&joined, &BTreeMap::new());
    let expected = json!({ "name": "Ada", "address": { "line_1": "x" }, "{KEY}/~": { "extra_2": "y" } });
    assert_eq!(lowered.payload, Some(expected), "{:?}", lowered.findings);
}

#[test]
fn an_optional_section_that_was_not_filled_disappears_and_a_required_one_is_missed() {
    let spine = json!({ "name": "Ada", "address": "{FILL|section|of:/address}",
                        "\\{KEY}/~": "{OPTIONAL|section|of:/\\\\{KEY\\}~1~0}" });
    let joined = join(&parts(json!({ "": spine, "/address": { "line_1": "x" } }))).unwrap();
    let lowered = imprint().lower(&joined, &BTreeMap::new());
    assert_eq!(lowered.payload, Some(json!({ "name": "Ada", "address": { "line_1": "x" } })));
    let lowered = imprint().lower(&join(&parts(json!({ "": spine }))).unwrap(), &BTreeMap::new());
    assert_eq!(lowered.payload, None);
    assert_eq!(lowered.findings[0].pointer, "/address");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refused = |values: Value| join(&parts(values)).unwrap_err();
    assert_eq!(refused(json!({ "/address": {} })), JoinError::NoSpine);
    // The place was filled in the spine itself, or belongs to another section.
    for place in [json!({ "line_1": "y" }), json!("text"), json!("{FILL|section|of:/other}"), json!("{FILL|string}")] {
        let found = refused(json!({ "": { "address": place }, "/address": { "line_1": "x" } }));
        assert_eq!(found, JoinError::Taken("/address".to_owned()));
    }
    assert_eq!(refused(json!({ "": { "name": "x" }, "/address": {} })), JoinError::Taken("/address".to_owned()));
    assert_eq!(refused(json!({ "": { "name": "x" }, "/no/where": {} })), JoinError::Unknown("/no/where".to_owned()));
}

#[test]
fn a_head_says_four_things_and_each_in_its_fifty_characters() {
    let schema = json!({
        "title": "An extraordinarily long title that nobody would ever read to its very end",
        "type": "object",
        "additionalProperties": false,
        "required": ["a"],
        "properties": {
            "a": { "enum": ["x", "y"] },
            "b": { "type": "string", "readOnly": true },
            "c": { "type": "object", "properties": { "d": { "type": "string" } } }
        }
    });
    let imprint = Imprint::new(Schema::new(schema).unwrap()).unwrap();
    let head = imprint.head();
    let at = |words: &str| head.find(words).unwrap_or_else(|| panic!("{head} does not say {words}"));
    assert!(head.starts_with("object, 3 fields, 2 levels. "), "{head}");
    assert!(at("MUST fill 1: An extraordinarily long title…") <= 50);
    assert!(at("No other keys.") <= 100 && at("Omit unused.") <= 150 && at("Reply JSON only.") <= 150);
    assert!(!head.contains("nobody would ever read"), "{head}");
}
