//! The compared parts of a compile.

use super::prompt::{self, Words};
use crate::hydrate::Hydrated;
use crate::outcome::Outcome;
use deed_model::{
    ApprovalMode, ArgConstraint, CapabilityMetadata, Classification, CompileOutcome, CompiledContext, RedactionRule,
    RuleVerdict,
};
use serde_json::Number;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a compile, with the code of a refusal.
#[derive(Default, PartialEq)]
pub(super) struct SeenOutcome {
    outcome: CompileOutcome,
    code: Option<String>,
}

impl std::fmt::Display for SeenOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{} ({code})", self.outcome),
            None => write!(f, "{}", self.outcome),
        }
    }
}

/// The compared parts of a compile.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) outcome: SeenOutcome,
    pub(super) compiled: bool,
    pub(super) verdicts: BTreeMap<String, String>,
    pub(super) denials: BTreeSet<String>,
    /// Requirements and prohibitions of rules, evidence of decisions, and non-negotiables.
    pub(super) obligations: BTreeSet<String>,
    /// Admitted evidence and memory, kept or dropped.
    pub(super) admitted: BTreeSet<String>,
    pub(super) tools: BTreeMap<String, Tool>,
    /// Declared modes of all capabilities, surfaced or not.
    pub(super) declared: BTreeMap<String, ApprovalMode>,
    pub(super) gates: BTreeSet<String>,
    /// The approver and the approval lifetime of each active gate.
    pub(super) gate_terms: BTreeMap<String, (String, u64)>,
    /// Labels and active guardrails, with their lists.
    pub(super) controls: BTreeSet<String>,
    /// The highest classification that may be admitted.
    pub(super) ceiling: Option<Classification>,
    /// Redaction rules with their definitions.
    pub(super) redactions: BTreeSet<String>,
    pub(super) dropped: BTreeSet<String>,
    /// Everything that has a block, kept or not.
    pub(super) candidates: BTreeSet<String>,
    pub(super) tokens: u64,
    /// The words of the pack in the prompt, without its version.
    pub(super) words: Words,
    /// The version of the pack.
    pub(super) reference: String,
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
        let code = match outcome {
            Outcome::Refused(refusal) => Some(refusal.diagnostic.code.to_string()),
            Outcome::Compiled(_) | Outcome::MustEscalate(_) | Outcome::MustRefuse(_) => None,
        };
        seen.outcome = SeenOutcome { outcome: outcome.recorded(), code };
        seen
    }

    /// Returns the view of a pack that cannot be resolved for a request.
    pub(super) fn unresolved(code: &str) -> Self {
        let outcome = SeenOutcome { outcome: CompileOutcome::Refused, code: Some(code.to_owned()) };
        Self { outcome, ..Self::default() }
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
            outcome: SeenOutcome::default(),
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
            words: prompt::words(&context.compiled_prompt, pack.reference()),
            reference: pack.reference().to_owned(),
        }
    }

    /// Returns the strictness of the outcome.
    pub(super) fn strictness(&self) -> u8 {
        match self.outcome.outcome {
            CompileOutcome::Compiled => 0,
            CompileOutcome::MustEscalate => 1,
            CompileOutcome::MustRefuse => 2,
            CompileOutcome::Refused | CompileOutcome::Unreadable | CompileOutcome::Other(_) => 3,
        }
    }
}

/// Describes a redaction rule by its effect.
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

    /// Returns true if its bounds differ.
    pub(super) fn bounded_otherwise(&self, old: &Self) -> bool {
        self.bounds != old.bounds
    }

    /// Returns true if every bound of an earlier one still applies.
    pub(super) fn at_least_as_bounded(&self, old: &Self) -> bool {
        let kept =
            |name: &String, old: &ArgConstraint| self.bounds.iter().any(|(own, new)| own == name && implies(new, old));
        old.bounds.iter().all(|(name, bound)| kept(name, bound))
    }
}

/// Returns true if everything that one bound admits is admitted by the other too.
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
    let tied = old.equals.is_none() || old.equals == new.equals;
    let shorter = match (old.max_length, new.max_length) {
        (Some(old), Some(new)) => new <= old,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let listed =
        old.allowed.is_empty() || (!new.allowed.is_empty() && new.allowed.iter().all(|v| old.allowed.contains(v)));
    let required = old.required != Some(true) || new.required == Some(true);
    let matched = old.pattern.is_none() || old.pattern == new.pattern;
    above && below && tied && shorter && listed && required && matched
}
