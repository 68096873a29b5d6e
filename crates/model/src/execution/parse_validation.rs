//! The parse result in receipts: `{ok: true}`, `{ok: false, place, message}`, or `{ok: null, reason}` if it was not
//! parsed to the end. Older receipts have `parses`, `{fails: …}` and `{not_checked: …}`, which are still read.

use super::inspection::{FoundAt, ParseOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The parse result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ParseValidation {
    /// True if all of it parses; null if it was not parsed to the end.
    ok: Option<bool>,
    /// The place of the first error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<FoundAt>,
    /// The message, with at most 40 characters of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The reason why it was not parsed to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Both formats.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Now(ParseValidation),
    Before(ParseOutcome),
}

pub(super) fn serialize<S: Serializer>(outcome: &ParseOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    let none = ParseValidation { ok: Some(true), place: None, message: None, reason: None };
    let written = match outcome.clone() {
        ParseOutcome::Parses => none,
        ParseOutcome::Fails { place, message } => {
            ParseValidation { ok: Some(false), place: Some(place), message: Some(message), ..none }
        }
        ParseOutcome::NotChecked { reason } => ParseValidation { ok: None, reason: Some(reason), ..none },
    };
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ParseOutcome, D::Error> {
    let written = match Written::deserialize(deserializer)? {
        Written::Before(outcome) => return Ok(outcome),
        Written::Now(written) => written,
    };
    match (written.ok, written.place, written.message, written.reason) {
        (Some(true), None, None, None) => Ok(ParseOutcome::Parses),
        (Some(false), Some(place), Some(message), None) => Ok(ParseOutcome::Fails { place, message }),
        (None, None, None, Some(reason)) => Ok(ParseOutcome::NotChecked { reason }),
        _ => Err(D::Error::custom("`parse_validation` says two things at once")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder(#[serde(with = "super")] ParseOutcome);

    fn check(outcome: ParseOutcome, now: &Value, before: Value) {
        assert_eq!(&serde_json::to_value(Holder(outcome.clone())).unwrap(), now);
        assert_eq!(serde_json::from_value::<Holder>(now.clone()).unwrap(), Holder(outcome.clone()));
        assert_eq!(serde_json::from_value::<Holder>(before).unwrap(), Holder(outcome));
    }

    #[test]
    fn both_forms_are_read_and_one_is_written() {
        check(ParseOutcome::Parses, &json!({ "ok": true }), json!("parses"));
        let fails = ParseOutcome::Fails { place: FoundAt { line: Some(3), ..FoundAt::default() }, message: "x".into() };
        check(
            fails,
            &json!({ "ok": false, "place": { "line": 3 }, "message": "x" }),
            json!({ "fails": { "place": { "line": 3 }, "message": "x" } }),
        );
        let unchecked = ParseOutcome::NotChecked { reason: "large".into() };
        check(unchecked, &json!({ "ok": null, "reason": "large" }), json!({ "not_checked": { "reason": "large" } }));
        assert!(serde_json::from_value::<Holder>(json!({ "ok": true, "reason": "x" })).is_err());
    }
}
