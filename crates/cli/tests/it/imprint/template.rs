//! Templates of schemas.

use super::example::{example, schema, skeleton, with};
use serde_json::json;

#[test]
fn every_place_has_its_token() {
    let p = example();
    let shown = skeleton(&p, &["ticket.schema.json"]);
    let expected = json!({
        "customer": { "email": "{FILL|string|format:email}", "company": "{OPTIONAL|string|nullable}" },
        "priority": "{FILL_ENUM|low|normal|high}",
        "subject": "{FILL|string|length:1-80} One line, as the customer would say it",
        "context": {
            "{SERIALIZED|optional} What the app knew": {
                "//": "{FILL|open}",
                "page": "{FILL|string}",
                "errors": "{OPTIONAL|integer|range:0-}"
            }
        },
        "seats": "{OPTIONAL|integer|range:1-500|default:1}",
        "tags": ["{OPTIONAL|string|pattern:lowercase|items:0-5|unique}"],
        "id": "{AUTO|string|format:uuid|required}"
    });
    assert_eq!(shown, expected);
}

/// Head, one line of JSON; the same document with and without head and indentation.
#[test]
fn head_skeleton_and_indentation() {
    let p = example();
    let whole = p.ok(&["imprint", "template", "ticket.schema.json"]);
    assert_eq!(whole.stderr, "");
    let lines: Vec<&str> = whole.stdout.lines().collect();
    let [head, body] = lines.as_slice() else { panic!("{}", whole.stdout) };
    assert!(head.chars().count() <= 200 && head.starts_with("object, "), "{head}");
    for part in ["MUST fill", "A support ticket", "No other keys.", "Reply JSON only."] {
        assert!(head.contains(part), "{head}");
    }
    let pretty = p.ok(&["imprint", "template", "ticket.schema.json", "--pretty", "--skeleton"]).stdout;
    assert!(pretty.contains("\n  \"priority\": \"{FILL_ENUM|low|normal|high}\",\n"), "{pretty}");
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(read(&pretty), read(body));
    let document = p.json(&["imprint", "template", "ticket.schema.json"]);
    let data = &document["data"];
    assert_eq!((&document["ok"], &document["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!((&data["head"], &data["skeleton"]), (&json!(head), &json!(body)));
    assert_eq!((&data["dialect"], &data["unshown"]), (&json!("2020-12"), &json!([])));
    let keys: Vec<&str> = data.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["dialect", "head", "skeleton", "tokens", "unshown"]);
    assert!(data["tokens"].as_u64().is_some_and(|tokens| tokens > 50));
}

/// Indentation is for the eye alone: texts that look like JSON stay as they are.
#[test]
fn indentation_leaves_texts_alone() {
    let p = schema(r#"{"properties": {"a\"b": {"type": "string", "pattern": "^\\{[a,b]:\\\\}$"}, "{FILL|x}": {}}}"#);
    let pretty = p.ok(&["imprint", "template", "s.json", "--skeleton", "--pretty"]).stdout;
    let plain = p.ok(&["imprint", "template", "s.json", "--skeleton"]).stdout;
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(read(&pretty), read(&plain));
    assert!(plain.contains(r#""\\{FILL|x}":"#), "a key that begins like a token is escaped: {plain}");
}

#[test]
fn unions_conditions_tuples_and_circles() {
    let p = schema(
        r##"{
            "type": "object",
            "properties": {
                "pay": { "oneOf": [{ "type": "string" }, { "type": "integer", "exclusiveMinimum": 0 }] },
                "size": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "pair": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }], "items": false },
                "labels": { "type": "object", "additionalProperties": { "type": "string" }, "minProperties": 1 },
                "parent": { "$ref": "#" },
                "home": {
                    "type": "object",
                    "properties": { "country": { "enum": ["de", "us"] }, "zip": { "type": "string" } },
                    "if": { "properties": { "country": { "const": "us" } }, "required": ["country"] },
                    "then": { "required": ["zip"] },
                    "dependentRequired": { "zip": ["country"] }
                },
                "step": { "type": "number", "multipleOf": 0.5, "minimum": -1, "maximum": 1, "not": { "const": 0 } }
            }
        }"##,
    );
    let expected = json!({
        "home": {
            "//": "{OPTIONAL}",
            "country": "{OPTIONAL_ENUM|de|us}",
            "zip": "{OPTIONAL|string|with:country}",
            "{WHEN|country=us}": { "zip": "{FILL|string}" }
        },
        "labels": { "//": "{OPTIONAL|keys:1-}", "{KEY}": "{OPTIONAL|string}" },
        "pair": ["{OPTIONAL|tuple|closed}", "{FILL|number}", "{FILL|string}"],
        "parent": "{REF: circular}",
        "pay": { "{ONE_OF|optional}": ["{FILL|string}", "{FILL|integer|range:>0-}"] },
        "size": "{OPTIONAL|string|nullable}",
        "step": "{OPTIONAL|number|range:-1-1|step:0.5|not:0}"
    });
    assert_eq!(skeleton(&p, &["s.json"]), expected);
}

/// Demands that the template cannot show are named, on standard error and in JSON, and never stop the template.
#[test]
fn what_is_not_shown_is_named() {
    let p = schema(r#"{"type": "array", "items": {"type": "string"}, "contains": {"const": "x"}}"#);
    let out = p.ok(&["imprint", "template", "s.json"]);
    assert!(out.stderr.contains("not shown, and enforced all the same: contains"), "{}", out.stderr);
    let unshown = p.json(&["imprint", "template", "s.json"])["data"]["unshown"].clone();
    assert_eq!(unshown, json!([{ "what": "contains", "at": "" }]));
    super::example::finding(&p, &["s.json"], r#"["y"]"#, "1:1", "D1627", "must contain");
}

/// 2020-12, then draft 7, then draft 4; a declared dialect is not second-guessed.
#[test]
fn a_schema_without_a_dialect_is_tried() {
    let p = with("new.json", r#"{"type": "string"}"#);
    p.write("seven.json", r#"{"type": "array", "items": [{"type": "string"}], "additionalItems": false}"#);
    p.write("four.json", r#"{"type": "number", "minimum": 1, "exclusiveMinimum": true}"#);
    p.write("own.json", r#"{"$schema": "http://127.0.0.1:1/mine", "type": "string"}"#);
    for (file, dialect, shown) in [
        ("new.json", "2020-12", "\"{FILL|string}\""),
        ("seven.json", "draft-07", "[\"{FILL|tuple|closed}\",\"{FILL|string}\"]"),
        ("four.json", "draft-04", "\"{FILL|number|range:>1-}\""),
        ("own.json", "2020-12", "\"{FILL|string}\""),
    ] {
        let data = p.json(&["imprint", "template", file])["data"].clone();
        assert_eq!((&data["dialect"], &data["skeleton"]), (&json!(dialect), &json!(shown)), "{file}");
    }
    let declared =
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "minimum": 1, "exclusiveMinimum": true}"#;
    p.write("declared.json", declared);
    p.refuses(&["imprint", "template", "declared.json"], 1, "D1601", "declared.json:1:95");
}

#[test]
fn the_schema_comes_from_standard_input() {
    let p = example();
    let out = super::example::fed(&p, &["imprint", "template", "-", "--skeleton"], r#"{"type": "boolean"}"#);
    assert_eq!((out.code, out.stdout.as_str()), (0, "\"{FILL|boolean}\"\n"));
}
