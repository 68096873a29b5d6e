//! Values for hashes and records, with the pack's redaction rules applied to every text.

use crate::text::Redactor;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Smaller numbers are too short to be personal data.
pub(crate) const SHORTEST_NUMBER: u64 = 100_000_000;

/// A value whose texts and long numbers are redacted during serialization.
pub(crate) struct Redacted<'a>(pub(crate) &'a Value, pub(crate) &'a Redactor);

/// The fields of an object, redacted during serialization.
pub(crate) struct RedactedFields<'a>(pub(crate) &'a Map<String, Value>, pub(crate) &'a Redactor);

impl Serialize for Redacted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, redactor) = self;
        match value {
            Value::String(text) => serializer.serialize_str(&redactor.redact(text, &mut [])),
            Value::Array(items) => {
                let mut out = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    out.serialize_element(&Redacted(item, redactor))?;
                }
                out.end()
            }
            Value::Object(fields) => RedactedFields(fields, redactor).serialize(serializer),
            // A card number in a JSON number is still a card number.
            Value::Number(number) if number.as_u64().is_some_and(|n| n >= SHORTEST_NUMBER) => {
                let text = number.to_string();
                match redactor.redact(&text, &mut []) {
                    std::borrow::Cow::Borrowed(_) => number.serialize(serializer),
                    std::borrow::Cow::Owned(redacted) => serializer.serialize_str(&redacted),
                }
            }
            other => other.serialize(serializer),
        }
    }
}

impl Serialize for RedactedFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(fields, redactor) = self;
        let mut out = serializer.serialize_map(Some(fields.len()))?;
        for (key, value) in *fields {
            out.serialize_entry(key, &Redacted(value, redactor))?;
        }
        out.end()
    }
}
