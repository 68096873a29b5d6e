//! `deed catalog lint`: everything that is missing from a pack, and everything that is wrong with one.

use super::example::{ENTITY, PACK, example};
use crate::common::Project;
use serde_json::Value;

/// Severity, code and place of everything that was found.
fn found(answer: &Value) -> Vec<(&str, &str, &str)> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    all.map(|found| {
        let at = found["location"]["pointer"].as_str().unwrap_or_default();
        (found["severity"].as_str().unwrap(), found["code"].as_str().unwrap(), at)
    })
    .collect()
}

/// The pack with other texts, linted.
#[track_caller]
fn linted(p: &Project, pack: &[(&str, &str)], entity: &[(&str, &str)]) -> Value {
    let edit = |text: &str, edits: &[(&str, &str)]| {
        edits.iter().fold(text.to_owned(), |text, (find, replace)| {
            assert!(text.contains(find), "{find}");
            text.replacen(find, replace, 1)
        })
    };
    p.write("claims/pack.yaml", edit(PACK, pack));
    p.write("claims/entities/insurance.claim.yaml", edit(ENTITY, entity));
    p.json(&["catalog", "lint", "claims"])
}

#[test]
fn a_scaffold_is_told_all_that_is_missing() {
    let p = Project::bare();
    p.ok(&["catalog", "new", "domain", "insurance-claims"]);
    let answer = p.json(&["catalog", "lint", "insurance-claims"]);
    assert_eq!(answer["ok"], true);
    let mut all = found(&answer);
    all.sort_unstable();
    assert_eq!(all, [("warning", "D1815", "/example_goals"), ("warning", "D1815", "/triggers")]);
    assert_eq!(p.run(&["catalog", "lint", "insurance-claims", "--deny-warnings"]).code, 1);
}

#[test]
fn a_pack_that_is_complete() {
    let p = example();
    let out = p.ok(&["catalog", "lint", "claims", "--deny-warnings"]);
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("1 pack, 1 entity: nothing is missing\n", ""));
    let answer = p.json(&["catalog", "lint", "claims"]);
    assert_eq!((&answer["data"]["packs"], &answer["data"]["entities"]), (&1.into(), &1.into()));
}

#[test]
fn warnings() {
    let p = example();
    p.write("claims/pack.yaml", PACK.replace("[Check the claims of May, Which claims are old?]", "[Check the claims]"));
    let out = p.ok(&["catalog", "lint", "claims"]);
    assert_eq!(out.stdout, "1 pack, 1 entity: it can be used; 1 warning\n");
    p.refuses(&["catalog", "lint", "claims", "--deny-warnings"], 1, "D1815", "`example_goals` has 1 of at least 2");
}

/// Every fault of a pack and of its entity, in as few packs as they fit into.
#[test]
fn everything_that_is_wrong() {
    let p = example();
    let answer = linted(
        &p,
        &[
            ("version: 1.0.0", "version: one"),
            ("entity_schemas: [insurance.claim]", "entity_schemas: [insurance.claim, insurance.policy]"),
            ("against: legal-review", "against: legal-reviews"),
            ("triggers: [check the claims,", "triggers: [audit billing,"),
            ("insurance.table.json_rows.claims.v1", "insure.table.csv.claims.v1"),
            ("slot: normalized_rows", "slot: normalised_rows"),
            ("also_accepts: [table.csv]", "also_accepts: [table.cvs]"),
            ("inputs: [raw_files]", "inputs: [raw_file]"),
            ("strict.allow-normalizers.v1", "strict.allow-normalisers.v1"),
        ],
        &[
            ("urn:deed:entity:insurance.claim", "urn:deed:entity:insurance.clam"),
            ("description: What is asked for.", "description: ''"),
            ("x-deed-keys: [[claim_id]]", "x-deed-keys: [[claim_nr]]"),
            ("required: [claim_id, claimed]", "required: [claimed]"),
        ],
    );
    let all = found(&answer);
    for expected in [
        ("error", "D1818", "/version"),
        ("error", "D1805", "/entity_schemas/1"),
        ("error", "D1814", "/disambiguation/0/against"),
        ("error", "D1812", "/canonical_profiles/0/profile_id"),
        ("error", "D1813", "/canonical_profiles/0/slot"),
        ("error", "D1813", "/canonical_profiles/0/also_accepts/0"),
        ("error", "D1813", "/typical_slots/inputs/0"),
        ("error", "D1813", "/default_policy"),
        ("error", "D1807", "/$id"),
        ("warning", "D1811", "/properties/claimed"),
        ("error", "D1809", "/x-deed-keys/0"),
        ("error", "D1809", "/x-deed-grain"),
    ] {
        assert!(all.contains(&expected), "{expected:?}\n{all:?}");
    }
    let told: Vec<&Value> = answer["diagnostics"].as_array().unwrap().iter().collect();
    let helps = ["did you mean `legal-review`?", "did you mean `table.csv`?", "did you mean `raw_files`?"];
    for help in helps {
        assert!(told.iter().any(|found| found["help"] == help), "{help}");
    }
}

#[test]
fn entities_that_are_none() {
    let p = example();
    let answer = linted(&p, &[], &[("type: object", "type: array"), ("x-deed-grain: [claim_id]\n", "")]);
    assert!(found(&answer).contains(&("error", "D1808", "")), "{answer}");
    assert!(found(&answer).contains(&("warning", "D1810", "")), "{answer}");
    let answer = linted(&p, &[], &[("type: number", "type: nubmer")]);
    assert!(found(&answer).contains(&("error", "D1808", "")), "{answer}");
    let answer = linted(&p, &[("[insurance.claim]", "[]")], &[]);
    assert!(found(&answer).contains(&("error", "D1806", "")), "{answer}");
    assert!(found(&answer).contains(&("error", "D1815", "/entity_schemas")), "{answer}");
    // A pack that cannot be read lists what it lists.
    let answer = linted(&p, &[("entity_schemas:", "entity_schemas: [")], &[]);
    assert!(!found(&answer).iter().any(|(_, code, _)| *code == "D1806"), "{answer}");
    linted(&p, &[], &[]);
    p.write("claims/entities/Claim Two.json", "{}");
    p.refuses(&["catalog", "lint", "claims"], 1, "D1808", "not named after an entity");
}

#[test]
fn packs_of_no_sort_or_of_two() {
    let p = example();
    for (with, code) in [
        ("domain_pack_id: a\nworkflow_pack_id: b\n", "D1803"),
        ("", "D1803"),
        ("domain_pack_id: Bad Name\n", "D1803"),
        ("domain_pack_id: billing-audit\n", "D1804"),
        ("domain_pack_id: insurance-claims\ntrigers: []\n", "D0203"),
    ] {
        let answer = linted(&p, &[("domain_pack_id: insurance-claims\n", with)], &[]);
        assert!(found(&answer).iter().any(|(_, found, _)| *found == code), "{code}\n{answer}");
    }
}

/// A credential in a pack is in no message.
#[test]
fn secrets() {
    let p = example();
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let token = sample.text.get(sample.secret).unwrap();
    p.write("claims/pack.yaml", PACK.replace("strict.allow-normalizers.v1", token));
    let out = p.run(&["catalog", "lint", "claims"]);
    assert!(out.code == 1 && !format!("{}{}", out.stdout, out.stderr).contains(token), "{}", out.stderr);
}
