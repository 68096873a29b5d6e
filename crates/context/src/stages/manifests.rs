//! Stage 8, manifests.
//!
//! Enters: everything before. Leaves: the compiled context with its manifests, controls and ledger. Must prove: what
//! the runtime needs to enforce and replay is in it, and its hash covers all of it.

use super::Cx;
use super::buckets::Buckets;
use super::budget::Budget;
use super::evidence::Evidence;
use super::intent::Intent;
use super::memory::Memory;
use super::policy::Policy;
use super::tools::Tools;
use crate::block_id::block_id;
use crate::decided::ManifestsView;
use crate::prompt;
use crate::redacted::{Redacted, RedactedFields};
use crate::refusal::{Refusal, notices};
use crate::seal::{Seals, no_canonical_form};
use crate::tally::Tally;
use deed_canon::ContentHash;
use deed_model::{
    Bucket, BudgetReport, CompiledContext, CompiledPrompt, ContextLedger, ControlKind, EvidenceEntry, HeadTokens,
    ItemStatus, LedgerBudget, LedgerEvidence, LedgerMemory, LedgerNotice, LedgerPack, LedgerRequest, LedgerRun,
    LedgerTokenizer, Manifests, PolicyEntry, REQUEST_TAG, RUN_TAG, RuntimeControls, Stage, Verdict,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What the stages before came to.
pub(crate) struct Results<'a> {
    pub(crate) intent: Intent<'a>,
    pub(crate) policy: Policy<'a>,
    pub(crate) tools: Tools<'a>,
    pub(crate) evidence: Evidence<'a>,
    pub(crate) memory: Memory<'a>,
    pub(crate) budget: Budget<'a>,
    pub(crate) buckets: Buckets<'a>,
    /// What was assumed before the first stage.
    pub(crate) assumed: Vec<LedgerNotice<'a>>,
}

/// Stage 8 reads what the others made.
#[derive(Serialize)]
struct Reads {}

pub(crate) fn emit<'a>(cx: Cx<'a>, results: Results<'a>, seals: &mut Seals) -> Result<CompiledContext<'a>, Refusal> {
    let runtime_controls = controls(cx, &results.policy);
    let outcome = outcome(&results.policy, &runtime_controls);
    let manifests = Manifests {
        evidence_manifest: evidence_manifest(&results),
        policy_manifest: policy_manifest(&results.policy),
        tool_manifest: results.tools.manifest,
    };
    let compiled_prompt = CompiledPrompt {
        context_blocks: results.buckets.blocks,
        developer: Cow::Borrowed(&cx.pack.head.developer.text),
        system: Cow::Borrowed(&cx.pack.head.system.text),
        task: Cow::Owned(results.budget.task),
    };
    let head_parts = [cx.pack.head.system.hash, cx.pack.head.developer.hash];
    let parts = head_parts.into_iter().chain(results.buckets.stable.iter().copied());
    let stable_prefix = prompt::stable_prefix(&compiled_prompt, results.budget.head, parts);
    let hash_failed = |error: &deed_canon::CanonError| no_canonical_form(Stage::Manifests, error);
    let redactor = &cx.pack.redactor;
    let request = seals
        .hash(&REQUEST_TAG, &Redacted(cx.inputs.request.value(), redactor))
        .map_err(|error| hash_failed(&error))?;
    let run =
        seals.hash(&RUN_TAG, &RedactedFields(cx.inputs.run.fields(), redactor)).map_err(|error| hash_failed(&error))?;
    let pack = LedgerPack { hash: cx.pack.base_hash, reference: Cow::Borrowed(&cx.pack.reference) };
    let overlays: Vec<LedgerPack<'a>> = cx.pack.overlays.iter().map(|(r, h)| ledger_pack(r, *h)).collect();
    let mut tally = Tally::new(cx.pack);
    for part in [&results.evidence.tally, &results.memory.tally, &results.budget.tally, &results.buckets.tally] {
        tally.add(part);
    }
    let evidence_ledger = evidence_ledger(&results.evidence, &results.buckets.evidence_kept);
    let memory_ledger = memory_ledger(&results.memory, &results.buckets.memory_kept);
    let report = Spent {
        total: results.budget.total,
        head: results.budget.head,
        allocated: results.budget.allocated,
        used: results.buckets.used,
    };
    let budget_report = report.of(results.buckets.dropped, results.budget.warnings);
    let run_context = cx.inputs.run.context();
    let context_ledger = ContextLedger {
        as_of: run_context.as_of.as_deref().map(Cow::Borrowed),
        budget: LedgerBudget {
            head: report.head.sum(),
            total: report.total,
            truncated: budget_report.bucket_truncations.keys().copied().collect(),
            used: report.used.sum(),
        },
        compiled_context_hash: None,
        controls: results.policy.controls,
        evidence: evidence_ledger,
        intent: results.intent.ledger(),
        memory: memory_ledger,
        neutralized: tally.neutral(),
        notices: all_notices(cx, results.assumed, results.policy.notices, results.tools.notices),
        overlays,
        pack,
        policy_decisions: results.policy.decisions,
        redactions: tally.redactions(cx.pack),
        request: LedgerRequest { hash: request, request_id: Cow::Borrowed(cx.inputs.request.request_id()) },
        resolved_pack_hash: cx.pack.resolved_hash,
        run: LedgerRun {
            hash: run,
            run_id: Cow::Borrowed(&run_context.run_id),
            safety_mode: run_context.safety_mode,
            tenant_id: Cow::Borrowed(&run_context.tenant_id),
        },
        stable_prefix,
        stage_hashes: Vec::new(),
        tokenizer: LedgerTokenizer { exact: cx.pack.tokenizer.exact(), id: Cow::Borrowed(cx.pack.tokenizer.id()) },
        tools: results.tools.capabilities,
    };
    let mut context =
        CompiledContext { budget_report, compiled_prompt, context_ledger, manifests, outcome, runtime_controls };
    seals.seal(Stage::Manifests, &Reads {}, &ManifestsView::of(&context))?;
    context.context_ledger.stage_hashes = std::mem::take(&mut seals.hashes);
    let whole = seals.whole(&context.context_ledger.stage_hashes).map_err(|error| hash_failed(&error))?;
    context.context_ledger.compiled_context_hash = Some(whole);
    Ok(context)
}

fn ledger_pack(reference: &str, hash: ContentHash) -> LedgerPack<'_> {
    LedgerPack { hash, reference: Cow::Borrowed(reference) }
}

/// Standing labels and active guardrails in document order, then rules in order of evaluation.
fn controls<'a>(cx: Cx<'a>, policy: &Policy<'a>) -> RuntimeControls<'a> {
    let guardrails = |kind: ControlKind| -> Vec<Cow<'a, str>> {
        let active: BTreeSet<&str> = policy.active(kind).map(|control| control.id.as_ref()).collect();
        let of_kind = cx.pack.guardrails.iter().filter(move |g| g.kind == kind);
        let standing = of_kind.filter(|g| g.standing || active.contains(g.id.as_str()));
        standing.map(|g| Cow::Borrowed(g.id.as_str())).collect()
    };
    let rule = |id: &str| Cow::Owned(format!("rule:{id}"));
    let mut must_refuse = guardrails(ControlKind::MustRefuse);
    must_refuse.extend(policy.denials().map(|d| rule(&d.rule_id)));
    let mut must_escalate = guardrails(ControlKind::MustEscalate);
    must_escalate.extend(policy.fired.iter().filter(|(_, o)| o.wants_person).map(|(r, _)| rule(&r.rule_id)));
    RuntimeControls {
        approval_gates_active: policy.active(ControlKind::ApprovalGate).map(|c| c.id.clone()).collect(),
        must_escalate,
        must_refuse,
        redaction_rules_active: cx.pack.redactor.rules().map(Cow::Borrowed).collect(),
    }
}

/// A denial or an active guardrail refuses; an active gate, guardrail or demand for a person escalates. Labels alone
/// do nothing.
fn outcome(policy: &Policy<'_>, controls: &RuntimeControls<'_>) -> Verdict {
    let refuse = policy.denials().next().is_some() || policy.active(ControlKind::MustRefuse).next().is_some();
    let escalate = !controls.approval_gates_active.is_empty()
        || policy.active(ControlKind::MustEscalate).next().is_some()
        || policy.fired.iter().any(|(_, outcome)| outcome.wants_person);
    match (refuse, escalate) {
        (true, _) => Verdict::MustRefuse,
        (false, true) => Verdict::MustEscalate,
        (false, false) => Verdict::Compiled,
    }
}

/// Rules that fired, by bundle, both in order of evaluation.
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
    let kept = results.evidence.admitted().zip(&results.buckets.evidence_kept).filter(|(_, kept)| **kept);
    kept.map(|(judged, _)| EvidenceEntry {
        evidence_ref: Cow::Borrowed(&judged.item.evidence_ref),
        hash: judged.hash,
        source_id: judged.item.source_id.as_deref().map(Cow::Borrowed),
    })
    .collect()
}

/// The block and the status of an item, where `kept` says how those that were admitted fared.
fn fate<'a>(
    prefix: &'static str,
    admitted: bool,
    next: &mut usize,
    kept: &[bool],
) -> (Option<Cow<'a, str>>, ItemStatus) {
    if !admitted {
        return (None, ItemStatus::Rejected);
    }
    let index = *next;
    *next += 1;
    let status = if kept.get(index) == Some(&true) { ItemStatus::Kept } else { ItemStatus::Dropped };
    (Some(block_id(prefix, index)), status)
}

fn evidence_ledger<'a>(evidence: &Evidence<'a>, kept: &[bool]) -> Vec<LedgerEvidence<'a>> {
    let mut next = 0;
    let entries = evidence.items.iter().map(|judged| {
        let (block_id, status) = fate("ev", judged.reasons.is_empty(), &mut next, kept);
        LedgerEvidence {
            block_id,
            evidence_ref: Cow::Borrowed(&judged.item.evidence_ref),
            payload_hash: judged.item.payload_hash.as_deref().filter(|_| status != ItemStatus::Kept).map(Cow::Borrowed),
            reasons: judged.reasons.clone(),
            status,
            supplied: judged.repeated(),
        }
    });
    entries.collect()
}

fn memory_ledger<'a>(memory: &Memory<'a>, kept: &[bool]) -> Vec<LedgerMemory<'a>> {
    let mut next = 0;
    let entries = memory.items.iter().map(|recalled| {
        let (block_id, status) = fate("mem", recalled.reasons.is_empty(), &mut next, kept);
        LedgerMemory { block_id, id: Cow::Borrowed(&recalled.item.id), reasons: recalled.reasons.clone(), status }
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
        code: Cow::Borrowed(notices::CAPABILITY_CLAMPED.as_str()),
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
    allocated: deed_model::ByBucket,
    used: deed_model::ByBucket,
}

impl Spent {
    fn of<'a>(self, dropped: Vec<deed_model::DroppedBlock<'a>>, warnings: Vec<Cow<'a, str>>) -> BudgetReport<'a> {
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
