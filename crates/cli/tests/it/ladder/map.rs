//! `deed ladder map`: a document in another vocabulary, and the list of what found no place.

use super::example::{example, fed, turned_down};
use crate::common::Project;
use serde_json::{Value, json};

const MAP: [&str; 6] = ["ladder", "map", "--from", "shop.schema.json", "--to", "invoice.schema.json"];

fn schemas(from: Value, to: Value, document: Value) -> Project {
    let p = Project::bare();
    p.write("from.json", from.to_string());
    p.write("to.json", to.to_string());
    p.write("doc.json", document.to_string());
    p
}

fn map(p: &Project, options: &[&str]) -> (i32, Value) {
    let args = [&["ladder", "map", "--from", "from.json", "--to", "to.json"], options, &["doc.json"]].concat();
    (p.run(&args).code, p.json(&args)["data"].clone())
}

fn object(keys: &[&str], required: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), json!({ "type": "string" }))).collect();
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

#[test]
fn an_order_becomes_an_invoice() {
    let p = example();
    let args = [&MAP[..], &["--synonyms", "shop.synonyms.json", "shop.order.json"]].concat();
    let out = p.ok(&args);
    let invoice = json!({
        "reference": 4711,
        "issued_on": "2026-03-14",
        "currency": "EUR",
        "bill_to": { "email_address": "ada@example.com", "given_name": "Ada" },
        "items": [
            { "article": "TEA-001", "quantity": 2, "price": 650 },
            { "article": "CUP-010", "quantity": 1, "price": 1200 }
        ]
    });
    assert_eq!(serde_json::from_str::<Value>(&out.stdout).unwrap(), invoice);
    assert!(out.stderr.starts_with("8 placed, 1 unplaced, 0 missing\n"), "{}", out.stderr);
    let document = p.json(&args);
    let data = &document["data"];
    assert_eq!((&document["ok"], &data["document"], &data["missing"]), (&json!(true), &invoice, &json!([])));
    let rules: Vec<&str> = data["placed"].as_array().unwrap().iter().map(|p| p["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["synonym", "same_path", "vector", "vector", "synonym", "same_name", "synonym", "synonym"]);
    assert_eq!(data["unplaced"][0]["from"], "/landing_page");
    assert_eq!(data["report"]["outcome"], "accepted");
}

/// Without synonyms less is sure; what a schema requires and nothing was found for is named, and ends with 1.
#[test]
fn what_is_missing() {
    let p = example();
    let out = p.run(&[&MAP[..], &["shop.order.json"]].concat());
    assert_eq!(out.code, 1);
    assert!(out.stderr.contains("/reference is required, and nothing was found for it"), "{}", out.stderr);
    let data = p.json(&[&MAP[..], &["shop.order.json"]].concat());
    assert_eq!((&data["ok"], &data["data"]["missing"][0]), (&json!(false), &json!("/reference")));
}

#[test]
fn every_field_is_accounted_for_once() {
    let p = example();
    for options in [&["shop.order.json"][..], &["--synonyms", "shop.synonyms.json", "shop.order.json"]] {
        let data = p.json(&[&MAP[..], options].concat())["data"].clone();
        let from = |list: &str| -> Vec<String> {
            data[list].as_array().unwrap().iter().map(|f| f["from"].as_str().unwrap().to_owned()).collect()
        };
        let mut all = [from("placed"), from("unplaced")].concat();
        all.sort();
        assert_eq!(
            all,
            [
                "/created_at",
                "/currency",
                "/customer/email",
                "/customer/first_name",
                "/id",
                "/landing_page",
                "/line_items/*/quantity",
                "/line_items/*/sku",
                "/line_items/*/unit_price",
            ]
        );
    }
}

/// Two fields that want one place: neither is chosen.
#[test]
fn nothing_is_guessed() {
    let both = object(&["startDate", "start-date"], &[]);
    let p = schemas(both, object(&["start_date"], &[]), json!({ "startDate": "a", "start-date": "b" }));
    let (code, data) = map(&p, &[]);
    assert_eq!((code, &data["document"], &data["placed"]), (0, &json!({}), &json!([])));
    assert_eq!(data["unplaced"].as_array().unwrap().len(), 2);
    p.write("syn.json", r#"{"/startDate": "/start_date"}"#);
    let (_, data) = map(&p, &["--synonyms", "syn.json"]);
    assert_eq!(data["document"], json!({ "start_date": "a" }));
}

/// A value that does not fit its new place is told by the ladder of the new schema.
#[test]
fn the_new_schema_has_the_last_word() {
    let to = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
    let p = schemas(object(&["n"], &[]), to.clone(), json!({ "n": "12" }));
    let (code, data) = map(&p, &[]);
    assert_eq!((code, &data["document"]), (0, &json!({ "n": 12 })), "what can only mean one thing is put right");
    let p = schemas(object(&["n"], &[]), to, json!({ "n": "twelve" }));
    let (code, data) = map(&p, &[]);
    assert_eq!((code, &data["report"]["findings"][0]["code"]), (1, &json!("D1732")));
}

#[test]
fn a_document_from_standard_input() {
    let p = example();
    let document = std::fs::read(p.path("shop.order.json")).unwrap();
    let out = fed(&p, &[&MAP[..], &["--synonyms", "shop.synonyms.json", "-"]].concat(), document);
    assert_eq!(out.code, 0, "{}", out.stderr);
}

#[test]
fn a_document_that_is_not_of_its_schema() {
    let p = example();
    p.write("other.json", r#"{"id": "x", "customer": {}, "extra": 1}"#);
    let args = [&MAP[1..], &["other.json"]].concat();
    let out = turned_down(&p, &args, 1, "D1764", "the document is not of its own schema");
    assert_eq!(out.stderr.matches("error[D1764]").count(), 4, "all of it is told\n{}", out.stderr);
}

#[test]
fn schemas_that_are_refused() {
    let p = example();
    p.write("remote.json", r#"{"$ref": "https://example.com/a.json"}"#);
    p.write("never.json", "false");
    for (from, to) in [("remote.json", "invoice.schema.json"), ("shop.schema.json", "remote.json")] {
        let args = ["map", "--from", from, "--to", to, "shop.order.json"];
        let out = turned_down(&p, &args, 1, "D1765", "remote_reference");
        assert!(out.stderr.contains("--> remote.json"), "{}", out.stderr);
    }
    turned_down(
        &p,
        &["map", "--from", "shop.schema.json", "--to", "never.json", "shop.order.json"],
        1,
        "D1765",
        "never.json",
    );
}

#[test]
fn synonyms_that_are_not_pairs() {
    let p = example();
    for text in ["[]", "1", r#"{"a": 1}"#, r#"{"a": ["b"]}"#] {
        p.write("syn.json", text);
        let args = [&MAP[1..], &["--synonyms", "syn.json", "shop.order.json"]].concat();
        turned_down(&p, &args, 1, "D1763", "syn.json");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let p = example();
    p.write("cut.json", "{");
    std::fs::File::create(p.path("huge.json")).unwrap().set_len(40 * 1024 * 1024).unwrap();
    for (file, exit, code) in [("nowhere.json", 3, "D0001"), ("cut.json", 1, "D0103"), ("huge.json", 1, "D0101")] {
        turned_down(&p, &[&MAP[1..], &[file]].concat(), exit, code, file);
        turned_down(&p, &[&MAP[1..], &["--synonyms", file, "shop.order.json"]].concat(), exit, code, file);
        for (from, to) in [(file, "invoice.schema.json"), ("shop.schema.json", file)] {
            let args = ["ladder", "map", "--from", from, "--to", to, "shop.order.json"];
            let out = p.run(&args);
            assert!(out.code == exit && out.stdout.is_empty() && out.stderr.contains(file), "{}", out.stderr);
        }
    }
}

/// A synonym that names nothing is misspelt; it is not passed over.
#[test]
fn synonyms_that_name_nothing() {
    let p = example();
    for text in [r#"{"/idd": "/reference"}"#, r#"{"/id": "/refrence"}"#] {
        p.write("syn.json", text);
        let out = p.run(&[&MAP[..], &["--synonyms", "syn.json", "shop.order.json"]].concat());
        let said = out.stderr.contains("idd") || out.stderr.contains("refrence");
        assert!(out.code == 1 && said, "{text}\n{}", out.stderr);
    }
}

/// A document that is a list comes through.
#[test]
fn a_list() {
    let list = json!({ "type": "array", "items": object(&["a"], &[]) });
    let p = schemas(list.clone(), list, json!([{ "a": "x" }]));
    let (code, data) = map(&p, &[]);
    assert!(code == 1 || data["document"] == json!([{ "a": "x" }]), "{data:#}");
}

#[test]
fn a_key_that_is_a_star_is_placed_or_listed() {
    let inner = json!({ "type": "object", "properties": { "*": { "type": "integer" } } });
    let from = json!({ "type": "object", "properties": { "o": inner } });
    let p = schemas(from.clone(), from.clone(), json!({ "o": { "*": 1 } }));
    let (code, data) = map(&p, &[]);
    assert_eq!(
        (code, &data["document"], &data["placed"][0]["from"]),
        (0, &json!({ "o": { "*": 1 } }), &json!("/o/~*"))
    );
    let p = schemas(from, object(&["a"], &[]), json!({ "o": { "*": 1 } }));
    assert_eq!(map(&p, &[]).1["unplaced"][0]["from"], "/o/~*");
}
