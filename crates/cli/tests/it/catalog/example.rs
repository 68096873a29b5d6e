//! A pack of one's own: insurance claims, complete.

use crate::common::Project;

pub(crate) const PACK: &str = "domain_pack_id: insurance-claims
version: 1.0.0
purpose: Checks insurance claims against their policies.
entity_schemas: [insurance.claim]
triggers: [check the claims, insurance claims, claims backlog]
disambiguation:
  - { against: legal-review, rule: This pack is for claims; the other for clauses., terms: [clause] }
example_goals: [Check the claims of May, Which claims are old?]
synonyms: { claim: [loss report] }
canonical_profiles:
  - profile_id: insurance.table.json_rows.claims.v1
    entity_schema_id: insurance.claim
    kind_key: table.json_rows
    slot: normalized_rows
    also_accepts: [table.csv]
typical_slots: { inputs: [raw_files], outputs: [normalized_rows] }
default_policy: strict.allow-normalizers.v1
";

pub(crate) const ENTITY: &str = "$schema: https://json-schema.org/draft/2020-12/schema
$id: urn:deed:entity:insurance.claim
title: Claim
description: One claim.
type: object
properties:
  claim_id: { type: string, description: Identifies it. }
  claimed: { type: number, description: What is asked for. }
required: [claim_id, claimed]
additionalProperties: false
x-deed-keys: [[claim_id]]
x-deed-grain: [claim_id]
";

/// A plan that needs the pack.
pub(crate) const PLAN: &str = "plan: claims
mission: { objective: Check the claims of May }
domain_pack_ids: [insurance-claims]
inputs: [{ slot: normalized_rows, path: input/claims.csv, entity_schema_id: insurance.claim }]
steps:
  - id: decide
    label: Decide
    objective: MUST decide
    abstract_inputs: [{ slot: normalized_rows, entity_schema_id: insurance.claim, accepted_kind_keys: [table.json_rows] }]
    abstract_outputs: [{ slot: findings, entity_schema_id: insurance.claim }]
    expected_outputs: [{ path: output/decisions.rows.json, role: primary }]
    success_criteria: [output/decisions.rows.json matches its schema]
";

/// A project with the pack in a folder and the plan beside it.
pub(crate) fn example() -> Project {
    let p = Project::bare();
    p.write("claims/pack.yaml", PACK);
    p.write("claims/entities/insurance.claim.yaml", ENTITY);
    p.write("plan.yaml", PLAN);
    p
}

/// The same, with a registry.
pub(crate) fn project() -> Project {
    let p = example();
    p.ok(&["init", "--tenant", "tenant_acme"]);
    p
}

/// The files beneath a folder, sorted.
pub(crate) fn files(p: &Project, folder: &str) -> Vec<String> {
    let (mut left, mut found) = (vec![p.path(folder)], Vec::new());
    while let Some(inner) = left.pop() {
        for entry in std::fs::read_dir(inner).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                found.push(path.strip_prefix(p.path(folder)).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}
