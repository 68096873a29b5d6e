//! Entities that a plan declares for itself: used by name, checked as those of a folder, hashed with the contracts.

use deed_catalog::builtin;
use deed_diag::{Document, Format, Style};
use deed_plan::{Lowered, diff, lower};

const ENTITY: &str = "entities:
  sales.order:
    type: object
    properties:
      order_id: { type: string }
      amount: { type: number }
    required: [order_id, amount]
    additionalProperties: false
    x-deed-keys: [[order_id]]
    x-deed-grain: [order_id]
";

const PLAN: &str = "plan: orders
mission: { objective: Check the orders }
policy_profile_id: strict.allow-normalizers.v1
inputs: [{ slot: raw_files, path: input/orders.csv, entity_schema_id: sales.order }]
steps:
  - id: check
    label: Check
    objective: MUST check
    abstract_inputs: [{ slot: raw_files, entity_schema_id: sales.order, accepted_kind_keys: [table.json_rows] }]
    abstract_outputs: [{ slot: findings, entity_schema_id: sales.order }]
    expected_outputs: [{ path: output/orders.rows.json, role: primary }]
    success_criteria: [output/orders.rows.json matches its schema]
";

fn lowered(text: &str) -> Lowered {
    let document = Document::read("plan.yaml", text.as_bytes(), Format::Yaml).unwrap();
    lower(&document, builtin().unwrap())
}

#[track_caller]
fn refused(text: &str, code: &str, place: &str, message: &str) {
    let lowered = lowered(text);
    let told = lowered.report.render(Style::Plain);
    assert!(lowered.compiled.is_none(), "{told}");
    let found = lowered.report.diagnostics().iter().any(|found| {
        let at = found.place.as_ref().and_then(|place| place.pointer.as_deref());
        found.code.as_str() == code && at == Some(place) && found.message.contains(message)
    });
    assert!(found, "{code} {place} {message}\n{told}");
}

#[test]
fn an_entity_of_the_plan_is_used_by_name() {
    let lowered = lowered(&format!("{PLAN}{ENTITY}"));
    assert_eq!(lowered.report.render(Style::Lines), "");
    let compiled = lowered.compiled.unwrap();
    let schema = compiled.entities.get("sales.order").unwrap();
    assert_eq!(schema["properties"]["amount"]["type"], "number");
    assert!(compiled.inputs.iter().all(|input| input.entity_hash.is_some()));
    assert_eq!(compiled.catalog_hash, builtin().unwrap().hash());
    // Without it, the name leads nowhere.
    refused(PLAN, "D1916", "/inputs/0/entity_schema_id", "no entity is called `sales.order`");
}

#[test]
fn the_schema_is_part_of_the_hash() {
    let compiled = |text: String| lowered(&text).compiled.unwrap();
    let one = compiled(format!("{PLAN}{ENTITY}"));
    let other = compiled(format!("{PLAN}{}", ENTITY.replace("amount: { type: number }", "amount: { type: integer }")));
    assert_ne!(one.plan_hash, other.plan_hash);
    assert_ne!(one.steps.last().unwrap().spec_hash, other.steps.last().unwrap().spec_hash);
    let changes = diff(&one, &other);
    assert!(changes.changes.iter().any(|change| change.at.contains("/entities/sales.order")), "{changes:?}");
    // An entity that no contract names changes nothing.
    let unused =
        "  sales.unused: { type: object, properties: { a: { type: string } }, required: [a], x-deed-grain: [a] }\n";
    assert_eq!(compiled(format!("{PLAN}{ENTITY}{unused}")).plan_hash, one.plan_hash);
}

#[test]
fn groups_are_derived_from_an_entity_of_the_plan() {
    let text = PLAN.replace(
        "accepted_kind_keys: [table.json_rows] }",
        "accepted_kind_keys: [dataset.aggregated_rows], adapt: { keys: [order_id], measures: [{ name: total, field: amount, how: sum }] } }",
    );
    let lowered = lowered(&format!("{text}{ENTITY}"));
    let told = lowered.report.render(Style::Lines);
    let compiled = lowered.compiled.unwrap_or_else(|| panic!("{told}"));
    let read = compiled.steps.iter().find(|step| step.step_id == "check").unwrap().io_contract.inputs.first().unwrap();
    assert_eq!(read.entity_schema_id.as_str(), "sales.order_by_order_id");
}

#[test]
fn faulty_entities_are_refused_as_those_of_a_folder() {
    let with = |find: &str, replace: &str| {
        assert!(ENTITY.contains(find));
        format!("{PLAN}{}", ENTITY.replace(find, replace))
    };
    refused(&with("type: object", "type: array"), "D1808", "/entities/sales.order", "an object with fields");
    refused(&with("{ type: number }", "{ type: nmber }"), "D1808", "/entities/sales.order", "not a usable schema");
    refused(
        &with("x-deed-keys: [[order_id]]", "x-deed-keys: [[ordr_id]]"),
        "D1809",
        "/entities/sales.order/x-deed-keys/0",
        "`ordr_id` is not a field of it",
    );
    refused(
        &with("required: [order_id, amount]", "required: [amount]"),
        "D1809",
        "/entities/sales.order/x-deed-grain",
        "may be missing",
    );
    let taken = format!("{PLAN}{ENTITY}").replace("sales.order", "billing.time_entry");
    refused(&taken, "D1804", "/entities/billing.time_entry", "there is an entity `billing.time_entry` already");
    let generic = format!("{PLAN}{ENTITY}").replace("sales.order", "generic.order");
    refused(&generic, "D1804", "/entities/generic.order", "domain of generic data");
    let name = format!("{PLAN}{ENTITY}").replace("  sales.order:", "  Orders:");
    refused(&name, "D1911", "/entities/Orders", "does not name an entity");
    let grain = lowered(&with("    x-deed-grain: [order_id]\n", ""));
    assert!(grain.report.diagnostics().iter().any(|found| found.code.as_str() == "D1810"));
}
