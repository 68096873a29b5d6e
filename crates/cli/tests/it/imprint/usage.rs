//! Command lines that make no sense end with 2 and say why.

use super::example::example;

#[test]
fn arguments_that_are_missing_or_in_conflict() {
    let p = example();
    for (args, says) in [
        (&["imprint"][..], "Usage: deed imprint"),
        (&["imprint", "tempalte"], "tempalte"),
        (&["imprint", "template"], "<SCHEMA>"),
        (&["imprint", "template", "a", "b"], "'b'"),
        (&["imprint", "lower", "ticket.schema.json"], "<FILLED>"),
        (&["imprint", "fill", "ticket.schema.json"], "<PAYLOAD>"),
        (&["imprint", "join"], "<SPINE>"),
        (&["imprint", "operations"], "<API>"),
        (&["dev", "imprint-audit"], "<FILE>"),
        (&["imprint", "template", "ticket.schema.json", "--limit", "many"], "many"),
        (&["imprint", "template", "desk.openapi.yaml", "--part", "head"], "head"),
        (&["imprint", "template", "t", "--template", "--operation", "addNote"], "--operation"),
        (&["imprint", "template", "t", "--template", "--part", "body"], "--part"),
        (&["imprint", "lower", "ticket.schema.json", "f.json", "--limit", "3"], "--limit"),
    ] {
        let out = p.run(args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}\n{}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}\n{}", out.stderr);
    }
}

#[test]
fn each_verb_has_help() {
    let p = example();
    for verb in ["template", "lower", "fill", "join", "operations"] {
        let out = p.ok(&["imprint", verb, "--help"]);
        assert!(out.stdout.contains(&format!("Usage: deed imprint {verb}")), "{}", out.stdout);
    }
    assert!(p.ok(&["dev", "imprint-audit", "--help"]).stdout.contains("Usage: deed dev imprint-audit"));
    assert!(!p.ok(&["--help"]).stdout.contains("  dev "));
}

/// Every code of the group can be explained.
#[test]
fn codes_are_explained() {
    let p = example();
    let out = p.ok(&["explain", "D1623"]).stdout;
    assert!(out.starts_with("# D1623: a value is not one of those listed"), "{out}");
}

/// A place that the schema does not speak of was meant to be another.
#[test]
fn what_is_serialized_must_be_a_place() {
    let p = example();
    let schema = r##"{
        "type": "object",
        "properties": {
            "config": { "$ref": "#/$defs/config" }, "free": { "type": "object" }, "text": { "type": "string" },
            "list": { "type": "array", "items": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/config" }] } },
            "map": { "type": "object", "additionalProperties": { "$ref": "#/$defs/config" } }
        },
        "$defs": { "config": { "allOf": [{ "properties": { "inner": {} } }, { "required": ["inner"] }] } }
    }"##;
    p.write("s.json", schema);
    p.write("f.json", "{}");
    let run = |verb: &str, pointer: &str| {
        let args: &[&str] = match verb {
            "template" => &["imprint", "template", "s.json", "--serialize", pointer],
            verb => &["imprint", verb, "s.json", "f.json", "--serialize", pointer],
        };
        p.run(args)
    };
    for pointer in
        ["/config", "/config/inner", "/config/inner/x", "/free/x/y", "/list/0", "/list/3/inner", "/map/k/inner"]
    {
        assert_eq!(run("template", pointer).code, 0, "{pointer}");
    }
    for (pointer, says) in [
        ("/confg", "did you mean `config`?"),
        ("/config/iner", "did you mean `inner`?"),
        ("/text/x", "the schema has no place `/text/x`"),
        ("/list/inner", "there is no `inner` in it"),
        ("/map/k/iner", "did you mean `inner`?"),
        ("config", "is not a JSON pointer"),
    ] {
        for verb in ["template", "lower", "fill"] {
            let out = run(verb, pointer);
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{pointer}\n{}", out.stderr);
            assert!(out.stderr.contains("D1639") && out.stderr.contains(says), "{pointer}\n{}", out.stderr);
        }
    }
}

/// Each part asks the next one twice, and a place is found all the same.
#[test]
fn a_place_is_sought_soon_however_often_a_schema_refers_to_itself() {
    let p = example();
    let mut parts = serde_json::Map::new();
    for level in 0..26 {
        let next = serde_json::json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        parts.insert(format!("d{level}"), serde_json::json!({ "allOf": [next, next] }));
    }
    parts
        .insert("d26".to_owned(), serde_json::json!({ "properties": { "config": {} }, "additionalProperties": false }));
    p.write("s.json", serde_json::json!({ "$defs": parts, "$ref": "#/$defs/d0" }).to_string());
    let begun = std::time::Instant::now();
    assert_eq!(p.run(&["imprint", "template", "s.json", "--serialize", "/config"]).code, 0);
    let out = p.run(&["imprint", "template", "s.json", "--serialize", "/confg"]);
    assert!(out.code == 2 && out.stderr.contains("did you mean `config`?"), "{}", out.stderr);
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}
