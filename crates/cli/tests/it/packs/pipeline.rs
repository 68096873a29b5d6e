//! The checklist of a pipeline over folders, without a registry.

use crate::common::Project;
use serde_json::{Value, json};

/// The support pack as `base`, and as `next` with another rationale and a new version.
fn reworded() -> Project {
    let p = Project::bare();
    let pack = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/support");
    p.shell(&format!("cp -r {pack} base && cp -r {pack} next"));
    p.edit_in_place(
        "next/pack.yaml",
        &[("a customer we have recognised", "a customer who is known"), ("pack_version: 1.0.0", "pack_version: 2.0.0")],
    );
    for overlay in ["staging", "high_risk"] {
        let (from, to) = ("ctxpack.support@1.0.0", "ctxpack.support@2.0.0");
        p.edit_in_place(&format!("next/overlays/{overlay}.yaml"), &[(from, to)]);
    }
    p.ok(&["golden", "accept", "next", "--yes"]);
    p
}

const CI: [&str; 5] = ["pack", "ci", "./next", "--base", "./base"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&CI[..], more].concat()
}

#[test]
fn a_change_of_text_is_accepted_in_the_report_for_exactly_these_documents() {
    let p = reworded();
    let refused = p.run(&CI);
    assert_eq!(refused.code, 1, "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains("error[D2414]"), "{}", refused.stderr);
    let meant = ["--accept", "prompt_text", "--as", "security", "--reason", "the tone is meant", "--actor", "ann"];
    let document = p.json(&with(&meant));
    let report = &document["data"];
    assert_eq!((&report["passed"], report["accepted"].as_array().unwrap().len()), (&json!(true), 1), "{report}");
    let accepted = &report["accepted"][0];
    assert_eq!(
        [&accepted["metric"], &accepted["role"], &accepted["by"], &accepted["reason"]],
        [&json!("prompt_text"), &json!("security"), &json!("ann"), &json!("the tone is meant")]
    );
    let text = p.ok(&with(&meant));
    assert!(text.stdout.contains("accepted    prompt_text as security by ann: "), "{}", text.stdout);
    assert!(text.stderr.contains("info[D2409]: accepted on the record: "), "{}", text.stderr);
    for format in ["sarif", "junit"] {
        assert!(p.ok(&with(&[&meant[..], &["--format", format]].concat())).stdout.contains("the tone is meant"));
    }
    // For these documents, and no others.
    let hash = report["content_hash"].as_str().unwrap().to_owned();
    let bound = [&meant[..], &["--accept-for", &hash]].concat();
    p.ok(&with(&bound));
    p.edit_in_place("next/pack.yaml", &[("a customer who is known", "a customer who asks")]);
    p.ok(&["golden", "accept", "next", "--yes"]);
    let other = p.run(&with(&bound));
    assert_eq!(other.code, 1, "{}", other.stdout);
    assert!(other.stderr.contains("warning[D2410]: what is accepted is accepted for"), "{}", other.stderr);
    assert!(other.stderr.contains("error[D2414]"), "{}", other.stderr);
}

#[test]
fn what_is_accepted_covers_its_metric_and_needs_a_role_and_a_reason() {
    let p = reworded();
    p.edit_in_place("next/pack.yaml", &[("redaction_rules: [pan, credit_card]", "redaction_rules: [pan]")]);
    p.ok(&["golden", "accept", "next", "--yes"]);
    let meant = ["--as", "security", "--reason", "meant"];
    let run = p.run(&with(&[&["--accept", "prompt_text"][..], &meant].concat()));
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("error[D2413]") && !run.stderr.contains("error[D2414]"), "{}", run.stderr);
    // A metric that did not get worse is said, and stops nothing.
    let unused = p.run(&with(&[&["--accept", "correction"][..], &meant].concat()));
    assert!(unused.stderr.contains("warning[D2410]: there is no regression of `correction`"), "{}", unused.stderr);
    for more in
        [&["--accept", "prompt_text"][..], &["--accept", "prompt_text", "--as", "security"], &["--accept-for", "x"]]
    {
        assert_eq!(p.run(&with(more)).code, 2, "{more:?}");
    }
    let blank = p.run(&with(&["--accept", "prompt_text", "--as", "security", "--reason", " "]));
    assert_eq!(blank.code, 2, "{}{}", blank.stdout, blank.stderr);
    assert_eq!(p.json(&CI)["data"]["accepted"], Value::Array(Vec::new()));
}
