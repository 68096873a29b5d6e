//! Each rank and each policy, both ways: where it binds, and where the same is refused.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::BindingRank;
use deed_plan::{Lowered, lower};
use serde_json::{Value, json};

fn lowered(plan: &Value) -> Lowered {
    let document = Document::read("plan.json", plan.to_string().as_bytes(), Format::Json).unwrap();
    lower(&document, builtin().unwrap())
}

/// Two steps: one gives rows, one reads them.
fn plan(policy: &str, given: (&str, &str, &str), read: (&str, &str)) -> Value {
    let (entity, kind, path) = given;
    let format = path.rsplit('.').next().unwrap();
    json!({
        "plan": "ranks", "mission": { "objective": "do it" }, "policy_profile_id": policy,
        "domain_pack_ids": ["billing-audit"],
        "inputs": [],
        "steps": [
            { "id": "give", "label": "Give", "objective": "MUST give",
              "abstract_outputs": [{ "slot": "normalized_rows", "entity_schema_id": entity, "preferred_kind_keys": [kind],
                "provenance_fields": ["source_id"] }],
              "expected_outputs": [{ "path": path, "role": "intermediate" }],
              "artifact_contracts": { path: { "format": format } },
              "success_criteria": [format!("{path} exists")] },
            { "id": "read", "label": "Read", "objective": "MUST read", "depends_on": ["give"],
              "abstract_inputs": [{ "slot": "normalized_rows", "entity_schema_id": read.0, "accepted_kind_keys": [read.1] }],
              "abstract_outputs": [{ "slot": "normalized_rows", "entity_schema_id": "billing.time_entry",
                "preferred_kind_keys": ["table.json_rows"], "provenance_fields": ["source_id"] }],
              "expected_outputs": [{ "path": "output/rows.json", "role": "primary" }],
              "artifact_contracts": { "output/rows.json": { "format": "json" } },
              "success_criteria": ["output/rows.json exists"] },
        ],
    })
}

#[track_caller]
fn ranked(plan: &Value, rank: BindingRank) {
    let lowered = lowered(plan);
    let told: Vec<_> = lowered.report.diagnostics().iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    let compiled = lowered.compiled.unwrap_or_else(|| panic!("{told:#?}"));
    let step = compiled.steps.iter().find(|step| step.step_id == "read").unwrap();
    assert_eq!(step.bindings[0].rank, rank, "{told:#?}");
}

#[track_caller]
fn refused(plan: &Value, code: &str) {
    let lowered = lowered(plan);
    let codes: Vec<&str> = lowered.report.diagnostics().iter().map(|finding| finding.code.as_str()).collect();
    assert!(lowered.compiled.is_none() && codes.contains(&code), "{codes:?}");
}

const TIME: &str = "billing.time_entry";
const RATE: &str = "billing.rate_card";
const FAIL_CLOSED: &str = "strict.fail-closed.v1";
const NORMALIZERS: &str = "strict.allow-normalizers.v1";
const GENERIC: &str = "generic.inference-allowed.v1";

#[test]
fn the_same_profile_is_exact_under_every_policy() {
    for policy in [FAIL_CLOSED, NORMALIZERS, GENERIC, "provenance.required.v1", "deploy.human-review-required.v1"] {
        ranked(&plan(policy, (TIME, "table.json_rows", "work/a.json"), (TIME, "table.json_rows")), BindingRank::Exact);
    }
}

#[test]
fn an_accepted_kind_is_the_second_rank() {
    // The consumer's first choice has another profile than what is given.
    let mut plan = plan(NORMALIZERS, (TIME, "table.csv", "work/a.csv"), (TIME, "table.json_rows"));
    plan["steps"][1]["abstract_inputs"][0]["accepted_kind_keys"] = json!(["table.json_rows", "table.csv"]);
    ranked(&plan, BindingRank::AcceptedKind);
}

#[test]
fn an_adapter_is_the_third_rank_and_a_matter_of_policy() {
    let drawn = |policy: &str| plan(policy, (TIME, "table.csv", "work/a.csv"), (TIME, "table.json_rows"));
    ranked(&drawn(NORMALIZERS), BindingRank::ByAdapter);
    ranked(&drawn(GENERIC), BindingRank::ByAdapter);
    refused(&drawn(FAIL_CLOSED), "D1945");
}

#[test]
fn generic_data_is_the_fourth_rank_and_a_matter_of_policy() {
    let drawn =
        |policy: &str| plan(policy, ("generic.record", "table.json_rows", "work/a.json"), (TIME, "table.json_rows"));
    ranked(&drawn(GENERIC), BindingRank::Generic);
    refused(&drawn(NORMALIZERS), "D1946");
    refused(&drawn(FAIL_CLOSED), "D1946");
}

#[test]
fn another_meaning_is_never_bound() {
    for policy in [FAIL_CLOSED, NORMALIZERS, GENERIC] {
        refused(&plan(policy, (RATE, "table.json_rows", "work/a.json"), (TIME, "table.json_rows")), "D1942");
    }
    refused(&plan(NORMALIZERS, (TIME, "table.json_rows", "work/a.json"), (TIME, "evidence.json_rows")), "D1944");
}

#[test]
fn provenance_is_asked_for_by_policy() {
    let mut drawn = plan("provenance.required.v1", (TIME, "table.json_rows", "work/a.json"), (TIME, "table.json_rows"));
    ranked(&drawn, BindingRank::Exact);
    // A rate card has no field for its source.
    drawn["steps"][0]["abstract_outputs"][0] = json!({ "slot": "normalized_rows", "entity_schema_id": "billing.rate_card", "fields": [], "preferred_kind_keys": ["table.json_rows"] });
    let without = lowered(&drawn);
    assert!(without.compiled.is_none());
    drawn["policy_profile_id"] = json!(NORMALIZERS);
    drawn["steps"][1]["abstract_inputs"][0]["entity_schema_id"] = json!("billing.rate_card");
    drawn["steps"][0]["abstract_outputs"][0]["provenance_fields"] = json!([]);
    assert!(lowered(&drawn).compiled.is_some());
}

#[test]
fn effects_wait_for_a_person_by_policy() {
    let mut drawn =
        plan("deploy.human-review-required.v1", (TIME, "table.json_rows", "work/a.json"), (TIME, "table.json_rows"));
    drawn["steps"][1]["side_effects"] = json!([{ "action": "submit", "target": "billing" }]);
    refused(&drawn, "D1958");
    drawn["gates"] = json!([{ "id": "ok", "question": "May it?", "approver_role": "owner", "after": ["give"] }]);
    drawn["steps"][1]["waits_for"] = json!(["ok"]);
    ranked(&drawn, BindingRank::Exact);
    drawn["policy_profile_id"] = json!(NORMALIZERS);
    drawn["steps"][1]["waits_for"] = json!([]);
    drawn["gates"] = json!([]);
    ranked(&drawn, BindingRank::Exact);
}

#[test]
fn a_lossy_route_is_reported() {
    let mut drawn = plan(NORMALIZERS, (TIME, "table.json_rows", "work/a.json"), (TIME, "dataset.aggregated_rows"));
    refused(&drawn, "D1944");
    let input = &mut drawn["steps"][1]["abstract_inputs"][0];
    input["adapt"] =
        json!({ "keys": ["client_id"], "measures": [{ "field": "hours", "how": "sum", "name": "hours" }] });
    input["grain"] = json!(["client_id"]);
    input["fields"] = json!(["client_id", "hours"]);
    let lowered = lowered(&drawn);
    let codes: Vec<&str> = lowered.report.diagnostics().iter().map(|finding| finding.code.as_str()).collect();
    assert!(lowered.compiled.is_some() && codes.contains(&"D1952"), "{codes:?}");
}

/// A pack of the user's own with two profiles of one entity in one kind.
#[test]
fn a_profile_that_is_asked_for_is_the_one_that_is_bound() {
    use deed_catalog::{CatalogFile, NewPack, Origin, PackKind, read, scaffold};
    let new = NewPack { kind: PackKind::Domain, id: "claims-audit".to_owned(), domain: "claims".to_owned() };
    let mut files = scaffold(&new);
    let more = "  - profile_id: claims.table.json_rows.closed_records.v1\n    entity_schema_id: claims.record\n    \
                kind_key: table.json_rows\n    slot: normalized_rows\n    also_accepts: []\ntypical_slots:";
    files[0].1 = files[0].1.replace("typical_slots:", more);
    let files: Vec<CatalogFile<'_>> =
        files.iter().map(|(name, text)| CatalogFile { name, bytes: text.as_bytes() }).collect();
    let (catalog, report) = read(builtin().unwrap(), &files, Origin::Added, |_| Vec::new());
    assert!(!report.has_errors(), "{:?}", report.diagnostics());
    let entity = "claims.record";
    let mut drawn = plan(NORMALIZERS, (entity, "table.json_rows", "work/a.json"), (entity, "table.json_rows"));
    drawn["domain_pack_ids"] = json!(["claims-audit", "billing-audit"]);
    drawn["steps"][0]["abstract_outputs"][0]["provenance_fields"] = json!([]);
    let with = |given: &str, asked: &str| {
        let mut drawn = drawn.clone();
        drawn["steps"][0]["abstract_outputs"][0]["profile_id"] = json!(given);
        drawn["steps"][1]["abstract_inputs"][0]["profile_id"] = json!(asked);
        let document = Document::read("plan.json", drawn.to_string().as_bytes(), Format::Json).unwrap();
        let lowered = lower(&document, &catalog);
        lowered.report.diagnostics().iter().map(|d| d.code.as_str()).collect::<Vec<_>>()
    };
    let (one, other) = ("claims.table.json_rows.records.v1", "claims.table.json_rows.closed_records.v1");
    assert_eq!(with(one, one), Vec::<&str>::new());
    assert_eq!(with(other, other), Vec::<&str>::new());
    assert_eq!(with(one, other), ["D1972"]);
}
