//! Reading under a schema: what the text leaves open the schema often decides.
//!
//! What enters is text without one clear reading, and a judge that knows the schema. Candidate readings are enumerated,
//! way by way, and judged: exactly one that the schema allows is the reading, several are refused and listed, and where
//! there is none the refusal of the text alone stands. What is enumerated is bounded by the size of the text and by the
//! number of readings, so that the search ends and ends the same everywhere.

mod blocks;
mod boxed;
mod choices;
mod concluded;
mod elements;
mod expression;
mod foreign;
mod headings;
mod lines;
mod logged;
mod lone;
mod notation;
mod parameters;
mod quoted;
mod record;
mod records;
mod rows;
mod sentence;
mod sound;
mod spelled;
mod surplus;
mod tables;
mod toml;
mod unbracketed;
mod values;

pub(crate) use self::foreign::is_other_variable;
use super::edit::{Repair, apply};
use super::unreadable::Unreadable;
use super::wrapped::{composed, unwrapped};
use super::{Reading, repaired_text, strict};
use deed_imprint::Expected;
use serde_json::Value;

/// Larger texts are not read in several ways.
const LARGEST: usize = 4 << 20;
/// Readings of one text that are judged.
const MOST_READINGS: usize = 64;

/// A text that no schema means.
const NO_WORD: &str = "\u{1}~ no word ~\u{1}";

/// Judges readings.
pub(crate) trait Judge {
    /// Whether the schema allows a value as it is.
    fn allows(&self, value: &Value) -> bool;

    /// Whether the contract has a name: a property that its schema declares, or a synonym.
    fn knows(&self, name: &str) -> bool;

    /// The declared name that a name is in another style; none where there is none, or several are.
    fn declared(&self, name: &str) -> Option<String>;

    /// The key of an object that can have no other and needs it.
    fn only_key(&self) -> Option<String>;

    /// The description of a payload that is a single boolean: the question that it answers.
    fn question(&self) -> Option<String>;

    /// The expectations of the schema.
    fn expected(&self) -> Expected<'_>;

    /// Whether a value is accepted once the rungs that need no model have run.
    fn accepts(&self, value: &Value) -> bool;
}

/// One way to enumerate readings of a text.
type Way = fn(&str, &dyn Judge) -> Vec<Reading>;

/// The outcome of reading a text under a schema.
#[derive(Debug)]
pub(crate) enum Guided {
    /// The only reading that is allowed.
    One(Reading),
    /// Several readings are allowed.
    Several(Unreadable),
    /// None is.
    None,
    /// The search met its bound; the words say which.
    Bounded(String),
}

/// Reads a text under a schema.
pub(crate) fn guided(text: &str, judge: &dyn Judge) -> Guided {
    if text.len() > LARGEST {
        return Guided::Bounded(format!("the text has {} bytes, and at most {LARGEST} are", text.len()));
    }
    match unwrapped(text) {
        Some(inside) => beneath(text, &inside.script, &inside.text, judge, without_marks),
        None => without_marks(text, judge),
    }
}

/// Reads a text as it is; failing that, without the marks that lie over the whole of it.
fn without_marks(text: &str, judge: &dyn Judge) -> Guided {
    match by_ways(text, judge) {
        Guided::None => {}
        decided => return decided,
    }
    let Some(script) = notation::unmarked(text) else { return Guided::None };
    beneath(text, &script, &apply(text, 0..text.len(), &script), judge, by_ways)
}

/// Reads the text that a script leaves, and puts both scripts together.
fn beneath(
    text: &str,
    script: &[Repair],
    left: &str,
    judge: &dyn Judge,
    read: fn(&str, &dyn Judge) -> Guided,
) -> Guided {
    match read(left, judge) {
        Guided::One(below) => {
            let repairs = composed(text, script, &below.repairs);
            let proven = strict::parse(&repaired_text(text, &repairs)).is_ok_and(|value| value == below.value);
            if proven { Guided::One(Reading { value: below.value, repairs }) } else { Guided::None }
        }
        other => other,
    }
}

/// Reads a text in every way, until one decides.
fn by_ways(text: &str, judge: &dyn Judge) -> Guided {
    let ways: [Way; 24] = [
        boxed::readings,
        values::readings,
        surplus::readings,
        choices::readings,
        unbracketed::readings,
        lines::readings,
        lines::query,
        lines::colonless,
        records::readings,
        toml::readings,
        blocks::readings,
        headings::readings,
        tables::readings,
        rows::readings,
        lines::abridged,
        lone::readings,
        sentence::readings,
        concluded::readings,
        quoted::readings,
        foreign::readings,
        expression::readings,
        elements::readings,
        parameters::readings,
        record::readings,
    ];
    for way in ways {
        let readings = way(text, judge);
        if readings.len() > MOST_READINGS {
            return Guided::Bounded(format!("it has more than {MOST_READINGS} readings"));
        }
        match only(readings, judge) {
            Guided::None => {}
            decided => return decided,
        }
    }
    Guided::None
}

/// The only reading that the schema allows; failing that, the only one that the ladder would accept.
fn only(readings: Vec<Reading>, judge: &dyn Judge) -> Guided {
    let stages: [&dyn Fn(&Value) -> bool; 2] = [&|value| judge.allows(value), &|value| judge.accepts(value)];
    for stage in stages {
        let mut allowed: Vec<&Reading> = Vec::new();
        for reading in &readings {
            if allowed.iter().all(|known| known.value != reading.value) && stage(&reading.value) {
                allowed.push(reading);
            }
        }
        match allowed.as_slice() {
            [] => {}
            [only] => return Guided::One((*only).clone()),
            several => {
                let values: Vec<&Value> = several.iter().map(|reading| &reading.value).collect();
                return Guided::Several(Unreadable::several(&values));
            }
        }
    }
    Guided::None
}
