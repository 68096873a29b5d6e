//! Contradictions among many rules: all are found, and where too many pairs are left to prove, that is said.

use deed_diag::{Document, Format};
use deed_pack::{Bundle, lint};
use serde_json::{Value, json};

const SUPPORT: &[u8] = include_bytes!("../../../../packs/support/pack.yaml");

/// The support pack with two more bundles of equal priority: permissions in one, denials in the other.
fn codes(allows: Vec<Value>, denies: Vec<Value>) -> Vec<String> {
    let mut pack = Document::read("pack.yaml", SUPPORT, Format::Yaml).unwrap().value().clone();
    pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
    for (id, rules) in [("ALLOWS", allows), ("DENIES", denies)] {
        let bundle =
            json!({ "bundle_id": id, "priority": 5, "policy_dsl": { "language": "jsonlogic", "rules": rules } });
        pack["policy_layer"]["policy_bundles"].as_array_mut().unwrap().push(bundle);
    }
    let bytes = serde_json::to_vec(&pack).unwrap();
    let bundle = Bundle::of_document(Document::read("pack.json", &bytes, Format::Json).unwrap());
    lint(&bundle).report.diagnostics().iter().map(|d| d.code.to_string()).filter(|c| c.starts_with("D04")).collect()
}

fn rule(id: &str, condition: Value, allow: bool) -> Value {
    json!({ "rule_id": id, "if": condition, "then": { "allow": allow }, "rationale": "a rule of the test" })
}

fn above(n: usize) -> Value {
    json!({ ">": [{ "var": "request.context.amount" }, n] })
}

fn below(n: usize) -> Value {
    json!({ "<": [{ "var": "request.context.amount" }, n] })
}

#[test]
fn the_last_of_many_denials_is_compared_too() {
    // Many denials that cannot meet the permission, and one that can.
    let mut denies: Vec<Value> = (0..40).map(|i| rule(&format!("D_{i}"), below(i + 1), false)).collect();
    let allow = || vec![rule("A", above(3000), true)];
    assert_eq!(codes(allow(), denies.clone()), Vec::<String>::new());
    denies.push(rule("D_LAST", above(5000), false));
    assert_eq!(codes(allow(), denies), ["D0406"]);
}

#[test]
fn rules_that_ask_for_different_roles_do_not_meet() {
    let role = |r: &str| json!({ "==": [{ "var": "user.role" }, r] });
    let denies = vec![rule("D_OTHER", role("auditor"), false)];
    assert_eq!(codes(vec![rule("A", role("clerk"), true)], denies.clone()), Vec::<String>::new());
    assert_eq!(codes(vec![rule("A", role("auditor"), true)], denies), ["D0408"]);
}

#[test]
fn pairs_that_are_not_proven_are_counted() {
    let allows = (0..210).map(|i| rule(&format!("A_{i}"), above(1000 + i), true)).collect();
    let denies = (0..210).map(|i| rule(&format!("D_{i}"), below(i + 1), false)).collect();
    assert_eq!(codes(allows, denies), ["D0409"]);
}
