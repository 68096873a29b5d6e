//! The ways to read a value as what is asked for: one fix, or several on top of each other where no single one will do.

use super::call::{handed_over, only_call};
use super::chat::answer;
use super::numbers::{Field, is_grouped_by_point, number};
use crate::embed::words;
use crate::naming::same_words;
use crate::repair::{Certainty, read};
use deed_imprint::{Expected, ValueKind};
use deed_model::StructuralFix;
use serde_json::{Number, Value};

/// Fixes that may stand on top of each other at one place.
const MOST_STEPS: usize = 8;

/// The fixes that make one reading, each with the value that it leaves.
pub(super) type Chain = Vec<(StructuralFix, Value)>;

/// What a contract says of fixes.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) fixes: &'r [StructuralFix],
    pub(super) wrappers: &'r [String],
    /// How the text writes a number.
    pub(super) written: &'r dyn Fn(&Number) -> Option<String>,
    /// The words for the field that the value stands in.
    pub(super) field: &'r Field,
}

/// Every reading of a value. Several fixes are put together only where no single one makes it what is asked for.
pub(super) fn readings(value: &Value, expected: &Expected<'_>, rules: Rules<'_>) -> Vec<Chain> {
    let single = single(value, expected, rules);
    if single.is_empty() { composed(value, expected, rules, MOST_STEPS) } else { single }
}

fn single(value: &Value, expected: &Expected<'_>, rules: Rules<'_>) -> Vec<Chain> {
    let mut found = Vec::new();
    for fix in rules.fixes {
        let read = match fix {
            StructuralFix::ParseText => parsed(value, expected).or_else(|| split(value, expected)),
            StructuralFix::Unwrap => {
                unwrapped(value, expected, rules.wrappers).or_else(|| only_scalar(value, expected, rules))
            }
            StructuralFix::WrapItem => wrapped(value, expected).or_else(|| only_value(value, expected)),
            StructuralFix::ReadScalar => scalar(value, expected)
                .or_else(|| truth(value, expected))
                .or_else(|| text(value, expected, rules.written))
                .or_else(|| number_as_written(value, expected, rules.field)),
        };
        found.extend(read.map(|read| vec![(*fix, read)]));
    }
    found
}

/// Readings by several fixes: something is taken off, and what is left is read; or an item that needs mending itself
/// is put into a list.
fn composed(value: &Value, expected: &Expected<'_>, rules: Rules<'_>, steps: usize) -> Vec<Chain> {
    let mut found = Vec::new();
    if steps == 0 || expected.is_anything() {
        return found;
    }
    for fix in rules.fixes {
        let inner = match fix {
            StructuralFix::ParseText => text_of_text(value, expected),
            StructuralFix::Unwrap => taken_off(value, expected, rules.wrappers),
            StructuralFix::WrapItem => {
                found.extend(nearly_an_item(value, expected).map(|list| vec![(*fix, list)]));
                None
            }
            StructuralFix::ReadScalar => None,
        };
        let Some(inner) = inner else { continue };
        let mut rest = single(&inner, expected, rules);
        rest.retain(|chain| chain.last().is_some_and(|(_, read)| is_sensible(read, expected)));
        if rest.is_empty() {
            rest = composed(&inner, expected, rules, steps - 1);
        }
        for mut chain in rest {
            chain.insert(0, (*fix, inner.clone()));
            found.push(chain);
        }
    }
    found
}

/// Whether a value is worth taking something off for: a list, or an object with keys that are known. A number is not.
fn is_sensible(value: &Value, expected: &Expected<'_>) -> bool {
    match value {
        Value::Object(map) => map.keys().any(|key| expected.has_key(value, key)) || expected.fits(value),
        other => other.is_array(),
    }
}

/// The object or text that a text is the JSON of, where neither was asked for.
fn text_of_text(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    // Most texts are neither, and need not be read to know that.
    let text = value.as_str().filter(|text| text.contains(['{', '"']) && !expected.takes(ValueKind::Text))?;
    exactly(text).filter(|read| read.is_object() || read.is_string())
}

/// What stands in an object of one key that has no place here: another object, or the JSON of something.
fn taken_off(value: &Value, expected: &Expected<'_>, wrappers: &[String]) -> Option<Value> {
    if let Some(call) = only_call(value).filter(|_| !expected.takes(ValueKind::List)) {
        return Some(call.clone());
    }
    let open = |text: &&str| wrappers.is_empty() && is_json(text) && !describes(value, expected);
    if let Some(text) = answer(value).filter(open) {
        return Some(Value::from(text));
    }
    let (key, inner) = only_member(value, wrappers)?;
    let belongs = expected.takes(ValueKind::Object) && expected.has_key(value, key);
    let promising = inner.is_object() || inner.as_str().is_some_and(is_json) || only_call(inner).is_some();
    (!belongs && promising).then(|| inner.clone())
}

/// Whether the schema has a place for one of the keys of an object.
fn describes(value: &Value, expected: &Expected<'_>) -> bool {
    let map = value.as_object();
    expected.takes(ValueKind::Object) && map.is_some_and(|map| map.keys().any(|key| expected.has_key(value, key)))
}

/// A list of the one item that a value is but for its own slips: an object with keys of an item, or a number as text.
fn nearly_an_item(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    if !expected.takes_only(ValueKind::List) {
        return None;
    }
    let list = Value::Array(vec![value.clone()]);
    let item = expected.item(&list, 0);
    let is_near = match value {
        Value::Object(map) => {
            item.takes(ValueKind::Object) && item.keys(value).iter().any(|key| map.contains_key(key.name))
        }
        text => scalar(text, &item).is_some(),
    };
    (is_near && !item.is_anything()).then_some(list)
}

/// The value of a text, if only its notation had to be mended.
fn exactly(text: &str) -> Option<Value> {
    read(text).ok().filter(|reading| reading.certainty() == Certainty::Exact).map(|reading| reading.value)
}

/// Whether a text is the JSON of an object or a list, or of such a text.
fn is_json(text: &str) -> bool {
    match exactly(text) {
        Some(Value::Object(_) | Value::Array(_)) => true,
        Some(Value::String(inner)) => inner.len() < text.len() && is_json(&inner),
        _ => false,
    }
}

/// The only member of an object, if it may be a wrapper; of the envelope of a call, what the call hands over.
fn only_member<'v>(value: &'v Value, wrappers: &[String]) -> Option<(&'v String, &'v Value)> {
    let may_wrap = |key: &String| wrappers.is_empty() || wrappers.contains(key);
    let mut members = value.as_object()?.iter();
    match (members.next(), members.next()) {
        (Some(only), None) => Some(only).filter(|(key, _)| may_wrap(key)),
        _ => handed_over(value).filter(|(key, _)| may_wrap(key)),
    }
}

/// Text that should be an object or a list and is the JSON of one.
fn parsed(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    let text = value.as_str().filter(|_| !expected.takes(ValueKind::Text))?;
    // Text within a payload has the slips of text; only those that leave the value as it was are mended here.
    let read = exactly(text)?;
    let asked = match &read {
        Value::Object(_) => expected.takes(ValueKind::Object),
        Value::Array(_) => expected.takes(ValueKind::List),
        _ => false,
    };
    // What is inside may need mending of its own.
    asked.then_some(read)
}

/// What stands in an object that was not asked for.
fn unwrapped(value: &Value, expected: &Expected<'_>, wrappers: &[String]) -> Option<Value> {
    if let Value::Array(items) = value {
        return only_item(items, expected);
    }
    if let Some(text) = answer(value).filter(|_| wrappers.is_empty()).map(Value::from) {
        let asked = !expected.takes(ValueKind::Object) && !expected.takes(ValueKind::List) && !expected.is_anything();
        return (asked && expected.fits(&text)).then_some(text);
    }
    let (key, inner) = only_member(value, wrappers)?;
    // A key that belongs here is no wrapper.
    if expected.takes(ValueKind::Object) && (expected.has_key(value, key) || !inner.is_object()) {
        return None;
    }
    // What is inside may need mending of its own; it is enough that it is of the kind that was asked for.
    let asked = match inner {
        Value::Object(_) => {
            expected.takes(ValueKind::Object) && expected.is_known(inner) && is_sensible(inner, expected)
        }
        Value::Array(_) => expected.takes(ValueKind::List) && !expected.takes(ValueKind::Object),
        _ => false,
    };
    (asked && !expected.is_anything()).then(|| inner.clone())
}

/// The value in an object of one key, where the whole payload is a single value: `{"answer": 42}` for 42.
fn only_scalar(value: &Value, expected: &Expected<'_>, rules: Rules<'_>) -> Option<Value> {
    const NAMES: [&str; 22] = [
        "answer",
        "result",
        "value",
        "output",
        "response",
        "label",
        "category",
        "class",
        "classification",
        "sentiment",
        "prediction",
        "choice",
        "option",
        "verdict",
        "decision",
        "selection",
        "intent",
        "topic",
        "score",
        "rating",
        "number",
        "final",
    ];
    let (key, inner) =
        only_member(value, rules.wrappers).filter(|_| rules.field.name.is_empty() && !rules.field.is_item)?;
    let mut words = words(key).into_iter().map(|word| word.to_lowercase());
    if !words.all(|word| NAMES.contains(&word.as_str())) {
        return None;
    }
    let asked = !expected.takes(ValueKind::Object) && !expected.takes(ValueKind::List) && !expected.is_anything();
    let single = inner.is_string() || inner.is_number() || inner.is_boolean();
    (asked && single && expected.fits(inner)).then(|| inner.clone())
}

/// The only item of a list where one such value is asked for, and no list.
fn only_item(items: &[Value], expected: &Expected<'_>) -> Option<Value> {
    let [only] = items else { return None };
    let asked = !expected.takes(ValueKind::List) && !expected.is_anything();
    let fits = match only {
        Value::Object(_) => expected.takes(ValueKind::Object) && is_sensible(only, expected),
        Value::Array(_) | Value::Null => false,
        _ => expected.fits(only),
    };
    (asked && fits).then(|| only.clone())
}

/// One item where a list of such items is asked for.
fn wrapped(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    if value.is_array() || value.is_null() || !expected.takes_only(ValueKind::List) {
        return None;
    }
    let list = Value::Array(vec![value.clone()]);
    let item = expected.item(&list, 0);
    // Text that is a list is that list, not an item.
    let is_list = value.as_str().is_some_and(is_listed);
    (!is_list && !item.is_anything() && item.fits(value)).then_some(list)
}

/// A value where an object is asked for that has one key, which is required and takes that value: `[1, 2]` for
/// `{"sizes": [1, 2]}`.
fn only_value(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    // Text that is JSON is what it says.
    let is_open = value.is_null() || value.as_str().is_some_and(is_json);
    if is_open || !expected.takes_only(ValueKind::Object) {
        return None;
    }
    let none = Value::Object(serde_json::Map::new());
    let keys = expected.keys(&none);
    let [key] = keys.as_slice() else { return None };
    let of_key = expected.key(&none, key.name);
    // A map takes other keys too, and nothing says which one was meant.
    let is_closed = !expected.has_key(&none, "\u{1}");
    let object = Value::Object(std::iter::once((key.name.to_owned(), value.clone())).collect());
    // An object belongs beneath the key only if all of its own keys are known there.
    let is_apart = |map: &serde_json::Map<String, Value>| {
        map.contains_key(key.name) || map.is_empty() || !map.keys().all(|name| of_key.has_key(value, name))
    };
    if value.as_object().is_some_and(is_apart) {
        return None;
    }
    (key.required && is_closed && !of_key.is_anything() && of_key.fits(value)).then_some(object)
}

/// A truth value that is written as 1 or 0, where nothing else could be meant.
fn truth(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    let read = match value.as_i64()? {
        0 => Value::Bool(false),
        1 => Value::Bool(true),
        _ => return None,
    };
    (expected.takes_only(ValueKind::Boolean) && expected.fits(&read)).then_some(read)
}

/// Whether a text looks like several items: an item of its own would have to be taken apart to know.
fn is_listed(text: &str) -> bool {
    let text = text.trim();
    let joined = [" and ", " & ", " / ", " + ", " or "].iter().any(|word| text.contains(word));
    let slashed = text.contains('/') && text.chars().all(|c| c.is_alphabetic() || c == '/');
    let marked = text.contains([',', ';', '\n', '|', '\t']) || text.starts_with(['[', '(', '{']);
    text.is_empty() || joined || slashed || marked
}

/// The marks that stand between items of a list in a text, the surest first.
const BETWEEN: [&str; 6] = ["\n", ";", "|", ",", " and ", " & "];
/// The marks that stand between choices and also within other texts.
const BETWEEN_CHOICES: [&str; 2] = ["/", " + "];

/// A list written as text, where its items can be told from the text as a whole: the whole is no item, and each part is.
fn split(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    let text = value.as_str().map(str::trim).filter(|_| expected.takes_only(ValueKind::List))?;
    let inner =
        [('[', ']'), ('(', ')')].iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    let bare = inner.unwrap_or(text).trim();
    let item = expected.item(&Value::Array(vec![Value::Null]), 0);
    let whole = Value::from(text);
    let is_item = item.takes(ValueKind::Text) && item.fits(&whole) && has_form(text, &item);
    if bare.is_empty() || item.is_anything() || is_item {
        return None;
    }
    if !item.takes(ValueKind::Text) && may_be_one_number(bare) {
        return None;
    }
    let mut parts = vec![bare];
    let choices = item.choices().map(|_| BETWEEN_CHOICES).unwrap_or_default();
    for between in BETWEEN.into_iter().chain(choices).filter(|between| !between.is_empty()) {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    if parts.len() == 1 && are_blanks_between(bare, &item) {
        parts = bare.split_whitespace().collect();
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '•');
    let parts = parts.into_iter().map(|part| part.trim_matches(marks).trim_start_matches("- ").trim_matches(marks));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 && inner.is_none() {
        return None;
    }
    let items: Option<Vec<Value>> = parts.into_iter().map(|part| as_item(part, &item)).collect();
    items.map(Value::Array)
}

/// Whether blanks stand between the items of a text: each word is a choice and no two neighbours are one together, or
/// each is a number and the blanks cannot group the digits of one.
fn are_blanks_between(text: &str, item: &Expected<'_>) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 2 {
        return false;
    }
    if let Some(choices) = item.choices() {
        let is_choice = |text: &str| only_choice(text, &choices).is_some();
        let joined = || words.windows(2).any(|pair| is_choice(&pair.join(" ")));
        return words.iter().all(|word| is_choice(word)) && !joined();
    }
    let is_integer = |word: &&str| word.parse::<i64>().is_ok();
    // A point in each word leaves no group of digits.
    let is_fraction = |word: &&str| word.contains('.') && as_item(word, item).is_some();
    if item.takes_only(ValueKind::Number) && words.iter().all(is_fraction) {
        return true;
    }
    let grouped = words.windows(2).any(may_be_groups);
    item.takes_only(ValueKind::Integer) && words.iter().all(is_integer) && !grouped
}

/// Whether two runs of digits may be the groups of one number: `1 200`.
fn may_be_groups(pair: &[&str]) -> bool {
    match pair {
        [one, two] => one.trim_start_matches(['-', '+']).len() <= 3 && two.len() == 3,
        _ => false,
    }
}

/// Whether a comma between digits may stand within a number: it groups thousands (`1,234`) or begins a fraction
/// (`3,14`). A list without blanks has more commas than that, and none of its parts is a group of three.
fn may_be_one_number(text: &str) -> bool {
    // A comma with a blank behind it stands between items.
    let parts = text.split(['\n', ';', '|']).flat_map(|part| part.split(", "));
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    let several = parts.len() > 1;
    parts.into_iter().any(|part| {
        let tight: Vec<&str> = part.split(',').collect();
        let (Some((first, rest)), true) = (tight.split_first(), tight.len() > 1) else { return false };
        let is_digits =
            |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let inner = rest.iter().any(|group| group.starts_with(|c: char| c.is_ascii_digit()));
        let digits = |group: &str| group.trim_start_matches(['-', '+']).split('.').next().map_or(0, str::len);
        let groups = std::iter::once(first).chain(rest).collect::<Vec<_>>();
        let thousands = groups.windows(2).any(|pair| match pair {
            [one, two] => is_digits(one.trim_start_matches(['-', '+'])) && digits(one) <= 3 && digits(two) == 3,
            _ => false,
        });
        inner && (several || tight.len() == 2 || thousands)
    })
}

/// The item that a part of a text is.
fn as_item(part: &str, item: &Expected<'_>) -> Option<Value> {
    if let Some(choices) = item.choices() {
        return only_choice(part, &choices);
    }
    let text = Value::from(part);
    if item.takes(ValueKind::Text) {
        return (item.fits(&text) && has_form(part, item)).then_some(text);
    }
    scalar(&text, item)
}

/// Whether a text has the form that is asked for, as far as it can be told here: a date has no blanks and no commas.
fn has_form(text: &str, item: &Expected<'_>) -> bool {
    match item.format() {
        Some("date") => {
            let parts: Vec<&str> = text.split('-').collect();
            let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
            parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.iter().all(digits)
        }
        Some("date-time" | "time" | "email" | "uri" | "uuid" | "ipv4" | "ipv6" | "hostname") => {
            !text.contains([',', ';', '|', ' ', '\n'])
        }
        _ => true,
    }
}

/// The only one of several choices that a text is, in whatever style.
fn only_choice(text: &str, choices: &[&Value]) -> Option<Value> {
    let exact = choices.iter().find(|choice| choice.as_str() == Some(text));
    let mut styled = choices.iter().filter(|choice| choice.as_str().is_some_and(|choice| same_words(choice, text)));
    let styled = || styled.next().filter(|_| styled.next().is_none());
    exact.or_else(styled).map(|choice| (*choice).clone())
}

/// A number, and a boolean that the schema lists as text, where text is asked for.
fn text(value: &Value, expected: &Expected<'_>, written: &dyn Fn(&Number) -> Option<String>) -> Option<Value> {
    if !expected.takes_only(ValueKind::Text) {
        return None;
    }
    match value {
        Value::Number(number) => {
            let text = Value::String(written(number)?);
            expected.fits(&text).then_some(text)
        }
        Value::Bool(flag) => only_choice(&flag.to_string(), &expected.choices()?),
        _ => None,
    }
}

/// Whether a text says that there is no value.
pub(crate) fn is_nothing(text: &str) -> bool {
    const WORDS: [&str; 17] = [
        "",
        "-",
        "–",
        "—",
        "n/a",
        "na",
        "nil",
        "null",
        "none",
        "undefined",
        "not available",
        "not applicable",
        "not specified",
        "not provided",
        "not mentioned",
        "unspecified",
        "unknown",
    ];
    WORDS.contains(&text.trim().trim_end_matches('.').to_lowercase().as_str())
}

/// A number in the form that people write it, where a number alone is asked for.
fn number_as_written(value: &Value, expected: &Expected<'_>, field: &Field) -> Option<Value> {
    let text = value.as_str()?;
    let is_integer = expected.takes_only(ValueKind::Integer);
    if !(is_integer || expected.takes_only(ValueKind::Number)) {
        return None;
    }
    let read = deed_canon::parse(number(text, is_integer, field)?.as_bytes()).ok()?;
    expected.fits(&read).then_some(read)
}

/// Words for yes and no in other languages. A word that is one in a language and the other in another is left out.
const YES: [&str; 20] = [
    "sí", "si", "oui", "ja", "sim", "sì", "evet", "tak", "да", "так", "igen", "ano", "kyllä", "jah", "ναι", "نعم",
    "כן", "はい", "是", "예",
];
const NO: [&str; 20] = [
    "non",
    "nein",
    "nee",
    "nej",
    "nei",
    "não",
    "nao",
    "hayır",
    "hayir",
    "nie",
    "нет",
    "ні",
    "nem",
    "ei",
    "όχι",
    "لا",
    "לא",
    "いいえ",
    "否",
    "아니요",
];

/// A number, a boolean or null written as text.
fn scalar(value: &Value, expected: &Expected<'_>) -> Option<Value> {
    let text = value.as_str()?.trim();
    let word = match text.to_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        // Words for a truth value count where nothing else could be meant.
        "yes" | "on" | "y" if expected.takes_only(ValueKind::Boolean) => Some(Value::Bool(true)),
        "no" | "off" | "n" if expected.takes_only(ValueKind::Boolean) => Some(Value::Bool(false)),
        other if expected.takes_only(ValueKind::Boolean) && YES.contains(&other) => Some(Value::Bool(true)),
        other if expected.takes_only(ValueKind::Boolean) && NO.contains(&other) => Some(Value::Bool(false)),
        "none" | "null" => Some(Value::Null),
        // Words for nothing count where null is allowed.
        _ if is_nothing(text) && expected.fits(&Value::Null) => Some(Value::Null),
        _ => None,
    };
    // `1.000` may be a thousand.
    let is_open = expected.takes_only(ValueKind::Integer) && is_grouped_by_point(text);
    let read = word.or_else(|| deed_canon::parse(text.as_bytes()).ok().filter(|_| !is_open))?;
    // Where text may stand, a number as text is text.
    let asked = !expected.takes(ValueKind::Text) && !expected.is_anything();
    let asked = match &read {
        Value::Number(_) => asked && (expected.takes(ValueKind::Number) || expected.takes(ValueKind::Integer)),
        Value::Bool(_) => asked && expected.takes(ValueKind::Boolean),
        Value::Null => asked,
        _ => false,
    };
    (asked && expected.fits(&read)).then_some(read)
}
