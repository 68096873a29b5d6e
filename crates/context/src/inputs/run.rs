//! The run context, as predicates see it.

use super::read::{self, Named, ReadInput};
use crate::refusal::Refusal;
use crate::tokens::{DEFAULT_TOKENIZER, Tokenizer, tokenizer};
use deed_canon::timestamp;
use deed_diag::{Diagnostic, Document, Invariant as _, codes};
use deed_model::RunContext;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A checked run context, with the instant that lifetimes are judged at.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    fields: Map<String, Value>,
    typed: RunContext,
    tenant: Value,
    as_of: Timestamp,
}

impl Run {
    /// Returns the run context as supplied.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// Returns the typed run context, without the caller's own fields.
    pub fn context(&self) -> &RunContext {
        &self.typed
    }

    /// Returns the tokenizer that the run names, or the default.
    ///
    /// # Errors
    /// If the run names an unknown tokenizer.
    pub fn tokenizer(&self) -> Result<Arc<dyn Tokenizer>, Refusal> {
        named_tokenizer(self.typed.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER))
    }

    /// The value of `tenant` in predicates, if the run is not the pack's own tenant's.
    pub(crate) fn tenant(&self) -> &Value {
        &self.tenant
    }

    /// The instant that lifetimes are judged at.
    pub fn as_of(&self) -> Timestamp {
        self.as_of
    }

    /// The instant as the run context spells it.
    pub(crate) fn as_of_text(&self) -> &str {
        self.typed.as_of.as_deref().invariant("a run without an instant is refused")
    }

    /// The subjects of the run, or else its user.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        let of_user = self.typed.user.as_ref().and_then(|u| u.id.as_deref());
        let spelled = self.fields.get("user").and_then(|user| user.get("user_id")).and_then(Value::as_str);
        let user = of_user.or(spelled).or_else(|| self.fields.get("user_id").and_then(Value::as_str));
        let named = self.typed.subject_ids.iter().map(String::as_str);
        named.chain(user.filter(|_| self.typed.subject_ids.is_empty()))
    }
}

/// Returns the tokenizer with a name, or a refusal.
pub(crate) fn named_tokenizer(id: &str) -> Result<Arc<dyn Tokenizer>, Refusal> {
    tokenizer(id).ok_or_else(|| {
        Refusal::before(codes::UNKNOWN_TOKENIZER, format!("unknown tokenizer {}", deed_diag::quote(id)))
            .place(Run::NAME, "/tokenizer")
            .help("there are `o200k_base`, `cl100k_base` and, as an estimate, `bytes/4`")
    })
}

impl ReadInput for Run {
    type Shape = RunContext;
    const NAME: &'static str = "run context";

    fn from_value(mut value: Value) -> Result<Self, Refusal> {
        without_order(&mut value);
        let mut typed: RunContext = read::typed(Self::NAME, &value)?;
        // They are in `fields`, once.
        typed.more = Map::new();
        let Value::Object(fields) = value else { return Err(read::not_an_object(Self::NAME)) };
        let as_of = match &typed.as_of {
            None => {
                let refusal = Refusal::before(codes::INSTANT_MISSING, "the run context has no `as_of`");
                return Err(refusal.place(Self::NAME, "").help("lifetimes are judged at that instant: add `as_of`"));
            }
            Some(text) => timestamp(text).ok_or_else(|| {
                let message = format!("`as_of` is not an RFC 3339 time: {}", deed_diag::quote(text));
                Refusal::before(codes::INSTANT_MISSING, message)
                    .place(Self::NAME, "/as_of")
                    .help("write `2026-05-09T10:00:00Z`")
            })?,
        };
        let tenant = json!({ "tenant_id": typed.tenant_id, "name": null });
        Ok(Self { fields, typed, tenant, as_of })
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        let named = [
            Named { at: "", what: "a run context", also: &["user_id"] },
            Named { at: "/user", what: "a run's user", also: &["user_id"] },
            Named { at: "/run_budget", what: "a run's budget", also: &[] },
            Named { at: "/prohibitions", what: "a prohibition", also: &[] },
        ];
        read::unread::<Self::Shape>(document, &named)
    }
}

/// Sorts lists whose order has no meaning, so that no hash depends on it.
fn without_order(run: &mut Value) {
    let sort = |list: &mut Value| {
        if let Some(items) = list.as_array_mut() {
            // An item without a canonical form is refused later, when the run is hashed.
            items.sort_by_cached_key(|item| deed_canon::canonical_string(item).unwrap_or_default());
        }
    };
    for name in ["subject_ids", "prohibitions"] {
        run.get_mut(name).into_iter().for_each(sort);
    }
    let ontologies = run.get_mut("ontologies").and_then(Value::as_object_mut);
    ontologies.into_iter().flat_map(|map| map.values_mut()).for_each(sort);
}
