//! Violations of a schema, explained: the reason, the location and a hint.

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

/// The kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// A required key is missing.
    Missing,
    /// A key is not allowed.
    UnknownKey,
    /// A value of another type.
    WrongType,
    /// A value that is not one of those allowed.
    NotAllowed,
    /// A number, a length or a count out of its bounds.
    OutOfRange,
    /// A text that does not match its pattern or format.
    BadForm,
    /// A value that matches none of the variants of a union, or too many.
    NoVariant,
    /// Anything else that the schema rules out.
    Other,
}

/// One violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The kind.
    pub kind: ViolationKind,
    /// The JSON pointer of the value; of the object for a missing key, of the key itself for an unknown one.
    pub pointer: String,
    /// The key that is missing or unknown.
    pub key: Option<String>,
    /// The message: lowercase, without a final stop.
    pub message: String,
    /// A hint.
    pub help: Option<String>,
}

/// Violations that are listed; more are one last violation that says so.
const MOST: usize = 1_000;

impl Schema {
    /// Validates a value and explains every violation, in the order of locations.
    ///
    /// # Errors
    /// If a part of the schema cannot be built, so that it cannot decide.
    pub fn violations(&self, value: &Value) -> Result<Vec<Violation>, Refused> {
        self.violations_up_to(value, MOST)
    }

    /// Validates a value and explains at most so many violations.
    ///
    /// # Errors
    /// If a part of the schema cannot be built, so that it cannot decide.
    pub fn violations_up_to(&self, value: &Value, most: usize) -> Result<Vec<Violation>, Refused> {
        self.sound()?;
        let judge = self.judge()?;
        if let Some(explained) = self.explained() {
            let explainer = Explainer::new(&explained.targets, value, most);
            return Ok(remembering(|| explainer.target(&explained.root)));
        }
        // A schema that depends on annotations is asked as a whole, which could take exponential time.
        if !self.is_quickly_explained(value) {
            let valid = judge.validator.is_valid(value);
            return Ok(if valid { Vec::new() } else { vec![Violation::of_all(unsaid("the payload"))] });
        }
        let explainer = Explainer::of_whole(Some(self.root()?), value, most);
        Ok(explainer.errors(judge.validator.iter_errors(value)))
    }

    /// Returns true if a value is valid under a part of this schema; `None` if the part cannot be asked separately.
    pub fn part_is_valid(&self, part: &Spot<'_>, value: &Value) -> Option<bool> {
        let part = self.explained()?.part(part);
        Some(remembering(|| part.is_valid(value)))
    }

    /// Explains the violations of a part of this schema; `None` if the part cannot be asked separately.
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
