//! Other notations than JSON: what a writer of each makes of a value is read back as that value, and no part of it as
//! another.
//!
//! The writers are independent of the readers. Schemas and values are made together, so that each schema has one type at
//! each place.

use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

mod writers;

use writers::{NOTATIONS, Notation};

/// Texts that have marks of one notation or another, and mean nothing but themselves.
const TEXTS: [&str; 16] = [
    "Bog Witch",
    "it's fine",
    "a \"quoted\" word",
    "50% & more",
    "x; y, z",
    "1 < 2 > 0",
    "# first",
    "-- second",
    "// third",
    "été 東京",
    "a=b",
    "key: value",
    "1.10",
    "true",
    "[list]",
    "curly {braces}",
];
const NAMES: [&str; 8] = ["title", "owner", "seats", "open", "labels", "address", "limits", "rows"];

/// A value with the schema that it alone is of.
#[derive(Debug, Clone)]
struct Typed {
    schema: Value,
    value: Value,
}

fn leaf() -> impl Strategy<Value = Typed> {
    let typed = |kind: &str, value: Value| Typed { schema: json!({ "type": kind }), value };
    prop_oneof![
        select(&TEXTS[..]).prop_map(move |text| typed("string", json!(text))),
        (-1000i64..1000).prop_map(move |number| typed("integer", json!(number))),
        (-1000i64..1000).prop_map(move |number| typed("number", json!(number as f64 + 0.25))),
        any::<bool>().prop_map(move |value| typed("boolean", json!(value))),
    ]
}

fn list() -> impl Strategy<Value = Typed> {
    let texts = prop::collection::vec(select(&TEXTS[..]), 1..4).prop_map(|items| Typed {
        schema: json!({ "type": "array", "items": { "type": "string" } }),
        value: json!(items),
    });
    let numbers = prop::collection::vec(0i64..100, 1..4).prop_map(|items| Typed {
        schema: json!({ "type": "array", "items": { "type": "integer" } }),
        value: json!(items),
    });
    let rows = prop::collection::vec((select(&TEXTS[..]), any::<bool>()), 1..4).prop_map(|items| {
        let schema = json!({ "type": "array", "items": { "type": "object", "required": ["city", "main"],
            "additionalProperties": false, "properties": { "city": { "type": "string" }, "main": { "type": "boolean" } } } });
        let items: Vec<Value> = items.into_iter().map(|(city, main)| json!({ "city": city, "main": main })).collect();
        Typed { schema, value: json!(items) }
    });
    prop_oneof![texts, numbers, rows]
}

fn object(members: Vec<Typed>) -> Typed {
    let (mut properties, mut value) = (Map::new(), Map::new());
    for (name, member) in NAMES.iter().zip(members) {
        properties.insert((*name).to_owned(), member.schema);
        value.insert((*name).to_owned(), member.value);
    }
    let required: Vec<String> = properties.keys().cloned().collect();
    let schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    Typed { schema, value: Value::Object(value) }
}

fn flat() -> impl Strategy<Value = Typed> {
    prop::collection::vec(leaf(), 2..6).prop_map(object)
}

fn nested() -> impl Strategy<Value = Typed> {
    let inner = prop_oneof![3 => leaf(), 2 => list(), 1 => flat()];
    prop::collection::vec(inner, 2..7).prop_map(object)
}

fn go(schema: &Value, text: &str) -> Climbed {
    let contract: LadderContract =
        serde_json::from_value(json!({ "contract": "notations", "schema": schema, "guard": { "secrets": false } }))
            .unwrap();
    let ladder = Ladder::new(contract).unwrap_or_else(|faults| panic!("{schema}: {faults:?}"));
    climb(&ladder, Input::Text(text), Phase::StepOutput, &Proposals::default())
}

/// The value that a text is accepted as.
fn accepted(schema: &Value, text: &str) -> Option<Value> {
    let climbed = go(schema, text);
    (climbed.report.outcome == LadderOutcome::Accepted).then_some(climbed.payload).flatten()
}

/// Returns whether a value is what a beginning of the text of another may be: lists may be shorter, and the last text or
/// number may lack its end.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, inner)| is_part(inner, &whole[key.as_str()]))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(part, whole)| is_part(part, whole))
        }
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Number(part), Value::Number(whole)) => {
            whole.to_string().starts_with(&part.to_string().replace(".0", ""))
        }
        (part, whole) => part == whole,
    }
}

fn check_round_trip(notation: &Notation, typed: &Typed) {
    let Some(text) = (notation.write)(&typed.value) else { return };
    let climbed = go(&typed.schema, &text);
    let why: Vec<&str> = climbed.report.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{}: {text}\n{why:?}", notation.name);
    assert_eq!(climbed.payload.as_ref(), Some(&typed.value), "{}: {text}", notation.name);
    if let Some(rule) = notation.rule {
        let has_rule = climbed.report.repairs.iter().any(|repair| repair.kind.as_str() == rule);
        assert!(has_rule, "{}: {text}\n{:?}", notation.name, climbed.report.changes.first().map(|change| &change.rule));
    }
    // In a fence, and behind a sentence that leads to it.
    for text in [format!("```\n{text}\n```"), format!("Here is the record you asked for:\n\n{text}")] {
        assert_eq!(accepted(&typed.schema, &text).as_ref(), Some(&typed.value), "{}: {text}", notation.name);
    }
}

fn check_cuts(notation: &Notation, typed: &Typed, places: &[prop::sample::Index]) {
    let Some(text) = (notation.write)(&typed.value) else { return };
    for place in places {
        let cut = &text[..text.floor_char_boundary(place.index(text.len()))];
        let Some(value) = accepted(&typed.schema, cut) else { continue };
        let is_right = value == typed.value || (notation.is_open && is_part(&value, &typed.value));
        assert!(is_right, "{}: {cut}\nread as {value}", notation.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_read_back(nested in nested(), flat in flat()) {
        for notation in &NOTATIONS {
            check_round_trip(notation, if notation.is_flat { &flat } else { &nested });
        }
    }

    #[test]
    fn a_cut_text_is_not_another_value(nested in nested(), flat in flat(), places in prop::collection::vec(any::<prop::sample::Index>(), 6)) {
        for notation in &NOTATIONS {
            check_cuts(notation, if notation.is_flat { &flat } else { &nested }, &places);
        }
    }

    #[test]
    fn soup_of_tokens_is_read_without_fault(tokens in prop::collection::vec(select(&TOKENS[..]), 0..30)) {
        let text = tokens.concat();
        for schema in [json!({ "type": "object" }), json!({ "type": "array" }), schema()] {
            if let Some(value) = accepted(&schema, &text) {
                prop_assert!(jsonschema::is_valid(&schema, &value), "{text}");
            }
        }
    }

    #[test]
    fn any_text_is_read_without_fault(text: String) {
        let _ = go(&schema(), &text);
    }
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "array", "items": { "type": "integer" } },
        "c": { "type": "object" } }, "required": ["a"] })
}

/// Fragments of the notations.
const TOKENS: [&str; 64] = [
    "return ",
    "local x = ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "@{",
    "@(",
    "%{",
    "#{",
    "<a>",
    "</a>",
    "<b/>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "--",
    "--[[",
    "//",
    "/*",
    "*/",
    "#",
    ";",
    "a",
    "b",
    "c",
    "a = ",
    "b: ",
    "\"a\"",
    "'b'",
    "=>",
    "->",
    " to ",
    "=",
    ":",
    ",",
    "\n",
    " ",
    "1",
    "-2.5",
    "0x",
    "\\",
    "\"",
    "'",
    "`",
    "$",
    "$true",
    "nil",
    "mapOf(",
    "list(",
    "c(",
    "Map.of(",
    "INSERT INTO t (a) ",
    "VALUES ('x')",
    "&amp;",
    "&",
    "%20",
    "a=1&",
    "[a]",
    "東",
    "\u{feff}",
];

/// Long texts that lead nowhere are left in time that grows with them.
#[test]
fn long_texts_end() {
    const SIZE: usize = 100_000;
    let parts = [
        "{",
        "{a={",
        "a {\n",
        "<a>",
        "[[",
        "((",
        "a = 1\n",
        "a.b=1\n",
        "a: {",
        "{a=1,",
        ":a ",
        "'",
        "\"",
        "a=1&",
        "-- x\n",
        "<a></a>",
        "mapOf(",
        "INSERT INTO t (a) VALUES (",
        "&T{",
        "new X { ",
        "x <- ",
        "[a]\n",
        "@{a=",
        "a\\",
        "{\"a\": red, ",
        "f(a=",
        "[\"a\"] x ",
    ];
    let started = std::time::Instant::now();
    for part in parts {
        let text = part.repeat(SIZE / part.len());
        assert_eq!(accepted(&schema(), &text), None, "{part}");
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn comments_are_recorded_as_such() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "additionalProperties": false });
    let climbed = go(&schema, "-- settings\nreturn {\n  a = 1, -- in EUR\n}\n");
    assert_eq!(climbed.payload, Some(json!({ "a": 1 })), "{:?}", climbed.report.findings);
    let kinds: Vec<&str> = climbed.report.repairs.iter().map(|repair| repair.kind.as_str()).collect();
    assert_eq!(kinds, ["comment", "language_literal", "comment", "language_literal"]);
}
