//! Unions, conditions and keys: what was chosen takes the place of the choice.

use super::example::{finding, findings, lowered, schema};
use crate::common::Project;
use serde_json::json;

/// A payment by bank or by card, labels of any name, and a pair.
fn payment() -> Project {
    schema(
        r#"{
            "type": "object",
            "required": ["pay"],
            "additionalProperties": false,
            "properties": {
                "pay": {
                    "oneOf": [
                        { "type": "object", "required": ["kind", "iban"], "additionalProperties": false,
                          "properties": { "kind": { "const": "bank" }, "iban": { "type": "string" } } },
                        { "type": "object", "required": ["kind", "number"], "additionalProperties": false,
                          "properties": { "kind": { "const": "card" }, "number": { "type": "string", "pattern": "^[0-9]{4}$" } } }
                    ]
                },
                "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                "pair": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }], "items": false }
            }
        }"#,
    )
}

const BANK: &str = r#"{"kind": "bank", "iban": "DE02"}"#;

#[test]
fn a_variant_in_the_place_of_the_union_or_within_it() {
    let p = payment();
    let expected = json!({ "pay": { "kind": "bank", "iban": "DE02" } });
    for filled in [
        format!(r#"{{"pay": {BANK}}}"#),
        format!(
            r#"{{"pay": {{"{{ONE_OF}}": [{BANK}, {{"kind": "{{FILL_ENUM|card}}", "number": "{{FILL|string}}"}}]}}}}"#
        ),
        format!(r#"{{"pay": {{"{{ONE_OF}}": {BANK}}}}}"#),
        format!(r#"{{"pay": {BANK}, "labels": {{"{{OPTIONAL|open}}": "", "{{KEY}}": "{{OPTIONAL|string}}"}}}}"#),
    ] {
        assert_eq!(lowered(&p, &["s.json"], &filled), expected, "{filled}");
    }
}

#[test]
fn the_variant_that_is_meant_says_what_is_wrong() {
    let p = payment();
    finding(
        &p,
        &["s.json"],
        r#"{"pay": {"kind": "card", "number": "12"}}"#,
        "1:36",
        "D1625",
        "`number` does not match",
    );
    finding(&p, &["s.json"], r#"{"pay": {"kind": "cash", "number": "1234"}}"#, "1:2", "D1626", "fits none of 2 shapes");
    finding(&p, &["s.json"], r#"{"pay": "bank"}"#, "1:9", "D1626", "must be an object");
    finding(
        &p,
        &["s.json"],
        r#"{"pay": {"kind": "bank", "iban": "DE", "number": "1234"}}"#,
        "1:40",
        "D1621",
        "`number`",
    );
    let two = schema(r#"{"oneOf": [{"type": "number"}, {"type": "integer"}]}"#);
    finding(&two, &["s.json"], "3", "1:1", "D1626", "fits several shapes");
}

#[test]
fn choices_that_were_not_made() {
    let p = payment();
    let both = format!(r#"{{"pay": {{"{{ONE_OF}}": [{BANK}, {{"kind": "card", "number": "1234"}}]}}}}"#);
    let found = findings(&p, &["s.json"], &both);
    assert!(found.iter().any(|line| line.contains("error[D1615] several variants are filled in")), "{found:?}");
    let key = format!(r#"{{"pay": {BANK}, "labels": {{"{{KEY}}": "red"}}}}"#);
    finding(&p, &["s.json"], &key, "1:", "D1615", "`{KEY}` is not a key yet");
    let found = findings(&p, &["s.json"], r#"{"pay": "{ONE_OF}"}"#);
    assert!(
        found.iter().any(|line| line.starts_with("<stdin>:1:9: error[D1615] `{ONE_OF}` is not a value")),
        "{found:?}"
    );
}

#[test]
fn what_stands_under_a_condition_joins_what_stands_beside() {
    let p = schema(r#"{"type": "object", "additionalProperties": {"type": "string"}}"#);
    let filled = r#"{"country": "us", "{WHEN|country=us}": {"zip": "12345"}, "{UNLESS|country=us}": {"plz": "{OPTIONAL|string}"}}"#;
    assert_eq!(lowered(&p, &["s.json"], filled), json!({ "country": "us", "zip": "12345" }));
    let twice = r#"{"zip": "1", "{WITH|zip}": {"zip": "2"}}"#;
    finding(&p, &["s.json"], twice, "1:14", "D1616", "`zip` is given twice");
}

/// The token before the items of a list is not an item, and items are counted without it.
#[test]
fn lists_with_a_token_before_their_items() {
    let p = payment();
    let filled = format!(r#"{{"pay": {BANK}, "pair": ["{{OPTIONAL|tuple|closed}}", 1, "b"]}}"#);
    assert_eq!(lowered(&p, &["s.json"], &filled)["pair"], json!([1, "b"]));
    let wrong = format!(r#"{{"pay": {BANK}, "pair": ["{{OPTIONAL|tuple|closed}}", 1, 7]}}"#);
    finding(&p, &["s.json"], &wrong, "1:82", "D1622", "item 1 of `pair` must be a string");
    let long = format!(r#"{{"pay": {BANK}, "pair": [1, "b", 3]}}"#);
    finding(&p, &["s.json"], &long, "1:60", "D1627", "item 2 of `pair` must not be given");
}
