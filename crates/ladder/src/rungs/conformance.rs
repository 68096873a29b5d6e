//! L4, conformance: keys outside `allowed_keys` are stripped, and the full schema has its say.

use crate::climb::{Climb, Weight};
use crate::edits::{Cause, remove};
use crate::ladder::Ladder;
use crate::naming::same_but_style;
use crate::place::{push, push_index};
use deed_canon::Pointer;
use deed_diag::{Code, codes, nearest, quote};
use deed_imprint::Expected;
use deed_model::{LadderFinding, Rung};
use deed_schema::ViolationKind;
use serde_json::{Map, Value};
use std::collections::HashSet;

pub(crate) fn run(climb: &mut Climb<'_>) {
    strip(climb);
    if climb.changes.iter().any(|change| change.rung != Rung::L0) {
        climb.canonical();
    }
    check(climb);
}

fn strip(climb: &mut Climb<'_>) {
    for (place, keys) in &climb.ladder.allowed_keys {
        let Some(payload) = &climb.payload else { return };
        let mut strangers = Vec::new();
        place.each(payload, &mut |at, value| {
            if let Value::Object(map) = value
                && only_wrapped(climb.ladder, at, map, keys).is_none()
            {
                strangers.extend(map.keys().filter(|key| !keys.contains(*key)).map(|key| Pointer::push(at, key)));
            }
        });
        for at in strangers.into_iter().rev() {
            let cause =
                Cause { rung: Rung::L4, rule: "allowed_keys", confidence: 1000, why: "the contract does not list it" };
            if !climb.is_free(&at) {
                continue;
            }
            let change = climb.payload.as_mut().and_then(|payload| remove(payload, &at, cause));
            if let Some(change) = change {
                climb.record(change);
            }
        }
    }
}

/// The key that all of an object stands in, if it may be a wrapper that was left: to strip it would leave nothing.
fn only_wrapped<'m>(
    ladder: &Ladder,
    at: &str,
    map: &'m Map<String, Value>,
    keys: &HashSet<String>,
) -> Option<&'m String> {
    let mut members = map.iter();
    let (Some((key, inner)), None) = (members.next(), members.next()) else { return None };
    let wrappers = &ladder.contract.structure.wrappers;
    let may_wrap = wrappers.contains(key) || (wrappers.is_empty() && at.is_empty());
    let has_content = inner.as_object().is_some_and(|inner| !inner.is_empty());
    (may_wrap && has_content && !keys.contains(key)).then_some(key)
}

/// Finds wrappers that were neither taken off nor stripped.
fn wrappers_left(climb: &mut Climb<'_>) {
    let Some(payload) = &climb.payload else { return };
    let mut left = Vec::new();
    for (place, keys) in &climb.ladder.allowed_keys {
        place.each(payload, &mut |at, value| {
            let key = value.as_object().and_then(|map| only_wrapped(climb.ladder, at, map, keys));
            left.extend(key.map(|key| (Pointer::push(at, key), quote(key))));
        });
    }
    for (at, key) in left {
        let told = |finding: &LadderFinding| finding.code == codes::KEY_NOT_ALLOWED.as_str() && finding.pointer == at;
        if !climb.findings.iter().any(told) {
            let message = format!("{key} is not among the keys that are kept, and without it nothing would be left");
            let help = Some("give what stands in it without it".to_owned());
            climb.find(Rung::L4, codes::KEY_NOT_ALLOWED, &at, message, help, Some("allowed_keys"), Weight::Blocks);
        }
    }
}

/// Finds everything that the schema does not allow, and what stripping would have emptied.
pub(crate) fn check(climb: &mut Climb<'_>) {
    against_schema(climb);
    wrappers_left(climb);
    near_keys(climb);
}

/// Collects keys that are near to a declared one, each with its place and the declared one.
fn undeclared(expected: &Expected<'_>, value: &Value, at: &mut String, found: &mut Vec<(String, String, String)>) {
    let length = at.len();
    match value {
        Value::Object(map) => {
            let unknown = expected.strangers(value);
            let declared = if unknown.is_empty() { Vec::new() } else { expected.keys(value) };
            let names = || declared.iter().map(|key| key.name);
            for key in unknown {
                let styled = names().find(|name| same_but_style(name, key));
                if let Some(near) = styled.or_else(|| nearest(key, names())) {
                    found.push((Pointer::push(at, key), quote(key), quote(near)));
                }
            }
            for (key, inner) in map.iter().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                push(at, key);
                undeclared(&expected.key(value, key), inner, at, found);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                push_index(at, index);
                undeclared(&expected.item(value, index), inner, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// Reports keys that the schema does not declare and lets pass, where they are near to a declared one.
fn near_keys(climb: &mut Climb<'_>) {
    let Some(payload) = climb.payload.as_ref().filter(|_| climb.ladder.has_open_objects) else { return };
    let mut found = Vec::new();
    undeclared(&climb.ladder.imprint.expected(), payload, &mut String::new(), &mut found);
    for (at, key, near) in found {
        // What another rung said of the key need not be said again.
        if !climb.findings.iter().any(|finding| finding.pointer == at) {
            let message = format!("undeclared key {key}, which the schema lets pass");
            climb.find(
                Rung::L4,
                codes::KEY_NEAR_DECLARED_ONE,
                &at,
                message,
                Some(format!("did you mean {near}?")),
                None,
                Weight::Remark,
            );
        }
    }
}

fn against_schema(climb: &mut Climb<'_>) {
    if climb.is_valid() {
        return;
    }
    let Some(payload) = &climb.payload else { return };
    let violations = match climb.ladder.imprint.schema().violations(payload) {
        Ok(violations) => violations,
        Err(refused) => {
            climb.find(
                Rung::L4,
                codes::PAYLOAD_RULED_OUT,
                "",
                format!("the schema cannot judge it: {refused}"),
                None,
                None,
                Weight::Blocks,
            );
            return;
        }
    };
    if violations.is_empty() {
        climb.find(
            Rung::L4,
            codes::PAYLOAD_RULED_OUT,
            "",
            "the schema does not allow it".to_owned(),
            None,
            None,
            Weight::Blocks,
        );
    }
    for violation in violations {
        let code = code(violation.kind);
        climb.find(Rung::L4, code, &violation.pointer, violation.message, violation.help, None, Weight::Blocks);
    }
}

fn code(kind: ViolationKind) -> Code {
    match kind {
        ViolationKind::Missing => codes::REQUIRED_VALUE_MISSING,
        ViolationKind::UnknownKey => codes::KEY_NOT_ALLOWED,
        ViolationKind::WrongType => codes::PAYLOAD_WRONG_TYPE,
        ViolationKind::NotAllowed => codes::PAYLOAD_VALUE_NOT_ALLOWED,
        ViolationKind::OutOfRange => codes::PAYLOAD_OUT_OF_RANGE,
        ViolationKind::BadForm => codes::PAYLOAD_BAD_FORM,
        ViolationKind::NoVariant => codes::PAYLOAD_NO_VARIANT,
        ViolationKind::Other => codes::PAYLOAD_RULED_OUT,
    }
}
