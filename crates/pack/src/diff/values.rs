//! Equality of values, and the numbers in which they differ.

use super::change::{Change, ChangeKind};
use super::class::ChangeClass;
use super::effect::ChangeEffect;
use crate::bundle::Bundle;
use deed_canon::Pointer;
use serde_json::{Number, Value};

/// Returns true if two values mean the same: `3` and `3.0` have one canonical form.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Returns the numbers that differ, with their new values; `None` if anything else differs too.
pub(super) fn moved_numbers(before: &Value, after: &Value) -> Option<Vec<(String, Number)>> {
    let mut moved = Vec::new();
    collect(before, after, "", &mut moved).then_some(moved)
}

fn collect(before: &Value, after: &Value, at: &str, moved: &mut Vec<(String, Number)>) -> bool {
    match (before, after) {
        (Value::Number(_), Value::Number(to)) => {
            if !same(before, after) {
                moved.push((at.to_owned(), to.clone()));
            }
            true
        }
        (Value::Array(a), Value::Array(b)) => {
            let mut pairs = a.iter().zip(b).enumerate();
            a.len() == b.len() && pairs.all(|(i, (a, b))| collect(a, b, &Pointer::push(at, &i.to_string()), moved))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut pairs = a.iter();
            let inside =
                |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| collect(a, b, &Pointer::push(at, key), moved));
            a.len() == b.len() && pairs.all(inside)
        }
        _ => same(before, after),
    }
}

/// A document with the same content in other bytes is still a change: a version never changes.
pub(super) fn rewritten(before: &Bundle, after: &Bundle) -> Option<Change> {
    let plain = |bundle: &Bundle| {
        let mut value = bundle.document.value().clone();
        value.pointer_mut("/pack_meta").and_then(Value::as_object_mut).and_then(|meta| meta.remove("pack_version"));
        value
    };
    (!same(&plain(before), &plain(after))).then(|| Change {
        layer: "pack".to_owned(),
        pointer: String::new(),
        what: ChangeKind::Changed,
        subject: "the document".to_owned(),
        class: ChangeClass::Patch,
        effect: ChangeEffect::None,
        why: "the same content is written in another way".to_owned(),
        before: None,
        after: None,
    })
}
