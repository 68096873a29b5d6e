//! Types are frozen with a run: what becomes of the project's packs afterwards changes nothing for it.

use super::example::ends;
use crate::common::Project;
use serde_json::json;

const ENTITY: &str = "$schema: https://json-schema.org/draft/2020-12/schema
$id: urn:deed:entity:tallies.total
title: Total
description: The total of some orders.
type: object
properties:
  total_id: { type: string, minLength: 1, description: Identifies the total. }
  total: { type: integer, minimum: 0, description: The total. }
required: [total_id, total]
additionalProperties: false
x-deed-keys: [[total_id]]
x-deed-grain: [total_id]
";

const PACK: &str = "domain_pack_id: tallies
version: 1.0.0
purpose: Adds orders up and keeps the totals.
entity_schemas: [tallies.total]
triggers: [add the orders up, order totals, tally of orders]
disambiguation:
  - against: finance-analysis
    rule: This pack is for totals of orders; the other for ledgers and budgets.
    terms: [ledger, budget]
example_goals:
  - Add the orders of May up
  - What is the total of all open orders?
synonyms: { total: [sum, amount in all] }
canonical_profiles:
  - { profile_id: tallies.table.json_rows.totals.v1, entity_schema_id: tallies.total, kind_key: table.json_rows, slot: findings }
typical_slots: { inputs: [raw_files], outputs: [findings] }
default_policy: strict.allow-normalizers.v1
";

const PLAN: &str = r#"plan: totals
mission: { objective: Keep the totals }
domain_pack_ids: [tallies]
policy_profile_id: generic.inference-allowed.v1
inputs: [{ slot: raw_files, path: input/orders.csv, entity_schema_id: generic.file }]
steps:
  - id: look
    label: Look at the orders
    objective: MUST say that they are there
    input_file_paths: [input/orders.csv]
    code: { language: python, source: "open('output/seen.json', 'w').write('{}')" }
    expected_outputs: [{ path: output/seen.json }]
    artifact_contracts: { output/seen.json: { format: json, kind_key: object.json } }
    success_criteria: [output/seen.json is valid json]
  - id: keep
    label: Keep the totals
    objective: MUST keep one total
    depends_on: [look]
    waits_for: [seen]
    policy_profile_id: strict.allow-normalizers.v1
    abstract_outputs: [{ slot: findings, entity_schema_id: tallies.total, preferred_kind_keys: [table.json_rows] }]
    code: { language: python, source: "open('output/totals.rows.json', 'w').write('[{\"total_id\": \"may\", \"total\": 42}]')" }
    expected_outputs: [{ path: output/totals.rows.json, role: primary }]
    artifact_contracts: { output/totals.rows.json: { format: json, kind_key: table.json_rows } }
    success_criteria: [output/totals.rows.json matches its schema]
gates: [{ id: seen, question: Go on?, approver_role: clerk, after: [look] }]
"#;

/// A project with a pack of its own, and a run that waits at its gate.
fn waiting() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    p.write("tallies/pack.yaml", PACK);
    p.write("tallies/entities/tallies.total.yaml", ENTITY);
    p.ok(&["catalog", "add", "tallies"]);
    p.write("totals.yaml", PLAN);
    p.write("input/orders.csv", "order,amount\na,42\n");
    ends(&p, &["run", "--plan", "totals.yaml", "--input", "input", "--id", "one"], 5, &["one  totals  waiting"]);
    p
}

/// The file of the entity in the project's catalogue.
fn added(p: &Project) -> std::path::PathBuf {
    let mut folders = vec![p.path(".deed/catalog")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => folders.push(entry),
                false if entry.to_string_lossy().contains("tallies.total") => return entry,
                false => {}
            }
        }
    }
    panic!("the entity was not added");
}

#[track_caller]
fn goes_on(p: &Project) {
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    ends(p, &["runs", "resume", "one"], 0, &["one  totals  succeeded"]);
    assert_eq!(p.json(&["receipts", "verify", "one"])["data"]["sound"], json!(true));
}

#[test]
fn an_edited_pack_changes_nothing_for_a_run_that_waits() {
    let p = waiting();
    let file = added(&p);
    let text = std::fs::read_to_string(&file).unwrap();
    let edited = text.replace("total_id, total]", "total_id, total, currency]").replace("minimum: 0", "maximum: 1");
    assert_ne!(edited, text);
    std::fs::write(&file, edited).unwrap();
    goes_on(&p);
}

#[test]
fn a_pack_that_cannot_be_read_any_more_changes_nothing_for_a_run_that_waits() {
    let p = waiting();
    std::fs::write(added(&p), "{ this is: [no entity").unwrap();
    goes_on(&p);
}

#[test]
fn a_deleted_pack_changes_nothing_for_a_run_that_waits() {
    let p = waiting();
    std::fs::remove_dir_all(p.path(".deed/catalog")).unwrap();
    goes_on(&p);
    // A new run needs it.
    ends(&p, &["run", "--plan", "totals.yaml", "--input", "input", "--id", "two"], 1, &["D1912"]);
}

#[test]
fn a_folder_of_types_that_has_no_effect_is_told() {
    let p = waiting();
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    ends(&p, &["runs", "resume", "one", "--catalog", "tallies"], 0, &["`--catalog` has no effect here"]);
}
