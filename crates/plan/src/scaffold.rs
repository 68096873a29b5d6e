//! A plan to begin with: commented, and one that compiles.

/// The text of a new plan.
pub fn scaffold(name: &str) -> String {
    TEMPLATE.replace("{name}", name)
}

const TEMPLATE: &str = r#"# A plan: what is to be achieved, in which steps, and what passes between them.
# `deed plan check` says all that is wrong with it, `deed plan compile` freezes it.
plan: {name}

mission:
  # The objective in the words it was given in.
  objective: Compare the hours we logged with what we invoiced and report what is wrong
  # When it is achieved, so that a machine can tell.
  success_criteria:
    - output/report.html exists and is valid html

# Packs that define the entities below: `deed catalog list packs`.
domain_pack_ids: [billing-audit]
workflow_pack_ids: [reconcile-compare, render-report]

# How strictly contracts are held: `deed catalog list policies`.
policy_profile_id: strict.allow-normalizers.v1

# What the mission is given, beneath input/.
inputs:
  - slot: raw_files
    path: input/time.csv
    entity_schema_id: billing.time_entry
    kind_key: table.csv
  - slot: raw_files
    path: input/invoices.csv
    entity_schema_id: billing.invoice_line_item
    kind_key: table.csv

steps:
  - id: compare
    label: Compare hours with invoice lines
    objective: MUST list every invoice line whose hours or rate differ from what was logged
    # The words of the objective it came from; errors show them.
    objective_words: Compare the hours we logged with what we invoiced
    abstract_inputs:
      # Bound by slot and entity. The CSV becomes JSON rows by an adapter, since this step reads nothing else.
      - slot: raw_files
        entity_schema_id: billing.time_entry
        accepted_kind_keys: [table.json_rows]
      - slot: raw_files
        entity_schema_id: billing.invoice_line_item
        accepted_kind_keys: [table.json_rows]
    abstract_outputs:
      - slot: findings
        entity_schema_id: billing.discrepancy_row
        preferred_kind_keys: [table.json_rows]
    expected_outputs:
      - path: work/discrepancies.json
        role: intermediate
    success_criteria:
      - work/discrepancies.json exists and matches its schema

  - id: report
    label: Write the report
    objective: MUST show every discrepancy with the sources it rests on
    objective_words: report what is wrong
    depends_on: [compare]
    abstract_inputs:
      - slot: findings
        entity_schema_id: billing.discrepancy_row
        accepted_kind_keys: [table.json_rows]
    abstract_outputs:
      - slot: report_artifact
        entity_schema_id: report.document
        preferred_kind_keys: [report.html]
    expected_outputs:
      - path: output/report.html
        role: primary
    success_criteria:
      - output/report.html exists and is valid html
"#;
