//! The strict reader, and a shorter way to the same value.
//!
//! What enters is text, what leaves is the value that [`deed_canon::parse`] reads. The shorter way goes
//! through `serde_json` and gives up on anything it could read differently: then the strict reader decides.

use super::fault::Fault;
use super::unreadable::UnreadableKind;
use deed_canon::{ParseError, ParseErrorKind};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// 2^53 - 1.
pub(super) const MAX_SAFE: u64 = 9_007_199_254_740_991;

/// Lists up to here grow as lists do.
const SMALL: usize = 4096;
/// Most objects have no more members.
const USUAL_MEMBERS: usize = 8;

/// The strict value of a text, or nothing as soon as it is known to need repairs.
pub(super) fn quick(text: &str) -> Option<Value> {
    match serde_json::from_str::<Plain>(text) {
        Ok(Plain(value)) => Some(value),
        // What is no JSON at all need not be read twice; what is only in doubt must be.
        Err(error) if error.is_data() => deed_canon::parse(text.as_bytes()).ok(),
        Err(_) => None,
    }
}

/// The strict value of a text.
pub(super) fn parse(text: &str) -> Result<Value, ParseError> {
    match serde_json::from_str::<Plain>(text) {
        Ok(Plain(value)) => Ok(value),
        Err(_) => deed_canon::parse(text.as_bytes()),
    }
}

/// What a refusal of the strict reader means for text that was repaired as far as it can be.
pub(super) fn fault_of(error: &ParseError, at: usize, len: usize) -> Fault {
    let kind = match &error.kind {
        ParseErrorKind::DuplicateKey { .. } => UnreadableKind::DuplicateKey,
        ParseErrorKind::UnsafeInteger => UnreadableKind::UnsafeInteger,
        ParseErrorKind::NumberRange => UnreadableKind::NumberRange,
        ParseErrorKind::NotANumber => UnreadableKind::NotANumber,
        ParseErrorKind::LoneSurrogate => UnreadableKind::LoneSurrogate,
        ParseErrorKind::BadEscape => UnreadableKind::BadEscape,
        ParseErrorKind::TooDeep { .. } => UnreadableKind::TooDeep,
        ParseErrorKind::InvalidUtf8
        | ParseErrorKind::ByteOrderMark
        | ParseErrorKind::Expected { .. }
        | ParseErrorKind::UnexpectedEnd { .. }
        | ParseErrorKind::TrailingText
        | ParseErrorKind::ControlCharacter => UnreadableKind::Unexpected,
    };
    Fault { kind, at, len }
}

/// A value in which every reader agrees on every number and no key stands twice.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor).map(Self)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that every reader reads alike")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        if value > MAX_SAFE { Err(doubt()) } else { Ok(Value::Number(value.into())) }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        if value.unsigned_abs() > MAX_SAFE { Err(doubt()) } else { Ok(Value::Number(value.into())) }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        // A zero may have been too small a number, and a large one too long an integer: the literal decides.
        if value == 0.0 || value.abs() > MAX_SAFE as f64 {
            return Err(doubt());
        }
        let number: Result<Number, _> = deed_canon::number_from_f64(value);
        number.map(Value::Number).map_err(|_| doubt())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            grow(&mut out);
            out.push(item);
        }
        if out.len() > SMALL && out.capacity() - out.len() > out.len() / 8 {
            out.shrink_to_fit();
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        // Building a map at once costs less than inserting, all the more where the keys are sorted already.
        let mut all = Vec::with_capacity(USUAL_MEMBERS);
        while let Some((key, Plain(value))) = members.next_entry::<String, Plain>()? {
            all.push((key, value));
        }
        let given = all.len();
        let out: Map<String, Value> = all.into_iter().collect();
        if out.len() < given {
            return Err(doubt());
        }
        Ok(Value::Object(out))
    }
}

/// Makes room in a full list. A long one grows by a quarter, so that less is held than doubling would hold.
pub(super) fn grow<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() && list.len() > SMALL {
        list.reserve_exact(list.len() / 4);
    }
}

/// The reader falls back on the strict one, so this is never shown.
fn doubt<E: Error>() -> E {
    E::custom("in doubt")
}
