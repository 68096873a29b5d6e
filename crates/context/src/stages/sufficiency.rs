//! Sufficiency: whether the evidence that decisions and rules require is there.
//!
//! Enters: the requirements of the intent's decisions and of the rules that fired, the judged evidence, and the evidence
//! that did not fit. Leaves: the status of each requirement with the references behind it. Must prove: a requirement is
//! met only by what the model can cite.

use super::Cx;
use super::evidence::{Evidence, JudgedEvidence};
use super::intent::Intent;
use super::policy::Policy;
use crate::hydrate::{HydratedDecision, Requirement};
use deed_diag::Invariant as _;
use deed_model::{
    DecisionManifest, EvidenceReason, EvidenceRequirement, EvidenceStatus, InsufficientEvidence, Obligation, RuleBranch,
};
use deed_pack::{EvidenceSource, snake};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The state of everything that is required.
pub(crate) struct Sufficiency<'a> {
    pub(crate) decisions: Vec<DecisionManifest<'a>>,
    pub(crate) obligations: Vec<Obligation<'a>>,
}

/// Ids of the blocks of evidence that did not fit.
pub(crate) type Dropped<'a> = BTreeSet<Cow<'a, str>>;

/// Returns everything that the intent's decisions and the fired rules require.
pub(crate) fn requirements<'a>(cx: Cx<'a>, intent: Intent<'a>, policy: &Policy<'a>) -> Vec<&'a Requirement> {
    let decisions = decisions(cx, intent).flat_map(|decision| &decision.required);
    let rules = policy.fired.iter().flat_map(|(_, outcome)| &outcome.requirements);
    decisions.chain(rules).collect()
}

fn decisions<'a>(cx: Cx<'a>, intent: Intent<'a>) -> impl Iterator<Item = &'a HydratedDecision> {
    let positions = intent.entry.decisions.iter();
    positions.map(move |at| cx.pack.decisions.get(*at).invariant("every decision of an intent is one of the pack"))
}

/// Returns true if evidence with this reference can meet a requirement.
pub(crate) fn supplies(requirement: &Requirement, reference: &str) -> bool {
    requirement.sources.iter().any(|source| is_from(source, reference))
}

fn is_from(source: &EvidenceSource, reference: &str) -> bool {
    match source {
        EvidenceSource::Tool { adapter_id, capability } => {
            let call = reference.strip_prefix("tool:").and_then(|rest| rest.strip_prefix(adapter_id.as_str()));
            let call = call.and_then(|rest| rest.strip_prefix('.')?.strip_prefix(capability.as_str()));
            call.is_some_and(|rest| rest.starts_with(':'))
        }
        EvidenceSource::Graph(kind) => {
            let named = reference.strip_prefix("kg:").and_then(|rest| rest.split(':').next());
            named.is_some_and(|named| named == kind || snake(named) == *kind)
        }
        EvidenceSource::RequestField(_)
        | EvidenceSource::Policy
        | EvidenceSource::Rule(_)
        | EvidenceSource::Bundle(_)
        | EvidenceSource::Gate(_) => false,
    }
}

/// Judges every requirement, given the blocks that did not fit.
pub(crate) fn judge<'a>(
    cx: Cx<'a>,
    intent: Intent<'a>,
    policy: &Policy<'a>,
    evidence: &Evidence<'a>,
    dropped: &Dropped<'a>,
) -> Sufficiency<'a> {
    let facts = Facts { cx, policy, evidence, dropped };
    let decisions = decisions(cx, intent).map(|decision| facts.decision(decision)).collect();
    let fired = policy.fired.iter().flat_map(|(rule, outcome)| {
        outcome.requirements.iter().map(|requirement| (rule.rule_id.as_str(), requirement))
    });
    let obligations = fired
        .map(|(rule_id, requirement)| Obligation {
            requirement: facts.requirement(requirement),
            rule_id: Cow::Borrowed(rule_id),
        })
        .collect();
    Sufficiency { decisions, obligations }
}

/// Everything that requirements are compared with.
struct Facts<'f, 'a> {
    cx: Cx<'a>,
    policy: &'f Policy<'a>,
    evidence: &'f Evidence<'a>,
    dropped: &'f Dropped<'a>,
}

impl<'a> Facts<'_, 'a> {
    fn decision(&self, decision: &'a HydratedDecision) -> DecisionManifest<'a> {
        let spec = &decision.spec;
        let required_evidence: Vec<EvidenceRequirement<'a>> =
            decision.required.iter().map(|requirement| self.requirement(requirement)).collect();
        DecisionManifest {
            allowed_outcomes: spec.allowed_outcomes.iter().map(|outcome| Cow::Borrowed(outcome.as_str())).collect(),
            approval_mode: spec.approval_mode,
            decision_key: Cow::Borrowed(&spec.decision_key),
            decision_right: Cow::Borrowed(&spec.decision_right),
            inputs_schema_ref: spec.inputs_schema_ref.as_deref().map(Cow::Borrowed),
            on_insufficient_evidence: spec.on_insufficient_evidence.unwrap_or_default(),
            outcome_effects: spec
                .outcome_effects
                .iter()
                .map(|(o, effect)| (Cow::Borrowed(o.as_str()), *effect))
                .collect(),
            outputs_schema_ref: spec.outputs_schema_ref.as_deref().map(Cow::Borrowed),
            owner_role: Cow::Borrowed(&spec.owner_role),
            sufficient: required_evidence.iter().all(|required| required.status == EvidenceStatus::Met),
            required_evidence,
            version: Cow::Borrowed(&spec.version),
        }
    }

    /// The best status of all sources counts, with the references that have it.
    fn requirement(&self, requirement: &'a Requirement) -> EvidenceRequirement<'a> {
        let mut status = EvidenceStatus::Missing;
        let mut refs: Vec<Cow<'a, str>> = Vec::new();
        for (own, reference) in requirement.sources.iter().flat_map(|source| self.found(source)) {
            if own < status {
                status = own;
                refs.clear();
            }
            if own == status && !refs.contains(&reference) {
                refs.push(reference);
            }
        }
        EvidenceRequirement { name: Cow::Borrowed(&requirement.name), refs, status }
    }

    fn found(&self, source: &'a EvidenceSource) -> Vec<(EvidenceStatus, Cow<'a, str>)> {
        let met = |reference: String| (EvidenceStatus::Met, Cow::Owned(reference));
        let decided = |keep: &dyn Fn(&deed_model::PolicyDecision<'a>) -> bool| {
            let decisions = self.policy.decisions.iter().filter(|decision| decision.branch != RuleBranch::Error);
            decisions.filter(|decision| keep(decision)).map(|d| met(format!("policy:{}", d.rule_id))).collect()
        };
        match source {
            EvidenceSource::RequestField(field) => {
                let value = self.cx.inputs.request.value().get("context").and_then(|context| context.get(field));
                let given = value.filter(|value| says_something(value));
                given.map(|_| met(format!("request.context.{field}"))).into_iter().collect()
            }
            // Policy of which a part could not be evaluated, also a part that does not enforce, was not evaluated.
            EvidenceSource::Policy if !self.policy.failed.is_empty() => Vec::new(),
            EvidenceSource::Bundle(bundle_id) if self.policy.failed.iter().any(|rule| rule.bundle_id == *bundle_id) => {
                Vec::new()
            }
            EvidenceSource::Policy => decided(&|_| true),
            EvidenceSource::Rule(rule_id) => decided(&|decision| decision.rule_id == *rule_id),
            EvidenceSource::Bundle(bundle_id) => decided(&|decision| decision.bundle_id == *bundle_id),
            // An approval is given after the compile.
            EvidenceSource::Gate(_) => Vec::new(),
            EvidenceSource::Tool { .. } | EvidenceSource::Graph(_) => {
                let items = self.evidence.items.iter().filter(|judged| is_from(source, &judged.item.evidence_ref));
                let items = items.filter(|judged| self.is_about_subject(&judged.item.evidence_ref));
                let items = items.filter(|judged| !is_blank(&judged.item.content));
                items.map(|judged| (self.status(judged), Cow::Borrowed(judged.item.evidence_ref.as_str()))).collect()
            }
        }
    }

    /// Returns false for an entity of the graph that is another one than the run's subject of the same type: the record
    /// of one customer proves nothing about another. Types without a subject of the run are not bound.
    fn is_about_subject(&self, reference: &str) -> bool {
        let Some((kind, id)) = graph_entity(reference) else { return true };
        let subjects = self.cx.inputs.run.context().subject_ids.iter().filter_map(|subject| subject.split_once(':'));
        let mut of_kind = subjects.filter(|(namespace, _)| snake(namespace) == snake(kind)).peekable();
        of_kind.peek().is_none() || of_kind.any(|(_, own)| own == id)
    }

    fn status(&self, judged: &JudgedEvidence<'a>) -> EvidenceStatus {
        match &judged.block_id {
            Some(id) if self.dropped.contains(id) => EvidenceStatus::Dropped,
            Some(_) => EvidenceStatus::Met,
            None if judged.reasons.contains(&EvidenceReason::Expired) => EvidenceStatus::Stale,
            None => EvidenceStatus::Rejected,
        }
    }
}

/// Returns the type and the id of `kg:<type>:<id>#<snapshot>`.
fn graph_entity(reference: &str) -> Option<(&str, &str)> {
    let (path, _) = reference.strip_prefix("kg:")?.split_once('#')?;
    path.split_once(':')
}

/// Returns true for a field of the request that is evidence. A denied assertion is none, and nothing is said by an
/// empty text, list or object.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// Returns true for evidence without content. An empty list is an answer; an empty text is none.
fn is_blank(content: &Value) -> bool {
    content.is_null() || content.as_str().is_some_and(|text| text.trim().is_empty())
}

impl Sufficiency<'_> {
    /// Returns the decisions whose missing evidence has an effect of this kind.
    pub(crate) fn insufficient(&self, effect: InsufficientEvidence) -> impl Iterator<Item = &str> {
        let of_effect = self.decisions.iter().filter(move |decision| decision.on_insufficient_evidence == effect);
        of_effect.filter(|decision| !decision.sufficient).map(|decision| &*decision.decision_key)
    }

    /// Renders the state of the evidence for the model: a line for each decision, and one for what rules require beside it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for decision in self.decisions.iter().filter(|decision| !decision.required_evidence.is_empty()) {
            let _ = write!(text, "\nEvidence for {}:", decision.decision_key);
            list(&mut text, decision.required_evidence.iter());
        }
        let named: BTreeSet<&str> =
            self.decisions.iter().flat_map(|decision| &decision.required_evidence).map(|r| &*r.name).collect();
        let more = |obligation: &&Obligation<'_>| !named.contains(&*obligation.requirement.name);
        for of_rule in self.obligations.chunk_by(|a, b| a.rule_id == b.rule_id) {
            let mut left = of_rule.iter().filter(more).peekable();
            if let Some(first) = left.peek() {
                let _ = write!(text, "\nEvidence for rule {}:", first.rule_id);
                list(&mut text, left.map(|obligation| &obligation.requirement));
            }
        }
        text
    }
}

/// Renders requirements with their states, and the end of their line.
fn list<'r>(text: &mut String, requirements: impl Iterator<Item = &'r EvidenceRequirement<'r>>) {
    for (i, required) in requirements.enumerate() {
        let mark = if i == 0 { " " } else { "; " };
        let state = match (required.status, required.refs.as_slice()) {
            (EvidenceStatus::Met, refs) if !refs.is_empty() => refs.join(", "),
            (status, _) => status.as_str().to_owned(),
        };
        let _ = write!(text, "{mark}{} {state}", required.name);
    }
    text.push('.');
}
