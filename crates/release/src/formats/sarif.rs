//! SARIF 2.1.0: one run with a rule for each code and a result for each finding.

use super::{findings, text};
use crate::ci::CiReport;
use deed_diag::{Invariant as _, Report};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the report as a SARIF log. `shown` has the same findings with the sources that places need, and the secrets
/// that must not be shown; `title` returns the title of a code.
pub fn sarif(report: &CiReport, shown: &Report, version: &str, title: impl Fn(&str) -> Option<String>) -> Value {
    let shown = shown.to_json();
    let findings = findings(&shown);
    let mut rules: BTreeMap<&str, usize> = findings.iter().map(|finding| (text(finding, "code"), 0)).collect();
    rules.values_mut().enumerate().for_each(|(at, index)| *index = at);
    let described = rules.keys().map(|id| match title(id) {
        Some(title) => json!({ "id": id, "shortDescription": { "text": title } }),
        None => json!({ "id": id }),
    });
    let described: Vec<Value> = described.collect();
    let rule = |finding: &Value| rules.get(text(finding, "code")).copied().invariant("the code of a finding is a rule");
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, rule(finding))).collect();
    let notes: Vec<Value> = report
        .lines
        .iter()
        .map(|line| json!({ "line": line.number, "step": line.step, "state": line.state, "note": line.note }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "deed pack ci", "semanticVersion": version, "rules": described } },
            "invocations": [{ "executionSuccessful": true, "exitCode": if report.passed { 0 } else { 1 } }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "pack": report.pack_ref, "contentHash": report.content_hash, "lines": notes },
        }],
    })
}

fn result(finding: &Value, rule: usize) -> Value {
    let level = match text(finding, "severity") {
        "error" => "error",
        "warning" => "warning",
        _ => "note",
    };
    let message = match finding.get("help").and_then(Value::as_str) {
        Some(help) => format!("{}\nhelp: {help}", text(finding, "message")),
        None => text(finding, "message").to_owned(),
    };
    let mut result = json!({
        "ruleId": text(finding, "code"),
        "ruleIndex": rule,
        "level": level,
        "message": { "text": message },
        "properties": { "line": text(finding, "stage") },
    });
    let members = result.as_object_mut().invariant("a result is an object");
    if let Some(location) = finding.get("location").and_then(located) {
        members.insert("locations".to_owned(), json!([location]));
    }
    let related: Vec<Value> = finding
        .get("related")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|related| {
            let mut location = located(related.get("location")?)?;
            let message = text(related, "message");
            location.as_object_mut()?.insert("message".to_owned(), json!({ "text": message }));
            Some(location)
        })
        .collect();
    if !related.is_empty() {
        members.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    result
}

/// A place in a file; `None` for a place that names none.
fn located(place: &Value) -> Option<Value> {
    let uri = uri_reference(place.get("file").and_then(Value::as_str)?);
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    let at = |end: &str, key: &str| place.get(end).and_then(|p| p.get(key)).and_then(Value::as_u64);
    if let (Some(line), Some(column)) = (at("start", "line"), at("start", "column")) {
        let mut region = json!({ "startLine": line, "startColumn": column });
        if let (Some(line), Some(column), Some(region)) =
            (at("end", "line"), at("end", "column"), region.as_object_mut())
        {
            region.insert("endLine".to_owned(), json!(line));
            region.insert("endColumn".to_owned(), json!(column));
        }
        physical.as_object_mut()?.insert("region".to_owned(), region);
    }
    Some(json!({ "physicalLocation": physical }))
}

/// Writes a path as a relative URI reference: bytes that a path segment may not hold are percent-encoded. A first segment
/// with a colon would be read as a scheme.
fn uri_reference(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        let plain =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/' | b'@' | b'+' | b',');
        match plain {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
