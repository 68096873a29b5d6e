//! Lines of keys and values, as YAML, settings files and lists of facts have them, read as one object.

use super::lone::literal;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::marks::{closing_fence_line, fence_end};
use crate::repair::{Reading, read};
use serde_json::{Map, Value};

/// More words than a key has.
const LONGEST_KEY: usize = 60;

/// The one reading of a text whose lines all are keys and values.
pub(super) fn readings(text: &str) -> Vec<Reading> {
    let Some(value) = object(body(text)) else { return Vec::new() };
    let repair = Repair::replace(RepairKind::KeyValueLines, 0..text.len(), value.to_string());
    vec![Reading { value, repairs: vec![repair] }]
}

/// What stands in the only fence of a text, or the whole of it.
fn body(text: &str) -> &str {
    let Some(at) = text.find("```") else { return text };
    let (open, close) = (fence_end(text.as_bytes(), at), closing_fence_line(text, at + 3, b'`'));
    match (open, close) {
        (Some(open), Some(close)) if open < close && !text.get(close..).unwrap_or_default().contains("```") => {
            text.get(open..close).unwrap_or_default().trim_end_matches('`')
        }
        _ => text,
    }
}

fn object(body: &str) -> Option<Value> {
    let mut map = Map::new();
    let mut open: Option<String> = None;
    let lines = body.lines().map(|line| line.trim_matches('\u{feff}'));
    for (index, line) in lines.filter(|line| !line.trim().is_empty() && line.trim() != "---").enumerate() {
        if let (Some(key), Some(item)) = (&open, item(line)) {
            match map.get_mut(key)? {
                Value::Array(items) => items.push(scalar(item)?),
                empty => *empty = Value::Array(vec![scalar(item)?]),
            }
            continue;
        }
        let (key, value) = member(line)?;
        // A sentence may lead to the lines.
        if index == 0 && value.is_empty() && key.contains(' ') {
            continue;
        }
        if map.contains_key(key) || line.starts_with([' ', '\t']) {
            return None;
        }
        let read = if value.is_empty() { Value::Null } else { scalar(value)? };
        open = value.is_empty().then(|| key.to_owned());
        map.insert(key.to_owned(), read);
    }
    // A key with nothing behind it says nothing.
    let whole = !map.is_empty() && !map.values().any(|value| value.is_null() && open.is_some());
    whole.then_some(Value::Object(map))
}

/// An item of a list, below the key that it belongs to.
fn item(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("- ").map(str::trim).filter(|item| member(item).is_none())
}

/// A key and the text behind it.
fn member(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let at = line.find([':', '='])?;
    let (key, value) = line.split_at_checked(at)?;
    let marks = ['*', '_', '"', '\'', '`', ' '];
    let bare = key.trim_matches(marks);
    let value = value.get(1..)?;
    let spaced = value.is_empty() || value.starts_with([' ', '\t', '*']) || line.get(at..at + 1) == Some("=");
    let named = bare.chars().next().is_some_and(char::is_alphabetic)
        && bare.len() <= LONGEST_KEY
        && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'));
    // The marks around a key are not part of it, save that a key may begin with an underscore.
    let key = if key.trim().starts_with('_') && !key.trim().ends_with('_') { key.trim() } else { bare };
    (named && spaced).then(|| (key, value.trim().trim_start_matches("**").trim()))
}

/// A single value as a line has it; none where it could be anything but that.
fn scalar(text: &str) -> Option<Value> {
    let text = text.trim().strip_suffix(',').unwrap_or(text.trim());
    if text.starts_with(['{', '[']) {
        return read(text).ok().map(|reading| reading.value);
    }
    if text.starts_with(['|', '>', '&', '!', '<']) || text.contains(" #") || text.ends_with("...") {
        return None;
    }
    if let Some(value) = literal(text) {
        return Some(value);
    }
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    match quoted('"') {
        Some(_) => deed_canon::parse(text.as_bytes()).ok(),
        None => Some(Value::from(quoted('\'').unwrap_or(text))),
    }
}
