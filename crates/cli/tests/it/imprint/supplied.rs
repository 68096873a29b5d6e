//! Values that the system supplies, and values that are sent as text.

use super::example::{example, finding, findings, lowered, schema, turned_down, with};
use serde_json::json;

const TICKET: &str = r#"{"subject": "x", "priority": "low", "customer": {"email": "ada@example.com"}}"#;

#[test]
fn a_value_is_put_in_whether_its_token_was_left_or_its_key_left_out() {
    let p = example();
    let args = ["ticket.schema.json", "--auto", "ticket.auto.json"];
    for filled in
        [TICKET.to_owned(), TICKET.replace("{\"subject", "{\"id\": \"{AUTO|string|format:uuid|required}\", \"subject")]
    {
        let payload = lowered(&p, &args, &filled);
        assert_eq!(payload["id"], "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11");
    }
}

#[test]
fn a_value_that_is_not_supplied_or_not_theirs() {
    let p = example();
    let left = TICKET.replace("{\"subject", "{\"id\": \"{AUTO|string}\", \"subject");
    finding(&p, &["ticket.schema.json"], &left, "1:1", "D1612", "`id` is for the system to supply");
    let made_up = TICKET.replace("{\"subject", "{\"id\": \"0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11\", \"subject");
    finding(&p, &["ticket.schema.json", "--auto", "ticket.auto.json"], &made_up, "1:8", "D1611", "the system supplies");
}

#[test]
fn values_for_other_places() {
    let p =
        with("auto.json", r#"{"/id": "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11", "/subject": "y", "/nope": 1, "id": 2}"#);
    let found = findings(&p, &["ticket.schema.json", "--auto", "auto.json"], TICKET);
    assert_eq!(found.len(), 3, "{found:?}");
    for place in ["`/subject`", "`/nope`", "`id`"] {
        assert!(found.iter().any(|line| line.contains("error[D1613]") && line.contains(place)), "{place}: {found:?}");
    }
    p.write("bad.json", r#"{"/id": "17"}"#);
    finding(&p, &["ticket.schema.json", "--auto", "bad.json"], TICKET, "1:1", "D1625", "`uuid`");
}

#[test]
fn values_within_a_list() {
    let p = schema(
        r#"{"type": "object", "properties": {"list": {"type": "array", "items": {"type": "object", "required": ["id", "t"],
            "properties": {"id": {"type": "integer", "readOnly": true}, "t": {"type": "string"}}}}}}"#,
    );
    p.write("auto.json", r#"{"/list/0/id": 1, "/list/1/id": 2}"#);
    let payload = lowered(
        &p,
        &["s.json", "--auto", "auto.json"],
        r#"{"list": [{"id": "{AUTO|integer}", "t": "a"}, {"t": "b"}]}"#,
    );
    assert_eq!(payload, json!({ "list": [{ "id": 1, "t": "a" }, { "id": 2, "t": "b" }] }));
}

#[test]
fn files_of_supplied_values() {
    let p = with("list.json", r#"["t_17"]"#);
    let lower = |auto| ["lower", "ticket.schema.json", "ticket.filled.json", "--auto", auto];
    turned_down(&p, &lower("list.json"), 1, "D1635", "from JSON pointer to value");
    turned_down(&p, &lower("nowhere.json"), 3, "D0001", "nowhere.json");
    p.write("twice.json", r#"{"/id": "a", "/id": "b"}"#);
    turned_down(&p, &lower("twice.json"), 1, "D0104", "twice.json:1:14");
}

/// The inner schema judges what becomes text, and the text is canonical.
#[test]
fn what_goes_as_text_is_judged_first() {
    let p = example();
    let args = ["ticket.schema.json", "--auto", "ticket.auto.json"];
    let with_context = |context: &str| TICKET.replace("{\"subject", &format!("{{\"context\": {context}, \"subject"));
    let payload = lowered(&p, &args, &with_context(r#"{"page": "/a", "errors": 1.0}"#));
    assert_eq!(payload["context"], r#"{"errors":1,"page":"/a"}"#);
    // Text that is text already is left as it is.
    let payload = lowered(&p, &args, &with_context(r#""{ \"page\": \"/a\" }""#));
    assert_eq!(payload["context"], r#"{ "page": "/a" }"#);
    finding(&p, &args, &with_context(r#"{"page": 1}"#), "1:22", "D1622", "`page` must be a string");
    finding(&p, &args, &with_context(r#"{"errors": 2}"#), "1:2", "D1620", "needs `page`");
}

/// The caller's word makes text of a place that the schema calls an object.
#[test]
fn places_that_the_caller_wants_as_text() {
    let p = example();
    let args = ["ticket.schema.json", "--auto", "ticket.auto.json", "--serialize", "/customer", "--serialize", "/tags"];
    let payload = lowered(&p, &args, &TICKET.replace("{\"subject", "{\"tags\": [\"a\", \"b\"], \"subject"));
    assert_eq!(payload["customer"], r#"{"email":"ada@example.com"}"#);
    assert_eq!(payload["tags"], r#"["a","b"]"#);
    // It is judged as the object it is.
    finding(&p, &args, &TICKET.replace("ada@example.com", "ada"), "1:59", "D1625", "`email`");
}
