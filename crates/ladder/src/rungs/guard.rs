//! L3, the guard: a payload enters, and leaves only if nothing in it must not pass.
//!
//! It runs before anything is read into the payload and once more over the result. What it finds it names by
//! class and place, and never repeats.

use crate::climb::{Climb, Input, Weight};
use crate::codes::{FORBIDDEN, PERSONAL, SECRET};
use deed_canon::Pointer;
use deed_detect::{Finding, Kind};
use deed_diag::quote;
use deed_model::Rung;
use serde_json::Value;

/// Fewer bytes than this hold neither a secret nor anything personal: commas and quotes that were put right.
const SHORTEST: usize = 4;

/// The guard at the entry.
pub(crate) fn enter(climb: &mut Climb<'_>) {
    let guard = &climb.ladder.guard;
    match (climb.input, &climb.reading) {
        (Input::Text(text), Some(Ok(repairs))) if repairs.is_empty() => {
            if guard.may_hold_anything(text) {
                values(climb);
            }
        }
        (Input::Text(text), Some(Ok(repairs))) => {
            // What repairs leave out is looked at too: it came in, and it is in the record.
            let removed = repairs.iter().map(|repair| repair.removed(text));
            let around: Vec<Finding> =
                removed.filter(|text| text.len() >= SHORTEST).flat_map(|text| guard.scan(text)).collect();
            around.iter().for_each(|finding| say(climb, "", finding, "in the text around the payload"));
            values(climb);
        }
        (Input::Text(text), _) => {
            // Nothing of a text that cannot be read is shown, if anything in it must not be.
            if !guard.is_clean(text) {
                climb.flagged.insert(String::new());
            }
            guard.scan(text).iter().for_each(|finding| say(climb, "", finding, "in the text"));
        }
        (Input::Value(_), _) => values(climb),
    }
}

/// The guard over the result.
pub(crate) fn leave(climb: &mut Climb<'_>) {
    if !climb.changes.is_empty() {
        values(climb);
    }
}

/// Looks at every key and value of the payload, if a quick look says that there may be something.
fn values(climb: &mut Climb<'_>) {
    let Some(payload) = climb.payload.take() else { return };
    let suspicious = match climb.input {
        Input::Text(text)
            if climb.changes.is_empty()
                && climb.reading.as_ref().is_some_and(|r| matches!(r, Ok(r) if r.is_empty())) =>
        {
            climb.ladder.guard.may_hold_anything(text)
        }
        _ => serde_json::to_string(&payload).map_or(true, |text| climb.ladder.guard.may_hold_anything(&text)),
    };
    if suspicious {
        let known = climb.flagged.clone();
        each(climb, &payload, None, "", &known);
    }
    climb.payload = Some(payload);
}

fn each(climb: &mut Climb<'_>, value: &Value, key: Option<&str>, at: &str, known: &std::collections::BTreeSet<String>) {
    let guard = &climb.ladder.guard;
    match value {
        Value::String(text) => {
            let found = guard.scan_value(key, text);
            for finding in &found {
                let value = text.get(finding.range.clone()).unwrap_or(text);
                if value.len() >= SHORTEST {
                    climb.flagged_texts.push(value.to_lowercase());
                }
                at_value(climb, at, finding, known);
            }
        }
        Value::Number(number) => {
            let found = guard.scan_value(key, &number.to_string());
            found.iter().for_each(|finding| at_value(climb, at, finding, known));
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
                found.iter().for_each(|finding| at_value(climb, &place, finding, known));
                each(climb, inner, Some(name), &place, known);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// What was found at a place, unless it is expected there or was said before.
fn at_value(climb: &mut Climb<'_>, at: &str, finding: &Finding, known: &std::collections::BTreeSet<String>) {
    let expected = climb.ladder.expected_personal.iter();
    let expected = expected.into_iter().any(|(place, class)| *class == finding.rule_id && place.is_at(at));
    if expected || known.contains(at) {
        return;
    }
    climb.flagged.insert(at.to_owned());
    say(climb, at, finding, "here");
}

fn say(climb: &mut Climb<'_>, at: &str, finding: &Finding, whereabouts: &str) {
    let forbidden = climb.ladder.contract.guard.forbidden.iter().any(|content| content.id == finding.rule_id);
    let (code, what) = match (forbidden, finding.kind) {
        (true, _) => (FORBIDDEN, "forbidden content"),
        (false, Kind::Secret) => (SECRET, "a credential"),
        (false, Kind::Personal) => (PERSONAL, "personal data"),
    };
    let message = format!("{what} ({}) stands {whereabouts}", quote(&finding.rule_id));
    let help = match code.as_str() == PERSONAL.as_str() {
        true => "take it out, or list the place under `guard.allow` if it belongs there",
        false => "take it out; whoever wrote it should not have had it",
    };
    climb.find(Rung::L3, code, at, message, Some(help.to_owned()), Some(&finding.rule_id), Weight::Blocks);
}
