//! The rules of a contract, made ready.

use crate::place::Place;
use crate::rungs::transforms::{DateForm, Factor};
use deed_logic::Program;
use deed_model::RuleWeight;
use serde_json::Value;

pub(crate) struct SynonymRule {
    pub(crate) at: Place,
    pub(crate) from: Vec<String>,
    pub(crate) to: String,
    /// The names without their style.
    pub(crate) folded: Vec<String>,
    /// The canonical name without its style.
    pub(crate) folded_to: String,
}

pub(crate) struct DefaultRule {
    pub(crate) object: Place,
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) when: Option<Program>,
    /// What reports call it.
    pub(crate) rule: String,
    /// Whether a rule for the same key has a condition, which wants the values that later rungs leave.
    pub(crate) waits: bool,
}

pub(crate) struct TransformRule {
    pub(crate) id: String,
    pub(crate) at: Place,
    pub(crate) action: Action,
    pub(crate) when: Option<Program>,
    /// The names of the keys that its condition, its expression or its unit read.
    pub(crate) reads: Vec<String>,
    /// Whether one of them has a conditional default.
    pub(crate) waits: bool,
}

/// What a transform does, its parameters read.
pub(crate) enum Action {
    TitleCase,
    UpperCase,
    LowerCase,
    Trim,
    Scale { factor: Factor, unit: Option<UnitChange> },
    Date { from: Vec<DateForm>, to: DateForm },
    Set(Program),
}

/// The unit beside a number, before and after.
pub(crate) struct UnitChange {
    pub(crate) key: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

pub(crate) struct DomainCheck {
    pub(crate) id: String,
    pub(crate) at: Place,
    pub(crate) rule: Program,
    pub(crate) when: Option<Program>,
    pub(crate) message: String,
    pub(crate) weight: RuleWeight,
}
