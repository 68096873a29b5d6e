//! A project with a workspace, and plans that read from it and write to it.

use crate::common::{Project, Ran};
use crate::run::example::TALLY;
use serde_json::Value;

/// The plan of the next month: it reads what the last run of `tally` wrote.
pub(crate) const GROWTH: &str = r#"plan: growth
mission:
  objective: Say how the total has grown since the last run
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/orders.csv, entity_schema_id: generic.file }
  - { slot: raw_files, path: input/agents/tally/total.json, entity_schema_id: generic.file, kind_key: object.json }
steps:
  - id: compare
    label: Compare the totals
    objective: MUST give the difference
    input_file_paths: [input/orders.csv, input/agents/tally/total.json]
    code:
      language: python
      source: |
        import csv, json
        with open("input/orders.csv", encoding="utf-8") as file:
            now = sum(int(row["amount"]) for row in csv.DictReader(file))
        with open("input/agents/tally/total.json", encoding="utf-8") as file:
            before = json.load(file)["total"]
        with open("output/growth.txt", "w", encoding="utf-8") as file:
            file.write(f"{now - before}\n")
    expected_outputs: [{ path: output/growth.txt, role: primary }]
    artifact_contracts:
      output/growth.txt: { format: txt, kind_key: file.text }
    budget: { wall_seconds: 60 }
    max_retries: 0
"#;

/// A project with a workspace in use, and a plan beside its upload.
pub(crate) fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    p.ok(&["workspace", "new", "reports", "--purpose", "Monthly reports", "--use"]);
    p.write("tally.yaml", TALLY);
    p.write("growth.yaml", GROWTH);
    p.write("october.csv", "order,amount\na,40\nb,2\n");
    p
}

/// The same, with the orders of October uploaded.
pub(crate) fn uploaded() -> Project {
    let p = project();
    p.ok(&["files", "put", "october.csv", "orders.csv"]);
    p
}

/// Runs the plan, approved beforehand.
#[track_caller]
pub(crate) fn tally(p: &Project, id: &str) -> Ran {
    p.ok(&["run", "tally.yaml", "--id", id, "--approve", "clerk"])
}

#[track_caller]
pub(crate) fn data(p: &Project, args: &[&str]) -> Value {
    let document = p.json(args);
    assert_eq!(document["ok"], true, "{document}");
    document["data"].clone()
}

/// The versions of a file with their runs, or their actors, the newest first.
#[track_caller]
pub(crate) fn history(p: &Project, path: &str) -> Vec<(u64, String)> {
    let versions = data(p, &["files", "history", path])["versions"].as_array().unwrap().clone();
    let by = |version: &Value| match version["origin"]["run_id"].as_str() {
        Some(run) => run.to_owned(),
        None => version["actor"].as_str().unwrap().to_owned(),
    };
    versions.iter().map(|version| (version["version"].as_u64().unwrap(), by(version))).collect()
}

#[track_caller]
pub(crate) fn text(p: &Project, reference: &str) -> String {
    p.ok(&["files", "get", reference]).stdout
}
