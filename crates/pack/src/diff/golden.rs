//! Golden cases of the pack. They prove its behaviour on every lint and pin, so removing or weakening one is a change.

use super::change::{Change, ChangeKind};
use super::shape::Verdict;
use super::values::same;
use crate::bundle::{Bundle, golden_name};
use crate::pointer::pointer;
use deed_diag::Document;
use deed_model::PackRef;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The layer's name, and the first part of its pointers.
pub(super) const LAYER: &str = "golden";

/// Returns every difference between the golden cases of two folders. What follows the pack's version is not one: the
/// reference in a request, and the value of an expected hash.
pub(super) fn changes(before: &Bundle, after: &Bundle) -> Vec<Change> {
    let (old, new) = (by_name(before), by_name(after));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    names.into_iter().filter_map(|name| change(name, old.get(name).copied(), new.get(name).copied())).collect()
}

fn by_name(bundle: &Bundle) -> BTreeMap<&str, &Document> {
    bundle.golden.iter().map(|case| (golden_name(case), case)).collect()
}

fn change(name: &str, before: Option<&Document>, after: Option<&Document>) -> Option<Change> {
    let (what, verdict) = match (before.map(Document::value), after.map(Document::value)) {
        (None, None) => return None,
        (None, Some(_)) => (ChangeKind::Added, Verdict::patch("one more case is checked")),
        (Some(_), None) => (ChangeKind::Removed, Verdict::major("what the case proved is no longer checked")),
        (Some(before), Some(after)) => (ChangeKind::Changed, judge(before, after)?),
    };
    Some(Change {
        layer: LAYER.to_owned(),
        pointer: pointer!(LAYER, name),
        what,
        subject: format!("golden case {name}"),
        class: verdict.class,
        effect: verdict.effect,
        why: verdict.why,
        before: before.map(|case| case.value().clone()),
        after: after.map(|case| case.value().clone()),
    })
}

/// Judges a case that stayed; `None` if only what follows the version differs.
fn judge(before: &Value, after: &Value) -> Option<Verdict> {
    let (old, new) = (settled(before), settled(after));
    if same(&old, &new) {
        return None;
    }
    let inputs = |case: &Value| {
        let mut case = case.clone();
        if let Some(members) = case.as_object_mut() {
            members.remove("expect");
            members.remove("description");
        }
        case
    };
    let expected = |case: &Value| case.get("expect").cloned().unwrap_or_default();
    let (had, has) = (expected(&old), expected(&new));
    Some(if !same(&inputs(&old), &inputs(&new)) {
        Verdict::minor("the case checks another request")
    } else if same(&had, &has) {
        Verdict::patch("only its description differs")
    } else if expects_at_least(&has, &had) {
        Verdict::patch("the case expects what it did before, and more")
    } else {
        Verdict::minor("the case expects something else, or less")
    })
}

/// Returns true if every expectation is still there as it was.
fn expects_at_least(has: &Value, had: &Value) -> bool {
    match (has, had) {
        (Value::Object(has), Value::Object(had)) => {
            had.iter().all(|(key, value)| has.get(key).is_some_and(|own| expects_at_least(own, value)))
        }
        (has, had) => same(has, had),
    }
}

/// Returns a case without what follows the pack's version: references keep their ids alone, and of an expected hash only
/// that there is one.
fn settled(case: &Value) -> Value {
    let mut case = case.clone();
    for part in ["request", "run"] {
        let refs = case.pointer_mut(&format!("/{part}/context_pack_refs")).and_then(Value::as_array_mut);
        for reference in refs.into_iter().flatten() {
            if let Some(named) = reference.as_str().and_then(|text| text.parse::<PackRef>().ok()) {
                *reference = Value::String(named.pack_id);
            }
        }
    }
    if let Some(hash) = case.pointer_mut("/expect/compiled_context_hash") {
        *hash = Value::Bool(true);
    }
    case
}

/// Returns the document of a change to a golden case.
pub(super) fn document<'b>(bundle: &'b Bundle, change: &Change) -> Option<&'b Document> {
    let name = deed_canon::Pointer::tokens(&change.pointer).nth(1).filter(|_| change.layer == LAYER)?;
    bundle.golden.iter().find(|case| golden_name(case) == name)
}
