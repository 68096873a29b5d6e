//! Values in notations that are not JSON: literals of programming languages, settings, queries, markup, `INSERT`.
//!
//! They are tried where no JSON-like value was found. Each reader takes the whole of a text, but for a fence, a
//! sentence before or behind the value, and comments; those are judged as they are beside JSON. What a reader yields
//! keeps open what its notation leaves open, and is typed by the schema. All readers are tried, so that a text that two
//! of them read in two ways that the schema allows is refused.

mod cursor;
mod dialect;
mod fit;
mod insert;
mod literal;
mod markup;
mod node;
mod number;
mod query;
mod settings;
mod statement;
mod strings;

use self::dialect::{DIALECTS, Dialect};
pub(super) use self::fit::fitted;
use self::literal::Grammar;
pub(super) use self::node::{Node, Object};
pub(crate) use self::statement::is_other_variable;
use self::statement::statement;
use super::Judge;
use super::lines::{body, facts};
use crate::excerpt::excerpt;
use crate::prose::{Remark, remark};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use deed_imprint::ValueKind;
use std::ops::Range;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;
/// Lines of a text before which a value may begin.
const MOST_STARTS: usize = 6;
/// Blocks around the members that are meant.
const MOST_AROUND: usize = 3;
/// Marks that a sentence beside a value does not have.
const BRACKETS: [char; 6] = ['{', '}', '[', ']', '=', '<'];

/// A value that a reader found, and the part of the text that it stands in.
struct Found<'t> {
    kind: RepairKind,
    node: Node<'t>,
    span: Range<usize>,
    /// The comments within the span.
    comments: Vec<Range<usize>>,
}

/// The part of a text in which a value is looked for.
#[derive(Clone, Copy)]
struct Part<'t> {
    /// Where the part begins.
    start: usize,
    /// The part itself.
    inner: &'t str,
    /// A fence stands around it, so that all of it is the value.
    is_fenced: bool,
}

/// The readings of a text in other notations.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let range = body(text);
    let is_fenced = range != (0..text.len());
    let part = Part { start: range.start, inner: excerpt(text, range.clone()), is_fenced };
    // In a fence nothing stands beside the lines.
    let core = if is_fenced { trimmed(text, range) } else { facts(text, range, judge) };
    let lines = Part { start: core.start, inner: excerpt(text, core), ..part };
    let mut found: Vec<Reading> = Vec::new();
    let mut keep = |read: Vec<Found<'_>>| {
        for one in read {
            let reading = reading(text, one, judge);
            found.extend(reading.filter(|new| found.iter().all(|known| known.value != new.value)));
        }
    };
    for dialect in DIALECTS {
        match &dialect.top {
            Some(_) => keep(members(lines, dialect)),
            None => keep(literal(part, dialect).into_iter().collect()),
        }
    }
    keep(settings::read(lines, judge).into_iter().collect());
    keep(query::read(lines, judge).into_iter().collect());
    keep(markup::read(part));
    keep(insert::read(part));
    found
}

/// A value in the notation of a programming language.
fn literal<'t>(part: Part<'t>, dialect: &'static Dialect) -> Option<Found<'t>> {
    let starts = if part.is_fenced { vec![past_blank(part.inner, 0)] } else { starts(part.inner) };
    starts.into_iter().find_map(|start| {
        let mut grammar = Grammar::new(part.inner, start, dialect);
        grammar.cursor.gap();
        statement(&mut grammar.cursor)?;
        let node = grammar.value()?;
        let mut end = grammar.cursor.pos;
        for mark in [";", "?>"] {
            grammar.cursor.gap();
            if grammar.cursor.take(mark) {
                end = grammar.cursor.pos;
            }
        }
        // Comments behind the value belong to it; what follows them is judged as prose.
        grammar.cursor.gap();
        end = grammar.cursor.passed.last().map_or(end, |last| last.end.max(end));
        // A number in round brackets may be negative, as in accounts.
        let is_lone = matches!(&node, Node::List(items) if matches!(items.as_slice(), [Node::Number(_)]))
            && excerpt(part.inner, start..).starts_with('(');
        let is_value = matches!(node, Node::List(_) | Node::Object(_)) && grammar.is_marked() && !is_lone;
        let comments = std::mem::take(&mut grammar.cursor.passed);
        (is_value && part.is_alone(start..end))
            .then(|| part.found(RepairKind::LanguageLiteral, node, start..end, comments))
    })
}

/// Members at the top of a text, and the inside of the only one of them.
fn members<'t>(part: Part<'t>, dialect: &'static Dialect) -> Vec<Found<'t>> {
    let Some(form) = &dialect.top else { return Vec::new() };
    let mut grammar = Grammar::new(part.inner, 0, dialect);
    let Some(node) = grammar.top(form) else { return Vec::new() };
    let Node::Object(object) = &node else { return Vec::new() };
    let mut inside = Vec::new();
    let mut outer = object;
    while let [(key, Node::Object(inner))] = outer.members.as_slice() {
        if statement::is_doubted(key) || inside.len() >= MOST_AROUND {
            break;
        }
        inside.push(Node::Object(inner.clone()));
        outer = inner;
    }
    if object.members.is_empty() {
        return Vec::new();
    }
    let whole = 0..part.inner.len();
    let comments = std::mem::take(&mut grammar.cursor.passed);
    let found = |node| part.found(RepairKind::LanguageLiteral, node, whole.clone(), comments.clone());
    std::iter::once(node).chain(inside).map(found).collect()
}

impl<'t> Part<'t> {
    /// A value at a place of the part.
    fn found(&self, kind: RepairKind, node: Node<'t>, at: Range<usize>, comments: Vec<Range<usize>>) -> Found<'t> {
        let moved = |at: Range<usize>| self.start + at.start..self.start + at.end;
        Found { kind, node, span: moved(at), comments: comments.into_iter().map(moved).collect() }
    }

    /// Returns whether nothing but a sentence stands beside a place of the part, and nothing at all in a fence.
    fn is_alone(&self, at: Range<usize>) -> bool {
        let (before, after) = (excerpt(self.inner, ..at.start), excerpt(self.inner, at.end..));
        if self.is_fenced {
            return before.trim().is_empty() && after.trim().is_empty();
        }
        !before.contains(BRACKETS) && !after.contains(BRACKETS)
    }
}

/// Where a value may begin in a text without a fence: at its first line, and behind a line that leads to it.
fn starts(text: &str) -> Vec<usize> {
    let mut found = vec![past_blank(text, 0)];
    let mut at = 0;
    for line in text.split('\n').take(4 * MOST_STARTS) {
        at += line.len() + 1;
        let leads = line.trim_end().ends_with(':') || line.trim().is_empty();
        if leads && at < text.len() {
            let start = past_blank(text, at);
            if !found.contains(&start) {
                found.push(start);
            }
        }
    }
    found.truncate(MOST_STARTS);
    found
}

/// A part of a text without the blanks around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = excerpt(text, range.clone());
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(range.start + inner.trim_end().len()).max(start)
}

/// The first place from `at` on that is no blank.
fn past_blank(text: &str, at: usize) -> usize {
    let rest = excerpt(text, at..);
    at + (rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len())
}

/// The words of a comment of markup without its marks; any other comment as it is.
fn words(comment: &str) -> &str {
    comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).unwrap_or(comment)
}

/// A value as a reading of the text, typed by the schema.
fn reading(text: &str, found: Found<'_>, judge: &dyn Judge) -> Option<Reading> {
    let expected = judge.expected();
    // A row is no list: where the schema asks for one, the statement may go on.
    let is_row = found.kind == RepairKind::InsertRows && matches!(found.node, Node::Object(_));
    if is_row && !expected.takes(ValueKind::Object) {
        return None;
    }
    // A comment that questions the value, or says that a part of it was left out, leaves no reading.
    if found.comments.iter().any(|comment| remark(words(excerpt(text, comment.clone()))) != Remark::Harmless) {
        return None;
    }
    let json = Some(&found.node)
        .filter(|node| fit::is_known(node, &expected))
        .and_then(|node| fit::fitted(node, &expected))?;
    let Found { kind, node, span, comments } = found;
    drop(node);
    let value = strict::parse(&json).ok()?;
    let mut repairs = Vec::new();
    strip(text, 0..span.start, Side::Before, &mut repairs);
    // The comments are removed as such, and the value takes the place of what stands before or between them.
    let mut json = Some(json);
    let mut from = span.start;
    let ends = comments.iter().map(|comment| comment.start).chain([span.end]);
    let mut removed = comments.iter();
    for end in ends {
        let has_text = !excerpt(text, from..end).trim_matches([' ', '\t', '\n', '\r']).is_empty();
        match json.take_if(|_| has_text) {
            Some(json) => repairs.push(Repair::replace(kind, from..end, json)),
            None if has_text => repairs.push(Repair::remove(kind, from..end)),
            None => {}
        }
        if let Some(comment) = removed.next() {
            repairs.push(Repair::remove(RepairKind::Comment, comment.clone()));
            from = comment.end;
        }
    }
    strip(text, span.end..text.len(), Side::After, &mut repairs);
    Some(Reading { value, repairs })
}
