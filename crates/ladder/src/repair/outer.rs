//! What stands around the value, sorted into what it is and removed.

use super::edit::Repair;
use super::kind::RepairKind;
use super::marks::{Reasoning, fence_end, reasoning, tag_end};
use crate::excerpt::{excerpt, items};
use std::ops::Range;

/// On which side of the value a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Removes everything but spaces from a part of the text on one side of the value.
pub(super) fn strip(text: &str, part: Range<usize>, side: Side, script: &mut Vec<Repair>) {
    let whole = trimmed(text, part);
    let marks = |c: char| matches!(c, '*' | '_' | '"' | '\'' | '{');
    let body = excerpt(text, whole.clone());
    match side {
        Side::Before => {
            let edge = whole.start + lone_tick(body.trim_end_matches(marks), side).len();
            pieces(text, trimmed(text, whole.start..edge), side, script);
            push(script, RepairKind::Markup, edge..whole.end);
        }
        Side::After => {
            let closers = whole.start + strip_closers(body, whole.start, script);
            let rest = excerpt(text, closers..whole.end);
            let inner = lone_tick(rest, side).trim_start_matches(marks);
            let edge = whole.end - inner.len();
            push(script, RepairKind::Markup, closers..edge);
            let closed = edge + strip_closers(inner, edge, script);
            pieces(text, trimmed(text, closed..whole.end), side, script);
        }
    }
}

/// Brackets, semicolons and commas right after the value; how far they reach.
fn strip_closers(body: &str, start: usize, script: &mut Vec<Repair>) -> usize {
    let mut reached = 0;
    for (at, byte) in body.bytes().enumerate() {
        let kind = match byte {
            b'}' | b']' | b')' | b';' => RepairKind::StrayCloser,
            b',' => RepairKind::TrailingComma,
            b' ' | b'\t' | b'\n' | b'\r' => continue,
            _ => break,
        };
        script.push(Repair::remove(kind, start + at..start + at + 1));
        reached = at + 1;
    }
    reached
}

/// The text without one backtick next to the value, unless that is part of a fence.
fn lone_tick(body: &str, side: Side) -> &str {
    let inner = match side {
        Side::Before => body.strip_suffix('`').filter(|rest| !rest.ends_with('`')),
        Side::After => body.strip_prefix('`').filter(|rest| !rest.starts_with('`')),
    };
    inner.unwrap_or(body)
}

/// Fences, tags, reasoning and prose, one after the other.
fn pieces(text: &str, part: Range<usize>, side: Side, script: &mut Vec<Repair>) {
    let bytes = text.as_bytes();
    let prose = if side == Side::Before { RepairKind::ProseBefore } else { RepairKind::ProseAfter };
    let mut pos = part.start;
    let mut prose_from = pos;
    while pos < part.end {
        let mark = marked(text, bytes, pos).map(|(kind, end)| (kind, end.min(part.end)));
        if let Some((kind, end)) = mark {
            prose_piece(text, prose_from..pos, prose, script);
            push(script, kind, pos..end);
            prose_from = end;
            pos = end;
        } else {
            let rest = items(bytes, pos + 1..part.end);
            pos += 1 + rest.iter().position(|b| matches!(b, b'`' | b'~' | b'<' | 0xef)).unwrap_or(rest.len());
        }
    }
    prose_piece(text, prose_from..part.end, prose, script);
}

/// A mark at this place, and where it ends.
fn marked(text: &str, bytes: &[u8], at: usize) -> Option<(RepairKind, usize)> {
    match bytes.get(at)? {
        b'`' | b'~' => Some((RepairKind::CodeFence, fence_end(bytes, at)?)),
        b'<' => match reasoning(text, at) {
            Some(Reasoning::Until(end)) => Some((RepairKind::Reasoning, end)),
            Some(Reasoning::Endless) => Some((RepairKind::Reasoning, text.len())),
            None => Some((RepairKind::WrapperTag, tag_end(bytes, at)?)),
        },
        0xef => text.get(at..)?.starts_with('\u{feff}').then_some((RepairKind::ByteOrderMark, at + 3)),
        _ => None,
    }
}

fn prose_piece(text: &str, part: Range<usize>, prose: RepairKind, script: &mut Vec<Repair>) {
    let part = trimmed(text, part);
    let words = excerpt(text, part.clone());
    let kind = if words.trim_end_matches(':').eq_ignore_ascii_case("json") {
        RepairKind::LanguageWord
    } else if words.chars().all(|c| c.is_whitespace() || c == '\u{200b}') {
        RepairKind::ForeignSpace
    } else {
        prose
    };
    push(script, kind, part);
}

fn push(script: &mut Vec<Repair>, kind: RepairKind, at: Range<usize>) {
    if !at.is_empty() {
        script.push(Repair::remove(kind, at));
    }
}

/// A part without the spaces at its ends, which JSON allows where they are.
fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let space = [' ', '\t', '\n', '\r'];
    let body = excerpt(text, part.clone());
    let start = part.start + (body.len() - body.trim_start_matches(space).len());
    let end = part.start + body.trim_end_matches(space).len();
    start..end.max(start)
}
