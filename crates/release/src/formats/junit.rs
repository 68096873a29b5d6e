//! JUnit XML: one suite with a test case for each line of the checklist.

use super::{findings, text};
use crate::ci::{CiLine, CiReport, LineState};
use deed_diag::Report;
use serde_json::Value;
use std::fmt::Write as _;

/// Returns the report as JUnit XML. `shown` has the same findings with the sources that places need, and the secrets that
/// must not be shown.
pub fn junit(report: &CiReport, shown: &Report) -> String {
    let shown = shown.to_json();
    let findings = findings(&shown);
    let count = |state| report.lines.iter().filter(|line| line.state == state).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
        report.lines.len(),
        count(LineState::Failed),
        count(LineState::NotRun)
    );
    let pack = report.pack_ref.as_deref().unwrap_or("not a pack");
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"deed pack ci\" {totals}>");
    let _ = writeln!(out, "  <testsuite name=\"{}\" {totals}>", escaped(pack));
    for line in &report.lines {
        case(&mut out, pack, line, findings);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, pack: &str, line: &CiLine, findings: &[Value]) {
    let own: Vec<&Value> = findings.iter().filter(|finding| text(finding, "stage") == line.step.as_str()).collect();
    let name = format!("{} {}", line.number, line.step.as_str());
    let _ = write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escaped(pack), escaped(&name));
    let note = line.note.as_deref().unwrap_or_default();
    let lines: String = own.iter().map(|finding| shown_line(finding)).collect();
    match line.state {
        LineState::Passed if own.is_empty() => out.push_str("/>\n"),
        LineState::Passed => {
            let _ = writeln!(out, ">\n      <system-out>{}</system-out>\n    </testcase>", escaped(&lines));
        }
        LineState::NotRun => {
            let _ = writeln!(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(note));
        }
        LineState::Failed => {
            let message = match line.errors {
                0 => note.to_owned(),
                1 => "1 error".to_owned(),
                errors => format!("{errors} errors"),
            };
            let _ = writeln!(
                out,
                ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>",
                line.step.as_str(),
                escaped(&message),
                escaped(&lines)
            );
        }
    }
}

/// A finding on one line: its place, severity, code, message and help.
fn shown_line(finding: &Value) -> String {
    let place = finding.get("location");
    let file = place.and_then(|p| p.get("file")).and_then(Value::as_str).unwrap_or("-");
    let start = |key: &str| place.and_then(|p| p.get("start")).and_then(|s| s.get(key)).and_then(Value::as_u64);
    let at = match (start("line"), start("column")) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        _ => file.to_owned(),
    };
    let help = match finding.get("help").and_then(Value::as_str) {
        Some(help) => format!(" (help: {help})"),
        None => String::new(),
    };
    let [severity, code, message] = ["severity", "code", "message"].map(|key| text(finding, key));
    format!("{at}: {severity}[{code}] {message}{help}\n")
}

/// Escapes a text for content and attributes. Characters that XML cannot hold are written as `\u{…}`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
