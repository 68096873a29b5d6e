//! A number in a rule's predicate.

use super::Strictness;
use super::outcome::Outcomes;
use super::truth::{Move, Step, Truth};
use crate::policies::mode_of;
use deed_model::{ContextPack, PolicyLanguage, Rule, RuleOutcome};
use serde_json::Number;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Judges a change of one number of a rule's `if`.
pub(crate) fn condition(
    pack: &ContextPack,
    language: PolicyLanguage,
    rule: &Rule,
    pointer: &str,
    to: &Number,
) -> Strictness {
    let moved = Move { predicate: &rule.condition, mode: mode_of(language), pointer };
    let view = View { rule, outcomes: Outcomes { pack, decision: rule.decision_binding.as_deref() } };
    let Some(way) = moved.way(to) else {
        return Strictness::Unproven("there is no number at that place".to_owned());
    };
    if way == Ordering::Equal {
        return Strictness::Same;
    }
    match (moved.steps(way), moved.steps(way.reverse())) {
        (Ok(steps), _) if view.narrows(&steps) => Strictness::Tighter(view.sentence(&steps)),
        (Ok(_), Ok(back)) if view.narrows(&back) => {
            let verb = if way == Ordering::Less { "raised" } else { "lowered" };
            Strictness::Looser(format!("it may only be {verb}: then {}", view.sentence(&back)))
        }
        (Ok(steps), _) => Strictness::Unproven(view.obstacle(&steps)),
        (Err(reason), _) => Strictness::Unproven(reason),
    }
}

struct View<'a> {
    rule: &'a Rule,
    outcomes: Outcomes<'a>,
}

impl View<'_> {
    /// Returns the outcome of each truth value: an error denies, unless the rule is not enforcing.
    fn outcome(&self, truth: Truth) -> RuleOutcome {
        match truth {
            Truth::Holds => self.rule.then.clone(),
            Truth::Fails => self.rule.otherwise.clone().unwrap_or_default(),
            Truth::Errs if self.rule.non_enforcing == Some(true) => RuleOutcome::default(),
            Truth::Errs => RuleOutcome { allow: Some(false), ..RuleOutcome::default() },
        }
    }

    fn fine(&self, (before, after): &Step) -> bool {
        before == after || self.outcomes.at_least(&self.outcome(*after), &self.outcome(*before))
    }

    fn narrows(&self, steps: &BTreeSet<Step>) -> bool {
        steps.iter().all(|step| self.fine(step))
    }

    fn sentence(&self, steps: &BTreeSet<Step>) -> String {
        let grows = steps.contains(&(Truth::Fails, Truth::Holds));
        match (grows, &self.rule.otherwise) {
            (true, Some(_)) => "the rule can only hold more often, and `then` is at least as strict as `else`",
            (true, None) => "the rule can only hold more often, and `then` is at least as strict as no rule",
            (false, Some(_)) => "the rule can only hold less often, and `else` is at least as strict as `then`",
            (false, None) => "the rule can only hold less often, and no rule is at least as strict as `then`",
        }
        .to_owned()
    }

    fn obstacle(&self, steps: &BTreeSet<Step>) -> String {
        let bad = steps.iter().find(|step| !self.fine(step));
        match bad {
            Some((Truth::Errs, _)) => {
                "a part after the number can fail, which denies, and moving the number can skip that part".to_owned()
            }
            Some((_, Truth::Errs)) => {
                "a part after the number can fail, which skips the rule, and moving the number can make that part apply"
                    .to_owned()
            }
            Some(_) | None => "neither branch is the stricter one".to_owned(),
        }
    }
}
