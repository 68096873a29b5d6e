//! A plan to begin with: commented, with code for both of its steps.

/// Returns the text of a new plan, which runs once its two inputs are there.
pub fn scaffold(name: &str) -> String {
    TEMPLATE.replace("{name}", name)
}

const TEMPLATE: &str = r#"# A plan: what is to be achieved, in which steps, and what passes between them.
# `deed plan check` reports everything that is wrong with it. To run it, put `time.csv` and `invoices.csv` into the
# folder `input` beside it (`deed catalog show billing.time_entry` lists columns), then `deed run {name}.plan.yaml`.
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
    # Small JavaScript runs inside `deed`. Python, shell and Node.js run in a sandbox; code may lie in a file.
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          const rows = (entity) => context.json(context.input("raw_files", entity));
          const logged = new Map(rows("billing.time_entry").map((entry) => [entry.entry_id, entry]));
          const found = [];
          for (const line of rows("billing.invoice_line_item").filter((line) => line.line_type === "time")) {
            const hours = logged.get(line.entry_id)?.hours ?? 0;
            if (hours === line.quantity) continue;
            found.push({
              discrepancy_id: `hours-${line.line_id}`,
              kind: logged.has(line.entry_id) ? "hours_mismatch" : "billed_without_time",
              client_id: line.client_id,
              period: line.invoice_date.slice(0, 7),
              expected_amount: hours * line.unit_price,
              billed_amount: line.amount,
              difference_amount: line.amount - hours * line.unit_price,
              currency: line.currency,
              severity: "medium",
              explanation: `${line.quantity} hours were billed and ${hours} logged`,
              source_ids: [line.line_id],
            });
          }
          return { "work/discrepancies.json": found };
        }
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
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
          const row = ({ client_id, explanation, source_ids }) =>
            `<tr><td>${escape(client_id)}</td><td>${escape(explanation)}</td><td>${escape(source_ids.join(", "))}</td></tr>`;
          const rows = context.json("work/discrepancies.json").map(row).join("\n");
          const head = "<!doctype html>\n<html lang=\"en\"><head><title>Discrepancies</title></head><body>";
          return { "output/report.html": `${head}\n<table>\n${rows}\n</table>\n</body></html>\n` };
        }
    expected_outputs:
      - path: output/report.html
        role: primary
    success_criteria:
      - output/report.html exists and is valid html
"#;
