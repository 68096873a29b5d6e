//! The request, as predicates see it.

use super::read::{self, Named, ReadInput};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document};
use deed_model::{InvokeRequest, Turn};
use serde_json::{Map, Value};

/// A checked request, typed and as the one object that predicates read, where `context` stands beside `input`.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    fields: Value,
    typed: InvokeRequest,
}

impl Request {
    /// Returns the request as predicates see it.
    pub fn value(&self) -> &Value {
        &self.fields
    }

    /// Returns the id of the request.
    pub fn request_id(&self) -> &str {
        &self.typed.request_id
    }

    /// Returns the requested intent.
    pub fn intent(&self) -> &str {
        &self.typed.input.intent
    }

    /// Returns the user's message.
    pub fn message(&self) -> Option<&str> {
        self.typed.input.message.as_deref()
    }

    pub(crate) fn tenant_id(&self) -> Option<&str> {
        self.typed.tenant_id.as_deref()
    }

    /// Returns the channel: the request's own, or that of its input, where some callers state it.
    pub(crate) fn channel(&self) -> Option<&str> {
        self.typed.channel.as_deref().or_else(|| self.of_input("channel"))
    }

    /// Returns the locale: the request's own, or that of its input, where some callers state it.
    pub(crate) fn locale(&self) -> Option<&str> {
        self.typed.locale.as_deref().or_else(|| self.of_input("locale"))
    }

    fn of_input(&self, key: &str) -> Option<&str> {
        self.fields.get("input")?.get(key)?.as_str()
    }

    pub(crate) fn session_id(&self) -> Option<&str> {
        self.typed.session.as_ref()?.session_id.as_deref()
    }

    /// The recent turns of the session, oldest first.
    pub(crate) fn turns(&self) -> &[Turn] {
        self.typed.session.as_ref().map_or(&[], |session| &session.recent_turns)
    }

    /// The pack and overlays that the request names.
    pub(crate) fn refs(&self) -> impl Iterator<Item = &str> {
        self.typed.context_pack_refs.iter().map(String::as_str)
    }
}

impl ReadInput for Request {
    type Shape = InvokeRequest;
    const NAME: &'static str = "request";

    fn from_value(value: Value) -> Result<Self, Refusal> {
        let mut typed: InvokeRequest = read::typed(Self::NAME, &value)?;
        // It is in `fields`, once.
        typed.input.context = Map::new();
        let Value::Object(mut fields) = value else { return Err(read::not_an_object(Self::NAME)) };
        let context = fields.get("input").and_then(|i| i.get("context")).cloned();
        fields.insert("context".to_owned(), context.unwrap_or_else(|| Value::Object(Map::new())));
        Ok(Self { fields: Value::Object(fields), typed })
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        let named = [
            Named { at: "", what: "a request", also: &[] },
            Named { at: "/input", what: "a request's input", also: &["channel", "locale"] },
            Named { at: "/session", what: "a session", also: &[] },
            Named { at: "/session/recent_turns", what: "a turn", also: &[] },
        ];
        read::unread::<Self::Shape>(document, &named)
    }
}
