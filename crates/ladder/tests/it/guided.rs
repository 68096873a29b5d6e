//! Texts as models write them, under a schema: how many are read right, and that none is read wrong.
//!
//! Each file of `tests/it/guided` is a class: `clear.txt` (one sensible reading by the text alone), `decided.txt` (the
//! schema decides), `refused.txt` (no one reading) and `renames.txt` (names in another form). A block is
//!
//! ```text
//! == name: schema
//! text
//! -> expected value
//! ```
//!
//! In a text `\u{…}` is the character of that number, and `\e` at its end means that no line break follows. A schema is
//! one of `schemas.json`, or written out. Clear texts are also made from values, one slip at a time and two at a time.

use deed_ladder::{Climbed, Input, Ladder, climb, redo, undo};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

mod slips;

struct Case {
    name: String,
    schema: Value,
    text: String,
    /// None where the text must be refused.
    expected: Option<Value>,
}

fn schemas() -> BTreeMap<String, Value> {
    serde_json::from_str(include_str!("guided/schemas.json")).unwrap()
}

fn cases(file: &str) -> Vec<Case> {
    let schemas = schemas();
    let mut cases = Vec::new();
    for block in file.split("\n== ").skip(1) {
        let (head, body) = block.split_once('\n').unwrap_or_else(|| panic!("{block}"));
        let (name, schema) = head.split_once(": ").unwrap_or_else(|| panic!("{head}"));
        let schema = schemas.get(schema).cloned().unwrap_or_else(|| serde_json::from_str(schema).expect(head));
        let (text, expected) = match body.rsplit_once("\n-> ") {
            Some((text, expected)) => (text, Some(serde_json::from_str(expected.trim()).expect(name))),
            None => (body.trim_end_matches('\n'), None),
        };
        cases.push(Case { name: name.to_owned(), schema, text: unescaped(text), expected });
    }
    cases
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.trim_end_matches("\\e").split("\\u{");
    out.push_str(parts.next().unwrap());
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

fn ladder(schema: &Value) -> Ladder {
    let contract: LadderContract = serde_json::from_value(json!({
        "contract": "guided", "schema": schema, "guard": { "secrets": false }, "defaults": { "from_schema": true },
    }))
    .unwrap();
    Ladder::new(contract).unwrap_or_else(|faults| panic!("{schema}: {faults:?}"))
}

/// Sends a text up, and holds the climb to the laws.
fn send(schema: &Value, text: &str) -> Climbed {
    let ladder = ladder(schema);
    let go = |input: Input<'_>| climb(&ladder, input, Phase::StepOutput, &Proposals::default());
    let climbed = go(Input::Text(text));
    if let Some(payload) = &climbed.payload {
        let back = undo(&climbed.report, payload).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(redo(&climbed.report, &back).as_ref(), Ok(payload), "{text}");
    }
    if climbed.report.outcome == LadderOutcome::Accepted {
        let again = go(Input::Value(climbed.payload.as_ref().unwrap()));
        assert!(again.report.changes.is_empty(), "{text}: {:?}", again.report.changes);
        assert!(jsonschema::is_valid(schema, climbed.payload.as_ref().unwrap()), "{text}");
    }
    climbed
}

#[derive(Default, Debug)]
struct Score {
    right: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, case: &Case) {
        self.judge(case, send(&case.schema, &case.text));
    }

    fn judge(&mut self, case: &Case, climbed: Climbed) {
        let accepted = climbed.report.outcome == LadderOutcome::Accepted;
        match (&case.expected, accepted) {
            (Some(expected), true) if climbed.payload.as_ref() == Some(expected) => self.right += 1,
            (None, false) => self.right += 1,
            (Some(_), false) => {
                let why =
                    climbed.report.findings.first().map_or(String::new(), |f| format!("{} {}", f.code, f.message));
                self.refused.push(format!("{}: {}", case.name, why));
            }
            (_, true) => self.wrong.push(format!("{}: {}", case.name, climbed.payload.unwrap())),
        }
    }

    fn all(&self) -> usize {
        self.right + self.refused.len() + self.wrong.len()
    }

    /// In thousandths of all cases.
    fn share(&self, part: usize) -> usize {
        part * 1000 / self.all().max(1)
    }

    fn print(&self, class: &str) {
        println!(
            "{class}: {} texts, {} right ({} thousandths), {} refused, {} other values",
            self.all(),
            self.right,
            self.share(self.right),
            self.refused.len(),
            self.wrong.len()
        );
        self.refused.iter().for_each(|case| println!("  refused {case}"));
        self.wrong.iter().for_each(|case| println!("  OTHER {case}"));
    }
}

fn score(cases: &[Case], class: &str) -> Score {
    let mut score = Score::default();
    cases.iter().for_each(|case| score.add(case));
    score.print(class);
    score
}

#[test]
fn clear_texts_are_read() {
    let score = score(&cases(include_str!("guided/clear.txt")), "clear");
    assert!(score.all() >= 110, "{}", score.all());
    assert!(score.share(score.right) >= 950, "{score:#?}");
    assert!(score.wrong.is_empty(), "{score:#?}");
}

#[test]
fn texts_made_by_slips_are_read() {
    let mut cases = Vec::new();
    for (name, schema, value) in slips::values() {
        for (slip, text) in slips::texts(&value) {
            cases.push(Case {
                name: format!("{name}, {slip}"),
                schema: schema.clone(),
                text,
                expected: Some(value.clone()),
            });
        }
    }
    let score = score(&cases, "made by slips");
    assert!(score.all() >= 300, "{}", score.all());
    assert!(score.share(score.right) >= 950, "{score:#?}");
    assert!(score.share(score.wrong.len()) <= 5, "{score:#?}");
}

#[test]
fn texts_that_the_schema_decides_are_read() {
    let score = score(&cases(include_str!("guided/decided.txt")), "decided by the schema");
    assert!(score.all() >= 100, "{}", score.all());
    assert!(score.share(score.right) >= 950, "{score:#?}");
    assert!(score.wrong.is_empty(), "{score:#?}");
}

#[test]
fn texts_without_one_reading_are_refused() {
    let score = score(&cases(include_str!("guided/refused.txt")), "must be refused");
    assert!(score.all() >= 70, "{}", score.all());
    assert!(score.wrong.is_empty() && score.refused.is_empty(), "{score:#?}");
}

#[test]
fn names_are_renamed_or_left() {
    let mut score = Score::default();
    for mut case in cases(include_str!("guided/renames.txt")) {
        let (name, subject) = case.name.split_once(" @").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        case.name = name;
        let contract: LadderContract = serde_json::from_value(json!({
            "contract": "renames", "schema": case.schema, "vector": { "subject": subject },
        }))
        .unwrap();
        let ladder = Ladder::new(contract).unwrap_or_else(|faults| panic!("{}: {faults:?}", case.name));
        score.judge(&case, climb(&ladder, Input::Text(&case.text), Phase::StepOutput, &Proposals::default()));
    }
    score.print("renames");
    assert!(score.all() >= 100, "{}", score.all());
    assert!(score.share(score.right) >= 950, "{score:#?}");
    assert!(score.wrong.is_empty(), "{score:#?}");
}

#[test]
fn every_kind_that_a_schema_decides_is_shown() {
    let files = [include_str!("guided/clear.txt"), include_str!("guided/decided.txt")];
    let mut kinds = BTreeSet::new();
    for case in files.iter().flat_map(|file| cases(file)) {
        kinds.extend(send(&case.schema, &case.text).report.repairs.iter().map(|repair| repair.kind.as_str()));
    }
    for kind in [
        "bare_phrase",
        "missing_colon",
        "missing_quote",
        "wrong_closer",
        "digit_groups",
        "other_value",
        "list_added",
        "key_value_lines",
        "lone_value",
        "table",
        "foreign_value",
        "language_literal",
        "settings_lines",
        "query_string",
        "markup_elements",
        "insert_rows",
        "unbracketed_list",
    ] {
        assert!(kinds.contains(kind), "{kind}");
    }
}

#[test]
fn several_readings_are_listed() {
    let schema = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } } });
    let climbed = send(&schema, "First {\"a\": 1}, or rather {\"a\": 2}.");
    let finding = &climbed.report.findings[0];
    assert_eq!((finding.code.as_str(), climbed.report.outcome), ("D1772", LadderOutcome::Rejected));
    assert!(finding.message.contains("`{\"a\":1}`, `{\"a\":2}`"), "{}", finding.message);
}

#[test]
fn a_search_that_meets_its_bound_says_so() {
    let schema = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } } });
    let many: String = (0..70).map(|n| format!("{{\"a\": {n}, \"b\": {n}}} or\n")).collect();
    let climbed = send(&schema, &many);
    assert_eq!(climbed.report.outcome, LadderOutcome::Rejected);
    assert!(climbed.report.findings.iter().any(|finding| finding.code == "D1774"), "{:#?}", climbed.report.findings);
    let large = format!("{{\"a\": {}}}", "x y ".repeat(2 << 20));
    let climbed = send(&schema, &large);
    assert!(climbed.report.findings.iter().any(|finding| finding.code == "D1774"), "{:#?}", climbed.report.findings);
}

#[test]
fn lost_digits_are_reported() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "number" } } });
    let climbed = send(&schema, "{\"a\": 1.0000000000000000001}");
    assert_eq!(climbed.report.outcome, LadderOutcome::Rejected);
    assert!(climbed.report.findings[0].message.contains("`1.0000000000000000001`"));
    let climbed = send(&schema, "{\"a\": 3.14159265358979323846}");
    let codes: Vec<&str> = climbed.report.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!((codes, climbed.report.outcome), (vec!["D1771"], LadderOutcome::Accepted));
    assert!(send(&schema, "{\"a\": 3.141592653589793}").report.findings.is_empty());
}

#[test]
fn an_undeclared_key_near_a_declared_one_is_reported() {
    let schema =
        json!({ "type": "object", "properties": { "assignee": { "type": "string" }, "due": { "type": "string" } } });
    let climbed = send(&schema, "{\"asignee\": \"Ada\", \"other\": 1}");
    let found: Vec<(&str, &str)> =
        climbed.report.findings.iter().map(|f| (f.code.as_str(), f.pointer.as_str())).collect();
    assert_eq!((found, climbed.report.outcome), (vec![("D1775", "/asignee")], LadderOutcome::Accepted));
    assert_eq!(climbed.report.findings[0].help.as_deref(), Some("did you mean `assignee`?"));
}

#[test]
fn template_tokens_are_not_content() {
    let schema = json!({
        "type": "object", "required": ["name", "count"], "additionalProperties": false,
        "properties": {
            "name": { "type": "string" }, "count": { "type": "integer" }, "note": { "type": "string" },
            "done": { "type": "boolean" }, "labels": { "type": "object", "additionalProperties": { "type": "string" } },
        },
    });
    let refused = |text: &str| {
        let climbed = send(&schema, text);
        assert_eq!(climbed.report.outcome, LadderOutcome::Rejected, "{text}");
        assert!(climbed.report.findings.iter().any(|f| f.code == "D1773"), "{text}: {:#?}", climbed.report.findings);
    };
    refused(r#"{"name": "{FILL|string}", "count": 1}"#);
    refused(r#"{"name": "a", "count": "{FILL|integer|range:0-}"}"#);
    refused(r#"{"name": "a", "count": 1, "labels": {"{KEY}": "x"}}"#);
    let accepted = |text: &str, expected: Value| {
        let climbed = send(&schema, text);
        assert_eq!(climbed.payload, Some(expected), "{:#?}", climbed.report.findings);
        assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{text}: {:#?}", climbed.report.findings);
    };
    accepted(r#"{"name": "a", "count": 1, "note": "{OPTIONAL|string}"}"#, json!({ "name": "a", "count": 1 }));
    accepted(r#"{"{FILL}": "a thing", "name": "a", "count": "1"}"#, json!({ "name": "a", "count": 1 }));
    accepted(r#"{"name": "a", "count": 1, "done": "false"}"#, json!({ "name": "a", "count": 1, "done": false }));
    accepted(r#"{"name": "{braces}", "count": 1}"#, json!({ "name": "{braces}", "count": 1 }));
}

/// A text in the place of an answer fits a schema that asks for text, and is refused unless the field holds such texts.
#[test]
fn texts_without_an_answer_are_refused() {
    let schema =
        |field: Value| json!({ "type": "object", "properties": { "value": field, "message": { "type": "string" } } });
    let text = |description: &str| schema(json!({ "type": "string", "description": description }));
    let list = schema(json!({ "type": "array", "items": { "type": "string" } }));
    let found = |schema: &Value, value: Value| {
        let climbed = send(schema, &value.to_string());
        let refused = climbed.report.outcome == LadderOutcome::Rejected;
        let found = climbed.report.findings.iter().any(|finding| finding.code == "D1773");
        assert_eq!(refused, found, "{value}: {:#?}", climbed.report.findings);
        refused
    };
    for value in [
        "I'm sorry, but I cannot assist with that request.",
        "???",
        "1912-??-??",
        "+1-555-XXX-XXXX",
        "[object Object]",
        "#REF!",
        "(see attached file)",
        "M\u{fffd}rta",
        "e3b0c44298fc...b855",
    ] {
        assert!(found(&text("the value"), json!({ "value": value })), "{value}");
        let listed = schema(json!({ "enum": [value, "other"] }));
        assert!(!found(&listed, json!({ "value": value })), "{value}");
    }
    assert!(found(&list, json!({ "value": ["Anke", "Bernd", "usw."] })));
    assert!(found(&list, json!({ "value": ["Anke", "y otros 6 más"] })));
    // A value of which the end is left is how sources print it, unless all of it is asked for.
    assert!(!found(&text("the card"), json!({ "value": "4532 **** **** 7710" })));
    assert!(found(&text("the full number"), json!({ "value": "4532 **** **** 7710" })));
    let begins = schema(json!({ "type": "string", "pattern": "^[0-9a-f]{6,64}" }));
    assert!(found(&begins, json!({ "value": "e3b0c44298fc...b855" })));
    let whole = schema(json!({ "type": "string", "pattern": "^[0-9a-f.]+$" }));
    assert!(!found(&whole, json!({ "value": "e3b0c44298fc...b855" })));
    assert!(!found(&text("the value"), json!({ "message": "I'm sorry, but I cannot assist with that." })));
}

/// An open schema without required keys allows any object, and an error is one.
#[test]
fn an_object_with_none_of_the_declared_keys_is_no_answer() {
    let schema = |rest: Value| {
        let mut schema = json!({ "type": "object", "properties": { "forecast": { "type": "array" }, "city": { "type": "string" } } });
        schema.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        schema
    };
    let codes = |schema: &Value, text: &str| {
        let climbed = send(schema, text);
        climbed.report.findings.iter().map(|finding| finding.code.to_string()).collect::<Vec<_>>()
    };
    let open = schema(json!({}));
    assert_eq!(codes(&open, r#"{"error": {"type": "rate_limit", "message": "wait"}}"#), ["D1784"]);
    assert_eq!(codes(&open, r#"{"result": {"weather": 1}}"#), ["D1784"]);
    assert!(codes(&open, r#"{"city": "Oslo", "error": null}"#).is_empty());
    assert!(codes(&open, "{}").is_empty());
    let map = schema(json!({ "additionalProperties": { "type": "integer" } }));
    assert!(codes(&map, r#"{"monday": 3}"#).is_empty());
}

/// A contract that takes no prose refuses any, however harmless, and still takes fences, tags and reasoning.
#[test]
fn a_contract_may_take_no_prose_at_all() {
    let contract: LadderContract = serde_json::from_value(json!({
        "contract": "bare", "prose": "refuse", "schema": { "type": "object", "properties": { "a": { "type": "integer" } } },
    }))
    .unwrap();
    let ladder = Ladder::new(contract).unwrap();
    let outcome = |text: &str| {
        let climbed = climb(&ladder, Input::Text(text), Phase::StepOutput, &Proposals::default());
        let codes: Vec<String> = climbed.report.findings.iter().map(|finding| finding.code.to_string()).collect();
        (climbed.report.outcome, codes)
    };
    for text in ["{\"a\": 1}", "```json\n{\"a\": 1}\n```", "<think>hm</think>{\"a\": 1}", "<json>{\"a\": 1}</json>"] {
        assert_eq!(outcome(text).0, LadderOutcome::Accepted, "{text}");
    }
    for text in ["Here it is: {\"a\": 1}", "{\"a\": 1}\n\nI hope this helps!", "Sure!\n```json\n{\"a\": 1}\n```"] {
        let (outcome, codes) = outcome(text);
        assert_ne!(outcome, LadderOutcome::Accepted, "{text}");
        assert!(codes.contains(&"D1783".to_owned()), "{text}: {codes:?}");
    }
}

/// Prose that is too long to be read may say anything.
#[test]
fn more_prose_than_is_read_refuses_the_value() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let ladder = ladder(&schema);
    let text = |times: usize| format!("{{\"a\": 1}}\n\n{}", "The customer paid in March. ".repeat(times));
    let outcome = |text: &str| climb(&ladder, Input::Text(text), Phase::StepOutput, &Proposals::default());
    assert_eq!(outcome(&text(500)).report.outcome, LadderOutcome::Accepted);
    let long = outcome(&text(700));
    assert_ne!(long.report.outcome, LadderOutcome::Accepted);
    assert!(long.report.findings[0].message.contains("16384 bytes of prose"), "{:?}", long.report.findings);
}
