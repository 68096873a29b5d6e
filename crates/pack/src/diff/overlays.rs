//! Overlays of the pack. They decide what an environment runs, so they are compared too.

use super::change::Change;
use super::effect::ChangeEffect;
use super::golden;
use super::shape::{Shape, Spot, Verdict};
use super::values::same;
use super::walk::{self, Place};
use crate::bundle::Bundle;
use crate::pointer::pointer;
use deed_canon::Pointer;
use deed_diag::Document;
use deed_model::{ContextPack, OverlayRef};
use serde_json::Value;
use std::collections::BTreeSet;

/// The layer's name, and the first part of its pointers.
const LAYER: &str = "overlays";

const OVERLAY: Shape =
    Shape::Object(&[("overlay_ref", FOLLOWS), ("base", FOLLOWS), ("changes", Shape::Judged(listed_changes))]);
const FOLLOWS: Shape = Shape::Judged(|_| Verdict::patch("it follows the pack's version"));
const WHOLE: Shape = Shape::Judged(whole);

/// Returns every difference between the overlays of two folders.
pub(super) fn changes(before: &Bundle, after: &Bundle, old: &ContextPack, new: &ContextPack) -> Vec<Change> {
    let names: BTreeSet<&String> = before.overlays.keys().chain(after.overlays.keys()).collect();
    let each = |name: &String| {
        let (one, other) = (before.overlays.get(name), after.overlays.get(name));
        let shape = if one.is_some() && other.is_some() { &OVERLAY } else { &WHOLE };
        let at = Place::at(&pointer!(LAYER, name), format!("overlay {name}"));
        walk::compare(shape, (one.map(Document::value), other.map(Document::value)), &at, old, new)
    };
    names.into_iter().flat_map(each).collect()
}

/// Returns the document of a bundle that contains a change, and the pointer inside it.
pub(super) fn locate<'b>(bundle: &'b Bundle, change: &Change) -> (&'b Document, String) {
    if let Some(case) = golden::document(bundle, change) {
        return (case, String::new());
    }
    let mut steps = Pointer::tokens(&change.pointer).skip(1);
    let overlay = steps.next().filter(|_| change.layer == LAYER).and_then(|name| bundle.overlays.get(&name));
    match overlay {
        Some(document) => (document, steps.fold(String::new(), |at, step| Pointer::push(&at, &step))),
        None => (&bundle.document, change.pointer.clone()),
    }
}

/// `pack_meta.overlays`: the same names in the same order are the same overlays.
pub(super) fn declared(spot: &Spot<'_>) -> Verdict {
    let names = |value: Option<&Value>| -> Option<Vec<String>> {
        let list = value.map_or(Some(&[][..]), |v| v.as_array().map(Vec::as_slice))?;
        list.iter().map(|item| Some(item.as_str()?.parse::<OverlayRef>().ok()?.id)).collect()
    };
    match (names(spot.before), names(spot.after)) {
        (Some(before), Some(after)) if before == after => Verdict::patch("the same overlays in the same order"),
        (before, after) => {
            let verdict = Verdict::major("what an environment runs depends on the overlays and their order");
            let kept = before.zip(after).is_some_and(|(before, after)| in_order(&before, &after));
            // A further overlay has an effect where it is applied, and is judged there.
            if kept { verdict.with(ChangeEffect::None) } else { verdict }
        }
    }
}

/// Returns true if every name is still there, in the same order.
fn in_order(before: &[String], after: &[String]) -> bool {
    let mut rest = after.iter();
    before.iter().all(|name| rest.any(|other| other == name))
}

/// An overlay that came is judged where it is applied.
fn whole(spot: &Spot<'_>) -> Verdict {
    let verdict = Verdict::major("what an environment runs depends on its overlays");
    if spot.before.is_none() { verdict.with(ChangeEffect::None) } else { verdict }
}

fn listed_changes(spot: &Spot<'_>) -> Verdict {
    let silent = |value: Option<&Value>| {
        let mut list = value.cloned().unwrap_or_default();
        for change in list.as_array_mut().into_iter().flatten() {
            change.as_object_mut().and_then(|members| members.remove("rationale"));
        }
        list
    };
    if same(&silent(spot.before), &silent(spot.after)) {
        Verdict::patch("only reasons differ")
    } else {
        Verdict::major("the overlay does something else than before")
    }
}
