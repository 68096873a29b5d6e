//! Changes of the plan itself: its mission, its gates, its entities, its catalogue and its worst case.

use super::change::{PlanChange, PlanChangeClass};
use super::judge::{amount, gone_or_new, rest};
use super::value;
use super::walk::{Difference, Lists, Op, walk};
use PlanChangeClass::{Breaking, Compatible, Tightening};
use deed_diag::quote;
use deed_model::{Budget, CompiledPlan};
use serde_json::{Value, json};
use std::collections::BTreeSet;

struct Names;

impl Lists for Names {
    fn key(&self, pattern: &str, element: &Value, _: bool) -> Option<String> {
        let name = match pattern {
            "gates" => element.get("gate_id"),
            "inputs" => element.get("path"),
            _ => None,
        };
        name?.as_str().map(str::to_owned)
    }

    fn is_map(&self, pattern: &str) -> bool {
        pattern == "entities"
    }
}

pub(super) fn changes(before: &CompiledPlan, after: &CompiledPlan) -> Vec<PlanChange> {
    let plain = |plan: &CompiledPlan| {
        let CompiledPlan {
            version,
            plan,
            mission,
            catalog_hash: _,
            entities,
            inputs,
            steps: _,
            gates,
            budget,
            worst_case,
            plan_hash: _,
        } = plan;
        json!({
            "version": version, "plan": plan, "mission": value(mission), "gates": value(gates), "inputs": value(inputs),
            "entities": value(entities),
            "worst_case": value(worst_case), "budget": budget.as_ref().map(value).unwrap_or_else(|| json!({})),
        })
    };
    let mut changes = Vec::new();
    if before.catalog_hash != after.catalog_hash {
        let words = "it is compiled against another catalogue";
        let change = PlanChange::new(Compatible, None, "/catalog_hash", words);
        let (old, new) = (before.catalog_hash.to_string(), after.catalog_hash.to_string());
        changes.push(change.from(Some(old.into())).to(Some(new.into())));
    }
    let new = new_steps(before, after);
    for found in walk(&plain(before), &plain(after), &Names) {
        let (class, words) = judge(&found, &new);
        changes.push(PlanChange::new(class, None, found.at, words).from(found.before).to(found.after));
    }
    changes
}

/// The most that new steps can spend.
fn new_steps(before: &CompiledPlan, after: &CompiledPlan) -> Budget {
    let known: BTreeSet<&str> = before.steps.iter().map(|step| step.step_id.as_str()).collect();
    let new = after.steps.iter().filter(|step| !known.contains(step.step_id.as_str()));
    new.map(|step| step.worst_case).fold(Budget::default(), Budget::plus)
}

fn judge(found: &Difference, new: &Budget) -> (PlanChangeClass, String) {
    let key = |index: usize| found.keys.get(index).map(|key| quote(key)).unwrap_or_default();
    match (found.pattern.as_str(), found.op) {
        ("plan", _) => (Breaking, "the plan has another name".to_owned()),
        ("mission/objective", _) => (Breaking, "the mission's objective is another".to_owned()),
        ("mission/success_criteria/*", op) => {
            gone_or_new(op, Tightening, Breaking, &format!("the mission's success criterion {}", key(0)))
        }
        ("inputs/*", op) => gone_or_new(op, Compatible, Compatible, &format!("what is held of the input {}", key(0))),
        ("inputs/*/fields/*" | "inputs/*/grain/*", op) => {
            gone_or_new(op, Tightening, Compatible, &format!("{} of the input {}", key(1), key(0)))
        }
        ("inputs/*/mode", _) => (Breaking, format!("how strictly the input {} is held is another", key(0))),
        ("entities/*", op) => gone_or_new(op, Compatible, Compatible, &format!("the plan's own entity {}", key(0))),
        (pattern, _) if pattern.starts_with("entities/*/") => {
            (Breaking, format!("the plan's own entity {} is another at {}", key(0), quote(&found.at)))
        }
        ("gates/*", op) => gone_or_new(op, Tightening, Breaking, &format!("gate {}", key(0))),
        ("gates/*/question", _) => (Breaking, format!("gate {} asks something else", key(0))),
        ("gates/*/approver_role", _) => (Breaking, format!("gate {} has another approver role", key(0))),
        ("gates/*/after/*", Op::Added) => (Tightening, format!("gate {} looks at {} too", key(0), key(1))),
        ("gates/*/after/*", _) => (Breaking, format!("gate {} no longer looks at {}", key(0), key(1))),
        ("gates/*/before/*", Op::Added) => (Tightening, format!("{} waits for gate {} too", key(1), key(0))),
        ("gates/*/before/*", _) => (Breaking, format!("{} no longer waits for gate {}", key(1), key(0))),
        ("gates" | "gates/*/after" | "gates/*/before" | "mission/success_criteria", Op::Moved) => {
            (Compatible, format!("the order of {} is another", quote(&found.pattern.replace("/*", ""))))
        }
        (pattern, op) if pattern.starts_with("budget") => {
            let amount = |value: &Option<Value>| value.as_ref().and_then(Value::as_u64);
            let lower = op == Op::Added || amount(&found.after) < amount(&found.before) && op != Op::Removed;
            let class = if lower { Tightening } else { Breaking };
            (class, format!("the plan's budget is another at {}", quote(pattern)))
        }
        (pattern, _) => match pattern.strip_prefix("worst_case/") {
            Some(part) => worst(found, part, new),
            None => rest(found),
        },
    }
}

/// The plan may cost more by what its new steps cost; beyond that it has become dearer.
fn worst(found: &Difference, part: &str, new: &Budget) -> (PlanChangeClass, String) {
    let (class, words) = amount(found, &format!("the most that the plan can spend of {}", quote(part)));
    let more = new.parts().into_iter().find(|(name, _)| *name == part).and_then(|(_, amount)| amount);
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_u64);
    match (number(&found.before), number(&found.after), more) {
        (Some(before), Some(after), Some(more)) if after > before && after <= before.saturating_add(more) => {
            (Compatible, format!("{words}, which is what its new steps can spend"))
        }
        // Where nothing was counted before, new steps are all that counts.
        (None, Some(after), Some(more)) if after <= more => (Compatible, format!("{words}, by its new steps")),
        _ => (class, words),
    }
}
