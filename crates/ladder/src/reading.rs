//! A payload's text, read for a climb: strictly, by what the text alone makes clear, and under the schema.

use crate::climb::would_accept;
use crate::ladder::Ladder;
use crate::repair::{Guided, Judge, Reading, Repair, Unreadable, guided, read};
use deed_model::{LadderMode, Phase, Rung};
use serde_json::Value;

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
    let judge = SchemaJudge { ladder, phase };
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
}

impl Judge for SchemaJudge<'_> {
    fn allows(&self, value: &Value) -> bool {
        self.ladder.imprint.schema().is_valid(value).unwrap_or(false)
    }

    fn accepts(&self, value: &Value) -> bool {
        would_accept(self.ladder, self.phase, value)
    }
}
