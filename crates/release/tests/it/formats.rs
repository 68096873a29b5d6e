//! The report as SARIF and JUnit: read back by an independent reader.

use crate::common::{bundle, checked, edited};
use deed_diag::Report;
use deed_release::{CiReport, junit, sarif};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A pack with findings in several lines, whose texts need escaping.
fn broken() -> (CiReport, Report) {
    let base = bundle("packs/support");
    let pack = edited(&base, |pack, _| {
        pack["tooling_layer"]["permissions"][2]["requires_approval_gate"] = json!("G<&\"'\u{7}]]>");
        pack["evaluation_layer"]["eval_targets"][0]["utility"] = json!(0.1);
    });
    let report = checked(&pack, Some(&base), &[], &BTreeSet::new());
    let mut findings = pack.report();
    report.findings().for_each(|d| findings.push(d.clone()));
    (report, findings)
}

/// The parts of the SARIF 2.1.0 schema that concern what is written: required members, types and bounds.
fn schema() -> Value {
    let position = json!({ "type": "integer", "minimum": 1 });
    let message = json!({ "type": "object", "required": ["text"], "properties": { "text": { "type": "string" } } });
    let location = json!({
        "type": "object",
        "properties": {
            "message": message,
            "physicalLocation": {
                "type": "object",
                "required": ["artifactLocation"],
                "properties": {
                    "artifactLocation": { "required": ["uri"], "properties": { "uri": { "type": "string", "pattern": "^[A-Za-z0-9._~/@+,%-]+$" } } },
                    "region": {
                        "type": "object",
                        "properties": { "startLine": position, "startColumn": position, "endLine": position, "endColumn": position },
                    },
                },
            },
        },
    });
    json!({
        "type": "object",
        "required": ["version", "runs"],
        "properties": {
            "version": { "enum": ["2.1.0"] },
            "runs": { "type": "array", "minItems": 1, "items": {
                "type": "object",
                "required": ["tool"],
                "properties": {
                    "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
                    "invocations": { "type": "array", "items": { "required": ["executionSuccessful"] } },
                    "tool": { "required": ["driver"], "properties": { "driver": {
                        "required": ["name"],
                        "properties": { "rules": { "type": "array", "uniqueItems": true, "items": { "required": ["id"] } } },
                    } } },
                    "results": { "type": "array", "items": {
                        "type": "object",
                        "required": ["message"],
                        "properties": {
                            "level": { "enum": ["none", "note", "warning", "error"] },
                            "ruleIndex": { "type": "integer", "minimum": -1 },
                            "message": message,
                            "locations": { "type": "array", "items": location },
                            "relatedLocations": { "type": "array", "items": location },
                        },
                    } },
                },
            } },
        },
    })
}

#[test]
fn sarif_is_valid_and_points_into_the_files() {
    let (report, findings) = broken();
    let log = sarif(&report, &findings, "0.1.0", |code| Some(format!("title of {code}")));
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), report.findings().count());
    assert!(results.len() >= 3);
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let gate = results.iter().find(|r| r["ruleId"] == "D0302").unwrap();
    let place = &gate["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "pack.json");
    assert!(place["region"]["startLine"].as_u64().unwrap() > 1);
    assert_eq!(run["invocations"][0]["exitCode"], 1);
}

/// A reader of well-formed XML without declarations: returns the elements as `name attributes`, or why it is not XML.
fn read_xml(text: &str) -> Result<Vec<String>, String> {
    let mut rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").ok_or("no declaration")?;
    let (mut open, mut elements) = (Vec::new(), Vec::new());
    if let Some(bad) =
        text.chars().find(|c| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}'))
    {
        return Err(format!("the character {bad:?}"));
    }
    while let Some(at) = rest.find('<') {
        entities(&rest[..at])?;
        let end = rest.find('>').ok_or("an open tag")?;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let last: Option<String> = open.pop();
            if last.as_deref() != Some(name) {
                return Err(format!("</{name}> closes {last:?}"));
            }
            continue;
        }
        let whole = tag.strip_suffix('/').unwrap_or(tag);
        let name = whole.split(' ').next().unwrap().to_owned();
        let attributes = whole[name.len()..].trim_start();
        if attributes.matches('"').count() % 2 != 0 || attributes.contains('<') {
            return Err(format!("attributes {attributes}"));
        }
        entities(attributes)?;
        elements.push(format!("{name} {attributes}"));
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(elements) } else { Err(format!("left: {open:?} {rest}")) }
}

fn entities(text: &str) -> Result<(), String> {
    for part in text.split('&').skip(1) {
        let name = part.split(';').next().unwrap();
        if !["amp", "lt", "gt", "quot", "apos"].contains(&name) {
            return Err(format!("the entity {name}"));
        }
    }
    if text.contains("]]>") { Err("]]> in a text".to_owned()) } else { Ok(()) }
}

#[test]
fn junit_is_well_formed_and_counts_every_line() {
    let (report, findings) = broken();
    let elements = read_xml(&junit(&report, &findings)).unwrap_or_else(|why| panic!("{why}"));
    let cases = elements.iter().filter(|e| e.starts_with("testcase ")).count();
    assert_eq!(cases, 8);
    let failures = elements.iter().filter(|e| e.starts_with("failure ")).count();
    assert!(failures >= 2);
    assert!(elements[0].contains(&format!("tests=\"8\" failures=\"{failures}\"")), "{}", elements[0]);
    let skipped = elements.iter().filter(|e| e.starts_with("skipped ")).count();
    assert!(elements[0].ends_with(&format!("skipped=\"{skipped}\"")));
    // The reader itself refuses what is not XML.
    for bad in ["<a>", "<a></b>", "<a>&x;</a>", "<a b=\"></a>"] {
        assert!(read_xml(&format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{bad}")).is_err(), "{bad}");
    }
}

#[test]
fn no_format_shows_a_secret() {
    let base = bundle("packs/support");
    let sample = deed_detect::sample("github-classic-token", 3).unwrap();
    let secret = sample.text[sample.secret.clone()].to_owned();
    let pack = edited(&base, |pack, _| pack["business_context"]["summary"]["what_we_do"] = json!(sample.text));
    let report = checked(&pack, Some(&base), &[], &BTreeSet::new());
    assert!(report.findings().any(|d| d.code.as_str() == "D0901"));
    let mut findings = pack.report();
    report.findings().for_each(|d| findings.push(d.clone()));
    let log = sarif(&report, &findings, "0.1.0", |_| None).to_string();
    let xml = junit(&report, &findings);
    let data = serde_json::to_string(&report).unwrap();
    for (name, text) in [("sarif", log), ("junit", xml), ("json", data)] {
        assert!(!text.contains(&secret), "{name}");
    }
}
