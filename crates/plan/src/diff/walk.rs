//! The walk over two values: every difference, at its place. Elements of lists are matched by what they are and not by
//! where they stand; a list whose elements only moved is one difference.

use deed_canon::Pointer;
use deed_diag::Invariant as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Added,
    Removed,
    Changed,
    /// The same elements in another order.
    Moved,
}

/// A difference.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    /// The place, with `*` for elements: `io_contract/outputs/*/path`.
    pub(super) pattern: String,
    /// JSON Pointer into the newer value, or into the older one for what is gone.
    pub(super) at: String,
    /// Names of the elements on the way: keys of maps, what elements of lists are matched by.
    pub(super) keys: Vec<String>,
    /// The old and new positions of the elements on the way.
    pub(super) spots: Vec<(Option<usize>, Option<usize>)>,
    pub(super) op: Op,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// The names of elements of lists.
pub(super) trait Lists {
    /// The key that an element of a list is matched by; none for its whole value.
    fn key(&self, pattern: &str, element: &Value, newer: bool) -> Option<String>;
    /// Returns whether an object is a map, whose keys are data.
    fn is_map(&self, pattern: &str) -> bool;
}

/// Two lists of names matched.
pub(super) struct Matched {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<usize>,
    /// True if the pairs stand in another order.
    pub(super) moved: bool,
}

/// Matches names; of several that are alike, the first with the first.
pub(super) fn matched(before: &[String], after: &[String]) -> Matched {
    let mut there: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in after.iter().enumerate().rev() {
        there.entry(name).or_default().push(index);
    }
    let (mut pairs, mut removed) = (Vec::new(), Vec::new());
    for (index, name) in before.iter().enumerate() {
        match there.get_mut(name.as_str()).and_then(Vec::pop) {
            Some(other) => pairs.push((index, other)),
            None => removed.push(index),
        }
    }
    let mut added: Vec<usize> = there.into_values().flatten().collect();
    added.sort_unstable();
    let moved = !pairs.is_sorted_by_key(|(_, after)| *after);
    Matched { pairs, removed, added, moved }
}

/// True where two values have one canonical form, as `3` and `3.0` do.
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

/// A value in words that are the same for one canonical form.
fn whole(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::Array(all) => format!("[{}]", all.iter().map(whole).collect::<Vec<_>>().join(",")),
        Value::Object(all) => {
            let sorted: BTreeMap<&String, String> = all.iter().map(|(key, value)| (key, whole(value))).collect();
            format!("{sorted:?}")
        }
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}

/// Every difference.
pub(super) fn walk(before: &Value, after: &Value, lists: &dyn Lists) -> Vec<Difference> {
    let mut walker = Walker { lists, found: Vec::new(), keys: Vec::new(), spots: Vec::new() };
    walker.values(before, after, "", "");
    walker.found
}

struct Walker<'w> {
    lists: &'w dyn Lists,
    found: Vec<Difference>,
    keys: Vec<String>,
    spots: Vec<(Option<usize>, Option<usize>)>,
}

impl Walker<'_> {
    fn find(&mut self, pattern: &str, at: &str, op: Op, before: Option<&Value>, after: Option<&Value>) {
        self.found.push(Difference {
            pattern: pattern.to_owned(),
            at: at.to_owned(),
            keys: self.keys.clone(),
            spots: self.spots.clone(),
            op,
            before: before.cloned(),
            after: after.cloned(),
        });
    }

    fn values(&mut self, before: &Value, after: &Value, pattern: &str, at: &str) {
        if same(before, after) {
            return;
        }
        match (before, after) {
            (Value::Object(a), Value::Object(b)) => {
                let map = self.lists.is_map(pattern);
                let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for name in names {
                    let inside = beneath(pattern, if map { "*" } else { name });
                    if map {
                        self.keys.push(name.clone());
                        self.spots.push((None, None));
                    }
                    self.either(a.get(name), b.get(name), &inside, &Pointer::push(at, name));
                    if map {
                        self.keys.pop();
                        self.spots.pop();
                    }
                }
            }
            (Value::Array(a), Value::Array(b)) => self.arrays(a, b, pattern, at),
            _ => self.find(pattern, at, Op::Changed, Some(before), Some(after)),
        }
    }

    fn either(&mut self, before: Option<&Value>, after: Option<&Value>, pattern: &str, at: &str) {
        match (before, after) {
            (Some(before), Some(after)) => self.values(before, after, pattern, at),
            (Some(_), None) => self.find(pattern, at, Op::Removed, before, None),
            (None, Some(_)) => self.find(pattern, at, Op::Added, None, after),
            (None, None) => {}
        }
    }

    fn arrays(&mut self, a: &[Value], b: &[Value], pattern: &str, at: &str) {
        let named = |all: &[Value], newer: bool| -> Vec<String> {
            all.iter().map(|one| self.lists.key(pattern, one, newer).unwrap_or_else(|| whole(one))).collect()
        };
        let (old, new) = (named(a, false), named(b, true));
        let Matched { pairs, removed, added, moved } = matched(&old, &new);
        if moved {
            let (before, after) = (Value::from(a.to_vec()), Value::from(b.to_vec()));
            self.find(pattern, at, Op::Moved, Some(&before), Some(&after));
        }
        let inside = beneath(pattern, "*");
        let all = pairs.into_iter().map(|(a, b)| (Some(a), Some(b)));
        let all = all.chain(removed.into_iter().map(|a| (Some(a), None)));
        for (before, after) in all.chain(added.into_iter().map(|b| (None, Some(b)))) {
            let name = after.and_then(|after| new.get(after)).or_else(|| before.and_then(|before| old.get(before)));
            self.keys.push(name.cloned().invariant("a matched element has a name"));
            self.spots.push((before, after));
            let index = after.or(before).invariant("a matched element is in one of the lists");
            let place = Pointer::push(at, &index.to_string());
            self.either(before.and_then(|at| a.get(at)), after.and_then(|at| b.get(at)), &inside, &place);
            self.keys.pop();
            self.spots.pop();
        }
    }
}

fn beneath(pattern: &str, name: &str) -> String {
    if pattern.is_empty() { name.to_owned() } else { format!("{pattern}/{name}") }
}
