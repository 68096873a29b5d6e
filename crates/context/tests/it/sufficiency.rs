//! Evidence that decisions and rules require: met, dropped, stale, rejected or missing, and its effect.

use crate::common::{Given, bundle};
use deed_context::{Hydrated, compile, render_prompt, tokenizer, verify};
use deed_diag::{Document, Format};
use deed_model::{CompiledContext, EvidenceStatus, Verdict};
use deed_pack::{Bundle, Selection, resolve};
use serde_json::{Value, json};

const TENANT: &str = "tenant_acme_prod";

fn pack(change: impl FnOnce(&mut Value)) -> Hydrated {
    let mut value = bundle("packs/support").document.value().clone();
    value["pack_meta"]["overlays"] = json!([]);
    change(&mut value);
    let document = Document::read("pack.json", value.to_string().as_bytes(), Format::Json).unwrap();
    let bundle = Bundle::of_document(document);
    let resolved = resolve(&bundle, &bundle.typed().unwrap(), &Selection::Named(Vec::new())).unwrap();
    Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap()
}

fn item(reference: &str, more: Value) -> Value {
    let content = format!("content of {reference}");
    let hash = deed_canon::ContentHash::of_bytes(content.as_bytes()).to_string();
    let mut item = json!({
        "evidence_ref": reference, "tenant_id": TENANT, "classification": "INTERNAL", "content": content,
        "payload_hash": hash,
    });
    more.as_object().unwrap().iter().for_each(|(key, value)| item[key] = value.clone());
    item
}

fn given(evidence: Value, budget: Value) -> Given {
    let context = json!({ "identity_verified": true, "refund_amount": 100 });
    let request = json!({ "request_id": "req_1", "input": { "intent": "support.refund", "context": context } });
    let run = json!({
        "run_id": "run_1", "tenant_id": TENANT, "safety_mode": "destructive", "tokenizer": "bytes/4",
        "as_of": "2026-05-09T10:00:00Z", "user": { "role": "support_agent" }, "kg_snapshot_id": "snap_1",
        "ontologies": { "ont.support": ["1.0.0"] }, "run_budget": { "bucket_tokens": budget },
    });
    Given::of(request, run, evidence, json!([]))
}

const LOOKUP: &str = "tool:adp_orders.lookup:call_1";

fn states(context: &CompiledContext<'_>) -> Vec<(String, EvidenceStatus)> {
    let decision = &context.decisions[0];
    decision.required_evidence.iter().map(|required| (required.name.to_string(), required.status)).collect()
}

fn lookup_state(evidence: Value, budget: Value) -> EvidenceStatus {
    let (pack, given) = (pack(|_| {}), given(evidence, budget));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    verify(context).unwrap();
    let state = states(context).into_iter().find(|(name, _)| name == "order_lookup").unwrap().1;
    let obligation = context.obligations.iter().find(|o| o.requirement.name == "order_lookup").unwrap();
    assert_eq!((obligation.requirement.status, &*obligation.rule_id), (state, "R_REFUND_REQUIRES_IDV"));
    let prompt = render_prompt(&context.compiled_prompt);
    let shown = if state == EvidenceStatus::Met { LOOKUP } else { state.as_str() };
    assert!(prompt.contains(&format!("order_lookup {shown}")), "{prompt}");
    state
}

#[test]
fn each_state_is_told() {
    let roomy = || json!(4000);
    assert_eq!(lookup_state(json!([item(LOOKUP, json!({}))]), roomy()), EvidenceStatus::Met);
    assert_eq!(lookup_state(json!([]), roomy()), EvidenceStatus::Missing);
    let stale = json!({ "expires_at": "2026-05-09T10:00:00Z" });
    assert_eq!(lookup_state(json!([item(LOOKUP, stale)]), roomy()), EvidenceStatus::Stale);
    let foreign = json!({ "tenant_id": "tenant_other" });
    assert_eq!(lookup_state(json!([item(LOOKUP, foreign)]), roomy()), EvidenceStatus::Rejected);
    let tight = json!({ "business": 400, "policy": 400, "tool": 400, "evidence": 1, "memory": 0, "session": 40 });
    assert_eq!(lookup_state(json!([item(LOOKUP, json!({}))]), tight), EvidenceStatus::Dropped);
}

/// Of several pieces the best one counts; other tools and longer names are not the same source.
#[test]
fn the_best_source_counts_and_no_other_tool_does() {
    let stale = item(LOOKUP, json!({ "expires_at": "2026-05-09T10:00:00Z" }));
    let fresh = item("tool:adp_orders.lookup:call_2", json!({}));
    let (pack, given) = (pack(|_| {}), given(json!([stale, fresh]), json!(4000)));
    let outcome = compile(&pack, given.inputs());
    let required = &outcome.context().unwrap().decisions[0].required_evidence[1];
    assert_eq!(
        (required.status, required.refs.as_slice()),
        (EvidenceStatus::Met, &["tool:adp_orders.lookup:call_2".into()][..])
    );
    for other in ["tool:adp_orders.lookups:call_1", "tool:adp_policy.eval:call_1", "tool:adp_ordersx.lookup:c"] {
        assert_eq!(lookup_state(json!([item(other, json!({}))]), json!(4000)), EvidenceStatus::Missing, "{other}");
    }
}

/// A field of the request meets its name, unless it is null or false; policy is met by the rules that fired.
#[test]
fn the_request_and_policy_are_sources_too() {
    let (pack, given) = (pack(|_| {}), given(json!([]), json!(4000)));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let required = &context.decisions[0].required_evidence;
    assert_eq!(required[0].refs, ["request.context.identity_verified"]);
    assert_eq!(
        (required[2].status, required[2].refs.as_slice()),
        (EvidenceStatus::Met, &["policy:R_REFUND_REQUIRES_IDV".into()][..])
    );
    assert!(!context.decisions[0].sufficient);
    assert_eq!(context.outcome, Verdict::Compiled);
}

#[test]
fn the_pack_says_what_missing_evidence_does() {
    for (effect, verdict) in
        [("note", Verdict::Compiled), ("escalate", Verdict::MustEscalate), ("refuse", Verdict::MustRefuse)]
    {
        let pack =
            pack(|value| value["decision_layer"]["decision_specs"][0]["on_insufficient_evidence"] = json!(effect));
        let missing = given(json!([]), json!(4000));
        let outcome = compile(&pack, missing.inputs());
        let context = outcome.context().unwrap();
        assert_eq!(context.outcome, verdict, "{effect}");
        let controls = &context.runtime_controls;
        let named =
            controls.must_refuse.iter().chain(&controls.must_escalate).any(|c| c == "decision:support.refund.execute");
        assert_eq!(named, effect != "note");
        let met = given(json!([item(LOOKUP, json!({}))]), json!(4000));
        let outcome = compile(&pack, met.inputs());
        assert_eq!(outcome.context().unwrap().outcome, Verdict::Compiled, "{effect}");
    }
}

/// Required evidence is packed first, then what has a rank, then by reference.
#[test]
fn required_evidence_comes_first() {
    let evidence = json!([
        item("kg:customer:c_1#snap_1", json!({})),
        item("kg:customer:c_9#snap_1", json!({ "rank": 2 })),
        item("kg:order:o_1#snap_1", json!({ "rank": 1 })),
        item(LOOKUP, json!({})),
    ]);
    let (pack, given) = (pack(|_| {}), given(evidence, json!(4000)));
    let outcome = compile(&pack, given.inputs());
    let manifest = &outcome.context().unwrap().manifests.evidence_manifest;
    let refs: Vec<&str> = manifest.iter().map(|entry| &*entry.evidence_ref).collect();
    assert_eq!(refs, [LOOKUP, "kg:order:o_1#snap_1", "kg:customer:c_9#snap_1", "kg:customer:c_1#snap_1"]);
}

/// Non-negotiables are part of the head: a small business bucket does not drop them.
#[test]
fn non_negotiables_are_never_dropped() {
    let tight = json!({ "business": 0, "policy": 400, "tool": 400, "evidence": 0, "memory": 0, "session": 0 });
    let (pack, given) = (pack(|_| {}), given(json!([]), tight));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    assert!(context.compiled_prompt.developer.contains("Always: payment details stay out of every message"));
    assert!(context.compiled_prompt.developer.contains("amounts in INR"));
    assert!(context.budget_report.dropped_blocks.iter().any(|block| block.block_id == "biz_summary"));
}

/// What rules require beside the decisions reaches the prompt too, once, with its state or the reference to cite.
#[test]
fn obligations_are_told_beside_decisions() {
    let rule = "/policy_layer/policy_bundles/0/policy_dsl/rules/0/then/requires";
    let pack =
        pack(|p| *p.pointer_mut(rule).unwrap() = json!(["order_lookup", "customer_history", "policy_eval", "order"]));
    let evidence = json!([item(LOOKUP, json!({})), item("kg:order:o_1#snap_1", json!({}))]);
    let given = given(evidence, json!(4000));
    let outcome = compile(&pack, given.inputs());
    let prompt = render_prompt(&outcome.context().unwrap().compiled_prompt);
    let line = "Evidence for rule R_REFUND_REQUIRES_IDV: customer_history missing; order kg:order:o_1#snap_1.";
    assert!(prompt.contains(line), "{prompt}");
    assert_eq!(prompt.matches("order_lookup tool:").count(), 1, "{prompt}");
}

/// Each decision is judged by itself, and the strictest effect of those that lack evidence counts.
#[test]
fn several_decisions_are_judged_each_by_itself() {
    let verdict = |first: &str, second: &str, evidence: Value| {
        let pack = pack(|p| {
            let specs = p.pointer_mut("/decision_layer/decision_specs").unwrap().as_array_mut().unwrap();
            let mut other = specs[0].clone();
            specs[0]["on_insufficient_evidence"] = json!(first);
            other["decision_key"] = json!("support.refund.note");
            other["required_evidence"] = json!(["customer_history"]);
            other["on_insufficient_evidence"] = json!(second);
            specs.push(other);
        });
        let given = given(evidence, json!(4000));
        let outcome = compile(&pack, given.inputs());
        let context = outcome.context().unwrap();
        let sufficient: Vec<bool> = context.decisions.iter().map(|decision| decision.sufficient).collect();
        (sufficient, context.outcome)
    };
    let (lookup, history) = (item(LOOKUP, json!({})), item("kg:customer:c_1#snap_1", json!({})));
    assert_eq!(verdict("refuse", "note", json!([lookup])), (vec![true, false], Verdict::Compiled));
    assert_eq!(verdict("refuse", "escalate", json!([lookup])), (vec![true, false], Verdict::MustEscalate));
    assert_eq!(verdict("refuse", "escalate", json!([history])), (vec![false, true], Verdict::MustRefuse));
    assert_eq!(verdict("escalate", "refuse", json!([])), (vec![false, false], Verdict::MustRefuse));
    assert_eq!(verdict("refuse", "refuse", json!([lookup, history])), (vec![true, true], Verdict::Compiled));
}

/// The ledger alone shows why a compile refused: decisions and obligations with the state of their evidence.
#[test]
fn the_ledger_has_decisions_and_obligations() {
    let (pack, given) = (pack(|_| {}), given(json!([]), json!(4000)));
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let ledger = &context.context_ledger;
    assert_eq!(ledger.decisions[0].required_evidence, context.decisions[0].required_evidence);
    assert!(!ledger.decisions[0].sufficient && ledger.decisions[0].decision_key == "support.refund.execute");
    assert_eq!((ledger.obligations.len(), &ledger.obligations), (1, &context.obligations));
    verify(context).unwrap();
    let mut changed = context.clone();
    changed.context_ledger.decisions[0].sufficient = true;
    assert!(verify(&changed).is_err());
}

/// The record of one customer proves nothing about another.
#[test]
fn evidence_about_another_subject_meets_nothing() {
    let pack = pack(|value| {
        value["decision_layer"]["decision_specs"][0]["required_evidence"] = json!(["customer_record", "kg:order"]);
    });
    let evidence = json!([item("kg:customer:c_2#snap_1", json!({})), item("kg:order:o_9#snap_1", json!({}))]);
    let states_for = |subjects: Value, evidence: &Value| {
        let mut given = given(evidence.clone(), json!(4000));
        let mut run = given.run.fields().clone();
        run.insert("subject_ids".to_owned(), subjects);
        given.run = deed_context::ReadInput::from_value(Value::Object(run)).unwrap();
        let outcome = compile(&pack, given.inputs());
        states(outcome.context().unwrap()).into_iter().map(|(_, state)| state).collect::<Vec<_>>()
    };
    let (met, missing) = (EvidenceStatus::Met, EvidenceStatus::Missing);
    assert_eq!(states_for(json!([]), &evidence), [met, met]);
    assert_eq!(states_for(json!(["customer:c_2"]), &evidence), [met, met]);
    assert_eq!(states_for(json!(["customer:c_1"]), &evidence), [missing, met]);
    assert_eq!(states_for(json!(["customer:c_1", "customer:c_2"]), &evidence), [met, met]);
    assert_eq!(states_for(json!(["customer:c_2", "order:o_8"]), &evidence), [met, missing]);
}

#[test]
fn an_empty_field_is_no_evidence() {
    let pack = pack(|_| {});
    for (value, status) in [
        (json!(""), EvidenceStatus::Missing),
        (json!("  "), EvidenceStatus::Missing),
        (json!([]), EvidenceStatus::Missing),
        (json!({}), EvidenceStatus::Missing),
        (json!("passport"), EvidenceStatus::Met),
        (json!(0), EvidenceStatus::Met),
        (json!([1]), EvidenceStatus::Met),
    ] {
        let context = json!({ "identity_verified": value, "refund_amount": 100 });
        let request = json!({ "request_id": "r", "input": { "intent": "support.refund", "context": context } });
        let mut given = given(json!([]), json!(4000));
        given.request = deed_context::ReadInput::from_value(request).unwrap();
        let outcome = compile(&pack, given.inputs());
        assert_eq!(states(outcome.context().unwrap())[0].1, status, "{value}");
    }
}

/// A source that was asked and answered with nothing at all has not answered; an empty list is an answer.
#[test]
fn evidence_without_content_meets_nothing() {
    let with = |content: Value| {
        let bytes = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
        let hash = deed_canon::ContentHash::of_bytes(bytes.as_bytes()).to_string();
        lookup_state(json!([item(LOOKUP, json!({ "content": content, "payload_hash": hash }))]), json!(4000))
    };
    assert_eq!(with(json!("")), EvidenceStatus::Missing);
    assert_eq!(with(json!(" \n\t")), EvidenceStatus::Missing);
    assert_eq!(with(json!("0")), EvidenceStatus::Met);
    assert_eq!(with(json!([])), EvidenceStatus::Met);
}

/// A rule that does not enforce and could not be evaluated leaves policy unevaluated.
#[test]
fn policy_that_failed_in_part_was_not_evaluated() {
    let pack = pack(|value| {
        let rule = json!({
            "rule_id": "R_HINT", "rationale": "A hint.", "non_enforcing": true,
            "if": { ">": [{ "var": "request.context.not_there" }, 1] }, "then": { "requires": ["order_lookup"] },
        });
        value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().push(rule);
    });
    let given = given(json!([]), json!(4000));
    let outcome = compile(&pack, given.inputs());
    let required = &outcome.context().unwrap().decisions[0].required_evidence[2];
    assert_eq!((&*required.name, required.status), ("policy_eval", EvidenceStatus::Missing));
}

/// A folder is compiled without lint, and what hides in its texts must not reach the model or a terminal.
#[test]
fn nothing_hides_in_the_pack_s_own_text() {
    let hidden = "x\u{1b}[31m\u{202e}y \u{200b} <<< >>>";
    let pack = pack(|value| {
        value["tone_and_comms"]["do"] = json!([hidden]);
        value["business_context"]["summary"]["what_we_do"] = json!(hidden);
        value["business_context"]["non_negotiables"] = json!([hidden]);
        value["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0]["rationale"] = json!(hidden);
        value["policy_layer"]["guardrails"]["must_escalate"] = json!([{ "id": hidden, "when": true }]);
        value["tooling_layer"]["adapter_registry"][0]["capabilities"] =
            json!([{ "id": "lookup", "description": hidden }]);
    });
    let given = given(json!([]), json!(4000));
    let outcome = compile(&pack, given.inputs());
    let prompt = render_prompt(&outcome.context().unwrap().compiled_prompt);
    let shows = |c: char| matches!(c, '\u{1b}' | '\u{202e}' | '\u{200b}');
    assert!(!prompt.contains(shows), "{prompt:?}");
    assert!(prompt.matches("x\\u{1b}[31m\\u{202e}y \\u{200b} <<< >>>").count() >= 5, "{prompt}");
    verify(outcome.context().unwrap()).unwrap();
}
