//! Templates on real schemas from outside of this repository.
//!
//! The corpus is not part of the repository: `DEED_CORPUS` names its folder, else it is looked for
//! beside the repository.

use crate::common::Project;
use std::process::{Command, Stdio};

/// A gzipped file of the corpus, unpacked; nothing if it is not there.
fn unpacked(name: &str) -> Option<Vec<u8>> {
    let file = deed_testkit::corpus(name)?;
    let out = Command::new("gzip").args(["-dc"]).arg(&file).stderr(Stdio::inherit()).output();
    match out {
        Ok(out) if out.status.success() => Some(out.stdout),
        _ => {
            eprintln!("skipped: gzip cannot unpack {}", file.display());
            None
        }
    }
}

#[test]
fn every_schema_of_the_sample_has_a_template_and_every_instance_comes_back() {
    let Some(sample) = unpacked("jsonschemabench/sample.jsonl.gz") else { return };
    let p = Project::bare();
    p.write("sample.jsonl", sample);
    let document = p.json(&["dev", "imprint-audit", "sample.jsonl"]);
    assert_eq!(document["ok"], true, "{}", document["diagnostics"]);
    let audit = &document["data"]["audit"];
    let count = |name: &str| audit[name].as_u64().unwrap();
    assert_eq!(audit["refused"], serde_json::json!({}), "{audit}");
    assert_eq!((count("wrong"), count("valid_rejected"), count("invalid_accepted")), (0, 0, 0), "{audit}");
    assert_eq!((count("template_too_strict"), count("not_rewritten")), (0, 0), "{audit}");
    assert!(count("schemas") == count("accepted") && count("schemas") >= 1_300, "{audit}");
    assert!(count("round_tripped") > 1_500 && count("invalid_refused") > 2_000, "{audit}");
    assert!(audit["skeleton_percent"]["median"].as_f64().unwrap() <= 60.0, "{audit}");
}

#[test]
fn every_body_of_six_descriptions_has_a_template() {
    let names = [
        "adyen.com_CheckoutService_70",
        "notion.com_1.0.0",
        "slack.com_1.7.0",
        "spotify.com_1.0.0",
        "squareup.com_2.0",
        "stripe.com_2022-11-15",
    ];
    let p = Project::bare();
    let mut files = Vec::new();
    for name in names {
        let Some(text) = unpacked(&format!("openapi/{name}.yaml.gz")) else { return };
        p.write(&format!("{name}.yaml"), text);
        files.push(format!("{name}.yaml"));
    }
    let args: Vec<&str> = ["dev", "imprint-audit"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let document = p.json(&args);
    let audit = &document["data"]["audit"];
    assert_eq!((&document["ok"], &audit["refused"]), (&true.into(), &serde_json::json!({})), "{audit}");
    assert!(audit["accepted"].as_u64().unwrap() > 600 && audit["not_rewritten"] == 0, "{audit}");
}
