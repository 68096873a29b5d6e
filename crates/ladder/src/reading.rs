//! A payload's text, read for a climb: strictly, by what the text alone makes clear, and under the schema.

use crate::climb::would_accept;
use crate::ladder::Ladder;
use crate::naming::folded;
use crate::repair::{Guided, Judge, Reading, Repair, Unreadable, guided, read};
use deed_model::{LadderMode, Phase, Rung};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::HashMap;

/// A text that was read, or why it could not be.
pub(crate) struct TextReading {
    pub(crate) payload: Option<Value>,
    pub(crate) outcome: Result<Vec<Repair>, Unreadable>,
    /// Whether the schema allows the payload, where that was asked.
    pub(crate) valid: Option<bool>,
    /// The bound that ended the search for readings under the schema.
    pub(crate) bound: Option<String>,
}

impl TextReading {
    fn of(reading: Reading, valid: Option<bool>) -> Self {
        let Reading { value, repairs } = reading;
        Self { payload: Some(value), outcome: Ok(repairs), valid, bound: None }
    }

    fn refused(unreadable: Unreadable) -> Self {
        Self { payload: None, outcome: Err(unreadable), valid: None, bound: None }
    }
}

/// Reads a text. Strict JSON is never altered; other readings are asked for only where the text alone gives none that
/// the contract accepts.
pub(crate) fn read_text(ladder: &Ladder, phase: Phase, text: &str) -> TextReading {
    let plain = read(text);
    let repairs = ladder.mode(phase, Rung::L0) == LadderMode::Block;
    let judge = SchemaJudge { ladder, phase, names: OnceCell::new() };
    match plain {
        Ok(reading) if reading.repairs.is_empty() || !repairs => TextReading::of(reading, None),
        Err(unreadable) if !repairs => TextReading::refused(unreadable),
        Ok(reading) => {
            let valid = judge.allows(&reading.value);
            if valid || judge.accepts(&reading.value) {
                return TextReading::of(reading, Some(valid));
            }
            decided(guided(text, &judge), || TextReading::of(reading, Some(false)))
        }
        Err(unreadable) => decided(guided(text, &judge), || TextReading::refused(unreadable)),
    }
}

/// What the schema decided, or the reading that there is without it.
fn decided(guided: Guided, without: impl FnOnce() -> TextReading) -> TextReading {
    match guided {
        Guided::One(reading) => TextReading::of(reading, None),
        Guided::Several(unreadable) => TextReading::refused(unreadable),
        Guided::None => without(),
        Guided::Bounded(bound) => TextReading { bound: Some(bound), ..without() },
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

    fn accepts(&self, value: &Value) -> bool {
        would_accept(self.ladder, self.phase, value)
    }
}
