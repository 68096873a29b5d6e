//! Controls: those that the draft states are the context's, and refusals, demands of a person and bounds are respected.

use super::{Cx, bounds};
use crate::claim::controls;
use crate::sheet::Sheet;
use deed_model::{ControlKind, CriticCheck, CriticVerdict, OutcomeEffect, Verdict};

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Controls);
    let (stated, own) = (&cx.claim.controls_active, controls(cx.inputs.context));
    let lists = [
        ("approval_gates_active", &stated.approval_gates_active, &own.approval_gates_active),
        ("must_escalate", &stated.must_escalate, &own.must_escalate),
        ("must_refuse", &stated.must_refuse, &own.must_refuse),
        ("redaction_rules_active", &stated.redaction_rules_active, &own.redaction_rules_active),
    ];
    for (name, stated, own) in lists {
        sheet.require(stated == own, CriticVerdict::Reject, format!("/controls_active/{name}"), || {
            format!("the context has {}", if own.is_empty() { "none".to_owned() } else { own.join(", ") })
        });
    }
    let allowed = cx.inputs.context.outcome != Verdict::MustRefuse || cx.effect == OutcomeEffect::Refuse;
    sheet.require(allowed, CriticVerdict::Reject, "/outputs/outcome", || "the request must be refused".to_owned());
    if cx.acts() {
        for demand in demands(cx) {
            sheet.require(false, CriticVerdict::Escalate, "/outputs/outcome", || format!("{demand} demands a person"));
        }
        bounds::check(cx, &mut sheet);
    }
    sheet
}

/// Returns the controls that demand a person without a gate: active guardrails, rules, and decisions without evidence.
fn demands(cx: Cx<'_>) -> Vec<&str> {
    let active = cx.inputs.context.context_ledger.controls.iter();
    let active = active.filter(|control| control.active && control.kind == ControlKind::MustEscalate);
    let listed = cx.inputs.context.runtime_controls.must_escalate.iter().map(|source| &**source);
    let listed = listed.filter(|source| {
        let of_decision = source.strip_prefix("decision:").is_some_and(|key| key == cx.claim.decision_key);
        source.starts_with("rule:") || of_decision
    });
    active.map(|control| &*control.id).chain(listed).collect()
}
