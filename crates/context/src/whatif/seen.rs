//! The compared parts of a compile.

use super::prompt::{self, Words};
use crate::hydrate::Hydrated;
use crate::outcome::Outcome;
use deed_canon::Pointer;
use deed_diag::Invariant as _;
use deed_model::{
    ApprovalMode, ArgConstraint, CapabilityMetadata, Classification, CompileOutcome, CompiledContext, DecisionManifest,
    InsufficientEvidence, OutcomeEffect, RedactionRule, RuleVerdict,
};
use serde_json::{Map, Number, Value, json};
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
    /// Rules that a call decides.
    pub(super) by_call: BTreeSet<String>,
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
    /// The decisions of the intent, by key.
    pub(super) decisions: BTreeMap<String, Decision>,
    /// Everything that a runtime reads from the compiled context, apart from the prompt, names of versions and hashes.
    pub(super) whole: Value,
}

/// A decision of the intent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub(super) outcomes: BTreeMap<String, OutcomeEffect>,
    pub(super) right: String,
    pub(super) mode: ApprovalMode,
    pub(super) on_insufficient: InsufficientEvidence,
    /// The schemas of inputs and outputs, with their content.
    pub(super) schemas: [Option<(String, Option<Value>)>; 2],
}

/// A surfaced capability.
pub(super) struct Tool {
    pub(super) mode: ApprovalMode,
    /// The gates that a call needs, and those that it may need.
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
            by_call: owned(&ledger.rules_by_call),
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
            decisions: context
                .decisions
                .iter()
                .map(|d| (d.decision_key.clone().into_owned(), decision(d, pack)))
                .collect(),
            whole: whole(context, pack),
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

fn decision(manifest: &DecisionManifest<'_>, pack: &Hydrated) -> Decision {
    // An outcome that is not listed acts.
    let effect = |outcome: &str| manifest.outcome_effects.get(outcome).copied().unwrap_or_default();
    let outcomes = manifest.allowed_outcomes.iter().map(|outcome| (outcome.to_string(), effect(outcome)));
    let schemas = &pack.pack.decision_layer.schemas;
    let content = |reference: &str| reference.strip_prefix("schema://").and_then(|name| schemas.get(name)).cloned();
    let schema = |reference: &Option<Cow<'_, str>>| reference.as_deref().map(|r| (r.to_owned(), content(r)));
    Decision {
        outcomes: outcomes.collect(),
        right: manifest.decision_right.to_string(),
        mode: manifest.approval_mode,
        on_insufficient: manifest.on_insufficient_evidence,
        schemas: [schema(&manifest.inputs_schema_ref), schema(&manifest.outputs_schema_ref)],
    }
}

/// Returns the compiled context for a comparison as a whole. Versions and hashes differ between any two packs, and the
/// prompt is compared by its words.
fn whole(context: &CompiledContext<'_>, pack: &Hydrated) -> Value {
    const VOLATILE: [&str; 8] = [
        "compiled_context_hash",
        "pack",
        "pack_source",
        "overlays",
        "request",
        "resolved_pack_hash",
        "stable_prefix",
        "stage_hashes",
    ];
    let mut value = serde_json::to_value(context).invariant("a compiled context is JSON");
    let Some(fields) = value.as_object_mut() else { return value };
    fields.remove("compiled_prompt");
    // Tokens follow the prompt.
    fields.remove("budget_report");
    if let Some(controls) = fields.get_mut("runtime_controls").and_then(Value::as_object_mut) {
        // How long a copy is fresh changes nothing that a request sees.
        controls.remove("fresh_until");
    }
    if let Some(ledger) = fields.get_mut("context_ledger").and_then(Value::as_object_mut) {
        VOLATILE.into_iter().chain(["budget", "run"]).for_each(|name| {
            ledger.remove(name);
        });
        let decisions = ledger.get_mut("policy_decisions").and_then(Value::as_array_mut);
        for decision in decisions.into_iter().flatten().filter_map(Value::as_object_mut) {
            decision.remove("policy_decision_id");
        }
    }
    let surfaced = context.context_ledger.tools.iter().filter(|tool| tool.surfaced);
    let endpoints = surfaced.filter_map(|tool| {
        let name = format!("{}.{}", tool.adapter_id, tool.capability);
        let own = pack.tools.iter().find(|own| own.name == name)?;
        Some((name, json!({ "endpoint_ref": own.endpoint_ref, "type": own.adapter_type })))
    });
    let endpoints: Map<String, Value> = endpoints.collect();
    fields.insert("endpoints".to_owned(), Value::Object(endpoints));
    value
}

/// The maximum number of places that a comparison of two contexts names.
const MOST_PLACES: usize = 40;

/// Returns the places in which two contexts differ, as JSON pointers; the outermost where something is only in one.
pub(super) fn places(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    differences(old, new, "", &mut found);
    found
}

fn differences(old: &Value, new: &Value, at: &str, found: &mut Vec<String>) {
    if found.len() >= MOST_PLACES {
        return;
    }
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let at = Pointer::push(at, key);
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => differences(a, b, &at, found),
                    (Some(_), None) | (None, Some(_)) => found.push(at),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate();
            pairs.for_each(|(i, (a, b))| differences(a, b, &Pointer::push(at, &i.to_string()), found));
        }
        (a, b) if a == b => {}
        _ => found.push(at.to_owned()),
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
            gates: owned(&data.approval_gates).into_iter().chain(owned(&data.approval_gates_by_call)).collect(),
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
