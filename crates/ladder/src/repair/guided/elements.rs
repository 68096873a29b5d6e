//! Elements of XML whose names are the declared keys, read as an object.
//!
//! Attributes, mixed content and undeclared names are refused: they say more than an object can.

use super::Judge;
use super::lines::body;
use super::lone::{is_open_thousand, is_unset, literal};
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::html::entity;
use crate::repair::kind::RepairKind;
use crate::repair::marks::REASONING;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::Value;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;
/// Elements within elements.
const DEEPEST: usize = 32;

/// The one reading of a text that is nothing but elements.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let part = body(text);
    let inner = excerpt(text, part.clone());
    let start = inner.len() - inner.trim_start().len();
    let elements = inner
        .trim()
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
        .map_or(inner.trim(), |(_, rest)| rest.trim());
    let Some(content) = content(elements, judge, 0) else { return Vec::new() };
    let json = match content {
        Content::Members(members) => match members.as_slice() {
            // One element around the others is the document.
            [(name, Content::Members(inner))] if !judge.knows(name) => object(inner),
            members => object(members),
        },
        Content::Text(_) => None,
    };
    let Some((json, value)) = json.and_then(|json| Some((json.clone(), strict::parse(&json).ok()?))) else {
        return Vec::new();
    };
    let (from, to) = (part.start + start, part.start + inner.trim_end().len());
    let mut repairs = Vec::new();
    strip(text, 0..from, Side::Before, &mut repairs);
    repairs.push(Repair::replace(RepairKind::ForeignValue, from..to, json));
    strip(text, to..text.len(), Side::After, &mut repairs);
    vec![Reading { value, repairs }]
}

/// The inside of an element.
enum Content {
    Text(String),
    Members(Vec<(String, Content)>),
}

fn content(text: &str, judge: &dyn Judge, depth: usize) -> Option<Content> {
    let text = text.trim();
    if !text.starts_with('<') {
        return unescaped(text).filter(|_| !text.contains(['<', '>'])).map(Content::Text);
    }
    if depth > DEEPEST {
        return None;
    }
    let mut members = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let tag = rest.strip_prefix('<')?;
        let name = tag.get(..tag.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))?)?;
        let inside = tag.get(name.len()..)?.strip_prefix('>')?;
        let close = format!("</{name}>");
        let end = inside.find(&close)?;
        let value = inside.get(..end)?;
        // The same element within itself would need to be counted.
        let is_reasoning = REASONING.iter().any(|tag| name.eq_ignore_ascii_case(tag));
        if name.is_empty() || is_reasoning || value.contains(&format!("<{name}>")) || (depth > 0 && !judge.knows(name))
        {
            return None;
        }
        members.push((judge.declared(name).unwrap_or_else(|| name.to_owned()), content(value, judge, depth + 1)?));
        rest = inside.get(end + close.len()..)?.trim_start();
    }
    Some(Content::Members(members))
}

/// An object of members in JSON; elements that are repeated are a list.
fn object(members: &[(String, Content)]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in members {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let member = |name: &str| {
        let values: Vec<String> =
            members.iter().filter(|(known, _)| known == name).map(|(_, value)| json(value)).collect::<Option<_>>()?;
        let value = match values.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(",")),
        };
        Some(format!("{}:{value}", Value::from(name)))
    };
    let members: Vec<String> = names.into_iter().map(member).collect::<Option<_>>()?;
    Some(format!("{{{}}}", members.join(",")))
}

fn json(content: &Content) -> Option<String> {
    match content {
        Content::Text(text) => match literal(text) {
            Some(Value::Number(_)) if is_open_thousand(text) => Some(Value::from(text.as_str()).to_string()),
            Some(Value::Number(_)) => Some(text.clone()),
            Some(value) => Some(value.to_string()),
            None if text.is_empty() || is_unset(text) => None,
            None => Some(Value::from(text.as_str()).to_string()),
        },
        Content::Members(members) => object(members),
    }
}

/// A text without entities; none where one is not known.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices('&') {
        let rest = excerpt(text, at..);
        let Some((c, width)) = entity(rest) else {
            let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#');
            match rest.get(1..)?.split_once(';') {
                Some((name, _)) if is_name(name) => return None,
                _ => continue,
            }
        };
        out.push_str(text.get(from..at)?);
        out.push(c);
        from = at + width;
    }
    out.push_str(excerpt(text, from..));
    Some(out)
}
