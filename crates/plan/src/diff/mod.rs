//! Diff: the changes between two compiled plans, contract by contract, and their meaning for users of the plan.
//!
//! Input: two compiled plans. Output: every difference with its class, its place and a description. Invariants: every
//! difference is listed, so no changes means one hash, and a difference that is not known to be harmless or stricter is
//! breaking.

mod change;
mod judge;
mod plan;
mod rules;
mod walk;

pub use change::{PlanChange, PlanChangeClass, PlanDiff};

use deed_diag::Invariant as _;
use deed_diag::quote;
use deed_model::{CompiledPlan, StepContract, StepKind};
use judge::Judge;
use serde::Serialize;
use serde_json::Value;
use walk::{Matched, matched};

/// Compares two compiled plans.
pub fn diff(before: &CompiledPlan, after: &CompiledPlan) -> PlanDiff {
    let mut changes = plan::changes(before, after);
    let names = |plan: &CompiledPlan| plan.steps.iter().map(|step| step.step_id.clone()).collect::<Vec<_>>();
    let (old, new) = (names(before), names(after));
    let Matched { pairs, removed, added, moved } = matched(&old, &new);
    if moved {
        let words = "steps run in another order";
        let change = PlanChange::new(PlanChangeClass::Compatible, None, "/steps", words);
        changes.push(change.from(Some(Value::from(old))).to(Some(Value::from(new))));
    }
    let mut all: Vec<(usize, Option<usize>)> = pairs.into_iter().map(|(a, b)| (b, Some(a))).collect();
    let mut gone = Vec::new();
    let mut taken = vec![false; after.steps.len()];
    for at in removed {
        let step = before.steps.get(at).invariant("a matched step is one of the plan's");
        let heir = added
            .iter()
            .copied()
            .find(|new| after.steps.get(*new).is_some_and(|new| renamed(step, new)) && taken.get(*new) == Some(&false));
        match heir {
            Some(heir) => {
                taken.get_mut(heir).into_iter().for_each(|taken| *taken = true);
                all.push((heir, Some(at)));
            }
            None => gone.push(step),
        }
    }
    all.extend(added.into_iter().filter(|new| taken.get(*new) == Some(&false)).map(|new| (new, None)));
    all.sort_unstable();
    for (new, old) in all {
        let new = after.steps.get(new).invariant("a matched step is one of the plan's");
        match old.and_then(|old| before.steps.get(old)) {
            Some(old) => step(old, new, &mut changes),
            None => appeared(new, &mut changes),
        }
    }
    gone.into_iter().for_each(|step| changes.push(vanished(step)));
    if changes.is_empty() && before.plan_hash != after.plan_hash {
        changes.push(tampered(None, "/plan_hash", before.plan_hash.to_string(), after.plan_hash.to_string()));
    }
    let class = changes.iter().map(|change| change.class).max().unwrap_or(PlanChangeClass::Compatible);
    PlanDiff { changes, class }
}

/// A step under another name still writes the same files.
fn renamed(old: &StepContract, new: &StepContract) -> bool {
    let inserted = |step: &StepContract| step.step_kind == StepKind::InsertedAdapter;
    !inserted(old)
        && !inserted(new)
        && !old.io_contract.write_paths.is_empty()
        && old.io_contract.write_paths == new.io_contract.write_paths
}

/// Parts of a contract that say in other words what its other parts say.
const REWORDED: [&str; 4] =
    ["input_artifact_refs", "output_artifact_refs", "compiled_step_contract_v1", "executable_contract_v2"];

/// A contract as a value without its hash, each part once.
fn plain(step: &StepContract) -> Value {
    let mut value = value(step);
    if let Some(fields) = value.as_object_mut() {
        for name in ["spec_hash", "step_id"].into_iter().chain(REWORDED) {
            fields.remove(name);
        }
    }
    value
}

fn value(thing: &impl Serialize) -> Value {
    serde_json::to_value(thing).invariant("a part of a contract is JSON")
}

fn step(old: &StepContract, new: &StepContract, changes: &mut Vec<PlanChange>) {
    let first = changes.len();
    if old.step_id != new.step_id {
        let words = format!("step {} is called {} now", quote(&old.step_id), quote(&new.step_id));
        let change = PlanChange::new(PlanChangeClass::Breaking, Some(&new.step_id), "/step_id", words);
        changes.push(change.from(Some(value(&old.step_id))).to(Some(value(&new.step_id))));
    }
    let judge = Judge { old, new };
    for found in walk::walk(&plain(old), &plain(new), &judge) {
        let (class, words) = judge.of(&found);
        changes.push(PlanChange::new(class, Some(&new.step_id), found.at, words).from(found.before).to(found.after));
    }
    // Names of files follow from the steps that write them.
    if changes.len() == first && old.input_artifact_refs != new.input_artifact_refs {
        let words = "a step that it reads from is called otherwise".to_owned();
        let change = PlanChange::new(PlanChangeClass::Compatible, Some(&new.step_id), "/input_artifact_refs", words);
        changes.push(change.from(Some(value(&old.input_artifact_refs))).to(Some(value(&new.input_artifact_refs))));
    }
    // Equal contracts have equal hashes, unless a hash was edited.
    if changes.len() == first && old.spec_hash != new.spec_hash {
        changes.push(tampered(Some(&new.step_id), "/spec_hash", old.spec_hash.to_string(), new.spec_hash.to_string()));
    }
}

fn tampered(step: Option<&str>, at: &str, before: String, after: String) -> PlanChange {
    let words = "the hash differs, and nothing that it is the hash of";
    PlanChange::new(PlanChangeClass::Breaking, step, at, words).from(Some(before.into())).to(Some(after.into()))
}

/// Judges a new step: it takes nothing from other steps, but its effects and egress are more than the plan had.
fn appeared(step: &StepContract, changes: &mut Vec<PlanChange>) {
    let words = match step.step_kind {
        StepKind::InsertedAdapter => format!("adapter {} is put in", quote(&step.step_id)),
        _ => format!("step {} is new", quote(&step.step_id)),
    };
    let name = Some(step.step_id.as_str());
    changes.push(PlanChange::new(PlanChangeClass::Compatible, name, "", words).to(Some(value(step))));
    for (index, effect) in step.execution_contract.side_effects.iter().enumerate() {
        let at = format!("/execution_contract/side_effects/{index}");
        let words = format!("the new step does {} to {}", quote(&effect.action), quote(&effect.target));
        changes.push(PlanChange::new(PlanChangeClass::Breaking, name, at, words).to(Some(value(effect))));
    }
    for (index, tool) in step.allowed_tool_ids.iter().enumerate() {
        let at = format!("/allowed_tool_ids/{index}");
        let words = format!("the new step needs {}", quote(tool));
        changes.push(PlanChange::new(PlanChangeClass::Breaking, name, at, words).to(Some(value(tool))));
    }
}

/// An adapter that is no longer inserted is not a loss by itself: a step that reads its output is reported itself.
fn vanished(step: &StepContract) -> PlanChange {
    let (class, words) = match step.step_kind {
        StepKind::InsertedAdapter => {
            (PlanChangeClass::Compatible, format!("adapter {} is no longer put in", quote(&step.step_id)))
        }
        _ => (PlanChangeClass::Breaking, format!("step {} is gone", quote(&step.step_id))),
    };
    PlanChange::new(class, Some(&step.step_id), "", words).from(Some(value(step)))
}
