//! A decision in full: what the draft states, completed from the context.

use deed_canon::ContentHash;
use deed_model::{
    CompiledContext, ControlsActive, DecisionActor, DecisionDraft, DecisionLineage, DecisionRecord, LedgerPack,
    LineageDocument, PolicyDecision, PolicyRecord, SignedApproval,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A decision as it is judged. What it states differently from the context stays as it was stated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Claim {
    pub(crate) decision_key: String,
    pub(crate) version: String,
    pub(crate) actor: DecisionActor,
    pub(crate) subject_ids: Vec<String>,
    pub(crate) inputs: Map<String, Value>,
    pub(crate) outputs: Map<String, Value>,
    pub(crate) evidence_refs: Vec<String>,
    pub(crate) policy_decisions: Vec<PolicyRecord>,
    pub(crate) approvals: Vec<SignedApproval>,
    pub(crate) controls_active: ControlsActive,
    pub(crate) intent: String,
    pub(crate) lineage: DecisionLineage,
    pub(crate) trace_id: Option<String>,
}

impl Claim {
    /// Completes a draft from the context. A context without a hash gets none that a claim could name by chance.
    pub(crate) fn of_draft(draft: &DecisionDraft, context: &CompiledContext<'_>) -> Self {
        let ledger = &context.context_ledger;
        let stated = draft.lineage.clone().unwrap_or_default();
        let lineage = DecisionLineage {
            pack: stated.pack.unwrap_or_else(|| document(&ledger.pack)),
            overlays: stated.overlays.unwrap_or_else(|| ledger.overlays.iter().map(document).collect()),
            context: stated.context.unwrap_or_else(|| context_hash(context)),
            run: stated.run.unwrap_or_else(|| ledger.run.run_id.to_string()),
            plan_step: stated.plan_step,
        };
        Self {
            decision_key: draft.decision_key.clone(),
            version: draft.version.clone(),
            actor: draft.actor.clone(),
            subject_ids: draft.subject_ids.clone(),
            inputs: draft.inputs.clone(),
            outputs: draft.outputs.clone(),
            evidence_refs: draft.evidence_refs.clone(),
            policy_decisions: draft.policy_decisions.clone().unwrap_or_else(|| policy(context)),
            approvals: draft.approvals.clone(),
            controls_active: draft.controls_active.clone().unwrap_or_else(|| controls(context)),
            intent: draft.intent.clone().unwrap_or_else(|| ledger.intent.id.to_string()),
            lineage,
            trace_id: draft.trace_id.clone(),
        }
    }

    /// Returns what a record claims.
    pub(crate) fn of_record(record: &DecisionRecord) -> Self {
        Self {
            decision_key: record.decision_key.clone(),
            version: record.version.clone(),
            actor: record.actor.clone(),
            subject_ids: record.subject_ids.clone(),
            inputs: record.inputs.clone(),
            outputs: record.outputs.clone(),
            evidence_refs: record.evidence_refs.clone(),
            policy_decisions: record.policy_decisions.clone(),
            approvals: record.approvals.clone(),
            controls_active: record.controls_active.clone(),
            intent: record.intent.clone(),
            lineage: record.lineage.clone(),
            trace_id: record.trace_id.clone(),
        }
    }

    /// Returns the outcome, if the outputs have one.
    pub(crate) fn outcome(&self) -> Option<&str> {
        self.outputs.get("outcome").and_then(Value::as_str)
    }
}

/// Returns the hash of a context. One that was never sealed has the hash of nothing.
pub(crate) fn context_hash(context: &CompiledContext<'_>) -> ContentHash {
    context.context_ledger.compiled_context_hash.unwrap_or_else(|| ContentHash::of_bytes(b""))
}

/// Returns a pack or overlay as a lineage names it.
pub(crate) fn document(pack: &LedgerPack<'_>) -> LineageDocument {
    LineageDocument { reference: pack.reference.to_string(), hash: pack.hash }
}

/// Returns the verdicts of a context's ledger.
pub(crate) fn policy(context: &CompiledContext<'_>) -> Vec<PolicyRecord> {
    context.context_ledger.policy_decisions.iter().map(verdict).collect()
}

/// Returns a policy decision as a record states it.
pub(crate) fn verdict(decision: &PolicyDecision<'_>) -> PolicyRecord {
    PolicyRecord {
        policy_decision_id: decision.policy_decision_id.to_string(),
        rule_id: decision.rule_id.to_string(),
        bundle_id: decision.bundle_id.to_string(),
        verdict: decision.verdict,
    }
}

/// Returns the controls of a context.
pub(crate) fn controls(context: &CompiledContext<'_>) -> ControlsActive {
    let controls = &context.runtime_controls;
    let names = |list: &[Cow<'_, str>]| list.iter().map(|name| name.to_string()).collect();
    ControlsActive {
        approval_gates_active: names(&controls.approval_gates_active),
        must_escalate: names(&controls.must_escalate),
        must_refuse: names(&controls.must_refuse),
        redaction_rules_active: names(&controls.redaction_rules_active),
    }
}
