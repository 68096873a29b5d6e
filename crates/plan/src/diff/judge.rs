//! The judge: a difference between two contracts of a step gets its class and words.

use super::change::PlanChangeClass::{self, Breaking, Compatible, Tightening};
use super::walk::{Difference, Lists, Op};
use deed_diag::quote;
use deed_model::{Binding, InputContract, StepContract};
use serde_json::Value;

/// Both contracts, for rules that look at more than one place.
pub(super) struct Judge<'j> {
    pub(super) old: &'j StepContract,
    pub(super) new: &'j StepContract,
}

impl Lists for Judge<'_> {
    fn key(&self, pattern: &str, element: &Value, newer: bool) -> Option<String> {
        let text = |name: &str| element.get(name).and_then(Value::as_str);
        match pattern {
            "io_contract/inputs" | "io_contract/outputs" => {
                Some(self.name(text("slot")?, text("entity_schema_id")?, pattern == "io_contract/inputs"))
            }
            "bindings" => {
                let input = element.get("input").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok())?;
                self.input_name(newer, input).or_else(|| text("slot").map(str::to_owned))
            }
            "validators" => {
                let (path, check) = (text("path")?, text("check")?);
                // An input is the same wherever it is read.
                let side = if newer { self.new } else { self.old };
                let input = text("phase") == Some("step_input");
                let slot = input_at(side, path).filter(|_| input).and_then(|(at, _)| self.input_name(newer, at));
                Some(match (input, slot) {
                    (true, Some(slot)) => format!("{check} of input {slot}"),
                    (true, None) => format!("{check} of input file {path}"),
                    (false, _) => format!("{check} of {path}"),
                })
            }
            _ => None,
        }
    }

    fn is_map(&self, pattern: &str) -> bool {
        matches!(pattern, "artifact_contracts" | "repair_policy/boundaries")
    }
}

pub(super) fn input_at<'s>(step: &'s StepContract, path: &str) -> Option<(usize, &'s InputContract)> {
    step.io_contract.inputs.iter().enumerate().find(|(_, input)| input.path.as_deref() == Some(path))
}

fn binding_of(step: &StepContract, input: usize) -> Option<&Binding> {
    step.bindings.iter().find(|binding| binding.input == input)
}

impl Judge<'_> {
    /// A slot names an input or an output where it is the only one of its step; where there are several, what each
    /// means tells them apart.
    fn name(&self, slot: &str, entity: &str, input: bool) -> String {
        let alone = |step: &StepContract| match input {
            true => step.io_contract.inputs.iter().filter(|input| input.slot == slot).count() < 2,
            false => step.io_contract.outputs.iter().filter(|output| output.slot == slot).count() < 2,
        };
        if alone(self.old) && alone(self.new) { slot.to_owned() } else { format!("{slot} of {entity}") }
    }

    fn input_name(&self, newer: bool, at: usize) -> Option<String> {
        let side = if newer { self.new } else { self.old };
        let input = side.io_contract.inputs.get(at)?;
        Some(self.name(&input.slot, input.entity_schema_id.as_str(), true))
    }

    /// The input of the other contract that goes by the same name.
    pub(super) fn counterpart(&self, newer: bool, at: usize) -> Option<(usize, &InputContract)> {
        let name = self.input_name(newer, at)?;
        let other = if newer { self.old } else { self.new };
        let mut inputs = other.io_contract.inputs.iter().enumerate();
        inputs.find(|(at, _)| self.input_name(!newer, *at).as_ref() == Some(&name))
    }

    /// True where an input of that slot is gone.
    pub(super) fn lost_one(&self, slot: &str) -> bool {
        let mut old = self.old.io_contract.inputs.iter().enumerate().filter(|(_, input)| input.slot == slot);
        old.any(|(at, _)| self.counterpart(false, at).is_none())
    }

    pub(super) fn of(&self, found: &Difference) -> (PlanChangeClass, String) {
        if let Some(judged) = super::rules::judge(self, found) {
            return judged;
        }
        rest(found)
    }

    /// True where an input is read elsewhere only because other adapters lead to it.
    pub(super) fn only_adapted(&self, old: usize, new: usize) -> bool {
        let (Some(a), Some(b)) = (self.old.io_contract.inputs.get(old), self.new.io_contract.inputs.get(new)) else {
            return false;
        };
        let by = |step, input| binding_of(step, input).map(|binding| (&binding.by, &binding.producer.step));
        let (before, after) = (by(self.old, old), by(self.new, new));
        let adapted = matches!((before, after), (Some(a), Some(b)) if a.0 != b.0 && a.1 == b.1);
        adapted && InputContract { path: None, ..a.clone() } == InputContract { path: None, ..b.clone() }
    }

    /// Judges an input that is read at another place.
    pub(super) fn read_elsewhere(&self, old: usize, new: usize) -> PlanChangeClass {
        let input = |step: &StepContract, at: usize| step.io_contract.inputs.get(at).cloned();
        match (input(self.old, old), input(self.new, new)) {
            (Some(a), Some(b)) if a.path.is_none() && !b.required => Compatible,
            _ if self.only_adapted(old, new) => Compatible,
            _ => Breaking,
        }
    }

    /// Judges a path that a step did not read before.
    pub(super) fn reads_more(&self, path: &str) -> PlanChangeClass {
        let Some((new, input)) = input_at(self.new, path) else { return Breaking };
        match self.counterpart(true, new) {
            None if input.required || self.lost_one(&input.slot) => Breaking,
            None => Compatible,
            // It was read already, though not as this input.
            Some((_, known)) if known.path.as_deref() == Some(path) => Breaking,
            Some((old, _)) => self.read_elsewhere(old, new),
        }
    }
}

/// New and gone, each with its class.
pub(super) fn gone_or_new(
    op: Op,
    added: PlanChangeClass,
    removed: PlanChangeClass,
    what: &str,
) -> (PlanChangeClass, String) {
    match op {
        Op::Added => (added, format!("{what} is new")),
        Op::Removed => (removed, format!("{what} is gone")),
        Op::Changed => (Breaking, format!("{what} is another")),
        Op::Moved => (Breaking, format!("{what} stands elsewhere")),
    }
}

/// Judges an amount that may be spent. An amount that is not counted may be any.
pub(super) fn amount(found: &Difference, what: &str) -> (PlanChangeClass, String) {
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_u64);
    match (number(&found.before), number(&found.after)) {
        (Some(before), Some(after)) if after < before => (Tightening, format!("{what} falls from {before} to {after}")),
        (Some(before), Some(after)) => (Breaking, format!("{what} rises from {before} to {after}")),
        (None, Some(after)) => (Tightening, format!("{what} is {after} now, and was not counted")),
        _ => (Breaking, format!("{what} is no longer counted")),
    }
}

/// A value on a scale from loose to strict.
pub(super) fn stricter(found: &Difference, scale: &[&str], what: &str) -> (PlanChangeClass, String) {
    let text = |value: &Option<Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "nothing".to_owned(),
    };
    let (before, after) = (text(&found.before), text(&found.after));
    let rank = |word: &str| scale.iter().position(|known| *known == word);
    let class = match (rank(&before), rank(&after)) {
        (Some(before), Some(after)) if after > before => Tightening,
        _ => Breaking,
    };
    (class, format!("{what} is {} in place of {}", quote(&after), quote(&before)))
}

/// Judges a change that no rule knows.
pub(super) fn rest(found: &Difference) -> (PlanChangeClass, String) {
    let words = found.pattern.replace("/*", "").replace(['/', '_'], " ");
    let of = found.keys.last().map(|key| format!(" ({})", quote(key))).unwrap_or_default();
    gone_or_new(found.op, Breaking, Breaking, &format!("{words}{of}"))
}
