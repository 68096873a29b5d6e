//! The grammar of expressions, written as JSON while it is read.

use super::call::{Arguments, called, object};
use crate::excerpt::excerpt;
use crate::prose::{Remark, remark};
use crate::repair::mend::is_json_number;
use crate::repair::strict;
use serde_json::Value;

/// Values within values.
const DEEPEST: usize = 64;

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Whole,
    Member,
    Item,
}

/// Reads an expression and writes it as JSON.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) pos: usize,
    depth: usize,
    /// Whether something was met that only a programming language has. Anything else is not read here.
    pub(super) is_foreign: bool,
    /// Whether a number was written in digits that are not JSON's, so that it is no text.
    pub(super) has_rewritten: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, pos: usize) -> Self {
        Self { text, pos, depth: 0, is_foreign: false, has_rewritten: false }
    }

    fn rest(&self) -> &str {
        excerpt(self.text, self.pos..)
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
            // A comment that says that content was left out, or that questions the value, leaves none.
            let comment = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            let is_harmless = |comment: &str| remark(comment) == Remark::Harmless;
            if comment == 0 || !rest.get(..comment).is_some_and(is_harmless) {
                return;
            }
            self.pos += comment;
        }
    }

    /// Reads a value.
    pub(super) fn value(&mut self, place: Place) -> Option<String> {
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
        let is_rewritten = plain != raw;
        self.pos += end;
        self.has_rewritten |= is_rewritten;
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
