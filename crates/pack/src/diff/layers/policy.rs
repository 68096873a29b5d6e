//! `policy_layer`: rules, guardrails and gates. A stricter threshold is proven as for overlays.

use super::lowered;
use crate::diff::shape::{Keyed, Named, Order, Shape, Spot, Verdict, typed};
use crate::diff::values::{moved_numbers, same};
use crate::overlay::tighten::{self, Outcomes, Strictness};
use deed_model::{ContextPack, Guardrail, IntentScope, PolicyBundle, PolicyDsl, PolicyLayer, Rule, RuleOutcome};
use serde_json::{Number, Value};

pub(super) const LAYER: Shape = Shape::Object(&[
    ("policy_bundles", Shape::Keyed(&BUNDLES)),
    (
        "guardrails",
        Shape::Object(&[
            ("must_refuse", Shape::Keyed(&GUARDRAILS)),
            ("must_escalate", Shape::Keyed(&GUARDRAILS)),
            ("redaction_rules", Shape::Keyed(&REDACTIONS)),
        ]),
    ),
    ("approval_gates", Shape::Keyed(&GATES)),
    ("review_policy", Shape::Judged(reviews)),
]);

const BUNDLES: Keyed = Keyed {
    noun: "policy bundle",
    id: "bundle_id",
    named: Named::Alone,
    order: Order::Free,
    added: new_bundle,
    removed: |_| Verdict::major("what its rules forbade is allowed again"),
    item: Shape::Object(&[
        ("priority", Shape::Behaviour("rules are evaluated in another order")),
        ("description", Shape::Words),
        (
            "policy_dsl",
            Shape::Object(&[
                ("language", Shape::Behaviour("predicates are read differently")),
                ("rules", Shape::Keyed(&RULES)),
            ]),
        ),
    ]),
};

const RULES: Keyed = Keyed {
    noun: "rule",
    id: "rule_id",
    named: Named::Alone,
    order: Order::Meant("rules are evaluated in another order"),
    added: new_rule,
    removed: |_| Verdict::major("what the rule forbade is allowed again"),
    item: Shape::Object(&[
        ("applies_to", Shape::Judged(rule_scope)),
        ("if", Shape::Judged(condition)),
        ("then", Shape::Judged(outcome)),
        ("else", Shape::Judged(outcome)),
        ("decision_binding", Shape::Behaviour("the rule governs another decision")),
        ("rationale", Shape::ModelText),
        ("non_enforcing", Shape::Judged(enforcement)),
    ]),
};

const GUARDRAILS: Keyed = Keyed {
    noun: "guardrail",
    id: "id",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::minor("there is one more guardrail"),
    removed: |_| Verdict::major("what the guardrail stopped is allowed"),
    item: Shape::Judged(guardrail),
};

const GATES: Keyed = Keyed {
    noun: "gate",
    id: "gate_id",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::minor("there is one more gate"),
    removed: |_| Verdict::major("what needed approval at the gate no longer does"),
    item: Shape::Object(&[
        ("applies_to", Shape::Judged(gate_scope)),
        ("when", Shape::Judged(activation)),
        ("required_approver_role", Shape::Behaviour("other people may approve")),
        ("ttl_seconds", Shape::Judged(|spot| lowered(spot, "an approval that expires sooner allows less"))),
        ("rationale", Shape::Words),
    ]),
};

const REDACTIONS: Keyed = Keyed {
    noun: "redaction",
    id: "id",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::minor("more is redacted"),
    removed: |_| Verdict::major("what was redacted is shown"),
    item: Shape::Object(&[("pattern", Shape::Behaviour("other text is redacted")), ("rationale", Shape::Words)]),
};

fn new_bundle(spot: &Spot<'_>) -> Verdict {
    let rules = spot.after.and_then(typed::<PolicyBundle>).map(|bundle| bundle.policy_dsl.rules);
    match rules {
        Some(rules) if rules.iter().all(|rule| only_restricts(spot, rule)) => {
            let verdict = Verdict::minor("its rules only restrict");
            if rules.iter().any(has_text) { verdict.read_by_model() } else { verdict }
        }
        Some(_) | None => Verdict::major("one of its rules does more than restrict"),
    }
}

fn new_rule(spot: &Spot<'_>) -> Verdict {
    match spot.after.and_then(typed::<Rule>) {
        Some(rule) if only_restricts(spot, &rule) => {
            let verdict = Verdict::minor("the rule only restricts");
            if has_text(&rule) { verdict.read_by_model() } else { verdict }
        }
        Some(_) | None => Verdict::major("it is not proven that the rule only restricts"),
    }
}

/// Returns true if a new rule restricts, and makes no decision available to intents that did not have it.
fn only_restricts(spot: &Spot<'_>, rule: &Rule) -> bool {
    let known = |bound: &String| {
        let rules = spot.old.policy_layer.policy_bundles.iter().flat_map(|bundle| &bundle.policy_dsl.rules);
        let mut same = rules.filter(|old| old.decision_binding.as_ref() == Some(bound));
        same.any(|old| old.applies_to.is_none() || old.applies_to == rule.applies_to)
    };
    restricts(spot.new, rule) && rule.decision_binding.as_ref().is_none_or(known)
}

/// Returns true if a model reads a text of the rule.
fn has_text(rule: &Rule) -> bool {
    let mut outcomes = std::iter::once(&rule.then).chain(&rule.otherwise);
    rule.rationale.is_some() || outcomes.any(|outcome| outcome.reason.is_some())
}

/// Returns true if a scope covers every intent that it covered before.
fn widened(spot: &Spot<'_>) -> bool {
    let read = |value: Option<&Value>| value.map_or(Some(IntentScope::default()), typed::<IntentScope>);
    let (Some(before), Some(after)) = (read(spot.before), read(spot.after)) else { return false };
    let every = |scope: &IntentScope| scope.named().next().is_none();
    every(&after) || (!every(&before) && before.named().all(|intent| after.covers(intent)))
}

fn rule_scope(spot: &Spot<'_>) -> Verdict {
    let why = "the rule concerns other requests";
    let (before, after) = spot.up(0);
    let rules = (before.and_then(typed::<Rule>), after.and_then(typed::<Rule>));
    let (Some(before), Some(after)) = rules else { return Verdict::major(why) };
    // A rule that is bound to a decision makes the decision available.
    let restricts = restricts(spot.old, &before) && after.decision_binding.is_none();
    if widened(spot) && restricts { Verdict::breaking("the rule restricts more requests") } else { Verdict::major(why) }
}

fn gate_scope(spot: &Spot<'_>) -> Verdict {
    match widened(spot) {
        true => Verdict::breaking("the gate concerns more requests"),
        false => Verdict::major("the gate concerns other requests"),
    }
}

/// Returns true if neither outcome is weaker than having no rule at all.
fn restricts(pack: &ContextPack, rule: &Rule) -> bool {
    let outcomes = Outcomes { pack, decision: rule.decision_binding.as_deref() };
    let nothing = RuleOutcome::default();
    let mut both = std::iter::once(&rule.then).chain(&rule.otherwise);
    both.all(|outcome| outcomes.at_least(outcome, &nothing))
}

/// The numbers of a predicate change one after the other, each proven against the result of the last one.
fn each_proven(before: &Value, after: &Value, prove: impl Fn(&Value, &str, &Number) -> Strictness) -> Verdict {
    let Some(moved) = moved_numbers(before, after) else {
        return Verdict::major("the predicate is another one");
    };
    let mut predicate = before.clone();
    let mut why = String::new();
    for (pointer, to) in moved {
        let strictness = prove(&predicate, &pointer, &to);
        if !strictness.holds() {
            return Verdict::of(&strictness);
        }
        strictness.reason().clone_into(&mut why);
        if let Some(slot) = predicate.pointer_mut(&pointer) {
            *slot = Value::Number(to);
        }
    }
    Verdict::minor(why)
}

fn condition(spot: &Spot<'_>) -> Verdict {
    let rule = spot.up(0).0.and_then(typed::<Rule>);
    let language = spot.up(2).0.and_then(typed::<PolicyDsl>).map(|dsl| dsl.language);
    match (spot.before, spot.after, rule, language) {
        (Some(before), Some(after), Some(rule), Some(language)) => {
            each_proven(before, after, |predicate, pointer, to| {
                let rule = Rule { condition: predicate.clone(), ..rule.clone() };
                tighten::condition(spot.old, language, &rule, pointer, to)
            })
        }
        _ => Verdict::major("the predicate is another one"),
    }
}

fn outcome(spot: &Spot<'_>) -> Verdict {
    let read = |value: Option<&Value>| value.map_or(Some(RuleOutcome::default()), typed::<RuleOutcome>);
    let (Some(before), Some(after)) = (read(spot.before), read(spot.after)) else {
        return Verdict::major("the outcome cannot be read");
    };
    let silent = |outcome: &RuleOutcome| RuleOutcome { reason: None, ..outcome.clone() };
    if silent(&before) == silent(&after) {
        return Verdict::minor("only the reason given differs, and a model reads it").read_by_model();
    }
    let rule = spot.up(0).1.and_then(typed::<Rule>);
    let decision = rule.as_ref().and_then(|rule| rule.decision_binding.as_deref());
    let verdict = Verdict::of(&Outcomes { pack: spot.new, decision }.change(&before, &after));
    if before.reason == after.reason { verdict } else { verdict.read_by_model() }
}

fn enforcement(spot: &Spot<'_>) -> Verdict {
    if spot.after.and_then(Value::as_bool) == Some(true) {
        Verdict::major("an error in the rule no longer denies")
    } else {
        Verdict::minor("an error in the rule denies")
    }
}

fn guardrail(spot: &Spot<'_>) -> Verdict {
    match spot.both::<Guardrail>() {
        Some((Guardrail::Predicate { when: before, .. }, Guardrail::Predicate { when: after, .. })) => {
            if same(&before, &after) {
                Verdict::patch("only its rationale differs")
            } else {
                each_proven(&before, &after, tighten::activation)
            }
        }
        _ => Verdict::major("the guardrail is another one under the same name"),
    }
}

fn activation(spot: &Spot<'_>) -> Verdict {
    match (spot.before, spot.after) {
        (Some(before), Some(after)) => each_proven(before, after, tighten::activation),
        _ => Verdict::major("the predicate is another one"),
    }
}

/// Without a review policy all four roles must sign off.
fn reviews(spot: &Spot<'_>) -> Verdict {
    let roles = |layer: &PolicyLayer| layer.required_reviews();
    let (before, after) = (roles(&spot.old.policy_layer), roles(&spot.new.policy_layer));
    if before == after {
        Verdict::patch("the same roles sign off")
    } else if before.iter().all(|role| after.contains(role)) {
        Verdict::minor("more roles sign off")
    } else {
        Verdict::major("a role no longer signs off")
    }
}
