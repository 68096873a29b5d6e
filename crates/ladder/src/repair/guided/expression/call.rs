//! Calls with their arguments, and the values that they stand for.

use crate::repair::strict;
use serde_json::Value;

/// Constructors that stand for their only argument.
const TRANSPARENT: [&str; 41] = [
    "decimal",
    "numberint",
    "numberlong",
    "numberdecimal",
    "int32",
    "int64",
    "long",
    "double",
    "objectid",
    "isodate",
    "uuid",
    "str",
    "string",
    "int",
    "float",
    "bool",
    "number",
    "bigint",
    "timestamp",
    "path",
    "posixpath",
    "purewindowspath",
    "windowspath",
    "float64",
    "float32",
    "bool_",
    "str_",
    "some",
    "set",
    "frozenset",
    "list",
    "tuple",
    "array",
    "deque",
    "url",
    "anyurl",
    "httpurl",
    "counter",
    "dumps",
    "stringify",
    "print",
];
/// Constructors of an object from pairs or from an object.
const MAPS: [&str; 6] = ["ordereddict", "dict", "map", "mappingproxytype", "object", "hash"];

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) plain: Vec<String>,
    pub(super) named: Vec<(String, String)>,
}

/// The value that a call stands for.
pub(super) fn called(name: &str, arguments: Arguments) -> Option<String> {
    let Arguments { plain, named } = arguments;
    let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    // The months of JavaScript begin at zero, so a `Date` of numbers is not read.
    let is_python = name.rsplit('.').next().is_some_and(|last| last.starts_with('d'));
    let is_text = matches!(plain.as_slice(), [text] if text.starts_with('"'));
    if matches!(last.as_str(), "date" | "datetime") && (is_python || is_text) && !plain.is_empty() {
        return date(&last, &plain, &named);
    }
    if plain.is_empty() && !named.is_empty() {
        return object(&named);
    }
    if !named.is_empty() {
        return None;
    }
    let [only] = plain.as_slice() else {
        return (last == "of" && plain.len() > 1).then(|| format!("[{}]", plain.join(",")));
    };
    let value = strict::parse(only).ok()?;
    if MAPS.contains(&last.as_str()) {
        return if value.is_object() { Some(only.clone()) } else { pairs(&value) };
    }
    // A function that takes one object is called with the answer.
    (TRANSPARENT.contains(&last.as_str()) || value.is_object()).then(|| only.clone())
}

/// An object of a list of pairs.
fn pairs(value: &Value) -> Option<String> {
    let members: Option<Vec<(String, String)>> = value
        .as_array()?
        .iter()
        .map(|pair| match pair.as_array()?.as_slice() {
            [Value::String(key), value] => Some((key.clone(), value.to_string())),
            _ => None,
        })
        .collect();
    object(&members?)
}

/// An object of members in JSON; none where a key stands twice.
pub(super) fn object(members: &[(String, String)]) -> Option<String> {
    let distinct =
        members.iter().enumerate().all(|(at, (key, _))| !members.iter().take(at).any(|(other, _)| other == key));
    let written: Vec<String> =
        members.iter().map(|(key, value)| format!("{}:{value}", Value::from(key.as_str()))).collect();
    distinct.then(|| format!("{{{}}}", written.join(",")))
}

/// `date(2021, 3, 15)`, and `datetime(2021, 3, 15, 10, 0)` with a zone that is UTC or none.
fn date(name: &str, plain: &[String], named: &[(String, String)]) -> Option<String> {
    if let [text] = plain
        && text.starts_with('"')
    {
        return Some(text.clone());
    }
    let parts: Option<Vec<u32>> = plain.iter().map(|part| part.parse::<u32>().ok()).collect();
    let parts = parts?;
    let zone = match named {
        [] => "",
        [(zone, value)] if zone == "tzinfo" && value.contains("utc") => "Z",
        _ => return None,
    };
    let (Some(year), Some(month), Some(day)) = (parts.first(), parts.get(1), parts.get(2)) else { return None };
    if *year < 1000 || !(1..=12).contains(month) || !(1..=31).contains(day) {
        return None;
    }
    let time = |at: usize| parts.get(at).copied().unwrap_or(0);
    match (name, parts.len()) {
        ("date", 3) => Some(format!("\"{year:04}-{month:02}-{day:02}\"")),
        ("datetime", 3..=6) if time(3) < 24 && time(4) < 60 && time(5) < 60 => {
            Some(format!("\"{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{zone}\"", time(3), time(4), time(5)))
        }
        _ => None,
    }
}
