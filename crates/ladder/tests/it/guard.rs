//! The guard: what it stops it names by class and place, at the entry and over the result, and never repeats.

use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderOutcome, Phase, Proposals, Rung, RungStatus};
use serde_json::{Value, json};

fn secret() -> String {
    let sample = deed_detect::sample("stripe-key", 3).unwrap();
    sample.text[sample.secret].to_owned()
}

fn go(extra: Value, input: Input<'_>) -> Climbed {
    let mut contract = json!({ "contract": "guard", "schema": { "type": "object" }, "patch": {} });
    contract.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let ladder = Ladder::new(serde_json::from_value(contract).unwrap()).unwrap();
    climb(&ladder, input, Phase::FinalOutput, &Proposals::default())
}

/// What the guard says: codes and places.
fn said(climbed: &Climbed) -> Vec<(&str, &str)> {
    let guard = climbed.report.findings.iter().filter(|finding| finding.rung == Rung::L3);
    guard.map(|finding| (finding.code.as_str(), finding.pointer.as_str())).collect()
}

fn text(climbed: &Climbed) -> String {
    serde_json::to_string(&climbed.report).unwrap()
}

#[test]
fn every_secret_rule_is_stopped_and_never_repeated() {
    let mut missed = Vec::new();
    for rule in deed_detect::rules() {
        let sample = deed_detect::sample(rule.id(), 5).unwrap();
        let secret = &sample.text[sample.secret.clone()];
        let climbed = go(json!({}), Input::Value(&json!({ "note": sample.text })));
        if climbed.report.outcome == LadderOutcome::Accepted || text(&climbed).contains(secret) {
            missed.push(rule.id().to_owned());
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn every_class_of_personal_data_is_named_and_never_repeated() {
    let samples = [
        ("credit_card", "4111 1111 1111 1111"),
        ("email", "jane@acme.io"),
        ("phone", "+14155552671"),
        ("iban", "DE89 3704 0044 0532 0130 00"),
        ("ssn", "536-22-1847"),
        ("pan", "ABCPD1234E"),
        ("aadhaar", "2341 2341 2346"),
    ];
    for (class, value) in samples {
        let payload = json!({ "a": [{ "b": format!("see {value} there") }] });
        let climbed = go(json!({ "guard": { "personal": [class] } }), Input::Value(&payload));
        assert_eq!(said(&climbed), [("D1702", "/a/0/b")], "{class}");
        assert_eq!(climbed.report.findings[0].rule.as_deref(), Some(class));
        assert!(!text(&climbed).contains(value) && climbed.payload.is_none(), "{class}");
        // Not sought, not found.
        let other = go(json!({ "guard": { "personal": [] } }), Input::Value(&payload));
        assert_eq!(other.report.outcome, LadderOutcome::Accepted, "{class}");
    }
}

#[test]
fn a_place_is_allowed_for_its_class_alone() {
    let guard = json!({ "guard": {
        "personal": ["email", "phone"],
        "allow": [{ "at": "/people/*/mail", "class": "email" }, { "at": "", "class": "email" }],
    } });
    let both = json!({ "people": [{ "mail": "a@acme.io" }, { "mail": "+14155552671" }, { "fax": "b@acme.io" }] });
    let climbed = go(guard, Input::Value(&both));
    assert_eq!(said(&climbed), [("D1702", "/people/1/mail"), ("D1702", "/people/2/fax")]);
}

#[test]
fn keys_are_looked_at_too() {
    let climbed = go(json!({}), Input::Value(&json!({ "outer": { secret(): 1 } })));
    assert_eq!(said(&climbed), [("D1701", "/outer")]);
    assert!(!text(&climbed).contains(&secret()));
}

#[test]
fn a_value_is_read_with_its_key() {
    let guard = json!({ "guard": { "personal": ["phone"] } });
    let climbed = go(guard.clone(), Input::Value(&json!({ "phone": "4155552671" })));
    assert_eq!(said(&climbed), [("D1702", "/phone")]);
    let climbed = go(guard, Input::Value(&json!({ "ticket": "4155552671" })));
    assert_eq!(said(&climbed), []);
}

#[test]
fn escapes_hide_nothing() {
    let hidden: String = secret().chars().map(|c| format!("\\u{:04X}", u32::from(c))).collect();
    for text in [format!("{{\"a\": \"{hidden}\"}}"), format!("{{'a': '{hidden}',}}")] {
        let climbed = go(json!({}), Input::Text(&text));
        assert_eq!(said(&climbed), [("D1701", "/a")], "{text}");
    }
}

#[test]
fn text_around_the_payload_is_looked_at() {
    let secret = secret();
    for text in [
        format!("My key is {secret}.\n{{\"a\": 1}}"),
        format!("{{\"a\": 1}}\nP.S. {secret}"),
        format!("{{\"a\": 1 /* {secret} */}}"),
        format!("<think>{secret}</think>{{\"a\": 1}}"),
        format!("```json {secret}\n{{\"a\": 1}}\n```"),
    ] {
        let climbed = go(json!({}), Input::Text(&text));
        assert_eq!(climbed.report.outcome, LadderOutcome::Rejected, "{text}");
        assert!(said(&climbed).iter().all(|(code, _)| *code == "D1701") && !said(&climbed).is_empty(), "{text}");
        assert_eq!((climbed.payload, climbed.report.changes.len()), (None, 0));
    }
}

#[test]
fn forbidden_content_is_told_from_personal_data() {
    let guard = json!({ "guard": { "forbidden": [{ "id": "codename", "pattern": "(?i)falcon-(?P<value>\\d+)" }] } });
    let climbed = go(guard, Input::Value(&json!({ "a": "Falcon-12", "b": "falcon" })));
    assert_eq!(said(&climbed), [("D1703", "/a")]);
    assert!(!text(&climbed).contains("alcon-12"));
}

#[test]
fn the_guard_stops_the_climb_before_any_rung() {
    let climbed = go(json!({}), Input::Value(&json!({ "a": secret() })));
    let statuses: Vec<RungStatus> = climbed.report.rungs.iter().map(|record| record.status).collect();
    assert_eq!(statuses[0], RungStatus::Stopped);
    assert!(statuses[1..].iter().all(|status| *status == RungStatus::NotReached), "{statuses:?}");
    assert_eq!(climbed.report.output_hash, None);
}

#[test]
fn what_rungs_bring_in_is_stopped_at_the_end() {
    let brought = json!({ "defaults": { "values": [{ "at": "/key", "value": secret() }] } });
    let climbed = go(brought, Input::Value(&json!({ "a": 1 })));
    assert_eq!(said(&climbed), [("D1701", "/key")]);
    assert_eq!((climbed.payload, climbed.report.output_hash), (None, None));
    assert_eq!(climbed.report.rungs.last().unwrap().status, RungStatus::Stopped);
}

#[test]
fn a_place_that_is_flagged_is_told_once() {
    let loose = json!({
        "modes": { "L3": "report" },
        "defaults": { "values": [{ "at": "/b", "value": 1 }] },
    });
    let climbed = go(loose, Input::Value(&json!({ "a": secret() })));
    assert_eq!(said(&climbed), [("D1701", "/a")]);
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted);
}

#[test]
fn in_mode_report_no_message_repeats_what_was_flagged() {
    let value = secret();
    let loose = json!({
        "modes": { "L3": "report" },
        "schema": {
            "type": "object",
            "properties": { "kind": { "enum": ["x", "y"] }, "on": { "type": "string", "format": "date" }, "n": { "type": "number" } },
        },
    });
    for key in ["kind", "on", "n"] {
        let climbed = go(loose.clone(), Input::Value(&json!({ key: value })));
        assert_eq!(climbed.report.outcome, LadderOutcome::Rejected, "{key}");
        assert!(!text(&climbed).contains(&value), "{key}: {}", text(&climbed));
    }
}

#[test]
fn what_is_stopped_at_the_end_is_not_repeated_by_the_changes() {
    let brought = json!({ "defaults": { "values": [{ "at": "/key", "value": secret() }] } });
    let climbed = go(brought, Input::Value(&json!({ "a": 1 })));
    assert!(!text(&climbed).contains(&secret()));
}

#[test]
fn a_secret_key_is_not_repeated_by_the_pointers_beneath_it() {
    let climbed = go(json!({}), Input::Value(&json!({ secret(): { "x": secret() } })));
    assert!(!text(&climbed).contains(&secret()));
}

#[test]
fn in_mode_report_a_repaired_text_is_not_repeated() {
    let climbed = go(json!({ "modes": { "L3": "report" } }), Input::Text(&format!("{{'a': '{}'}}", secret())));
    assert!(!text(&climbed).contains(&secret()));
    let around = format!("my key is {} and here you are: {{\"a\": 1}}", secret());
    let climbed = go(json!({ "modes": { "L3": "report" } }), Input::Text(&around));
    assert!(!text(&climbed).contains(&secret()), "{}", text(&climbed));
}

#[test]
fn a_flagged_place_holds_itself_alone() {
    let loose = json!({
        "modes": { "L3": "report" },
        "transforms": [{ "id": "up", "at": "/ab", "apply": "upper_case" }],
    });
    let climbed = go(loose, Input::Value(&json!({ "a": secret(), "ab": "x" })));
    assert_eq!(climbed.payload.unwrap()["ab"], json!("X"));
}

#[test]
fn a_flagged_place_does_not_unsettle_the_result() {
    let loose = json!({
        "modes": { "L3": "report" },
        "transforms": [{ "id": "up", "at": "/*", "apply": "upper_case" }],
    });
    let climbed = go(loose, Input::Value(&json!({ "b": secret(), "c": "x" })));
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted);
}

#[test]
fn what_is_allowed_is_allowed_under_names_that_mean_the_same() {
    let rules = json!({
        "guard": { "personal": ["email"], "allow": [{ "at": "/customer/email", "class": "email" }] },
        "synonyms": [{ "from": ["client"], "to": "customer" }, { "at": "**", "from": ["mail"], "to": "email" }],
    });
    let climbed = go(rules.clone(), Input::Value(&json!({ "client": { "mail": "jane@acme.io" } })));
    assert_eq!(climbed.payload, Some(json!({ "customer": { "email": "jane@acme.io" } })));
    let climbed = go(rules, Input::Value(&json!({ "client": { "other": "jane@acme.io" } })));
    assert_eq!(said(&climbed), [("D1702", "/client/other")]);
}

#[test]
fn a_name_is_put_right_before_its_value() {
    let contract = json!({
        "schema": { "type": "object", "properties": { "total_amount": { "type": "integer" } }, "required": ["total_amount"], "additionalProperties": false },
        "vector": {},
    });
    let climbed = go(contract.clone(), Input::Value(&json!({ "totalAmount": "12" })));
    assert_eq!(climbed.payload, Some(json!({ "total_amount": 12 })), "{}", text(&climbed));
    let climbed = go(contract, Input::Value(&json!({ "totalAmount": "twelve" })));
    assert_eq!(climbed.payload, Some(json!({ "totalAmount": "twelve" })));
}
