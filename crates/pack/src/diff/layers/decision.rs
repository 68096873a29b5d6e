//! `decision_layer`: the decisions of a run. Audit and replay compare decisions by version.

use crate::diff::class::ChangeClass::Major;
use crate::diff::effect::ChangeEffect::{self, Tightens, Unproven};
use crate::diff::shape::{Empty, Keyed, Named, Order, Shape, Spot, Texts, Verdict, typed};
use crate::diff::values::same;
use deed_model::{ApprovalMode, InsufficientEvidence, OutcomeEffect};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const LAYER: Shape =
    Shape::Object(&[("decision_specs", Shape::Keyed(&DECISIONS)), ("schemas", Shape::Judged(schemas))]);

const DECISIONS: Keyed = Keyed {
    noun: "decision",
    id: "decision_key",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::major("the pack can take one more decision"),
    removed: |_| Verdict::major("a decision can no longer be taken"),
    item: Shape::Object(&[
        ("version", Shape::Judged(|_| Verdict::major("the decision has another contract").with(ChangeEffect::None))),
        ("owner_role", Shape::Behaviour("another role answers for the decision")),
        ("required_evidence", Shape::Texts(&EVIDENCE)),
        ("allowed_outcomes", Shape::Texts(&OUTCOMES)),
        ("outcome_effects", Shape::Judged(effects)),
        ("approval_mode", Shape::Judged(mode)),
        ("decision_right", Shape::Behaviour("the decision has another authority")),
        ("inputs_schema_ref", Shape::Behaviour("the decision takes other inputs")),
        ("outputs_schema_ref", Shape::Behaviour("the decision gives other outputs")),
        ("on_insufficient_evidence", Shape::Judged(insufficient)),
        ("description", Shape::Words),
    ]),
};

const EVIDENCE: Texts = Texts {
    noun: "required evidence",
    order: Order::Free,
    added: (Major, Tightens, "a decision that was well founded may not be any more"),
    removed: (Major, Unproven, "a decision may be taken on less"),
    empty: Empty::Nothing,
};

const OUTCOMES: Texts = Texts {
    noun: "outcome",
    order: Order::Free,
    added: (Major, Unproven, "records of two versions can no longer be compared"),
    removed: (Major, Tightens, "records of two versions can no longer be compared"),
    empty: Empty::Nothing,
};

/// `act` demands the most: policy, gates and evidence must allow it. An outcome that is not listed acts.
fn effects(spot: &Spot<'_>) -> Verdict {
    type Effects = BTreeMap<String, OutcomeEffect>;
    let why = "an outcome has another effect";
    let read = |value: Option<&Value>| value.map_or(Some(Effects::new()), typed::<Effects>);
    let (Some(before), Some(after)) = (read(spot.before), read(spot.after)) else { return Verdict::major(why) };
    let effect = |effects: &Effects, outcome: &str| effects.get(outcome).copied().unwrap_or_default();
    let keeps = |outcome: &String| {
        let now = effect(&after, outcome);
        now == OutcomeEffect::Act || now == effect(&before, outcome)
    };
    match before.keys().chain(after.keys()).all(keeps) {
        true => Verdict::breaking("an outcome needs what an act needs"),
        false => Verdict::major(why),
    }
}

fn mode(spot: &Spot<'_>) -> Verdict {
    match spot.both::<ApprovalMode>() {
        Some((before, after)) if after > before => Verdict::breaking("the decision is gated more strictly"),
        _ => Verdict::major("the decision is gated differently"),
    }
}

/// Missing evidence is noted, escalated or refused, in the order of strictness.
fn insufficient(spot: &Spot<'_>) -> Verdict {
    let read = |value: Option<&Value>| {
        let none = Some(InsufficientEvidence::default());
        value.map_or(none, typed::<InsufficientEvidence>).map(|effect| match effect {
            InsufficientEvidence::Note => 0,
            InsufficientEvidence::Escalate => 1,
            InsufficientEvidence::Refuse => 2,
        })
    };
    match (read(spot.before), read(spot.after)) {
        (Some(before), Some(after)) if before == after => Verdict::patch("it is the default"),
        (Some(before), Some(after)) if after > before => Verdict::breaking("missing evidence stops more"),
        _ => Verdict::major("missing evidence has another effect"),
    }
}

/// A further schema bounds nothing until a decision refers to it.
fn schemas(spot: &Spot<'_>) -> Verdict {
    let verdict = Verdict::major("records of two versions have other inputs and outputs");
    let named = |value: Option<&Value>| value.map_or(Some(Default::default()), |v| v.as_object().cloned());
    let (Some(before), Some(after)) = (named(spot.before), named(spot.after)) else { return verdict };
    let kept = before.iter().all(|(name, schema)| after.get(name).is_some_and(|now| same(schema, now)));
    if kept { verdict.with(ChangeEffect::None) } else { verdict }
}
