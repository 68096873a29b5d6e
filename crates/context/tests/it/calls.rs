//! Policy at the call: what depends on the arguments is left open by a compile and decided when a tool is called.

use crate::common::{Given, bundle, hydrated};
use deed_context::{Hydrated, compile, dispatch, tokenizer};
use deed_diag::{Document, Format};
use deed_model::{CallDecision, CallReason, CallVerdict, ToolCall, Verdict};
use deed_pack::{Bundle, Selection, resolve};
use serde_json::{Value, json};

/// The support pack with one change.
fn pack(change: impl FnOnce(&mut Value)) -> Hydrated {
    let mut value = bundle("packs/support").document.value().clone();
    value["pack_meta"]["overlays"] = json!([]);
    change(&mut value);
    let document = Document::read("pack.json", value.to_string().as_bytes(), Format::Json).unwrap();
    let bundle = Bundle::of_document(document);
    let resolved = resolve(&bundle, &bundle.typed().unwrap(), &Selection::Named(Vec::new())).unwrap();
    Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap()
}

fn given(context: Value) -> Given {
    let request = json!({ "request_id": "req_1", "input": { "intent": "support.refund", "context": context } });
    let run = json!({
        "run_id": "run_1", "tenant_id": "tenant_acme_prod", "safety_mode": "destructive", "tokenizer": "bytes/4",
        "as_of": "2026-05-09T10:00:00Z", "user": { "role": "support_agent" },
        "ontologies": { "ont.support": ["1.0.0"] },
    });
    Given::of(request, run, json!([]), json!([]))
}

fn refund(arguments: Value) -> ToolCall {
    let arguments = arguments.as_object().unwrap().clone();
    ToolCall { tool: "adp_payments.issue_refund".to_owned(), arguments }
}

fn decided<'a>(pack: &'a Hydrated, given: &'a Given, call: &ToolCall) -> CallDecision<'a> {
    dispatch(pack, given.inputs(), call).unwrap()
}

/// A gate over the call, in place of the request.
fn by_call(value: &mut Value) {
    value["policy_layer"]["approval_gates"][0]["when"] = json!({ ">": [{ "var": "call.arguments.amount_inr" }, 3000] });
    value["tooling_layer"]["permissions"][2]["arg_constraints"]["amount_inr"] = json!({ "min": 1, "max": 50000 });
    // The rule about large requests names the gate too.
    value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().truncate(1);
}

#[test]
fn a_gate_over_the_call_is_open_at_compile_and_decided_at_the_call() {
    let pack = pack(by_call);
    let given = given(json!({ "identity_verified": true, "refund_amount": 100 }));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    assert_eq!(context.outcome, Verdict::Compiled);
    assert!(context.runtime_controls.approval_gates_active.is_empty());
    let demand = &context.runtime_controls.approvals[0];
    assert_eq!((demand.depends_on_call, demand.gate.required_approver_role.as_deref()), (true, Some("finance_lead")));
    assert_eq!(demand.expires_at.as_deref(), Some("2026-05-09T12:00:00Z"));
    let tool = context.manifests.tool_manifest.iter().find(|tool| tool.adapter_id == "adp_payments").unwrap();
    assert_eq!(tool.capability_metadata["issue_refund"].approval_gates_by_call, ["GATE_FINANCE_APPROVAL"]);
    let text =
        &context.compiled_prompt.context_blocks.iter().find(|b| b.content.contains("issue_refund")).unwrap().content;
    assert!(text.contains("may need approval at GATE_FINANCE_APPROVAL, depending on the arguments"), "{text}");

    let small = decided(&pack, &given, &refund(json!({ "amount_inr": 3000, "idempotency_key": "k" })));
    assert_eq!((small.verdict, small.reasons.as_slice()), (CallVerdict::Allow, &[][..]));
    let large = decided(&pack, &given, &refund(json!({ "amount_inr": 3001, "idempotency_key": "k" })));
    assert_eq!(large.verdict, CallVerdict::NeedsApproval);
    assert_eq!(large.approval_gates[0].required_approver_role.as_deref(), Some("finance_lead"));
    assert_eq!(large.approval_gates[0].ttl_seconds, Some(7200));
}

/// Without its argument a gate over the call cannot be evaluated, and counts as active.
#[test]
fn a_gate_that_cannot_be_evaluated_at_the_call_is_active() {
    let pack = pack(by_call);
    let given = given(json!({ "identity_verified": true, "refund_amount": 100 }));
    let call = refund(json!({ "idempotency_key": "k" }));
    assert_eq!(decided(&pack, &given, &call).verdict, CallVerdict::NeedsApproval);
}

#[test]
fn arguments_are_held_to_every_bound() {
    let pack = pack(|_| {});
    let given = given(json!({ "identity_verified": true, "refund_amount": 1200 }));
    let verdict = |arguments: Value| decided(&pack, &given, &refund(arguments)).verdict;
    assert_eq!(verdict(json!({ "amount_inr": 1200, "idempotency_key": "k" })), CallVerdict::Allow);
    assert_eq!(verdict(json!({ "amount_inr": 1200.0, "idempotency_key": "k" })), CallVerdict::Allow);
    // Another amount than the request's, no key, no amount, text.
    for wrong in [
        json!({ "amount_inr": 50000, "idempotency_key": "k" }),
        json!({ "amount_inr": 1200 }),
        json!({ "idempotency_key": "k" }),
        json!({ "amount_inr": "1200", "idempotency_key": "k" }),
        json!({ "amount_inr": null, "idempotency_key": "k" }),
    ] {
        assert_eq!(verdict(wrong.clone()), CallVerdict::Deny, "{wrong}");
    }
    let tied = decided(&pack, &given, &refund(json!({ "amount_inr": 1201, "idempotency_key": "k" })));
    let reason = CallReason::Argument {
        argument: "amount_inr".into(),
        bound: "it must be equal to the value that it is tied to".into(),
        source: "permission:p_issue_refund".into(),
    };
    assert_eq!(tied.reasons, [reason]);
}

#[test]
fn every_kind_of_bound_can_be_violated() {
    let bounds = json!({
        "amount_inr": { "min": 1, "max": 9 }, "idempotency_key": { "required": true },
        "channel": { "enum": ["card", "bank"] }, "note": { "max_length": 3 }, "order": { "pattern": "ord_[0-9]+" },
    });
    let pack = pack(|value| value["tooling_layer"]["permissions"][2]["arg_constraints"] = bounds);
    let given = given(json!({ "identity_verified": true, "refund_amount": 5 }));
    let base = json!({ "amount_inr": 5, "idempotency_key": "k", "channel": "card", "note": "äöü", "order": "ord_1" });
    assert_eq!(decided(&pack, &given, &refund(base.clone())).verdict, CallVerdict::Allow);
    for (name, wrong) in [
        ("amount_inr", json!(0)),
        ("amount_inr", json!(10)),
        ("channel", json!("cash")),
        ("note", json!("long")),
        ("order", json!("x ord_1")),
        ("order", json!("ord_1\nord_2")),
    ] {
        let mut arguments = base.clone();
        arguments[name] = wrong;
        let decision = decided(&pack, &given, &refund(arguments));
        let named =
            |reason: &CallReason<'_>| matches!(reason, CallReason::Argument { argument, .. } if argument == name);
        assert_eq!((decision.verdict, decision.reasons.iter().all(named)), (CallVerdict::Deny, true), "{decision:?}");
    }
}

/// A tie whose value the request does not have hides the tool, and its call is denied.
#[test]
fn a_tie_without_a_value_hides_the_tool() {
    let pack = pack(|value| {
        value["tooling_layer"]["permissions"][2]["arg_constraints"]["amount_inr"] =
            json!({ "equals": { "var": "request.context.approved_amount" } });
    });
    let given = given(json!({ "identity_verified": true, "refund_amount": 5 }));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let entry = context.context_ledger.tools.iter().find(|entry| entry.capability == "issue_refund").unwrap();
    assert_eq!(entry.hidden_by.iter().map(|hidden| hidden.check.as_str()).collect::<Vec<_>>(), ["arguments"]);
    assert!(context.context_ledger.notices.iter().any(|notice| notice.code == "D1539"));
    let call = refund(json!({ "amount_inr": 5, "idempotency_key": "k" }));
    assert_eq!(decided(&pack, &given, &call).verdict, CallVerdict::Deny);
}

#[test]
fn unknown_and_hidden_tools_are_denied_with_the_reason() {
    let pack = pack(|_| {});
    let given = given(json!({ "identity_verified": true, "refund_amount": 5 }));
    let call = ToolCall { tool: "adp_payments.issue_refunds".to_owned(), arguments: serde_json::Map::new() };
    let near = CallReason::UnknownTool { did_you_mean: Some("adp_payments.issue_refund".into()) };
    assert_eq!(decided(&pack, &given, &call).reasons, [near]);
    let mut low = given.clone();
    let mut run = low.run.fields().clone();
    run.insert("safety_mode".to_owned(), json!("read_only"));
    low.run = deed_context::ReadInput::from_value(Value::Object(run)).unwrap();
    let decision = decided(&pack, &low, &refund(json!({ "amount_inr": 5, "idempotency_key": "k" })));
    assert!(matches!(decision.reasons.as_slice(), [CallReason::Hidden { .. }]), "{decision:?}");
}

/// A rule that denies stops everything that acts; reads are still allowed.
#[test]
fn under_a_denial_only_reading_goes_on() {
    let pack = pack(|_| {});
    let given = given(json!({ "identity_verified": false, "refund_amount": 5 }));
    let decision = decided(&pack, &given, &refund(json!({ "amount_inr": 5, "idempotency_key": "k" })));
    assert_eq!(decision.verdict, CallVerdict::Deny);
    let read = ToolCall { tool: "adp_orders.lookup".to_owned(), arguments: serde_json::Map::new() };
    assert_eq!(decided(&pack, &given, &read).verdict, CallVerdict::Allow);
    // A denial that names the tool, or that the call decides, stops reading too.
    for denial in [
        json!({ "if": true, "then": { "allow": false, "capabilities": ["adp_orders.lookup"] } }),
        json!({ "if": { "==": [{ "var": "call.tool" }, "adp_orders.lookup"] }, "then": { "allow": false } }),
        json!({ "if": { ">": [{ "var": "call.arguments.n" }, 1] }, "then": { "allow": true } }),
    ] {
        let pack = self::pack(|value| {
            let mut rule = denial.clone();
            rule["rule_id"] = json!("R_NO_LOOKUP");
            value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
        });
        assert_eq!(decided(&pack, &given, &read).verdict, CallVerdict::Deny, "{denial}");
    }
}

/// A rule that reads the call denies one call and leaves the request alone.
#[test]
fn a_rule_over_the_call_denies_that_call() {
    let pack = pack(|value| {
        by_call(value);
        let rule = json!({
            "rule_id": "R_NOT_ABROAD", "rationale": "Only at home.",
            "if": { "==": [{ "var": ["call.arguments.country", "IN"] }, "IN"] },
            "then": { "allow": true, "capabilities": ["adp_payments.issue_refund"] },
            "else": { "allow": false, "reason": "Not abroad.", "capabilities": ["adp_payments.issue_refund"] },
        });
        value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
    });
    let given = given(json!({ "identity_verified": true, "refund_amount": 5 }));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    assert_eq!(
        (context.outcome, context.context_ledger.rules_by_call.as_slice()),
        (Verdict::Compiled, &["R_NOT_ABROAD".into()][..])
    );
    let verdict = |country: &str| {
        let arguments = json!({ "amount_inr": 5, "idempotency_key": "k", "country": country });
        decided(&pack, &given, &refund(arguments)).verdict
    };
    assert_eq!((verdict("IN"), verdict("FR")), (CallVerdict::Allow, CallVerdict::Deny));
}

/// A gate for other intents is silent.
#[test]
fn a_gate_applies_to_the_intents_that_it_names() {
    let scoped = |intent: &str| {
        let intent = intent.to_owned();
        pack(move |value| {
            value["policy_layer"]["approval_gates"][0]["applies_to"] = json!({ "intents": [intent] });
            value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().truncate(1);
        })
    };
    let given = given(json!({ "identity_verified": true, "refund_amount": 4200 }));
    let active = |pack: &Hydrated| {
        let outcome = compile(pack, given.inputs());
        outcome.context().unwrap().runtime_controls.approval_gates_active.len()
    };
    assert_eq!((active(&scoped("support.refund")), active(&scoped("support.other"))), (1, 0));
}

/// What the compile shows and what the call is decided by agree: every surfaced tool without a gate, a pending one or a
/// bound is allowed, and every hidden one is denied.
#[test]
fn compile_and_dispatch_agree_on_the_surface() {
    for folder in ["packs/support", "packs/grid"] {
        let bundle = bundle(folder);
        let pack = hydrated(&bundle, &[]);
        for case in &bundle.golden {
            let case = case.value();
            let list = |name: &str| case.get(name).cloned().unwrap_or_else(|| json!([]));
            let Some(run) = case.get("run").cloned() else { continue };
            let given = Given::of(case["request"].clone(), run, list("evidence"), list("memory"));
            let outcome = compile(&pack, given.inputs());
            let Some(context) = outcome.context() else { continue };
            for entry in &context.context_ledger.tools {
                let tool = format!("{}.{}", entry.adapter_id, entry.capability);
                let call = ToolCall { tool, arguments: serde_json::Map::new() };
                let decision = decided(&pack, &given, &call);
                let hidden = decision.reasons.iter().any(|reason| matches!(reason, CallReason::Hidden { .. }));
                assert_eq!(hidden, !entry.surfaced, "{folder} {call:?} {decision:?}");
                // What a compile ends in holds for every call that does more than read.
                let acts = entry.declared_mode > deed_model::ApprovalMode::ReadOnly;
                let least = match context.outcome {
                    Verdict::Compiled => CallVerdict::Allow,
                    Verdict::MustEscalate => CallVerdict::NeedsApproval,
                    Verdict::MustRefuse => CallVerdict::Deny,
                };
                assert!(!acts || decision.verdict >= least, "{folder} {:?} {call:?} {decision:?}", context.outcome);
                let gates: Vec<&str> = decision.approval_gates.iter().map(|gate| &*gate.gate_id).collect();
                let manifest = context.manifests.tool_manifest.iter().find(|t| t.adapter_id == entry.adapter_id);
                let data = manifest.and_then(|tool| tool.capability_metadata.get(&entry.capability));
                for gate in data.iter().flat_map(|data| &data.approval_gates) {
                    assert!(gates.contains(&&**gate), "{folder} {call:?}: {gate} was active at compile");
                }
            }
        }
    }
}

/// What a compile makes of missing evidence holds for every call that acts.
#[test]
fn insufficient_evidence_reaches_the_call() {
    let call = refund(json!({ "amount_inr": 100, "idempotency_key": "k" }));
    let read = ToolCall { tool: "adp_orders.lookup".to_owned(), arguments: serde_json::Map::new() };
    let given = given(json!({ "identity_verified": true, "refund_amount": 100 }));
    for (effect, outcome, verdict) in [
        ("note", Verdict::Compiled, CallVerdict::Allow),
        ("escalate", Verdict::MustEscalate, CallVerdict::NeedsApproval),
        ("refuse", Verdict::MustRefuse, CallVerdict::Deny),
    ] {
        let pack =
            pack(|value| value["decision_layer"]["decision_specs"][0]["on_insufficient_evidence"] = json!(effect));
        assert_eq!(compile(&pack, given.inputs()).context().unwrap().outcome, outcome, "{effect}");
        let decision = decided(&pack, &given, &call);
        assert_eq!(decision.verdict, verdict, "{effect} {decision:?}");
        if verdict != CallVerdict::Allow {
            let reason = CallReason::InsufficientEvidence {
                decision_key: "support.refund.execute".into(),
                effect: serde_json::from_value(json!(effect)).unwrap(),
                unmet: vec!["order_lookup".into()],
            };
            assert_eq!(decision.reasons, [reason], "{effect}");
        }
        assert_eq!(decided(&pack, &given, &read).verdict, CallVerdict::Allow, "{effect}");
    }
}

/// Where no context can be compiled, there is nothing that a call could be allowed under.
#[test]
fn what_refuses_the_compile_refuses_the_call() {
    let call = refund(json!({ "amount_inr": 100, "idempotency_key": "k" }));
    let case = |change: &dyn Fn(&mut Value, &mut serde_json::Map<String, Value>)| {
        let mut given = given(json!({ "identity_verified": true, "refund_amount": 100 }));
        let mut run = given.run.fields().clone();
        let hydrated = pack(|value| change(value, &mut run));
        given.run = deed_context::ReadInput::from_value(Value::Object(run)).unwrap();
        let compiled = compile(&hydrated, given.inputs()).into_result().unwrap_err().diagnostic.code;
        let refused = dispatch(&hydrated, given.inputs(), &call).unwrap_err().diagnostic.code;
        assert_eq!(compiled, refused);
        refused.to_string()
    };
    let no_room = case(&|_, run| {
        run.insert("run_budget".to_owned(), json!({ "bucket_tokens": 1 }));
    });
    assert_eq!(no_room, "D1514");
    let no_policy = case(&|_, run| {
        let buckets = json!({ "business": 9, "policy": 1, "tool": 900, "evidence": 9, "memory": 9, "session": 900 });
        run.insert("run_budget".to_owned(), json!({ "bucket_tokens": buckets }));
    });
    assert_eq!(no_policy, "D1515");
    let other_snapshot = case(&|pack, run| {
        pack["intelligence_refs"]["knowledge_graph"]["snapshot_pin_rule"] = json!("snapshot:one");
        run.insert("kg_snapshot_id".to_owned(), json!("two"));
    });
    assert_eq!(other_snapshot, "D1513");
}

/// A rule that depends on the call is named where the model reads about the tool.
#[test]
fn the_prompt_names_rules_that_depend_on_the_call() {
    let pack = pack(|value| {
        let rule = json!({
            "rule_id": "R_NOT_ABROAD", "rationale": "Only at home.",
            "if": { "==": [{ "var": ["call.arguments.country", "IN"] }, "IN"] },
            "then": { "allow": true, "capabilities": ["adp_payments.issue_refund"] },
            "else": { "allow": false, "reason": "Not abroad.", "capabilities": ["adp_payments.issue_refund"] },
        });
        value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
    });
    let given = given(json!({ "identity_verified": true, "refund_amount": 5 }));
    let outcome = compile(&pack, given.inputs());
    let prompt = deed_context::render_prompt(&outcome.context().unwrap().compiled_prompt);
    assert!(prompt.contains("decided with the arguments of the call: R_NOT_ABROAD"), "{prompt}");
}

/// A rule that lowers the mode of a tool changes how it is shown, and not what it does.
#[test]
fn a_lowered_mode_exempts_from_no_control() {
    let lowered = |change: &dyn Fn(&mut Value)| {
        pack(|value| {
            let rule = json!({
                "rule_id": "R_LOW", "if": true, "rationale": "Small.",
                "then": { "allow": true, "approval_mode": "read_only", "capabilities": ["adp_payments.issue_refund"] },
            });
            value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
            change(value);
        })
    };
    let given = given(json!({ "identity_verified": true, "refund_amount": 100 }));
    let call = refund(json!({ "amount_inr": 100, "idempotency_key": "k" }));
    let plain = lowered(&|_| {});
    assert_eq!(decided(&plain, &given, &call).approval_mode, Some(deed_model::ApprovalMode::ReadOnly));
    assert_eq!(decided(&plain, &given, &call).verdict, CallVerdict::Allow);
    let guardrail = json!([{ "id": "frozen", "when": { "==": [{ "var": "tenant.tenant_id" }, "tenant_acme_prod"] } }]);
    let layer = "policy_layer";
    for (change, expected) in [
        (&|value: &mut Value| value[layer]["guardrails"]["must_refuse"] = guardrail.clone(), CallVerdict::Deny),
        (
            &|value: &mut Value| value[layer]["guardrails"]["must_escalate"] = guardrail.clone(),
            CallVerdict::NeedsApproval,
        ),
        (
            &|value: &mut Value| {
                value["decision_layer"]["decision_specs"][0]["on_insufficient_evidence"] = json!("refuse");
            },
            CallVerdict::Deny,
        ),
        (
            &|value: &mut Value| {
                let rule = json!({ "rule_id": "R_NO", "if": true, "then": { "allow": false }, "rationale": "No." });
                value[layer]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
            },
            CallVerdict::Deny,
        ),
    ] as [(&dyn Fn(&mut Value), CallVerdict); 4]
    {
        let pack = lowered(change);
        let decision = decided(&pack, &given, &call);
        assert_eq!(decision.verdict, expected, "{decision:?}");
    }
}

/// A gate that no permission names for a tool still makes the compile escalate, and so the call.
#[test]
fn what_escalates_the_compile_reaches_every_call_that_acts() {
    let pack = pack(|value| {
        value["tooling_layer"]["permissions"][2].as_object_mut().unwrap().remove("requires_approval_gate");
    });
    for (amount, outcome, verdict) in
        [(100, Verdict::Compiled, CallVerdict::Allow), (4200, Verdict::MustEscalate, CallVerdict::NeedsApproval)]
    {
        let given = given(json!({ "identity_verified": true, "refund_amount": amount }));
        assert_eq!(compile(&pack, given.inputs()).context().unwrap().outcome, outcome);
        let decision = decided(&pack, &given, &refund(json!({ "amount_inr": amount, "idempotency_key": "k" })));
        assert_eq!(decision.verdict, verdict, "{decision:?}");
        let read = ToolCall { tool: "adp_orders.lookup".to_owned(), arguments: serde_json::Map::new() };
        assert_eq!(decided(&pack, &given, &read).verdict, CallVerdict::Allow);
    }
}

/// A rule that names no capability is about every call: the gate that it demands is asked, whatever the permission names.
#[test]
fn a_rule_over_the_call_asks_at_the_gate_that_it_demands() {
    let pack = pack(|value| {
        by_call(value);
        value["tooling_layer"]["permissions"][2].as_object_mut().unwrap().remove("requires_approval_gate");
        value["policy_layer"]["approval_gates"][0]["when"] = json!({ "==": [{ "var": "request.context.vip" }, true] });
        let rule = json!({
            "rule_id": "R_LARGE", "if": { ">": [{ "var": "call.arguments.amount_inr" }, 3000] }, "rationale": "Large.",
            "then": { "allow": true, "requires_approval_gate": "GATE_FINANCE_APPROVAL" },
        });
        value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
    });
    let given = given(json!({ "identity_verified": true, "vip": false }));
    assert_eq!(compile(&pack, given.inputs()).context().unwrap().outcome, Verdict::Compiled);
    let decide = |amount: u64| decided(&pack, &given, &refund(json!({ "amount_inr": amount, "idempotency_key": "k" })));
    assert_eq!(decide(3000).verdict, CallVerdict::Allow);
    let large = decide(3001);
    assert_eq!(large.verdict, CallVerdict::NeedsApproval, "{large:?}");
    assert_eq!(large.approval_gates[0].required_approver_role.as_deref(), Some("finance_lead"));
}

/// A bound with a path as its name is about what stands there, in every item of a list.
#[test]
fn bounds_reach_into_arguments() {
    let pack = pack(|value| {
        let bounds = &mut value["tooling_layer"]["permissions"][2]["arg_constraints"];
        bounds["lines.amount"] = json!({ "max": 100 });
        bounds["payee.id"] = json!({ "equals": { "var": "request.context.payee" } });
    });
    let given = given(json!({ "identity_verified": true, "refund_amount": 5, "payee": "p1" }));
    let decide = |lines: Value, payee: Value| {
        let arguments = json!({ "amount_inr": 5, "idempotency_key": "k", "lines": lines, "payee": payee });
        decided(&pack, &given, &refund(arguments))
    };
    let payee = json!({ "id": "p1" });
    for lines in [json!({ "amount": 100 }), json!([{ "amount": 1 }, { "amount": 100 }, {}]), json!([]), json!(null)] {
        assert_eq!(decide(lines.clone(), payee.clone()).verdict, CallVerdict::Allow, "{lines}");
    }
    for lines in [
        json!({ "amount": 101 }),
        json!([{ "amount": 1 }, { "amount": 101 }]),
        json!({ "amount": "5" }),
        json!([[{ "amount": 1000 }]]),
        json!(1000),
        json!(["x"]),
    ] {
        let decision = decide(lines.clone(), payee.clone());
        assert_eq!(decision.verdict, CallVerdict::Deny, "{lines}");
        assert!(matches!(&decision.reasons[..], [CallReason::Argument { argument, .. }] if argument == "lines.amount"));
    }
    for other in [json!({ "id": "p2" }), json!({}), json!(null), json!("p1"), json!([{ "id": "p1" }, {}])] {
        assert_eq!(decide(json!([]), other.clone()).verdict, CallVerdict::Deny, "{other}");
    }
    assert_eq!(decide(json!([]), json!([{ "id": "p1" }, { "id": "p1" }])).verdict, CallVerdict::Allow);
}
