//! The input of a climb, read: text strictly, by what it alone makes clear, and under the schema.

use crate::climb::{Input, would_accept};
use crate::ladder::Ladder;
use crate::naming::folded;
use crate::repair::{Guided, Judge, Reading, Repair, Unreadable, guided, read};
use deed_imprint::Expected;
use deed_model::{LadderMode, Phase, Rung};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

/// The input of a climb as it was read.
pub(crate) enum Entry<'c> {
    /// A value, which needs no reading.
    Value(&'c Value),
    /// A text with its value.
    Text(EntryText<'c>),
    /// A text that has no value, or several.
    Unreadable {
        /// The reason.
        unreadable: Unreadable,
        text: &'c str,
        /// The bound that ended the search for readings under the schema.
        bound: Option<String>,
    },
}

/// A text that was read.
pub(crate) struct EntryText<'c> {
    pub(crate) text: &'c str,
    pub(crate) value: Value,
    /// The repairs that it took; none where the text is strict JSON.
    pub(crate) repairs: Vec<Repair>,
    /// Whether the schema allows the value, where that was asked.
    pub(crate) valid: Option<bool>,
    /// The bound that ended the search for readings under the schema.
    pub(crate) bound: Option<String>,
}

impl<'c> Entry<'c> {
    /// Reads an input. Strict JSON is never altered; other readings of a text are asked for only where the text alone
    /// gives none that the contract accepts.
    pub(crate) fn read(ladder: &Ladder, phase: Phase, input: Input<'c>) -> Self {
        match input {
            Input::Value(value) => Self::Value(value),
            Input::Text(text) => read_text(ladder, phase, text),
        }
    }

    /// Returns whether the input is a text that is not JSON as it stands.
    pub(crate) fn is_raw(&self) -> bool {
        match self {
            Self::Value(_) => false,
            Self::Text(read) => !read.repairs.is_empty(),
            Self::Unreadable { .. } => true,
        }
    }

    /// The payload, if it could be read.
    pub(crate) fn into_payload(self) -> Option<Cow<'c, Value>> {
        match self {
            Self::Value(value) => Some(Cow::Borrowed(value)),
            Self::Text(read) => Some(Cow::Owned(read.value)),
            Self::Unreadable { .. } => None,
        }
    }

    fn text(text: &'c str, reading: Reading, valid: Option<bool>) -> Self {
        let Reading { value, repairs } = reading;
        Self::Text(EntryText { text, value, repairs, valid, bound: None })
    }

    fn unreadable(text: &'c str, unreadable: Unreadable) -> Self {
        Self::Unreadable { unreadable, text, bound: None }
    }

    fn bounded(self, by: String) -> Self {
        match self {
            Self::Value(value) => Self::Value(value),
            Self::Text(read) => Self::Text(EntryText { bound: Some(by), ..read }),
            Self::Unreadable { unreadable, text, .. } => Self::Unreadable { unreadable, text, bound: Some(by) },
        }
    }
}

fn read_text<'c>(ladder: &Ladder, phase: Phase, text: &'c str) -> Entry<'c> {
    let plain = read(text);
    let repairs = ladder.mode(phase, Rung::L0) == LadderMode::Block;
    let judge = SchemaJudge { ladder, phase, names: OnceCell::new() };
    match plain {
        Ok(reading) if reading.repairs.is_empty() || !repairs => Entry::text(text, reading, None),
        Err(unreadable) if !repairs => Entry::unreadable(text, unreadable),
        Ok(reading) => {
            let valid = judge.allows(&reading.value);
            if valid || judge.accepts(&reading.value) {
                return Entry::text(text, reading, Some(valid));
            }
            decided(text, guided(text, &judge), || Entry::text(text, reading, Some(false)))
        }
        Err(unreadable) => decided(text, guided(text, &judge), || Entry::unreadable(text, unreadable)),
    }
}

/// The reading that the schema decided for, or the one without it.
fn decided<'c>(text: &'c str, guided: Guided, without: impl FnOnce() -> Entry<'c>) -> Entry<'c> {
    match guided {
        Guided::One(reading) => Entry::text(text, reading, None),
        Guided::Several(unreadable) => Entry::unreadable(text, unreadable),
        Guided::None => without(),
        Guided::Bounded(bound) => without().bounded(bound),
    }
}

/// The schema and the rungs of a contract as a judge of readings.
struct SchemaJudge<'l> {
    ladder: &'l Ladder,
    phase: Phase,
    /// The names of the contract by what they are without their style, unless two are the same so; collected when first
    /// asked for.
    names: OnceCell<HashMap<String, Option<String>>>,
}

/// The properties that a contract's schema declares anywhere, and its synonyms.
fn names(ladder: &Ladder) -> HashMap<String, Option<String>> {
    fn declared(schema: &Value, names: &mut HashMap<String, Option<String>>) {
        match schema {
            Value::Object(keywords) => {
                let properties = keywords.get("properties").and_then(Value::as_object);
                for name in properties.into_iter().flat_map(|properties| properties.keys()) {
                    let known = names.entry(folded(name)).or_insert_with(|| Some(name.clone()));
                    if known.as_ref() != Some(name) {
                        *known = None;
                    }
                }
                keywords.values().for_each(|inner| declared(inner, names));
            }
            Value::Array(parts) => parts.iter().for_each(|inner| declared(inner, names)),
            _ => {}
        }
    }
    let mut names = HashMap::new();
    declared(ladder.imprint.schema().value(), &mut names);
    // A synonym is known, and the rung for synonyms gives it its name.
    for name in ladder.synonyms.iter().flat_map(|rule| rule.folded.iter().chain([&rule.folded_to])) {
        names.entry(name.clone()).or_insert(None);
    }
    names
}

impl Judge for SchemaJudge<'_> {
    fn allows(&self, value: &Value) -> bool {
        self.ladder.imprint.schema().is_valid(value).unwrap_or(false)
    }

    fn knows(&self, name: &str) -> bool {
        self.names.get_or_init(|| names(self.ladder)).contains_key(&folded(name))
    }

    fn declared(&self, name: &str) -> Option<String> {
        self.names.get_or_init(|| names(self.ladder)).get(&folded(name)).cloned().flatten()
    }

    fn only_key(&self) -> Option<String> {
        let schema = self.ladder.imprint.schema().value();
        let mut names = schema.get("properties")?.as_object()?.keys();
        let only = names.next().filter(|_| names.next().is_none())?;
        let required = schema.get("required")?.as_array()?.iter().any(|name| name.as_str() == Some(only));
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        (required && is_closed).then(|| only.clone())
    }

    fn question(&self) -> Option<String> {
        let schema = self.ladder.imprint.schema().value();
        let is_boolean = schema.get("type").and_then(Value::as_str) == Some("boolean");
        schema.get("description").filter(|_| is_boolean)?.as_str().map(str::to_owned)
    }

    fn expected(&self) -> Expected<'_> {
        self.ladder.imprint.expected()
    }

    fn accepts(&self, value: &Value) -> bool {
        would_accept(self.ladder, self.phase, value)
    }
}
