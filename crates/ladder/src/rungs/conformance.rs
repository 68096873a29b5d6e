//! L4, conformance: keys outside `allowed_keys` are stripped, and the full schema has its say.

use crate::climb::{Climb, Weight};
use crate::codes::{BAD_FORM, MISSING, NO_VARIANT, NOT_ALLOWED, OUT_OF_RANGE, RULED_OUT, UNKNOWN_KEY, WRONG_TYPE};
use crate::edits::{Cause, remove};
use deed_canon::Pointer;
use deed_diag::Code;
use deed_model::Rung;
use deed_schema::ViolationKind;
use serde_json::Value;

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
            if let Value::Object(map) = value {
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

/// Finds everything that the schema does not allow.
pub(crate) fn check(climb: &mut Climb<'_>) {
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
