//! Whether bytes parse, as receipts write it: `{ok: true}`, `{ok: false, place, message}`, or `{ok: null, reason}` where it
//! was not checked to the end. Receipts that were made before say `parses`, `{fails: …}` and `{not_checked: …}`, and are
//! still read.

use super::inspection::{FoundAt, ParseOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Whether bytes parse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ParseValidation {
    /// Whether all of it parses; null where that was not checked to the end.
    ok: Option<bool>,
    /// Where it stops to make sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<FoundAt>,
    /// What is wrong, with at most 40 characters of what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// Why it was not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Both forms.
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
