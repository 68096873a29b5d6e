//! The call of a function with its parameters as elements: `<parameter name="city">Bergen</parameter>`, or
//! `<parameter=city>`, inside the element of one call.
//!
//! Only parameters that the schema declares are read, each once. Several calls, or anything else between the elements, are
//! refused.

use super::Judge;
use super::lone::literal;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::strict;
use serde_json::Value;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;
/// Elements around the parameters.
const MOST_AROUND: usize = 4;
/// The names of elements around the parameters of one call.
const AROUND: [&str; 8] =
    ["function_calls", "function_call", "tool_calls", "tool_call", "tool_use", "invoke", "function", "call"];
/// The names of elements that hold a parameter.
const PARAMETER: [&str; 4] = ["parameter", "param", "arg", "argument"];

/// The one reading of a text that is nothing but the parameters of one call.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let Some(json) = inside(text.trim()).and_then(|inner| object(inner, judge)) else { return Vec::new() };
    let Ok(value) = strict::parse(&json) else { return Vec::new() };
    vec![Reading { value, repairs: vec![Repair::replace(RepairKind::ForeignValue, 0..text.len(), json)] }]
}

/// The text inside the elements of a call.
fn inside(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..=MOST_AROUND {
        let tag = Tag::read(rest)?;
        if PARAMETER.contains(&tag.element) {
            return Some(rest);
        }
        let close = format!("</{}>", tag.element);
        rest = tag.rest.trim().strip_suffix(close.as_str()).filter(|_| AROUND.contains(&tag.element))?.trim();
    }
    None
}

/// An opening tag with at most one name, and what follows it.
struct Tag<'t> {
    element: &'t str,
    name: Option<&'t str>,
    rest: &'t str,
}

impl<'t> Tag<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (tag, rest) = text.strip_prefix('<')?.split_once('>')?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = tag.find(|c: char| !is_word(c)).unwrap_or(tag.len());
        let (element, said) = tag.split_at_checked(end)?;
        let quoted = |said: &'t str| {
            let said = said.trim().strip_prefix("name")?.trim_start().strip_prefix('=')?.trim();
            let quote = ['"', '\''].into_iter().find(|quote| said.starts_with(*quote))?;
            said.strip_prefix(quote)?.strip_suffix(quote)
        };
        let name = match said.trim() {
            "" => None,
            said => Some(said.strip_prefix('=').map(str::trim).or_else(|| quoted(said))?),
        };
        let is_named = name.is_none_or(|name| !name.is_empty() && name.chars().all(is_word));
        (!element.is_empty() && is_named).then_some(Self { element, name, rest })
    }
}

/// The parameters, as an object in JSON.
fn object(text: &str, judge: &dyn Judge) -> Option<String> {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let tag = Tag::read(rest)?;
        let (content, after) = tag.rest.split_once(&format!("</{}>", tag.element))?;
        let name = tag.name.filter(|_| PARAMETER.contains(&tag.element))?;
        let key = judge.declared(name).or_else(|| judge.knows(name).then(|| name.to_owned()))?;
        if members.iter().any(|(known, _)| *known == key) || content.contains(['<', '>']) {
            return None;
        }
        members.push((key, value(content.trim())?));
        rest = after.trim_start();
    }
    let written: Vec<String> =
        members.iter().map(|(key, value)| format!("{}:{value}", Value::from(key.as_str()))).collect();
    (!members.is_empty()).then(|| format!("{{{}}}", written.join(",")))
}

/// The content of a parameter, in JSON. Numbers keep the digits that the text has.
fn value(content: &str) -> Option<String> {
    if content.is_empty() {
        return None;
    }
    if content.starts_with(['{', '[', '"']) {
        return strict::parse(content).ok().map(|value| value.to_string());
    }
    Some(match literal(content) {
        Some(Value::Number(_)) => content.to_owned(),
        Some(value) => value.to_string(),
        None => Value::from(content).to_string(),
    })
}
