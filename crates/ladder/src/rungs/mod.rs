//! One file for each of the eleven rungs.

pub(crate) mod about;
pub(crate) mod conformance;
pub(crate) mod defaults;
pub(crate) mod domain;
pub(crate) mod expert;
pub(crate) mod guard;
pub(crate) mod patch;
pub(crate) mod schema;
pub(crate) mod structure;
pub(crate) mod synonyms;
pub(crate) mod transforms;
pub(crate) mod vector;

use deed_logic::{EvalError, Program, Scope};
use serde_json::{Map, Value};

/// Whether a condition holds of the object at a place; `payload` can be read in it, and `value` where it speaks of one.
pub(crate) fn holds(when: &Program, object: &Value, value: Option<&Value>, payload: &Value) -> Result<bool, EvalError> {
    let empty = Map::new();
    let base = object.as_object().unwrap_or(&empty);
    // What is no object is read as `value`; an object is read by its own keys.
    match value.or((!object.is_object()).then_some(object)) {
        Some(value) => when.test_in(&Scope::new(base, &[("value", value), ("payload", payload)])),
        None => when.test_in(&Scope::new(base, &[("payload", payload)])),
    }
}
