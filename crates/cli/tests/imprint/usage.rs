//! Command lines that make no sense end with 2 and say why.

use crate::example::example;

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
        (&["imprint", "audit"], "<FILE>"),
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
    for verb in ["template", "lower", "fill", "join", "operations", "audit"] {
        let out = p.ok(&["imprint", verb, "--help"]);
        assert!(out.stdout.contains(&format!("Usage: deed imprint {verb}")), "{}", out.stdout);
    }
}

/// Every code of the group can be explained.
#[test]
fn codes_are_explained() {
    let p = example();
    let out = p.ok(&["explain", "D1623"]).stdout;
    assert!(out.starts_with("# D1623: a value that is not one of those listed"), "{out}");
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
        ("/list/inner", "it knows no `inner` there"),
        ("/map/k/iner", "did you mean `inner`?"),
        ("config", "is no JSON pointer"),
    ] {
        for verb in ["template", "lower", "fill"] {
            let out = run(verb, pointer);
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{pointer}\n{}", out.stderr);
            assert!(out.stderr.contains("D1639") && out.stderr.contains(says), "{pointer}\n{}", out.stderr);
        }
    }
}
