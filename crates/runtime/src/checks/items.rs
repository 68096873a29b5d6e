//! The bound on a list that code works through item by item.

use super::{InspectedFile, rows_of};
use deed_model::{CheckName, CheckReceipt, StepContract};

/// Returns whether a list has no more items than the contract lets its code work through.
pub(super) fn items(contract: &StepContract, file: &InspectedFile) -> Option<CheckReceipt> {
    let each = contract.execution_contract.for_each.as_ref()?;
    let meant = |entity: &str| each.entity_schema_id.as_ref().is_none_or(|meant| meant == entity);
    let inputs = contract.io_contract.inputs.iter();
    let mut listed = inputs.filter(|input| input.slot == each.slot && meant(input.entity_schema_id.as_str()));
    listed.find(|input| input.path.as_deref() == Some(file.path.as_str()))?;
    let rows = rows_of(&file.found)?;
    let most = each.most_items;
    Some(CheckReceipt {
        check: CheckName::ForEach,
        path: Some(file.path.clone()),
        holds: rows <= most,
        blocks: true,
        found: (rows > most).then(|| format!("it has {rows} rows, and `most_items` of `for_each` is {most}")),
    })
}
