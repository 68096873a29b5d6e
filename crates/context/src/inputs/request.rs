//! The request, as predicates see it.

use super::read::{self, ReadInput};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document};
use deed_model::InvokeRequest;
use serde_json::{Map, Value};

/// A request that has the shape of one. It is kept as one object, with `context` beside `input`, so that
/// predicates read it in place.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    fields: Value,
}

impl Request {
    /// The request as predicates see it.
    pub fn value(&self) -> &Value {
        &self.fields
    }

    /// Its id.
    pub fn request_id(&self) -> &str {
        self.text(&["request_id"]).unwrap_or_default()
    }

    /// The intent that is asked for.
    pub fn intent(&self) -> &str {
        self.text(&["input", "intent"]).unwrap_or_default()
    }

    /// The words of the person who asks.
    pub fn message(&self) -> Option<&str> {
        self.text(&["input", "message"])
    }

    pub(crate) fn tenant_id(&self) -> Option<&str> {
        self.text(&["tenant_id"])
    }

    pub(crate) fn channel(&self) -> Option<&str> {
        self.text(&["channel"])
    }

    pub(crate) fn locale(&self) -> Option<&str> {
        self.text(&["locale"])
    }

    pub(crate) fn session_id(&self) -> Option<&str> {
        self.text(&["session", "session_id"])
    }

    /// Recent turns as who and what, oldest first.
    pub(crate) fn turns(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator {
        let turns = self.fields.get("session").and_then(|s| s.get("recent_turns")).and_then(Value::as_array);
        turns.map(Vec::as_slice).unwrap_or_default().iter().map(|turn| {
            let part = |key| turn.get(key).and_then(Value::as_str).unwrap_or_default();
            (part("role"), part("text"))
        })
    }

    /// The references that the request names.
    pub(crate) fn refs(&self) -> impl Iterator<Item = &str> {
        let refs = self.fields.get("context_pack_refs").and_then(Value::as_array);
        refs.into_iter().flatten().filter_map(Value::as_str)
    }

    fn text(&self, path: &[&str]) -> Option<&str> {
        path.iter().try_fold(&self.fields, |value, key| value.get(key))?.as_str()
    }
}

impl ReadInput for Request {
    type Shape = InvokeRequest;
    const NAME: &'static str = "request";

    fn from_value(value: Value) -> Result<Self, Refusal> {
        read::typed::<InvokeRequest>(Self::NAME, &value)?;
        let Value::Object(mut fields) = value else { return Err(read::not_an_object(Self::NAME)) };
        let context = fields.get("input").and_then(|i| i.get("context")).cloned();
        fields.insert("context".to_owned(), context.unwrap_or_else(|| Value::Object(Map::new())));
        Ok(Self { fields: Value::Object(fields) })
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        let mut found = read::near_misses(document, "", &KEYS, "a request");
        found.extend(read::near_misses(document, "/input", &["intent", "message", "context"], "a request's input"));
        found.extend(read::near_misses(document, "/session", &["session_id", "recent_turns"], "a session"));
        found
    }
}

const KEYS: [&str; 7] = ["request_id", "tenant_id", "context_pack_refs", "channel", "locale", "input", "session"];
