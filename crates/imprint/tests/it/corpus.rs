//! The law on real material: 1,300 schemas with their instances, and six API descriptions.
//!
//! The corpus is not part of the repository: `DEED_CORPUS` names its folder, else it is looked for beside the
//! repository.

use deed_imprint::{Audit, Case, Imprint, Instance};
use deed_schema::{Api, Part, Schema, read_foreign};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::thread;

/// A packed file of the corpus as text; `None` with a message where it is absent.
fn unpacked(relative: &str) -> Option<String> {
    let file = deed_testkit::corpus(relative)?;
    let output = Command::new("gzip").arg("-dc").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

fn case(line: &str) -> Case {
    let entry: Value = serde_json::from_str(line).unwrap();
    let instance = |test: &Value| Instance { valid: test["valid"].as_bool().unwrap(), data: test["data"].clone() };
    Case {
        id: entry["id"].as_str().unwrap().to_owned(),
        minified: entry["schema"].to_string(),
        instances: entry["tests"].as_array().unwrap().iter().map(instance).collect(),
        schema: Schema::new(entry["schema"].clone()),
    }
}

#[test]
fn the_law_holds_on_real_schemas() {
    let Some(text) = unpacked("jsonschemabench/sample.jsonl.gz") else { return };
    let lines: Vec<&str> = text.lines().collect();
    let (mut audit, mut faults) = (Audit::default(), Vec::new());
    thread::scope(|scope| {
        let judged =
            |lines: &[&str]| -> Vec<_> { lines.iter().map(|line| case(line).judge(&|text| text.len() / 4)).collect() };
        let workers: Vec<_> =
            lines.chunks(lines.len().div_ceil(4)).map(|part| scope.spawn(move || judged(part))).collect();
        for verdict in workers.into_iter().flat_map(|worker| worker.join().unwrap()) {
            let bad = verdict.wrong + verdict.valid_rejected + verdict.invalid_accepted + verdict.template_too_strict;
            if bad > 0 || verdict.refused.is_some() || !verdict.rewritten {
                faults.push(format!("{verdict:?}"));
            }
            audit.add(&verdict);
        }
    });
    let audit = audit.finish();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(audit.holds());
    assert_eq!((audit.schemas, audit.accepted), (1_300, 1_300));
    assert_eq!((audit.wrong, audit.valid_rejected, audit.invalid_accepted), (0, 0, 0));
    assert_eq!((audit.template_too_strict, audit.not_rewritten), (0, 0));
    assert!(audit.reasons().iter().all(|(_, count)| *count == 0));
    // The audit would notice if it had nothing to judge.
    assert!(audit.round_tripped > 1_000 && audit.invalid_refused > 1_000, "{audit:?}");
    println!("{} came back, {} were refused", audit.round_tripped, audit.invalid_refused);
}

/// Operations, templates of requests, templates of bodies.
#[track_caller]
fn describes(name: &str, expected: [usize; 3]) {
    let Some(text) = unpacked(&format!("openapi/{name}.yaml.gz")) else { return };
    let api = Api::new(read_foreign(&text).unwrap()).unwrap();
    let operations = api.operations();
    let (mut counts, mut faults) = ([operations.len(), 0, 0], Vec::new());
    for operation in &operations {
        for (index, part) in [(1, Part::Request), (2, Part::Body)] {
            let Some(schema) = api.schema(operation, part) else { continue };
            counts[index] += 1;
            let imprint = match schema.and_then(Imprint::new) {
                Ok(imprint) => imprint,
                Err(refused) => {
                    faults.push(format!("{} {part:?}: {refused}", operation.id));
                    continue;
                }
            };
            if let Err(refused) = imprint.schema().is_valid(&json!({})) {
                faults.push(format!("{} {part:?} cannot judge: {refused}", operation.id));
            }
            if imprint.head().chars().count() > 200 {
                faults.push(format!("{} {part:?} has a long head", operation.id));
            }
            match Imprint::from_text(&imprint.text()) {
                Ok(again) if again.skeleton() == imprint.skeleton() => {}
                Ok(_) => faults.push(format!("{} {part:?} is written differently again", operation.id)),
                Err(error) => faults.push(format!("{} {part:?} cannot be read: {error}", operation.id)),
            }
            // A value that is not a request is refused, with a message.
            let lowered = imprint.lower(&json!([["x"]]), &BTreeMap::new());
            if lowered.payload.is_some() || lowered.findings.is_empty() {
                faults.push(format!("{} {part:?} takes a list of lists", operation.id));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(counts, expected);
}

#[test]
fn every_request_of_spotify_has_a_template() {
    describes("spotify.com_1.0.0", [88, 83, 17]);
}

#[test]
fn every_request_of_notion_has_a_template() {
    describes("notion.com_1.0.0", [13, 13, 7]);
}

#[test]
fn every_request_of_adyen_has_a_template() {
    describes("adyen.com_CheckoutService_70", [25, 25, 21]);
}

#[test]
fn every_request_of_slack_has_a_template() {
    describes("slack.com_1.7.0", [174, 174, 91]);
}

#[test]
fn every_request_of_square_has_a_template() {
    describes("squareup.com_2.0", [200, 195, 93]);
}

#[test]
fn every_request_of_stripe_has_a_template() {
    describes("stripe.com_2022-11-15", [452, 452, 452]);
}
