//! Explanations.

use super::example::{context, example, refused, vary};

const ALL: [&str; 4] = ["--evidence", "evidence.yaml", "--memory", "memory.yaml"];

#[test]
fn everything_is_in_or_out_for_a_reason() {
    let p = example();
    let out = p.ok(&context("explain", &ALL)).stdout;
    for line in [
        "outcome must_escalate\n  gate GATE_FINANCE_APPROVAL is active: demanded by R_HIGH_VALUE_REQUIRES_APPROVAL",
        "rule R_REFUND_REQUIRES_IDV (POLICY_RETURNS_V4)  then: require",
        "request.context.refund_amount = 4200",
        "must_refuse refund_without_identity  not active: a static label",
        "tool adp_payments.issue_refund  in\n  exposed by permission:p_issue_refund",
        "evidence tool:adp_orders.lookup:call_1  in",
        "memory mem_pref_17  in",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let document = p.json(&context("explain", &ALL));
    let counts = ["rules", "controls", "tools", "evidence", "memory"]
        .map(|part| document["data"][part].as_array().unwrap().len());
    assert_eq!(counts, [2, 3, 3, 5, 1]);
}

#[test]
fn one_thing_alone() {
    let p = example();
    let only = |name: &str| p.ok(&context("explain", &[&ALL[..], &["--only", name]].concat())).stdout;
    for (name, starts) in [
        ("R_REFUND_REQUIRES_IDV", "rule R_REFUND_REQUIRES_IDV "),
        ("GATE_FINANCE_APPROVAL", "approval_gate GATE_FINANCE_APPROVAL  active"),
        ("adp_orders.lookup", "tool adp_orders.lookup  in"),
        ("tool:adp_orders.lookup:call_1", "evidence tool:adp_orders.lookup:call_1  in"),
        ("mem_pref_17", "memory mem_pref_17  in"),
    ] {
        let said = only(name);
        let things = said.lines().filter(|line| !line.starts_with(' ')).count();
        assert!(said.starts_with(starts) && things == 1, "{said}");
    }
    let args = context("explain", &["--only", "R_REFUND_REQUIRES_IDVV"]);
    refused(&p, &args, 1, "D1530", "did you mean `R_REFUND_REQUIRES_IDV`?");
}

#[test]
fn a_tool_above_the_safety_mode() {
    let p = example();
    vary(&p, "run.yaml", "careful.yaml", &[("safety_mode: destructive", "safety_mode: read_only")]);
    let out = p.ok(&context("explain", &["--run", "careful.yaml", "--only", "adp_payments.issue_refund"])).stdout;
    assert!(out.starts_with("tool adp_payments.issue_refund  out\n"), "{out}");
    assert!(out.contains("read_only"), "{out}");
}

#[test]
fn a_refused_compile_has_nothing_to_explain() {
    let p = example();
    vary(&p, "request.yaml", "other.yaml", &[("support.refund\n", "support.exchange\n")]);
    refused(&p, &context("explain", &["--request", "other.yaml"]), 1, "D1511", "support.exchange");
}
