//! Columns as people declare them: optional ones, lists, groups in every form, measures of text. A plan that compiles
//! runs, or fails for a reason in the data.

use crate::common::Project;

const LEADS: &str = "plan: leads
mission: { objective: Read the leads }
domain_pack_ids: [sales-crm]
inputs: [{ slot: normalized_rows, path: input/FILE, entity_schema_id: crm.lead, kind_key: GIVEN }]
steps:
  - id: read
    label: Read
    objective: MUST read
    abstract_inputs:
      - { slot: normalized_rows, entity_schema_id: crm.lead, accepted_kind_keys: [READ], fields: [COLUMNS] }
    code:
      language: javascript
      source: |
        export default (inputs, context) => ({ 'output/n.json': { text: inputs[context.read[0]] } })
    expected_outputs: [{ path: output/n.json, role: primary }]
    artifact_contracts: { output/n.json: { format: json, kind_key: object.json } }
    success_criteria: [output/n.json is valid json]
";

const HEADER: &str = "lead_id,full_name,source,status,created_at";
const ROW: &str = "l1,Ada,web_form,new,2026-01-01T00:00:00Z";

fn leads(given: &str, read: &str, columns: &str) -> String {
    let file = if given == "table.csv" { "leads.csv" } else { "leads.rows.json" };
    LEADS.replace("FILE", file).replace("GIVEN", given).replace("READ", read).replace("COLUMNS", columns)
}

fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    std::fs::create_dir_all(p.path("in")).unwrap();
    p
}

/// An empty cell of an optional field is no value, in whatever form the rows are read.
#[test]
fn an_empty_cell_of_an_optional_column_is_absent() {
    let p = project();
    p.write("in/leads.csv", format!("{HEADER},email\n{ROW},\n"));
    p.write("in/leads.rows.json", "[]");
    for (read, id) in [("table.json_rows", "rows"), ("table.csv", "csv"), ("table.parquet", "parquet")] {
        let plan = leads("table.csv", read, "lead_id, email")
            .replace("{ text: inputs[context.read[0]] }", "{ found: inputs[context.read[0]].length > 0 }");
        p.write("p.yaml", plan);
        p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", id]);
    }
    // The header of a table that is read as it stands has the columns that the step reads.
    p.write("in/leads.csv", format!("{HEADER}\n{ROW}\n"));
    p.write("p.yaml", leads("table.csv", "table.csv", "lead_id, email"));
    let out = p.run(&["run", "--plan", "p.yaml", "--input", "in", "--id", "lacks"]);
    assert!(out.code == 1 && out.stdout.contains("it has no column `email`"), "{}\n{}", out.stdout, out.stderr);
    // A required column is required in every row.
    p.write("in/leads.rows.json", r#"[{"lead_id":"l1","full_name":"A","source":"event","status":"new"}]"#);
    p.write("p.yaml", leads("table.json_rows", "table.json_rows", "lead_id, created_at"));
    let out = p.run(&["run", "--plan", "p.yaml", "--input", "in", "--id", "required"]);
    assert!(out.code == 1 && out.stderr.contains("created_at"), "{}", out.stderr);
}

/// No cell holds a list: a plan that reads one from a flat table is refused, in whatever form it reads it.
#[test]
fn a_list_under_fields_of_a_flat_table_is_refused_when_the_plan_is_checked() {
    let p = project();
    for read in ["table.json_rows", "table.csv", "table.parquet"] {
        p.write("p.yaml", leads("table.csv", read, "lead_id, score_reasons"));
        let out = p.run(&["plan", "check", "p.yaml", "--lines"]);
        assert!(out.code == 1 && out.stderr.contains("error[D1944]"), "{read}: {}", out.stderr);
        assert!(out.stderr.contains("`score_reasons` of `crm.lead`"), "{read}: {}", out.stderr);
    }
    // What the entity requires is read, too, whatever columns the file is said to have.
    let required = leads("table.csv", "READ", "kind").replace("crm.lead", "crm.record_issue");
    let required = required.replace("kind_key: table.csv", "kind_key: table.csv, fields: [issue_id]");
    for read in ["table.json_rows", "table.csv"] {
        p.write("p.yaml", required.replace("READ", read).replace("fields: [kind]", "fields: [issue_id]"));
        let out = p.run(&["plan", "check", "p.yaml", "--lines"]);
        assert!(out.code == 1 && out.stderr.contains("`source_ids` of `crm.record_issue`"), "{read}: {}", out.stderr);
    }
    p.write("in/leads.rows.json", r#"[{"lead_id":"l1","full_name":"A","source":"event","status":"new","created_at":"2026-01-01T00:00:00Z","score_reasons":["x"]},{"lead_id":"l2","full_name":"A","source":"event","status":"new","created_at":"2026-01-01T00:00:00Z"}]"#);
    p.write("p.yaml", leads("table.json_rows", "table.json_rows", "lead_id, score_reasons"));
    p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", "lists"]);
}

/// All that is wrong with a row is named.
#[test]
fn several_faults_of_one_row_are_all_named() {
    let p = project();
    p.write("in/leads.csv", format!("{HEADER},email,country\n{ROW},nomail,xx\n"));
    p.write("p.yaml", leads("table.csv", "table.json_rows", "lead_id"));
    let out = p.run(&["run", "--plan", "p.yaml", "--input", "in", "--id", "two"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stderr.contains("/country: ") && out.stderr.contains("/email: "), "{}", out.stderr);
    assert!(!out.stderr.contains("more than"), "{}", out.stderr);
}

const GROUPS: &str = "plan: groups
mission: { objective: Group the rows }
HEAD
inputs: [{ slot: aggregated_rows, path: input/FILE, entity_schema_id: ENTITY, kind_key: GIVEN }]
steps:
  - id: read
    label: Read
    objective: MUST read
    abstract_inputs:
      - slot: aggregated_rows
        entity_schema_id: ENTITY
        accepted_kind_keys: [READ]
        adapt: { keys: [KEY], measures: [{ field: FIELD, how: HOW, name: total }] }
    code:
      language: javascript
      source: |
        export default (inputs, context) => {
          const text = inputs[context.read[0]];
          return { 'output/n.json': { text: typeof text === 'string' ? text : text.length } };
        }
    expected_outputs: [{ path: output/n.json, role: primary }]
    artifact_contracts: { output/n.json: { format: json, kind_key: object.json } }
    success_criteria: [output/n.json is valid json]
";

struct Groups {
    entity: &'static str,
    given: &'static str,
    read: &'static str,
    key: &'static str,
    field: &'static str,
    how: &'static str,
}

impl Groups {
    fn plan(&self) -> String {
        let head = match self.entity.split('.').next().unwrap() {
            "billing" => "domain_pack_ids: [billing-audit]",
            "crm" => "domain_pack_ids: [sales-crm]",
            _ => "policy_profile_id: generic.inference-allowed.v1",
        };
        let file = if self.given == "table.csv" { "rows.csv" } else { "rows.rows.json" };
        let parts = [
            ("HEAD", head),
            ("FILE", file),
            ("ENTITY", self.entity),
            ("GIVEN", self.given),
            ("READ", self.read),
            ("KEY", self.key),
            ("FIELD", self.field),
            ("HOW", self.how),
        ];
        parts.iter().fold(GROUPS.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

const TIME: Groups = Groups {
    entity: "billing.time_entry",
    given: "table.csv",
    read: "dataset.aggregated_rows",
    key: "person_id",
    field: "hours",
    how: "sum",
};

/// Groups can be read in every form that adapters lead to.
#[test]
fn groups_are_read_as_rows_csv_tsv_and_parquet() {
    let p = project();
    p.write(
        "in/rows.csv",
        "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
         1,p,r,c,x,2026-01-01,2,true,draft\n2,p,r,c,x,2026-01-02,3,true,draft\n",
    );
    for (read, text) in [
        ("dataset.aggregated_rows", "\"total\\\":5"),
        ("table.json_rows", "\"total\\\":5"),
        ("table.csv", "person_id,total\\r\\np,5"),
        ("table.tsv", "person_id\\ttotal\\np\\t5"),
        ("table.parquet", "\"text\":"),
    ] {
        p.write("p.yaml", Groups { read, ..TIME }.plan());
        let id = read.replace(['.', '_'], "-");
        p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", &id]);
        p.ok(&["artifacts", "export", &id, "--out", &id]);
        let written = std::fs::read_to_string(p.path(&format!("{id}/output/n.json"))).unwrap();
        assert!(written.contains(text), "{read}: {written}");
    }
}

/// Code can give groups in any form of rows, under the name that groups of an entity have.
#[test]
fn code_gives_groups_as_csv_under_their_own_name() {
    let p = project();
    p.write(
        "in/rows.csv",
        "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
         1,p,r,c,x,2026-01-01,2,true,draft\n",
    );
    let plan = "plan: groups
mission: { objective: Group the rows }
domain_pack_ids: [billing-audit]
inputs: [{ slot: normalized_rows, path: input/rows.csv, entity_schema_id: billing.time_entry }]
steps:
  - id: group
    label: Group
    objective: MUST group
    abstract_inputs: [{ slot: normalized_rows, entity_schema_id: billing.time_entry, accepted_kind_keys: [table.csv] }]
    abstract_outputs:
      - { slot: aggregated_rows, entity_schema_id: ENTITY, fields: [person_id, total], GRAIN preferred_kind_keys: [table.csv] }
    code:
      language: javascript
      source: |
        export default () => ({ 'work/groups.csv': 'person_id,total\\np,WRITTEN\\n' })
    expected_outputs: [{ path: work/groups.csv }]
    success_criteria: [work/groups.csv exists]
  - id: read
    label: Read
    objective: MUST read
    depends_on: [group]
    abstract_inputs:
      - { slot: aggregated_rows, entity_schema_id: billing.time_entry_by_person_id, accepted_kind_keys: [table.json_rows] }
    code:
      language: javascript
      source: |
        export default (inputs, context) => ({ 'output/n.json': { rows: context.json(context.read[0]) } })
    expected_outputs: [{ path: output/n.json, role: primary }]
    artifact_contracts: { output/n.json: { format: json, kind_key: object.json } }
    success_criteria: [output/n.json is valid json]
";
    let groups = plan.replace("ENTITY", "billing.time_entry_by_person_id").replace("GRAIN", "");
    p.write("p.yaml", groups.replace("WRITTEN", "5"));
    p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", "groups"]);
    p.ok(&["receipts", "verify", "groups"]);
    // The help of a refusal names what is then accepted.
    p.write("p.yaml", plan.replace("ENTITY", "billing.time_entry").replace("GRAIN", "grain: [person_id],"));
    let out = p.run(&["plan", "check", "p.yaml", "--lines"]);
    let help = "help: name `billing.time_entry_by_person_id` for groups of such rows";
    assert!(out.code == 1 && out.stderr.contains(help), "{}", out.stderr);
}

/// Columns without an order, a sum or an equality are refused when the plan is checked.
#[test]
fn keys_and_measures_that_no_grouping_has_are_refused_when_the_plan_is_checked() {
    let p = project();
    let lead = Groups { entity: "crm.lead", given: "table.json_rows", key: "lead_id", field: "score", ..TIME };
    for (groups, says) in [
        (Groups { key: "score_reasons", ..lead }, "`score_reasons` holds lists or objects"),
        (Groups { field: "score_reasons", how: "min", ..lead }, "`score_reasons` is neither a number nor text"),
        (Groups { field: "score_reasons", how: "sum", ..lead }, "`score_reasons` is not a number"),
        (Groups { field: "full_name", how: "sum", ..lead }, "`full_name` is not a number"),
        (Groups { field: "billable", how: "max", ..TIME }, "`billable` is neither a number nor text"),
    ] {
        p.write("p.yaml", groups.plan());
        let out = p.run(&["plan", "check", "p.yaml", "--lines"]);
        assert!(out.code == 1 && out.stderr.contains("error[D1956]"), "{says}: {}", out.stderr);
        assert!(out.stderr.contains(says), "{says}: {}", out.stderr);
    }
}

/// Cells without a type are text: what cannot be added up is refused, what is compared as text is a warning.
#[test]
fn measures_of_untyped_cells_are_decided_when_the_plan_is_checked() {
    let p = project();
    p.write("in/rows.csv", "k,v\na,9\na,10\n");
    p.write("in/rows.rows.json", r#"[{"k":"a","v":9},{"k":"a","v":10}]"#);
    let text = Groups { entity: "generic.record", key: "k", field: "v", ..TIME };
    for how in ["sum", "mean"] {
        p.write("p.yaml", Groups { how, ..text }.plan());
        let out = p.run(&["plan", "check", "p.yaml", "--lines"]);
        assert!(out.code == 1 && out.stderr.contains("error[D1989]"), "{how}: {}", out.stderr);
    }
    for how in ["min", "max", "count"] {
        p.write("p.yaml", Groups { how, ..text }.plan());
        let out = p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", how]);
        assert_eq!(out.stderr.contains("warning[D1989]"), how != "count", "{how}: {}", out.stderr);
    }
    // Rows of JSON have their types with them.
    p.write("p.yaml", Groups { given: "table.json_rows", ..text }.plan());
    p.ok(&["run", "--plan", "p.yaml", "--input", "in", "--id", "typed"]);
}

/// A join of which no row has a partner says so, wherever the run is looked at.
#[test]
fn a_join_without_a_common_key_is_reported() {
    let p = project();
    p.write("in/people.rows.json", r#"[{"id":"1","name":"a"},{"id":"2","name":"b"}]"#);
    p.write("in/bonus.rows.json", r#"[{"id":"P1","bonus":10}]"#);
    p.write(
        "j.yaml",
        "plan: join
mission: { objective: People and their bonus }
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: normalized_rows, path: input/people.rows.json, entity_schema_id: generic.record, kind_key: table.json_rows }
  - { slot: normalized_rows, path: input/bonus.rows.json, entity_schema_id: generic.record, kind_key: table.json_rows }
steps:
  - id: join
    label: Join
    objective: MUST join
    adapter: joined_rows.v1
    abstract_inputs:
      - { slot: normalized_rows, role: left, entity_schema_id: generic.record, path: input/people.rows.json, adapt: { keys: [id] } }
      - { slot: normalized_rows, role: right, entity_schema_id: generic.record, path: input/bonus.rows.json, adapt: { keys: [id] } }
    abstract_outputs: [{ slot: joined_rows, entity_schema_id: generic.record, preferred_kind_keys: [dataset.joined_rows] }]
    expected_outputs: [{ path: output/all.joined.json, role: primary }]
",
    );
    let says = "no key of the first table stands in the second, so nothing was joined";
    let out = p.ok(&["run", "--plan", "j.yaml", "--input", "in", "--id", "j"]);
    assert!(out.stdout.contains(says), "{}", out.stdout);
    assert!(p.ok(&["runs", "show", "j"]).stdout.contains(says));
    assert!(p.ok(&["receipts", "show", "j"]).stdout.contains(says));
    p.write("in/bonus.rows.json", r#"[{"id":"1","bonus":10}]"#);
    let out = p.ok(&["run", "--plan", "j.yaml", "--input", "in", "--id", "k"]);
    assert!(!out.stdout.contains(says), "{}", out.stdout);
}
