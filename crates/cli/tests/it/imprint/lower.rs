//! A filled template becomes a payload, or all its faults are reported.

use crate::common::Project;

use super::example::{TEXT, example, fed, finding, findings, lowered, schema};
use serde_json::{Value, json};

const ARGS: [&str; 2] = ["imprint", "lower"];

#[test]
fn a_ticket_becomes_a_payload() {
    let p = example();
    let args = ["imprint", "lower", "ticket.schema.json", "ticket.filled.json", "--auto", "ticket.auto.json"];
    let out = p.ok(&args);
    let payload: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let expected = json!({
        "id": "0f9d3c1e-6a4b-4a55-9d0a-2f7a6d1f5c11",
        "subject": "The export button does nothing",
        "priority": "high",
        "customer": { "email": "ada@example.com", "company": null },
        "tags": ["export", "urgent"],
        "context": "{\"errors\":3,\"page\":\"/reports\"}"
    });
    assert_eq!(payload, expected);
    assert!(out.stderr.contains("left out as untouched: /seats"), "{}", out.stderr);
    let document = p.json(&args);
    assert_eq!(
        document,
        json!({
            "version": 1,
            "ok": true,
            "data": { "payload": expected, "dropped": ["/seats"] },
            "diagnostics": []
        })
    );
}

/// Every finding at once, each with its code, and each underlined where it stands.
#[test]
fn all_findings_at_once() {
    let p = example();
    let filled = r#"{
  "id": "made up",
  "subject": "{FILL|string|length:1-80} One line",
  "priority": "hihg",
  "customer": { "email": "ada", "compny": "x" },
  "tags": ["Export", "a", "a"],
  "seats": 501,
  "colour": "red",
  "context": { "errors": -1 }
}"#;
    p.write("bad.json", filled);
    let out = p.run(&["imprint", "lower", "ticket.schema.json", "bad.json"]);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""));
    for snippet in [
        "error[D1611]: the system supplies this value\n --> bad.json:2:9\n",
        "2 |   \"id\": \"made up\",\n  |         ^^^^^^^^^\n",
        "error[D1610]: `subject` is not filled\n --> bad.json:3:14\n",
        "error[D1623]: `priority` may not be `hihg`\n --> bad.json:4:15\n",
        "4 |   \"priority\": \"hihg\",\n  |               ^^^^^^\n  |\n  = help: did you mean `high`?",
        "error[D1625]: `email` is not of the format `email`\n --> bad.json:5:26\n",
        "error[D1621]: `compny` is not a key of `customer`\n --> bad.json:5:33\n",
        "= help: did you mean `company`?",
        "error[D1625]: item 0 of `tags` does not match `^[a-z]+$`\n --> bad.json:6:12\n",
        "error[D1627]: `tags` has the same item twice\n --> bad.json:6:3\n",
        "error[D1624]: `seats` is 501, above 500\n --> bad.json:7:12\n",
        "error[D1621]: `colour` is not a key of the payload\n --> bad.json:8:3\n",
        "error[D1624]: `errors` is -1, below 0\n --> bad.json:9:26\n",
    ] {
        assert!(out.stderr.contains(snippet), "{snippet}\n---\n{}", out.stderr);
    }
    // And a key that what goes as text must have.
    assert!(out.stderr.contains("error[D1620]") && out.stderr.contains("needs `page`"), "{}", out.stderr);
    assert_eq!(out.stderr.matches("error[").count(), 11, "{}", out.stderr);

    let document = p.json(&["imprint", "lower", "ticket.schema.json", "bad.json"]);
    assert_eq!((&document["ok"], &document["data"]), (&json!(false), &json!(null)));
    let diagnostics = document["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 11);
    let priority = diagnostics.iter().find(|d| d["location"]["pointer"] == "/priority").unwrap();
    assert_eq!(
        (&priority["code"], &priority["severity"], &priority["stage"]),
        (&json!("D1623"), &json!("error"), &json!("lower"))
    );
    assert_eq!(priority["location"]["start"], json!({ "line": 4, "column": 15, "byte": 86 }));
}

#[test]
fn bounds_types_and_forms() {
    let p = schema(
        r#"{
            "type": "object",
            "properties": {
                "n": { "type": "number", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 0.5 },
                "t": { "type": "string", "minLength": 2, "maxLength": 3 },
                "l": { "type": "array", "minItems": 1, "maxItems": 2 },
                "o": { "type": "object", "minProperties": 1, "maxProperties": 1 },
                "u": { "type": ["string", "integer"] },
                "c": { "const": "x" }
            }
        }"#,
    );
    for (filled, place, code, says) in [
        (r#"{"n": 0}"#, "1:7", "D1624", "below 1"),
        (r#"{"n": 9}"#, "1:7", "D1624", "must be below 9"),
        (r#"{"n": 1.3}"#, "1:7", "D1624", "not a multiple of 0.5"),
        (r#"{"n": "1"}"#, "1:7", "D1622", "`n` must be a number, not a string"),
        (r#"{"t": "a"}"#, "1:7", "D1624", "fewer than 2 characters"),
        (r#"{"t": "äöüß"}"#, "1:7", "D1624", "more than 3 characters"),
        (r#"{"t": null}"#, "1:7", "D1622", "not null"),
        (r#"{"l": []}"#, "1:2", "D1624", "fewer than 1 item"),
        (r#"{"l": [1, 2, 3]}"#, "1:2", "D1624", "more than 2 items"),
        (r#"{"o": {}}"#, "1:2", "D1624", "fewer than 1 key"),
        (r#"{"o": {"a": 1, "b": 2}}"#, "1:2", "D1624", "more than 1 key"),
        (r#"{"u": true}"#, "1:7", "D1622", "a boolean"),
        (r#"{"c": "y"}"#, "1:7", "D1623", "may not be `y`"),
        ("[]", "1:1", "D1622", "the payload must be an object, not an array"),
    ] {
        finding(&p, &["s.json"], filled, place, code, says);
    }
    assert_eq!(lowered(&p, &["s.json"], r#"{"n": 1.5, "t": "äö", "u": 7}"#), json!({ "n": 1.5, "t": "äö", "u": 7 }));
}

/// `format: uuid` is asserted, whatever the draft says about formats.
#[test]
fn formats_are_held_to_in_every_draft() {
    for draft in ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema"] {
        for (format, bad) in
            [("uuid", "x"), ("email", "x"), ("date-time", "soon"), ("ipv4", "300.1.1.1"), ("duration", "1h")]
        {
            let p = schema(&json!({ "$schema": draft, "type": "string", "format": format }).to_string());
            finding(&p, &["s.json"], &format!("{bad:?}"), "1:1", "D1625", &format!("format `{format}`"));
        }
    }
    let p = schema(r#"{"type": "integer", "format": "int32"}"#);
    assert_eq!(lowered(&p, &["s.json"], "5000000000"), json!(5_000_000_000_u64));
}

#[test]
fn missing_and_unknown_keys() {
    let p = schema(
        r#"{"type": "object", "required": ["name"], "properties": {"name": {}, "size": {}}, "additionalProperties": false}"#,
    );
    let found = findings(&p, &["s.json"], r#"{"nmae": 1, "colour": 2}"#);
    assert_eq!(found.len(), 3, "{found:?}");
    for says in
        ["error[D1620] the payload needs `name`", "did you mean `name`?", "`colour` is not a key of the payload"]
    {
        assert!(found.iter().any(|line| line.contains(says)), "{says}: {found:?}");
    }
}

/// Optional places that are untouched are left out, lists and objects included; required ones are asked for.
#[test]
fn tokens_that_were_left() {
    let p = example();
    let order = r#"{"number": 7, "buyer": {"name": "Ada", "street": "Ring 1", "city": "Ulm", "country": "{OPTIONAL|string}"},
        "delivery": {"{FILL|open}": "", "by": "post", "to": {"name": "Bob", "street": "Weg 2", "city": "Bonn"},
        "window": {"{OPTIONAL}": "", "from": "{OPTIONAL|string}", "until": "{OPTIONAL|string}"}}}"#;
    let expected = json!({
        "number": 7,
        "buyer": { "name": "Ada", "street": "Ring 1", "city": "Ulm" },
        "delivery": { "by": "post", "to": { "name": "Bob", "street": "Weg 2", "city": "Bonn" } }
    });
    assert_eq!(lowered(&p, &["order.schema.json"], order), expected);
    let left = order.replace("\"Ada\"", "\"{FILL|string|length:1-}\"").replace("7", "\"{FILL|integer}\"");
    let found = findings(&p, &["order.schema.json"], &left);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|line| line.contains("error[D1610]")), "{found:?}");
    finding(&p, &["order.schema.json"], "\"{FILL|object}\"", "1:1", "D1610", "nothing was filled in");
    finding(&p, &["order.schema.json"], r#"{"number": "{FILL|integer}"}"#, "1:1", "D1610", "nothing was filled in");
}

/// Text that begins like a token is told apart by a backslash; text that only has braces is text.
#[test]
fn texts_that_look_like_tokens() {
    let p = schema(r#"{"type": "object", "additionalProperties": {"type": "string"}}"#);
    let payload = lowered(
        &p,
        &["s.json"],
        r#"{"a": "\\{FILL|string}", "b": "{NOPE|x}", "c": "{FILLED}", "\\{KEY}": "\\\\{KEY}"}"#,
    );
    assert_eq!(payload, json!({ "a": "{FILL|string}", "b": "{NOPE|x}", "c": "{FILLED}", "{KEY}": "\\{KEY}" }));
    finding(&p, &["s.json"], r#"{"a": "{FILL|string", "b": "x"}"#, "1:7", "D1614", "write a `\\` before it");
    finding(&p, &["s.json"], r#"{"a": "x", "{FILL|": "y"}"#, "1:", "D1614", "begins like a token but is malformed");
}

/// A payload that two programs could read differently is not read at all.
#[test]
fn documents_that_could_be_read_in_two_ways() {
    let p = schema(TEXT);
    for (filled, code, says) in [
        (r#"{"a": 9007199254740993}"#, "D0105", "beyond 2^53"),
        (r#"{"a": 12345678901234567890}"#, "D0105", "beyond 2^53"),
        (r#"{"a": 1e400}"#, "D0105", "double"),
        (r#"{"a": "x", "a": "y"}"#, "D0104", "stands twice"),
        (r#"{"a": "#, "D0103", "malformed"),
        ("", "D0103", "malformed"),
    ] {
        let out = fed(&p, &[&ARGS[..], &["s.json", "-"]].concat(), filled);
        assert!(out.code == 1 && out.stderr.contains(&format!("[{code}]")), "{filled}: {}", out.stderr);
        assert!(out.stderr.contains(says) && out.stderr.contains("--> <stdin>:1:"), "{filled}: {}", out.stderr);
    }
}

/// A filled template may be YAML, as any document of ours may.
#[test]
fn a_filled_template_in_yaml() {
    let p = schema(TEXT);
    p.write("filled.yaml", "a: hello\n");
    let out = p.ok(&["imprint", "lower", "s.json", "filled.yaml"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out.stdout).unwrap(), json!({ "a": "hello" }));
    p.write("wrong.yaml", "a: hello\nb: 1\n");
    p.refuses(&["imprint", "lower", "s.json", "wrong.yaml"], 1, "D1621", "wrong.yaml:2:1");
}

/// A secret that was filled in is neither underlined nor named.
#[test]
fn secrets_are_not_shown() {
    let p = schema(r#"{"type": "object", "properties": {"k": {"type": "string", "pattern": "^x"}}}"#);
    let secret = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    for extra in [&["--lines"][..], &["--json"], &[]] {
        let out = fed(&p, &[&ARGS[..], &["s.json", "-"], extra].concat(), &format!("{{\"k\": \"{secret}\"}}"));
        assert_eq!(out.code, 1);
        assert!(out.stderr.contains("D1625") && !out.stderr.contains(&secret) && !out.stdout.contains(&secret));
    }
}

#[test]
fn a_wrong_leaf_under_a_recursive_union_is_named_soon() {
    let p = example();
    let of = |op: &str| {
        let e = json!({ "$ref": "#/$defs/e" });
        json!({
            "type": "object", "additionalProperties": false, "required": ["op", "left", "right"],
            "properties": { "op": { "const": op }, "left": e, "right": e }
        })
    };
    let mut variants: Vec<Value> = ["add", "sub", "mul", "div", "and", "or", "eq", "lt"].map(of).to_vec();
    let number = json!({ "lit": { "type": "number" } });
    variants
        .push(json!({ "type": "object", "additionalProperties": false, "required": ["lit"], "properties": number }));
    p.write("e.json", json!({ "$defs": { "e": { "oneOf": variants } }, "$ref": "#/$defs/e" }).to_string());
    for levels in [3, 20, 120] {
        let leaf = json!({ "lit": "x" });
        let wrong = (0..levels).fold(leaf, |left, _| json!({ "op": "add", "left": left, "right": { "lit": 1 } }));
        p.write("f.json", wrong.to_string());
        let begun = std::time::Instant::now();
        let out = p.run(&["imprint", "lower", "e.json", "f.json", "--lines"]);
        assert!(out.code == 1 && out.stderr.contains("D1622] `lit` must be a number"), "{}", out.stderr);
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

/// An open schema lets any key pass; one that is spelled almost like a declared one is warned of.
#[test]
fn keys_near_to_declared_ones_are_warned_of() {
    let p = Project::bare();
    let open = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" },
        "lines": { "type": "array", "items": { "type": "object", "properties": { "assignee": { "type": "string" } } } } } });
    p.write("open.json", open.to_string());
    p.write("filled.json", r#"{"id": 1, "lines": [{"asignee": "Ada"}, {"Assignee": "Bob"}, {"other": 1}]}"#);
    let out = p.ok(&["imprint", "lower", "open.json", "filled.json", "--lines"]);
    let warnings: Vec<&str> = out.stderr.lines().filter(|line| line.contains("warning[D1775]")).collect();
    assert_eq!(warnings.len(), 2, "{}", out.stderr);
    let first = "filled.json:1:22: warning[D1775] undeclared key `asignee`, which the schema lets pass (help: did you mean `assignee`?)";
    assert_eq!(warnings[0], first);
    assert!(out.stdout.contains("asignee"), "{}", out.stdout);
}
