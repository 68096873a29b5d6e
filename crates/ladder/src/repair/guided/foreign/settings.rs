//! Lines of settings: `.env` files, `.properties` with dotted keys, sections of INI files, with their comments.

use super::cursor::Comments;
use super::node::{Node, Object};
use super::strings::{Quote, string};
use super::{Found, Part};
use crate::repair::guided::Judge;
use crate::repair::guided::foreign::cursor::Cursor;
use crate::repair::guided::lines::{is_expression, is_settled};
use crate::repair::guided::lone::literal;
use crate::repair::kind::RepairKind;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Marks of comments on a line of their own.
const COMMENTS: [&str; 4] = ["#", ";", "!", "//"];

/// The value of a line, and the comment behind it.
struct Setting<'t> {
    key: &'t str,
    mark: char,
    value: Node<'t>,
    comment: Option<Range<usize>>,
}

/// Reads a text whose lines are all settings, sections or comments.
pub(super) fn read<'t>(part: Part<'t>, judge: &dyn Judge) -> Option<Found<'t>> {
    let mut members = Vec::new();
    let mut comments = Vec::new();
    let mut seen = HashSet::new();
    let mut section = "";
    let mut marks = HashSet::new();
    let mut at = 0;
    for line in part.inner.split('\n') {
        let here = at + (line.len() - line.trim_start().len());
        at += line.len() + 1;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if COMMENTS.iter().any(|mark| line.starts_with(mark)) {
            comments.push(here..here + line.len());
            continue;
        }
        if let Some(name) = header(line) {
            section = name;
            continue;
        }
        let setting = setting(line)?;
        // A declared key within a text may be the next member.
        if matches!(&setting.value, Node::Bare(text) if !is_settled(text, judge)) {
            return None;
        }
        marks.insert(setting.mark);
        comments.extend(setting.comment.map(|comment| here + comment.start..here + comment.end));
        let key: Cow<'_, str> = match section {
            "" => Cow::Borrowed(setting.key),
            section => Cow::Owned(format!("{section}.{}", setting.key)),
        };
        if !seen.insert(key.clone()) {
            return None;
        }
        members.push((key, setting.value));
    }
    // Lines with both marks are of two notations.
    let is_one = marks.len() == 1 && !members.is_empty();
    let node = Node::Object(Object { members, repeats: false, paths: true });
    is_one.then(|| part.found(RepairKind::SettingsLines, node, 0..part.inner.len(), comments))
}

/// `[section]`, whose name may have dots.
fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let is_name = |part: &str| !part.is_empty() && part.chars().all(is_key);
    name.split('.').all(is_name).then_some(name)
}

fn is_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn setting(line: &str) -> Option<Setting<'_>> {
    let body = line.strip_prefix("export ").map_or(line, str::trim_start);
    let at = body.find(['=', ':'])?;
    let (key, behind) = body.split_at_checked(at)?;
    let mark = behind.chars().next()?;
    let key = key.trim();
    let is_name = |part: &str| !part.is_empty() && part.chars().all(is_key);
    if !key.split('.').all(is_name) || !key.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let written = behind.get(1..)?;
    // `key:value` without a blank may be a part of a text, such as an address.
    if mark == ':' && !written.starts_with([' ', '\t']) {
        return None;
    }
    let start = line.len() - written.trim_start().len();
    let (value, end) = value(written.trim_start(), mark)?;
    let comment = line.get(start + end..).map(str::trim_start).filter(|rest| !rest.is_empty());
    let comment = match comment {
        None => None,
        Some(rest) if rest.starts_with(['#', ';']) => Some(line.len() - rest.len()..line.len()),
        Some(_) => return None,
    };
    Some(Setting { key, mark, value, comment })
}

/// The value of a line, and where it ends.
fn value(written: &str, mark: char) -> Option<(Node<'_>, usize)> {
    let quote = match written.chars().next() {
        None => return Some((Node::Nothing, 0)),
        Some('"') => Some(Quote::Dollar),
        Some('\'') => Some(Quote::Doubled),
        Some(_) => None,
    };
    if let Some(quote) = quote {
        let mut cursor = Cursor::new(written, 0, Comments::default());
        let text = string(&mut cursor, quote)?;
        return Some((Node::Text(text), cursor.pos));
    }
    // In `.properties` a mark behind a blank belongs to the value, and in `.env` it begins a comment.
    let comment = [" #", " ;", "\t#", "\t;"].iter().filter_map(|mark| written.find(mark)).min();
    let bare = written.get(..comment.unwrap_or(written.len()))?.trim_end();
    let refers = bare.match_indices('$').any(|(at, _)| {
        bare.get(at + 1..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '{' | '(')))
    });
    // `Issue #5` and a comment without a blank look alike.
    let behind =
        comment.and_then(|at| written.get(at..)).map(|comment| comment.trim_start().trim_start_matches(['#', ';']));
    let is_tag = behind.is_some_and(|tag| tag.starts_with(char::is_alphanumeric)) && literal(bare).is_none();
    // A backslash escapes what follows in some of these notations and stands for itself in others.
    let is_open = (bare.contains('\\') && literal(bare).is_none())
        || refers
        || is_tag
        || (mark == '=' && is_expression(bare))
        || bare.ends_with('…')
        || bare.ends_with("...")
        || (bare.starts_with(['{', '[', '|', '>', '&', '*', '<', '`', '!', '%', '@']) && literal(bare).is_none());
    let is_nested = mark == ':' && bare.is_empty();
    (!is_open && !is_nested && !bare.is_empty()).then_some((Node::Bare(Cow::Borrowed(bare)), bare.len()))
}
