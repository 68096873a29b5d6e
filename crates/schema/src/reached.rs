//! Refuses a schema from which a reference to another document, or to nothing, can be reached.
//!
//! Only reachable references count: an API description may hold definitions that no operation uses. The refusal names
//! the first location in the order of the document, so that it is the same each time.

use crate::refusal::{Reason, Refused};
use crate::spot::Spot;
use crate::subschemas::{MANY, NAMED, ONE};
use deed_canon::Pointer;
use deed_diag::Invariant;
use serde_json::Value;
use std::collections::HashSet;

/// Follows every reference from a root; locations are named as pointers into `document`.
pub(crate) fn check(root: &Spot<'_>, document: &Value) -> Result<(), Refused> {
    let mut seen = HashSet::new();
    let mut broken: Vec<(usize, Refused)> = Vec::new();
    let mut left = vec![root.clone()];
    while let Some(spot) = left.pop() {
        if !seen.insert(spot.identity()) {
            continue;
        }
        match spot.reference() {
            None => {}
            Some((_, Ok(target))) => {
                left.push(target);
                if !spot.dialect().reference_has_siblings() {
                    continue;
                }
            }
            Some((_, Err(refused))) => broken.push((spot.identity(), refused)),
        }
        left.extend(children(&spot));
    }
    if broken.is_empty() { Ok(()) } else { Err(first(document, broken)) }
}

/// The schemas directly within one.
pub(crate) fn children<'s>(spot: &Spot<'s>) -> Vec<Spot<'s>> {
    let mut found = Vec::new();
    for keyword in ONE {
        found.extend(spot.one(keyword));
    }
    for keyword in MANY {
        found.extend(spot.list(keyword));
    }
    for keyword in NAMED {
        found.extend(spot.named(keyword).into_iter().map(|(_, child)| child));
    }
    found
}

/// The first refusal in the order of the document, with its location and the number of others of its kind.
fn first(document: &Value, broken: Vec<(usize, Refused)>) -> Refused {
    let mut placed: Vec<(usize, String, Refused)> = Vec::new();
    let mut order = 0;
    let mut left = vec![(document, String::new())];
    while let Some((value, pointer)) = left.pop() {
        order += 1;
        let identity = std::ptr::from_ref(value).addr();
        if let Some((_, refused)) = broken.iter().find(|(broken, _)| *broken == identity) {
            placed.push((order, format!("{pointer}/$ref"), refused.clone()));
        }
        match value {
            Value::Object(map) => {
                let mut members: Vec<_> = map.iter().collect();
                // By name, so that the order of a map never shows.
                members.sort_by(|a, b| b.0.cmp(a.0));
                left.extend(members.into_iter().map(|(key, child)| (child, Pointer::push(&pointer, key))));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                left.extend(items.map(|(index, child)| (child, Pointer::push(&pointer, &index.to_string()))));
            }
            _ => {}
        }
    }
    placed.sort_by_key(|(order, _, _)| *order);
    let Some((_, pointer, refused)) = placed.into_iter().next() else {
        // The reference stands in a schema that was built around the document, so it has no place in it.
        let unplaced = broken.into_iter().map(|(_, refused)| refused).min_by(|a, b| a.message.cmp(&b.message));
        return unplaced.invariant("a reference is broken");
    };
    let others = broken.iter().filter(|(_, other)| other.reason == refused.reason).count().saturating_sub(1);
    let more = match (others, refused.reason) {
        (0, _) => String::new(),
        (1, Reason::RemoteReference) => "; 1 more reference leads to another document".to_owned(),
        (others, Reason::RemoteReference) => format!("; {others} more references lead to other documents"),
        (1, _) => "; 1 more reference leads nowhere".to_owned(),
        (others, _) => format!("; {others} more references lead nowhere"),
    };
    Refused { message: format!("{}{more}", refused.message), pointer, reason: refused.reason }
}
