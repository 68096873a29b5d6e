//! The first place where two records differ.

use deed_model::RecordedStage;
use serde_json::Value;
use std::collections::BTreeSet;

/// A place and the values before and after; `None` for an absent value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    pub(super) pointer: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// The pointer of the hash of the layer that a stage reads.
pub(super) const LAYER: &str = "/reads/layer";

/// Returns the first difference between two runs of a stage. What it read is most informative, then what it decided;
/// the hash of the layer, and ids derived from what was read, are least informative.
pub(super) fn of_stages(before: &RecordedStage, after: &RecordedStage) -> Option<Difference> {
    let mut all = Vec::new();
    walk(&before.reads, &after.reads, "/reads".to_owned(), &mut all);
    walk(&before.decided, &after.decided, "/decided".to_owned(), &mut all);
    let telling = |d: &Difference| d.pointer != LAYER && !d.pointer.ends_with("/policy_decision_id");
    let said = all.iter().position(telling).unwrap_or(0);
    (said < all.len()).then(|| all.swap_remove(said))
}

/// Returns the first difference at a place, in the order of keys and positions, as deep as possible.
pub(super) fn first_at(before: Option<&Value>, after: Option<&Value>, pointer: &str) -> Option<Difference> {
    let mut all = Vec::new();
    part(before, after, pointer.to_owned(), &mut all);
    all.into_iter().next()
}

/// The maximum number of differences to collect; only the first ones matter.
const MOST: usize = 64;

fn walk(before: &Value, after: &Value, pointer: String, out: &mut Vec<Difference>) {
    if before == after || out.len() >= MOST {
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                let pointer = deed_canon::Pointer::push(&pointer, key);
                part(old.get(key), new.get(key), pointer, out);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for i in 0..old.len().max(new.len()) {
                let pointer = deed_canon::Pointer::push(&pointer, &i.to_string());
                part(old.get(i), new.get(i), pointer, out);
            }
        }
        (old, new) => out.push(Difference { pointer, before: Some(old.clone()), after: Some(new.clone()) }),
    }
}

fn part(before: Option<&Value>, after: Option<&Value>, pointer: String, out: &mut Vec<Difference>) {
    match (before, after) {
        (Some(old), Some(new)) => walk(old, new, pointer, out),
        (None, None) => {}
        (old, new) => out.push(Difference { pointer, before: old.cloned(), after: new.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first(before: &Value, after: &Value) -> Option<Difference> {
        first_at(Some(before), Some(after), "")
    }

    #[test]
    fn the_deepest_first_difference() {
        let before = json!({"a": [1, {"b": 2}], "layer": "x", "z": 1});
        let after = json!({"a": [1, {"b": 3}], "layer": "y", "z": 1});
        let found = first(&before, &after).unwrap();
        assert_eq!((found.pointer.as_str(), found.before, found.after), ("/a/1/b", Some(json!(2)), Some(json!(3))));
        let shorter = first(&json!([1, 2]), &json!([1])).unwrap();
        assert_eq!((shorter.pointer.as_str(), shorter.before, shorter.after), ("/1", Some(json!(2)), None));
        assert_eq!(first(&json!({"a/b": 1}), &json!({})).unwrap().pointer, "/a~1b");
        assert_eq!(first(&before, &before), None);
    }
}
