//! A payload becomes what a model would have to write to mean it, and comes back byte for byte.

use super::example::{example, fed, lowered, schema, turned_down, with};
use crate::common::Project;
use serde_json::{Value, json};

#[track_caller]
fn filled(p: &Project, args: &[&str], payload: &str) -> Value {
    let out = fed(p, &[&["imprint", "fill"], args, &["-", "--json"]].concat(), payload);
    assert_eq!(out.code, 0, "{payload}\n{}", out.stderr);
    serde_json::from_str(&out.stdout).unwrap()
}

#[test]
fn there_and_back() {
    let p = example();
    let payload = json!({
        "id": "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11",
        "subject": "{FILL|string} is what the page says",
        "priority": "low",
        "customer": { "email": "ada@example.com" },
        "context": "{\"errors\":3,\"page\":\"\\\\{KEY}\"}"
    });
    let document = filled(&p, &["ticket.schema.json"], &payload.to_string());
    let data = &document["data"];
    assert_eq!(data["filled"]["subject"], "\\{FILL|string} is what the page says");
    assert_eq!(data["filled"]["context"]["errors"], 3);
    assert!(data["filled"]["id"].as_str().unwrap().starts_with("{AUTO|"));
    assert_eq!(data["supplied"], json!({ "/id": "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11" }));
    p.write("supplied.json", data["supplied"].to_string());
    let back = lowered(&p, &["ticket.schema.json", "--auto", "supplied.json"], &data["filled"].to_string());
    assert_eq!(back, payload);
}

#[test]
fn text_that_is_not_canonical_stays_text() {
    let p = example();
    let document = filled(&p, &["ticket.schema.json"], r#"{"context": "{ \"page\": 1 }"}"#);
    assert_eq!(document["data"]["filled"]["context"], "{ \"page\": 1 }");
}

#[test]
fn what_the_system_supplies_is_said() {
    let p = with("payload.json", r#"{"id": "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11"}"#);
    let out = p.ok(&["imprint", "fill", "ticket.schema.json", "payload.json"]);
    assert!(out.stderr.contains("to be supplied by the system: /id"), "{}", out.stderr);
    assert!(serde_json::from_str::<Value>(&out.stdout).unwrap()["id"].as_str().unwrap().starts_with("{AUTO|"));
}

#[test]
fn requests_and_places_of_the_callers() {
    let p = example();
    let payload = r#"{"body": {"file": "aGk=", "about": "{\"pages\":2,\"title\":\"Invoice\"}"}}"#;
    let document = filled(&p, &["desk.openapi.yaml", "--operation", "uploadFile"], payload);
    assert_eq!(document["data"]["filled"]["body"]["about"], json!({ "pages": 2, "title": "Invoice" }));
    let plain = schema(r#"{"type": "object"}"#);
    let document = filled(&plain, &["s.json", "--serialize", "/a"], r#"{"a": "[1,2]", "b": "[1,2]"}"#);
    assert_eq!(document["data"]["filled"], json!({ "a": [1, 2], "b": "[1,2]" }));
}

#[test]
fn payloads_that_cannot_be_read() {
    let p = with("huge.json", r#"{"subject": 9007199254740993}"#);
    p.write("twice.json", r#"{"subject": "a", "subject": "b"}"#);
    p.write("bytes.json", [0xff, 0x00]);
    std::fs::create_dir(p.path("folder")).unwrap();
    let fill = |payload| ["fill", "ticket.schema.json", payload];
    turned_down(&p, &fill("huge.json"), 1, "D0105", "huge.json:1:13");
    turned_down(&p, &fill("twice.json"), 1, "D0104", "twice.json:1:18");
    turned_down(&p, &fill("bytes.json"), 1, "D0102", "UTF-8");
    turned_down(&p, &fill("folder"), 3, "D0001", "it is a folder");
    turned_down(&p, &fill("nowhere.json"), 3, "D0001", "nowhere.json");
}
