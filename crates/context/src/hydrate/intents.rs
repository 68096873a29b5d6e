//! The intents of a pack, each with its rules in order of evaluation and what their predicates read.

use super::policy::{HydratedControl, Rules};
use deed_logic::{Program, VarUse};
use deed_model::ContextPack;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// An intent.
#[derive(Debug)]
pub(crate) struct HydratedIntent {
    /// What predicates read as `intent`.
    pub(crate) value: Value,
    /// Its class and task, where the pack has a catalogue.
    pub(crate) class: Option<String>,
    pub(crate) task: Option<String>,
    /// The rules that concern it, as positions among all, in order of evaluation.
    pub(crate) rules: Vec<usize>,
    /// What their predicates, the gates' and the guardrails' read.
    pub(crate) reads: Reads,
}

/// The variables that predicates read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reads {
    /// Fixed paths, joined by dots and split.
    pub(crate) paths: Vec<(String, Vec<String>)>,
    /// True where one reads all data, or by a path that is computed.
    pub(crate) everything: bool,
}

pub(super) fn intents<'c>(
    pack: &ContextPack,
    rules: &Rules,
    controls: impl Iterator<Item = &'c HydratedControl>,
) -> BTreeMap<String, HydratedIntent> {
    let of_controls = controls.map(|control| reads_of(&control.program)).collect::<Vec<_>>();
    let of_rules = rules.programs.iter().map(reads_of).collect::<Vec<_>>();
    let entries = pack.intent_layer.as_ref().map(|layer| layer.catalog.as_slice()).unwrap_or_default();
    let intents = pack.intents().into_iter().map(|id| {
        let entry = entries.iter().find(|entry| entry.id == id);
        let (class, task) = (entry.map(|e| e.intent_class.clone()), entry.map(|e| e.task_id.clone()));
        let concerning = rules.rules.iter().enumerate().filter(|(_, rule)| rule.concerns(id)).map(|(at, _)| at);
        let concerning: Vec<usize> = concerning.collect();
        let read = concerning.iter().filter_map(|at| of_rules.get(*at)).chain(&of_controls).flatten();
        let value = json!({ "id": id, "class": class, "task": task });
        (id.to_owned(), HydratedIntent { value, class, task, reads: Reads::of(read), rules: concerning })
    });
    intents.collect()
}

/// What a predicate reads of the context itself.
fn reads_of(program: &Result<Program, String>) -> Vec<VarUse> {
    let all = program.as_ref().map(Program::variables).unwrap_or_default();
    all.into_iter().filter(|read| !read.scoped).collect()
}

impl Reads {
    fn of<'v>(reads: impl Iterator<Item = &'v VarUse>) -> Self {
        let mut paths = BTreeSet::new();
        let mut everything = false;
        for read in reads {
            if read.dynamic || read.path.is_empty() {
                everything = true;
            } else {
                paths.insert(&read.path);
            }
        }
        Self { paths: paths.into_iter().map(|path| (path.join("."), path.clone())).collect(), everything }
    }
}
