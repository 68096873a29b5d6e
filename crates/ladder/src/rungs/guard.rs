//! L3, the guard: a payload enters, and leaves only if nothing in it must not pass.
//!
//! It runs before anything is read into the payload and once more over the result. What it finds it names by
//! class and place, and never repeats.

mod unread;

use crate::climb::{Climb, Input, Weight};
use crate::place::push;
use crate::repair::repaired_text;
use crate::rungs::synonyms;
use deed_canon::Pointer;
use deed_detect::{Finding, Guard, Kind};
use deed_diag::{codes, quote};
use deed_model::{LadderMode, Rung};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Fewer bytes than this hold neither a secret nor anything personal: commas and quotes that were put right.
const SHORTEST: usize = 4;

/// The guard at the entry.
pub(crate) fn enter(climb: &mut Climb<'_>) {
    let guard = &climb.ladder.guard;
    match (climb.input, &climb.reading) {
        (Input::Text(text), Some(Ok(repairs))) => {
            // What repairs leave out is looked at too: it came in, and it is in the record.
            let removed = repairs.iter().map(|repair| repair.removed(text)).filter(|text| text.len() >= SHORTEST);
            let around: Vec<(&str, Finding)> =
                removed.flat_map(|text| unread::around(guard, text).into_iter().map(move |f| (text, f))).collect();
            let strict = match repairs.is_empty() {
                true => Cow::Borrowed(text),
                false => Cow::Owned(repaired_text(text, repairs)),
            };
            let suspicious = guard.may_hold_anything(&strict);
            for (text, finding) in &around {
                climb.flagged_texts.push(text.get(finding.range.clone()).unwrap_or(text));
                say(climb, "", finding, "in the text around the payload");
            }
            if suspicious {
                values(climb);
            }
        }
        (Input::Text(text), _) => {
            let looked = unread::look(guard, text);
            climb.unquoted = looked.suspicious;
            // Nothing of a text that cannot be read is shown, if anything in it must not be.
            if !looked.found.is_empty() {
                climb.flagged.insert(String::new());
            }
            looked.found.iter().for_each(|finding| say(climb, "", finding, "in the text"));
        }
        (Input::Value(value), _) => {
            if may_hold_anything(guard, value) {
                values(climb);
            }
        }
    }
}

/// The guard over the result. How text was read is no change to what it says.
pub(crate) fn leave(climb: &mut Climb<'_>) {
    let changed = climb.changes.iter().any(|change| change.rung != Rung::L0);
    if changed && climb.payload.as_ref().is_some_and(|payload| may_hold_anything(&climb.ladder.guard, payload)) {
        values(climb);
    }
}

/// A quick look, which may say yes where there is nothing, and never no where there is something.
fn may_hold_anything(guard: &Guard, value: &Value) -> bool {
    serde_json::to_string(value).map_or(true, |text| guard.may_hold_anything(&text))
}

/// Looks at every key and value of the payload.
fn values(climb: &mut Climb<'_>) {
    let Some(payload) = climb.payload.take() else { return };
    let known = climb.flagged.clone();
    each(climb, &payload, None, "", &known);
    climb.payload = Some(payload);
}

/// Whether nothing is found in a value under a name, nor in anything within it.
pub(crate) fn is_clean(guard: &Guard, key: Option<&str>, value: &Value) -> bool {
    let passes = |key: Option<&str>, text: &str| guard.scan_value(key, text).is_empty();
    match value {
        Value::String(text) => passes(key, text),
        Value::Number(number) => passes(key, &number.to_string()),
        Value::Array(items) => items.iter().all(|item| is_clean(guard, key, item)),
        Value::Object(map) => map.iter().all(|(name, inner)| passes(None, name) && is_clean(guard, Some(name), inner)),
        Value::Null | Value::Bool(_) => true,
    }
}

fn each(climb: &mut Climb<'_>, value: &Value, key: Option<&str>, at: &str, known: &BTreeSet<String>) {
    let guard = &climb.ladder.guard;
    match value {
        Value::String(text) => {
            let found = guard.scan_value(key, text);
            for finding in &found {
                let value = text.get(finding.range.clone()).unwrap_or(text);
                if at_value(climb, at, finding, known) && value.len() >= SHORTEST {
                    climb.flagged_texts.push(value);
                }
            }
        }
        Value::Number(number) => {
            let text = number.to_string();
            for finding in &guard.scan_value(key, &text) {
                let value = text.get(finding.range.clone()).unwrap_or(&text);
                if at_value(climb, at, finding, known) && value.len() >= SHORTEST {
                    climb.flagged_texts.push(value);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each(climb, item, key, &Pointer::push(at, &index.to_string()), known);
            }
        }
        Value::Object(map) => {
            for (name, inner) in map {
                let place = Pointer::push(at, name);
                let found = guard.scan_value(None, name);
                if !found.is_empty() {
                    climb.flagged_keys.insert(place.clone());
                }
                for finding in &found {
                    let text = name.get(finding.range.clone()).unwrap_or(name);
                    if at_value(climb, &place, finding, known) && text.len() >= SHORTEST {
                        climb.flagged_texts.push(text);
                    }
                }
                each(climb, inner, Some(name), &place, known);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// What was found at a place, unless it is expected there or was said before; false if it is expected.
fn at_value(climb: &mut Climb<'_>, at: &str, finding: &Finding, known: &BTreeSet<String>) -> bool {
    let mut expected = climb.ladder.expected_personal.iter().filter(|(_, class)| *class == finding.rule_id).peekable();
    if expected.peek().is_some() {
        let to_be = canonical(climb, at);
        if expected.any(|(place, _)| place.is_at(at) || place.is_at(&to_be)) {
            return false;
        }
    }
    if !known.contains(at) {
        climb.flagged.insert(at.to_owned());
        say(climb, at, finding, "here");
    }
    true
}

/// A place by the names that synonyms will give it.
fn canonical(climb: &Climb<'_>, at: &str) -> String {
    let mut to_be = String::new();
    let applied = climb.ladder.mode(climb.phase, Rung::L0b) == LadderMode::Block;
    for name in Pointer::tokens(at) {
        let rule = Some(()).filter(|()| applied).and_then(|()| synonyms::rule_for(climb.ladder, &to_be, &name));
        push(&mut to_be, rule.map_or(&name, |rule| &rule.to));
    }
    to_be
}

fn say(climb: &mut Climb<'_>, at: &str, finding: &Finding, whereabouts: &str) {
    let forbidden = climb.ladder.contract.guard.forbidden.iter().any(|content| content.id == finding.rule_id);
    let (code, what) = match (forbidden, finding.kind) {
        (true, _) => (codes::FORBIDDEN_CONTENT, "forbidden content"),
        (false, Kind::Secret) => (codes::CREDENTIAL_IN_PAYLOAD, "a credential"),
        (false, Kind::Personal) => (codes::PERSONAL_DATA_IN_PAYLOAD, "personal data"),
    };
    let message = format!("{what} ({}) stands {whereabouts}", quote(&finding.rule_id));
    let help = match code.as_str() == codes::PERSONAL_DATA_IN_PAYLOAD.as_str() {
        true => "take it out, or list the place under `guard.allow` if it belongs there",
        false => "take it out; whoever wrote it should not have had it",
    };
    climb.find(Rung::L3, code, at, message, Some(help.to_owned()), Some(&finding.rule_id), Weight::Blocks);
}
