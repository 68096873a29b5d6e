//! The law, tried on many schemas.

use super::example::{example, fed};
use crate::common::{Project, Ran};
use serde_json::{Value, json};

const LINES: &str = r#"{"id": "good", "schema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, "tests": [{"valid": true, "data": {"a": "x"}}, {"valid": false, "data": {"a": 1}}]}

{"id": "remote", "schema": {"$ref": "http://127.0.0.1:1/x.json"}, "tests": [{"valid": true, "data": 1}]}
{"schema": {"type": "integer"}, "tests": [{"valid": true, "data": 9007199254740993}, {"valid": true, "data": 1.0}]}
{"id": 7, "schema": {"type": "array", "contains": {"type": "null"}}}
"#;

/// Lines that cannot be judged, among one that can.
const BROKEN: &str = r#"not json
{"id": "no schema"}
{"schema": {"type": "integer"}, "tests": [{"data": 1}]}
{"schema": {"type": "integer"}, "tests": [{"valid": true}]}
[1]
{"id": "good", "schema": {"type": "integer"}, "tests": [{"valid": true, "data": 1}]}
"#;

fn audited(text: &str) -> Project {
    let p = example();
    p.write("lines.jsonl", text);
    p
}

/// The number in a row of the table.
#[track_caller]
fn row(out: &Ran, name: &str) -> u64 {
    let line =
        out.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}\n{}", out.stdout));
    line.split_whitespace().last().unwrap().parse().unwrap()
}

#[test]
fn schemas_and_instances_are_counted() {
    let p = audited(LINES);
    let out = p.ok(&["dev", "imprint-audit", "lines.jsonl"]);
    assert_eq!(out.stderr, "");
    for (name, count) in [
        ("schemas", 4),
        ("accepted", 3),
        ("refused", 1),
        ("  remote_reference", 1),
        ("instances round-tripped", 2),
        ("wrong", 0),
        ("valid instances rejected", 0),
        ("invalid instances refused", 1),
        ("invalid instances accepted", 0),
        ("instances without canonical form", 1),
        ("template stricter than schema", 0),
        ("invalid caught by template alone", 1),
        ("templates not rewritten alike", 0),
    ] {
        assert_eq!(row(&out, name), count, "{name}\n{}", out.stdout);
    }
    assert!(out.stdout.contains("not shown, enforced all the same (schemas): contains 1"), "{}", out.stdout);
    let from_stdin = fed(&p, &["dev", "imprint-audit", "-"], LINES);
    let table =
        |out: &Ran| out.stdout.lines().filter(|line| !line.ends_with(" s")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((from_stdin.code, table(&from_stdin)), (0, table(&out)));
}

#[test]
fn the_table_as_json() {
    let p = audited(LINES);
    let document = p.json(&["dev", "imprint-audit", "lines.jsonl"]);
    let mut audit = document["data"]["audit"].clone();
    let percent = audit.as_object_mut().unwrap().remove("skeleton_percent").unwrap();
    audit.as_object_mut().unwrap().remove("template_percent").unwrap();
    let expected = json!({
        "schemas": 4,
        "accepted": 3,
        "refused": { "remote_reference": 1 },
        "round_tripped": 2,
        "wrong": 0,
        "valid_rejected": 0,
        "invalid_refused": 1,
        "invalid_accepted": 0,
        "not_canonical": 1,
        "template_too_strict": 0,
        "caught_by_template": 1,
        "not_rewritten": 0,
        "unshown": { "contains": 1 }
    });
    assert_eq!(audit, expected);
    assert_eq!((&document["ok"], &document["diagnostics"]), (&json!(true), &json!([])));
    assert!(document["data"]["seconds"].is_number());
    for part in ["p5", "p25", "median", "p75", "p95", "max"] {
        assert!(percent[part].as_f64().is_some_and(|p| p > 0.0), "{percent}");
    }
}

/// The table again, with a verdict on each schema, in a file; the same name may be written twice.
#[test]
fn a_report_in_a_file() {
    let p = audited(LINES);
    for _ in 0..2 {
        p.ok(&["dev", "imprint-audit", "lines.jsonl", "--report", "out/report.json"]);
    }
    let report: Value = serde_json::from_str(&std::fs::read_to_string(p.path("out/report.json")).unwrap()).unwrap();
    assert_eq!(report["audit"]["schemas"], 4);
    let verdicts = report["verdicts"].as_array().unwrap();
    let ids: Vec<&str> = verdicts.iter().map(|verdict| verdict["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["good", "remote", "line 4", "7"]);
    assert_eq!((&verdicts[0]["round_tripped"], &verdicts[0]["rewritten"]), (&json!(1), &json!(true)));
    assert_eq!(verdicts[1]["refused"], "remote_reference");
    assert!(verdicts[1]["message"].as_str().unwrap().contains("nothing is fetched"));
    assert_eq!(verdicts[3]["unshown"], json!(["contains"]));
    p.refuses(&["dev", "imprint-audit", "lines.jsonl", "--report", "lines.jsonl/x"], 3, "D0002", "lines.jsonl/x");
}

/// An instance that is called valid and is not ends with 1; each schema is named.
#[test]
fn failures_are_named() {
    let wrong = r#"{"id": "mislabelled", "schema": {"type": "string"}, "tests": [{"valid": true, "data": 1}]}"#;
    let p = audited(&format!("{LINES}{wrong}\n"));
    let out = p.run(&["dev", "imprint-audit", "lines.jsonl", "--failures"]);
    assert_eq!((out.code, row(&out, "valid instances rejected")), (1, 1), "{}", out.stdout);
    let named = |id: &str| out.stdout.lines().find(|line| line.starts_with(&format!("{id}: "))).map(str::to_owned);
    assert!(named("remote").unwrap().contains("refused, remote_reference"), "{}", out.stdout);
    assert!(named("mislabelled").unwrap().contains("1 valid rejected"), "{}", out.stdout);
    assert!(named("mislabelled").unwrap().contains("must be a string"), "{}", out.stdout);
    assert!(named("good").is_none() && named("7").is_none(), "{}", out.stdout);
    // Without the option the table is all.
    let plain = p.run(&["dev", "imprint-audit", "lines.jsonl"]);
    assert!(plain.code == 1 && !plain.stdout.contains("mislabelled"), "{}", plain.stdout);
}

/// Lines that cannot be read are reported one by one, and stop nothing.
#[test]
fn broken_lines_stop_nothing() {
    let p = audited(BROKEN);
    let out = p.run(&["dev", "imprint-audit", "lines.jsonl", "--lines"]);
    assert_eq!((out.code, row(&out, "schemas"), row(&out, "instances round-tripped")), (1, 1, 1), "{}", out.stdout);
    assert_eq!(out.stderr.matches("error[D1638]").count(), 5, "{}", out.stderr);
    for line in 1..=5 {
        assert!(out.stderr.contains(&format!("line {line}")), "{line}: {}", out.stderr);
    }
    assert!(out.stderr.contains("`schema`") && out.stderr.contains("`valid`") && out.stderr.contains("`data`"));
    let document = p.json(&["dev", "imprint-audit", "lines.jsonl"]);
    assert_eq!((&document["ok"], document["diagnostics"].as_array().unwrap().len()), (&json!(false), 5));
}

/// More lines than are judged together, in order.
#[test]
fn more_lines_than_one_batch() {
    let line = |i: u32| {
        format!(
            "{{\"id\": \"s{i:03}\", \"schema\": {{\"type\": \"integer\", \"minimum\": {i}}}, \"tests\": [{{\"valid\": true, \"data\": {i}}}]}}\n"
        )
    };
    let p = audited(&(0..600).map(line).collect::<String>());
    let out = p.ok(&["dev", "imprint-audit", "lines.jsonl", "--report", "report.json"]);
    assert_eq!((row(&out, "schemas"), row(&out, "instances round-tripped")), (600, 600));
    let report: Value = serde_json::from_str(&std::fs::read_to_string(p.path("report.json")).unwrap()).unwrap();
    let ids: Vec<String> =
        report["verdicts"].as_array().unwrap().iter().map(|v| v["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, (0..600).map(|i| format!("s{i:03}")).collect::<Vec<_>>());
}

#[test]
fn schemas_and_descriptions_beside_lines() {
    let p = audited(LINES);
    let out = p.ok(&[
        "dev",
        "imprint-audit",
        "ticket.schema.json",
        "desk.openapi.yaml",
        "lines.jsonl",
        "--report",
        "report.json",
    ]);
    assert_eq!(out.stderr, "");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(p.path("report.json")).unwrap()).unwrap();
    let ids: Vec<&str> = report["verdicts"].as_array().unwrap().iter().map(|v| v["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"ticket.schema.json") && ids.contains(&"desk.openapi.yaml#addNote"), "{ids:?}");
    assert!(ids.contains(&"desk.openapi.yaml#uploadFile") && ids.contains(&"good"), "{ids:?}");
    assert!(
        report["verdicts"]
            .as_array()
            .unwrap()
            .iter()
            .all(|v| v["refused"] == "remote_reference" || v["rewritten"] == true)
    );
}

#[test]
fn files_that_cannot_be_audited() {
    let p = audited("");
    p.write("bytes.json", [0xff, 0xfe]);
    p.write("bytes.jsonl", [0xff, 0xfe]);
    p.write("empty.json", "");
    p.write("twice.json", r#"{"type": "object", "type": "string"}"#);
    p.write("four.yaml", "openapi: 4.0.0\n");
    std::fs::create_dir(p.path("folder")).unwrap();
    for (file, says) in [
        ("bytes.json", "not UTF-8"),
        ("bytes.jsonl", "line 1"),
        ("empty.json", "the document is empty"),
        ("twice.json", "stands twice"),
        ("four.yaml", "4.0.0"),
    ] {
        let out = p.refuses(&["dev", "imprint-audit", file], 1, "D1638", says);
        assert_eq!(row(&out, "schemas"), 0);
    }
    p.refuses(&["dev", "imprint-audit", "folder"], 3, "D0001", "folder");
    p.refuses(&["dev", "imprint-audit", "nowhere.jsonl"], 3, "D0001", "nowhere.jsonl");
    assert_eq!(row(&p.run(&["dev", "imprint-audit", "lines.jsonl"]), "schemas"), 0);
}
