//! Keeps secrets out of everything that a front end shows of runs: text, JSON and diagnostics, values and names.
//!
//! The data of a run may hold a token of a plan, an input, an argument or an answer. No front end shows it. Envelopes are
//! shown as they were signed, unless their payload has a token.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Place, Report};
use serde_json::{Map, Value};
use std::borrow::Cow;

const SHOWN: &str = "[secret]";
/// The length of an Ed25519 signature.
const SIGNATURE_BYTES: usize = 64;

/// A text without the secrets in it.
pub fn text(text: &str) -> Cow<'_, str> {
    SecretScanner::standard().conceal(text)
}

/// A value without the secrets in its texts and names.
pub fn value(found: Value) -> Value {
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

/// An envelope as it was signed; without its payload, where that has a secret. Members that no envelope has are treated as
/// any value, so that a value with the form of an envelope hides nothing.
fn envelope(members: Map<String, Value>) -> Map<String, Value> {
    let shown = |(name, member): (String, Value)| match (name.as_str(), member) {
        ("payload", Value::String(payload)) => (name, Value::String(self::payload(payload))),
        ("signatures", Value::Array(list)) => (name, Value::Array(list.into_iter().map(signature).collect())),
        (_, member) => (leaf(name), value(member)),
    };
    members.into_iter().map(shown).collect()
}

fn payload(payload: String) -> String {
    let secret = match STANDARD.decode(&payload) {
        Ok(decoded) => matches!(text(&String::from_utf8_lossy(&decoded)), Cow::Owned(_)),
        // It was not signed by us, and is searched as the text it is.
        Err(_) => matches!(text(&payload), Cow::Owned(_)),
    };
    if secret { SHOWN.to_owned() } else { payload }
}

/// A signature as it is, if it has the length of one. Its characters are random, and would be taken for a secret.
fn signature(found: Value) -> Value {
    let is_signature = |sig: &str| STANDARD.decode(sig).is_ok_and(|bytes| bytes.len() == SIGNATURE_BYTES);
    match found {
        Value::Object(members) => {
            let shown = |(name, member): (String, Value)| match (name.as_str(), member) {
                ("sig", Value::String(sig)) if is_signature(&sig) => (name, Value::String(sig)),
                (_, member) => (leaf(name), value(member)),
            };
            Value::Object(members.into_iter().map(shown).collect())
        }
        other => value(other),
    }
}

/// A report without the secrets in its messages, hints and places.
pub fn report(report: Report) -> Report {
    report.map(diagnostic)
}

/// A diagnostic without the secrets in its message, hint and place.
pub fn diagnostic(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic {
        message: text(&diagnostic.message).into_owned(),
        help: diagnostic.help.map(|help| text(&help).into_owned()),
        place: diagnostic.place.map(place),
        ..diagnostic
    }
}

/// A place in a file whose name or path is a secret is not shown.
fn place(found: Place) -> Place {
    match text(&found.source) {
        Cow::Borrowed(_) => found,
        Cow::Owned(source) => Place { source, ..found },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn token() -> String {
        let sample = deed_detect::sample("github-classic-token", 7).unwrap();
        sample.text.get(sample.secret).unwrap().to_owned()
    }

    #[test]
    fn an_envelope_is_shown_as_it_was_signed() {
        let signed = json!({
            "payloadType": "application/vnd.in-toto+json",
            "payload": STANDARD.encode("{}"),
            "signatures": [{ "keyid": "sha256:00", "sig": STANDARD.encode([7_u8; 64]) }],
        });
        assert_eq!(value(signed.clone()), signed);
    }

    #[test]
    fn the_form_of_an_envelope_hides_no_secret() {
        let (token, encoded) = (token(), STANDARD.encode(token()));
        for forged in [
            json!({ "payloadType": "t", "payload": encoded }),
            json!({ "payloadType": "t", "payload": token }),
            json!({ "payloadType": token, "payload": "e30=" }),
            json!({ "payloadType": "t", "payload": "e30=", "note": { "inner": [token] } }),
            json!({ "payloadType": "t", "payload": "e30=", token.as_str(): 1 }),
            json!({ "payloadType": "t", "payload": "e30=", "signatures": [{ "keyid": token, "sig": token }] }),
            json!({ "payloadType": "t", "payload": "e30=", "signatures": [token] }),
        ] {
            let shown = value(forged.clone()).to_string();
            assert!(!shown.contains(&token) && !shown.contains(&encoded), "{shown}");
        }
    }
}
