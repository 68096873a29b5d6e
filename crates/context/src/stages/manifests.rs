//! Stage 8, manifests.
//!
//! Enters: all earlier outputs. Leaves: the compiled context with its manifests, controls and ledger. Must prove: it
//! holds everything that the runtime needs to enforce and replay, and its hash covers all of it.

use super::Cx;
use super::buckets::Buckets;
use super::budget::Budget;
use super::evidence::Evidence;
use super::intent::Intent;
use super::memory::Memory;
use super::policy::Policy;
use super::sufficiency::Sufficiency;
use super::tools::Tools;
use crate::decided::ManifestsView;
use crate::dispatch::requirement;
use crate::prompt;
use crate::redacted::{Redacted, RedactedFields};
use crate::refusal::Refusal;
use crate::seal::{StageOutput, no_canonical_form};
use crate::tally::Tally;
use deed_canon::{ContentHash, hash_of};
use deed_diag::codes;
use deed_model::{
    ApprovalDemand, Bucket, BudgetReport, CompiledContext, CompiledPrompt, ContextLedger, ControlKind, EvidenceEntry,
    HeadTokens, InsufficientEvidence, ItemStatus, LedgerBudget, LedgerControl, LedgerDecision, LedgerEvidence,
    LedgerMemory, LedgerNotice, LedgerPack, LedgerRequest, LedgerRun, LedgerTokenizer, Manifests, PolicyEntry,
    REQUEST_TAG, RUN_TAG, RuntimeControls, ScoreTargets, Stage, Verdict,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The outputs of the seven stages before.
pub(crate) struct Results<'a> {
    pub(crate) intent: Intent<'a>,
    pub(crate) policy: Policy<'a>,
    pub(crate) tools: Tools<'a>,
    pub(crate) evidence: Evidence<'a>,
    pub(crate) memory: Memory<'a>,
    pub(crate) sufficiency: Sufficiency<'a>,
    pub(crate) budget: Budget<'a>,
    pub(crate) buckets: Buckets<'a>,
    /// Assumptions made before the first stage.
    pub(crate) assumed: Vec<LedgerNotice<'a>>,
}

/// Besides the outputs of the stages before it, stage 8 reads what the pack promises.
#[derive(Serialize)]
struct Reads {
    /// Lifetime of a copy, and score targets.
    layer: ContentHash,
}

pub(crate) fn emit<'a>(cx: Cx<'a>, results: Results<'a>) -> Result<CompiledContext<'a>, Refusal> {
    let runtime_controls = controls(cx, results.intent, &results.policy, &results.sufficiency);
    let outcome = outcome(&results.policy, &results.sufficiency, &runtime_controls);
    let (evidence_manifest, policy_manifest) = (evidence_manifest(&results), policy_manifest(&results.policy));
    let entries = Entries {
        evidence: evidence_ledger(&results.evidence, &results.buckets),
        memory: memory_ledger(&results.memory, &results.buckets),
        tally: tally(cx, &results),
    };
    let Results { intent, policy, tools, sufficiency, budget, buckets, assumed, .. } = results;
    let Sufficiency { decisions, obligations } = sufficiency;
    let stable_hashes: Vec<ContentHash> = buckets.stable_hashes().collect();
    let spent = Spent { total: budget.total, head: budget.head, allocated: budget.allocated, used: buckets.used };
    let budget_report = spent.report(buckets.dropped, budget.warnings);
    let compiled_prompt = CompiledPrompt {
        context_blocks: buckets.blocks.into_iter().map(|packed| packed.block).collect(),
        developer: Cow::Borrowed(&cx.pack.head.developer.text),
        system: Cow::Borrowed(&cx.pack.head.system.text),
        task: Cow::Owned(budget.task),
    };
    let head_parts = [cx.pack.head.system.hash, cx.pack.head.developer.hash];
    let parts = head_parts.into_iter().chain(stable_hashes);
    let context_ledger = ContextLedger {
        as_of: Some(Cow::Borrowed(cx.inputs.run.as_of_text())),
        budget: spent.ledger(&budget_report),
        compiled_context_hash: None,
        controls: policy.controls,
        decisions: decisions.iter().map(LedgerDecision::of).collect(),
        evidence: entries.evidence,
        intent: intent.ledger(),
        memory: entries.memory,
        neutralized: entries.tally.neutral(),
        notices: all_notices(cx, assumed, policy.notices, tools.notices),
        obligations: obligations.clone(),
        overlays: cx.pack.overlays.iter().map(|(reference, hash)| ledger_pack(reference, *hash)).collect(),
        pack: ledger_pack(&cx.pack.reference, cx.pack.base_hash),
        pack_source: cx.pack.source.clone(),
        policy_decisions: policy.decisions,
        redactions: entries.tally.redactions(cx.pack),
        request: ledger_request(cx)?,
        resolved_pack_hash: cx.pack.resolved_hash,
        rules_by_call: policy.pending.iter().map(|rule| Cow::Borrowed(rule.rule_id.as_str())).collect(),
        run: ledger_run(cx)?,
        stable_prefix: prompt::stable_prefix(&compiled_prompt, spent.head, parts),
        stage_hashes: Vec::new(),
        tokenizer: LedgerTokenizer { exact: cx.pack.tokenizer.exact(), id: Cow::Borrowed(cx.pack.tokenizer.id()) },
        tools: tools.capabilities,
    };
    let manifests = Manifests { evidence_manifest, policy_manifest, tool_manifest: tools.manifest };
    Ok(CompiledContext {
        budget_report,
        compiled_prompt,
        context_ledger,
        decisions,
        manifests,
        obligations,
        outcome,
        runtime_controls,
    })
}

impl<'a> StageOutput<'a> for CompiledContext<'a> {
    const STAGE: Stage = Stage::Manifests;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        Reads { layer: cx.pack.layers.manifests }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        ManifestsView::of(self)
    }
}

/// The parts of the ledger that list what came from outside.
struct Entries<'a> {
    evidence: Vec<LedgerEvidence<'a>>,
    memory: Vec<LedgerMemory<'a>>,
    tally: Tally,
}

/// The redactions and neutralizations of all stages.
fn tally(cx: Cx<'_>, results: &Results<'_>) -> Tally {
    let mut tally = Tally::new(cx.pack);
    tally.add(&results.budget.tally);
    tally.add(&results.buckets.tally);
    tally
}

fn ledger_request<'a>(cx: Cx<'a>) -> Result<LedgerRequest<'a>, Refusal> {
    let hash = hash_of(&REQUEST_TAG, &Redacted(cx.inputs.request.value(), &cx.pack.redactor))
        .map_err(|error| no_canonical_form(Stage::Manifests, &error))?;
    Ok(LedgerRequest { hash, request_id: Cow::Borrowed(cx.inputs.request.request_id()) })
}

fn ledger_run<'a>(cx: Cx<'a>) -> Result<LedgerRun<'a>, Refusal> {
    let hash = hash_of(&RUN_TAG, &RedactedFields(cx.inputs.run.fields(), &cx.pack.redactor))
        .map_err(|error| no_canonical_form(Stage::Manifests, &error))?;
    let run = cx.inputs.run.context();
    Ok(LedgerRun {
        hash,
        run_id: Cow::Borrowed(&run.run_id),
        safety_mode: run.safety_mode,
        tenant_id: Cow::Borrowed(&run.tenant_id),
    })
}

fn ledger_pack(reference: &str, hash: ContentHash) -> LedgerPack<'_> {
    LedgerPack { hash, reference: Cow::Borrowed(reference) }
}

/// Returns static labels and active guardrails in document order, then rules in order of evaluation.
fn controls<'a>(
    cx: Cx<'a>,
    intent: Intent<'a>,
    policy: &Policy<'a>,
    sufficiency: &Sufficiency<'a>,
) -> RuntimeControls<'a> {
    let guardrails = |kind: ControlKind| -> Vec<Cow<'a, str>> {
        let active: BTreeSet<&str> = policy.active(kind).map(|control| control.id.as_ref()).collect();
        let of_kind = cx.pack.guardrails.iter().filter(move |g| g.kind == kind);
        let standing = of_kind.filter(|g| g.standing || active.contains(g.id.as_str()));
        standing.map(|g| Cow::Borrowed(g.id.as_str())).collect()
    };
    let rule = |id: &str| Cow::Owned(format!("rule:{id}"));
    let mut must_refuse = guardrails(ControlKind::MustRefuse);
    must_refuse.extend(policy.denials().map(|d| rule(&d.rule_id)));
    let decision = |key: &str| Cow::Owned(format!("decision:{key}"));
    must_refuse.extend(sufficiency.insufficient(InsufficientEvidence::Refuse).map(decision));
    let mut must_escalate = guardrails(ControlKind::MustEscalate);
    must_escalate.extend(policy.fired.iter().filter(|(_, o)| o.wants_person).map(|(r, _)| rule(&r.rule_id)));
    must_escalate.extend(sufficiency.insufficient(InsufficientEvidence::Escalate).map(decision));
    RuntimeControls {
        approval_gates_active: policy.active(ControlKind::ApprovalGate).map(|c| c.id.clone()).collect(),
        approvals: approvals(cx, policy),
        fresh_until: after(cx, cx.pack.pack.pack_meta.ttl_seconds),
        must_escalate,
        must_refuse,
        redaction_rules_active: cx.pack.redactor.rules().map(Cow::Borrowed).collect(),
        targets: targets(cx, intent),
    }
}

/// Returns the instant so many seconds after that of the run; none beyond the last one that can be written.
fn after(cx: Cx<'_>, seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    let until = cx.inputs.run.as_of().checked_add(jiff::SignedDuration::from_secs(seconds)).ok()?;
    Some(until.to_string())
}

/// Returns the score targets of the intent; none if the pack sets none.
fn targets(cx: Cx<'_>, intent: Intent<'_>) -> Option<ScoreTargets> {
    let target = cx.pack.pack.evaluation_layer.eval_targets.iter().find(|target| target.intent == intent.id)?;
    Some(ScoreTargets {
        economics_cents_per_decision: target.economics_cents_per_decision,
        latency_p99_ms: target.latency_p99_ms,
        policy: target.policy,
        safety: target.safety,
        utility: target.utility,
    })
}

/// Returns whom to ask at each gate that is active or depends on the call.
fn approvals<'a>(cx: Cx<'a>, policy: &Policy<'a>) -> Vec<ApprovalDemand<'a>> {
    let gates = policy.controls.iter().filter(|control| control.kind == ControlKind::ApprovalGate);
    let demanded = gates.filter(|control| control.active || control.depends_on_call);
    let demand = |control: &LedgerControl<'a>| {
        let gate = requirement(cx.pack, &control.id);
        let expires_at = gate.ttl_seconds.and_then(|seconds| after(cx, seconds));
        ApprovalDemand { depends_on_call: !control.active, expires_at, gate }
    };
    demanded.map(demand).collect()
}

/// A denial or an active guardrail refuses; an active gate, guardrail or requirement of a person escalates. Labels
/// alone have no effect. Missing evidence has the effect that its decision states.
fn outcome(policy: &Policy<'_>, sufficiency: &Sufficiency<'_>, controls: &RuntimeControls<'_>) -> Verdict {
    let lacks = |effect: InsufficientEvidence| sufficiency.insufficient(effect).next().is_some();
    let refuse = policy.denials().next().is_some()
        || policy.active(ControlKind::MustRefuse).next().is_some()
        || lacks(InsufficientEvidence::Refuse);
    let escalate = !controls.approval_gates_active.is_empty()
        || policy.active(ControlKind::MustEscalate).next().is_some()
        || policy.fired.iter().any(|(_, outcome)| outcome.wants_person)
        || lacks(InsufficientEvidence::Escalate);
    match (refuse, escalate) {
        (true, _) => Verdict::MustRefuse,
        (false, true) => Verdict::MustEscalate,
        (false, false) => Verdict::Compiled,
    }
}

/// Returns the fired rules by bundle, both in order of evaluation.
fn policy_manifest<'a>(policy: &Policy<'a>) -> Vec<PolicyEntry<'a>> {
    let mut manifest: Vec<PolicyEntry<'a>> = Vec::new();
    for (rule, _) in &policy.fired {
        let rule_id = Cow::Borrowed(rule.rule_id.as_str());
        match manifest.last_mut().filter(|entry| entry.bundle_id == rule.bundle_id) {
            Some(entry) => entry.rule_ids.push(rule_id),
            None => manifest.push(PolicyEntry { bundle_id: Cow::Borrowed(&rule.bundle_id), rule_ids: vec![rule_id] }),
        }
    }
    manifest
}

fn evidence_manifest<'a>(results: &Results<'a>) -> Vec<EvidenceEntry<'a>> {
    let kept = results.evidence.admitted().filter(|(id, _)| results.buckets.status(Some(id)) == ItemStatus::Kept);
    kept.map(|(_, judged)| EvidenceEntry {
        evidence_ref: Cow::Borrowed(&judged.item.evidence_ref),
        hash: judged.hash,
        source_id: judged.item.source_id.as_deref().map(Cow::Borrowed),
    })
    .collect()
}

fn evidence_ledger<'a>(evidence: &Evidence<'a>, buckets: &Buckets<'a>) -> Vec<LedgerEvidence<'a>> {
    let entries = evidence.items.iter().map(|judged| {
        let status = buckets.status(judged.block_id.as_ref());
        LedgerEvidence {
            block_id: judged.block_id.clone(),
            evidence_ref: Cow::Borrowed(&judged.item.evidence_ref),
            payload_hash: judged.item.payload_hash.as_deref().filter(|_| status != ItemStatus::Kept).map(Cow::Borrowed),
            reasons: judged.reasons.clone(),
            status,
            supplied: judged.repeated(),
        }
    });
    entries.collect()
}

fn memory_ledger<'a>(memory: &Memory<'a>, buckets: &Buckets<'a>) -> Vec<LedgerMemory<'a>> {
    let entries = memory.items.iter().map(|recalled| LedgerMemory {
        block_id: recalled.block_id.clone(),
        id: Cow::Borrowed(&recalled.item.id),
        origin: Some(recalled.origin),
        reasons: recalled.reasons.clone(),
        status: buckets.status(recalled.block_id.as_ref()),
    });
    entries.collect()
}

fn all_notices<'a>(
    cx: Cx<'a>,
    assumed: Vec<LedgerNotice<'a>>,
    policy: Vec<LedgerNotice<'a>>,
    tools: Vec<LedgerNotice<'a>>,
) -> Vec<LedgerNotice<'a>> {
    let clamped = cx.pack.clamped.iter().map(|message| LedgerNotice {
        code: Cow::Borrowed(codes::CAPABILITY_CLAMPED.as_str()),
        message: Cow::Borrowed(message.as_str()),
        stage: Stage::Tools,
    });
    assumed.into_iter().chain(policy).chain(clamped).chain(tools).collect()
}

/// The numbers of the budget report.
#[derive(Clone, Copy)]
struct Spent {
    total: u64,
    head: HeadTokens,
    allocated: deed_model::TokensByBucket,
    used: deed_model::TokensByBucket,
}

impl Spent {
    fn ledger(self, report: &BudgetReport<'_>) -> LedgerBudget {
        LedgerBudget {
            head: self.head.sum(),
            total: self.total,
            truncated: report.bucket_truncations.keys().copied().collect(),
            used: self.used.sum(),
        }
    }

    fn report<'a>(self, dropped: Vec<deed_model::DroppedBlock<'a>>, warnings: Vec<Cow<'a, str>>) -> BudgetReport<'a> {
        let mut ids: BTreeMap<Bucket, Vec<Cow<'a, str>>> = BTreeMap::new();
        for block in &dropped {
            ids.entry(block.bucket).or_default().push(block.block_id.clone());
        }
        BudgetReport {
            bucket_truncations: ids.keys().map(|bucket| (*bucket, true)).collect(),
            dropped_block_ids: ids,
            dropped_blocks: dropped,
            head_tokens: self.head,
            tokens_allocated: self.allocated,
            tokens_total: self.total,
            tokens_used_at_compile: self.used.sum(),
            tokens_used_by_bucket: self.used,
            warnings,
        }
    }
}
