//! Values in the notation of a programming language: calls with named arguments, constructors of dates and decimals,
//! sets, tuples, hashes of Ruby, strings that are joined by standing side by side.
//!
//! The grammar is strict, and what it does not know it refuses: a name that stands for something is no value. Numbers
//! keep the digits that the text has.

use super::Judge;
use super::lines::body;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::marks::{Reasoning, reasoning};
use crate::repair::mend::is_json_number;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::Value;
use std::ops::Range;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;
/// Places in a text where a value is looked for.
const MOST_STARTS: usize = 24;
/// Values within values.
const DEEPEST: usize = 64;

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

/// The one reading of a text as a value of a programming language.
pub(super) fn readings(text: &str, _judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let part = body(text);
    let inner = text.get(part.clone()).unwrap_or_default();
    // Reasoning is not the answer.
    let hidden = reasoning_in(inner);
    let visible = starts(inner).into_iter().filter(|start| !hidden.iter().any(|block| block.contains(start)));
    for start in visible.take(MOST_STARTS) {
        let mut reader = Reader { text: inner, pos: start, depth: 0, is_foreign: false };
        let Some(json) = reader.value(Place::Whole) else { continue };
        let rest = inner.get(reader.pos..).unwrap_or_default();
        let Ok(value) = strict::parse(&json) else { continue };
        let is_whole = !rest.trim_start_matches([';', ')', ' ', '\n', '\r', '`']).contains(['{', '}', '[', ']', '=']);
        if !(value.is_object() || value.is_array()) || !reader.is_foreign {
            continue;
        }
        // Something else follows, which may be another answer.
        if !is_whole {
            return Vec::new();
        }
        let (from, to) = (part.start + start, part.start + reader.pos);
        let mut repairs = Vec::new();
        strip(text, 0..from, Side::Before, &mut repairs);
        repairs.push(Repair::replace(RepairKind::ForeignValue, from..to, json));
        strip(text, to..text.len(), Side::After, &mut repairs);
        return vec![Reading { value, repairs }];
    }
    Vec::new()
}

/// The blocks of a text in which a model reasons.
fn reasoning_in(text: &str) -> Vec<Range<usize>> {
    let block = |(at, _): (usize, &str)| match reasoning(text, at)? {
        Reasoning::Until(end) => Some(at..end),
        Reasoning::Endless => Some(at..text.len()),
    };
    text.match_indices('<').filter_map(block).collect()
}

/// Where a value may begin: at a bracket, or at a call at the beginning of a line or behind a mark.
fn starts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before = '\n';
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let begins_word = (c.is_alphabetic() || c == '_') && !in_word;
        in_word = c.is_alphanumeric() || matches!(c, '_' | '.');
        let is_call = || {
            let rest = text.get(at..).unwrap_or_default();
            let name = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
            rest.get(name..).is_some_and(|rest| rest.starts_with('('))
        };
        if matches!(c, '{' | '[') || (begins_word && matches!(before, '\n' | ':' | '=' | '`' | '>') && is_call()) {
            found.push(at);
        }
        if !matches!(c, ' ' | '\t') {
            before = c;
        }
    }
    // `return f(…)` and `await f(…)`.
    for word in ["return ", "await "] {
        found.extend(text.match_indices(word).map(|(at, _)| at + word.len()));
    }
    found.sort_unstable();
    found
}

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Member,
    Item,
}

/// Reads an expression and writes it as JSON.
struct Reader<'t> {
    text: &'t str,
    pos: usize,
    depth: usize,
    /// Whether something was met that only a programming language has. Anything else is not read here.
    is_foreign: bool,
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    plain: Vec<String>,
    named: Vec<(String, String)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, mark: &str) -> bool {
        let found = self.rest().starts_with(mark);
        self.pos += if found { mark.len() } else { 0 };
        found
    }

    /// Skips blanks and comments.
    fn gap(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.pos += blank;
            let rest = self.rest();
            // A comment that says that content was left out leaves no value.
            let comment = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            let elided = rest.get(..comment).is_some_and(|comment| comment.contains("...") || comment.contains('…'));
            if comment == 0 || elided {
                return;
            }
            self.pos += comment;
        }
    }

    fn value(&mut self, place: Place) -> Option<String> {
        self.depth += 1;
        let read = if self.depth > DEEPEST { None } else { self.value_inside(place) };
        self.depth -= 1;
        read
    }

    fn value_inside(&mut self, place: Place) -> Option<String> {
        self.gap();
        match self.peek()? {
            '{' => self.braces(),
            '[' => {
                self.pos += 1;
                // `['key' => 1]`, as PHP writes an object.
                let start = self.pos;
                if let Some(members) = self.members(']') {
                    self.is_foreign = true;
                    return Some(members);
                }
                self.pos = start;
                let items = self.items(']')?;
                Some(format!("[{}]", items.join(",")))
            }
            '(' => {
                self.pos += 1;
                let start = self.pos;
                let items = self.items_in(')', Place::Member)?;
                self.is_foreign = true;
                let tuple = self.text.get(start..self.pos)?.trim_end_matches(')').trim_end().ends_with(',');
                match items.as_slice() {
                    [only] if !tuple => Some(only.clone()),
                    items => Some(format!("[{}]", items.join(","))),
                }
            }
            '"' | '\'' => self.strings(place),
            ':' => {
                self.pos += 1;
                self.is_foreign = true;
                let name = self.name()?;
                Some(Value::from(name).to_string())
            }
            '<' => self.enum_member(place),
            '0'..='9' | '-' | '+' | '.' | '\u{2212}' => self.number(),
            c if c.is_alphabetic() || c == '_' => self.word(place),
            _ => None,
        }
    }

    /// Items up to a closing bracket.
    fn items(&mut self, close: char) -> Option<Vec<String>> {
        self.items_in(close, Place::Item)
    }

    fn items_in(&mut self, close: char, place: Place) -> Option<Vec<String>> {
        let mut items = Vec::new();
        loop {
            self.gap();
            if self.peek()? == close {
                self.pos += close.len_utf8();
                return Some(items);
            }
            items.push(self.value(place)?);
            self.separator(close)?;
        }
    }

    /// A comma, or the bracket that closes, which is left.
    fn separator(&mut self, close: char) -> Option<()> {
        self.gap();
        let closes = self.peek()? == close;
        (closes || self.take(",")).then_some(())
    }

    /// `{…}`: members, or the items of a set.
    fn braces(&mut self) -> Option<String> {
        self.pos += 1;
        let start = self.pos;
        if let Some(members) = self.members('}') {
            return Some(members);
        }
        self.pos = start;
        self.is_foreign = true;
        let items = self.items('}')?;
        (!items.is_empty()).then(|| format!("[{}]", items.join(",")))
    }

    fn members(&mut self, close: char) -> Option<String> {
        let mut members: Vec<(String, String)> = Vec::new();
        loop {
            self.gap();
            if self.peek()? == close {
                self.pos += 1;
                // An empty list has no members.
                return if close != '}' && members.is_empty() { None } else { object(&members) };
            }
            let key = self.key(close != '}')?;
            let value = self.value(Place::Member)?;
            members.push((key, value));
            self.separator(close)?;
        }
    }

    /// A key and the mark behind it.
    fn key(&mut self, arrow: bool) -> Option<String> {
        self.gap();
        // `["key"] = 1`, as Lua writes it.
        if !arrow && self.rest().starts_with("[\"") {
            self.pos += 1;
            let Value::String(key) = strict::parse(&self.one_string()?).ok()? else { return None };
            self.is_foreign = true;
            let closed = self.take("]");
            self.gap();
            return (closed && self.take("=")).then_some(key);
        }
        let symbol = self.rest().starts_with(':') && !self.rest().starts_with("::");
        self.pos += usize::from(symbol);
        self.is_foreign |= symbol;
        let key = match self.peek()? {
            '"' | '\'' => match strict::parse(&self.one_string()?).ok()? {
                Value::String(key) => key,
                _ => return None,
            },
            c if c.is_ascii_digit() => self.number()?,
            _ => self.name()?,
        };
        self.gap();
        let marks: &[&str] = if arrow { &["=>"] } else { &["=>", ":=", ":", "=", "："] };
        marks.iter().any(|mark| self.take(mark)).then_some(key)
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest.get(..end)?.to_owned();
        let begins = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        self.pos += end;
        begins.then_some(name)
    }

    /// A string, and those that stand right behind it as the value of a member.
    fn strings(&mut self, place: Place) -> Option<String> {
        let mut joined = String::new();
        loop {
            let Value::String(part) = strict::parse(&self.one_string()?).ok()? else { return None };
            joined.push_str(&part);
            let end = self.pos;
            self.gap();
            // On one line two strings may be two values.
            let apart = self.text.get(end..self.pos).is_some_and(|gap| gap.contains('\n'));
            if place != Place::Member || !apart || !matches!(self.peek(), Some('"' | '\'')) {
                self.pos = end;
                return Some(Value::from(joined).to_string());
            }
            self.is_foreign = true;
        }
    }

    /// One string in single or double quotes, as JSON.
    fn one_string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        if self.rest().starts_with("\"\"\"") || self.rest().starts_with("'''") {
            return None;
        }
        self.pos += 1;
        let mut text = String::new();
        loop {
            let c = self.peek()?;
            self.pos += c.len_utf8();
            match c {
                c if c == quote => return Some(Value::from(text).to_string()),
                '\n' => return None,
                '\\' => {
                    let escaped = self.peek()?;
                    self.pos += escaped.len_utf8();
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        '\\' | '\'' | '"' | '/' => text.push(escaped),
                        'u' | 'x' => {
                            let digits = self.rest().get(..if escaped == 'u' { 4 } else { 2 })?.to_owned();
                            self.pos += digits.len();
                            text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                        }
                        _ => return None,
                    }
                }
                c => text.push(c),
            }
        }
    }

    /// `<Color.RED: 'red'>`, as Python shows a member of an enumeration.
    fn enum_member(&mut self, place: Place) -> Option<String> {
        self.pos += 1;
        self.is_foreign = true;
        self.name()?;
        if !self.take(".") {
            return None;
        }
        self.name()?;
        self.gap();
        if !self.take(":") {
            return None;
        }
        let value = self.value(place)?;
        self.gap();
        self.take(">").then_some(value)
    }

    fn number(&mut self) -> Option<String> {
        let rest = self.rest();
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_' | '\u{2212}');
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let raw = rest.get(..end)?;
        let plain = raw.replace('\u{2212}', "-").replace('_', "");
        let plain = plain.strip_prefix('+').unwrap_or(&plain);
        let plain = plain.strip_suffix(['n', 'L']).unwrap_or(plain).to_owned();
        self.pos += end;
        is_json_number(&plain).then_some(plain)
    }

    fn word(&mut self, place: Place) -> Option<String> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let word = rest.get(..end)?.to_owned();
        self.pos += end;
        match word.as_str() {
            "true" | "True" | "TRUE" => return Some("true".to_owned()),
            "false" | "False" | "FALSE" => return Some("false".to_owned()),
            "null" | "None" | "nil" | "NULL" | "undefined" => return Some("null".to_owned()),
            "u" | "b" if matches!(self.peek(), Some('"' | '\'')) => return self.strings(place),
            "new" => {
                self.gap();
                return self.value(place);
            }
            _ => {}
        }
        if !self.take("(") {
            return None;
        }
        self.is_foreign = true;
        if word == "array" {
            let start = self.pos;
            if let Some(members) = self.members(')') {
                return Some(members);
            }
            self.pos = start;
        }
        let arguments = self.arguments()?;
        called(&word, arguments)
    }

    fn arguments(&mut self) -> Option<Arguments> {
        let mut found = Arguments::default();
        loop {
            self.gap();
            if self.take(")") {
                return Some(found);
            }
            let start = self.pos;
            let named = self.name().filter(|_| {
                self.gap();
                let rest = self.rest();
                (rest.starts_with('=') && !rest.starts_with("==")) || (rest.starts_with(':') && !rest.starts_with("::"))
            });
            match named {
                Some(name) => {
                    self.pos += 1;
                    self.gap();
                    let zones = ["datetime.timezone.utc", "timezone.utc", "datetime.UTC", "pytz.utc", "pytz.UTC"];
                    if name == "tzinfo" && zones.iter().any(|zone| self.take(zone)) {
                        found.named.push((name, "\"utc\"".to_owned()));
                        self.separator(')')?;
                        continue;
                    }
                    let value = self.value(Place::Member)?;
                    found.named.push((name, value));
                }
                None => {
                    self.pos = start;
                    found.plain.push(self.value(Place::Item)?);
                }
            }
            self.separator(')')?;
        }
    }
}

/// The value that a call stands for.
fn called(name: &str, arguments: Arguments) -> Option<String> {
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
fn object(members: &[(String, String)]) -> Option<String> {
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
