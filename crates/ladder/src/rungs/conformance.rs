//! L4, conformance: keys outside `allowed_keys` are stripped, and the full schema has its say.

use crate::climb::{Climb, Weight};
use crate::codes::{BAD_FORM, MISSING, NO_VARIANT, NOT_ALLOWED, OUT_OF_RANGE, RULED_OUT, UNKNOWN_KEY, WRONG_TYPE};
use crate::edits::{Cause, remove};
use crate::ladder::Ladder;
use deed_canon::Pointer;
use deed_diag::{Code, quote};
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
        let told = |finding: &LadderFinding| finding.code == UNKNOWN_KEY.as_str() && finding.pointer == at;
        if !climb.findings.iter().any(told) {
            let message = format!("{key} is not among the keys that are kept, and without it nothing would be left");
            let help = Some("give what stands in it without it".to_owned());
            climb.find(Rung::L4, UNKNOWN_KEY, &at, message, help, Some("allowed_keys"), Weight::Blocks);
        }
    }
}

/// Finds everything that the schema does not allow, and what stripping would have emptied.
pub(crate) fn check(climb: &mut Climb<'_>) {
    against_schema(climb);
    wrappers_left(climb);
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
                RULED_OUT,
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
        climb.find(Rung::L4, RULED_OUT, "", "the schema does not allow it".to_owned(), None, None, Weight::Blocks);
    }
    for violation in violations {
        let code = code(violation.kind);
        climb.find(Rung::L4, code, &violation.pointer, violation.message, violation.help, None, Weight::Blocks);
    }
}

fn code(kind: ViolationKind) -> Code {
    match kind {
        ViolationKind::Missing => MISSING,
        ViolationKind::UnknownKey => UNKNOWN_KEY,
        ViolationKind::WrongType => WRONG_TYPE,
        ViolationKind::NotAllowed => NOT_ALLOWED,
        ViolationKind::OutOfRange => OUT_OF_RANGE,
        ViolationKind::BadForm => BAD_FORM,
        ViolationKind::NoVariant => NO_VARIANT,
        ViolationKind::Other => RULED_OUT,
    }
}
