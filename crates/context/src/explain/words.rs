//! Reasons in words.

use super::{ItemExplanation, is_in};
use crate::stages::Cx;
use crate::stages::evidence::ceiling;
use deed_diag::Invariant as _;
use deed_model::{
    CompiledContext, ControlKind, EvidenceReason, HidingCheck, ItemStatus, LedgerCapability, LedgerControl,
    LedgerEvidence, LedgerMemory, MemoryOrigin, MemoryReason, RuleVerdict, ToolCheck, Verdict,
};

/// Returns the reasons for the verdict.
pub(super) fn because(context: &CompiledContext<'_>) -> Vec<String> {
    let ledger = &context.context_ledger;
    let active = |kind: ControlKind| ledger.controls.iter().filter(move |c| c.active && c.kind == kind);
    let denied = ledger.policy_decisions.iter().filter(|d| d.verdict == RuleVerdict::Deny);
    let refusing = denied
        .map(|d| match (&d.error, &d.reason) {
            (Some(error), _) => format!("rule {} denies: {error}", d.rule_id),
            (None, Some(reason)) => format!("rule {} denies: {reason}", d.rule_id),
            (None, None) => format!("rule {} denies", d.rule_id),
        })
        .chain(active(ControlKind::MustRefuse).map(|c| format!("guardrail {} is active", c.id)));
    let gates = active(ControlKind::ApprovalGate).map(|c| format!("gate {} is active: {}", c.id, control(Some(c))));
    let guardrails = active(ControlKind::MustEscalate).map(|c| format!("guardrail {} is active", c.id));
    let asked = context.runtime_controls.must_escalate.iter().filter_map(|entry| entry.strip_prefix("rule:"));
    let escalating = gates.chain(guardrails).chain(asked.map(|rule| format!("rule {rule} requires a person")));
    match context.outcome {
        Verdict::MustRefuse => refusing.collect(),
        Verdict::MustEscalate => escalating.collect(),
        Verdict::Compiled => vec!["no rule denies, no gate and no guardrail is active".to_owned()],
    }
}

/// Returns the reason why a control is active or not.
pub(super) fn control(control: Option<&LedgerControl<'_>>) -> String {
    let Some(control) = control else { return "it was not evaluated".to_owned() };
    match (&control.error, control.active, control.named_by.is_empty()) {
        (Some(error), _, _) => format!("its predicate failed, so it counts as active: {error}"),
        (None, true, true) => "its predicate holds".to_owned(),
        (None, true, false) => format!("demanded by {}", control.named_by.join(", ")),
        (None, false, _) if control.depends_on_call => "its predicate depends on the call".to_owned(),
        (None, false, _) if control.kind == ControlKind::ApprovalGate => {
            "its predicate does not hold, or it is for other intents".to_owned()
        }
        (None, false, _) => "its predicate does not hold".to_owned(),
    }
}

/// Explains every capability of the registry.
pub(super) fn tools(cx: Cx<'_>, context: &CompiledContext<'_>) -> Vec<ItemExplanation> {
    let safety = cx.inputs.run.context().safety_mode;
    let each = cx.pack.tools.iter().zip(&context.context_ledger.tools);
    let why = each.map(|(tool, entry)| {
        let reasons = if entry.surfaced {
            let by: Vec<&str> = tool.allowed.iter().map(|p| p.source.as_str()).collect();
            let mut reasons = vec![
                format!("exposed by {}", by.join(", ")),
                format!("{} is at most the run's {safety}", entry.declared_mode),
                "nothing prohibits or forbids it".to_owned(),
            ];
            reasons.extend(bounds(context, entry));
            reasons.extend(dropped(context, entry.block_id.as_deref()));
            reasons
        } else {
            entry.hidden_by.iter().map(|hidden| check(hidden, entry)).collect()
        };
        ItemExplanation { name: tool.name.clone(), included: entry.surfaced, reasons }
    });
    why.collect()
}

/// Returns the restrictions of a call now.
fn bounds(context: &CompiledContext<'_>, entry: &LedgerCapability<'_>) -> Vec<String> {
    let adapter = context.manifests.tool_manifest.iter().find(|tool| tool.adapter_id == entry.adapter_id);
    let Some(data) = adapter.and_then(|tool| tool.capability_metadata.get(&entry.capability)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if !data.approval_gates.is_empty() {
        found.push(format!("a call needs approval at {} now", data.approval_gates.join(", ")));
    }
    if !data.approval_gates_by_call.is_empty() {
        let gates = data.approval_gates_by_call.join(", ");
        found.push(format!("a call may need approval at {gates}, depending on its arguments"));
    }
    if !data.rules_by_call.is_empty() {
        found.push(format!("{} decides with its arguments", data.rules_by_call.join(", ")));
    }
    if data.approval_mode != data.declared_mode {
        found.push(format!("policy lowers its mode from {} to {}", data.declared_mode, data.approval_mode));
    }
    let sources: Vec<&str> = data.arg_constraints.iter().map(|bound| bound.source.as_ref()).collect();
    if !sources.is_empty() {
        found.push(format!("its arguments are bounded by {}", sources.join(", ")));
    }
    found
}

fn check(hidden: &HidingCheck<'_>, entry: &LedgerCapability<'_>) -> String {
    match (hidden.check, hidden.source.as_deref()) {
        (ToolCheck::Permission, None) => "permission: none exposes it".to_owned(),
        (ToolCheck::Permission, Some(id)) => format!("permission: {id} withholds it"),
        (ToolCheck::Prohibition, _) => "prohibition: the run may not use it".to_owned(),
        (ToolCheck::Policy, rule) => {
            format!("policy: rule {} forbids it", rule.invariant("the policy check names its rule"))
        }
        (ToolCheck::Arguments, source) => {
            let by = source.unwrap_or("the pack");
            format!("arguments: {by} ties an argument to a value that this request does not have")
        }
        (ToolCheck::SafetyMode, mode) => {
            let mode = mode.invariant("the safety check names the run's mode");
            format!("safety_mode: {} is above the run's {mode}", entry.declared_mode)
        }
        (ToolCheck::Classification, level) => {
            let level = level.invariant("the classification check names the ceiling");
            format!("classification: its service may not receive {level} data")
        }
    }
}

/// Finds the entry of a block. Blocks of one kind are sorted by number, so a binary search finds it.
fn find<'b, T>(all: &'b [T], id: impl Fn(&T) -> &str, wanted: &str) -> Option<&'b T> {
    let (prefix, number) = wanted.rsplit_once('_')?;
    let of_kind = |entry: &T| id(entry).rsplit_once('_').is_some_and(|(own, _)| own == prefix);
    let first = all.iter().position(of_kind)?;
    let kind = all.get(first..)?;
    let kind = kind.get(..kind.partition_point(of_kind))?;
    let order = |entry: &T| {
        let number = id(entry).rsplit_once('_').and_then(|(_, number)| number.parse::<u64>().ok());
        number.invariant("a block's id ends with its number")
    };
    let at = kind.binary_search_by_key(&number.parse().ok()?, order).ok()?;
    kind.get(at)
}

/// Returns the budget that a dropped block would have needed.
fn dropped(context: &CompiledContext<'_>, block: Option<&str>) -> Option<String> {
    let block = block?;
    let lost = find(&context.budget_report.dropped_blocks, |d| &d.block_id, block)?;
    let bound = if lost.exact { "the smallest budget that keeps it is" } else { "a budget that keeps it is" };
    let given = context.budget_report.tokens_allocated.get(lost.bucket);
    Some(format!(
        "{block} takes {} tokens and does not fit: {} has {given}, {bound} {}",
        lost.tokens, lost.bucket, lost.smallest_budget
    ))
}

fn tokens(context: &CompiledContext<'_>, block: Option<&str>) -> Option<String> {
    let block = find(&context.compiled_prompt.context_blocks, |b| &b.block_id, block?)?;
    Some(format!("in block {}, {} tokens", block.block_id, block.tokens))
}

/// Explains every piece of evidence.
pub(super) fn evidence(cx: Cx<'_>, context: &CompiledContext<'_>) -> Vec<ItemExplanation> {
    context.context_ledger.evidence.iter().map(|entry| why_evidence(cx, context, entry)).collect()
}

fn why_evidence(cx: Cx<'_>, context: &CompiledContext<'_>, entry: &LedgerEvidence<'_>) -> ItemExplanation {
    let mut reasons: Vec<String> = entry.reasons.iter().map(|reason| evidence_reason(cx, *reason)).collect();
    let run = cx.inputs.run.context();
    if entry.status != ItemStatus::Rejected {
        if let (true, Some(snapshot)) = (entry.evidence_ref.starts_with("kg:"), &run.kg_snapshot_id) {
            reasons.push(format!("bound to the run's snapshot {snapshot}"));
        }
        reasons.push(format!("belongs to {}, at most {}, and its hash matches", run.tenant_id, ceiling(cx)));
        reasons.extend(tokens(context, entry.block_id.as_deref()));
        reasons.extend(dropped(context, entry.block_id.as_deref()));
    }
    if let Some(count) = entry.supplied {
        reasons.push(format!("supplied {count} times"));
    }
    ItemExplanation { name: entry.evidence_ref.clone().into_owned(), included: is_in(entry.status), reasons }
}

fn evidence_reason(cx: Cx<'_>, reason: EvidenceReason) -> String {
    let words = match reason {
        EvidenceReason::MalformedRef => "the reference has none of the three valid forms".to_owned(),
        EvidenceReason::OtherSnapshot => {
            let pinned = cx.inputs.run.context().kg_snapshot_id.as_deref();
            format!(
                "it is bound to another snapshot than {}",
                pinned.invariant("graph evidence needs a pinned snapshot")
            )
        }
        EvidenceReason::UnknownEntityType => "its type is none of the pack's entity and relationship types".to_owned(),
        EvidenceReason::UnknownEmbedding => "its source is an embedding index that the pack does not use".to_owned(),
        EvidenceReason::OtherSession => "it belongs to another session".to_owned(),
        EvidenceReason::MissingTenant => "it names no tenant".to_owned(),
        EvidenceReason::OtherTenant => "it belongs to another tenant".to_owned(),
        EvidenceReason::MissingClassification => "it names no classification".to_owned(),
        EvidenceReason::UnknownClassification => "its classification is not one of the four levels".to_owned(),
        EvidenceReason::AboveClassification => format!("its classification is above {}", ceiling(cx)),
        EvidenceReason::UnlistedTag => "one of its tags is none of the pack's `data_tags`".to_owned(),
        EvidenceReason::MissingHash => "it has no payload hash".to_owned(),
        EvidenceReason::HashMismatch => "its payload hash does not match its content".to_owned(),
        EvidenceReason::Expired => "it expired at or before `as_of`".to_owned(),
        EvidenceReason::MalformedTime => "one of its times is malformed".to_owned(),
        EvidenceReason::RepeatedRef => "the same reference was supplied with other content".to_owned(),
        EvidenceReason::UnresolvedConflict => {
            "it contradicts other evidence, and no resolution decides the conflict".to_owned()
        }
        EvidenceReason::Superseded => "a resolution prefers other evidence".to_owned(),
    };
    format!("{}: {words}", reason.as_str())
}

/// Explains every memory.
pub(super) fn memory(cx: Cx<'_>, context: &CompiledContext<'_>) -> Vec<ItemExplanation> {
    context.context_ledger.memory.iter().map(|entry| why_memory(cx, context, entry)).collect()
}

fn why_memory(cx: Cx<'_>, context: &CompiledContext<'_>, entry: &LedgerMemory<'_>) -> ItemExplanation {
    let mut reasons: Vec<String> = entry.reasons.iter().map(|reason| memory_reason(cx, *reason)).collect();
    if entry.status != ItemStatus::Rejected {
        reasons.push("promoted, not expired, and for this tenant, subject and intent".to_owned());
        reasons.extend(tokens(context, entry.block_id.as_deref()));
        reasons.extend(dropped(context, entry.block_id.as_deref()));
        reasons.extend(entry.origin.map(promoted_by));
    }
    ItemExplanation { name: entry.id.clone().into_owned(), included: is_in(entry.status), reasons }
}

/// States on whose word a memory counts as promoted.
fn promoted_by(origin: MemoryOrigin) -> String {
    match origin {
        MemoryOrigin::File => "its promotion is the word of the caller, who supplied it".to_owned(),
        MemoryOrigin::Store { promotion } => format!("promoted in the memory log by event {promotion}"),
    }
}

fn memory_reason(cx: Cx<'_>, reason: MemoryReason) -> String {
    let words = match reason {
        MemoryReason::NoContent => "it has neither a text nor a fact, or both".to_owned(),
        MemoryReason::NotPromoted => "it was never promoted".to_owned(),
        MemoryReason::PromotedLater => "it was promoted after `as_of`".to_owned(),
        MemoryReason::MissingTenant => "it names no tenant".to_owned(),
        MemoryReason::OtherTenant => "it belongs to another tenant".to_owned(),
        MemoryReason::MissingSubject => "it names no subject".to_owned(),
        MemoryReason::OtherSubject => "it is about another subject".to_owned(),
        MemoryReason::MissingIntent => "it names no intent".to_owned(),
        MemoryReason::OtherIntent => "it serves another intent".to_owned(),
        MemoryReason::MissingClassification => "it names no classification".to_owned(),
        MemoryReason::UnknownClassification => "its classification is not one of the four levels".to_owned(),
        MemoryReason::AboveClassification => format!("its classification is above {}", ceiling(cx)),
        MemoryReason::UnknownTier => "its tier is unknown".to_owned(),
        MemoryReason::TierWithoutTtl => "the pack gives its tier no lifetime".to_owned(),
        MemoryReason::Expired => "its tier's lifetime has passed".to_owned(),
        MemoryReason::MalformedTime => "one of its times is malformed".to_owned(),
        MemoryReason::RepeatedId => "the same id was supplied more than once".to_owned(),
        MemoryReason::MissingClass => "it names no class".to_owned(),
        MemoryReason::ClassNotAllowed => "the pack does not allow its class in memory".to_owned(),
        MemoryReason::MissingProvenance => "it names no source".to_owned(),
        MemoryReason::AnySubject => "it is about any subject, and the pack shares memory within one".to_owned(),
        MemoryReason::PersonalDataNotAllowed => {
            "it holds personal data, and the pack does not allow that in memory".to_owned()
        }
        MemoryReason::MissingConsent => "it holds personal data, and names no consent".to_owned(),
        MemoryReason::BelowConfidence => {
            "no person accepted it, and its confidence is below the pack's threshold".to_owned()
        }
        MemoryReason::Corrected => "a correction outranks it".to_owned(),
        MemoryReason::Contradicted => {
            "another memory states another value of the same fact, and nothing decides for this one".to_owned()
        }
        MemoryReason::OverCap => "newer memories filled the pack's cap".to_owned(),
    };
    format!("{}: {words}", reason.as_str())
}
