//! The places of a vocabulary: an imprint enters, every place that a field may go to leaves.
//!
//! Must hold: each place is listed once, and a schema that contains itself ends.

use super::path::{lists_above, push_key, steps};
use crate::place::Step;
use deed_imprint::{Expected, Imprint, ValueKind};
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};

/// Levels of a schema that are looked at for places; deeper ones are found by their path alone.
pub(super) const DEEPEST: usize = 12;
/// Places of a schema that are looked at: one that holds itself in several keys has no end of them.
const MOST_SLOTS: usize = 10_000;

/// A place of the new vocabulary.
pub(super) struct Slot {
    pub(super) path: String,
    pub(super) required: bool,
    pub(super) list: bool,
    pub(super) note: String,
}

/// Every place of a schema that holds a value of its own: leaves, and lists of leaves. What is near comes first.
pub(super) fn slots(imprint: &Imprint) -> Vec<Slot> {
    let mut found = Vec::new();
    let nothing = json!({});
    let mut left = VecDeque::from([(String::new(), imprint.expected(), true, 0_usize)]);
    while let Some((path, expected, required, depth)) = left.pop_front() {
        if depth > DEEPEST || found.len() >= MOST_SLOTS {
            break;
        }
        for key in expected.keys(&nothing) {
            let inner = expected.key(&nothing, key.name);
            let at = push_key(&path, key.name);
            let needed = required && key.required;
            let (slot, beneath) = slot(at, inner, needed, key.note);
            found.extend(slot);
            left.extend(beneath.map(|(path, inner, required)| (path, inner, required, depth + 1)));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// What holds places of its own: where, what is expected there, and whether it must be given.
pub(super) type Beneath<'i> = (String, Expected<'i>, bool);

/// The place itself, if it holds a value of its own, and what is to be looked at beneath it.
pub(super) fn slot<'i>(
    at: String,
    inner: Expected<'i>,
    required: bool,
    note: &str,
) -> (Option<Slot>, Option<Beneath<'i>>) {
    let (nothing, list) = (json!({}), json!([null]));
    if inner.takes(ValueKind::Object) && inner.is_known(&nothing) {
        return (None, Some((at, inner, required)));
    }
    let is_list = inner.takes_only(ValueKind::List);
    let item = inner.item(&list, 0);
    let beneath = (is_list && item.is_known(&nothing)).then(|| (format!("{at}/*"), item, false));
    (Some(Slot { path: at, required, list: is_list, note: note.to_owned() }), beneath)
}

/// The place at a path, however deep it lies.
pub(super) fn slot_at(imprint: &Imprint, path: &str) -> Option<Slot> {
    let (nothing, list) = (json!({}), json!([null]));
    let mut here = imprint.expected();
    let mut required = true;
    let mut note = "";
    for step in steps(path) {
        let Step::Named(name) = step else {
            here = Some(here).filter(|here| here.takes_only(ValueKind::List))?.item(&list, 0);
            required = false;
            continue;
        };
        let key = here.keys(&nothing).into_iter().find(|key| key.name == name)?;
        required &= key.required;
        note = key.note;
        here = here.key(&nothing, &name);
    }
    slot(path.to_owned(), here, required, note).0.filter(|_| !path.ends_with("/*"))
}

pub(super) fn lists_of_objects(slots: &[Slot]) -> BTreeSet<String> {
    let lists: BTreeSet<&str> = slots.iter().filter(|slot| slot.list).map(|slot| slot.path.as_str()).collect();
    let above = slots.iter().flat_map(|slot| lists_above(&slot.path));
    above.filter(|list| lists.contains(list)).map(str::to_owned).collect()
}
