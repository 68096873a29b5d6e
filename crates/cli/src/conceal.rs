//! Keeps secrets out of everything that commands about runs say: text, JSON, remarks and diagnostics, values and names.
//!
//! The data of a run may hold a token of a plan, an input, an argument or an answer. No command shows it. Envelopes are shown as they were signed, unless their payload has a token.

use crate::output::Success;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_app::AppError;
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Place, Report};
use serde_json::{Map, Value};
use std::borrow::Cow;

const SHOWN: &str = "[secret]";

/// The outcome of a command, without the secrets in it.
pub(crate) fn outcome(outcome: Result<Success, AppError>) -> Result<Success, AppError> {
    match outcome {
        Ok(mut success) => {
            if !success.verbatim {
                success.data = value(success.data);
                success.text = bytes(success.text);
            }
            success.remark = success.remark.map(|remark| text(&remark).into_owned());
            success.report = report(success.report);
            Ok(success)
        }
        Err(failure) => Err(AppError { report: report(failure.report), ..failure }),
    }
}

/// A text without the secrets in it.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let mut found = SecretScanner::standard().scan(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_by_key(|finding| finding.range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for finding in found {
        if finding.range.start < at {
            at = at.max(finding.range.end);
            continue;
        }
        out.push_str(text.get(at..finding.range.start).unwrap_or_default());
        out.push_str(SHOWN);
        at = finding.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

fn bytes(bytes: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&bytes) {
        Ok(whole) => match text(whole) {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(text) => text.into_bytes(),
        },
        // Lines of commands are text; anything else is not searched.
        Err(_) => bytes,
    }
}

/// A value without the secrets in its texts and names.
pub(crate) fn value(found: Value) -> Value {
    match found {
        Value::String(whole) => Value::String(leaf(whole)),
        Value::Array(items) => Value::Array(items.into_iter().map(value).collect()),
        Value::Object(members) if is_envelope(&members) => Value::Object(envelope(members)),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, member)| (leaf(name), value(member))).collect())
        }
        other => other,
    }
}

fn leaf(whole: String) -> String {
    // Most texts of a journal are hashes.
    if whole.starts_with("sha256:") {
        return whole;
    }
    match text(&whole) {
        Cow::Borrowed(_) => whole,
        Cow::Owned(text) => text,
    }
}

fn is_envelope(members: &Map<String, Value>) -> bool {
    members.contains_key("payloadType") && members.get("payload").is_some_and(Value::is_string)
}

/// An envelope as it was signed; without its payload, where that has a secret.
fn envelope(mut members: Map<String, Value>) -> Map<String, Value> {
    let payload = members.get("payload").and_then(Value::as_str).and_then(|payload| STANDARD.decode(payload).ok());
    let secret = payload.is_some_and(|payload| matches!(text(&String::from_utf8_lossy(&payload)), Cow::Owned(_)));
    if secret {
        members.insert("payload".to_owned(), Value::String(SHOWN.to_owned()));
    }
    members
}

fn report(report: Report) -> Report {
    report.map(|diagnostic| Diagnostic {
        message: text(&diagnostic.message).into_owned(),
        help: diagnostic.help.map(|help| text(&help).into_owned()),
        place: diagnostic.place.map(place),
        ..diagnostic
    })
}

/// A place in a file whose name or path is a secret is not shown.
fn place(found: Place) -> Place {
    match text(&found.source) {
        Cow::Borrowed(_) => found,
        Cow::Owned(source) => Place { source, ..found },
    }
}
