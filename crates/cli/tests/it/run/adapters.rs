//! Adapters of a plan, as people type it: which table is which, groups, files that lack optional lists, and what was
//! dropped on the way.

use crate::common::Project;

const JOIN: &str = "plan: join-order
mission: { objective: All people and their bonus where there is one }
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: normalized_rows, path: input/z_people.rows.json, entity_schema_id: generic.record, kind_key: table.json_rows }
  - { slot: normalized_rows, path: input/a_bonus.rows.json, entity_schema_id: generic.record, kind_key: table.json_rows }
steps:
  - id: join
    label: Join people with their bonus
    objective: MUST keep all people
    adapter: joined_rows.v1
    abstract_inputs:
      - { slot: normalized_rows, entity_schema_id: generic.record, path: input/z_people.rows.json, adapt: { keys: [id] } }
      - { slot: normalized_rows, entity_schema_id: generic.record, path: input/a_bonus.rows.json, adapt: { keys: [id] } }
    abstract_outputs: [{ slot: joined_rows, entity_schema_id: generic.record, preferred_kind_keys: [dataset.joined_rows] }]
    expected_outputs: [{ path: output/all.joined.json, role: primary }]
";

fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    std::fs::create_dir_all(p.path("in")).unwrap();
    p
}

#[test]
fn a_join_is_that_of_the_single_command_and_says_what_it_dropped() {
    let p = project();
    p.write("in/z_people.rows.json", r#"[{"id":"1","name":"a"},{"id":"2","name":"b"},{"id":"3","name":"c"}]"#);
    p.write("in/a_bonus.rows.json", r#"[{"id":"2","bonus":10},{"id":"9","bonus":99}]"#);
    p.write("j.plan.yaml", JOIN);
    let dropped = "a row of the second table had no partner and was left out (once, first at row 2)";
    let out = p.ok(&["run", "--plan", "j.plan.yaml", "--input", "in", "--id", "j1"]);
    assert!(out.stdout.contains(dropped) && out.stderr.contains(dropped), "{}\n{}", out.stdout, out.stderr);
    assert!(p.ok(&["runs", "show", "j1"]).stdout.contains(dropped));
    assert!(p.ok(&["receipts", "show", "j1"]).stdout.contains(dropped));
    let shown = p.json(&["runs", "show", "j1"]);
    assert!(shown["data"]["steps"][0]["remarks"].to_string().contains(dropped), "{shown}");
    assert!(p.json(&["receipts", "show", "j1"]).to_string().contains("no partner"));
    p.ok(&["artifacts", "export", "j1", "--out", "o"]);
    let planned: serde_json::Value =
        serde_json::from_slice(&std::fs::read(p.path("o/output/all.joined.json")).unwrap()).unwrap();
    let files = ["in/z_people.rows.json", "in/a_bonus.rows.json"];
    let single = p.ok(&[&["catalog", "adapt", "joined_rows.v1"][..], &files, &["--key", "id"]].concat()).stdout;
    let single: serde_json::Value = serde_json::from_str(&single).unwrap();
    assert_eq!((&planned, planned.as_array().unwrap().len()), (&single, 3));
}

/// A CSV file that lacks an optional list is read, and groups have an entity of their own.
#[test]
fn plans_with_inserted_adapters_run() {
    let p = project();
    p.write("in/leads.csv", "lead_id,full_name,source,status,created_at\nl1,Ada,web_form,new,2026-01-01T00:00:00Z\n");
    p.write(
        "leads.yaml",
        "plan: leads
mission: { objective: Score the leads }
domain_pack_ids: [sales-crm]
inputs: [{ slot: normalized_rows, path: input/leads.csv, entity_schema_id: crm.lead }]
steps:
  - id: score
    label: Score
    objective: MUST score
    abstract_inputs: [{ slot: normalized_rows, entity_schema_id: crm.lead, accepted_kind_keys: [table.json_rows] }]
    code: { language: javascript, source: \"export default () => ({ 'output/n.json': { n: 1 } })\" }
    expected_outputs: [{ path: output/n.json, role: primary }]
    artifact_contracts: { output/n.json: { format: json, kind_key: object.json } }
    success_criteria: [output/n.json is valid json]
",
    );
    p.ok(&["run", "--plan", "leads.yaml", "--input", "in", "--id", "l"]);
    p.write(
        "in/time.csv",
        "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
         1,p,r,c,x,2026-01-01,2,true,draft\n2,p,r,c,x,2026-01-02,3,true,draft\n",
    );
    p.write(
        "agg.yaml",
        "plan: agg
mission: { objective: Hours of each person }
domain_pack_ids: [billing-audit]
inputs: [{ slot: aggregated_rows, path: input/time.csv, entity_schema_id: billing.time_entry }]
steps:
  - id: totals
    label: Totals
    objective: MUST total
    abstract_inputs:
      - slot: aggregated_rows
        entity_schema_id: billing.time_entry
        accepted_kind_keys: [dataset.aggregated_rows]
        fields: [person_id, total]
        adapt: { keys: [person_id], measures: [{ field: hours, how: sum, name: total }] }
    code:
      language: javascript
      source: |
        export default (inputs, context) => ({ 'output/t.json': { rows: context.json(context.read[0]) } })
    expected_outputs: [{ path: output/t.json, role: primary }]
    artifact_contracts: { output/t.json: { format: json, kind_key: object.json } }
    success_criteria: [output/t.json is valid json]
",
    );
    p.ok(&["run", "--plan", "agg.yaml", "--input", "in", "--id", "a"]);
    p.ok(&["artifacts", "export", "a", "--out", "o"]);
    let text = std::fs::read_to_string(p.path("o/output/t.json")).unwrap();
    assert_eq!(text.trim(), r#"{"rows":[{"person_id":"p","total":5}]}"#);
}

/// A table separated by another character does not become one column without a word.
#[test]
fn a_csv_file_with_semicolons_is_reported() {
    let p = project();
    p.write("s.csv", "client;hours\nacme;1.5\n");
    p.write("decimals.csv", "client;hours\nacme;1,5\n");
    let out = p.run(&["catalog", "adapt", "csv_to_json_rows.v1", "decimals.csv"]);
    assert!(out.code != 0 && out.stderr.contains("delimiter that its kind has"), "{}", out.stderr);
    let out = p.ok(&["catalog", "adapt", "csv_to_json_rows.v1", "s.csv"]);
    assert!(out.stderr.contains("the header is one column"), "{}", out.stderr);
    let out = p.run(&["catalog", "adapt", "csv_to_json_rows.v1", "s.csv", "--entity", "billing.time_entry"]);
    assert!(out.code != 0 && out.stderr.contains("delimiter"), "{}", out.stderr);
}
