//! Why everything is in or out.

use crate::common::archive;

use crate::common::Given;
use archive::{calm, edited, small, support as support_pack, worked};
use deed_context::{ContextExplanation, Hydrated, ItemExplanation, Recording, compile, explain, tokenizer};
use deed_model::{CompiledContext, ControlKind, ItemStatus, RuleBranch, RuleVerdict, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A request that compiled, ready to be asked about.
struct Case {
    pack: Hydrated,
    given: Given,
}

impl Case {
    fn of(recording: Recording) -> Self {
        let name = recording.run["tokenizer"].as_str().unwrap();
        let pack = Hydrated::new(&recording.pack.resolve().unwrap(), tokenizer(name).unwrap()).unwrap();
        Self { pack, given: Given::of(recording.request, recording.run, recording.evidence, recording.memory) }
    }

    fn check(&self, look: impl FnOnce(&CompiledContext<'_>, &ContextExplanation<'_>)) {
        let outcome = compile(&self.pack, self.given.inputs());
        let context = outcome.context().unwrap();
        let explained = explain(&self.pack, self.given.inputs(), context);
        nothing_is_left_out(self, context, &explained);
        look(context, &explained);
    }
}

/// Whatever was supplied is explained once, in the order of the ledger, with at least one reason.
fn nothing_is_left_out(case: &Case, context: &CompiledContext<'_>, explained: &ContextExplanation<'_>) {
    let ledger = &context.context_ledger;
    let listed = |whys: &[ItemExplanation]| -> Vec<(String, bool)> {
        assert!(
            whys.iter().all(|why| !why.reasons.is_empty() && why.reasons.iter().all(|r| !r.is_empty())),
            "{whys:?}"
        );
        whys.iter().map(|why| (why.name.clone(), why.included)).collect()
    };
    let tools = ledger.tools.iter().map(|t| (format!("{}.{}", t.adapter_id, t.capability), t.surfaced));
    assert_eq!(listed(&explained.tools), tools.collect::<Vec<_>>());
    let evidence = ledger.evidence.iter().map(|e| (e.evidence_ref.to_string(), e.status == ItemStatus::Kept));
    assert_eq!(listed(&explained.evidence), evidence.collect::<Vec<_>>());
    let memory = ledger.memory.iter().map(|m| (m.id.to_string(), m.status == ItemStatus::Kept));
    assert_eq!(listed(&explained.memory), memory.collect::<Vec<_>>());
    // Every reason of the ledger is there, by name.
    for (entry, why) in ledger.evidence.iter().zip(&explained.evidence) {
        assert!(entry.reasons.iter().all(|r| why.reasons.iter().any(|w| w.starts_with(&format!("{}: ", r.as_str())))));
    }
    for (entry, why) in ledger.memory.iter().zip(&explained.memory) {
        assert!(entry.reasons.iter().all(|r| why.reasons.iter().any(|w| w.starts_with(&format!("{}: ", r.as_str())))));
    }
    for (entry, why) in ledger.tools.iter().zip(&explained.tools).filter(|(entry, _)| !entry.surfaced) {
        let checks: Vec<&str> = entry.hidden_by.iter().map(|h| h.check.as_str()).collect();
        let said: Vec<&str> = why.reasons.iter().map(|w| w.split_once(": ").unwrap().0).collect();
        assert_eq!(said, checks);
    }
    assert_eq!(explained.outcome, context.outcome);
    assert!(!explained.because.is_empty());
    assert_eq!(explained.dropped, context.budget_report.dropped_blocks);
    // Every rule of the intent is there, and those that fired say how.
    let intent = ledger.intent.id.as_ref();
    let concerning =
        case.pack.pack().rules().filter(|(_, rule)| {
            rule.applies_to.as_ref().and_then(|a| a.intent.as_deref()).is_none_or(|own| own == intent)
        });
    let rules: Vec<&str> = explained.rules.iter().map(|r| r.rule_id).collect();
    assert_eq!(rules, concerning.map(|(_, rule)| rule.rule_id.as_str()).collect::<Vec<_>>());
    let spoke: Vec<(&str, RuleBranch, RuleVerdict)> =
        explained.rules.iter().filter_map(|r| Some((r.rule_id, r.branch?, r.verdict?))).collect();
    let decided = ledger.policy_decisions.iter().map(|d| (d.rule_id.as_ref(), d.branch, d.verdict));
    assert_eq!(spoke, decided.collect::<Vec<_>>());
}

/// What a tree says was read, by path: expressions without others below that are no constants.
fn reads(tree: &Value, out: &mut BTreeMap<String, Value>) {
    if let Some(children) = tree["children"].as_array() {
        children.iter().for_each(|child| reads(child, out));
    }
    if let Some(path) = tree["expression"].as_str().filter(|path| path.contains('.')) {
        out.insert(path.to_owned(), tree["value"].clone());
    }
}

#[test]
fn the_worked_example() {
    Case::of(worked(support_pack(&[]))).check(|_, explained| {
        assert_eq!(explained.outcome, Verdict::MustEscalate);
        assert_eq!(
            explained.because,
            ["gate GATE_FINANCE_APPROVAL is active: demanded by R_HIGH_VALUE_REQUIRES_APPROVAL"]
        );
        let rules: Vec<_> = explained.rules.iter().map(|r| (r.rule_id, r.branch, r.verdict)).collect();
        let then = Some(RuleBranch::Then);
        assert_eq!(
            rules,
            [
                ("R_REFUND_REQUIRES_IDV", then, Some(RuleVerdict::Require)),
                ("R_HIGH_VALUE_REQUIRES_APPROVAL", then, Some(RuleVerdict::Require)),
            ]
        );
        for words in ["request.context.refund_amount = 4200", "user.role = \"support_agent\"", "> = true"] {
            assert!(explained.rules[1].text.contains(words), "{}", explained.rules[1].text);
        }
        let mut read = BTreeMap::new();
        reads(explained.rules[1].tree.as_ref().unwrap(), &mut read);
        assert_eq!(
            read,
            BTreeMap::from([
                ("request.context.refund_amount".to_owned(), json!(4200)),
                ("user.role".to_owned(), json!("support_agent")),
            ])
        );
        let controls: Vec<_> = explained.controls.iter().map(|c| (c.id, c.kind, c.active, c.tree.is_some())).collect();
        assert_eq!(
            controls,
            [
                ("refund_without_identity", ControlKind::MustRefuse, false, false),
                ("fraud_signal_high", ControlKind::MustEscalate, false, false),
                ("GATE_FINANCE_APPROVAL", ControlKind::ApprovalGate, true, true),
            ]
        );
        assert!(explained.controls[0].why.starts_with("a static label"));
        assert_eq!(explained.controls[2].why, "demanded by R_HIGH_VALUE_REQUIRES_APPROVAL");
        let refund = &explained.tools[2];
        assert_eq!(
            refund.reasons,
            [
                "exposed by permission:p_issue_refund",
                "destructive is at most the run's destructive",
                "nothing prohibits or forbids it",
                "a call needs approval at GATE_FINANCE_APPROVAL now",
                "its arguments are bounded by permission:p_issue_refund",
            ]
        );
        let order = &explained.evidence.iter().find(|e| e.name.starts_with("kg:order")).unwrap().reasons;
        assert_eq!(
            order[..2],
            [
                "bound to the run's snapshot snapshot_kg_2026_05_03_T0930",
                "belongs to tenant_acme_prod, at most INTERNAL, and its hash matches",
            ]
        );
        assert!(order[2].starts_with("in block ev_"), "{order:?}");
        assert!(explained.memory[0].reasons[0].starts_with("promoted, not expired"));
    });
}

#[test]
fn a_denied_one() {
    let mut denied = worked(support_pack(&[]));
    denied.request["input"]["context"]["identity_verified"] = json!(false);
    denied.run["safety_mode"] = json!("read_only");
    denied.run["prohibitions"] = json!([{ "adapter_id": "adp_policy" }]);
    Case::of(denied).check(|_, explained| {
        assert_eq!(explained.outcome, Verdict::MustRefuse);
        assert_eq!(
            explained.because,
            ["rule R_REFUND_REQUIRES_IDV denies: The customer's identity was not verified, so no refund is possible.",]
        );
        let first = &explained.rules[0];
        assert_eq!((first.branch, first.verdict), (Some(RuleBranch::Else), Some(RuleVerdict::Deny)));
        let mut read = BTreeMap::new();
        reads(first.tree.as_ref().unwrap(), &mut read);
        assert_eq!(read, BTreeMap::from([("request.context.identity_verified".to_owned(), json!(false))]));
        assert_eq!(explained.tools[1].reasons, ["prohibition: the run may not use it"]);
        assert_eq!(explained.tools[2].reasons, ["safety_mode: destructive is above the run's read_only"]);
    });
}

#[test]
fn a_rule_that_fails_denies_and_says_so() {
    let mut failing = worked(support_pack(&[]));
    failing.request["input"]["context"].as_object_mut().unwrap().remove("identity_verified");
    Case::of(failing).check(|_, explained| {
        assert_eq!(explained.rules[0].branch, Some(RuleBranch::Error));
        assert_eq!(explained.because.len(), 1);
        let because = &explained.because[0];
        assert!(because.starts_with("rule R_REFUND_REQUIRES_IDV denies: policy_eval_error: "), "{because}");
        assert!(because.contains("request.context.identity_verified"), "{because}");
    });
}

#[test]
fn a_guardrail_with_a_predicate() {
    let mut fraud = calm();
    fraud.request["input"]["context"]["fraud_score"] = json!(0.9);
    Case::of(fraud).check(|_, explained| {
        assert_eq!(
            (explained.outcome, explained.because.as_slice()),
            (Verdict::MustRefuse, &["guardrail fraud is active".to_owned()][..])
        );
        let guardrail = explained.controls.iter().find(|c| c.id == "fraud").unwrap();
        assert_eq!((guardrail.active, guardrail.why.as_str()), (true, "its predicate holds"));
        let mut read = BTreeMap::new();
        reads(guardrail.tree.as_ref().unwrap(), &mut read);
        assert_eq!(read.get("request.context.fraud_score"), Some(&json!(0.9)));
    });
    Case::of(calm()).check(|_, explained| {
        assert_eq!(explained.because, ["no rule denies, no gate and no guardrail is active"]);
        let guardrail = explained.controls.iter().find(|c| c.id == "fraud").unwrap();
        assert_eq!((guardrail.active, guardrail.why.as_str()), (false, "its predicate does not hold"));
    });
}

#[test]
fn a_rule_that_wants_a_person() {
    let mut asking = calm();
    asking.pack = edited(&small(), |pack| {
        *pack.pointer_mut("/policy_layer/policy_bundles/0/policy_dsl/rules/0/then/requires").unwrap() =
            json!(["approval"]);
    });
    Case::of(asking).check(|_, explained| {
        assert_eq!(explained.outcome, Verdict::MustEscalate);
        assert_eq!(explained.because, ["rule R_ID requires a person"]);
    });
}

#[test]
fn everything_of_a_mixed_request_has_its_reasons() {
    Case::of(calm()).check(|context, explained| {
        let rejected = explained.evidence.iter().filter(|e| !e.included).count();
        assert!(rejected >= 2 && explained.evidence.len() > rejected);
        assert!(explained.memory.iter().any(|m| m.included) && explained.memory.iter().any(|m| !m.included));
        assert_eq!(explained.tools.iter().filter(|t| !t.included).count(), 1);
        let purge = explained.tools.iter().find(|t| !t.included).unwrap();
        assert_eq!(purge.reasons, ["permission: none exposes it", "prohibition: the run may not use it"]);
        assert!(context.budget_report.dropped_blocks.is_empty());
    });
}

#[test]
fn what_found_no_room_says_what_it_needs() {
    let mut tight = worked(support_pack(&[]));
    tight.run["run_budget"]["bucket_tokens"]["evidence"] = json!(60);
    tight.run["run_budget"]["bucket_tokens"]["memory"] = json!(1);
    tight.run["run_budget"]["bucket_tokens"]["tool"] = json!(20);
    Case::of(tight).check(|context, explained| {
        assert!(explained.dropped.len() >= 4, "{:?}", explained.dropped);
        let owners =
            context.context_ledger.evidence.iter().zip(&explained.evidence).map(|(e, why)| (e.block_id.clone(), why));
        let owners = owners.chain(
            context.context_ledger.memory.iter().zip(&explained.memory).map(|(m, why)| (m.block_id.clone(), why)),
        );
        let owners = owners
            .chain(context.context_ledger.tools.iter().zip(&explained.tools).map(|(t, why)| (t.block_id.clone(), why)));
        let by_block: BTreeMap<String, &ItemExplanation> =
            owners.filter_map(|(id, why)| Some((id?.into_owned(), why))).collect();
        for block in &explained.dropped {
            let given = context.budget_report.tokens_allocated.get(block.bucket);
            let words = format!(
                "{} takes {} tokens and does not fit: {} has {given}, the smallest budget that keeps it is {}",
                block.block_id, block.tokens, block.bucket, block.smallest_budget
            );
            assert!(block.smallest_budget > given && block.exact);
            let why = by_block[block.block_id.as_ref()];
            assert!(why.reasons.contains(&words), "{words}: {why:?}");
        }
        // What was admitted and found no room is not in the prompt.
        assert!(!explained.memory[0].included);
    });
}

#[test]
fn an_explanation_is_the_same_twice_and_has_json() {
    let case = Case::of(calm());
    let outcome = compile(&case.pack, case.given.inputs());
    let context = outcome.context().unwrap();
    let (one, two) =
        (explain(&case.pack, case.given.inputs(), context), explain(&case.pack, case.given.inputs(), context));
    assert_eq!(one, two);
    let written = serde_json::to_value(&one).unwrap();
    let keys: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["because", "controls", "dropped", "evidence", "memory", "outcome", "rules", "tools"]);
    assert_eq!(written["rules"].as_array().unwrap().len(), 3);
}
