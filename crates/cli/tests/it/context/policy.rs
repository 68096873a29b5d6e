//! Rules and controls that cannot be evaluated, and modes that are too high.

use super::example::{compile, compiled, example, pack_with};
use crate::common::Project;
use serde_json::Value;

const IDENTITY: (&str, &str) =
    ("{ var: request.context.identity_verified }", "{ var: request.context.identity_was_verified }");

#[track_caller]
fn notice(p: &Project, pack: &str, code: &str, says: &str) -> Value {
    let folder = format!("./{pack}");
    let data = compiled(p, &["--pack", &folder, "--request", "small.yaml"]);
    let notices = data["context_ledger"]["notices"].as_array().unwrap();
    let said = |n: &Value| n["code"] == code && n["message"].as_str().unwrap().contains(says);
    assert!(notices.iter().any(said), "{notices:#?}");
    data
}

#[test]
fn an_enforcing_rule_that_fails_denies() {
    let p = example();
    pack_with(&p, "failing", &[IDENTITY]);
    let data = compiled(&p, &["--pack", "./failing", "--request", "small.yaml"]);
    assert_eq!(data["outcome"], "must_refuse");
    let decision = &data["context_ledger"]["policy_decisions"][0];
    assert_eq!((&decision["verdict"], &decision["branch"]), (&"deny".into(), &"error".into()));
    let error = decision["error"].as_str().unwrap();
    assert!(error.starts_with("policy_eval_error: ") && error.contains("request.context.identity_was_verified"));
    let refusals = data["runtime_controls"]["must_refuse"].as_array().unwrap();
    assert!(refusals.contains(&"rule:R_REFUND_REQUIRES_IDV".into()), "{refusals:?}");
    let out = p.ok(&compile(&["--pack", "./failing", "--request", "small.yaml"]));
    assert!(out.stderr.contains("must refuse: nothing above read_only may run"), "{}", out.stderr);
}

#[test]
fn an_unknown_operator_denies() {
    let p = example();
    pack_with(
        &p,
        "foreign",
        &[("if: { \"==\": [{ var: request.context.identity", "if: { \"=~\": [{ var: request.context.identity")],
    );
    let data = compiled(&p, &["--pack", "./foreign", "--request", "small.yaml"]);
    assert_eq!(data["outcome"], "must_refuse");
    let error = data["context_ledger"]["policy_decisions"][0]["error"].as_str().unwrap();
    assert!(error.contains("=~"), "{error}");
}

#[test]
fn one_that_is_not_enforcing_is_skipped_and_noted() {
    let p = example();
    let trial =
        ("- rule_id: R_REFUND_REQUIRES_IDV\n", "- rule_id: R_REFUND_REQUIRES_IDV\n            non_enforcing: true\n");
    pack_with(&p, "trial", &[trial, IDENTITY]);
    let data = notice(&p, "trial", "D1521", "`R_REFUND_REQUIRES_IDV` is not enforcing and was skipped");
    assert_eq!(data["outcome"], "compiled");
    let out = p.ok(&compile(&["--pack", "./trial", "--request", "small.yaml"]));
    assert!(out.stdout.contains("note       D1521  "), "{}", out.stdout);
}

#[test]
fn a_control_that_fails_is_active() {
    let p = example();
    let gate = "when: { \">\": [{ var: request.context.refund_amount }";
    pack_with(&p, "gate", &[(gate, "when: { \">\": [{ var: request.context.amount }")]);
    let data = notice(&p, "gate", "D1524", "`GATE_FINANCE_APPROVAL` could not be evaluated");
    assert_eq!(data["outcome"], "must_escalate");
    let guardrail = "must_refuse: [{ id: too_old, when: { \">\": [{ var: request.context.age }, 30] } }]";
    pack_with(&p, "guard", &[("must_refuse: [refund_without_identity]", guardrail)]);
    assert_eq!(notice(&p, "guard", "D1524", "`too_old`")["outcome"], "must_refuse");
}

#[test]
fn modes_are_clamped_and_noted() {
    let p = example();
    let mode = "{ id: lookup, approval_mode: destructive }";
    pack_with(&p, "capability", &[("capabilities: [lookup]", &format!("capabilities: [{mode}]"))]);
    let data = notice(&p, "capability", "D1523", "`adp_orders.lookup` declares destructive");
    let lookup = &data["manifests"]["tool_manifest"][0]["capability_metadata"]["lookup"];
    assert_eq!(lookup["declared_mode"], "read_only");
    let decision = (
        "      approval_mode: destructive\n      decision_right",
        "      approval_mode: network\n      decision_right",
    );
    pack_with(&p, "decision", &[decision]);
    let out = p.ok(&compile(&["--pack", "./decision"]));
    assert!(
        out.stdout.contains("note       D1522  `R_HIGH_VALUE_REQUIRES_APPROVAL` sets destructive"),
        "{}",
        out.stdout
    );
}
