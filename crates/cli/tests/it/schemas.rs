//! What commands print with `--json` has a schema, and every document that a test reads satisfies it.

use crate::common::Project;
use crate::common::schemas::{SCHEMAS, folder};
use crate::help::commands;
use deed_schema::Schema;
use serde_json::Value;

#[test]
fn every_command_has_a_schema_and_every_schema_a_command() {
    let p = Project::bare();
    let listed: Vec<String> = p.ok(&["schema"]).stdout.lines().map(str::to_owned).collect();
    let mut leaves: Vec<String> = commands(&p).into_iter().map(|words| words.join(" ")).collect();
    // Tools for developing Deed are not listed by its help.
    leaves.push("dev imprint-audit".to_owned());
    leaves.sort();
    assert_eq!(listed, leaves);
    assert_eq!(SCHEMAS.keys().cloned().collect::<Vec<_>>(), leaves);
}

#[test]
fn the_files_are_those_that_the_command_writes() {
    let p = Project::bare();
    p.ok(&["schema", "--out", "cli"]);
    for entry in std::fs::read_dir(p.path("cli")).unwrap() {
        let path = entry.unwrap().path();
        let kept = std::fs::read_to_string(folder().join(path.file_name().unwrap())).unwrap_or_default();
        let made = std::fs::read_to_string(&path).unwrap();
        assert!(kept == made, "{} is out of date: run `make schemas`", path.display());
    }
}

/// A schema that accepts anything would hold for anything.
#[test]
fn the_schemas_refuse_other_documents() {
    let p = Project::bare();
    p.ok(&["init"]);
    let document = p.json(&["doctor"]);
    let schema = Schema::new(SCHEMAS["doctor"].clone()).unwrap();
    assert_eq!(schema.is_valid(&document), Ok(true));
    for (pointer, other) in [
        ("/version", Value::from(2)),
        ("/ok", Value::from("yes")),
        ("/data", Value::from("text")),
        ("/data/level", Value::from(3)),
        ("/data/checks/0/status", Value::from("fine")),
        ("/diagnostics", Value::Null),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(pointer).unwrap() = other;
        assert_eq!(schema.is_valid(&changed), Ok(false), "{pointer}");
    }
}

#[test]
fn one_schema_is_printed() {
    let p = Project::bare();
    let printed: Value = serde_json::from_str(&p.ok(&["schema", "runs", "show"]).stdout).unwrap();
    assert_eq!(printed["$id"], "urn:deed:cli:runs-show:v1");
    assert_eq!(printed, p.json(&["schema", "runs", "show"])["data"]);
    p.refuses(&["schema", "runs", "shwo"], 2, "D0019", "runs show");
}
