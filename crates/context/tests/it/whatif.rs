//! What another pack would change over an archive of recordings, and which release gates that would break.

use crate::common::archive;

use archive::{edited, example, support as support_pack, worked};
use deed_context::{
    GateVerdict, Hydrations, PackMaterial, Recording, RequestComparison, ValueChange, WhatIf, record, whatif,
};
use deed_model::{Metric, ReplayBundle};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

const RULES: &str = "/policy_layer/policy_bundles/0/policy_dsl/rules";

/// The worked example with another id and amount.
fn asked(id: &str, amount: u64, overlays: &[&str]) -> Recording {
    let mut recording = worked(support_pack(overlays));
    recording.request["request_id"] = json!(id);
    recording.request["input"]["context"]["refund_amount"] = json!(amount);
    recording
}

fn with(mut recording: Recording, change: impl FnOnce(&mut Recording)) -> Recording {
    change(&mut recording);
    recording
}

/// Twelve recordings: seven amounts, two of them with an overlay, two denials, two with a number of tokens, one refused.
static ARCHIVE: LazyLock<Vec<ReplayBundle>> = LazyLock::new(|| {
    let unverified = |r: &mut Recording| r.request["input"]["context"]["identity_verified"] = json!(false);
    let tokens = |r: &mut Recording| r.run["run_budget"] = json!({ "bucket_tokens": 900 });
    let cache = Hydrations::new();
    let recordings = [
        asked("r_100", 100, &[]),
        asked("r_900", 900, &["high_risk"]),
        asked("r_1500", 1500, &["high_risk"]),
        asked("r_2500", 2500, &[]),
        asked("r_3100", 3100, &[]),
        asked("r_4200", 4200, &[]),
        asked("r_9000", 9000, &["staging"]),
        with(asked("r_denied", 100, &[]), unverified),
        with(asked("r_denied_high", 4200, &[]), unverified),
        with(asked("r_tight", 100, &[]), tokens),
        with(asked("r_tight_high", 4200, &[]), tokens),
        with(asked("r_unknown", 100, &[]), |r| r.request["input"]["intent"] = json!("support.repair")),
    ];
    recordings.into_iter().map(|r| record(r, &cache).unwrap()).collect()
});

fn tried(candidate: &PackMaterial) -> WhatIf {
    let found = whatif(&ARCHIVE, candidate, &Hydrations::new()).unwrap_or_else(|report| panic!("{report:?}"));
    assert_eq!((found.requests, found.candidate.as_str()), (12, "ctxpack.support@1.0.0"));
    let judged = found.gates.iter().all(|gate| gate.verdict != GateVerdict::Failed);
    assert_eq!(found.passes(), judged && found.broken == 0);
    assert_eq!(found.truncated_more, found.changed.iter().filter(|c| !c.blocks_lost.is_empty()).count());
    found
}

fn candidate(change: impl FnOnce(&mut Value)) -> PackMaterial {
    edited(&support_pack(&[]), change)
}

/// The recordings for which something holds, by request.
fn those(found: &WhatIf, holds: impl Fn(&RequestComparison) -> bool) -> Vec<&str> {
    found.changed.iter().filter(|c| holds(c)).map(|c| c.source_ref.rsplit('/').next().unwrap()).collect()
}

fn verdicts(found: &WhatIf) -> BTreeMap<Metric, GateVerdict> {
    found.gates.iter().map(|gate| (gate.metric, gate.verdict)).collect()
}

fn delta(found: &WhatIf, metric: Metric) -> f64 {
    found.gates.iter().find(|gate| gate.metric == metric).unwrap().delta.unwrap()
}

fn shift(before: &str, after: &str) -> Option<ValueChange> {
    Some(ValueChange { before: before.to_owned(), after: after.to_owned() })
}

/// The numbers of the rule and of its gate.
fn threshold(pack: &mut Value, number: u64) {
    *pack.pointer_mut(&format!("{RULES}/1/if/and/1/>/1")).unwrap() = json!(number);
    *pack.pointer_mut("/policy_layer/approval_gates/0/when/>/1").unwrap() = json!(number);
}

const EVERY_GATE_HOLDS: [(Metric, GateVerdict); 3] = [
    (Metric::Policy, GateVerdict::Passed),
    (Metric::Safety, GateVerdict::Passed),
    (Metric::EconomicsCentsPerDecision, GateVerdict::Passed),
];

#[test]
fn the_archive_has_every_outcome() {
    let outcomes: Vec<&str> = ARCHIVE.iter().map(|b| b.expected.outcome.as_str()).collect();
    let (go, wait, no) = ("compiled", "must_escalate", "must_refuse");
    assert_eq!(outcomes, [go, go, wait, go, wait, wait, wait, no, no, go, wait, "refused"]);
}

#[test]
fn the_same_pack_changes_nothing() {
    let found = tried(&support_pack(&[]));
    assert_eq!((found.changed.len(), found.truncated_more), (0, 0));
    assert_eq!(found.tokens_before, found.tokens_after);
    assert!(found.tokens_before > 0 && found.passes());
    assert_eq!(verdicts(&found), BTreeMap::from(EVERY_GATE_HOLDS));
    assert!(found.gates.iter().all(|gate| gate.delta == Some(0.0)));
    // A lifetime in caches is a change, and no request sees it.
    assert_eq!(tried(&candidate(|p| p["pack_meta"]["ttl_seconds"] = json!(1))), found);
}

#[test]
fn an_empty_archive_breaks_no_gate() {
    let found = whatif(&[], &support_pack(&[]), &Hydrations::new()).unwrap();
    assert_eq!((found.requests, found.changed.len(), found.passes()), (0, 0, true));
}

#[test]
fn a_looser_threshold_breaks_the_policy_gate() {
    let found = tried(&candidate(|pack| threshold(pack, 5000)));
    let loosened = those(&found, |c| c.loosened);
    // The denial stays one; its gate is lost all the same.
    assert_eq!(loosened, ["r_3100", "r_4200", "r_denied_high", "r_tight_high"]);
    assert_eq!(those(&found, |c| c.gates_lost == ["GATE_FINANCE_APPROVAL"]), loosened);
    assert_eq!(
        those(&found, |c| c.outcome == shift("must_escalate", "compiled")),
        ["r_3100", "r_4200", "r_tight_high"]
    );
    let silent =
        |c: &RequestComparison| c.verdicts.get("R_HIGH_VALUE_REQUIRES_APPROVAL").cloned() == shift("require", "-");
    assert_eq!(those(&found, silent), loosened);
    assert_eq!(verdicts(&found)[&Metric::Policy], GateVerdict::Failed);
    assert!((delta(&found, Metric::Policy) - 4.0 / 12.0).abs() < 1e-12);
    assert_eq!(verdicts(&found)[&Metric::Safety], GateVerdict::Passed);
    assert!(!found.passes());
}

#[test]
fn a_denial_that_is_lost_breaks_the_policy_gate() {
    let found = tried(&candidate(|pack| {
        pack.pointer_mut(&format!("{RULES}/0")).unwrap().as_object_mut().unwrap().remove("else");
    }));
    assert_eq!(those(&found, |c| c.loosened), ["r_denied", "r_denied_high"]);
    assert_eq!(those(&found, |c| c.outcome == shift("must_refuse", "compiled")), ["r_denied"]);
    assert_eq!(those(&found, |c| c.outcome == shift("must_refuse", "must_escalate")), ["r_denied_high"]);
    assert!(!found.passes());
}

#[test]
fn a_refusal_that_is_lifted_breaks_the_policy_gate() {
    let found = tried(&candidate(|pack| {
        pack["evaluation_layer"]["eval_targets"].as_array_mut().unwrap().push(json!({ "intent": "support.repair" }));
    }));
    assert_eq!(those(&found, |c| c.loosened), ["r_unknown"]);
    let lifted = found.changed.iter().find(|c| c.loosened).unwrap();
    assert_eq!(lifted.outcome, shift("refused (D1511)", "compiled"));
    assert_eq!((lifted.tokens_before, lifted.tokens_after > 0), (0, true));
    // What is compiled under one pack alone says nothing of cost.
    assert_eq!(delta(&found, Metric::EconomicsCentsPerDecision), 0.0);
}

#[test]
fn a_stricter_threshold_breaks_nothing() {
    let found = tried(&candidate(|pack| threshold(pack, 2000)));
    assert_eq!(those(&found, |c| c.gates_gained == ["GATE_FINANCE_APPROVAL"]), ["r_2500"]);
    assert_eq!(found.changed[0].outcome, shift("compiled", "must_escalate"));
    assert_eq!(those(&found, |c| c.loosened || c.widened).len(), 0);
    assert!(found.passes(), "{:?}", found.gates);
}

#[test]
fn a_pack_that_refuses_everything_is_seen() {
    let found =
        tried(&candidate(|pack| pack["contract_meta"]["compatibility"]["requires"]["runtime"] = json!(">=9.0.0")));
    assert_eq!(those(&found, |c| c.outcome.as_ref().is_some_and(|s| s.after == "refused (D1505)")).len(), 12);
    assert_eq!(found.tokens_after, 0);
    // One was refused before, too.
    assert_eq!((found.broken, found.passes()), (11, false));
}

/// An adapter more, with a permission.
fn expose(pack: &mut Value, mode: &str) {
    let tooling = &mut pack["tooling_layer"];
    tooling["adapter_registry"].as_array_mut().unwrap().push(json!({ "adapter_id": "adp_mail", "type": "INTERNAL",
        "endpoint_ref": "internal://mail", "capabilities": ["send"], "approval_mode": mode }));
    tooling["permissions"].as_array_mut().unwrap().push(json!({ "permission_id": "p_mail", "adapter_id": "adp_mail",
        "capability": "send", "allow": true }));
}

#[test]
fn a_new_writing_capability_breaks_the_safety_gate() {
    let found = tried(&candidate(|pack| expose(pack, "local_write")));
    assert_eq!(those(&found, |c| c.tools_gained == ["adp_mail.send"]).len(), 11);
    assert_eq!(those(&found, |c| c.widened).len(), 11);
    assert_eq!(verdicts(&found)[&Metric::Safety], GateVerdict::Failed);
    assert!((delta(&found, Metric::Safety) - 11.0 / 12.0).abs() < 1e-12);
    assert_eq!(verdicts(&found)[&Metric::Policy], GateVerdict::Passed);
    // One that only reads is gained too, and breaks nothing.
    let found = tried(&candidate(|pack| expose(pack, "read_only")));
    assert_eq!(those(&found, |c| c.tools_gained == ["adp_mail.send"]).len(), 11);
    assert_eq!(those(&found, |c| c.widened).len(), 0);
    assert_eq!(verdicts(&found)[&Metric::Safety], GateVerdict::Passed);
}

#[test]
fn a_lost_capability_and_another_mode_are_said() {
    let found = tried(&candidate(|pack| {
        pack["tooling_layer"]["permissions"].as_array_mut().unwrap().remove(0);
        pack["tooling_layer"]["adapter_registry"][1]["approval_mode"] = json!("network");
    }));
    assert_eq!(those(&found, |c| c.tools_lost == ["adp_orders.lookup"]).len(), 11);
    let mode = BTreeMap::from([("adp_policy.eval".to_owned(), shift("read_only", "network").unwrap())]);
    assert_eq!(those(&found, |c| c.modes == mode).len(), 11);
}

#[test]
fn a_redaction_that_is_lost_breaks_the_safety_gate() {
    let found = tried(&candidate(|pack| pack["policy_layer"]["guardrails"]["redaction_rules"] = json!(["pan"])));
    assert_eq!(those(&found, |c| c.widened && c.redactions_lost == ["credit_card"]).len(), 11);
    assert_eq!(verdicts(&found)[&Metric::Safety], GateVerdict::Failed);
    assert!(!found.passes());
    let more = json!(["pan", "credit_card", "email"]);
    assert!(tried(&candidate(|pack| pack["policy_layer"]["guardrails"]["redaction_rules"] = more)).passes());
}

/// So many more tokens of system text.
fn longer(tokens: usize) -> WhatIf {
    // A line break and the text, at four bytes to a token; what stands there is rounded up.
    let text = "x".repeat(tokens * 4 - 1);
    tried(&candidate(|pack| pack["tone_and_comms"]["system_blocks"] = json!([{ "kind": "more", "text": text }])))
}

#[test]
fn a_longer_system_text_costs() {
    for (tokens, longer_by_it, passes) in [(20, 11, true), (400, 9, false)] {
        let found = longer(tokens);
        // Two have a number of tokens, of which the head takes its part first: they lose blocks to it, or all.
        assert_eq!(those(&found, |c| c.tokens_after == c.tokens_before + tokens as u64).len(), longer_by_it);
        let both = || found.changed.iter().filter(|c| c.tokens_before > 0 && c.tokens_after > 0);
        let (before, after) =
            (both().map(|c| c.tokens_before).sum::<u64>(), both().map(|c| c.tokens_after).sum::<u64>());
        let economics = found.gates.iter().find(|g| g.metric == Metric::EconomicsCentsPerDecision).unwrap();
        let growth = after as f64 / before as f64 - 1.0;
        assert!((economics.delta.unwrap() - 1.5 * growth).abs() < 1e-9, "{economics:?}");
        assert_eq!((economics.max_delta, found.passes()), (0.25, passes), "{economics:?}");
        assert!(both().all(|c| !c.loosened && !c.widened));
    }
}

#[test]
fn a_smaller_split_loses_blocks() {
    let split =
        json!({ "business": 0.2, "policy": 0.3, "tool": 0.2, "evidence": 0.02, "memory": 0.08, "session": 0.2 });
    let found = tried(&candidate(|pack| pack["budget_layer"] = json!({ "splits": { "support.refund": split } })));
    // Those that gave numbers for each bucket are not concerned.
    assert_eq!(those(&found, |_| true), ["r_tight", "r_tight_high"]);
    assert_eq!(found.truncated_more, 2);
    let refs: Vec<Value> = example("evidence").as_array().unwrap().iter().map(|e| e["evidence_ref"].clone()).collect();
    for compared in &found.changed {
        assert!(!compared.blocks_lost.is_empty() && compared.blocks_gained.is_empty(), "{compared:?}");
        assert!(
            compared.blocks_lost.iter().all(|lost| refs.contains(&json!(lost)) || lost == "mem_pref_17"),
            "{compared:?}"
        );
        assert!(compared.tokens_after < compared.tokens_before);
    }
    assert!(found.passes());
}

#[test]
fn a_larger_split_gains_blocks() {
    let split =
        json!({ "business": 0.2, "policy": 0.3, "tool": 0.2, "evidence": 0.02, "memory": 0.08, "session": 0.2 });
    let mut recording = asked("r_1", 100, &[]);
    recording.run["run_budget"] = json!({ "bucket_tokens": 900 });
    recording.pack = candidate(|pack| pack["budget_layer"] = json!({ "splits": { "support.refund": split } }));
    let cache = Hydrations::new();
    let found = whatif(&[record(recording, &cache).unwrap()], &support_pack(&[]), &cache).unwrap();
    let compared = &found.changed[0];
    assert_eq!((compared.blocks_gained.len(), compared.blocks_lost.len(), found.truncated_more), (5, 0, 0));
    assert!(compared.blocks_gained.iter().all(|block| block.starts_with("kg:") || block.starts_with("tool:")));
    assert!(compared.tokens_after > compared.tokens_before);
}

#[test]
fn a_candidate_is_judged_by_the_gates_that_stand() {
    let loosen = |pack: &mut Value| threshold(pack, 5000);
    let without = tried(&candidate(|pack| {
        loosen(pack);
        pack["evaluation_layer"]["release_gates"] = json!([]);
    }));
    assert_eq!(without.gates, tried(&candidate(loosen)).gates);
    assert!(!without.passes());
    // Nor can it allow itself more; less it can.
    for (own, stands) in [(0.9, 0.0), (0.0, 0.0)] {
        let found = tried(&candidate(|pack| {
            loosen(pack);
            pack["evaluation_layer"]["release_gates"] = json!([{ "metric": "policy", "max_delta": own }]);
        }));
        let policy = found.gates.iter().find(|g| g.metric == Metric::Policy).unwrap();
        assert_eq!((policy.max_delta, policy.verdict), (stands, GateVerdict::Failed));
    }
    let stricter = tried(&candidate(|pack| {
        pack["evaluation_layer"]["release_gates"][2]["max_delta"] = json!(0.0);
        pack["tone_and_comms"]["do"][0] = json!("cite the policy by its name");
    }));
    assert_eq!(verdicts(&stricter)[&Metric::EconomicsCentsPerDecision], GateVerdict::Failed);
    // A target of its own does not make a decision cheaper.
    let cheap = tried(&candidate(|pack| {
        pack["evaluation_layer"]["eval_targets"][0]["economics_cents_per_decision"] = json!(0.0);
        pack["tone_and_comms"]["system_blocks"] = json!([{ "kind": "more", "text": "x".repeat(1600) }]);
    }));
    assert_eq!(verdicts(&cheap)[&Metric::EconomicsCentsPerDecision], GateVerdict::Failed);
}

#[test]
fn what_only_a_run_can_tell_is_said_to_be_so() {
    let found = tried(&candidate(|pack| {
        let gates = pack["evaluation_layer"]["release_gates"].as_array_mut().unwrap();
        gates.push(json!({ "metric": "utility", "max_delta": 0 }));
        gates.push(json!({ "metric": "latency_p99_ms", "max_delta": 0 }));
    }));
    for metric in [Metric::Utility, Metric::LatencyP99Ms] {
        let gate = found.gates.iter().find(|g| g.metric == metric).unwrap();
        assert_eq!((gate.verdict, gate.delta), (GateVerdict::NotJudged, None));
        assert!(gate.measured.contains("only in runs"));
    }
    assert!(found.passes());
}

#[test]
fn an_overlay_that_the_candidate_lacks_is_a_change() {
    let mut bare = candidate(|pack| {
        pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
    });
    bare.overlays.clear();
    let found = tried(&bare);
    assert_eq!(those(&found, |c| c.missing_overlays == ["high_risk"]), ["r_900", "r_1500"]);
    assert_eq!(those(&found, |c| c.missing_overlays == ["staging"]), ["r_9000"]);
    assert_eq!(those(&found, |c| c.loosened), ["r_1500"]);
}

#[test]
fn a_recording_that_was_changed_says_nothing() {
    let mut archive = ARCHIVE.clone();
    archive[3].inputs.run["safety_mode"] = json!("read_only");
    let refused = whatif(&archive, &support_pack(&[]), &Hydrations::new()).unwrap_err();
    let first = &refused.diagnostics()[0];
    assert_eq!(first.code.to_string(), "D1534");
    assert!(first.message.contains("not what was recorded: run"), "{first:?}");
    archive[3].format = "deed/replay-bundle/v9".to_owned();
    let refused = whatif(&archive, &support_pack(&[]), &Hydrations::new()).unwrap_err();
    assert_eq!(refused.diagnostics()[0].code.to_string(), "D1526");
}

const GATE: &str = "GATE_FINANCE_APPROVAL";
const REFUND: &str = "adp_payments.issue_refund";
/// The requests of which the gate is active.
const GATED: [&str; 6] = ["r_1500", "r_3100", "r_4200", "r_9000", "r_denied_high", "r_tight_high"];

/// The permission for refunds.
fn permission(pack: &mut Value) -> &mut Value {
    &mut pack["tooling_layer"]["permissions"][2]
}

/// Which gates a loosening breaks, and for how many requests.
fn loosens(change: impl FnOnce(&mut Value), policy: usize, safety: usize) -> WhatIf {
    let found = tried(&candidate(change));
    assert_eq!(those(&found, |c| c.loosened).len(), policy, "{:#?}", found.changed);
    assert_eq!(those(&found, |c| c.widened).len(), safety, "{:#?}", found.changed);
    let verdict = |count| if count > 0 { GateVerdict::Failed } else { GateVerdict::Passed };
    assert_eq!(verdicts(&found)[&Metric::Policy], verdict(policy));
    assert_eq!(verdicts(&found)[&Metric::Safety], verdict(safety));
    assert!(!found.passes());
    found
}

#[test]
fn a_permission_without_its_gate_is_looser() {
    let found = loosens(|pack| drop(permission(pack).as_object_mut().unwrap().remove("requires_approval_gate")), 6, 0);
    assert_eq!(those(&found, |c| c.tool_gates_lost == [format!("{REFUND}: {GATE}")]), GATED);
    // Of the run nothing is lost: the gate is active still, and the call no longer waits for it.
    assert!(found.changed.iter().all(|c| c.gates_lost.is_empty() && c.outcome.is_none()));
    // Another gate, that is never active, is no gate.
    loosens(
        |pack| {
            let gates = pack["policy_layer"]["approval_gates"].as_array_mut().unwrap();
            gates.push(json!({ "gate_id": "G_NEVER", "when": false, "required_approver_role": "x", "ttl_seconds": 1 }));
            permission(pack)["requires_approval_gate"] = json!("G_NEVER");
        },
        6,
        0,
    );
}

/// A gate or a rule over the call shows in no outcome: what is lost of it is looser, what is added is stricter.
#[test]
fn control_over_the_call_is_compared_too() {
    let by_call = |pack: &mut Value| {
        let over = json!({ ">": [{ "var": "call.arguments.amount_inr" }, 3000] });
        pack["policy_layer"]["approval_gates"][0]["when"] = over.clone();
        let rule = json!({ "rule_id": "R_BY_CALL", "if": over, "then": { "allow": false }, "rationale": "Never." });
        let rules = pack.pointer_mut(RULES).unwrap().as_array_mut().unwrap();
        rules.truncate(1);
        rules.push(rule);
    };
    let no_rule = |pack: &mut Value| {
        pack.pointer_mut(RULES).unwrap().as_array_mut().unwrap().truncate(1);
    };
    let no_gate = |pack: &mut Value| {
        permission(pack).as_object_mut().unwrap().remove("requires_approval_gate");
    };
    let cache = Hydrations::new();
    let judge = |before: PackMaterial, after: PackMaterial| {
        let mut recording = worked(before);
        recording.request["input"]["context"]["refund_amount"] = json!(100);
        let found = whatif(&[record(recording, &cache).unwrap()], &after, &cache).unwrap();
        let one = found.changed.first().unwrap();
        (one.loosened, one.tightened, one.tool_gates_lost.len(), one.obligations_lost.len())
    };
    let pack = |changes: &[&dyn Fn(&mut Value)]| candidate(|pack| changes.iter().for_each(|change| change(pack)));
    assert_eq!(judge(pack(&[&by_call]), pack(&[&by_call, &no_rule])), (true, false, 0, 1));
    assert_eq!(judge(pack(&[&by_call]), pack(&[&by_call, &no_gate])), (true, false, 1, 0));
    assert_eq!(judge(pack(&[&by_call, &no_rule]), pack(&[&by_call])), (false, true, 0, 0));
    assert_eq!(judge(pack(&[&by_call, &no_gate]), pack(&[&by_call])), (false, true, 0, 0));
    // A rule that no longer waits for the call is not lost.
    let always = |pack: &mut Value| *pack.pointer_mut(&format!("{RULES}/1/if")).unwrap() = json!(true);
    assert_eq!(judge(pack(&[&by_call]), pack(&[&by_call, &always])), (false, true, 0, 0));
}

#[test]
fn arguments_that_are_bounded_less_are_looser() {
    let changes: [fn(&mut Value); 9] = [
        |pack| drop(permission(pack).as_object_mut().unwrap().remove("arg_constraints")),
        |pack| permission(pack)["arg_constraints"]["amount_inr"] = json!({ "min": 1, "max": 50001 }),
        |pack| permission(pack)["arg_constraints"]["amount_inr"] = json!({ "min": 0, "max": 50000 }),
        |pack| permission(pack)["arg_constraints"]["amount_inr"] = json!({ "max": 50000 }),
        |pack| permission(pack)["arg_constraints"]["amount_inr"] = json!({ "min": 1 }),
        |pack| drop(permission(pack)["arg_constraints"].as_object_mut().unwrap().remove("idempotency_key")),
        |pack| permission(pack)["arg_constraints"]["idempotency_key"] = json!({ "required": false }),
        |pack| permission(pack)["arg_constraints"]["idempotency_key"] = json!({ "max_length": 20 }),
        // Tighter here does not make up for looser there.
        |pack| permission(pack)["arg_constraints"]["amount_inr"] = json!({ "min": 2, "max": 60000 }),
    ];
    for change in changes {
        let found = loosens(change, 11, 0);
        assert_eq!(those(&found, |c| c.bounds_changed == [REFUND]).len(), 11);
    }
}

#[test]
fn a_mode_that_is_declared_lower_is_looser_and_wider() {
    for mode in ["read_only", "local_write", "delegated"] {
        let found = loosens(|pack| pack["tooling_layer"]["adapter_registry"][2]["approval_mode"] = json!(mode), 11, 11);
        let shifted = BTreeMap::from([(REFUND.to_owned(), shift("destructive", mode).unwrap())]);
        assert_eq!(those(&found, |c| c.modes == shifted).len(), 11);
    }
    // So is one that a rule sets lower, of which the declaration is what it was.
    loosens(
        |pack| {
            pack.pointer_mut(&format!("{RULES}/0/then")).unwrap()["capabilities"] = json!([REFUND]);
            pack.pointer_mut(&format!("{RULES}/0/then")).unwrap()["approval_mode"] = json!("network");
        },
        9,
        0,
    );
}

#[test]
fn a_redaction_under_an_old_name_is_lost() {
    let pattern = json!(["pan", { "id": "credit_card", "pattern": "never-[0-9]{40}" }]);
    let found = loosens(|pack| pack["policy_layer"]["guardrails"]["redaction_rules"] = pattern, 0, 11);
    assert_eq!(those(&found, |c| c.redactions_lost.len() == 1).len(), 11);
}

#[test]
fn what_rules_demand_or_forbid_no_longer_is_looser() {
    let requires = format!("{RULES}/0/then/requires");
    for other in [json!(["policy_eval"]), json!([])] {
        let found = loosens(|pack| *pack.pointer_mut(&requires).unwrap() = other, 9, 0);
        assert_eq!(those(&found, |c| c.obligations_lost == ["needs order_lookup"]).len(), 9);
    }
    // What was forbidden is surfaced now, and it writes.
    let mut recording = asked("r_1", 100, &[]);
    recording.pack =
        candidate(|pack| pack.pointer_mut(&format!("{RULES}/0/then")).unwrap()["forbids"] = json!([REFUND]));
    let cache = Hydrations::new();
    let found = whatif(&[record(recording, &cache).unwrap()], &support_pack(&[]), &cache).unwrap();
    let compared = &found.changed[0];
    assert_eq!(compared.obligations_lost, [format!("forbids {REFUND}")]);
    assert_eq!(
        (compared.tools_gained.as_slice(), compared.loosened, compared.widened),
        (&[REFUND.to_owned()][..], true, true)
    );
}

#[test]
fn what_is_tighter_breaks_nothing() {
    let changes: [fn(&mut Value); 9] = [
        |pack| {
            permission(pack)["arg_constraints"]["amount_inr"] =
                json!({ "min": 1, "max": 49999, "equals": { "var": "request.context.refund_amount" } })
        },
        |pack| {
            permission(pack)["arg_constraints"]["amount_inr"] =
                json!({ "min": 2, "max": 50000, "equals": { "var": "request.context.refund_amount" } })
        },
        |pack| {
            permission(pack)["arg_constraints"]["amount_inr"] = json!({ "min": 1, "max": 50000, "required": true, "equals": { "var": "request.context.refund_amount" } })
        },
        |pack| permission(pack)["arg_constraints"]["idempotency_key"] = json!({ "required": true, "max_length": 40 }),
        |pack| permission(pack)["arg_constraints"]["reason"] = json!({ "required": true }),
        // One more gate: for another capability, and for the same one by a rule.
        |pack| pack["tooling_layer"]["permissions"][0]["requires_approval_gate"] = json!(GATE),
        |pack| {
            let gates = pack["policy_layer"]["approval_gates"].as_array_mut().unwrap();
            gates.push(
                json!({ "gate_id": "G_LEAD", "when": false, "required_approver_role": "lead", "ttl_seconds": 60 }),
            );
            pack.pointer_mut(&format!("{RULES}/1/then")).unwrap()["capabilities"] = json!([REFUND]);
            let rules = pack.pointer_mut(RULES).and_then(Value::as_array_mut).unwrap();
            rules.push(json!({ "rule_id": "R_LEAD", "if": true,
                "then": { "requires_approval_gate": "G_LEAD", "capabilities": [REFUND] } }));
        },
        |pack| {
            pack.pointer_mut(&format!("{RULES}/0/then/requires"))
                .unwrap()
                .as_array_mut()
                .unwrap()
                .push(json!("policy_eval"))
        },
        |pack| permission(pack)["allow"] = json!(false),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let found = tried(&candidate(change));
        assert!(!found.changed.is_empty(), "{i}");
        assert_eq!(those(&found, |c| c.loosened || c.widened), [""; 0], "{i}: {:#?}", found.changed);
        assert!(found.passes(), "{i}: {:#?}", found.gates);
    }
}

/// A candidate that refuses lets nothing through, and is neither looser nor wider whatever else it would do.
#[test]
fn a_candidate_that_refuses_is_no_looser() {
    let found = tried(&candidate(|pack| {
        pack["contract_meta"]["compatibility"]["requires"]["runtime"] = json!(">=9.0.0");
        pack["policy_layer"]["guardrails"]["redaction_rules"] = json!([]);
        permission(pack).as_object_mut().unwrap().remove("requires_approval_gate");
        expose(pack, "destructive");
    }));
    assert_eq!(those(&found, |c| c.loosened || c.widened), [""; 0]);
    assert_eq!(those(&found, |c| c.outcome.is_some()).len(), 12);
    assert_eq!((found.broken, verdicts(&found)[&Metric::Policy]), (11, GateVerdict::Passed));
}

/// An overlay that does not fit the candidate stops the requests that it is applied to, and no others.
#[test]
fn an_overlay_that_does_not_fit_stops_only_its_requests() {
    // The gate that `high_risk` lowers has no number any more.
    let found = tried(&candidate(|pack| pack["policy_layer"]["approval_gates"][0]["when"] = json!(true)));
    let stopped = |c: &RequestComparison| c.outcome.as_ref().is_some_and(|s| s.after.starts_with("refused (D10"));
    assert_eq!(those(&found, stopped), ["r_900", "r_1500"], "{:#?}", found.changed);
    assert_eq!(those(&found, |c| c.loosened || c.widened), [""; 0]);
    let others = |c: &RequestComparison| !stopped(c) && c.gates_gained == [GATE];
    assert_eq!(those(&found, others), ["r_100", "r_2500", "r_denied", "r_tight"]);
    assert_eq!((found.broken, found.passes()), (2, false));
}

/// A candidate with a newer version, whose overlays were not looked at yet, still serves requests without overlays.
#[test]
fn overlays_that_are_not_applied_refuse_nothing() {
    let next = candidate(|pack| pack["pack_meta"]["pack_version"] = json!("1.1.0"));
    let found = whatif(&ARCHIVE, &next, &Hydrations::new()).unwrap();
    assert_eq!(found.candidate, "ctxpack.support@1.1.0");
    assert_eq!(those(&found, |c| c.broken), ["r_900", "r_1500", "r_9000"]);
}

#[test]
fn lost_guardrails_and_weaker_gates_are_loosenings() {
    let loosened = |edit: fn(&mut Value)| -> usize {
        let found = tried(&candidate(edit));
        assert_eq!(verdicts(&found)[&Metric::Policy], GateVerdict::Failed, "{:#?}", found.changed);
        those(&found, |c| c.loosened).len()
    };
    assert_eq!(loosened(|pack| pack["policy_layer"]["guardrails"]["must_refuse"] = json!([])), 11);
    assert_eq!(loosened(|pack| pack["policy_layer"]["guardrails"]["must_escalate"] = json!([])), 11);
    let gate = |pack: &mut Value, key: &str, value: Value| pack["policy_layer"]["approval_gates"][0][key] = value;
    let gated = those(&tried(&candidate(|pack| gate(pack, "ttl_seconds", json!(9000)))), |c| c.loosened).len();
    assert!(gated > 0);
    let other = tried(&candidate(|pack| gate(pack, "required_approver_role", json!("intern"))));
    assert_eq!(those(&other, |c| c.loosened && c.gate_terms_changed == [GATE]).len(), gated);
    assert!(tried(&candidate(|pack| gate(pack, "ttl_seconds", json!(60)))).passes());
}

#[test]
fn a_higher_classification_is_a_widening() {
    let found = tried(&candidate(|pack| pack["pack_meta"]["data_classification"] = json!("RESTRICTED")));
    assert_eq!((those(&found, |c| c.widened).len(), verdicts(&found)[&Metric::Safety]), (11, GateVerdict::Failed));
    let lower = tried(&candidate(|pack| pack["pack_meta"]["data_classification"] = json!("PUBLIC")));
    assert_eq!(those(&lower, |c| c.widened), [""; 0]);
}

#[test]
fn what_a_candidate_adds_counts_as_a_change() {
    let found = tried(&candidate(|pack| {
        pack["policy_layer"]["guardrails"]["redaction_rules"] = json!(["pan", "credit_card", "email"]);
        pack["policy_layer"]["guardrails"]["must_escalate"] = json!(["fraud_signal_high", "chargeback_open"]);
        pack["business_context"]["non_negotiables"].as_array_mut().unwrap().push(json!("no promises"));
    }));
    // The refused one has neither before nor after.
    assert_eq!((found.changed.len(), found.tightened), (11, 11));
    for compared in &found.changed {
        assert_eq!(compared.redactions_gained, ["email"]);
        assert_eq!(compared.controls_gained, ["must_escalate chargeback_open"]);
        assert_eq!(compared.obligations_gained, ["always: no promises"]);
        assert!(compared.tightened && !compared.loosened && !compared.widened, "{compared:?}");
    }
    assert!(found.passes());
}

#[test]
fn a_narrower_surface_and_another_gate_count_as_a_change() {
    let found = tried(&candidate(|pack| {
        pack["tooling_layer"]["permissions"][1]["allow"] = json!(false);
        threshold(pack, 2000);
    }));
    assert_eq!(found.tightened, 11);
    assert!(found.changed.iter().all(|c| c.tools_lost == ["adp_policy.eval"] && c.tightened));
    assert_eq!(those(&found, |c| !c.gates_gained.is_empty()), ["r_2500"]);
    let loosened = found.changed.iter().filter(|c| c.loosened).count();
    assert_eq!(loosened, 0);
}

#[test]
fn other_words_in_the_prompt_are_shown() {
    let found = tried(&candidate(|pack| {
        *pack.pointer_mut(&format!("{RULES}/0/rationale")).unwrap() =
            json!("Identity is always verified; pay at once.");
    }));
    // The two that are denied read the reason of the denial in its place; their ledger has the rationale.
    assert_eq!(found.changed.len(), 11);
    assert_eq!(those(&found, |c| c.prompt.is_empty()), ["r_denied", "r_denied_high"]);
    let change = &found.changed[0].prompt[0];
    let (before, after) = (change.before.as_deref().unwrap(), change.after.as_deref().unwrap());
    assert!(before.contains("Money goes back only to a customer"), "{before}");
    assert!(after.contains("Identity is always verified; pay at once."), "{after}");
    assert!(!found.changed[0].tightened && !found.changed[0].loosened);
    assert_eq!(found.changed[0].prompt.len(), 1);
}

const SPEC: &str = "/decision_layer/decision_specs/0";

/// What a decision may end in, and what that demands, is part of the compiled context.
#[test]
fn a_looser_decision_breaks_the_policy_gate() {
    let changes: [(&str, Value, &str); 5] = [
        ("outcome_effects/approved", json!("refuse"), "outcome approved act -> refuse"),
        ("allowed_outcomes", json!(["approved", "denied", "escalated", "doubled"]), "outcome doubled - -> act"),
        ("approval_mode", json!("delegated"), "approval_mode destructive -> delegated"),
        ("decision_right", json!("advise"), "decision_right execute -> advise"),
        ("outputs_schema_ref", json!("schema://other.v1"), "schema of outputs"),
    ];
    for (at, value, says) in changes {
        let found = tried(&candidate(|p| *p.pointer_mut(&format!("{SPEC}/{at}")).unwrap() = value));
        assert_eq!(found.changed.len(), 11, "{at}: all that compile");
        let said = |c: &RequestComparison| c.decisions_changed.iter().any(|change| change.contains(says));
        assert!(found.changed.iter().all(said), "{at} {:?}", found.changed[0].decisions_changed);
        let looser = at != "decision_right";
        let verdict = if looser { GateVerdict::Failed } else { GateVerdict::Passed };
        assert_eq!(verdicts(&found)[&Metric::Policy], verdict, "{at}");
        assert_eq!(found.tightened > 0, !looser, "{at}");
    }
    // The words of a schema, under the same name.
    let schema = "/decision_layer/schemas/decision.support.refund.execute.outputs.v1/properties/amount_inr/maximum";
    let found = tried(&candidate(|p| *p.pointer_mut(schema).unwrap() = json!(90000)));
    assert_eq!((found.changed.len(), verdicts(&found)[&Metric::Policy]), (11, GateVerdict::Failed));
}

/// Whatever differs in the compiled context is a change, also what no list has a name for.
#[test]
fn every_difference_of_the_contexts_is_a_change() {
    let endpoint = "/tooling_layer/adapter_registry/2/endpoint_ref";
    let found = tried(&candidate(|p| *p.pointer_mut(endpoint).unwrap() = json!("internal://other")));
    assert_eq!(found.changed.len(), 11);
    assert_eq!(found.changed[0].places_changed, ["/endpoints/adp_payments.issue_refund/endpoint_ref"]);
    let owner = tried(&candidate(|p| *p.pointer_mut(&format!("{SPEC}/owner_role")).unwrap() = json!("nobody")));
    assert_eq!(owner.changed[0].places_changed, ["/decisions/0/owner_role"]);
    assert!(owner.passes());
}
