//! L0c, structure: text that is JSON, needless wrappers, single items and numbers as text, put right where the
//! schema leaves one reading.
//!
//! Only places that the schema refuses are looked at. A fix is kept if the place is right afterwards; what can be
//! read in two ways is left as it is and named.

use crate::climb::{Climb, Weight, is_within};
use crate::codes::SEVERAL_READINGS;
use crate::edits::{Cause, replace};
use crate::repair::{Certainty, read};
use crate::undo::take_back;
use deed_imprint::{Expected, ValueKind};
use deed_model::{LadderChange, Rung, StructuralFix};
use deed_schema::{Violation, ViolationKind};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// How often a fix may lay open another one beneath it.
const MOST_PASSES: usize = 16;
/// Faults that one pass looks at.
const MOST_FAULTS: usize = 100_000;

pub(crate) fn run(climb: &mut Climb<'_>) {
    for _ in 0..MOST_PASSES {
        if climb.payload.is_none() || climb.is_valid() || !pass(climb) {
            return;
        }
    }
}

/// Fixes every place that can be fixed; false if there was none.
fn pass(climb: &mut Climb<'_>) -> bool {
    let before = violations(climb);
    let mut places: Vec<&str> = before.iter().filter(|v| concerns_shape(v)).map(|v| v.pointer.as_str()).collect();
    places.sort_unstable();
    places.dedup();
    let mut made: Vec<LadderChange> = Vec::new();
    let mut above: Option<&str> = None;
    for at in places {
        // What stands beneath a place that was fixed is looked at in the next pass.
        if above.is_some_and(|above| is_within(at, above)) || !climb.is_free(at) {
            continue;
        }
        if let Some(change) = fix(climb, at) {
            made.push(change);
            above = Some(at);
        }
    }
    let fixed = !made.is_empty();
    keep_what_helped(climb, made, &before);
    fixed
}

fn violations(climb: &Climb<'_>) -> Vec<Violation> {
    let schema = climb.ladder.imprint.schema();
    climb.payload.as_ref().and_then(|payload| schema.violations_up_to(payload, MOST_FAULTS).ok()).unwrap_or_default()
}

/// Whether a violation may come from the shape of the value rather than from its content.
fn concerns_shape(violation: &Violation) -> bool {
    match violation.kind {
        ViolationKind::WrongType | ViolationKind::NoVariant | ViolationKind::Missing => true,
        ViolationKind::NotAllowed => true,
        ViolationKind::UnknownKey | ViolationKind::OutOfRange | ViolationKind::BadForm | ViolationKind::Other => false,
    }
}

/// The one fix of a place, made.
fn fix(climb: &mut Climb<'_>, at: &str) -> Option<LadderChange> {
    let payload = climb.payload.as_ref()?;
    let value = payload.pointer(at)?;
    let expected = climb.ladder.imprint.expected().along(payload, at);
    let fixes = &climb.ladder.contract.structure.fixes;
    let wrappers = &climb.ladder.contract.structure.wrappers;
    let mut readings: Vec<(StructuralFix, Value)> = Vec::new();
    for fix in fixes {
        let read = match fix {
            StructuralFix::ParseText => parsed(value, &expected),
            StructuralFix::Unwrap => unwrapped(value, &expected, wrappers),
            StructuralFix::WrapItem => wrapped(value, &expected),
            StructuralFix::ReadScalar => scalar(value, &expected),
        };
        readings.extend(read.into_iter().map(|read| (*fix, read)));
    }
    match readings.as_slice() {
        [] => None,
        [(fix, read)] => {
            let (rule, why) = words(*fix);
            let cause = Cause { rung: Rung::L0c, rule, confidence: 1000, why };
            let read = read.clone();
            climb.payload.as_mut().and_then(|payload| replace(payload, at, read, cause))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(fix, _)| words(*fix).0).collect();
            let message = format!("it could be read in several ways ({})", names.join(", "));
            climb.find(Rung::L0c, SEVERAL_READINGS, at, message, None, None, Weight::Remark);
            None
        }
    }
}

fn words(fix: StructuralFix) -> (&'static str, &'static str) {
    match fix {
        StructuralFix::ParseText => ("parse_text", "the text is the JSON of what is asked for"),
        StructuralFix::Unwrap => ("unwrap", "what is asked for stands in a needless object"),
        StructuralFix::WrapItem => ("wrap_item", "one item stands where a list of such items is asked for"),
        StructuralFix::ReadScalar => ("read_scalar", "the text is the number or boolean that is asked for"),
    }
}

/// Text that should be an object or a list and is the JSON of one.
fn parsed(value: &Value, expected: &Expected<'_>) -> Vec<Value> {
    let Some(text) = value.as_str() else { return Vec::new() };
    if expected.takes(ValueKind::Text) {
        return Vec::new();
    }
    // Text within a payload has the slips of text; only those that leave the value as it was are mended here.
    let Ok(reading) = read(text) else { return Vec::new() };
    if reading.certainty() != Certainty::Exact {
        return Vec::new();
    }
    let read = reading.value;
    let asked = match &read {
        Value::Object(_) => expected.takes(ValueKind::Object),
        Value::Array(_) => expected.takes(ValueKind::List),
        _ => false,
    };
    // What is inside may need mending of its own.
    if asked { vec![read] } else { Vec::new() }
}

/// What stands in an object that was not asked for.
fn unwrapped(value: &Value, expected: &Expected<'_>, wrappers: &[String]) -> Vec<Value> {
    let Some(map) = value.as_object() else { return Vec::new() };
    let mut inner = map.iter();
    let (Some((key, inner_value)), None) = (inner.next(), inner.next()) else { return Vec::new() };
    if !wrappers.is_empty() && !wrappers.contains(key) {
        return Vec::new();
    }
    // A key that belongs here is no wrapper.
    if expected.takes(ValueKind::Object) && (expected.has_key(value, key) || !inner_value.is_object()) {
        return Vec::new();
    }
    // What is inside may need mending of its own; it is enough that it is of the kind that was asked for.
    let asked = match inner_value {
        Value::Object(inner) => {
            expected.takes(ValueKind::Object)
                && expected.is_known(inner_value)
                && (inner.keys().any(|key| expected.has_key(inner_value, key)) || expected.fits(inner_value))
        }
        Value::Array(_) => expected.takes(ValueKind::List) && !expected.takes(ValueKind::Object),
        _ => false,
    };
    if asked && !expected.is_anything() { vec![inner_value.clone()] } else { Vec::new() }
}

/// One item where a list of such items is asked for.
fn wrapped(value: &Value, expected: &Expected<'_>) -> Vec<Value> {
    if value.is_array() || value.is_null() || !expected.takes_only(ValueKind::List) {
        return Vec::new();
    }
    let list = Value::Array(vec![value.clone()]);
    let item = expected.item(&list, 0);
    // Text that is the JSON of a list is that list, not an item.
    let is_list =
        value.as_str().is_some_and(|text| matches!(deed_canon::parse(text.trim().as_bytes()), Ok(Value::Array(_))));
    if !is_list && !item.is_anything() && item.fits(value) { vec![list] } else { Vec::new() }
}

/// A number or a boolean written as text.
fn scalar(value: &Value, expected: &Expected<'_>) -> Vec<Value> {
    let Some(text) = value.as_str() else { return Vec::new() };
    let Ok(read) = deed_canon::parse(text.trim().as_bytes()) else { return Vec::new() };
    let asked = match &read {
        Value::Number(_) => expected.takes_only(ValueKind::Number) || expected.takes_only(ValueKind::Integer),
        Value::Bool(_) => expected.takes_only(ValueKind::Boolean),
        _ => false,
    };
    if asked && expected.fits(&read) { vec![read] } else { Vec::new() }
}

/// Takes back what did not make its place right; the rest is written down.
fn keep_what_helped(climb: &mut Climb<'_>, made: Vec<LadderChange>, before: &[Violation]) {
    if made.is_empty() {
        return;
    }
    let after = violations(climb);
    let known: BTreeSet<(&str, &str)> = before.iter().map(|v| (v.pointer.as_str(), v.message.as_str())).collect();
    let mut by_place: HashMap<&str, Vec<&Violation>> = HashMap::new();
    for violation in &after {
        by_place.entry(violation.pointer.as_str()).or_default().push(violation);
    }
    let mut taken_back = Vec::new();
    for change in made {
        let at = change.patch.first().map(|op| op.path().to_owned()).unwrap_or_default();
        let here = by_place.get(at.as_str()).map(Vec::as_slice).unwrap_or_default();
        // Faults that lie beneath are the next pass's, unless they are of the very place.
        let unwrapped = change.rule == words(StructuralFix::Unwrap).0;
        let still = !unwrapped && here.iter().any(|fault| known.contains(&(at.as_str(), fault.message.as_str())));
        let same_shape =
            here.iter().any(|fault| matches!(fault.kind, ViolationKind::WrongType | ViolationKind::NoVariant));
        if still || same_shape { taken_back.push(change) } else { climb.record(change) }
    }
    if let Some(payload) = &mut climb.payload {
        take_back(payload, &taken_back);
    }
}
