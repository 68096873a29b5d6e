//! A plan whose steps have no code yet, and changes of it.

use crate::common::{Project, Ran};
use serde_json::Value;
use std::io::Write as _;
use std::process::Stdio;

/// A project with the plan as `plan.yaml`.
pub(crate) fn example() -> Project {
    let p = Project::bare();
    p.write("plan.yaml", include_str!("audit.yaml"));
    p
}

/// The plan, changed, under another name. Each of the texts that are replaced has to be there.
#[track_caller]
pub(crate) fn changed(p: &Project, name: &str, edits: &[(&str, &str)]) {
    let mut text = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    for (find, replace) in edits {
        assert!(text.contains(find), "{find}");
        text = text.replacen(find, replace, 1);
    }
    p.write(name, text);
}

/// Runs a command that is given something on standard input. It need not read all of it.
pub(crate) fn fed(p: &Project, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = p.command(args).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: out.status.code().unwrap_or(-1), stdout: text(&out.stdout), stderr: text(&out.stderr) }
}

/// The findings of a plan's check, in lines; it must be refused.
#[track_caller]
pub(crate) fn refused(p: &Project, name: &str) -> String {
    let out = p.run(&["plan", "check", name, "--lines"]);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{}", out.stderr);
    out.stderr
}

/// The codes of diagnostics in a JSON document.
pub(crate) fn codes(document: &Value) -> Vec<&str> {
    document["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect()
}

/// The codes of diagnostics at one place.
pub(crate) fn codes_at<'d>(document: &'d Value, at: &str) -> Vec<&'d str> {
    let found = document["diagnostics"].as_array().unwrap().iter();
    found.filter(|found| found["location"]["pointer"] == at).map(|found| found["code"].as_str().unwrap()).collect()
}
