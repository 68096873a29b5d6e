//! Outputs of unknown number at the shell.

use super::example::ends;
use crate::common::Project;
use serde_json::json;

const PLAN: &str = r#"plan: pages
mission: { objective: Write the pages, success_criteria: ["output/pages/*.html is not empty"] }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: write
    label: Write pages
    objective: MUST write pages
    code:
      language: python
      source: |
        import os
        os.makedirs("output/pages")
        for n in range(3):
            with open(f"output/pages/{n}.html", "w") as page:
                page.write(f"<!doctype html><html><body><p>Page {n}</p></body></html>")
    expected_outputs: [{ path: "output/pages/*.html", role: primary, at_most: 5 }]
    artifact_contracts: { "output/pages/*.html": { format: html, kind_key: web.page.html } }
    success_criteria: ["output/pages/*.html exists and is valid html"]
  - id: index
    label: Write an index
    objective: MUST list the pages
    depends_on: [write]
    input_file_paths: ["output/pages/*.html"]
    code:
      language: python
      source: |
        import deed, json
        with open("output/index.json", "w") as index:
            json.dump({"pages": deed.files("output/pages/*.html")}, index)
    expected_outputs: [{ path: output/index.json }]
    artifact_contracts: { output/index.json: { format: json, kind_key: object.json } }
    success_criteria: [output/index.json is valid json]
"#;

#[test]
fn a_set_is_run_listed_exported_verified_and_explained() {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    p.write("pages.yaml", PLAN);
    let explained = p.ok(&["plan", "explain", "pages.yaml", "write"]).stdout;
    assert!(explained.contains("a set of 1 to 5 files, each held to this contract"), "{explained}");
    assert!(p.ok(&["sandbox", "plan", "pages.yaml", "index"]).stdout.contains("/workspace/output/pages "));
    ends(&p, &["run", "--plan", "pages.yaml", "--id", "one"], 0, &["succeeded  write  3 files"]);
    let listed = p.json(&["artifacts", "list", "one"])["data"].clone();
    let sets: Vec<&serde_json::Value> = listed.as_array().unwrap().iter().map(|file| &file["set"]).collect();
    assert_eq!(
        sets,
        [&json!(null), &json!("output/pages/*.html"), &json!("output/pages/*.html"), &json!("output/pages/*.html")]
    );
    let out = p.ok(&["artifacts", "export", "one", "output/pages/*.html", "--out", "set"]).stdout;
    assert_eq!(out, "set/output/pages/0.html\nset/output/pages/1.html\nset/output/pages/2.html\n");
    let out = p.ok(&["artifacts", "export", "one", "--out", "all"]).stdout;
    assert_eq!(out.lines().count(), 4, "{out}");
    assert_eq!(p.json(&["receipts", "verify", "one"])["data"]["sound"], json!(true));
    let shown = p.ok(&["receipts", "show", "one", "write"]).stdout;
    assert!(shown.contains("  set      output/pages/*.html  3 files, "), "{shown}");
    // More files than the plan expects fail the run, and say which number to change.
    p.write("more.yaml", PLAN.replace("range(3)", "range(6)"));
    ends(
        &p,
        &["run", "--plan", "more.yaml", "--id", "two"],
        1,
        &["D2046: the set `output/pages/*.html` has 6 files, and `at_most` is 5"],
    );
}
