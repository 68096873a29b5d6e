//! Output of values: as JSON, or in words for a message.

use serde_json::{Map, Value};

use super::EvalErrorKind;
use crate::shown::shown;
use crate::value::{Val, number};

/// The number of further parts that a value may have. Built arrays share their parts, so a small evaluation can expand
/// to an enormous tree.
pub(crate) struct Room {
    left: u64,
    limit: u64,
}

impl Room {
    pub(crate) fn new(limit: u64) -> Room {
        Room { left: limit, limit }
    }

    fn take(&mut self) -> Result<(), EvalErrorKind> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(EvalErrorKind::StepLimit { limit: self.limit }),
        }
    }
}

/// Converts a value to JSON. NaN, infinity and undefined have no JSON and are errors.
pub(crate) fn to_value(val: &Val<'_>, room: &mut Room) -> Result<Value, EvalErrorKind> {
    room.take()?;
    match val {
        Val::Undefined => Err(EvalErrorKind::Undefined),
        Val::Null => Ok(Value::Null),
        Val::Bool(b) => Ok(Value::Bool(*b)),
        Val::Num(n) if n.is_nan() => Err(EvalErrorKind::NotANumber),
        Val::Num(n) => number(*n).map(Value::Number).ok_or(EvalErrorKind::Infinite),
        Val::Str(text) => Ok(Value::String(text.to_string())),
        Val::Items(_) | Val::List(_) => {
            let mut out = Vec::new();
            if let Some(elements) = val.elements() {
                for item in elements.iter() {
                    out.push(to_value(&item, room)?);
                }
            }
            Ok(Value::Array(out))
        }
        Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
            let mut out = Map::new();
            for (name, item) in val.entries().unwrap_or_default() {
                out.insert(name.to_owned(), to_value(&item, room)?);
            }
            Ok(Value::Object(out))
        }
    }
}

/// Describes a value: its type and at most 60 characters of it.
pub(crate) fn describe(val: &Val<'_>) -> String {
    let noun = val.kind().noun();
    match val {
        Val::Undefined | Val::Null => noun.to_owned(),
        Val::Num(n) if !n.is_finite() => noun.to_owned(),
        Val::Bool(_)
        | Val::Num(_)
        | Val::Str(_)
        | Val::Items(_)
        | Val::Fields(_)
        | Val::Scope(_)
        | Val::List(_)
        | Val::Pair(_) => match to_value(val, &mut Room::new(100)) {
            Ok(value) => {
                let what = noun.trim_start_matches("an ").trim_start_matches("a ");
                format!("the {what} `{}`", shown(&value))
            }
            Err(_) => noun.to_owned(),
        },
    }
}
