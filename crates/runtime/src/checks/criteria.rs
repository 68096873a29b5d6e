//! When a step, or a mission, has succeeded: conditions over what was found, evaluated by the system.

use super::{Looked, columns_of, rows_of, unparsed};
use deed_logic::{Mode, Program};
use deed_model::{CheckReceipt, Condition, ConditionCheck, Inspection, Mission, StepContract};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of files, by path.
pub(crate) type Facts<'f> = BTreeMap<String, (&'f Inspection, Vec<CheckReceipt>)>;

/// Whether a step has succeeded.
pub(super) fn criteria(
    contract: &StepContract,
    inputs: &[Looked],
    outputs: &[Looked],
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
    mission.success_criteria.iter().flat_map(deed_plan::conditions).filter_map(|condition| condition.path).collect()
}

/// Whether a mission has succeeded.
pub(crate) fn mission(mission: &Mission, facts: &Facts<'_>) -> Vec<CheckReceipt> {
    let conditions = mission.success_criteria.iter().flat_map(deed_plan::conditions);
    conditions.map(|condition| receipt(&condition, facts, &json!({}))).collect()
}

fn receipt(condition: &Condition, facts: &Facts<'_>, known: &Value) -> CheckReceipt {
    let found = unmet(condition, facts, known);
    let check = serde_json::to_value(condition.check).ok().and_then(|name| name.as_str().map(str::to_owned));
    CheckReceipt {
        check: format!("criterion: {}", check.unwrap_or_default()),
        path: condition.path.clone(),
        holds: found.is_none(),
        blocks: true,
        found,
    }
}

fn unmet(condition: &Condition, facts: &Facts<'_>, known: &Value) -> Option<String> {
    if condition.check == ConditionCheck::Rule {
        return rule(condition.rule.as_ref()?, known);
    }
    let Some((found, checks)) = condition.path.as_ref().and_then(|path| facts.get(path)) else {
        return Some("it is not there".to_owned());
    };
    let rows = rows_of(found);
    let count = condition.count.unwrap_or(0);
    match condition.check {
        ConditionCheck::Exists | ConditionCheck::Rule => None,
        ConditionCheck::NotEmpty => (found.bytes == 0).then(|| "it is empty".to_owned()),
        ConditionCheck::Parses => unparsed(found),
        ConditionCheck::MatchesSchema => {
            let fits = checks.iter().filter(|check| check.check == "entity_schema");
            match fits.clone().find(|check| !check.holds) {
                Some(check) => check.found.clone().or(Some("it does not match its schema".to_owned())),
                None if fits.count() == 0 => Some("nothing has compared it with its schema".to_owned()),
                None => None,
            }
        }
        ConditionCheck::RowsAtLeast => match rows {
            Some(rows) if rows >= count => None,
            rows => Some(format!("it has {} rows, and {count} are the least", told(rows))),
        },
        ConditionCheck::RowsAtMost => match rows {
            Some(rows) if rows <= count => None,
            rows => Some(format!("it has {} rows, and {count} are the most", told(rows))),
        },
    }
}

fn told(rows: Option<u64>) -> String {
    rows.map_or_else(|| "no".to_owned(), |rows| rows.to_string())
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

fn fact(found: Option<&Inspection>) -> Value {
    match found {
        None => json!({ "exists": false, "bytes": 0, "rows": 0, "columns": [] }),
        Some(found) => json!({
            "exists": true, "bytes": found.bytes, "rows": rows_of(found).unwrap_or(0), "columns": columns_of(found),
        }),
    }
}

fn slots_in(contract: &StepContract, inputs: &[Looked]) -> Value {
    let of = |path: &str| inputs.iter().find(|looked| looked.path == path).map(|looked| &looked.found);
    // Inputs by meaning come first; a file that is read by path does not take the place of one.
    let slots = contract.io_contract.inputs.iter().rev();
    let slots = slots.map(|input| (input.slot.clone(), fact(input.path.as_deref().and_then(of))));
    Value::Object(slots.collect::<Map<_, _>>())
}

fn slots_out(contract: &StepContract, outputs: &[Looked]) -> Value {
    let of = |path: &str| outputs.iter().find(|looked| looked.path == path).map(|looked| &looked.found);
    let slots = contract.io_contract.outputs.iter();
    Value::Object(slots.map(|output| (output.slot.clone(), fact(of(&output.path)))).collect::<Map<_, _>>())
}
