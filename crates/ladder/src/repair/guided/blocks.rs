//! Nested blocks of keys and values, as YAML has them: mappings, lists of mappings, `|` and `>` texts, comments.
//!
//! A subset, read strictly: anchors, tags, several documents and values over several lines are refused. Numbers keep the
//! digits that the text has, so that a version `1.10` stays what it is.

use super::Judge;
use super::foreign::{Node, Object, fitted};
use super::lines::{body, facts, is_settled, lead_of, scalar};
use super::lone::literal;
use crate::excerpt::excerpt;
use crate::prose::{Remark, remark};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::Value;
use std::borrow::Cow;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 20;
/// Blocks within blocks.
const DEEPEST: usize = 32;

/// The one reading of a text as nested blocks.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let inside = body(text);
    let led = lead_of(text, inside.clone());
    for core in [inside.clone(), led, facts(text, inside, judge)] {
        let node = block(excerpt(text, core.clone()), judge);
        let Some(json) = node.and_then(|node| fitted(&node, &judge.expected())) else { continue };
        let Ok(value) = strict::parse(&json) else { continue };
        let mut repairs = Vec::new();
        strip(text, 0..core.start, Side::Before, &mut repairs);
        repairs.push(Repair::replace(RepairKind::KeyValueLines, core.clone(), json));
        strip(text, core.end..text.len(), Side::After, &mut repairs);
        return vec![Reading { value, repairs }];
    }
    Vec::new()
}

/// A line without its comment, and how far it is indented.
struct Line<'t> {
    indent: usize,
    text: &'t str,
    /// The line as it stands, for texts over several lines.
    raw: &'t str,
}

fn block<'t>(text: &'t str, judge: &dyn Judge) -> Option<Node<'t>> {
    if text.contains('\t') && text.lines().any(|line| line.starts_with('\t')) {
        return None;
    }
    let mut comments =
        text.lines().map(|line| line.split_at_checked(without_comment(line).len()).unwrap_or((line, "")));
    let is_open = |(before, comment): (&str, &str)| {
        !comment.is_empty() && (remark(comment) != Remark::Harmless || may_be_tag(before, comment))
    };
    if comments.any(is_open) {
        return None;
    }
    let lines: Vec<Line<'_>> = text
        .lines()
        .map(|raw| {
            let text = without_comment(raw).trim_end();
            Line { indent: text.len() - text.trim_start().len(), text: text.trim_start(), raw }
        })
        .collect();
    let mut reader = Blocks { lines, at: 0, judge, depth: 0 };
    reader.skip_blank();
    if reader.line().is_some_and(|line| line.text == "---") {
        reader.at += 1;
    }
    let indent = reader.next()?.indent;
    let node = reader.node(indent)?;
    let ended = match reader.next() {
        None => true,
        Some(line) => matches!(line.text, "---" | "...") && reader.lines.len() == reader.at + 1,
    };
    ended.then_some(node)
}

/// Returns whether what looks like a comment may belong to the text before it: `title: Issue #5`.
fn may_be_tag(before: &str, comment: &str) -> bool {
    let tag = comment.trim_start_matches('#');
    let value = before.rsplit_once(": ").map_or(before, |(_, value)| value).trim().trim_start_matches("- ");
    let is_closed = value.ends_with(['"', '\'', ']', '}', ':']) || value.is_empty() || literal(value).is_some();
    tag.len() + 1 == comment.len() && tag.starts_with(char::is_alphanumeric) && !is_closed
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return excerpt(line, ..at),
            (None, '"' | '\'') if matches!(before, ' ' | ':' | '[' | ',' | '{') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

struct Blocks<'t, 'j> {
    lines: Vec<Line<'t>>,
    at: usize,
    judge: &'j dyn Judge,
    depth: usize,
}

impl<'t> Blocks<'t, '_> {
    fn line(&self) -> Option<&Line<'t>> {
        self.lines.get(self.at)
    }

    fn skip_blank(&mut self) {
        while self.line().is_some_and(|line| line.text.is_empty()) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<&Line<'t>> {
        self.skip_blank();
        self.line()
    }

    fn node(&mut self, indent: usize) -> Option<Node<'t>> {
        self.depth += 1;
        let first = self.next()?.text;
        let read = match self.depth > DEEPEST {
            true => None,
            false if first == "-" || first.starts_with("- ") => self.list(indent),
            false => self.mapping(indent),
        };
        self.depth -= 1;
        read
    }

    fn list(&mut self, indent: usize) -> Option<Node<'t>> {
        let mut items = Vec::new();
        while let Some(line) = self.next() {
            if line.indent < indent || !(line.text == "-" || line.text.starts_with("- ")) {
                break;
            }
            if line.indent > indent {
                return None;
            }
            let rest = line.text.get(1..)?.trim_start();
            let inner = indent + (line.text.len() - rest.len());
            if rest.is_empty() {
                self.at += 1;
                let deeper = self.next()?.indent;
                items.push((deeper > indent).then(|| self.node(deeper)).flatten()?);
            } else if member(rest).is_some() && !rest.starts_with(['{', '[', '"', '\'']) || rest.starts_with("- ") {
                // The first member stands behind the dash, the others below it.
                let here = self.lines.get_mut(self.at)?;
                (here.indent, here.text) = (inner, rest);
                items.push(self.node(inner)?);
            } else {
                self.at += 1;
                items.push(self.scalar(rest)?);
            }
        }
        (!items.is_empty()).then_some(Node::List(items))
    }

    fn mapping(&mut self, indent: usize) -> Option<Node<'t>> {
        let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
        while let Some(line) = self.next() {
            if line.indent < indent || matches!(line.text, "---" | "...") {
                break;
            }
            if line.indent > indent {
                return None;
            }
            let (key, value) = member(line.text)?;
            let key = self.judge.declared(&key).unwrap_or(key);
            if members.iter().any(|(known, _)| known.as_ref() == key) {
                return None;
            }
            self.at += 1;
            let node = match value {
                "" => {
                    let below = self.next()?;
                    let (deeper, listed) = (below.indent, below.text.starts_with("- "));
                    (deeper > indent || (deeper == indent && listed)).then(|| self.node(deeper)).flatten()?
                }
                mark if mark.starts_with(['|', '>']) => self.text_block(mark, indent)?,
                value => self.scalar(value)?,
            };
            members.push((Cow::Owned(key), node));
        }
        (!members.is_empty()).then(|| Node::Object(Object::plain(members)))
    }

    /// `|` keeps the line breaks of a text, `>` folds them.
    fn text_block(&mut self, mark: &str, indent: usize) -> Option<Node<'t>> {
        if !["|", "|-", "|+", ">", ">-", ">+"].contains(&mark) {
            return None;
        }
        let mut lines: Vec<&str> = Vec::new();
        let mut inner = None;
        while let Some(line) = self.line() {
            let blank = line.raw.trim().is_empty();
            let here = line.raw.len() - line.raw.trim_start().len();
            if !blank && here <= indent {
                break;
            }
            if !blank && inner.is_none() {
                inner = Some(here);
            }
            let cut = inner.unwrap_or(0).min(line.raw.len());
            if !blank && here < cut {
                return None;
            }
            lines.push(if blank { "" } else { line.raw.get(cut..)?.trim_end() });
            self.at += 1;
        }
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        if lines.is_empty() {
            return None;
        }
        let mut text = if mark.starts_with('|') { lines.join("\n") } else { folded(&lines) };
        if !mark.ends_with('-') {
            text.push('\n');
        }
        Some(Node::Text(Cow::Owned(text)))
    }

    /// A single value; the schema types one without quotes.
    fn scalar(&self, text: &'t str) -> Option<Node<'t>> {
        if text.starts_with(['{', '[']) {
            return scalar(text).map(Node::Written);
        }
        if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            let single = !quoted.replace("''", "").contains('\'');
            return single.then(|| Node::Text(Cow::Owned(quoted.replace("''", "'"))));
        }
        if text.starts_with('"') {
            return match strict::parse(text).ok()? {
                Value::String(text) => Some(Node::Text(Cow::Owned(text))),
                _ => None,
            };
        }
        (literal(text).is_some() || self.plain(text)).then_some(Node::Bare(Cow::Borrowed(text)))
    }

    /// Whether a text without quotes can only be itself.
    fn plain(&self, text: &str) -> bool {
        let marked = text.starts_with(['&', '!', '%', '@', '`', '<', '|', '>']) || text.starts_with("- ");
        !marked
            && !text.ends_with("...")
            && !text.ends_with('…')
            && !text.contains(": ")
            && is_settled(text, self.judge)
    }
}

/// Lines joined by blanks; an empty line is a line break.
fn folded(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        match (line.is_empty(), text.is_empty() || text.ends_with('\n')) {
            (true, _) => text.push('\n'),
            (false, true) => text.push_str(line),
            (false, false) => {
                text.push(' ');
                text.push_str(line);
            }
        }
    }
    text
}

/// A key, without its quotes, and the text behind its colon.
fn member(line: &str) -> Option<(String, &str)> {
    let (key, value) = match line.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = line.get(1..)?.find(quote)?;
            let value = line.get(end + 2..)?.trim_start().strip_prefix(':')?;
            (line.get(1..=end)?.to_owned(), value)
        }
        _ => {
            let at = line.find(": ").or_else(|| line.strip_suffix(':').map(str::len))?;
            (line.get(..at)?.trim_end().to_owned(), line.get(at + 1..)?)
        }
    };
    let named = !key.is_empty()
        && key.len() <= 60
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '$' | '/'));
    (named && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}
