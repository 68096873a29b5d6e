//! Decisions about calls, with their real arguments.

use super::example::{context, example, vary};
use serde_json::json;

/// A call with some arguments is decided so, for these reasons.
#[track_caller]
fn decides(request: &str, call: &str, exit: i32, says: &[&str]) {
    let p = example();
    p.write("call.yaml", call);
    let out = p.run(&context("call", &["--request", request, "--call", "call.yaml"]));
    assert_eq!(out.code, exit, "{}{}", out.stdout, out.stderr);
    for line in says {
        assert!(out.stdout.contains(line), "{line}\n{}", out.stdout);
    }
}

#[test]
fn the_arguments_decide() {
    let refund = |amount: u32| {
        format!("tool: adp_payments.issue_refund\narguments: {{ amount_inr: {amount}, idempotency_key: k1 }}\n")
    };
    decides(
        "request.yaml",
        &refund(4200),
        5,
        &["verdict    needs_approval", "ask        finance_lead at GATE_FINANCE_APPROVAL, valid for 7200 s"],
    );
    decides("small.yaml", &refund(100), 0, &["verdict    allow"]);
    // Asked for little, a model may not pay much: the gate reads the request, and the argument is tied to it.
    decides("small.yaml", &refund(9000), 1, &["verdict    deny", "argument amount_inr: it must be equal"]);
    decides("small.yaml", "tool: adp_payments.issue_refund\n", 1, &["verdict    deny", "idempotency_key"]);
    decides("small.yaml", "tool: adp_payments.refund\n", 1, &["did you mean adp_payments.issue_refund?"]);
    decides("small.yaml", "tool: adp_orders.lookup\n", 0, &["verdict    allow", "(read_only)"]);
}

#[test]
fn a_gate_may_read_the_call() {
    let p = example();
    let when = "when: { \">\": [{ var: call.arguments.amount_inr }, 50] }";
    let pack = std::fs::read_to_string(p.path("support/pack.yaml")).unwrap();
    let gate = pack.lines().find(|line| line.trim_start().starts_with("when:")).unwrap().trim().to_owned();
    vary(&p, "support/pack.yaml", "support/pack.yaml", &[(gate.as_str(), when)]);
    p.write("call.yaml", "tool: adp_payments.issue_refund\narguments: { amount_inr: 100, idempotency_key: k1 }\n");
    let compiled = p.json(&context("compile", &["--request", "small.yaml"]));
    let demand = &compiled["data"]["runtime_controls"]["approvals"][0];
    assert_eq!(demand["depends_on_call"], json!(true), "{compiled}");
    let decided = p.json(&context("call", &["--request", "small.yaml", "--call", "call.yaml"]));
    assert_eq!(decided["data"]["verdict"], json!("needs_approval"), "{decided}");
}

#[test]
fn what_is_no_call_is_refused_at_its_place() {
    let p = example();
    p.write("call.yaml", "tool: adp_orders.lookup\nargs: {}\n");
    let out = p.refuses(&context("call", &["--call", "call.yaml"]), 1, "D1510", "not a call of a tool");
    assert!(out.stderr.contains("call.yaml:1:1"), "{}", out.stderr);
}
