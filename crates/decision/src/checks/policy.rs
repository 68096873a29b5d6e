//! Policy: the verdicts of rules are those of the context's ledger, and nothing is done that one of them denies.

use super::Cx;
use crate::claim::policy;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict::Reject, OutcomeEffect, RuleVerdict};

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Policy);
    let (stated, decided) = (&cx.claim.policy_decisions, policy(cx.inputs.context));
    for own in &decided {
        sheet.require(stated.contains(own), Reject, "/policy_decisions", || {
            format!("rule {} decided {}, which is not what it states", own.rule_id, own.verdict.as_str())
        });
    }
    for (i, other) in stated.iter().enumerate() {
        sheet.require(decided.contains(other), Reject, format!("/policy_decisions/{i}"), || {
            format!("the context has no such verdict of rule {}", other.rule_id)
        });
    }
    let refuses = cx.effect == OutcomeEffect::Refuse;
    let ledger = &cx.inputs.context.context_ledger;
    let denials = ledger.policy_decisions.iter().filter(|decision| decision.verdict == RuleVerdict::Deny);
    let binding =
        denials.filter(|decision| decision.decision_binding.as_deref().is_none_or(|key| key == cx.claim.decision_key));
    for denial in binding {
        sheet.require(refuses, Reject, "/outputs/outcome", || format!("rule {} denies it", denial.rule_id));
    }
    if cx.acts() {
        for rule in &ledger.rules_by_call {
            sheet.note("/outputs", format!("rule {rule} decides when a tool is called"));
        }
    }
    sheet
}
