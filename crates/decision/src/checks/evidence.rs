//! Evidence: what is cited was shown and is still valid, and what is required is met and cited.
//!
//! A decision may cite what the context offers: its evidence manifest, and the references that meet its requirements.
//! Only an outcome that acts needs its required evidence: a refusal may be due to its absence.

use super::Cx;
use crate::sheet::Sheet;
use deed_canon::timestamp;
use deed_model::{
    CriticCheck, CriticVerdict, EvidenceRequirement, EvidenceStatus, InsufficientEvidence, ItemStatus, Obligation,
};
use std::collections::BTreeSet;

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Evidence);
    let obligations: Vec<&Obligation<'_>> = obligations(cx).collect();
    let offered = offered(cx, &obligations);
    for (i, reference) in cx.claim.evidence_refs.iter().enumerate() {
        cited(cx, &mut sheet, &format!("/evidence_refs/{i}"), reference, &offered);
    }
    if !cx.acts() {
        return sheet;
    }
    if let Some(spec) = cx.spec {
        for required in &spec.required_evidence {
            demand(cx, &mut sheet, required, verdict(spec.on_insufficient_evidence), "the decision");
        }
    }
    for obligation in obligations {
        let by = format!("rule {}", obligation.rule_id);
        demand(cx, &mut sheet, &obligation.requirement, CriticVerdict::Replan, &by);
    }
    sheet
}

/// Returns the obligations of rules that govern this decision, or all.
fn obligations<'c>(cx: Cx<'c>) -> impl Iterator<Item = &'c Obligation<'c>> {
    let decisions = &cx.inputs.context.context_ledger.policy_decisions;
    cx.inputs.context.obligations.iter().filter(move |obligation| {
        let rule = decisions.iter().find(|decision| decision.rule_id == obligation.rule_id);
        let bound = rule.and_then(|rule| rule.decision_binding.as_deref());
        bound.is_none_or(|key| key == cx.claim.decision_key)
    })
}

/// Returns the references that the context offers for citation.
fn offered<'c>(cx: Cx<'c>, obligations: &[&'c Obligation<'c>]) -> BTreeSet<&'c str> {
    let manifest = cx.inputs.context.manifests.evidence_manifest.iter().map(|entry| &*entry.evidence_ref);
    let required = cx.spec.into_iter().flat_map(|spec| &spec.required_evidence);
    let required = required.chain(obligations.iter().map(|obligation| &obligation.requirement));
    let met = required.filter(|required| required.status == EvidenceStatus::Met);
    manifest.chain(met.flat_map(|required| required.refs.iter().map(|reference| &**reference))).collect()
}

/// Requires that a cited reference was offered and has not expired since.
fn cited(cx: Cx<'_>, sheet: &mut Sheet, pointer: &str, reference: &str, offered: &BTreeSet<&str>) {
    let ledger = &cx.inputs.context.context_ledger.evidence;
    let status = ledger.iter().find(|entry| entry.evidence_ref == reference).map(|entry| entry.status);
    let (verdict, why) = match status {
        _ if offered.contains(reference) => (CriticVerdict::Accept, ""),
        Some(ItemStatus::Dropped) => (CriticVerdict::Replan, "it did not fit into the context, so it was not shown"),
        Some(ItemStatus::Rejected) => (CriticVerdict::Reject, "it was not admitted"),
        Some(ItemStatus::Kept) | None => (CriticVerdict::Reject, "the context offers no such evidence"),
    };
    sheet.require(verdict == CriticVerdict::Accept, verdict, pointer, || why.to_owned());
    let supplied = cx.inputs.evidence.iter().filter(|item| item.evidence_ref == reference);
    let ends = supplied.filter_map(|item| item.expires_at.as_deref().and_then(timestamp)).min();
    if let Some(end) = ends.filter(|_| verdict == CriticVerdict::Accept) {
        sheet.require(end > cx.inputs.as_of, CriticVerdict::Replan, pointer, || format!("it expired at {end}"));
    }
}

/// Requires that evidence is there and cited. An approval that is named as evidence is met by the approval.
fn demand(cx: Cx<'_>, sheet: &mut Sheet, required: &EvidenceRequirement<'_>, lacking: CriticVerdict, by: &str) {
    if cx.approved.all().any(|(gate, _)| gate.eq_ignore_ascii_case(&required.name) && cx.approved.opens(gate)) {
        sheet.require(true, lacking, "/approvals", String::new);
        return;
    }
    let met = required.status == EvidenceStatus::Met;
    sheet.require(met, lacking, "/evidence_refs", || {
        format!("{by} requires {}, which is {}", required.name, required.status.as_str())
    });
    if met {
        let cited = required.refs.iter().any(|reference| cx.claim.evidence_refs.iter().any(|cited| cited == reference));
        sheet.require(cited, CriticVerdict::Replan, "/evidence_refs", || {
            format!("{by} requires {}: cite {}", required.name, required.refs.join(" or "))
        });
    }
}

/// Returns the verdict that the pack gives to insufficient evidence; evidence that is only noted can still be gathered.
fn verdict(effect: InsufficientEvidence) -> CriticVerdict {
    match effect {
        InsufficientEvidence::Note => CriticVerdict::Replan,
        InsufficientEvidence::Escalate => CriticVerdict::Escalate,
        InsufficientEvidence::Refuse => CriticVerdict::Reject,
    }
}
