//! A value of another notation, typed by the schema and written as JSON.
//!
//! The notation says what is text, and how values lie within each other. The schema decides what it leaves open: the
//! type of a text without quotes, whether empty brackets are a list, whether a member that stands several times is one.
//! What neither decides has no reading.

use super::node::{Node, Object};
use crate::naming::same_but_style;
use crate::repair::guided::lone::{is_open_thousand, is_unset, literal};
use deed_imprint::{Expected, ValueKind};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Values within values.
const DEEPEST: usize = 96;

/// Writes a value as JSON; none where the schema leaves open what it is.
pub(in crate::repair::guided) fn fitted(node: &Node<'_>, expected: &Expected<'_>) -> Option<String> {
    let mut json = String::new();
    write(node, expected, &mut json, 0)?;
    Some(json)
}

/// Returns whether an object has a key that the schema declares, or stands where the schema declares none.
pub(super) fn is_known(node: &Node<'_>, expected: &Expected<'_>) -> bool {
    let value = node.provisional();
    match node {
        Node::Object(object) if items_of(object, expected).is_some() => {
            object.members.first().is_none_or(|(_, first)| is_known(first, &expected.item(&value, 0)))
        }
        Node::Object(object) => {
            let keys = expected.keys(&value);
            let first = |key: &str| {
                key.split('.').next().is_some_and(|first| keys.iter().any(|known| same_but_style(known.name, first)))
            };
            let known =
                |key: &str| keys.iter().any(|known| same_but_style(known.name, key)) || (object.paths && first(key));
            keys.is_empty() || object.members.iter().any(|(key, _)| known(key))
        }
        Node::List(items) => items.first().is_none_or(|first| is_known(first, &expected.item(&value, 0))),
        _ => true,
    }
}

fn write(node: &Node<'_>, expected: &Expected<'_>, json: &mut String, depth: usize) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    match node {
        Node::Text(text) => push_text(text, json),
        // A number in digits that are not JSON's is no text: `0xFF` is neither `255` nor `0xFF` for sure.
        Node::Number(Cow::Owned(_)) if expected.takes_only(ValueKind::Text) => return None,
        Node::Number(digits) => json.push_str(digits),
        Node::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
        Node::Null => json.push_str("null"),
        Node::Bare(text) => push_bare(text, expected, json)?,
        Node::Written(written) => json.push_str(written),
        Node::Name(name) => push_text(named(name, expected)?, json),
        Node::Nothing => json.push_str(nothing(expected)?),
        Node::Empty => json.push_str(empty(expected)?),
        Node::List(items) => list(items.iter(), expected, json, depth)?,
        Node::Object(object) => match items_of(object, expected) {
            Some(items) => list(items.into_iter(), expected, json, depth)?,
            None => members(object, expected, json, depth)?,
        },
    }
    Some(())
}

fn push_text(text: &str, json: &mut String) {
    json.push_str(&Value::from(text).to_string());
}

/// A text without quotes: the literal that it is, but for digits and booleans where only text may stand. A word for a
/// missing value is text where it is a choice, and as `Null`, which is a name.
fn push_bare(text: &str, expected: &Expected<'_>, json: &mut String) -> Option<()> {
    let is_text = expected.takes_only(ValueKind::Text);
    if expected.choices().is_some_and(|choices| choices.iter().any(|choice| choice.as_str() == Some(text))) {
        push_text(text, json);
        return Some(());
    }
    if is_unset(text) {
        return None;
    }
    match literal(text) {
        Some(Value::Number(_)) if is_open_thousand(text) => push_text(text, json),
        Some(Value::Number(_)) if !is_text => json.push_str(text),
        Some(Value::Bool(_)) if is_text => push_text(text, json),
        Some(Value::Null) if is_text && text == "Null" && !expected.fits(&Value::Null) => push_text(text, json),
        Some(value) if !value.is_number() => json.push_str(&value.to_string()),
        _ => push_text(text, json),
    }
    Some(())
}

/// The choice of the schema that a constant is named like.
fn named<'i>(name: &str, expected: &Expected<'i>) -> Option<&'i str> {
    let choices = expected.choices()?;
    let mut found = choices.into_iter().filter_map(Value::as_str).filter(|choice| same_but_style(choice, name));
    found.next().filter(|_| found.next().is_none())
}

/// What a member with nothing in it is: an empty text or list, or null, where only that may stand.
fn nothing(expected: &Expected<'_>) -> Option<&'static str> {
    let is_nullable = expected.fits(&Value::Null);
    if expected.is_anything() {
        return None;
    }
    match (expected.takes(ValueKind::Text), expected.takes(ValueKind::List), is_nullable) {
        (true, false, false) => Some("\"\""),
        (false, true, false) => Some("[]"),
        (false, false, true) => Some("null"),
        _ => None,
    }
}

/// Empty brackets: a list or an object, where only that may stand.
fn empty(expected: &Expected<'_>) -> Option<&'static str> {
    match (expected.takes(ValueKind::List), expected.takes(ValueKind::Object)) {
        (true, false) => Some("[]"),
        (false, true) => Some("{}"),
        _ => None,
    }
}

fn list<'n, 't: 'n>(
    items: impl Iterator<Item = &'n Node<'t>>,
    expected: &Expected<'_>,
    json: &mut String,
    depth: usize,
) -> Option<()> {
    let none = Value::Array(Vec::new());
    json.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            json.push(',');
        }
        write(item, &expected.item(&none, index), json, depth + 1)?;
    }
    json.push(']');
    Some(())
}

/// The items of a list that is written as members of one name, where only a list may stand.
fn items_of<'n, 't>(object: &'n Object<'t>, expected: &Expected<'_>) -> Option<Vec<&'n Node<'t>>> {
    let (first, _) = object.members.first()?;
    let is_one = object.members.iter().all(|(key, _)| key == first);
    let is_list = object.repeats && is_one && expected.takes_only(ValueKind::List);
    is_list.then(|| object.members.iter().map(|(_, node)| node).collect())
}

/// The declared name of a key: the key itself, or the only one that it differs from in style alone.
fn declared<'k>(key: &'k str, names: &[&'k str]) -> &'k str {
    if names.contains(&key) {
        return key;
    }
    let mut found = names.iter().filter(|name| same_but_style(name, key));
    found.next().filter(|_| found.next().is_none()).copied().unwrap_or(key)
}

fn members(object: &Object<'_>, expected: &Expected<'_>, json: &mut String, depth: usize) -> Option<()> {
    let nested = if object.paths { Some(nested(object, expected)?) } else { None };
    let object = nested.as_ref().unwrap_or(object);
    let value = object.provisional();
    let keys = expected.keys(&value);
    let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
    let mut order: Vec<&str> = Vec::new();
    let mut by_name: HashMap<&str, Vec<&Node<'_>>> = HashMap::new();
    for (key, node) in &object.members {
        let name = declared(key, &names);
        let known = by_name.entry(name).or_default();
        if known.is_empty() {
            order.push(name);
        }
        known.push(node);
    }
    json.push('{');
    for (index, name) in order.into_iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        push_text(name, json);
        json.push(':');
        let here = expected.key(&value, name);
        match by_name.get(name)?.as_slice() {
            [only] if object.repeats && here.takes_only(ValueKind::List) && !is_listed(only) => {
                list(std::iter::once(*only), &here, json, depth + 1)?;
            }
            [only] => write(only, &here, json, depth + 1)?,
            several if object.repeats && here.takes(ValueKind::List) => {
                list(several.iter().copied(), &here, json, depth + 1)?;
            }
            _ => return None,
        }
    }
    json.push('}');
    Some(())
}

/// Returns whether a member is written as a list itself, or as what may be one.
fn is_listed(node: &Node<'_>) -> bool {
    match node {
        Node::List(_) | Node::Written(_) | Node::Empty | Node::Nothing | Node::Null => true,
        // Items of one name within the member.
        Node::Object(object) => {
            object.repeats && {
                let first = object.members.first().map(|(key, _)| key);
                object.members.iter().all(|(key, _)| Some(key) == first)
            }
        }
        // `red, green`: a later rung splits it, or refuses to.
        Node::Bare(text) => text.contains([',', ';']),
        _ => false,
    }
}

/// An object whose keys with dots are objects within each other, unless the schema has the key as it is.
fn nested<'t>(object: &Object<'t>, expected: &Expected<'_>) -> Option<Object<'t>> {
    let value = object.provisional();
    let keys = expected.keys(&value);
    let is_whole = |key: &str| keys.iter().any(|known| same_but_style(known.name, key)) || !key.contains('.');
    let mut order: Vec<Cow<'t, str>> = Vec::new();
    let mut groups: HashMap<Cow<'t, str>, Object<'t>> = HashMap::new();
    let mut members = Vec::new();
    let mut plain: HashSet<&str> = HashSet::new();
    for (key, node) in &object.members {
        let split = if is_whole(key) { None } else { key.split_once('.') };
        let Some((first, rest)) = split else {
            plain.insert(key);
            members.push((key.clone(), node.clone()));
            continue;
        };
        let first: Cow<'t, str> = Cow::Owned(first.to_owned());
        let group = groups.entry(first.clone()).or_insert_with(|| {
            order.push(first);
            Object { paths: true, repeats: object.repeats, members: Vec::new() }
        });
        group.members.push((Cow::Owned(rest.to_owned()), node.clone()));
    }
    for first in order {
        let group = groups.remove(&first)?;
        // A key cannot be a value and an object.
        if plain.contains(first.as_ref()) {
            return None;
        }
        members.push((first, Node::Object(group)));
    }
    Some(Object { members, repeats: object.repeats, paths: false })
}
