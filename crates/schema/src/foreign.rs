//! Documents from outside of Deed: JSON or YAML, read leniently.
//!
//! Deed's own files are read strictly. An API description is not ours to change: numbers as keys (`200:`) become
//! text, integers beyond 2^53 are kept as far as they can be, anchors are expanded up to a limit. Duplicate keys,
//! which two readers could read differently, are still refused.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// The most values that aliases may add, against documents that expand exponentially.
const MOST_ALIASED: usize = 2_000_000;

/// Levels that a document may be nested.
const DEEPEST: usize = 256;

/// A foreign document that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ForeignError {
    /// The reason, lowercase and without a final stop.
    pub message: String,
    /// The line, counted from one; zero if it is not known.
    pub line: usize,
}

/// Reads a document as JSON if it begins like JSON, otherwise as YAML.
///
/// # Errors
/// If the document is empty or malformed, has a duplicate key, is nested too deeply or expands without end.
pub fn read_foreign(text: &str) -> Result<Value, ForeignError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().bytes().next() {
        None => Err(ForeignError { message: "the document is empty".to_owned(), line: 1 }),
        Some(b'{' | b'[' | b'"') => match strict::read(text) {
            Err(fault) if fault.message.contains("out of range") => Err(fault),
            // YAML's flow style begins like JSON too. If it is not YAML either, the error of JSON is the clearer one.
            Err(fault) => yaml(text).map_err(|_| fault),
            Ok(value) => Ok(value),
        },
        Some(_) => yaml(text),
    }
}

fn yaml(text: &str) -> Result<Value, ForeignError> {
    let mut reader = Reader { parser: Parser::new_from_str(text), anchors: BTreeMap::new(), aliased: 0, line: 1 };
    loop {
        match reader.next()? {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd => return Err(reader.fault("the document is empty")),
            event => {
                let value = reader.value(event, 0)?;
                return reader.end().map(|()| value);
            }
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    anchors: BTreeMap<usize, (Value, usize)>,
    aliased: usize,
    line: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, message: impl Into<String>) -> ForeignError {
        ForeignError { message: message.into(), line: self.line }
    }

    fn next(&mut self) -> Result<Event<'a>, ForeignError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => Err(ForeignError { message: error.info().to_lowercase(), line: error.marker().line() }),
            None => Ok(Event::StreamEnd),
        }
    }

    /// Refuses what follows the document.
    fn end(&mut self) -> Result<(), ForeignError> {
        loop {
            match self.next()? {
                Event::DocumentEnd | Event::Nothing => {}
                Event::StreamEnd => return Ok(()),
                _ => return Err(self.fault("more follows the document; write one document per file")),
            }
        }
    }

    fn value(&mut self, event: Event<'a>, depth: usize) -> Result<Value, ForeignError> {
        if depth > DEEPEST {
            return Err(self.fault(format!("nested deeper than {DEEPEST} levels")));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                (if plain { plain_scalar(&text) } else { Value::String(text.into_owned()) }, anchor)
            }
            Event::SequenceStart(anchor, _) => (self.sequence(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.mapping(depth)?, anchor),
            Event::Alias(anchor) => {
                let Some((value, places)) = self.anchors.get(&anchor) else {
                    return Err(self.fault("an alias refers to an unknown anchor"));
                };
                self.aliased += places;
                if self.aliased > MOST_ALIASED {
                    return Err(self.fault(format!("its aliases expand to more than {MOST_ALIASED} values")));
                }
                return Ok(value.clone());
            }
            _ => return Err(self.fault("a value is missing")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, (value.clone(), places(&value)));
        }
        Ok(value)
    }

    fn sequence(&mut self, depth: usize) -> Result<Value, ForeignError> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Ok(Value::Array(items)),
                event => items.push(self.value(event, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<Value, ForeignError> {
        let mut map = Map::new();
        let mut merged: Vec<Value> = Vec::new();
        loop {
            let key = match self.next()? {
                Event::MappingEnd => return self.merge(map, merged),
                Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<" => {
                    let event = self.next()?;
                    merged.push(self.value(event, depth + 1)?);
                    continue;
                }
                Event::Scalar(text, ..) => text.into_owned(),
                Event::Alias(anchor) => match self.anchors.get(&anchor) {
                    Some((Value::String(text), _)) => text.clone(),
                    _ => return Err(self.fault("a key is not text")),
                },
                _ => return Err(self.fault("a key is not text")),
            };
            let event = self.next()?;
            let value = self.value(event, depth + 1)?;
            if map.insert(key.clone(), value).is_some() {
                let key: String = key.chars().take(60).collect();
                return Err(self.fault(format!("the key `{key}` stands twice")));
            }
        }
    }
}

impl Reader<'_> {
    /// Adds the keys that a mapping merges (`<<`); its own keys win, then those of the first mapping.
    fn merge(&self, mut map: Map<String, Value>, merged: Vec<Value>) -> Result<Value, ForeignError> {
        for value in merged {
            let sources = match value {
                Value::Array(list) => list,
                one => vec![one],
            };
            for source in sources {
                let Value::Object(source) = source else { return Err(self.fault("`<<` must be given a mapping")) };
                for (key, value) in source {
                    map.entry(key).or_insert(value);
                }
            }
        }
        Ok(Value::Object(map))
    }
}

fn places(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(places).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(places).sum::<usize>(),
        _ => 1,
    }
}

/// A scalar without quotes, by the core schema of YAML 1.2.
fn plain_scalar(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

/// Reads a scalar as a number. One that no JSON number can hold stays text: an unquoted hash can look like that.
fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok().map(Number::from);
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return i64::from_str_radix(octal, 8).ok().map(Number::from);
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if let Ok(whole) = unsigned.parse::<i64>() {
        return Some(Number::from(whole));
    }
    if let Ok(whole) = unsigned.parse::<u64>() {
        return Some(Number::from(whole));
    }
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    if !digits.chars().all(allowed) || !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    unsigned.parse::<f64>().ok().and_then(Number::from_f64)
}

/// JSON without duplicate keys.
mod strict {
    use super::ForeignError;
    use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
    use serde_json::{Map, Value};
    use std::fmt;

    pub(super) fn read(text: &str) -> Result<Value, ForeignError> {
        serde_json::from_str::<Once>(text).map(|once| once.0).map_err(|error| ForeignError {
            line: error.line(),
            message: {
                let words = error.to_string();
                words.split_once(" at line ").map_or(words.as_str(), |(fault, _)| fault).to_lowercase()
            },
        })
    }

    struct Once(Value);

    impl<'de> Deserialize<'de> for Once {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(OnceVisitor)
        }
    }

    struct OnceVisitor;

    impl<'de> Visitor<'de> for OnceVisitor {
        type Value = Once;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a JSON value")
        }
        fn visit_bool<E>(self, v: bool) -> Result<Once, E> {
            Ok(Once(Value::Bool(v)))
        }
        fn visit_i64<E>(self, v: i64) -> Result<Once, E> {
            Ok(Once(Value::from(v)))
        }
        fn visit_u64<E>(self, v: u64) -> Result<Once, E> {
            Ok(Once(Value::from(v)))
        }
        fn visit_f64<E>(self, v: f64) -> Result<Once, E> {
            Ok(Once(Value::from(v)))
        }
        fn visit_str<E>(self, v: &str) -> Result<Once, E> {
            Ok(Once(Value::String(v.to_owned())))
        }
        fn visit_string<E>(self, v: String) -> Result<Once, E> {
            Ok(Once(Value::String(v)))
        }
        fn visit_unit<E>(self) -> Result<Once, E> {
            Ok(Once(Value::Null))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Once, A::Error> {
            let mut items = Vec::new();
            while let Some(Once(item)) = seq.next_element()? {
                items.push(item);
            }
            Ok(Once(Value::Array(items)))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Once, A::Error> {
            let mut map = Map::new();
            while let Some(key) = access.next_key::<String>()? {
                let Once(value) = access.next_value()?;
                if map.contains_key(&key) {
                    let key: String = key.chars().take(60).collect();
                    return Err(A::Error::custom(format!("the key `{key}` stands twice")));
                }
                map.insert(key, value);
            }
            Ok(Once(Value::Object(map)))
        }
    }
}
