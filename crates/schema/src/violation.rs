//! What is wrong with a value, in words: where the validator says no, this says why and what to do.

mod choose;
mod explain;
mod words;

use crate::refusal::Refused;
use crate::schema::Schema;
use crate::shared::remembering;
use crate::spot::Spot;
use explain::Explainer;
use serde_json::Value;
use words::unsaid;

/// What a violation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// A key that must be there is not.
    Missing,
    /// A key that may not be there is.
    UnknownKey,
    /// A value of another type.
    WrongType,
    /// A value that is not one of those allowed.
    NotAllowed,
    /// A number, a length or a count out of its bounds.
    OutOfRange,
    /// A text without the form it must have.
    BadForm,
    /// A value that fits none of several shapes, or too many.
    NoVariant,
    /// Anything else that the schema rules out.
    Other,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What it is about.
    pub kind: ViolationKind,
    /// The JSON pointer of the value; of the object for a missing key, of the key itself for an unknown one.
    pub pointer: String,
    /// The key that is missing or unknown.
    pub key: Option<String>,
    /// What is wrong: lowercase, no final stop.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

/// Violations beyond this are one more sentence and not one more item.
const MOST: usize = 1_000;

impl Schema {
    /// Everything that is wrong with a value, in the order of places; the error says that the schema cannot judge.
    pub fn violations(&self, value: &Value) -> Result<Vec<Violation>, Refused> {
        self.violations_up_to(value, MOST)
    }

    /// The same, for so many of them.
    pub fn violations_up_to(&self, value: &Value, most: usize) -> Result<Vec<Violation>, Refused> {
        self.sound()?;
        let judge = self.judge()?;
        if let Some(explained) = self.explained() {
            let explainer = Explainer::new(&explained.targets, value, most);
            return Ok(remembering(|| explainer.target(&explained.root)));
        }
        // What depends on annotations can only be asked as a whole, and the answer may be longer than anybody could
        // wait for.
        if !self.is_quickly_explained(value) {
            let valid = judge.validator.is_valid(value);
            return Ok(if valid { Vec::new() } else { vec![Violation::of_all(unsaid("the payload"))] });
        }
        let explainer = Explainer::of_whole(Some(self.root()?), value, most);
        Ok(explainer.errors(judge.validator.iter_errors(value)))
    }

    /// Whether a value is valid under a part of this schema; none if the part cannot be asked alone.
    pub fn part_is_valid(&self, part: &Spot<'_>, value: &Value) -> Option<bool> {
        let part = self.explained()?.part(part);
        Some(remembering(|| part.is_valid(value)))
    }

    /// What is wrong with a value under a part of this schema; none if the part cannot be asked alone.
    pub fn part_violations(&self, part: &Spot<'_>, value: &Value, most: usize) -> Option<Vec<Violation>> {
        let explained = self.explained()?;
        let part = explained.part(part);
        let explainer = Explainer::new(&explained.targets, value, most);
        Some(remembering(|| explainer.target(&part)))
    }
}

impl Violation {
    fn of_all(message: String) -> Self {
        Self { kind: ViolationKind::Other, pointer: String::new(), key: None, message, help: None }
    }
}
