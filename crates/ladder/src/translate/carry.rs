//! The carrying of values: a field and its new place enter, the document that is built leaves with the value in it.

use super::{Unplaced, convert};
use crate::excerpt::items;
use crate::place::Step;
use deed_diag::Invariant as _;
use deed_model::Conversion;
use serde_json::{Map, Value};

/// A field on its way.
pub(super) struct Field<'f> {
    pub(super) path: &'f str,
    pub(super) document: &'f Value,
    pub(super) convert: &'f [Conversion],
}

/// Carries the value or values of a field to their place, items one by one.
pub(super) fn carry(
    source: &Value,
    field: &Field<'_>,
    from: &[Step],
    target: &mut Value,
    to: &[Step],
    unplaced: &mut Vec<Unplaced>,
) {
    let (from_head, from_tail) = split_at_list(from);
    let (to_head, to_tail) = split_at_list(to);
    // An item of a list need not have every field that others have.
    let Some(value) = down(source, from_head) else { return };
    match (from_tail, to_tail) {
        (None, None) => match convert::converted(field.document, value, field.convert) {
            Ok(value) => put(target, to_head, value),
            Err(reason) => unplaced.push(Unplaced { from: field.path.to_owned(), reason }),
        },
        (Some(from_tail), Some(to_tail)) => {
            // Where an item has something other than a list, that is a field of its own.
            let Some(items) = value.as_array() else { return };
            let list = reach(target, to_head);
            if !list.is_array() {
                *list = Value::Array(Vec::new());
            }
            let list = list.as_array_mut().invariant("it was made a list");
            for (index, item) in items.iter().enumerate() {
                if list.len() <= index {
                    list.push(Value::Object(Map::new()));
                }
                let place = list.get_mut(index).invariant("the list is long enough");
                carry(item, field, from_tail, place, to_tail, unplaced);
            }
        }
        _ => unplaced.push(Unplaced {
            from: field.path.to_owned(),
            reason: "a list and a single value do not match".to_owned(),
        }),
    }
}

/// The steps before the first list, and those within its items.
pub(super) fn split_at_list(steps: &[Step]) -> (&[Step], Option<&[Step]>) {
    match steps.iter().position(|step| *step == Step::Any) {
        Some(at) => (items(steps, ..at), steps.get(at + 1..)),
        None => (steps, None),
    }
}

pub(super) fn down<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Named(name) => value.get(name),
        Step::Any => None,
    })
}

pub(super) fn reach<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    let mut here = value;
    for step in steps {
        // The steps before a list have names.
        let Step::Named(name) = step else { continue };
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        here = match here {
            Value::Object(map) => map.entry(name.clone()).or_insert(Value::Null),
            other => other,
        };
    }
    here
}

pub(super) fn put(target: &mut Value, steps: &[Step], value: Value) {
    *reach(target, steps) = value;
}
