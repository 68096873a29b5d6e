//! `deed run --profile`: the profile is frozen with the run, and its budgets bind it.

use super::example::{RUN, TALLY, noted, tally};
use super::tamper::{change, replace};
use crate::common::Project;
use serde_json::Value;

const LEAST: &str = "profile_id: team\nversion: 1.0.0\nissuer: tenant_acme_prod\n";

/// The plan and a profile, with more lines.
fn project(more: &str) -> Project {
    let p = tally();
    p.write("team.yaml", format!("{LEAST}{more}"));
    p
}

fn run(p: &Project, more: &[&str]) -> Vec<String> {
    let all = [&RUN[..], &["--id", "one", "--profile", "./team.yaml"], more].concat();
    assert!([0, 5].contains(&p.run(&all).code));
    all.iter().map(|word| (*word).to_owned()).collect()
}

fn data(p: &Project) -> Value {
    p.json(&["runs", "show", "one"])["data"].clone()
}

#[test]
fn a_frozen_profile_governs_a_run_to_its_end() {
    let p = project("budgets: { tool_calls: 9 }\n");
    let explained = p.json(&["profile", "explain", "./team.yaml"]);
    run(&p, &[]);
    let before = data(&p);
    assert_eq!(before["profile"]["profile_ref"], "team@1.0.0");
    assert_eq!(before["profile"]["snapshot_hash"], explained["data"]["snapshot_hash"]);
    assert_eq!(before["grant"]["governed_calls"], 9);
    // The file is changed, and then gone, while the run waits.
    p.write("team.yaml", "profile_id: other\nversion: 2.0.0\nbudgets: { max_steps: 1, tool_calls: 0 }\n");
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    std::fs::remove_file(p.path("team.yaml")).unwrap();
    p.ok(&["runs", "resume", "one"]);
    let after = data(&p);
    assert_eq!(after["status"], "succeeded");
    assert_eq!((&after["profile"], &after["grant"]), (&before["profile"], &before["grant"]));
    let verified = p.json(&["receipts", "verify", "one"]);
    assert!(verified.to_string().contains("profile frozen with the run"), "{verified}");
}

#[test]
fn an_altered_snapshot_is_found() {
    let p = project("");
    run(&p, &["--approve", "clerk"]);
    p.ok(&["receipts", "verify", "one"]);
    change(&p, |db| replace(db, "small_blobs", "bytes", "\"window_size\":4", "\"window_size\":5"));
    let found = p.run(&["receipts", "verify", "one"]);
    let said = format!("{}{}", found.stdout, found.stderr);
    assert!(found.code != 0 && said.contains("profile frozen with the run"), "{said}");
}

#[test]
fn budgets_of_the_profile_bind_where_they_are_tighter() {
    let p = project("budgets: { tool_calls: 9, timeouts: { run_wall_ms: 500000 } }\n");
    run(&p, &["--budget", "governed_calls=3", "--budget", "wall_seconds=900"]);
    let grant = &data(&p)["grant"];
    assert_eq!((&grant["governed_calls"], &grant["wall_seconds"]), (&Value::from(3), &Value::from(500)));
}

#[test]
fn a_plan_beyond_its_profile_does_not_start() {
    let p = project("budgets: { max_steps: 1 }\n");
    let args = [&RUN[..], &["--id", "one", "--profile", "./team.yaml"]].concat();
    p.refuses(&args, 1, "D2827", "the plan has 2 steps, and `team@1.0.0` allows 1");
    p.write("team.yaml", format!("{LEAST}egress: [{{ host: a.example, paths: [\"/v1/*\"] }}]\n"));
    let reaches = |rule: &str| {
        TALLY.replacen(
            "    max_retries: 0",
            &format!("    max_retries: 0\n    tool_needs: [http.fetch]\n    egress: [{rule}]"),
            1,
        )
    };
    p.write("tally.yaml", reaches("{ host: a.example }"));
    p.refuses(&args, 1, "D2827", "reaches `a.example`");
    p.write("team.yaml", format!("{LEAST}budgets: {{ timeouts: {{ run_wall_ms: 1000 }} }}\n"));
    p.write("tally.yaml", TALLY);
    p.refuses(&args, 1, "D2003", "wall_seconds");
    p.refuses(&["runs", "show", "one"], 1, "D2004", "one");
}

#[test]
fn governed_settings_of_the_home_limit_every_profile() {
    let p = project("budgets: { tool_calls: 9 }\n");
    p.write(".deed/settings.yaml", "limits: { tool_calls: 2 }\n");
    run(&p, &["--approve", "clerk"]);
    assert_eq!(data(&p)["grant"]["governed_calls"], 2);
    p.write(".deed/settings.yaml", "limits: { max_steps: 1 }\n");
    let args = [&RUN[..], &["--id", "two", "--profile", "./team.yaml"]].concat();
    p.refuses(&args, 1, "D2827", "the plan has 2 steps");
    p.write(".deed/settings.yaml", "limitz: {}\n");
    p.refuses(&args, 1, "D0203", "limitz");
}

#[test]
fn a_run_without_a_profile_names_none() {
    let p = noted();
    assert_eq!(data(&p).get("profile"), None);
}

#[test]
fn the_bound_profile_governs_a_run_that_names_none() {
    let p = project("budgets: { tool_calls: 9 }\n");
    p.ok(&["keys", "generate", "acme"]);
    p.ok(&["keys", "trust", "acme", "--issuer", "tenant_acme_prod", "--sign"]);
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    p.ok(&["profile", "bind", "team@1.0.0"]);
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    assert_eq!(data(&p)["profile"]["profile_ref"], "team@1.0.0");
    p.write("team.yaml", format!("{LEAST}budgets: {{ tool_calls: 4 }}\n").replace("1.0.0", "1.1.0"));
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    p.ok(&["profile", "bind", "team@1.1.0", "--run", "two"]);
    p.ok(&[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat());
    assert_eq!(p.json(&["runs", "show", "two"])["data"]["profile"]["profile_ref"], "team@1.1.0");
}

/// Every subject of a receipt in a document.
fn subjects(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("of").filter(|of| of.get("contract_hash").is_some()).cloned());
            fields.values().for_each(|value| subjects(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| subjects(value, found)),
        _ => {}
    }
}

#[test]
fn contract_receipts_and_seal_name_the_frozen_snapshot() {
    let p = project("budgets: { tool_calls: 9 }\n");
    run(&p, &["--approve", "clerk"]);
    let snapshot = data(&p)["profile"]["snapshot_hash"].as_str().unwrap().to_owned();
    let shown = p.json(&["receipts", "show", "one"])["data"].clone();
    let mut found = Vec::new();
    subjects(&shown, &mut found);
    assert!(found.len() >= 4, "{shown}");
    for of in &found {
        assert_eq!(of["snapshot_hash"], snapshot.as_str());
        let spec = of["spec_hash"].as_str().unwrap();
        let text = format!("deed/frozen-contract/v1\n{{\"snapshot_hash\":\"{snapshot}\",\"spec_hash\":\"{spec}\"}}");
        let expected = deed_canon::ContentHash::of_bytes(text.as_bytes()).to_string();
        assert_eq!(of["contract_hash"], expected.as_str());
    }
    p.ok(&["receipts", "verify", "one"]);
    // Under another profile the contracts are others, and the work is the same: a fork does not do it again.
    p.write("team.yaml", format!("{LEAST}budgets: {{ tool_calls: 8 }}\n").replace("1.0.0", "1.1.0"));
    let profile = ["--profile", "./team.yaml", "--approve", "clerk"];
    p.ok(&[&RUN[..], &["--id", "two", "--from", "one", "--step", "note"], &profile].concat());
    let taken = p.ok(&["receipts", "show", "two", "add"]).stdout;
    assert!(taken.contains("taken    from one"), "{taken}");
    let mut other = Vec::new();
    subjects(&p.json(&["receipts", "show", "two"])["data"], &mut other);
    let of_step = |found: &[Value], field: &str| {
        found.iter().find(|of| of["step_id"] == "note").map(|of| of[field].as_str().unwrap().to_owned()).unwrap()
    };
    assert_eq!(of_step(&found, "spec_hash"), of_step(&other, "spec_hash"));
    assert_ne!(of_step(&found, "contract_hash"), of_step(&other, "contract_hash"));
    p.ok(&["receipts", "verify", "two"]);
}
