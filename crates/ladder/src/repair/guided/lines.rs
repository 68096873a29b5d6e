//! Lines of keys and values, as YAML, settings files and lists of facts have them, read as one object.

use super::Judge;
use super::lone::{is_open_thousand, is_unset, literal};
use super::sound::{gives_value, holds_key};
use crate::excerpt::excerpt;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::locate::find_all;
use crate::repair::marks::{closing_fence_line, fence_end};
use crate::repair::outer::{Side, strip};
use crate::repair::{Reading, read, repaired_text, strict};
use serde_json::Value;
use std::ops::Range;

/// More words than a key has.
const LONGEST_KEY: usize = 60;

/// The one reading of a text whose lines are keys and values, but for sentences before and after them.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let body = body(text);
    let core = facts(text, body, judge);
    let whole = excerpt(text, core.clone());
    // An encoded query is not a line of settings.
    if whole.contains("&amp;") && whole.contains('=') && !whole.contains(char::is_whitespace) {
        return Vec::new();
    }
    let Some(json) = object(excerpt(text, core.clone()), judge) else { return Vec::new() };
    let Ok(value) = strict::parse(&json) else { return Vec::new() };
    let mut repairs = Vec::new();
    strip(text, 0..core.start, Side::Before, &mut repairs);
    repairs.push(Repair::replace(RepairKind::KeyValueLines, core.clone(), json));
    strip(text, core.end..text.len(), Side::After, &mut repairs);
    vec![Reading { value, repairs }]
}

/// The readings of a text that is a query: `lab=Basel&priority=2`.
pub(super) fn query(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let line = text.trim();
    if line.contains(char::is_whitespace) || !line.contains('&') || line.contains(['%', '+', ';', '?', '/', '#']) {
        return Vec::new();
    }
    let Some(json) = object(&line.replace('&', "\n"), judge) else { return Vec::new() };
    // The first value may have ampersands of its own; a query whose values do not fit is no such value.
    let is_query = line.split('&').all(|pair| member(pair).is_some_and(|(key, _)| judge.knows(key)));
    let fits = strict::parse(&json).is_ok_and(|value| judge.allows(&value) || judge.accepts(&value));
    let one = member(line)
        .filter(|_| fits || !is_query)
        .map(|(key, value)| format!("{{{}:{}}}", Value::from(key), Value::from(value)));
    one.into_iter().chain([json]).flat_map(|json| whole(text, json)).collect()
}

/// The one reading of lines in which each declared key has lost its colon: `account 00912877`.
pub(super) fn colonless(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let body = text.trim();
    if body.contains([':', '=', '{', '[', '"', ',']) {
        return Vec::new();
    }
    let line = |line: &str| {
        let (key, value) = line.trim().split_once([' ', '\t'])?;
        let value = value.trim();
        // More than one word may be the value of one key, or the key and the value of the next.
        let is_plain = !value.contains(char::is_whitespace) && judge.declared(key).is_some();
        is_plain.then(|| format!("{key}: {value}"))
    };
    let lines: Option<Vec<String>> = body.lines().filter(|text| !text.trim().is_empty()).map(line).collect();
    let json = lines.filter(|lines| !lines.is_empty()).and_then(|lines| object(&lines.join("\n"), judge));
    json.map_or_else(Vec::new, |json| whole(text, json))
}

/// The one reading of lines whose values repeat their key (`sites: 11 sites`), are out of the most that the schema takes
/// (`rating: 4 out of 5`), or end with a picture that affirms them (`verdict: pass ✅`), as those values without that.
pub(super) fn abridged(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let mut lines = Vec::new();
    let mut changed = false;
    for line in text.trim().lines() {
        let short = member(line).and_then(|(key, value)| Some((key, abridged_value(key, value, judge)?)));
        changed |= short.is_some();
        lines.push(short.map_or_else(|| line.to_owned(), |(key, value)| format!("{key}: {value}")));
    }
    let json = if changed { object(&lines.join("\n"), judge) } else { None };
    json.map_or_else(Vec::new, |json| whole(text, json))
}

/// A value without what repeats its key or adds nothing to it.
fn abridged_value(key: &str, value: &str, judge: &dyn Judge) -> Option<String> {
    // Pictures that affirm; a currency or a degree is a unit, and a cross may contradict its value.
    let is_picture = |c: char| "✅✔✓☑🎉👍\u{fe0f}".contains(c);
    let plain = value.trim_end_matches(is_picture).trim_end();
    if plain.len() < value.len() && !plain.is_empty() {
        return Some(plain.to_owned());
    }
    let singular = |word: &str| word.trim_end_matches('s').to_lowercase();
    let (first, last) = value.rsplit_once(' ')?;
    if !first.contains(' ') && singular(last) == singular(key) {
        return Some(first.to_owned());
    }
    let (count, most) = value.split_once(" out of ").or_else(|| value.split_once('/'))?;
    let (count, most) = (count.trim().parse::<u32>().ok()?, most.trim().parse::<u32>().ok()?);
    let declared = judge.declared(key)?;
    let takes = |number: u32| judge.accepts(&serde_json::json!({ declared.clone(): number }));
    (count <= most && takes(most) && !takes(most.checked_add(1)?)).then(|| count.to_string())
}

fn whole(text: &str, json: String) -> Vec<Reading> {
    let Ok(value) = strict::parse(&json) else { return Vec::new() };
    vec![Reading { value, repairs: vec![Repair::replace(RepairKind::KeyValueLines, 0..text.len(), json)] }]
}

/// The part of a text in its only fence, or the whole of it.
pub(super) fn body(text: &str) -> Range<usize> {
    let whole = 0..text.len();
    let Some(at) = text.find("```") else { return whole };
    let (open, close) = (fence_end(text.as_bytes(), at), closing_fence_line(text, at + 3, b'`'));
    match (open, close) {
        (Some(open), Some(close)) if open < close && !excerpt(text, close..).contains("```") => {
            let inner = excerpt(text, open..close).trim_end_matches('`');
            open..open + inner.len()
        }
        _ => whole,
    }
}

/// The part of a body behind a first line that leads to it: one that ends with a colon and holds a blank, or that a
/// blank line follows.
pub(super) fn lead_of(text: &str, body: Range<usize>) -> Range<usize> {
    let inner = excerpt(text, body.clone());
    let (first, rest) = inner.trim_start().split_once('\n').unwrap_or((inner, ""));
    let leads = first.trim_end().ends_with([':', '.', '!']) && first.trim().contains(' ') && !first.starts_with("- ");
    if leads { body.end - rest.len()..body.end } else { body }
}

/// Whether a text without quotes holds no declared key that may be another member.
pub(super) fn is_settled(text: &str, judge: &dyn Judge) -> bool {
    !holds_key(text, judge) && !names_member(text, judge)
}

/// The part of a body without the sentences that lead to its lines and follow them.
pub(super) fn facts(text: &str, body: Range<usize>, judge: &dyn Judge) -> Range<usize> {
    let mut core = body;
    let is_member = |line: &str| member(line.trim()).is_some_and(|(_, value)| !value.is_empty());
    // A sentence before the lines ends with a mark, or a blank line follows it.
    let inner = excerpt(text, core.clone());
    let (first, rest) = inner.trim_start().split_once('\n').unwrap_or((inner.trim_start(), ""));
    let ends = first.trim_end().ends_with(['.', '!', ':']) && first.trim().contains(' ');
    if !is_member(first)
        && (ends || rest.trim_start_matches([' ', '\r']).starts_with('\n'))
        && !gives_value(first, judge)
    {
        core.start = core.end - rest.len();
    }
    // A sentence behind them stands apart, or it may be the rest of the last value.
    let inner = excerpt(text, core.clone()).trim_end();
    if let Some(gap) = inner.rfind("\n\n") {
        let last = excerpt(inner, gap..).trim();
        let is_prose = last.contains(' ') && !last.contains('\n') && !last.starts_with(['-', '*']);
        if is_prose && !is_member(last) && !last.contains([':', '=']) && !gives_value(last, judge) {
            core.end = core.start + gap;
        }
    }
    let inner = excerpt(text, core.clone());
    let start = core.start + (inner.len() - inner.trim_start().len());
    start..core.start + inner.trim_end().len().max(start - core.start)
}

/// The members of lines, as JSON. Numbers keep the digits that the text has.
pub(super) fn object(body: &str, judge: &dyn Judge) -> Option<String> {
    let mut found: Vec<(String, Member)> = Vec::new();
    let mut open = false;
    let lines = body.lines().map(|line| line.trim_matches('\u{feff}'));
    for line in lines.filter(|line| !line.trim().is_empty() && line.trim() != "---") {
        // The name of a section of TOML or INI, before its members.
        if found.is_empty() && is_section(line) {
            continue;
        }
        if let (true, Some(item)) = (open, item(line)) {
            match found.last_mut() {
                Some((_, Member::List(items))) => items.push(scalar(item)?),
                Some((_, member)) => *member = Member::List(vec![scalar(item)?]),
                None => return None,
            }
            continue;
        }
        if line.starts_with([' ', '\t']) {
            return None;
        }
        open = false;
        let is_setting = line.find('=').is_some_and(|at| line.find(':').is_none_or(|colon| at < colon));
        for (key, value) in members(line, judge)? {
            if is_setting && is_expression(value) {
                return None;
            }
            // Lines are written for people, with capitals and blanks in their keys.
            let key = judge.declared(key).unwrap_or_else(|| key.to_owned());
            if found.iter().any(|(known, _)| *known == key) {
                return None;
            }
            open = value.is_empty();
            found.push((key, if open { Member::Open } else { Member::One(scalar(value)?) }));
        }
    }
    let member = |(key, member): &(String, Member)| {
        let value = match member {
            // A key with nothing behind it says nothing.
            Member::Open => return None,
            Member::One(json) => json.clone(),
            Member::List(items) => format!("[{}]", items.join(",")),
        };
        Some(format!("{}:{value}", Value::from(key.as_str())))
    };
    let members: Vec<String> = found.iter().map(member).collect::<Option<_>>()?;
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}

/// Returns whether the value of a setting refers to another value or computes one: `var.title`, `upper("a")`, `$(date)`.
pub(super) fn is_expression(value: &str) -> bool {
    const HOLDERS: [&str; 15] = [
        "var", "vars", "local", "data", "module", "each", "self", "this", "process", "os", "env", "config", "settings",
        "secrets", "path",
    ];
    let name_end = value.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(value.len());
    let (name, rest) = value.split_at_checked(name_end).unwrap_or((value, ""));
    let is_named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_call = is_named && rest.starts_with('(') && rest.ends_with(')');
    let holder = name.split_once('.').map(|(holder, _)| holder);
    let is_reference = holder.is_some_and(|holder| HOLDERS.contains(&holder)) && !value.contains(' ');
    is_call
        || is_reference
        || value.starts_with("$(")
        || value.starts_with("%(")
        || value.contains('`')
        || value.contains("%{")
}

/// `[name]` on a line of its own.
fn is_section(line: &str) -> bool {
    let name = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) && !name.is_empty())
}

/// The value of a member, as JSON.
enum Member {
    /// None yet.
    Open,
    One(String),
    List(Vec<String>),
}

/// An item of a list, below the key that it belongs to.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = ["- ", "* ", "• ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    item.map(str::trim).filter(|item| member(item).is_none())
}

/// The keys of a line, each with the text behind it; none where that could be told in several ways.
fn members<'l>(line: &'l str, judge: &dyn Judge) -> Option<Vec<(&'l str, &'l str)>> {
    let (mut key, mut rest) = member(line)?;
    let settings = line.find('=').is_some_and(|at| line.find(':').is_none_or(|colon| at < colon));
    let mut found = Vec::new();
    loop {
        let end = value_end(rest, settings, judge)?;
        let (value, next) = rest.split_at_checked(end)?;
        found.push((key, value.trim()));
        let next = next.trim_start_matches([',', ';', '|', ' ', '\t']);
        if next.is_empty() {
            return Some(found);
        }
        (key, rest) = member(next)?;
    }
}

/// Where the first value of a text ends: behind its closing quote, or before the next declared key.
fn value_end(text: &str, settings: bool, judge: &dyn Judge) -> Option<usize> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let end = closing(text, quote)?;
        let after = text.get(end..)?.trim_start();
        let apart = after.is_empty() || after.starts_with([',', ';']) || (settings && member(after).is_some());
        return apart.then_some(end);
    }
    if text.starts_with(['{', '[']) {
        return Some(text.len());
    }
    let is_key = |at: usize| {
        let rest = excerpt(text, at..);
        let next = rest.trim_start_matches([',', ';', '|', ' ', '\t']);
        let known = member(next).is_some_and(|(key, _)| !key.contains(' ') && judge.knows(key));
        known && (rest.starts_with([',', ';', '|']) || settings)
    };
    let end = text.match_indices([',', ';', '|', ' ']).map(|(at, _)| at).find(|at| is_key(*at)).unwrap_or(text.len());
    // A key in the middle of a text may be part of it, or the next member.
    let value = text.get(..end)?;
    (!holds_key(value, judge) && !names_member(value, judge)).then_some(end)
}

/// Whether a text names a declared key without a colon as a member does: behind a comma, or before a number or a word for
/// true and false.
fn names_member(text: &str, judge: &dyn Judge) -> bool {
    // `at 5 %` in a sentence names no key.
    let joins = ["at", "in", "on", "by", "to", "of", "for", "from", "is", "after", "before", "until", "since"];
    let is_value = |word: &str| {
        let word = word.trim_end_matches(['.', '!']);
        word.parse::<f64>().is_ok()
            || ["true", "false", "yes", "no", "on", "off"].contains(&word.to_lowercase().as_str())
    };
    let behind_comma = text.split([',', ';']).skip(1).filter_map(|part| part.split_whitespace().next());
    let words: Vec<&str> = text.split([',', ';', ' ']).filter(|word| !word.is_empty()).collect();
    let mut valued = words.windows(2).skip(1).filter_map(|pair| match pair {
        [word, value] if is_value(value) && !joins.contains(word) => Some(*word),
        _ => None,
    });
    behind_comma.into_iter().any(|word| judge.knows(word)) || valued.any(|word| judge.knows(word))
}

/// The place behind the quote that closes a text.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => {
                chars.next();
            }
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A key and the text behind it.
pub(super) fn member(line: &str) -> Option<(&str, &str)> {
    let line = ["- ", "* ", "• ", "+ ", "export "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = numbered.strip_prefix(". ").filter(|_| numbered.len() < line.len()).unwrap_or(line);
    let arrow = line.find('→').filter(|at| line.find([':', '=']).is_none_or(|mark| *at < mark));
    if let Some(at) = arrow {
        let key = line.get(..at)?.trim().trim_matches(['*', '_', '`', '"']);
        let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ')) && !key.is_empty();
        return plain.then(|| Some((key, line.get(at + '→'.len_utf8()..)?.trim()))).flatten();
    }
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

/// A list or object with words without quotes, as JSON, where it is the whole of a text.
fn bracketed(text: &str) -> Option<String> {
    let found = find_all(text).ok()?;
    let [only] = found.as_slice() else { return None };
    let is_plain = |repair: &Repair| !matches!(repair.kind, RepairKind::CutClosed | RepairKind::MissingCloser);
    let is_whole = only.span == (0..text.len()) && only.script.iter().all(is_plain);
    is_whole.then(|| apply(text, only.span.clone(), &only.script))
}

/// A single value as a line has it, as JSON; none where it could be anything but that.
pub(super) fn scalar(text: &str) -> Option<String> {
    let text = text.trim().strip_suffix(',').unwrap_or(text.trim());
    if text.starts_with(['{', '[']) {
        let around = |repair: &Repair| {
            matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::StrayCloser)
        };
        let cut = |repair: &Repair| matches!(repair.kind, RepairKind::CutClosed | RepairKind::MissingCloser);
        let is_whole = |reading: &Reading| !reading.repairs.iter().any(|repair| around(repair) || cut(repair));
        let reading = read(text).ok().filter(is_whole);
        return reading.map(|reading| repaired_text(text, &reading.repairs)).or_else(|| bracketed(text));
    }
    match literal(text) {
        Some(Value::Null) => return Some("null".to_owned()),
        None if is_unset(text) => return None,
        _ => {}
    }
    if text.starts_with(['|', '>', '&', '!', '<']) || text.contains(" #") || text.ends_with("...") {
        return None;
    }
    match literal(text) {
        // The point may group the digits of a whole number: the schema decides, as it does for text.
        Some(Value::Number(_)) if is_open_thousand(text) => return Some(Value::from(text).to_string()),
        Some(Value::Number(_)) => return Some(text.to_owned()),
        Some(value) => return Some(value.to_string()),
        None => {}
    }
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    // Backticks around a value are marks of emphasis.
    if let Some(inner) = quoted('`').filter(|inner| !inner.is_empty() && !inner.contains('`')) {
        return scalar(inner);
    }
    match quoted('"') {
        Some(_) => deed_canon::parse(text.as_bytes()).ok().map(|value| value.to_string()),
        None => Some(Value::from(quoted('\'').unwrap_or(text)).to_string()),
    }
}
