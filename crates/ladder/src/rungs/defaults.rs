//! L0d, defaults: what is missing and has a configured value is put in.
//!
//! A default waits for what later rungs know better. While an unknown key of the same object may be the missing one
//! under another name, nothing is put in; if no rung settles that, the payload is refused. A conditional default is
//! evaluated once every rung below conformance has run, on the values they leave.

use super::{holds, vector};
use crate::climb::{Climb, Weight};
use crate::codes::{CONDITION_FAILED, DEFAULT_HELD};
use crate::edits::{Cause, add};
use crate::embed::words;
use crate::ladder::DefaultRule;
use crate::naming::same_but_style;
use crate::place::parent;
use crate::rungs::structure;
use deed_canon::Pointer;
use deed_diag::quote;
use deed_model::{LadderMode, Rung};
use serde_json::Value;

/// A name is a possible other name for a missing key from this likeness on, in thousandths. It lies far below what a
/// rename needs: a default that is kept out can be put in by hand, one that hides data cannot be seen.
const POSSIBLE: u16 = 500;

/// A default that is kept out, and the unknown keys that may be meant by its key.
pub(crate) struct Held {
    at: String,
    rule: String,
    names: Vec<String>,
}

pub(crate) fn run(climb: &mut Climb<'_>) {
    climb.held.clear();
    climb.forget_code(Rung::L0d, CONDITION_FAILED);
    let later = climb.is_first_pass();
    // A suggestion was made in the first pass and is not repeated.
    let only_waiting = climb.mode == LadderMode::Report && !later && !climb.is_second_climb();
    for rule in &climb.ladder.defaults {
        if (rule.waits && later) || (!rule.waits && only_waiting) {
            climb.deferred |= rule.waits;
            continue;
        }
        one(climb, rule);
    }
}

fn one(climb: &mut Climb<'_>, rule: &DefaultRule) {
    let Some(payload) = &climb.payload else { return };
    let (mut missing, mut failed) = (Vec::new(), Vec::new());
    rule.object.each(payload, &mut |at, object| {
        if object.as_object().is_none_or(|map| map.contains_key(&rule.key)) {
            return;
        }
        match rule.when.as_ref().map(|when| holds(when, object, None, payload)) {
            None | Some(Ok(true)) => missing.push(Pointer::push(at, &rule.key)),
            Some(Ok(false)) => {}
            Some(Err(error)) => failed.push((at.to_owned(), error.to_string())),
        }
    });
    for (at, error) in failed {
        let message = format!("the condition of the default for {} cannot be evaluated: {error}", quote(&rule.rule));
        climb.find(Rung::L0d, CONDITION_FAILED, &at, message, None, Some(&rule.rule), Weight::Blocks);
    }
    for at in missing.into_iter().filter(|at| climb.is_free(at)).collect::<Vec<_>>() {
        let names = claimants(climb, &at, &rule.key);
        if !names.is_empty() {
            climb.held.push(Held { at, rule: rule.rule.clone(), names });
            continue;
        }
        let cause =
            Cause { rung: Rung::L0d, rule: &rule.rule, confidence: 1000, why: "it is missing and has a default" };
        let change = climb.payload.as_mut().and_then(|payload| add(payload, &at, rule.value.clone(), cause));
        if let Some(change) = change {
            climb.record(change);
        }
    }
}

/// The unknown keys of an object that may be a missing key under another name.
pub(crate) fn claimants(climb: &mut Climb<'_>, at: &str, key: &str) -> Vec<String> {
    let mut likeness = std::mem::take(&mut climb.likeness);
    let names = named(climb, at, key, &mut likeness);
    climb.likeness = likeness;
    names
}

fn named(climb: &Climb<'_>, at: &str, key: &str, likeness: &mut vector::Likeness) -> Vec<String> {
    let Some((above, _)) = parent(at) else { return Vec::new() };
    let (ladder, Some(payload)) = (climb.ladder, &climb.payload) else { return Vec::new() };
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let expected = ladder.imprint.expected().along(payload, above);
    let known = expected.keys(object);
    let unknown =
        |name: &&String| known.iter().all(|known| known.name != name.as_str()) && !vector::is_word(ladder, above, name);
    let unknown: Vec<&String> = object.as_object().into_iter().flat_map(|map| map.keys()).filter(unknown).collect();
    if unknown.is_empty() {
        return Vec::new();
    }
    let entry = vector::entry(ladder, &expected, object, above, key);
    let place = expected.key(object, key);
    let fits = |name: &str| {
        object.get(name).is_some_and(|value| place.fits(value) || structure::mendable(climb, value, &place))
    };
    let mut may_be = |name: &&String| {
        same_but_style(name, key)
            || (fits(name) && (ends_in(name, key) || likeness.of(ladder, &entry, name) >= POSSIBLE))
    };
    unknown.into_iter().filter(|name| may_be(name)).cloned().collect()
}

/// Whether a name is a longer one for the same thing: its last words are those of the key.
fn ends_in(name: &str, key: &str) -> bool {
    let (name, key) = (words(name), words(key));
    !key.is_empty() && name.ends_with(&key)
}

/// Refuses the defaults that are still held once the rungs below conformance have settled.
pub(crate) fn refuse_held(climb: &mut Climb<'_>) {
    let weight = match climb.mode {
        LadderMode::Block => Weight::Blocks,
        LadderMode::Report | LadderMode::Off => Weight::Remark,
    };
    for Held { at, rule, names } in std::mem::take(&mut climb.held) {
        let key = parent(&at).map(|(_, key)| key).unwrap_or_default();
        let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
        let message = format!("{} is missing, and {} may be meant by it", quote(&key), names.join(" or "));
        let help = format!("rename it to {}, or list it as a synonym; no default was put in", quote(&key));
        climb.find(Rung::L0d, DEFAULT_HELD, &at, message, Some(help), Some(&rule), weight);
    }
}
