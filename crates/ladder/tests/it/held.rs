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

#[track_caller]
fn accepted(contract: &Value, payload: Value, expected: Value) {
    let climbed = send(contract, &payload);
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{payload} {:#?}", climbed.report.findings);
    assert_eq!(climbed.payload, Some(expected));
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

/// The same in a closed object whose other keys are stripped, with renames.
fn closed(key: &str, schema: Value) -> Value {
    let mut contract = open(key, schema);
    contract["schema"]["additionalProperties"] = json!(false);
    contract["vector"] = json!({ "subject": "d4" });
    contract["allowed_keys"] = json!([{ "keys": ["id", key] }]);
    contract
}

fn limit() -> Value {
    json!({
        "contract": "d4",
        "schema": {
            "type": "object", "additionalProperties": false, "required": ["id", "limit"],
            "properties": {
                "id": { "type": "string" },
                "limit": { "type": "integer", "default": 10 },
                "currency": { "enum": ["USD", "EUR"], "default": "USD" },
            },
        },
        "defaults": { "from_schema": true },
        "vector": { "subject": "d4" },
        "allowed_keys": [{ "keys": ["id", "limit", "currency"] }],
    })
}

#[test]
fn a_default_does_not_win_over_a_value_that_does_not_fit() {
    for (key, payload) in [
        ("limit", json!({ "id": "1", "limit_": "five" })),
        ("limit", json!({ "id": "1", "lim": "about five" })),
        ("limit", json!({ "id": "1", "Limit": "five" })),
        ("currency", json!({ "id": "1", "cur": "euro" })),
        ("currency", json!({ "id": "1", "Currency": "euro" })),
        ("currency", json!({ "id": "1", "currencies": ["EUR", "USD"] })),
    ] {
        held(&limit(), payload, key);
    }
    for payload in [json!({ "id": "1", "lim": "5" }), json!({ "id": "1", "currencies": ["EUR"] })] {
        let climbed = send(&limit(), &payload);
        let is_default = |payload: &Value| payload["limit"] == 10 && payload["currency"] == "USD";
        let silent =
            climbed.report.outcome == LadderOutcome::Accepted && climbed.payload.as_ref().is_some_and(is_default);
        assert!(!silent, "{payload}");
    }
}

/// Every key with a default, and names under which a model may have given its value.
fn spellings() -> Vec<(&'static str, Value, &'static [&'static str])> {
    vec![
        (
            "limit",
            json!({ "type": "integer", "default": 10 }),
            &[
                "limit_",
                "_limit",
                "limit:",
                "limit ",
                "limit?",
                "$limit",
                "limit[]",
                "limit()",
                "lim",
                "lmt",
                "l",
                "limits",
                "limt",
                "lmiit",
                "l1mit",
                "límite",
                "ｌｉｍｉｔ",
                "max_limit",
                "limitValue",
                "pageLimit",
                "page-limit",
                "rowlimit",
                "limit_of_rows",
                "lim_val",
                "query.limit",
                "limited",
                "limitation",
                "limit2",
                "MAXLIMIT",
                "x-limit",
                "the limit",
                "límits",
                "Grenze für limit",
            ],
        ),
        (
            "currency",
            json!({ "enum": ["USD", "EUR"], "default": "USD" }),
            &[
                "cur",
                "curr",
                "ccy",
                "crncy",
                "currencies",
                "Currencies",
                "currency_code",
                "currencyISO",
                "curency",
                "currencie",
                "currency.",
                "curren-cy",
                "cur_code",
                "сurrency",
                "crrncy",
                "currncy",
                "CurrencyUnit",
                "Währung",
            ],
        ),
        (
            "ship_on",
            json!({ "type": "string", "format": "date", "default": "2026-01-01" }),
            &[
                "ship",
                "shipOn",
                "shipon",
                "ship_date",
                "shipped_on",
                "shipping",
                "shipped",
                "ship_at",
                "shipment_date",
                "dispatch_date",
                "on",
                "date",
                "shp_on",
            ],
        ),
        (
            "tags",
            json!({ "type": "array", "items": { "type": "integer" }, "default": [] }),
            &[
                "labels",
                "label",
                "keywords",
                "keyword",
                "tag",
                "tag_list",
                "tagList",
                "tagz",
                "taglist",
                "Tags_",
                "item_tags",
            ],
        ),
        (
            "customer_name",
            json!({ "type": "integer", "default": 0 }),
            &["name", "customer", "cust_name", "client", "clientName", "customers", "nameOfCustomer", "cname", "cn"],
        ),
        (
            "date_of_birth",
            json!({ "type": "integer", "default": 0 }),
            &["dob", "birthday", "birth_date", "born", "birth", "bday", "dateofbirth"],
        ),
        (
            "quantity",
            json!({ "type": "integer", "minimum": 100, "default": 100 }),
            &["qty", "quant", "count", "cnt", "quantities", "quantiy", "num_quantity", "qnty", "qtty"],
        ),
        (
            "status",
            json!({ "enum": [1, 2], "default": 1 }),
            &["stat", "state", "sts", "statuses", "status_text", "order_status", "stauts", "status_history"],
        ),
        ("qty", json!({ "type": "integer", "default": 1 }), &["quantity", "quantities", "Qty.", "qtys", "item_qty"]),
        ("enabled", json!({ "type": "integer", "default": 1 }), &["enable", "is_enabled", "enabling", "isEnabled"]),
        ("q", json!({ "type": "integer", "default": 1 }), &["query", "Q_", "q1"]),
        (
            "description",
            json!({ "type": "integer", "default": 1 }),
            &["desc", "descr", "summary", "dscrptn", "describe"],
        ),
        ("colour", json!({ "type": "integer", "default": 1 }), &["color", "colors", "clr", "colour_name", "col"]),
        ("email", json!({ "type": "integer", "default": 1 }), &["e-mail", "mail", "e_mail_address", "emails"]),
        ("timeout_seconds", json!({ "type": "integer", "default": 1 }), &["timeout", "secs", "time_out", "timeoutSec"]),
        ("max_results", json!({ "type": "boolean", "default": true }), &["maximum", "results", "result_max", "mx_res"]),
    ]
}

#[test]
fn a_default_is_held_under_every_spelling_of_its_key_and_with_any_value() {
    let mut silent = Vec::new();
    for (key, schema, names) in spellings() {
        let default = schema["default"].clone();
        for name in names {
            for value in [json!("nothing like it"), json!(["a", "b"]), json!({ "v": "x" }), Value::Null] {
                let payload = json!({ "id": "1", (*name): value });
                if !is_held(&send(&open(key, schema.clone()), &payload), key) {
                    silent.push(format!("open {key}: {payload}"));
                }
                let climbed = send(&closed(key, schema.clone()), &payload);
                let same = climbed.payload.as_ref().is_some_and(|payload| payload[key] == default);
                if same || climbed.report.findings.iter().any(|finding| finding.code == "D1752") {
                    silent.push(format!("closed {key}: {payload}"));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn a_default_is_held_while_the_remark_on_a_near_key_asks_for_it() {
    let mut contract = open("currency", json!({ "enum": ["USD", "EUR"], "default": "USD" }));
    contract["schema"]["required"] = json!(["id", "currency"]);
    held(&contract, json!({ "id": "1", "currencies": ["EUR"] }), "currency");
}

#[test]
fn a_default_is_held_while_a_key_is_near_a_listed_synonym_or_alias() {
    let mut contract = open("limit", json!({ "type": "integer", "default": 10 }));
    contract["synonyms"] = json!([{ "from": ["page_size"], "to": "limit" }]);
    held(&contract, json!({ "id": "1", "pagesizes": "five" }), "limit");
    held(&contract, json!({ "id": "1", "size": "five" }), "limit");
    let mut contract = open("limit", json!({ "type": "integer", "default": 10 }));
    contract["vector"] = json!({ "vocabulary": [{ "name": "limit", "aliases": ["page_size"] }] });
    held(&contract, json!({ "id": "1", "pagesizes": "five" }), "limit");
}

#[test]
fn a_default_is_held_where_one_value_of_its_list_stands_under_any_name() {
    let contract = open("currency", json!({ "enum": ["USD", "EUR"], "default": "USD" }));
    held(&contract, json!({ "id": "1", "devise": ["EUR"] }), "currency");
    held(&contract, json!({ "id": "1", "devise": "euro" }), "currency");
}

#[test]
fn a_key_that_is_something_else_keeps_no_default_out() {
    for name in ["note", "memo", "author", "comment", "zzz", "", "_", "reason", "subject", "summary"] {
        for value in [json!("hello there"), json!(["a", "b"]), json!({ "v": "x" }), Value::Null] {
            let contract = open("limit", json!({ "type": "integer", "default": 10 }));
            accepted(&contract, json!({ "id": "1", (name): value }), json!({ "id": "1", (name): value, "limit": 10 }));
        }
    }
    for name in ["note", "memo", "author", "zzz", "reason"] {
        let contract = closed("currency", json!({ "enum": ["USD", "EUR"], "default": "USD" }));
        accepted(&contract, json!({ "id": "1", (name): "hello" }), json!({ "id": "1", "currency": "USD" }));
        let contract = closed("ship_on", json!({ "type": "string", "default": "2026-01-01" }));
        accepted(&contract, json!({ "id": "1", (name): ["a", "b"] }), json!({ "id": "1", "ship_on": "2026-01-01" }));
    }
}

#[track_caller]
fn says(climbed: &Climbed, at: &str) -> (String, String) {
    let finding =
        climbed.report.findings.iter().find(|finding| finding.code == "D1770" && finding.pointer == at).unwrap();
    (finding.message.clone(), finding.help.clone().unwrap())
}

#[test]
fn a_key_beside_the_missing_one_is_to_be_renamed() {
    let climbed = held(&limit(), json!({ "id": "1", "limit_": "five" }), "limit");
    let (message, help) = says(&climbed, "/limit");
    assert_eq!(message, "`limit` is missing, and `limit_` may be meant by it");
    assert_eq!(help, "rename it to `limit`, or list it as a synonym; no default was put in");
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
fn another_name_in_the_object_above_keeps_a_default_out() {
    let contract = json!({
        "contract": "above",
        "schema": { "type": "object", "properties": {
            "name": { "type": "string" },
            "addr": { "type": "object", "properties": {
                "city": { "type": "string" },
                "country": { "type": "string", "default": "DE" },
                "floor": { "type": "integer", "default": 0 },
                "kind": { "enum": ["home", "office"], "default": "home" } } } } },
        "defaults": { "from_schema": true },
    });
    for (name, value, key) in [
        ("land", json!("FR"), "country"),
        ("flor", json!(3), "floor"),
        ("place", json!("office"), "kind"),
        ("is_office", json!(true), "kind"),
        ("note", json!("kind=office"), "kind"),
    ] {
        let climbed = held(
            &contract,
            json!({ "name": "Ana", "addr": { "city": "Lyon" }, (name): value }),
            &format!("addr/{key}"),
        );
        let (message, help) = says(&climbed, &format!("/addr/{key}"));
        assert_eq!(message, format!("`{key}` is missing, and the one at `/{name}` may be meant by it"));
        assert_eq!(help, format!("move it to `/addr/{key}`; no default was put in"));
    }
    // Too far off to be meant: neither name nor value says so.
    let full = |extra: serde_json::Value| json!({ "name": "Ana", "addr": { "city": "Lyon", "country": "DE", "floor": 0, "kind": "home" }, "age": extra });
    accepted(&contract, json!({ "name": "Ana", "addr": { "city": "Lyon" }, "age": 41 }), full(json!(41)));
    accepted(&contract, json!({ "name": "Ana", "addr": { "city": "Lyon" }, "age": "old" }), full(json!("old")));
}

#[test]
fn a_key_inside_another_object_is_to_be_moved() {
    let contract = open("currency", json!({ "enum": ["USD", "EUR"], "default": "USD" }));
    let climbed = held(&contract, json!({ "id": "1", "meta": { "currency": "EUR" } }), "currency");
    let (message, help) = says(&climbed, "/currency");
    assert_eq!(message, "`currency` is missing, and the one at `/meta/currency` may be meant by it");
    assert_eq!(help, "move it to `/currency`; no default was put in");
    let climbed = held(&contract, json!({ "id": "1", "meta": [{ "more": { "Currency_": "EUR" } }] }), "currency");
    assert!(says(&climbed, "/currency").0.contains("`/meta/0/more/Currency_`"));
    let climbed = held(&contract, json!({ "id": "1", "cur": "euro", "meta": { "currency": "EUR" } }), "currency");
    let (message, help) = says(&climbed, "/currency");
    assert_eq!(message, "`currency` is missing, and `cur` or the one at `/meta/currency` may be meant by it");
    assert_eq!(help, "rename or move one of them to `/currency`; no default was put in");
}
