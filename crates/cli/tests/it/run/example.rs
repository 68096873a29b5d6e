//! A small plan: orders are added up, a clerk is asked, a note is written.

use crate::common::{Project, Ran};

/// The plan. Both steps are Python, and neither reaches out.
pub(crate) const TALLY: &str = r#"plan: tally
mission:
  objective: Add the orders up, and write a note of it once somebody has seen the total
  success_criteria: [output/note.txt exists and is not empty]
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/orders.csv, entity_schema_id: generic.file }
steps:
  - id: add
    label: Add the orders up
    objective: MUST give the number of orders and their total
    input_file_paths: [input/orders.csv]
    code:
      language: python
      source: |
        import csv, json
        with open("input/orders.csv", encoding="utf-8") as file:
            amounts = [int(row["amount"]) for row in csv.DictReader(file)]
        with open("output/total.json", "w", encoding="utf-8") as file:
            json.dump({"orders": len(amounts), "total": sum(amounts)}, file)
    expected_outputs: [{ path: output/total.json }]
    artifact_contracts:
      output/total.json: { format: json, kind_key: object.json, required_fields: [orders, total] }
    success_criteria: [output/total.json exists and is valid json]
    budget: { wall_seconds: 60 }
    max_retries: 0
  - id: note
    label: Write a note
    objective: MUST say the total in one line
    depends_on: [add]
    waits_for: [total-seen]
    input_file_paths: [output/total.json]
    code:
      language: python
      source: |
        import json
        with open("output/total.json", encoding="utf-8") as file:
            total = json.load(file)
        with open("output/note.txt", "w", encoding="utf-8") as file:
            file.write(f"{total['orders']} orders, {total['total']} in all\n")
    expected_outputs: [{ path: output/note.txt, role: primary }]
    artifact_contracts:
      output/note.txt: { format: txt, kind_key: file.text }
    success_criteria: [output/note.txt exists and is not empty]
    budget: { wall_seconds: 60 }
    max_retries: 0
gates:
  - { id: total-seen, question: Is this the total that you expect?, approver_role: clerk, after: [add] }
"#;

/// A run of it.
pub(crate) const RUN: [&str; 5] = ["run", "--plan", "tally.yaml", "--input", "input"];

/// A project with the plan and its input.
pub(crate) fn tally() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    p.write("tally.yaml", TALLY);
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    p
}

/// The same, with one run that has ended well.
pub(crate) fn noted() -> Project {
    let p = tally();
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    p
}

/// The same, with one run that waits at its gate.
pub(crate) fn waiting() -> Project {
    let p = tally();
    let out = p.run(&[&RUN[..], &["--id", "one"]].concat());
    assert_eq!(out.code, 5, "{}{}", out.stdout, out.stderr);
    p
}

/// The plan, changed, under another name. Each of the texts that are replaced has to be there.
#[track_caller]
pub(crate) fn changed(p: &Project, name: &str, edits: &[(&str, &str)]) {
    let mut text = TALLY.to_owned();
    for (find, replace) in edits {
        assert!(text.contains(find), "{find}");
        text = text.replacen(find, replace, 1);
    }
    p.write(name, text);
}

/// Must end with a code and say something, on either stream.
#[track_caller]
pub(crate) fn ends(p: &Project, args: &[&str], code: i32, says: &[&str]) -> Ran {
    let out = p.run(args);
    let said = format!("{}{}", out.stdout, out.stderr);
    assert_eq!(out.code, code, "deed {}\n{said}", args.join(" "));
    for words in says {
        assert!(said.contains(words), "deed {}\ndoes not say\n{words}\nbut\n{said}", args.join(" "));
    }
    out
}
