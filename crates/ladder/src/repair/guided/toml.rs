//! Tables of TOML and sections of INI files: `[wind]` and the lines of its members below it.

use super::Judge;
use super::lines::{body, is_expression, member, scalar};
use crate::excerpt::excerpt;
use crate::prose::{Remark, remark};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::{Map, Value};

/// Longer texts are not read so.
const LARGEST: usize = 1 << 20;
/// Tables within tables.
const DEEPEST: usize = 16;

/// The one reading of a text as tables; none where it has none, or lines of another sort.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let part = body(text);
    let inner = excerpt(text, part.clone());
    if text.len() > LARGEST || !inner.lines().any(|line| header(line.trim()).is_some()) {
        return Vec::new();
    }
    let Some(json) = tables(inner, judge).map(|root| written(&Value::Object(root))) else { return Vec::new() };
    let Ok(value) = strict::parse(&json) else { return Vec::new() };
    let mut repairs = Vec::new();
    strip(text, 0..part.start, Side::Before, &mut repairs);
    repairs.push(Repair::replace(RepairKind::KeyValueLines, part.clone(), json));
    strip(text, part.end..text.len(), Side::After, &mut repairs);
    vec![Reading { value, repairs }]
}

/// The name of a table on a line of its own, and whether the table is an item of a list.
fn header(line: &str) -> Option<(&str, bool)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, listed) = match inner.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(name) => (name, true),
        None => (inner, false),
    };
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let plain = name.split('.').all(|part| is_name(part.trim())) && name.starts_with(char::is_alphabetic);
    plain.then_some((name, listed))
}

/// Tables as JSON. A text in them is the JSON of a value, so that numbers keep the digits that they were written with.
fn written(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let members: Vec<String> =
                map.iter().map(|(key, inner)| format!("{}:{}", Value::from(key.as_str()), written(inner))).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(",")),
        Value::String(json) => json.clone(),
        other => other.to_string(),
    }
}

/// The tables of a text, with every value as its JSON.
fn tables(text: &str, judge: &dyn Judge) -> Option<Map<String, Value>> {
    let mut root = Map::new();
    let mut path: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with(['#', ';']) {
            // A comment that questions a value leaves none.
            (remark(line) == Remark::Harmless).then_some(())?;
            continue;
        }
        if let Some((name, listed)) = header(line) {
            path = name.split('.').map(|part| named(part.trim(), judge)).collect();
            open(&mut root, &path, listed)?;
            continue;
        }
        let (key, value) = member(line).filter(|_| line.contains('='))?;
        let value = Value::String(scalar(value).filter(|_| !value.is_empty() && !is_expression(value))?);
        let table = at(&mut root, &path)?;
        if table.insert(named(key, judge), value).is_some() {
            return None;
        }
    }
    Some(root)
}

fn named(key: &str, judge: &dyn Judge) -> String {
    judge.declared(key).unwrap_or_else(|| key.to_owned())
}

/// Adds a table, or an item of a list of tables; none where another value stands there.
fn open(root: &mut Map<String, Value>, path: &[String], listed: bool) -> Option<()> {
    let (last, above) = path.split_last().filter(|_| path.len() <= DEEPEST)?;
    let mut table = root;
    for name in above {
        let next = table.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
        table = innermost(next)?;
    }
    match (table.get_mut(last), listed) {
        (None, true) => {
            table.insert(last.clone(), Value::Array(vec![Value::Object(Map::new())]));
        }
        (None, false) => {
            table.insert(last.clone(), Value::Object(Map::new()));
        }
        (Some(Value::Array(items)), true) => items.push(Value::Object(Map::new())),
        (Some(_), _) => return None,
    }
    Some(())
}

/// The table at a path; the last one of a list of tables.
fn at<'m>(root: &'m mut Map<String, Value>, path: &[String]) -> Option<&'m mut Map<String, Value>> {
    let mut table = root;
    for name in path {
        table = innermost(table.get_mut(name)?)?;
    }
    Some(table)
}

fn innermost(value: &mut Value) -> Option<&mut Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        Value::Array(items) => items.last_mut()?.as_object_mut(),
        _ => None,
    }
}
