//! The success criteria of a step or a mission: conditions over what was found, evaluated by the runtime.

use super::{InspectedFile, columns_of, rows_of, unparsed};
use deed_logic::{Mode, Program};
use deed_model::{
    CheckName, CheckReceipt, Condition, ConditionCheck, Criterion, Inspection, Mission, StepContract, ValidatorCheck,
    covers, in_set, is_set,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Inspections and checks of files, by path.
pub(crate) type Facts<'f> = BTreeMap<String, (&'f Inspection, Vec<CheckReceipt>)>;

/// Returns whether a step has succeeded.
pub(super) fn criteria(
    contract: &StepContract,
    inputs: &[InspectedFile],
    outputs: &[InspectedFile],
    checks: &[CheckReceipt],
) -> Vec<CheckReceipt> {
    let of = |path: &str| checks.iter().filter(|check| check.path.as_deref() == Some(path)).cloned().collect();
    let facts: Facts<'_> =
        outputs.iter().map(|looked| (looked.path.clone(), (&looked.found, of(&looked.path)))).collect();
    let known = json!({ "inputs": slots_in(contract, inputs), "outputs": slots_out(contract, outputs) });
    contract.success_criteria.iter().map(|condition| receipt(condition, &facts, &known)).collect()
}

/// The files that decide whether a mission has succeeded.
pub(crate) fn asked(mission: &Mission) -> BTreeSet<String> {
    let conditions = mission.success_criteria.iter().filter_map(deed_plan::conditions).flatten();
    conditions.filter_map(|condition| condition.path).collect()
}

/// Returns whether a mission has succeeded.
pub(crate) fn mission(mission: &Mission, facts: &Facts<'_>) -> Vec<CheckReceipt> {
    let checked = |criterion: &Criterion| match deed_plan::conditions(criterion) {
        Some(conditions) => conditions.iter().map(|condition| receipt(condition, facts, &json!({}))).collect(),
        None => vec![unreadable()],
    };
    mission.success_criteria.iter().flat_map(checked).collect()
}

/// A criterion that no machine can check does not hold. The compiler refuses such a plan.
fn unreadable() -> CheckReceipt {
    CheckReceipt {
        check: CheckName::Criterion(ConditionCheck::Rule),
        path: None,
        holds: false,
        blocks: true,
        found: Some("the criterion cannot be checked by a machine".to_owned()),
    }
}

fn receipt(condition: &Condition, facts: &Facts<'_>, known: &Value) -> CheckReceipt {
    let found = unmet(condition, facts, known);
    CheckReceipt {
        check: CheckName::Criterion(condition.check),
        path: condition.path.clone(),
        holds: found.is_none(),
        blocks: true,
        found,
    }
}

fn unmet(condition: &Condition, facts: &Facts<'_>, known: &Value) -> Option<String> {
    if condition.check == ConditionCheck::Rule {
        // The compiler refuses such a condition; a plan of another origin must not succeed over it.
        return condition
            .rule
            .as_ref()
            .map_or_else(|| Some("the criterion has no rule".to_owned()), |of| rule(of, known));
    }
    let path = condition.path.as_deref().unwrap_or_default();
    if is_set(path) {
        let mut members = facts.iter().filter(|(member, _)| in_set(path, member)).peekable();
        if condition.check == ConditionCheck::Exists && members.peek().is_none() {
            return Some("it has no files".to_owned());
        }
        return members.find_map(|(member, of)| Some(format!("`{member}`: {}", unmet_by(condition, of)?)));
    }
    facts.get(path).map_or_else(|| Some("it is not there".to_owned()), |of| unmet_by(condition, of))
}

/// Returns the reason why a file does not meet a condition.
fn unmet_by(condition: &Condition, (found, checks): &(&Inspection, Vec<CheckReceipt>)) -> Option<String> {
    match condition.check {
        ConditionCheck::Exists | ConditionCheck::Rule => None,
        ConditionCheck::NotEmpty => (found.bytes == 0).then(|| "it is empty".to_owned()),
        ConditionCheck::Parses => unparsed(found),
        ConditionCheck::MatchesSchema => {
            let fits = checks.iter().filter(|check| check.check == CheckName::Validator(ValidatorCheck::EntitySchema));
            match fits.clone().find(|check| !check.holds) {
                Some(check) => check.found.clone().or(Some("it does not match its schema".to_owned())),
                None if fits.count() == 0 => Some("nothing has compared it with its schema".to_owned()),
                None => None,
            }
        }
        ConditionCheck::RowsAtLeast => uncounted(condition, found, "at least", |rows, count| rows >= count),
        ConditionCheck::RowsAtMost => uncounted(condition, found, "at most", |rows, count| rows <= count),
    }
}

/// Returns the reason why a file does not have the rows that a condition counts. One without a count does not hold.
fn uncounted(condition: &Condition, found: &Inspection, bound: &str, holds: fn(u64, u64) -> bool) -> Option<String> {
    let Some(count) = condition.count else { return Some("the criterion has no count of rows".to_owned()) };
    match rows_of(found) {
        Some(rows) if holds(rows, count) => None,
        Some(rows) => Some(format!("it has {rows} rows, and must have {bound} {count}")),
        None => Some(format!("it has no rows, and must have {bound} {count}")),
    }
}

fn rule(rule: &Value, known: &Value) -> Option<String> {
    let program = match Program::compile(rule, Mode::Strict) {
        Ok(program) => program,
        Err(_) => return Some("the rule cannot be evaluated".to_owned()),
    };
    match program.test(known) {
        Ok(true) => None,
        Ok(false) => Some(format!("the rule does not hold: {rule}")),
        Err(error) => Some(format!("the rule cannot be evaluated: {error}")),
    }
}

/// The facts of a slot: of one file, or of all files of a set together. Columns of a set are those that all its files have.
fn fact<'f>(path: Option<&str>, files: &'f [InspectedFile]) -> Value {
    let of = |looked: &&'f InspectedFile| path.is_some_and(|path| covers(path, &looked.path));
    let found: Vec<&Inspection> = files.iter().filter(of).map(|looked| &looked.found).collect();
    let mut columns = found.first().map(|first| columns_of(first)).unwrap_or_default();
    columns.retain(|column| found.iter().all(|file| columns_of(file).contains(column)));
    let bytes: u64 = found.iter().map(|file| file.bytes).sum();
    let rows: u64 = found.iter().filter_map(|file| rows_of(file)).sum();
    json!({ "exists": !found.is_empty(), "bytes": bytes, "rows": rows, "columns": columns })
}

fn slots_in(contract: &StepContract, inputs: &[InspectedFile]) -> Value {
    // Inputs by meaning come first; a file that is read by path does not take the place of one.
    let slots = contract.io_contract.inputs.iter().rev();
    let slots = slots.map(|input| (input.slot.clone(), fact(input.path.as_deref(), inputs)));
    Value::Object(slots.collect::<Map<_, _>>())
}

fn slots_out(contract: &StepContract, outputs: &[InspectedFile]) -> Value {
    let slots = contract.io_contract.outputs.iter();
    let slots = slots.map(|output| (output.slot.clone(), fact(Some(&output.path), outputs)));
    Value::Object(slots.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use deed_receipts::{InspectLimits, inspect};
    use std::io::Cursor;

    /// The compiler refuses such conditions; a compiled plan of another origin may have them.
    #[test]
    fn a_condition_without_its_count_or_rule_does_not_hold() {
        let found = inspect(&mut Cursor::new(b"a\n1\n"), None, &InspectLimits::default()).unwrap();
        let facts: Facts<'_> = BTreeMap::from([("output/a.csv".to_owned(), (&found, Vec::new()))]);
        for check in [ConditionCheck::RowsAtLeast, ConditionCheck::RowsAtMost, ConditionCheck::Rule] {
            let condition = Condition { check, path: Some("output/a.csv".to_owned()), count: None, rule: None };
            let receipt = receipt(&condition, &facts, &json!({}));
            assert!(!receipt.holds && receipt.blocks, "{receipt:?}");
        }
    }
}
