//! Rungs decide only on what later rungs cannot change: defaults wait for names, conditions for values.

use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use serde_json::{Value, json};

fn send(contract: &Value, payload: &Value) -> Climbed {
    let contract: LadderContract = serde_json::from_value(contract.clone()).unwrap();
    let ladder = Ladder::new(contract).unwrap_or_else(|faults| panic!("{faults:?}"));
    climb(&ladder, Input::Value(payload), Phase::StepOutput, &Proposals::default())
}

#[track_caller]
fn accepted(contract: &Value, payload: Value, expected: Value) {
    let climbed = send(contract, &payload);
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{:#?}", climbed.report.findings);
    assert_eq!(climbed.payload, Some(expected));
    let again = send(contract, climbed.payload.as_ref().unwrap());
    assert!(again.report.changes.is_empty(), "{:#?}", again.report.changes);
}

#[track_caller]
fn refused(contract: &Value, payload: Value, code: &str) -> Climbed {
    let climbed = send(contract, &payload);
    assert_eq!(climbed.report.outcome, LadderOutcome::Rejected, "{payload} {:#?}", climbed.payload);
    let found = climbed.report.findings.iter().any(|finding| finding.code == code && finding.blocks);
    assert!(found, "{:#?}", climbed.report.findings);
    climbed
}

fn status(vector: bool) -> Value {
    let mut contract = json!({
        "contract": "demo",
        "schema": {
            "type": "object", "additionalProperties": false, "required": ["id", "status"],
            "properties": {
                "id": { "type": "string" },
                "status": { "enum": ["active", "paused", "archived"], "default": "active" },
                "currency": { "enum": ["EUR", "USD"], "default": "USD" },
            },
        },
        "defaults": { "from_schema": true },
        "allowed_keys": [{ "keys": ["id", "status", "currency"] }],
    });
    if vector {
        contract["vector"] = json!({ "subject": "demo" });
    }
    contract
}

#[test]
fn a_default_does_not_win_over_another_spelling_of_its_key() {
    for key in ["Status", "STATUS"] {
        accepted(
            &status(true),
            json!({ "id": "1", key: "paused" }),
            json!({ "id": "1", "status": "paused", "currency": "USD" }),
        );
    }
    accepted(
        &status(true),
        json!({ "id": "1", "Currency": "EUR" }),
        json!({ "id": "1", "status": "active", "currency": "EUR" }),
    );
}

#[test]
fn a_default_is_refused_while_an_unknown_key_may_be_meant_by_it() {
    for (contract, key) in [
        (status(false), "Status"),
        (status(false), "STATUS"),
        (status(false), "assignment_status"),
        (status(true), "assignment_status"),
        (status(true), "demo_assignment_status"),
    ] {
        let climbed = refused(&contract, json!({ "id": "1", key: "paused" }), "D1770");
        let finding = climbed.report.findings.iter().find(|finding| finding.code == "D1770").unwrap();
        assert_eq!(finding.pointer, "/status");
        assert!(finding.message.contains(key), "{}", finding.message);
    }
}

#[test]
fn an_unrelated_key_keeps_no_default_out() {
    accepted(
        &status(true),
        json!({ "id": "1", "comment": "hello", "history": ["paused", "active"] }),
        json!({ "id": "1", "status": "active", "currency": "USD" }),
    );
}

#[test]
fn a_refused_default_is_not_called_a_rule_that_does_not_settle() {
    for payload in [json!({ "id": "1", "Status": "gone", "note": "x" }), json!({ "id": "1", "Currency": "euro" })] {
        let climbed = refused(&status(true), payload, "D1770");
        assert!(
            climbed.report.findings.iter().all(|finding| finding.code != "D1752"),
            "{:#?}",
            climbed.report.findings
        );
    }
    // A rule that really changes its own result is still found beside a refused default.
    let mut contract = status(true);
    contract["transforms"] =
        json!([{ "id": "more", "at": "/id", "apply": { "set": { "cat": [{ "var": "id" }, "x"] } } }]);
    refused(&contract, json!({ "id": "1", "Status": "gone" }), "D1752");
}

#[test]
fn a_default_in_an_open_object_waits_too() {
    let contract = json!({
        "contract": "open",
        "schema": { "type": "object", "properties": { "items": { "type": "array", "items": {
            "type": "object", "properties": { "currency": { "type": "string", "default": "USD" } } } } } },
        "defaults": { "from_schema": true },
    });
    refused(&contract, json!({ "items": [{ "Currency": "EUR" }] }), "D1770");
    accepted(&contract, json!({ "items": [{}] }), json!({ "items": [{ "currency": "USD" }] }));
}

#[test]
fn defaults_of_the_contract_wait_as_those_of_the_schema_do() {
    let mut contract = status(false);
    contract["defaults"] = json!({ "values": [{ "at": "/status", "value": "archived" }] });
    refused(&contract, json!({ "id": "1", "Status": "paused" }), "D1770");
    contract["modes"] = json!({ "L0d": "report" });
    let climbed = send(&contract, &json!({ "id": "1", "Status": "paused" }));
    assert!(climbed.report.findings.iter().any(|finding| finding.code == "D1770" && !finding.blocks));
}

fn currency() -> Value {
    json!({
        "contract": "currency",
        "schema": { "type": "object", "additionalProperties": false, "required": ["country_code", "currency"],
            "properties": { "country_code": { "type": "string" }, "currency": { "type": "string" } } },
        "defaults": { "values": [
            { "at": "/currency", "value": "EUR", "when": { "==": [{ "var": "country_code" }, "DE"] } },
            { "at": "/currency", "value": "USD" },
        ] },
        "transforms": [{ "id": "upper", "at": "/country_code", "apply": "upper_case" }],
    })
}

#[test]
fn a_conditional_default_sees_transformed_values() {
    accepted(&currency(), json!({ "country_code": "de" }), json!({ "country_code": "DE", "currency": "EUR" }));
    accepted(&currency(), json!({ "country_code": "us" }), json!({ "country_code": "US", "currency": "USD" }));
}

#[test]
fn a_conditional_default_sees_renamed_keys_and_fixed_values() {
    let mut contract = currency();
    contract["vector"] = json!({ "subject": "country" });
    accepted(&contract, json!({ "countryCode": "de" }), json!({ "country_code": "DE", "currency": "EUR" }));
    let mut contract = currency();
    contract["transforms"] = json!([]);
    contract["schema"]["properties"]["country_code"] = json!({ "enum": ["DE", "US"] });
    accepted(&contract, json!({ "country_code": "de" }), json!({ "country_code": "DE", "currency": "EUR" }));
}

#[test]
fn a_conditional_default_is_suggested_from_transformed_values() {
    let mut contract = currency();
    contract["modes"] = json!({ "L0d": "report" });
    let climbed = send(&contract, &json!({ "country_code": "de" }));
    let values: Vec<&Value> = climbed
        .report
        .suggestions
        .iter()
        .filter_map(|change| match &change.patch[0] {
            deed_model::PatchOp::Add { value, .. } => Some(value),
            _ => None,
        })
        .collect();
    assert_eq!(values, [&json!("EUR")]);
}

#[test]
fn a_transform_waits_for_the_names_its_condition_reads() {
    let contract = json!({
        "contract": "weights",
        "schema": { "type": "object", "additionalProperties": false, "required": ["weight", "unit"],
            "properties": { "weight": { "type": "number" }, "unit": { "enum": ["g", "kg"] }, "name": { "type": "string" } } },
        "transforms": [{ "id": "loud", "at": "/name", "apply": "upper_case",
            "when": { "==": [{ "var": "unit" }, "kg"] } }],
        "vector": { "subject": "parcel" },
    });
    accepted(
        &contract,
        json!({ "weight": 1, "Unit": "kg", "name": "tea" }),
        json!({ "weight": 1, "unit": "kg", "name": "TEA" }),
    );
    accepted(
        &contract,
        json!({ "weight": 1, "Unit": "g", "name": "tea" }),
        json!({ "weight": 1, "unit": "g", "name": "tea" }),
    );
}

#[test]
fn a_transform_waits_for_a_default_that_its_condition_reads() {
    let mut contract = currency();
    contract["schema"]["properties"]["name"] = json!({ "type": "string" });
    contract["transforms"] = json!([
        { "id": "upper", "at": "/country_code", "apply": "upper_case" },
        { "id": "loud", "at": "/name", "apply": "upper_case",
          "when": { "==": [{ "var": ["currency", "none"] }, "none"] } },
    ]);
    accepted(
        &contract,
        json!({ "country_code": "de", "name": "tea" }),
        json!({ "country_code": "DE", "name": "tea", "currency": "EUR" }),
    );
}

#[test]
fn a_condition_that_cannot_be_evaluated_names_its_rule() {
    let mut contract = currency();
    contract["transforms"] = json!([{ "id": "loud", "at": "/country_code", "apply": "upper_case",
        "when": { "==": [{ "var": "nothing" }, "x"] } }]);
    let climbed = refused(&contract, json!({ "country_code": "de" }), "D1712");
    let finding = climbed.report.findings.iter().find(|finding| finding.code == "D1712").unwrap();
    assert!(finding.message.contains("transform `loud`"), "{}", finding.message);
}

fn dates(from: Value) -> Value {
    json!({
        "contract": "dates",
        "schema": { "type": "object", "properties": {
            "due": { "type": "string", "format": "date" }, "paid": { "type": "string", "format": "date" } } },
        "transforms": [{ "id": "german", "at": "/due", "apply": { "date": { "from": from } } }],
    })
}

#[test]
fn dates_are_read_only_in_the_formats_that_the_contract_lists() {
    let german = dates(json!(["DD.MM.YYYY"]));
    refused(&german, json!({ "due": "12.13.2026" }), "D1735");
    refused(&german, json!({ "due": "12/13/2026" }), "D1735");
    accepted(&german, json!({ "paid": "12/13/2026" }), json!({ "paid": "2026-12-13" }));
    accepted(&german, json!({ "due": "13.12.2026" }), json!({ "due": "2026-12-13" }));
    accepted(&german, json!({ "paid": "13/12/2026" }), json!({ "paid": "2026-12-13" }));
    for other in ["2026/12/13", "13/12/2026", "13.12.26", "13 December 2026", "May 4, 2026"] {
        refused(&german, json!({ "due": other }), "D1735");
    }
    accepted(&german, json!({ "paid": "May 4, 2026" }), json!({ "paid": "2026-05-04" }));
    let american = dates(json!(["MM/DD/YYYY"]));
    refused(&american, json!({ "due": "13.12.2026" }), "D1735");
    let both = dates(json!(["MM/DD/YYYY", "DD.MM.YYYY"]));
    accepted(&both, json!({ "paid": "12/13/2026" }), json!({ "paid": "2026-12-13" }));
    // Where a place has forms of its own, those of other places are not read there.
    let mut two = dates(json!(["DD.MM.YYYY"]));
    let american = json!({ "id": "american", "at": "/paid", "apply": { "date": { "from": ["MM/DD/YYYY"] } } });
    two["transforms"].as_array_mut().unwrap().push(american);
    refused(&two, json!({ "due": "12/13/2026" }), "D1735");
    refused(&two, json!({ "paid": "13.12.2026" }), "D1735");
}

fn synonyms() -> Value {
    json!({
        "contract": "synonyms",
        "schema": { "type": "object", "additionalProperties": false,
            "properties": { "user_id": { "type": "string" }, "line_1_1": { "type": "string" } } },
        "synonyms": [{ "from": ["customer_id", "clientRef"], "to": "user_id" }, { "from": ["row_1_1"], "to": "line_1_1" }],
    })
}

#[test]
fn synonyms_match_across_case_and_separators() {
    for key in [
        "customer_id",
        "customerId",
        "CustomerID",
        "Customer_ID",
        "customer-id",
        "customer id",
        "CUSTOMER.ID",
        "client_ref",
    ] {
        accepted(&synonyms(), json!({ key: "7" }), json!({ "user_id": "7" }));
    }
    accepted(&synonyms(), json!({ "Row 1-1": "7" }), json!({ "line_1_1": "7" }));
    refused(&synonyms(), json!({ "row_11": "7" }), "D1731");
}

#[test]
fn synonyms_in_two_spellings_are_not_chosen_between() {
    refused(&synonyms(), json!({ "customerId": "7", "customer-id": "8" }), "D1710");
    refused(&synonyms(), json!({ "customerId": "7", "user_id": "8" }), "D1710");
    refused(&synonyms(), json!({ "customerId": "7", "UserId": "8" }), "D1710");
}

#[test]
fn an_exact_synonym_or_known_key_comes_before_another_spelling() {
    let mut contract = synonyms();
    contract["synonyms"] =
        json!([{ "from": ["customer_id"], "to": "user_id" }, { "from": ["customerId"], "to": "line_1_1" }]);
    accepted(&contract, json!({ "customerId": "7" }), json!({ "line_1_1": "7" }));
    accepted(&contract, json!({ "customer_id": "7" }), json!({ "user_id": "7" }));
    refused(&contract, json!({ "CUSTOMER_ID": "7" }), "D1710");
    let mut contract = synonyms();
    contract["schema"]["properties"]["customerId"] = json!({ "type": "string" });
    accepted(&contract, json!({ "customerId": "7" }), json!({ "customerId": "7" }));
}

#[test]
fn the_guard_expects_personal_data_under_every_spelling_of_a_synonym() {
    let contract = json!({
        "contract": "mail",
        "schema": { "type": "object", "properties": { "email": { "type": "string" } } },
        "guard": { "personal": ["email"], "allow": [{ "at": "/email", "class": "email" }] },
        "synonyms": [{ "from": ["mail_address"], "to": "email" }],
    });
    let address = format!("ada@{}.org", "lovelace");
    accepted(&contract, json!({ "mailAddress": address.clone() }), json!({ "email": address }));
}

#[test]
fn a_name_that_differs_from_a_taken_one_in_case_alone_is_named_so() {
    let climbed = send(&status(true), &json!({ "id": "1", "status": "active", "Status": "paused" }));
    let finding = climbed.report.findings.iter().find(|finding| finding.pointer == "/Status").unwrap();
    assert_eq!(finding.code, "D1716");
    assert!(finding.message.contains("`status`") && !finding.message.contains("near to none"), "{}", finding.message);
}
