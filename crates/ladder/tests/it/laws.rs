//! Laws of a climb, over random contracts and random payloads: valid ones, mutated ones, and dirty text.

use deed_ladder::{Climbed, Input, Ladder, climb, frozen, read, redo, undo};
use deed_model::{LadderContract, LadderMode, LadderOutcome, LadderReport, Phase, Proposals, Rung};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// One vocabulary in four degrees of strictness.
fn schema(strictness: usize) -> Value {
    let closed = strictness >= 1;
    let item = json!({
        "type": "object",
        "properties": { "sku": { "type": "string" }, "quantity": { "type": "integer", "minimum": 0 } },
        "required": ["sku", "quantity"],
        "additionalProperties": !closed,
    });
    let mut properties = json!({
        "name": { "type": "string", "minLength": 1 },
        "amount": { "type": "number" },
        "unit": { "type": "string" },
        "status": { "enum": ["open", "closed", "on_hold"], "default": "open" },
        "start_date": { "type": "string", "format": "date" },
        "items": { "type": "array", "items": item },
        "owner": {
            "type": "object",
            "properties": { "full_name": { "type": "string" }, "email": { "type": "string" } },
            "required": ["full_name"],
            "additionalProperties": !closed,
        },
        "done": { "type": "boolean" },
    });
    if strictness == 3 {
        properties["owner"] = json!({ "anyOf": [{ "type": "null" }, properties["owner"].clone()] });
        properties["amount"] = json!({ "type": ["number", "null"], "maximum": 1_000_000 });
    }
    let required = if strictness >= 2 { json!(["name", "amount", "status"]) } else { json!([]) };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": !closed })
}

/// Parts that a contract may have; each is picked or not.
fn parts() -> Vec<Value> {
    vec![
        json!({ "synonyms": [
            { "from": ["title", "label"], "to": "name" },
            { "at": "/items/*", "from": ["qty"], "to": "quantity" },
            { "at": "**", "from": ["mail"], "to": "email" },
        ] }),
        json!({ "defaults": { "from_schema": true, "values": [
            { "at": "/done", "value": false },
            { "at": "/items/*/quantity", "value": 1 },
            { "at": "/amount", "value": "wrong on purpose", "when": { "==": [{ "var": "unit" }, "odd"] } },
        ] } }),
        json!({ "transforms": [
            { "id": "case", "at": "/name", "apply": "title_case" },
            { "id": "trim", "at": "/owner/full_name", "apply": "trim" },
            { "id": "cents", "at": "/amount", "apply":
                { "scale": { "factor": "0.01", "unit_key": "unit", "from": "cent", "to": "euro" } } },
            { "id": "date", "at": "/start_date", "apply": { "date": { "from": ["DD.MM.YYYY", "MM/DD/YYYY"] } } },
            { "id": "shout", "at": "/status", "apply": "upper_case", "when": { "==": [{ "var": "value" }, "open"] } },
            { "id": "grow", "at": "/items/*/quantity", "apply": { "set": { "+": [{ "var": "value" }, 1] } },
              "when": { "==": [{ "var": "value" }, 7] } },
        ] }),
        json!({ "transforms": [
            { "id": "sku", "at": "/items/*/sku", "apply": "upper_case" },
            { "id": "first", "at": "/items/0/sku", "apply": { "set": { "cat": [{ "var": "sku" }, "-A"] } },
              "when": { "==": [{ "var": "sku" }, "X"] } },
        ] }),
        json!({ "vector": { "subject": "order" } }),
        json!({ "allowed_keys": [
            { "keys": ["name", "amount", "status", "items", "owner", "unit", "start_date"] },
            { "at": "/items/*", "keys": ["sku", "quantity"] },
        ] }),
        json!({ "domain": [
            { "id": "positive", "rule": { ">=": [{ "var": ["amount", 0] }, 0] }, "message": "the amount is negative" },
            { "id": "some", "at": "/items/*", "rule": { ">": [{ "var": "quantity" }, 0] }, "message": "none of it",
              "severity": "warning" },
        ] }),
        json!({ "edit_budget": { "most_changes": 4 } }),
        json!({ "structure": { "fixes": ["read_scalar", "wrap_item"] } }),
        json!({ "guard": { "personal": ["credit_card", "iban"] } }),
    ]
}

fn contract(modes: bool) -> impl Strategy<Value = LadderContract> {
    let mode = prop_oneof![3 => Just("block"), 1 => Just("report"), 1 => Just("off")];
    let rungs: Vec<Rung> = Rung::ALL.into_iter().filter(|rung| *rung != Rung::L0).collect();
    let all = parts().len();
    (0..4_usize, subsequence(parts(), 0..=all), vec(mode, rungs.len())).prop_map(move |(strict, picked, chosen)| {
        let mut whole = Map::new();
        whole.insert("contract".to_owned(), json!("law"));
        whole.insert("schema".to_owned(), schema(strict));
        for part in picked {
            whole.extend(part.as_object().unwrap().clone());
        }
        if modes {
            let table: Map<String, Value> =
                rungs.iter().zip(chosen).map(|(rung, mode)| (rung.as_str().to_owned(), json!(mode))).collect();
            whole.insert("modes".to_owned(), Value::Object(table));
        }
        serde_json::from_value(Value::Object(whole)).unwrap()
    })
}

fn word() -> impl Strategy<Value = String> {
    select(vec!["x", "X", "blue box", "ANNA", " spaced  out ", "élan", "7", "true", "{\"sku\": 1}", "[1]", "a/b~c", ""])
        .prop_map(str::to_owned)
}

fn date() -> impl Strategy<Value = Value> {
    let form = prop_oneof![Just(0), Just(1), Just(2), Just(3)];
    (form, 2020..2026_u16, 1..13_u8, 1..29_u8).prop_map(|(form, y, m, d)| match form {
        0 => json!(format!("{y:04}-{m:02}-{d:02}")),
        1 => json!(format!("{d:02}.{m:02}.{y:04}")),
        2 => json!(format!("{m:02}/{d:02}/{y:04}")),
        _ => json!("soon"),
    })
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-50..500_i64).prop_map(|n| json!(n)),
        (-50..500_i64).prop_map(|n| json!(n.to_string())),
        (0..9999_i32).prop_map(|n| json!(f64::from(2 * n + 1) / 16.0)),
        Just(json!(7)),
        Just(json!(null)),
    ]
}

/// An object of these members, some under names that mean them, some missing.
fn members(fields: Vec<(&'static [&'static str], BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let each: Vec<BoxedStrategy<Option<(String, Value)>>> = fields
        .into_iter()
        .map(|(names, values)| {
            let name = prop_oneof![4 => Just(names[0]), 1 => select(names.to_vec())];
            let there = prop::bool::weighted(0.75);
            (there, name, values).prop_map(|(there, name, value)| there.then(|| (name.to_owned(), value))).boxed()
        })
        .collect();
    each.prop_map(|members| Value::Object(members.into_iter().flatten().collect())).boxed()
}

fn payload() -> BoxedStrategy<Value> {
    let item = members(vec![
        (&["sku", "SKU", "sku_code"], word().prop_map(Value::from).boxed()),
        (&["quantity", "qty", "amount"], number().boxed()),
    ]);
    let items = prop_oneof![
        3 => vec(item.clone(), 0..4).prop_map(Value::Array),
        1 => item.clone(),
        1 => vec(item, 0..3).prop_map(|items| json!(serde_json::to_string(&items).unwrap())),
    ];
    let owner = members(vec![
        (&["full_name", "fullName", "name"], word().prop_map(Value::from).boxed()),
        (&["email", "mail", "e_mail"], word().prop_map(Value::from).boxed()),
    ]);
    let owner = prop_oneof![
        3 => owner.clone(),
        1 => owner.prop_map(|owner| json!(owner.to_string())),
        1 => Just(Value::Null),
    ];
    let status = select(vec!["open", "OPEN", "closed", "On_Hold", "gone"]).prop_map(Value::from);
    let whole = members(vec![
        (&["name", "title", "label", "nmae"], word().prop_map(Value::from).boxed()),
        (&["amount", "amt", "total_amount"], number().boxed()),
        (&["unit"], select(vec!["cent", "euro", "odd"]).prop_map(Value::from).boxed()),
        (&["status", "state"], status.boxed()),
        (&["start_date", "startDate", "start"], date().boxed()),
        (&["items", "Items"], items.boxed()),
        (&["owner"], owner.boxed()),
        (&["done"], prop_oneof![Just(json!(true)), Just(json!("false"))].boxed()),
        (&["zodiac", "x/y"], Just(json!({"deep": [1, {"er": null}]})).boxed()),
    ]);
    prop_oneof![
        5 => whole.clone(),
        1 => whole.clone().prop_map(|inner| json!({ "data": inner })),
        1 => whole.clone().prop_map(|inner| json!([inner])),
        1 => whole.prop_map(|inner| json!(inner.to_string())),
    ]
    .boxed()
}

/// A payload that is right under every strictness.
fn valid() -> impl Strategy<Value = Value> {
    let item = (word(), 0..9_i64).prop_map(|(sku, quantity)| json!({ "sku": sku, "quantity": quantity }));
    let optional = members(vec![
        (&["unit"], select(vec!["cent", "euro", "odd"]).prop_map(Value::from).boxed()),
        (&["start_date"], (2020..2026_u16, 1..13_u8).prop_map(|(y, m)| json!(format!("{y}-{m:02}-04"))).boxed()),
        (&["items"], vec(item, 0..4).prop_map(Value::Array).boxed()),
        (&["owner"], word().prop_map(|name| json!({ "full_name": name, "email": "a@example.com" })).boxed()),
        (&["done"], any::<bool>().prop_map(Value::from).boxed()),
    ]);
    let status = select(vec!["open", "closed", "on_hold"]);
    (optional, 0..99_999_i64, status, "[a-zA-Z ]{1,9}").prop_map(|(mut whole, amount, status, name)| {
        whole["amount"] = json!(amount);
        whole["status"] = json!(status);
        whole["name"] = json!(name);
        whole
    })
}

/// The text of a payload as a model might write it.
fn dirty() -> impl Strategy<Value = String> {
    (payload(), 0..9_u8, any::<prop::sample::Index>()).prop_map(|(payload, how, at)| {
        let text = payload.to_string();
        match how {
            0 => text,
            1 => format!("```json\n{text}\n```"),
            2 => format!("Here you are:\n{text}\nAnything else?"),
            3 => text.replace('"', "'"),
            4 => text.replace('}', ",}"),
            5 => text.replace("true", "True").replace("null", "None"),
            6 => text.chars().take(at.index(text.chars().count() + 1)).collect(),
            7 => text.replacen(',', "", 1),
            _ => format!("{text}\n{text}"),
        }
    })
}

/// A value behind so many slips of structure, one on top of the other.
fn folded(mut value: Value, folds: &[u8]) -> Value {
    for (index, fold) in folds.iter().enumerate() {
        value = match (fold, &value) {
            (0, Value::Array(items)) if items.len() == 1 && index == 0 => items[0].clone(),
            (0 | 1, _) => json!(value.to_string()),
            (2, _) => json!({ "result": value }),
            _ => json!({ "response": value }),
        };
    }
    value
}

fn go(ladder: &Ladder, input: Input<'_>) -> Climbed {
    climb(ladder, input, Phase::StepOutput, &Proposals::default())
}

fn original(input: Input<'_>) -> Value {
    match input {
        Input::Value(value) => value.clone(),
        Input::Text(text) => match read(text) {
            Ok(reading) if reading.repairs.is_empty() => reading.value,
            _ => json!(text),
        },
    }
}

/// What must hold of every climb.
fn lawful(ladder: &Ladder, input: Input<'_>) -> Result<Climbed, TestCaseError> {
    let climbed = go(ladder, input);
    let Climbed { payload, report } = &climbed;
    let bytes = serde_json::to_string(report).unwrap();
    prop_assert_eq!(&bytes, &serde_json::to_string(&go(ladder, input).report).unwrap(), "determinism");
    let replayed = climb(ladder, input, Phase::StepOutput, &frozen(report));
    prop_assert_eq!(&replayed, &climbed, "replay");
    let back: LadderReport = serde_json::from_str(&bytes).unwrap();
    prop_assert_eq!(&back, report, "the report is read back as it was");
    if let Some(payload) = payload {
        let undone = undo(report, payload).map_err(|e| TestCaseError::fail(format!("undo: {e}")))?;
        prop_assert_eq!(&undone, &original(input), "reversibility");
        prop_assert_eq!(&redo(report, &undone).unwrap(), payload, "redo");
    }
    if report.outcome == LadderOutcome::Accepted {
        let payload = payload.as_ref().unwrap();
        let again = go(ladder, Input::Value(payload));
        prop_assert!(again.report.changes.is_empty(), "idempotence: {:?}", again.report.changes);
        prop_assert_eq!(again.report.output_hash, report.output_hash, "idempotence");
        prop_assert_eq!(again.report.outcome, LadderOutcome::Accepted, "still accepted: {:?}", again.report.findings);
        if ladder.mode(Phase::StepOutput, Rung::L4) == LadderMode::Block {
            let schema = &ladder.contract().schema;
            let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
            prop_assert!(validator.is_valid(payload), "accepted and not valid: {payload}");
        }
    }
    Ok(climbed)
}

fn plain(mut contract: LadderContract, off: &[Rung]) -> Ladder {
    for rung in off {
        contract.modes.insert(*rung, LadderMode::Off);
    }
    Ladder::new(contract).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_climb_lawfully(contract in contract(false), payload in payload()) {
        lawful(&plain(contract, &[]), Input::Value(&payload))?;
    }

    #[test]
    fn values_climb_lawfully_in_every_mode(contract in contract(true), payload in payload()) {
        lawful(&plain(contract, &[]), Input::Value(&payload))?;
    }

    #[test]
    fn texts_climb_lawfully(contract in contract(false), text in dirty()) {
        let climbed = lawful(&plain(contract, &[]), Input::Text(&text))?;
        let strict = read(&text).is_ok_and(|reading| reading.repairs.is_empty());
        let touched = climbed.report.changes.iter().any(|change| change.rung == Rung::L0);
        prop_assert!(!(strict && (touched || !climbed.report.repairs.is_empty())));
    }

    #[test]
    fn correct_text_is_as_good_as_its_value(contract in contract(true), payload in payload()) {
        let ladder = plain(contract, &[]);
        let compact = payload.to_string();
        let pretty = format!("\n{payload:#}  \n");
        let by_value = go(&ladder, Input::Value(&payload));
        for text in [compact, pretty] {
            let by_text = go(&ladder, Input::Text(&text));
            prop_assert!(by_text.report.repairs.is_empty());
            prop_assert_eq!(&by_text, &by_value);
        }
    }

    #[test]
    fn no_rung_below_conformance_makes_a_valid_payload_invalid(contract in contract(false), payload in valid()) {
        let schema = jsonschema::options().should_validate_formats(true).build(&contract.schema).unwrap();
        prop_assert!(schema.is_valid(&payload), "the maker of payloads is wrong: {payload}");
        let ladder = plain(contract, &[Rung::L4, Rung::L5, Rung::L6]);
        let climbed = go(&ladder, Input::Value(&payload));
        let after = climbed.payload.unwrap();
        prop_assert!(schema.is_valid(&after), "{payload} became {after}");
    }

    #[test]
    fn slips_of_structure_on_top_of_each_other_are_all_taken_off(
        strict in 2..4_usize, payload in valid(), whole in vec(0..4_u8, 0..4), items in vec(0..4_u8, 0..4),
        owner in vec(0..4_u8, 0..4), texts in any::<bool>(),
    ) {
        let contract = json!({ "contract": "law", "schema": schema(strict) });
        let ladder = plain(serde_json::from_value(contract).unwrap(), &[]);
        let mut slipped = payload.clone();
        let listed = slipped.get_mut("items").and_then(Value::as_array_mut);
        for item in listed.into_iter().flatten().filter(|_| texts) {
            item["quantity"] = json!(item["quantity"].to_string());
        }
        for (key, folds) in [("items", &items), ("owner", &owner)] {
            if let Some(value) = slipped.get_mut(key) {
                *value = folded(value.take(), folds);
            }
        }
        slipped = folded(slipped, &whole);
        let climbed = lawful(&ladder, Input::Value(&slipped))?;
        prop_assert_eq!(climbed.payload, Some(payload), "{}", slipped);
        prop_assert!(climbed.report.findings.is_empty(), "{:?}", climbed.report.findings);
    }

    #[test]
    fn rungs_that_are_off_or_only_report_change_nothing(contract in contract(true), payload in payload()) {
        let ladder = plain(contract, &[]);
        let report = go(&ladder, Input::Value(&payload)).report;
        for change in &report.changes {
            prop_assert_eq!(ladder.mode(Phase::StepOutput, change.rung), LadderMode::Block);
        }
        for record in &report.rungs {
            if record.mode == LadderMode::Off && record.rung != Rung::L0 {
                prop_assert_eq!(record.changes + record.findings, 0);
            }
        }
        for finding in report.findings.iter().filter(|finding| finding.blocks) {
            let budget = finding.code == "D1750";
            prop_assert!(budget || ladder.mode(Phase::StepOutput, finding.rung) == LadderMode::Block);
        }
    }

    #[test]
    fn a_planted_secret_is_stopped_and_never_repeated(
        contract in contract(false), payload in payload(), seed in 1..1000_u64, card in any::<bool>(), how in 0..5_u8,
    ) {
        let mut contract = contract;
        contract.guard.personal = vec!["credit_card".to_owned()];
        let secret = if card { "4111 1111 1111 1111".to_owned() } else {
            let sample = deed_detect::sample("aws-access-key-id", seed).unwrap();
            sample.text[sample.secret].to_owned()
        };
        let mut planted = payload;
        if !planted.is_object() {
            planted = json!({ "data": planted });
        }
        match how {
            0 => planted["name"] = json!(secret),
            1 => planted["note"] = json!({ "deep": [1, { "in": format!("see {secret} there") }] }),
            2 => planted["owner"] = json!(json!({ "full_name": secret }).to_string()),
            3 => planted[&secret] = json!(1),
            _ => planted["items"] = json!([{ "sku": "a", "quantity": 1, &secret: [] }]),
        }
        let ladder = plain(contract, &[]);
        let strict = planted.to_string();
        let texts = [
            strict.clone(),
            format!("```json\n{strict}\n```"),
            strict.replace('"', "'"),
            format!("{{\"name\": \"x\"}} // {secret}"),
            format!("no json, but {secret}"),
        ];
        let mut climbs = vec![go(&ladder, Input::Value(&planted))];
        climbs.extend(texts.iter().map(|text| go(&ladder, Input::Text(text))));
        for climbed in climbs {
            prop_assert_eq!(climbed.report.outcome, LadderOutcome::Rejected);
            prop_assert!(climbed.payload.is_none());
            prop_assert!(climbed.report.findings.iter().any(|finding| finding.rung == Rung::L3 && finding.blocks));
            let report = serde_json::to_string(&climbed.report).unwrap();
            prop_assert!(!report.contains(&secret), "{report}");
        }
    }

    #[test]
    fn any_text_at_all_is_climbed(contract in contract(true), text in "\\PC{0,60}", noise in "[{}\\[\\]\",:'a1 ]{0,40}") {
        let ladder = plain(contract, &[]);
        lawful(&ladder, Input::Text(&text))?;
        lawful(&ladder, Input::Text(&noise))?;
    }
}
