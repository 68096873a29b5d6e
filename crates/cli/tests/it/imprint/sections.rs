//! A template in parts: split, filled one by one, joined, lowered.

use super::example::{example, fed, turned_down};
use crate::common::Project;
use serde_json::{Value, json};

const SPINE: &str = r#"{"number": 7, "buyer": "{FILL|section|of:/buyer}", "delivery": "{FILL|section|of:/delivery}"}"#;

/// The order with its parts filled.
fn filled() -> Project {
    let p = example();
    p.write("spine.json", SPINE);
    p.write("buyer.json", r#"{"name": "Ada", "street": "Ring 1", "city": "Ulm", "country": "{OPTIONAL|string}"}"#);
    p.write("delivery.json", r#"{"by": "post", "to": "{FILL|section|of:/delivery/to}"}"#);
    p.write("to.json", r#"{"name": "Bob", "street": "Weg 2", "city": "Bonn"}"#);
    p
}

const JOIN: [&str; 9] = [
    "imprint",
    "join",
    "spine.json",
    "--section",
    "/buyer=buyer.json",
    "--section",
    "/delivery=delivery.json",
    "--section",
    "/delivery/to=to.json",
];

#[test]
fn a_limit_splits() {
    let p = example();
    let document = p.json(&["imprint", "template", "order.schema.json", "--limit", "120"]);
    let parts = document["data"]["parts"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "/buyer", "/delivery", "/delivery/to"]);
    for part in parts {
        assert_eq!(part["oversize"], false);
        assert!(part["tokens"].as_u64().unwrap() <= 120, "{part}");
        let (_, body) = part["text"].as_str().unwrap().split_once('\n').unwrap();
        assert!(serde_json::from_str::<Value>(body).is_ok_and(|body| body.is_object()), "{body}");
    }
    assert!(parts[0]["text"].as_str().unwrap().contains(r#""buyer":"{FILL|section|of:/buyer}""#), "{}", parts[0]);
    let text = p.ok(&["imprint", "template", "order.schema.json", "--limit", "120"]).stdout;
    for name in ["# spine (", "# /buyer (", "# /delivery (", "# /delivery/to ("] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn a_limit_that_is_large_or_too_small() {
    let p = example();
    let parts =
        |limit| p.json(&["imprint", "template", "order.schema.json", "--limit", limit])["data"]["parts"].clone();
    assert_eq!(parts("100000").as_array().unwrap().len(), 1);
    let small = parts("1");
    assert!(small.as_array().unwrap().iter().all(|part| part["oversize"] == true), "{small}");
    let text = p.ok(&["imprint", "template", "order.schema.json", "--limit", "1"]).stdout;
    assert!(text.contains("cannot be split further"), "{text}");
}

#[test]
fn joined_and_lowered() {
    let p = filled();
    let joined = p.ok(&JOIN).stdout;
    let out = fed(&p, &["imprint", "lower", "order.schema.json", "-"], &joined);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let expected = json!({
        "number": 7,
        "buyer": { "name": "Ada", "street": "Ring 1", "city": "Ulm" },
        "delivery": { "by": "post", "to": { "name": "Bob", "street": "Weg 2", "city": "Bonn" } }
    });
    assert_eq!(serde_json::from_str::<Value>(&out.stdout).unwrap(), expected);
    let document = p.json(&JOIN);
    assert_eq!((&document["ok"], &document["data"]["delivery"]["to"]["name"]), (&json!(true), &json!("Bob")));
    let from_stdin = fed(&p, &[&["imprint", "join", "-"], &JOIN[3..]].concat(), SPINE);
    assert_eq!(from_stdin.stdout, joined);
}

/// A section that was not put in is a token that was not filled.
#[test]
fn a_section_that_is_left_out() {
    let p = filled();
    let joined = p.ok(&JOIN[..5]).stdout;
    let out = fed(&p, &["imprint", "lower", "order.schema.json", "-", "--lines"], &joined);
    assert_eq!(out.code, 1);
    assert!(out.stderr.contains("error[D1610] `delivery` is not filled"), "{}", out.stderr);
}

#[test]
fn sections_that_do_not_fit() {
    let p = filled();
    let join = |section| ["join", "spine.json", "--section", section];
    turned_down(&p, &join("/nobody=buyer.json"), 1, "D1637", "`/nobody`");
    turned_down(&p, &join("/a/b/c=buyer.json"), 1, "D1637", "unknown section `/a/b/c`");
    turned_down(&p, &join("/number=buyer.json"), 1, "D1637", "is filled or missing");
    turned_down(&p, &join("/delivery/to=to.json"), 1, "D1637", "`/delivery/to`");
    for bad in ["buyer=buyer.json", "/buyer", ""] {
        turned_down(&p, &join(bad), 2, "D1636", "/its/name=FILE");
    }
    turned_down(&p, &join("/buyer=nowhere.json"), 3, "D0001", "nowhere.json");
    turned_down(&p, &["join", "nowhere.json"], 3, "D0001", "nowhere.json");
    p.write("empty.json", "");
    turned_down(&p, &["join", "empty.json"], 1, "D0103", "empty.json:1:1");
}
