//! Records as programs print them, on one line: `Order[id=771, express=true]` of Java, `{:artist "Takk" :tracks 11}` of EDN.
//!
//! Only flat records are read, whose keys are declared names: a value without quotes ends where the next key begins.

use super::Judge;
use super::lone::literal;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use serde_json::{Map, Value};

/// Longer texts are more than one record.
const LONGEST: usize = 4_000;

/// The readings of a text that is one record.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let record = text.trim().trim_end_matches(';');
    if record.len() > LONGEST || record.contains('\n') {
        return Vec::new();
    }
    let found = named(record, judge).or_else(|| keyed(record, judge)).filter(|map| !map.is_empty());
    let reading = |map: Map<String, Value>| {
        let value = Value::Object(map);
        let repair = Repair::replace(RepairKind::ForeignValue, 0..text.len(), value.to_string());
        Reading { value, repairs: vec![repair] }
    };
    found.map(reading).into_iter().collect()
}

/// `Name[key=value, key=value]`, also with round brackets or braces around the members.
fn named(text: &str, judge: &dyn Judge) -> Option<Map<String, Value>> {
    let open = text.find(['[', '{'])?;
    let name = text.get(..open)?;
    let is_name = name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let close = if text.get(open..)?.starts_with('[') { ']' } else { '}' };
    let inner = text.get(open + 1..)?.strip_suffix(close).filter(|_| is_name)?;
    if inner.contains(['[', ']', '{', '}', '(', ')', '"', '\'', '\\']) {
        return None;
    }
    let mut members: Map<String, Value> = Map::new();
    for part in inner.split(", ") {
        let (key, value) = part.split_once('=')?;
        let key = judge.declared(key.trim())?;
        if value.contains('=') || members.insert(key, scalar(value.trim())?).is_some() {
            return None;
        }
    }
    Some(members)
}

/// `{:key value :key value}`, with texts in quotes, numbers, booleans and keywords as values.
fn keyed(text: &str, judge: &dyn Judge) -> Option<Map<String, Value>> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut members = Map::new();
    while !rest.is_empty() {
        let (key, behind) = rest.strip_prefix(':')?.split_once([' ', '\t'])?;
        let key = judge.declared(key)?;
        let behind = behind.trim_start();
        let (value, after) = match behind.strip_prefix('"') {
            Some(quoted) => {
                let (inner, after) = quoted.split_once('"').filter(|(inner, _)| !inner.contains('\\'))?;
                (Value::from(inner), after)
            }
            None => {
                let end = behind.find([' ', '\t', ',']).unwrap_or(behind.len());
                let (word, after) = behind.split_at_checked(end)?;
                let value = match word.strip_prefix(':') {
                    Some(keyword) => Value::from(keyword),
                    None if word == "nil" => Value::Null,
                    None => literal(word)?,
                };
                (value, after)
            }
        };
        if members.insert(key, value).is_some() {
            return None;
        }
        rest = after.trim_start_matches([' ', '\t', ',']);
    }
    Some(members)
}

/// A value without quotes: a literal, or text.
fn scalar(text: &str) -> Option<Value> {
    if text.is_empty() || text.contains("...") || text.contains('\u{2026}') {
        return None;
    }
    Some(literal(text).unwrap_or_else(|| Value::from(text)))
}
