//! Defaults that are held back while the model may have given the value under another name.

use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use serde_json::{Value, json};

fn send(contract: &Value, payload: &Value) -> Climbed {
    let contract: LadderContract = serde_json::from_value(contract.clone()).unwrap();
    let ladder = Ladder::new(contract).unwrap_or_else(|faults| panic!("{faults:?}"));
    climb(&ladder, Input::Value(payload), Phase::StepOutput, &Proposals::default())
}

/// Whether the default for a key was refused, and nothing was said of rules that do not settle.
fn is_held(climbed: &Climbed, key: &str) -> bool {
    let at = format!("/{key}");
    let found = |code: &str| climbed.report.findings.iter().filter(|finding| finding.code == code).count();
    let held = climbed.report.findings.iter().any(|finding| finding.code == "D1770" && finding.pointer == at);
    climbed.report.outcome == LadderOutcome::Rejected && held && found("D1752") == 0
}

#[track_caller]
fn held(contract: &Value, payload: Value, key: &str) -> Climbed {
    let climbed = send(contract, &payload);
    assert!(is_held(&climbed, key), "{payload} {:?} {:#?}", climbed.payload, climbed.report.findings);
    climbed
}

/// One key with a default beside a required id, in an open object and without renames.
fn open(key: &str, schema: Value) -> Value {
    json!({
        "contract": "open",
        "schema": { "type": "object", "required": ["id"],
            "properties": { "id": { "type": "string" }, (key): schema } },
        "defaults": { "from_schema": true },
    })
}

#[track_caller]
fn says(climbed: &Climbed, at: &str) -> (String, String) {
    let finding =
        climbed.report.findings.iter().find(|finding| finding.code == "D1770" && finding.pointer == at).unwrap();
    (finding.message.clone(), finding.help.clone().unwrap())
}

#[test]
fn a_key_of_the_object_above_is_to_be_moved() {
    let contract = json!({
        "contract": "above",
        "schema": { "type": "object", "properties": { "addr": { "type": "object", "properties": {
            "city": { "type": "string" }, "country": { "type": "string", "default": "DE" } } } } },
        "defaults": { "from_schema": true },
    });
    let climbed = held(&contract, json!({ "country": "FR", "addr": { "city": "Lyon" } }), "addr/country");
    let (message, help) = says(&climbed, "/addr/country");
    assert_eq!(message, "`country` is missing, and the one at `/country` may be meant by it");
    assert_eq!(help, "move it to `/addr/country`; no default was put in");
    let climbed = held(&contract, json!({ "addr_country": "FR", "addr": { "city": "Lyon" } }), "addr/country");
    assert_eq!(says(&climbed, "/addr/country").1, "move it to `/addr/country`; no default was put in");
}

#[test]
fn a_key_inside_another_object_is_to_be_moved() {
    let contract = open("currency", json!({ "enum": ["USD", "EUR"], "default": "USD" }));
    let climbed = held(&contract, json!({ "id": "1", "meta": { "currency": "EUR" } }), "currency");
    let (message, help) = says(&climbed, "/currency");
    assert_eq!(message, "`currency` is missing, and the one at `/meta/currency` may be meant by it");
    assert_eq!(help, "move it to `/currency`; no default was put in");
}
