//! The worked example of the support pack in a folder, to compile as it is or changed.

use crate::common::{Project, Ran};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const REQUEST: &str = include_str!("../../../../../packs/support/examples/request.yaml");
const RUN: &str = include_str!("../../../../../packs/support/examples/run.yaml");
const EVIDENCE: &str = include_str!("../../../../../packs/support/examples/evidence.yaml");
const MEMORY: &str = include_str!("../../../../../packs/support/examples/memory.yaml");

/// The snapshot that the run pins.
pub(crate) const SNAPSHOT: &str = "snapshot_kg_2026_05_03_T0930";

/// A refund of 4200 in `request.yaml`, which waits for finance, and one of 100 in `small.yaml`, which does not. The
/// run counts with an estimate, which needs no vocabulary and so is quicker to start.
pub(crate) fn example() -> Project {
    let p = Project::draft();
    inputs(&p);
    p
}

/// The same inputs in a project that is there already.
pub(crate) fn inputs(p: &Project) {
    p.write("request.yaml", REQUEST);
    p.write("small.yaml", REQUEST.replace("4200", "100"));
    p.write("run.yaml", format!("{RUN}tokenizer: bytes/4\n"));
    p.write("evidence.yaml", EVIDENCE);
    p.write("memory.yaml", MEMORY);
}

/// `deed context …` with pack, request and run of the example wherever the options name no others.
pub(crate) fn context<'a>(command: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["context", command];
    for (option, usual) in [("--pack", "./support"), ("--request", "request.yaml"), ("--run", "run.yaml")] {
        if !options.contains(&option) {
            args.extend([option, usual]);
        }
    }
    args.extend(options);
    args
}

/// `deed context compile …`.
pub(crate) fn compile<'a>(options: &[&'a str]) -> Vec<&'a str> {
    context("compile", options)
}

/// A changed copy of a file; every change must find its place.
#[track_caller]
pub(crate) fn vary(p: &Project, from: &str, to: &str, edits: &[(&str, &str)]) {
    let mut text = std::fs::read_to_string(p.path(from)).unwrap();
    for (find, replace) in edits {
        assert!(text.contains(find), "{from} has no {find}");
        text = text.replace(find, replace);
    }
    p.write(to, text);
}

/// A copy of the run with a line more.
pub(crate) fn run_with(p: &Project, to: &str, line: &str) {
    let run = std::fs::read_to_string(p.path("run.yaml")).unwrap();
    p.write(to, format!("{run}{line}\n"));
}

/// A changed copy of the pack, without overlays.
#[track_caller]
pub(crate) fn pack_with(p: &Project, folder: &str, edits: &[(&str, &str)]) {
    p.edit(&format!("{folder}/pack.yaml"), edits);
}

/// The data of a compile that goes through.
#[track_caller]
pub(crate) fn compiled(p: &Project, options: &[&str]) -> Value {
    let document = p.json(&compile(options));
    assert_eq!(document["ok"], true, "{document:#}");
    document["data"].clone()
}

/// Refused: the exit code and the code in both forms, no data, no panic, and no file that was not there before.
#[track_caller]
pub(crate) fn refused(p: &Project, args: &[&str], exit: i32, code: &str, says: &str) -> Ran {
    let before = files(&p.path(""));
    let out = p.refuses(args, exit, code, says);
    assert_eq!(out.stdout, "", "deed {}", args.join(" "));
    assert!(!out.stderr.contains("panicked"), "{}", out.stderr);
    let as_json = p.run(&[args, &["--json"]].concat());
    let document: Value = serde_json::from_str(&as_json.stdout).unwrap();
    assert_eq!((as_json.code, &document["ok"], &document["data"]), (exit, &json!(false), &Value::Null));
    assert!(codes(&document).iter().any(|c| c == code), "{document:#}");
    assert_eq!(files(&p.path("")), before, "deed {} wrote something", args.join(" "));
    out
}

/// The codes of all diagnostics.
pub(crate) fn codes(document: &Value) -> Vec<String> {
    let diagnostics = document["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect()
}

/// A piece of evidence that is admitted.
pub(crate) fn evidence(id: &str, content: &str) -> Value {
    json!({
        "evidence_ref": format!("kg:order:{id}#{SNAPSHOT}"),
        "source_id": "kg.orders",
        "tenant_id": "tenant_acme_prod",
        "classification": "INTERNAL",
        "content": content,
        "payload_hash": deed_canon::ContentHash::of_bytes(content.as_bytes()).to_string(),
    })
}

/// Every file below a folder, with its size.
fn files(folder: &Path) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.display().to_string(), std::fs::metadata(&path).unwrap().len());
        }
    }
    found
}
