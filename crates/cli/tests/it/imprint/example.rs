//! The files under `examples/imprint` in a folder, and `deed imprint` run on them.

use crate::common::{Project, Ran};
use serde_json::Value;
use std::io::Write as _;
use std::process::Stdio;

const FILES: [(&str, &str); 5] = [
    ("ticket.schema.json", include_str!("../../../../../examples/imprint/ticket.schema.json")),
    ("ticket.filled.json", include_str!("../../../../../examples/imprint/ticket.filled.json")),
    ("ticket.auto.json", include_str!("../../../../../examples/imprint/ticket.auto.json")),
    ("order.schema.json", include_str!("../../../../../examples/imprint/order.schema.json")),
    ("desk.openapi.yaml", include_str!("../../../../../examples/imprint/desk.openapi.yaml")),
];

/// A schema of one optional text.
pub(crate) const TEXT: &str =
    r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}"#;

/// The examples in a folder of their own.
pub(crate) fn example() -> Project {
    let p = Project::bare();
    for (name, text) in FILES {
        p.write(name, text);
    }
    p
}

/// An example with one more file.
pub(crate) fn with(name: &str, text: impl AsRef<[u8]>) -> Project {
    let p = example();
    p.write(name, text);
    p
}

/// A folder with one schema, `s.json`, and nothing else.
pub(crate) fn schema(text: &str) -> Project {
    let p = Project::bare();
    p.write("s.json", text);
    p
}

/// Runs a command with a text on its standard input.
pub(crate) fn fed(p: &Project, args: &[&str], input: &str) -> Ran {
    let mut child = p.command(args).stdin(Stdio::piped()).spawn().unwrap();
    // A command that refuses before it reads closes its end.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let out = child.wait_with_output().unwrap();
    Ran {
        code: out.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// The payload that a filled template is lowered to.
#[track_caller]
pub(crate) fn lowered(p: &Project, args: &[&str], filled: &str) -> Value {
    let out = fed(p, &[&["imprint", "lower"], args, &["-"]].concat(), filled);
    assert_eq!(out.code, 0, "{filled}\n{}", out.stderr);
    serde_json::from_str(&out.stdout).unwrap()
}

/// The findings of a filled template that is not lowered: a line each, in order.
#[track_caller]
pub(crate) fn findings(p: &Project, args: &[&str], filled: &str) -> Vec<String> {
    let out = fed(p, &[&["imprint", "lower"], args, &["-", "--lines"]].concat(), filled);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{filled}\n{}", out.stderr);
    out.stderr.lines().map(str::to_owned).collect()
}

/// Must be refused with one finding: its place (or, ending in a colon, its line), its code and some words of it.
#[track_caller]
pub(crate) fn finding(p: &Project, args: &[&str], filled: &str, place: &str, code: &str, says: &str) {
    let found = findings(p, args, filled);
    let [one] = found.as_slice() else { panic!("{filled}\n{}", found.join("\n")) };
    let at = if place.ends_with(':') { format!("<stdin>:{place}") } else { format!("<stdin>:{place}: ") };
    let told = one.starts_with(&at) && one.contains(&format!(" error[{code}] ")) && one.contains(says);
    assert!(told, "{filled}\n{one}");
}

/// `deed imprint …` must be refused before it writes anything.
#[track_caller]
pub(crate) fn turned_down(p: &Project, args: &[&str], exit: i32, code: &str, says: &str) -> Ran {
    let out = p.refuses(&[&["imprint"], args].concat(), exit, code, says);
    assert_eq!(out.stdout, "", "{}", args.join(" "));
    out
}

/// The skeleton of a schema.
#[track_caller]
pub(crate) fn skeleton(p: &Project, args: &[&str]) -> Value {
    let out = p.ok(&[&["imprint", "template", "--skeleton"], args].concat());
    serde_json::from_str(&out.stdout).unwrap()
}
