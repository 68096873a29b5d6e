//! Unknown keys that may be a missing key under another name.
//!
//! A default that is kept out can be put in by hand; one that hides data cannot be seen. So a key claims a missing one
//! by far less than a rename needs: a name that may be the same, whatever its value is; a value that the missing key
//! lists, or one of its kind where few values are; or the very name further down.

use crate::climb::{Cx, Source};
use crate::embed::{Entry, words};
use crate::naming::same_words;
use crate::place::{push, push_index};
use crate::prose::writes_value_of;
use crate::rungs::structure;
use crate::rungs::vector::same_letters;
use deed_canon::Pointer;
use deed_diag::quote;
use deed_imprint::{Expected, ValueKind};
use serde_json::Value;

/// Levels below an unknown key that are searched for the missing name.
const DEEPEST: usize = 8;
/// A word is the beginning of a choice from so many letters on.
const BEGINNING: usize = 3;

/// A key that is missing and has a default.
pub(super) struct Wanted<'w> {
    pub(super) key: &'w str,
    pub(super) default: Option<&'w Value>,
    pub(super) place: Expected<'w>,
    pub(super) entry: Entry,
}

/// An unknown key that may be meant by a missing one.
pub(crate) enum Claim {
    /// A key of the same object, by its name.
    Beside(String),
    /// A key of another object, by its place.
    Elsewhere(String),
}

impl Claim {
    /// The key as a message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Beside(name) => quote(name),
            Self::Elsewhere(at) => format!("the one at {}", quote(at)),
        }
    }
}

/// The claim of an unknown key of an object, or of what it holds, to be a missing one.
pub(super) fn claim(
    cx: Cx<'_>,
    source: &Source<'_>,
    (object, name, value): (&str, &str, &Value),
    wanted: &Wanted<'_>,
) -> Option<Claim> {
    let beside = || Claim::Beside(name.to_owned());
    if same_letters(name, wanted.key) {
        return Some(beside());
    }
    let mut at = Pointer::push(object, name);
    if holds(value, wanted.key, DEEPEST, &mut at) {
        return Some(Claim::Elsewhere(at));
    }
    may_be(cx, source, (name, value), wanted).then(beside)
}

/// The claim of an unknown key of an object above the one that lacks a key: `land` beside `address`, which has no
/// `country`. It stands further off, so that it needs the name, a value that the missing key lists, or one of the form of
/// its default.
pub(super) fn claim_above(
    cx: Cx<'_>,
    (object, name, value): (&str, &str, &Value),
    wanted: &Wanted<'_>,
) -> Option<Claim> {
    let by_form = || wanted.default.is_some_and(|default| same_form(value, default)) && wanted.place.fits(value);
    let claims = says(cx, (name, value), wanted) || by_form();
    claims.then(|| Claim::Elsewhere(Pointer::push(object, name)))
}

/// Whether the name of an unknown key, or what it holds, says that it may be meant by a missing one.
fn says(cx: Cx<'_>, (name, value): (&str, &Value), wanted: &Wanted<'_>) -> bool {
    // A name that cannot be read may be any.
    !name.is_ascii()
        || cx.likeness.may_be(cx.ladder, &wanted.entry, name)
        || writes(value, wanted.key)
        || is_choice(value, &wanted.place)
        || names_choice(name, value, &wanted.place)
}

/// Whether an unknown key and its value may be meant by a missing one.
fn may_be(cx: Cx<'_>, source: &Source<'_>, (name, value): (&str, &Value), wanted: &Wanted<'_>) -> bool {
    if says(cx, (name, value), wanted) {
        return true;
    }
    // A list under another name is a history or a set, and not the one value that is missing.
    let of_one = !value.is_array() || wanted.place.takes(ValueKind::List);
    let same_kind =
        || of_few_values(value, &wanted.place) || wanted.default.is_some_and(|default| same_form(value, default));
    let fits = || wanted.place.fits(value) || structure::is_fixable(cx, source, "", value, &wanted.place);
    of_one && same_kind() && fits()
}

/// Whether the missing name stands in what an unknown key holds: an object, or a list of one. The place is then that of
/// the name, and unchanged otherwise.
fn holds(value: &Value, key: &str, levels: usize, at: &mut String) -> bool {
    let length = at.len();
    let found = match value {
        Value::Object(map) if levels > 0 => map.iter().any(|(name, inner)| {
            at.truncate(length);
            push(at, name);
            same_letters(name, key) || holds(inner, key, levels - 1, at)
        }),
        Value::Array(items) if levels > 0 => match items.as_slice() {
            [only] => {
                push_index(at, 0);
                holds(only, key, levels - 1, at)
            }
            _ => false,
        },
        _ => false,
    };
    if !found {
        at.truncate(length);
    }
    found
}

/// Whether a text, or one of a list, writes a value of the missing key: `limit=5`.
fn writes(value: &Value, key: &str) -> bool {
    match value {
        Value::String(text) => writes_value_of(text, key),
        Value::Array(items) => items.iter().filter_map(Value::as_str).any(|text| writes_value_of(text, key)),
        _ => false,
    }
}

/// Whether a value, or the only one of a list, is one that the missing key lists, or begins as one does: `euro` for
/// `EUR`.
fn is_choice(value: &Value, place: &Expected<'_>) -> bool {
    let value = match value.as_array().map(Vec::as_slice) {
        Some([only]) => only,
        _ => value,
    };
    let Some(text) = value.as_str() else { return false };
    let begins = |choice: &str| match (words(text).as_slice(), words(choice).as_slice()) {
        ([one], [two]) => {
            let long = one.chars().count().min(two.chars().count()) >= BEGINNING;
            long && (one.starts_with(two.as_str()) || two.starts_with(one.as_str()))
        }
        _ => false,
    };
    let choices = place.choices().unwrap_or_default();
    choices.iter().filter_map(|choice| choice.as_str()).any(|choice| same_words(choice, text) || begins(choice))
}

/// Whether a flag is named as one of the values that the missing key lists: `is_active` beside `status`.
fn names_choice(name: &str, value: &Value, place: &Expected<'_>) -> bool {
    let name = words(name);
    let named = |choice: &&Value| {
        let choice = choice.as_str().map(words).unwrap_or_default();
        !choice.is_empty() && name.windows(choice.len()).any(|part| part == choice.as_slice())
    };
    value.is_boolean() && place.choices().unwrap_or_default().iter().any(named)
}

/// Whether a value is a number or a boolean where nothing else is asked for.
fn of_few_values(value: &Value, place: &Expected<'_>) -> bool {
    let only = |kind: ValueKind| place.takes_only(kind);
    match value {
        Value::Bool(_) => only(ValueKind::Boolean),
        Value::Number(_) => only(ValueKind::Number) || only(ValueKind::Integer),
        _ => false,
    }
}

/// Whether two texts have the form of one code, as `USD` and `EUR` have, or two dates.
fn same_form(value: &Value, default: &Value) -> bool {
    let form = |value: &Value| {
        let text = value.as_str()?;
        let is_code = !text.is_empty() && !text.contains(|c: char| c.is_lowercase() || c.is_whitespace());
        let class = |c: char| {
            if c.is_ascii_digit() {
                '0'
            } else if c.is_alphabetic() {
                'A'
            } else {
                c
            }
        };
        is_code.then(|| text.chars().map(class).collect::<String>())
    };
    form(value).is_some() && form(value) == form(default)
}
