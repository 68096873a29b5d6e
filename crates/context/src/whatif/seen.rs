//! What is compared of a compile.

use crate::hydrate::Hydrated;
use crate::outcome::Outcome;
use deed_model::{
    ApprovalMode, ArgConstraint, CapabilityMetadata, Classification, CompiledContext, RedactionRule, RuleVerdict,
};
use serde_json::Number;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What is compared of a compile.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) outcome: String,
    pub(super) compiled: bool,
    pub(super) verdicts: BTreeMap<String, String>,
    pub(super) denials: BTreeSet<String>,
    /// What rules demand and forbid, what decisions need, and what is not negotiable.
    pub(super) obligations: BTreeSet<String>,
    /// Evidence and memory that came in, with or without room.
    pub(super) admitted: BTreeSet<String>,
    pub(super) tools: BTreeMap<String, Tool>,
    /// Declared modes of all capabilities, surfaced or not.
    pub(super) declared: BTreeMap<String, ApprovalMode>,
    pub(super) gates: BTreeSet<String>,
    /// Who approves at each active gate, and for how long an approval holds.
    pub(super) gate_terms: BTreeMap<String, (String, u64)>,
    /// Labels and active guardrails, with the list that they stand in.
    pub(super) controls: BTreeSet<String>,
    /// How highly classified what comes in may be.
    pub(super) ceiling: Option<Classification>,
    /// Redaction rules with their definitions.
    pub(super) redactions: BTreeSet<String>,
    pub(super) dropped: BTreeSet<String>,
    /// Everything that has a block, kept or not.
    pub(super) candidates: BTreeSet<String>,
    pub(super) tokens: u64,
}

/// A surfaced capability.
pub(super) struct Tool {
    pub(super) mode: ApprovalMode,
    pub(super) gates: BTreeSet<String>,
    bounds: Vec<(String, ArgConstraint)>,
}

fn owned(texts: &[Cow<'_, str>]) -> BTreeSet<String> {
    texts.iter().map(|text| text.clone().into_owned()).collect()
}

impl Seen {
    pub(super) fn of(outcome: &Outcome<'_>, pack: &Hydrated) -> Self {
        let mut seen = outcome.context().map(|context| Self::of_context(context, pack)).unwrap_or_default();
        seen.outcome = match outcome {
            Outcome::Refused(refusal) => format!("refused ({})", refusal.diagnostic.code),
            other => other.as_str().to_owned(),
        };
        seen
    }

    /// A pack that cannot be resolved for a request.
    pub(super) fn unresolved(code: &str) -> Self {
        Self { outcome: format!("refused ({code})"), ..Self::default() }
    }

    fn of_context(context: &CompiledContext<'_>, pack: &Hydrated) -> Self {
        let ledger = &context.context_ledger;
        let decisions = ledger.policy_decisions.iter();
        let denied = decisions.clone().filter(|d| d.verdict == RuleVerdict::Deny);
        let demanded = decisions.clone().flat_map(|d| d.requires.iter().map(|r| format!("needs {r}")));
        let forbidden = decisions.clone().flat_map(|d| d.forbids.iter().map(|f| format!("forbids {f}")));
        let surfaces = context.manifests.tool_manifest.iter().flat_map(|entry| {
            let metadata = entry.capability_metadata.iter();
            metadata.map(|(name, data)| (format!("{}.{name}", entry.adapter_id), Tool::of(data)))
        });
        let evidence = ledger.evidence.iter().filter_map(|e| Some((e.block_id.as_deref()?, e.evidence_ref.as_ref())));
        let memory = ledger.memory.iter().filter_map(|m| Some((m.block_id.as_deref()?, m.id.as_ref())));
        let names: BTreeMap<&str, &str> = evidence.chain(memory).collect();
        let admitted: BTreeSet<String> = names.values().map(|name| (*name).to_owned()).collect();
        let specs = pack.pack.decision_layer.decision_specs.iter();
        let needed =
            specs.flat_map(|s| s.required_evidence.iter().map(move |e| format!("{} needs {e}", s.decision_key)));
        let always = pack.pack.business_context.non_negotiables.iter().map(|rule| format!("always: {rule}"));
        let name = |id: &str| names.get(id).map_or_else(|| id.to_owned(), |name| (*name).to_owned());
        let report = &context.budget_report;
        let dropped: BTreeSet<String> = report.dropped_blocks.iter().map(|d| name(&d.block_id)).collect();
        let kept = context.compiled_prompt.context_blocks.iter().map(|b| name(&b.block_id));
        let redactions = pack.pack.policy_layer.guardrails.redaction_rules.iter();
        let controls = &context.runtime_controls;
        let gates = owned(&controls.approval_gates_active);
        let declared_gates = pack.pack.policy_layer.approval_gates.iter().filter(|gate| gates.contains(&gate.gate_id));
        let gate_terms: BTreeMap<_, _> =
            declared_gates.map(|g| (g.gate_id.clone(), (g.required_approver_role.clone(), g.ttl_seconds))).collect();
        // Rules are compared by their verdicts.
        let named = |entry: &&Cow<'_, str>| !entry.starts_with("rule:");
        let refuse = controls.must_refuse.iter().filter(named).map(|id| format!("must_refuse {id}"));
        let escalate = controls.must_escalate.iter().filter(named).map(|id| format!("must_escalate {id}"));
        let verdicts = decisions.map(|d| (d.rule_id.clone().into_owned(), d.verdict.as_str().to_owned()));
        let declared = ledger.tools.iter().map(|t| (format!("{}.{}", t.adapter_id, t.capability), t.declared_mode));
        Self {
            outcome: String::new(),
            compiled: true,
            verdicts: verdicts.collect(),
            denials: denied.map(|d| d.rule_id.clone().into_owned()).collect(),
            obligations: demanded.chain(forbidden).chain(needed).chain(always).collect(),
            admitted,
            tools: surfaces.collect(),
            declared: declared.collect(),
            gates,
            gate_terms,
            controls: refuse.chain(escalate).collect(),
            ceiling: Some(pack.pack.pack_meta.data_classification),
            redactions: redactions.map(redaction).collect(),
            candidates: kept.chain(dropped.iter().cloned()).collect(),
            dropped,
            tokens: report.head_tokens.sum() + report.tokens_used_at_compile,
        }
    }

    /// How strict the outcome is.
    pub(super) fn strictness(&self) -> u8 {
        match self.outcome.as_str() {
            "compiled" => 0,
            "must_escalate" => 1,
            "must_refuse" => 2,
            _ => 3,
        }
    }
}

/// A redaction rule by what it does.
fn redaction(rule: &RedactionRule) -> String {
    match rule {
        RedactionRule::Named(name) => name.clone(),
        RedactionRule::Pattern(own) => format!("{} ({})", own.id, own.pattern),
    }
}

impl Tool {
    fn of(data: &CapabilityMetadata<'_>) -> Self {
        let bounds = data.arg_constraints.iter().flat_map(|bound| bound.arguments.iter());
        Self {
            mode: data.approval_mode,
            gates: owned(&data.approval_gates),
            bounds: bounds.map(|(name, bound)| (name.clone(), bound.clone())).collect(),
        }
    }

    /// Whether its bounds are others.
    pub(super) fn bounded_otherwise(&self, old: &Self) -> bool {
        self.bounds != old.bounds
    }

    /// Whether every bound of an earlier one still holds.
    pub(super) fn at_least_as_bounded(&self, old: &Self) -> bool {
        let kept =
            |name: &String, old: &ArgConstraint| self.bounds.iter().any(|(own, new)| own == name && implies(new, old));
        old.bounds.iter().all(|(name, bound)| kept(name, bound))
    }
}

/// Whether what the one lets through the other does too.
fn implies(new: &ArgConstraint, old: &ArgConstraint) -> bool {
    let number = |n: &Option<Number>| n.as_ref().and_then(Number::as_f64);
    let above = match (number(&old.min), number(&new.min)) {
        (Some(old), Some(new)) => new >= old,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let below = match (number(&old.max), number(&new.max)) {
        (Some(old), Some(new)) => new <= old,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let shorter = match (old.max_length, new.max_length) {
        (Some(old), Some(new)) => new <= old,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let listed =
        old.allowed.is_empty() || (!new.allowed.is_empty() && new.allowed.iter().all(|v| old.allowed.contains(v)));
    let required = old.required != Some(true) || new.required == Some(true);
    let matched = old.pattern.is_none() || old.pattern == new.pattern;
    above && below && shorter && listed && required && matched
}
