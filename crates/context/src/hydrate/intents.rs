//! The intents of a pack, each with its rules in order of evaluation and the variables of their predicates.

use super::decisions::{HydratedDecision, of_intent};
use super::policy::{CompiledRule, HydratedControl};
use deed_logic::{Program, VarUse};
use deed_model::ContextPack;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// An intent.
#[derive(Debug)]
pub(crate) struct HydratedIntent {
    /// The value of `intent` in predicates.
    pub(crate) value: Value,
    /// Its class and task, if the pack has a catalogue.
    pub(crate) class: Option<String>,
    pub(crate) task: Option<String>,
    /// The rules that apply to it, as indices among all rules, in order of evaluation.
    pub(crate) rules: Vec<usize>,
    /// The decisions that it may lead to, as indices among all decisions.
    pub(crate) decisions: Vec<usize>,
    /// The variables of the predicates of its rules, the gates and the guardrails.
    pub(crate) reads: Reads,
}

/// The variables that predicates read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reads {
    /// Fixed paths, joined by dots and split.
    pub(crate) paths: Vec<(String, Vec<String>)>,
    /// True if a predicate reads all data, or by a computed path.
    pub(crate) everything: bool,
}

pub(super) fn intents<'c>(
    pack: &ContextPack,
    rules: &[CompiledRule],
    decisions: &[HydratedDecision],
    controls: impl Iterator<Item = &'c HydratedControl>,
) -> BTreeMap<String, HydratedIntent> {
    let of_controls = controls.map(|control| reads_of(&control.program)).collect::<Vec<_>>();
    let of_rules = rules.iter().enumerate().map(|(at, compiled)| (at, &compiled.rule, reads_of(&compiled.program)));
    let of_rules: Vec<_> = of_rules.collect();
    let entries = pack.intent_layer.as_ref().map(|layer| layer.catalog.as_slice()).unwrap_or_default();
    let intents = pack.intents().into_iter().map(|id| {
        let entry = entries.iter().find(|entry| entry.id == id);
        let (class, task) = (entry.map(|e| e.intent_class.clone()), entry.map(|e| e.task_id.clone()));
        let concerning = || of_rules.iter().filter(|(_, rule, _)| rule.concerns(id));
        let read = concerning().map(|(_, _, reads)| reads).chain(&of_controls).flatten();
        let value = json!({ "id": id, "class": class, "task": task });
        let rules = concerning().map(|(at, _, _)| *at).collect();
        let decisions = of_intent(pack, id, decisions);
        (id.to_owned(), HydratedIntent { value, class, task, reads: Reads::of(read), rules, decisions })
    });
    intents.collect()
}

/// Returns the variables of a predicate that read the context itself.
fn reads_of(program: &Result<Program, String>) -> Vec<VarUse> {
    let all = program.as_ref().map(Program::variables).unwrap_or_default();
    all.into_iter().filter(|read| !read.scoped).collect()
}

impl Reads {
    fn of<'v>(reads: impl Iterator<Item = &'v VarUse>) -> Self {
        let mut paths = BTreeSet::new();
        let mut everything = false;
        for read in reads {
            // The call is not known while compiling.
            if read.path.first().is_some_and(|root| root == "call") {
                continue;
            }
            if read.dynamic || read.path.is_empty() {
                everything = true;
            } else {
                paths.insert(&read.path);
            }
        }
        Self { paths: paths.into_iter().map(|path| (path.join("."), path.clone())).collect(), everything }
    }
}
