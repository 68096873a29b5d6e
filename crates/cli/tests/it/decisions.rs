//! Decisions through the command: four verdicts, approvals, the log, and what may not get into it.

use crate::common::{Project, Ran};
use crate::run::example::TALLY;
use serde_json::Value;

const EXAMPLES: [(&str, &str); 5] = [
    ("request.yaml", include_str!("../../../../packs/support/examples/request.yaml")),
    ("run.yaml", include_str!("../../../../packs/support/examples/run.yaml")),
    ("evidence.yaml", include_str!("../../../../packs/support/examples/evidence.yaml")),
    ("memory.yaml", include_str!("../../../../packs/support/examples/memory.yaml")),
    ("decision.yaml", include_str!("../../../../packs/support/examples/decision.yaml")),
];

/// A project with the worked example recorded as `gated.json`.
fn project() -> Project {
    let p = Project::draft();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    EXAMPLES.iter().for_each(|(name, text)| p.write(name, text));
    record_context(&p, "gated.json", &[]);
    p
}

fn record_context(p: &Project, out: &str, more: &[&str]) {
    let given = ["context", "record", "--pack", "./support", "--request", "request.yaml", "--run", "run.yaml"];
    let lists = ["--evidence", "evidence.yaml", "--memory", "memory.yaml", "--out", out];
    p.ok(&[&given[..], &lists, more].concat());
}

fn decision<'a>(verb: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["decision", verb, "decision.yaml", "--context", "gated.json"][..], more].concat()
}

fn approve(p: &Project) {
    p.ok(&decision("approve", &["--out", "approval.json", "--actor", "fin_3"]));
}

/// Runs a command that ends with a code, and returns what it printed.
#[track_caller]
fn ends(p: &Project, args: &[&str], code: i32, verdict: &str) -> Ran {
    let out = p.run(args);
    assert_eq!(out.code, code, "deed {}\n{}{}", args.join(" "), out.stdout, out.stderr);
    assert!(out.stdout.starts_with(&format!("verdict    {verdict}\n")), "{}{}", out.stdout, out.stderr);
    out
}

#[test]
fn a_gated_decision_is_escalated_approved_accepted_and_recorded() {
    let p = project();
    let out = ends(&p, &decision("check", &[]), 5, "escalate");
    assert!(
        out.stderr.contains("[D2114]: gate GATE_FINANCE_APPROVAL needs the approval of finance_lead"),
        "{}",
        out.stderr
    );
    let refused = ends(&p, &decision("record", &[]), 5, "escalate");
    assert!(refused.stderr.contains("nothing was recorded"), "{}", refused.stderr);
    assert_eq!(p.ok(&["decision", "list"]).stdout, "");
    approve(&p);
    ends(&p, &decision("check", &["--approval", "approval.json"]), 0, "accept");
    let recorded = p.json(&decision("record", &["--approval", "approval.json"]));
    assert_eq!((&recorded["data"]["recorded"], &recorded["data"]["entry"]["seq"]), (&true.into(), &0.into()));
    let again = p.json(&decision("record", &["--approval", "approval.json"]));
    assert_eq!((&again["data"]["recorded"], &again["data"]["entry"]), (&true.into(), &Value::Null));
    let id = recorded["data"]["record"]["record_id"].as_str().unwrap();
    let shown = p.json(&["decision", "show", id.get(..12).unwrap()]);
    assert_eq!(shown["data"]["record"], recorded["data"]["record"]);
    assert_eq!(shown["data"]["critique"]["verdict"], "accept");
    let text = p.ok(&["decision", "show", "last"]).stdout;
    assert!(text.contains("approval   GATE_FINANCE_APPROVAL approved by fin_3 as finance_lead\n"), "{text}");
    let listed = p.json(&["decision", "list", "--status", "accepted", "--key", "support.refund.execute"]);
    assert_eq!(listed["data"][0]["decision"]["record_id"], id);
    assert_eq!(p.json(&["decision", "list", "--run", "other"])["data"], Value::Array(Vec::new()));
    let verified = p.json(&["decision", "verify"]);
    assert_eq!((&verified["data"]["decisions"], &verified["data"]["derived"]), (&1.into(), &1.into()));
    let head = verified["data"]["head"]["hash"].as_str().unwrap();
    p.ok(&["decision", "verify", "--head", head]);
    let other = format!("sha256:{}", "0".repeat(64));
    p.refuses(&["decision", "verify", "--head", &other], 1, "D2121", "was kept as its head");
    p.refuses(&["decision", "show", "dec_00000000"], 1, "D2117", "there is no decision");
}

#[test]
fn an_approval_is_bound_and_used_once() {
    let p = project();
    approve(&p);
    p.ok(&decision("record", &["--approval", "approval.json"]));
    // The same approval for another order.
    p.edit_in_place("decision.yaml", &[("order_id: ord_881", "order_id: ord_882")]);
    let out = ends(&p, &decision("check", &["--approval", "approval.json"]), 5, "escalate");
    assert!(out.stdout.contains("it was given for something else"), "{}", out.stdout);
    // The same decision in another trace is another record, and the approval is used up.
    p.edit_in_place("decision.yaml", &[("order_id: ord_882", "order_id: ord_881"), ("trace_881", "trace_882")]);
    p.refuses(&decision("record", &["--approval", "approval.json"]), 1, "D2116", "was used by decision 0");
    // Two hours after it was given.
    let late = ["--approval", "approval.json", "--as-of", "2026-11-15T02:00:00Z"];
    let out = ends(&p, &decision("check", &late), 5, "escalate");
    assert!(out.stdout.contains("it expired at 2026-11-15T02:00:00Z"), "{}", out.stdout);
    // Somebody else's name under the signature.
    p.edit_in_place("approval.json", &[("fin_3", "fin_4")]);
    ends(&p, &decision("check", &["--approval", "approval.json"]), 1, "reject");
}

#[test]
fn approvers_answer_where_they_are_asked() {
    let p = project();
    let out = ["--out", "approval.json"];
    p.refuses(
        &decision("approve", &[&out[..], &["--as", "cook"]].concat()),
        1,
        "D2118",
        "this gate is for `finance_lead`",
    );
    p.refuses(&decision("approve", &[&out[..], &["--gate", "GATE_X"]].concat()), 1, "D2118", "the context asks at");
    p.edit_in_place(
        "decision.yaml",
        &[("Returned within", "\"Returned \\u202ewithin"), ("was verified.", "was verified.\"")],
    );
    p.refuses(&decision("approve", &out), 1, "D2118", "cannot be seen, at `/outputs/reason`: U+202E");
}

#[test]
fn a_rejected_decision_is_rejected() {
    let p = project();
    p.ok(&decision("approve", &["--reject", "--note", "wrong order", "--out", "answer.json", "--actor", "fin_3"]));
    let out = ends(&p, &decision("check", &["--approval", "answer.json"]), 1, "reject");
    assert!(out.stdout.contains("it was rejected at GATE_FINANCE_APPROVAL"), "{}", out.stdout);
    ends(&p, &decision("record", &["--approval", "answer.json"]), 1, "reject");
    let kept = p.ok(&decision("record", &["--approval", "answer.json", "--allow", "reject"]));
    assert!(kept.stderr.contains("recorded as event 0"), "{}", kept.stderr);
    assert!(p.ok(&["decision", "list"]).stdout.contains("  rejected   dec_"));
    // Without any answer it is escalated, and kept as such.
    p.ok(&decision("record", &["--allow", "escalate"]));
    assert_eq!(p.json(&["decision", "list", "--status", "escalated"])["data"].as_array().unwrap().len(), 1);
    assert_eq!(p.json(&["decision", "verify"])["data"]["derived"], 2);
}

#[test]
fn a_denied_request_can_only_be_denied() {
    let p = project();
    record_context(&p, "denied.json", &["--set", "request.context.identity_verified=false"]);
    let check = ["decision", "check", "decision.yaml", "--context", "denied.json"];
    let out = ends(&p, &check, 1, "reject");
    assert!(out.stderr.contains("[D2115]: rule R_REFUND_REQUIRES_IDV denies it"), "{}", out.stderr);
    let refs = "  - request.context.identity_verified\n";
    p.edit_in_place("decision.yaml", &[("outcome: approved", "outcome: denied"), (refs, "")]);
    ends(&p, &check, 0, "accept");
}

#[test]
fn a_large_refund_is_not_decided_from_the_context_of_a_small_one() {
    let p = project();
    record_context(&p, "small.json", &["--set", "request.context.refund_amount=1200"]);
    let out = ends(&p, &["decision", "check", "decision.yaml", "--context", "small.json"], 1, "reject");
    assert!(
        out.stdout.contains("reject     /inputs/refund_amount: the request states another value"),
        "{}",
        out.stdout
    );
}

#[test]
fn what_is_malformed_is_sent_back_and_never_recorded() {
    let p = project();
    record_context(&p, "small.json", &["--set", "request.context.refund_amount=1200"]);
    p.edit_in_place(
        "decision.yaml",
        &[("  - tool:adp_orders.lookup:call_1\n", ""), ("currency: INR", "currency: EUR"), ("4200", "1200")],
    );
    let with = |verb| ["decision", verb, "decision.yaml", "--context", "small.json"];
    let out = ends(&p, &with("check"), 1, "replan");
    assert!(out.stdout.contains("cite tool:adp_orders.lookup:call_1"), "{}", out.stdout);
    assert!(out.stderr.contains("decision.yaml:6:"), "{}", out.stderr);
    ends(&p, &[&with("record")[..], &["--allow", "escalate", "--allow", "reject"]].concat(), 1, "replan");
    assert!(!p.path(".deed/decisions").exists());
}

#[test]
fn a_recording_that_was_changed_or_refused_is_not_decided_from() {
    let p = project();
    p.edit_in_place("gated.json", &[("\"refund_amount\": 4200", "\"refund_amount\": 420")]);
    p.refuses(&decision("check", &[]), 1, "D2112", "was changed since it was recorded");
    p.edit_in_place("request.yaml", &[("intent: support.refund", "intent: support.nothing")]);
    record_context(&p, "refused.json", &[]);
    let check = ["decision", "check", "decision.yaml", "--context", "refused.json"];
    p.refuses(&check, 1, "D2112", "the compile that it records was refused");
    p.refuses(
        &["decision", "check", "decision.yaml", "--context", "decision.yaml"],
        1,
        "D1527",
        "not a recorded compile",
    );
}

#[test]
fn unknown_words_have_a_place_and_secrets_none_that_is_shown() {
    let p = project();
    p.edit_in_place("decision.yaml", &[("trace_id:", "trase_id:")]);
    p.refuses(&decision("check", &[]), 1, "D0203", "trase_id");
    let rule = deed_detect::rules().map(|rule| rule.id()).find(|id| id.starts_with("github")).unwrap();
    let sample = deed_detect::sample(rule, 7).unwrap();
    let secret = sample.text.get(sample.secret).unwrap();
    p.edit_in_place("decision.yaml", &[("trase_id: trace_881", &format!("trace_id: {secret}"))]);
    for verb in ["check", "record"] {
        let out = p.refuses(&decision(verb, &[]), 1, "D2111", "it holds a secret");
        assert!(!format!("{}{}", out.stdout, out.stderr).contains(secret.get(..16).unwrap()));
    }
    assert!(!p.path(".deed/decisions").exists());
}

#[test]
fn a_changed_log_is_named_and_a_changed_verdict_is_not_derived() {
    let p = project();
    p.ok(&decision("record", &["--allow", "escalate"]));
    let database = p.path(".deed/decisions/decisions.sqlite");
    let bytes = std::fs::read(&database).unwrap();
    let at = bytes.windows(9).rposition(|window| window == b"escalated").unwrap();
    let mut changed = bytes;
    changed.splice(at..at + 9, *b"accepteds");
    std::fs::write(&database, changed).unwrap();
    p.refuses(&["decision", "verify"], 1, "D2120", "the log of decisions was tampered with");
    p.refuses(&["decision", "list"], 1, "D2120", "decision:0");
    p.refuses(&["decision", "show", "last"], 1, "D2120", "decision:0");
}

/// Steps are Python in a sandbox.
#[cfg(target_os = "linux")]
#[test]
fn a_run_brings_its_approvals_for_its_steps() {
    let p = project();
    // Gates of a plan are named in lowercase.
    for file in ["pack.yaml", "overlays/staging.yaml", "overlays/high_risk.yaml"] {
        p.edit_in_place(&format!("support/{file}"), &[("GATE_FINANCE_APPROVAL", "finance-approval")]);
    }
    p.write("tally.yaml", TALLY.replace("total-seen", "finance-approval").replace("clerk", "finance_lead"));
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    let run = ["run", "--plan", "tally.yaml", "--input", "input", "--id", "one", "--gate-seconds", "3600"];
    let out = p.run(&[&run[..], &["--approve", "finance_lead"]].concat());
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    p.edit_in_place("run.yaml", &[("run_id: run_2026_05_09_001", "run_id: one")]);
    record_context(&p, "one.json", &[]);
    let with = |more: &[&'static str]| {
        let own = ["decision", "check", "decision.yaml", "--context", "one.json", "--as-of", "2026-11-15T00:30:00Z"];
        [&own[..], more].concat()
    };
    ends(&p, &with(&[]), 5, "escalate");
    ends(&p, &with(&["--run", "one"]), 5, "escalate");
    let accepted = ends(&p, &with(&["--run", "one", "--step", "note"]), 0, "accept");
    assert!(accepted.stderr.is_empty(), "{}", accepted.stderr);
    ends(&p, &with(&["--run", "one", "--step", "sleep"]), 1, "reject");
    p.refuses(&with(&["--run", "two"]), 1, "D2004", "there is no run");
    // The context of the worked example was compiled for another run.
    let other = ["--run", "one", "--step", "note", "--as-of", "2026-11-15T00:30:00Z"];
    ends(&p, &decision("check", &other), 1, "reject");
    let record = ["decision", "record", "decision.yaml", "--context", "one.json", "--run", "one", "--step", "note"];
    p.ok(&[&record[..], &["--as-of", "2026-11-15T00:30:00Z"]].concat());
    assert_eq!(p.json(&["decision", "show", "last"])["data"]["record"]["lineage"]["plan_step"], "note");
    assert_eq!(p.json(&["decision", "verify"])["data"]["derived"], 1);
}

#[test]
fn what_is_printed_of_a_decision_stays_in_its_line() {
    let p = project();
    p.edit_in_place("decision.yaml", &[("trace_id: trace_881", "trace_id: \"a\\nverdict    accept\\u202e\\e[31m\"")]);
    p.ok(&decision("record", &["--allow", "escalate"]));
    let text = p.ok(&["decision", "show", "last"]).stdout;
    assert_eq!(text.matches("\nverdict ").count(), 0, "{text}");
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
}

#[test]
fn a_clock_that_is_set_back_revives_no_approval_and_is_shown() {
    let p = project();
    approve(&p);
    let approved = ["--approval", "approval.json"];
    ends(&p, &decision("check", &approved), 0, "accept");
    // Another decision at three; the approval ends at two.
    p.edit_in_place("decision.yaml", &[("trace_881", "trace_882")]);
    let later = ["--allow", "escalate", "--now", "2026-11-15T03:00:00Z"];
    assert!(p.run(&decision("record", &later)).stderr.contains("recorded as event 0"));
    p.edit_in_place("decision.yaml", &[("trace_882", "trace_881")]);
    let out = ends(&p, &decision("check", &approved), 5, "escalate");
    assert!(out.stdout.contains("it expired at 2026-11-15T02:00:00Z"), "{}", out.stdout);
    // An instant that is stated counts as stated.
    ends(&p, &decision("check", &[&approved[..], &["--as-of", "2026-11-15T01:00:00Z"]].concat()), 0, "accept");
    assert!(!p.ok(&["decision", "list"]).stderr.contains("D2127"));
    assert!(p.run(&decision("record", &["--allow", "escalate"])).stderr.contains("recorded as event 1"));
    for command in [["decision", "list"], ["decision", "verify"]] {
        let shown = p.ok(&command).stderr;
        assert!(shown.contains("warning[D2127]: decision 1 was recorded at 2026-11-15T00:00:00Z"), "{shown}");
    }
    assert_eq!(p.json(&["decision", "verify"])["data"]["derived"], 2);
}
