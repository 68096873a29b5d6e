//! Holds a payload against the schema, and says in the words of the template what is wrong with it.

use super::finding::Finding;
use super::place::takes;
use super::walk::Notes;
use crate::imprint::Imprint;
use crate::template::NodeId;
use deed_canon::Pointer;
use deed_diag::{Code, codes, quote};
use deed_schema::{Violation, ViolationKind};
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
        Err(refused) => {
            notes.findings.push(Finding::new(
                codes::SCHEMA_CANNOT_JUDGE,
                String::new(),
                format!("the schema cannot judge it: {refused}"),
            ));
        }
    }
    // What is not valid is never passed, whatever was made of the words.
    if notes.findings.len() == before && notes.findings.is_empty() {
        notes.findings.push(Finding::new(codes::RULED_OUT_BY_SCHEMA, String::new(), "the schema does not allow it"));
    }
}

/// Judges what stands inside a text by what the template shows of it.
pub(super) fn inside(imprint: &Imprint, value: &Value, nodes: &[NodeId], at: &str, notes: &mut Notes) {
    // Several variants that all want text: any of them may be meant.
    let [only] = nodes else { return };
    let Some(schema) = imprint.inner_schema(*only) else { return };
    if !matches!(schema.is_valid(value), Ok(false)) {
        return;
    }
    let name = quote(&Pointer::unescape(at.rsplit('/').next().unwrap_or_default()));
    for mut violation in schema.violations(value).unwrap_or_default() {
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
    if kind == ViolationKind::Missing && notes.autos.contains(&place) {
        let name = quote(key.as_deref().unwrap_or_default());
        let finding = Finding::new(
            codes::VALUE_NOT_SUPPLIED,
            notes.source(&pointer),
            format!("{name} is for the system to supply, and was not"),
        );
        notes.findings.push(finding.help("hand the value in beside the filled template"));
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
