//! Judges a payload by the schema and turns violations into findings about the filled template.

use super::finding::Finding;
use super::place::takes;
use super::walk::Notes;
use crate::imprint::Imprint;
use crate::template::NodeId;
use deed_canon::Pointer;
use deed_diag::{Code, codes, quote};
use deed_schema::{Refused, Violation, ViolationKind};
use serde_json::Value;

/// Adds a finding for everything that the schema does not allow.
pub(super) fn judge(imprint: &Imprint, payload: &Value, notes: &mut Notes) {
    let violations = match imprint.schema.is_valid(payload) {
        Ok(true) => return,
        Ok(false) => imprint.schema.violations(payload),
        Err(refused) => Err(refused),
    };
    let before = notes.findings.len();
    match violations {
        Ok(violations) => {
            for violation in violations {
                if let (ViolationKind::Missing, Some(key)) = (violation.kind, &violation.key) {
                    let place = Pointer::push(&violation.pointer, key);
                    if takes(imprint, payload, &place) {
                        notes.autos.insert(place);
                    }
                }
                add(violation, "", notes);
            }
        }
        Err(refused) => notes.findings.push(undecided(&refused, String::new())),
    }
    // An invalid payload never passes, even if no violation was found.
    if notes.findings.len() == before && notes.findings.is_empty() {
        notes.findings.push(Finding::new(codes::RULED_OUT_BY_SCHEMA, String::new(), "the schema does not allow it"));
    }
}

fn undecided(refused: &Refused, pointer: String) -> Finding {
    Finding::new(codes::SCHEMA_CANNOT_JUDGE, pointer, format!("the schema cannot judge it: {refused}"))
}

/// Judges the content of a text by what the template shows of it.
pub(super) fn inside(imprint: &Imprint, value: &Value, nodes: &[NodeId], at: &str, notes: &mut Notes) {
    // Several variants that all want text: any of them may be meant.
    let [only] = nodes else { return };
    let judged = imprint.inner_schema(*only).and_then(|schema| match schema.is_valid(value)? {
        true => Ok(Vec::new()),
        false => schema.violations(value),
    });
    let violations = match judged {
        Ok(violations) => violations,
        Err(refused) => {
            let finding = undecided(&refused, notes.source(at));
            notes.findings.push(finding);
            return;
        }
    };
    let name = quote(&Pointer::unescape(at.rsplit_once('/').map_or(at, |(_, last)| last)));
    for mut violation in violations {
        if violation.pointer.is_empty() {
            violation.message = violation.message.replacen("the payload", &name, 1);
        }
        add(violation, at, notes);
    }
}

fn add(violation: Violation, at: &str, notes: &mut Notes) {
    let Violation { kind, pointer, key, message, help } = violation;
    let pointer = format!("{at}{pointer}");
    let place = match (&key, kind) {
        (Some(key), ViolationKind::Missing) => Pointer::push(&pointer, key),
        _ => pointer.clone(),
    };
    if notes.spoken_of.contains(&place) {
        return;
    }
    if let (ViolationKind::Missing, Some(key), true) = (kind, &key, notes.autos.contains(&place)) {
        let finding = Finding::new(
            codes::VALUE_NOT_SUPPLIED,
            notes.source(&pointer),
            format!("{} is for the system to supply, and was not", quote(key)),
        );
        notes.findings.push(finding.help("supply the value beside the filled template"));
        return;
    }
    notes.findings.push(Finding { code: code(kind), pointer: notes.source(&pointer), message, help });
}

fn code(kind: ViolationKind) -> Code {
    match kind {
        ViolationKind::Missing => codes::MISSING_KEY,
        ViolationKind::UnknownKey => codes::UNEXPECTED_KEY,
        ViolationKind::WrongType => codes::VALUE_OF_WRONG_TYPE,
        ViolationKind::NotAllowed => codes::VALUE_NOT_LISTED,
        ViolationKind::OutOfRange => codes::VALUE_OUT_OF_BOUNDS,
        ViolationKind::BadForm => codes::TEXT_OF_WRONG_FORM,
        ViolationKind::NoVariant => codes::NO_MATCHING_VARIANT,
        ViolationKind::Other => codes::RULED_OUT_BY_SCHEMA,
    }
}
