//! The journal of one run.

use super::example::{noted, waiting};
use crate::common::billing::root;
use serde_json::Value;

#[test]
fn events_are_printed_in_order_and_by_kind_and_step() {
    let p = noted();
    let all = p.ok(&["runs", "events", "one"]).stdout;
    let kinds: Vec<&str> = all.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    let expected = [
        "submitted",
        "taken",
        "step_started",
        "preflighted",
        "step_succeeded",
        "checkpointed",
        "gate_opened",
        "checkpointed",
        "gate_decided",
        "approval_used",
        "checkpointed",
        "step_started",
        "preflighted",
        "step_succeeded",
        "checkpointed",
        "ended",
        "sealed",
    ];
    assert_eq!(kinds, expected, "{all}");
    assert!(all.lines().all(|line| line == line.trim_end()), "{all}");
    assert_eq!(p.ok(&["runs", "events", "one", "--kind", "gate_opened"]).stdout.lines().count(), 1);
    let add = p.json(&["runs", "events", "one", "--step", "add"]);
    let add = add["data"].as_array().unwrap();
    assert_eq!(add.len(), 3);
    assert_eq!((&add[0]["event"]["kind"], &add[0]["seq"]), (&"step_started".into(), &2.into()));
    p.refuses(&["runs", "events", "one", "--step", "ad"], 1, "D2005", "did you mean `add`?");
    p.refuses(&["receipts", "show", "one", "nosuch"], 1, "D2005", "`deed runs show one` lists its steps");
}

/// `--kind` knows what the journal can hold, and nothing else.
#[test]
fn the_kinds_are_those_of_the_schema() {
    let p = noted();
    let schema = std::fs::read_to_string(root().join("schemas/run-record.v1.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let variants = schema["$defs"]["RunEvent"]["oneOf"].as_array().unwrap();
    let kinds: Vec<&str> =
        variants.iter().map(|variant| variant.pointer("/properties/kind/const").unwrap().as_str().unwrap()).collect();
    assert!(kinds.len() >= 18);
    for kind in kinds {
        p.ok(&["runs", "events", "one", "--kind", kind]);
    }
}

#[test]
fn events_are_followed_until_nothing_drives_the_run() {
    let p = noted();
    let all = p.json(&["runs", "events", "one"])["data"].clone();
    let followed = p.ok(&["runs", "events", "one", "--follow", "--json"]).stdout;
    let mut lines: Vec<serde_json::Value> = followed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Each line says which version of the form it has.
    for line in &mut lines {
        assert_eq!(line.as_object_mut().unwrap().remove("version"), Some(serde_json::json!(1)));
    }
    assert_eq!(serde_json::Value::Array(lines), all);
    // An error before the first event is one line too.
    let refused = p.run(&["runs", "events", "absent", "--follow", "--json"]);
    assert_eq!((refused.code, refused.stdout.lines().count()), (1, 1), "{}", refused.stdout);
    let refused: serde_json::Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((&refused["version"], &refused["ok"]), (&serde_json::json!(1), &serde_json::json!(false)));
    let text = p.ok(&["runs", "events", "one", "--follow", "--kind", "ended"]);
    assert_eq!(text.stdout.lines().count(), 1);
    assert!(text.stderr.contains("one  succeeded"), "{}", text.stderr);
    let waiting = waiting();
    assert!(waiting.ok(&["runs", "events", "one", "--follow"]).stderr.contains("one  waiting"));
}
