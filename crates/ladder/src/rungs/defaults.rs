//! L0d, defaults: what is missing and has a configured value is put in.
//!
//! A default waits for what later rungs know better. While an unknown key of the same object may be the missing one
//! under another name, nothing is put in; if no rung settles that, the payload is refused. The same holds where the text
//! was cut off in the object, and where text that was removed gives the key a value. A conditional default is evaluated
//! once every rung below conformance has run, on the values they leave.

mod claims;
mod mentions;

use super::{holds, vector};
use crate::climb::{Climb, Weight};
use crate::edits::{Cause, add};
use crate::ladder::DefaultRule;
use crate::naming::same_but_style;
use crate::place::parent;
use claims::{Wanted, claims};
use deed_canon::Pointer;
use deed_diag::{codes, quote};
use deed_model::{LadderMode, Rung};
use serde_json::Value;

/// Characters of removed text that a message shows.
const SHOWN: usize = 60;

/// A default that is kept out.
pub(crate) struct Held {
    at: String,
    rule: String,
    reason: Reason,
}

/// Why a default is kept out.
enum Reason {
    /// These unknown keys may be meant by its key.
    Names(Vec<String>),
    /// The text was cut off in its object.
    Cut,
    /// Text that was removed gives its key a value.
    Named(String),
}

pub(crate) fn run(climb: &mut Climb<'_>) {
    climb.held.clear();
    climb.forget_code(Rung::L0d, codes::CONDITION_FAILED);
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
        climb.find(Rung::L0d, codes::CONDITION_FAILED, &at, message, None, Some(&rule.rule), Weight::Blocks);
    }
    for at in missing.into_iter().filter(|at| climb.is_free(at)).collect::<Vec<_>>() {
        if let Some(reason) = reason(climb, &at, rule) {
            climb.held.push(Held { at, rule: rule.rule.clone(), reason });
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

/// Why a default is not to be put in at a place.
fn reason(climb: &mut Climb<'_>, at: &str, rule: &DefaultRule) -> Option<Reason> {
    let names = claimants(climb, at, &rule.key, Some(&rule.value));
    if !names.is_empty() {
        return Some(Reason::Names(names));
    }
    let object = parent(at).map(|(above, _)| above).unwrap_or_default();
    if climb.was_cut_in(object) {
        return Some(Reason::Cut);
    }
    let payload = climb.payload.as_ref()?;
    let place = climb.ladder.imprint.expected().along(payload, at);
    let gives = |text: &&&str| mentions::gives_value(text, &rule.key, &place, Some(&rule.value));
    climb.removed.iter().find(gives).map(|text| Reason::Named((*text).to_owned()))
}

/// The unknown keys of an object that may be a missing key under another name.
pub(crate) fn claimants(climb: &mut Climb<'_>, at: &str, key: &str, default: Option<&Value>) -> Vec<String> {
    let mut likeness = std::mem::take(&mut climb.likeness);
    let names = named(climb, at, (key, default), &mut likeness);
    climb.likeness = likeness;
    names
}

fn named(
    climb: &Climb<'_>,
    at: &str,
    (key, default): (&str, Option<&Value>),
    likeness: &mut vector::Likeness,
) -> Vec<String> {
    let Some((above, _)) = parent(at) else { return Vec::new() };
    let (ladder, Some(payload)) = (climb.ladder, &climb.payload) else { return Vec::new() };
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let expected = ladder.imprint.expected().along(payload, above);
    let known = expected.keys(object);
    let unknown =
        |name: &&String| known.iter().all(|known| known.name != name.as_str()) && !vector::is_word(ladder, above, name);
    let unknown: Vec<&String> = object.as_object().into_iter().flat_map(|map| map.keys()).filter(unknown).collect();
    let raised = raised(climb, above, key);
    if unknown.is_empty() || !raised.is_empty() {
        return raised;
    }
    let entry = vector::entry(ladder, &expected, object, above, key);
    let wanted = Wanted { key, default, place: expected.key(object, key), entry };
    let mut may_be =
        |name: &&String| object.get(name.as_str()).is_some_and(|value| claims(climb, (name, value), &wanted, likeness));
    unknown.into_iter().filter(|name| may_be(name)).cloned().collect()
}

/// Unknown keys of the objects above that have the name of a missing key, alone or behind the name of its object.
fn raised(climb: &Climb<'_>, object: &str, key: &str) -> Vec<String> {
    let Some(payload) = &climb.payload else { return Vec::new() };
    let (mut found, mut below) = (Vec::new(), object);
    while let Some((above, name)) = parent(below) {
        let holder = payload.pointer(above).unwrap_or(&Value::Null);
        let longer = format!("{name}_{key}");
        let known = climb.ladder.imprint.expected().along(payload, above).keys(holder);
        let is_known = |other: &str| known.iter().any(|known| known.name == other);
        let is_it = |other: &&String| same_but_style(other, key) || same_but_style(other, &longer);
        let keys = holder.as_object().into_iter().flat_map(|map| map.keys());
        found.extend(keys.filter(is_it).filter(|other| !is_known(other)).cloned());
        below = above;
    }
    found
}

/// Refuses the defaults that are still held once the rungs below conformance have settled.
pub(crate) fn refuse_held(climb: &mut Climb<'_>) {
    let weight = match climb.mode {
        LadderMode::Block => Weight::Blocks,
        LadderMode::Report | LadderMode::Off => Weight::Remark,
    };
    for Held { at, rule, reason } in std::mem::take(&mut climb.held) {
        let key = quote(&parent(&at).map(|(_, key)| key).unwrap_or_default());
        let (code, message, help) = match reason {
            Reason::Names(names) => {
                let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
                let message = format!("{key} is missing, and {} may be meant by it", names.join(" or "));
                let help = format!("rename it to {key}, or list it as a synonym; no default was put in");
                (codes::DEFAULT_MAY_HIDE_VALUE, message, help)
            }
            Reason::Cut => {
                let message = format!("{key} is missing where the text was cut off, and may have followed");
                let help = "ask for the whole answer again; no default was put in".to_owned();
                (codes::DEFAULT_IN_CUT_OBJECT, message, help)
            }
            Reason::Named(text) => {
                let shown: String = text.trim().chars().take(SHOWN).collect();
                let message = format!("{key} is missing, and text beside the value may give it: {}", quote(&shown));
                let help = format!("write {key} as a member of the object; no default was put in");
                (codes::DEFAULT_BESIDE_NAMED_VALUE, message, help)
            }
        };
        climb.find(Rung::L0d, code, &at, message, Some(help), Some(&rule), weight);
    }
}
