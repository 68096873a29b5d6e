//! Values in the notation of a programming language: calls with named arguments, constructors of dates and decimals,
//! sets, tuples, hashes of Ruby, strings that are joined by standing side by side.
//!
//! The grammar is strict, and what it does not know it refuses: a name that stands for something is no value. Numbers
//! keep the digits that the text has.

mod call;
mod reader;

use self::reader::{Place, Reader};
use super::Judge;
use super::foreign::is_other_variable;
use super::lines::body;
use crate::excerpt::excerpt;
use crate::prose::{Remark, remark};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::interpolated;
use crate::repair::kind::RepairKind;
use crate::repair::marks::{Reasoning, reasoning};
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use std::ops::Range;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;
/// Places in a text where a value is looked for.
const MOST_STARTS: usize = 24;

/// The one reading of a text as a value of a programming language.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let part = body(text);
    let inner = excerpt(text, part.clone());
    // Reasoning is not the answer.
    let hidden = reasoning_in(inner);
    let visible = starts(inner).into_iter().filter(|start| !hidden.iter().any(|block| block.contains(start)));
    for start in visible.take(MOST_STARTS) {
        let mut reader = Reader::new(inner, start);
        let Some(json) = reader.value(Place::Whole) else { continue };
        let rest = excerpt(inner, reader.pos..);
        let Ok(value) = strict::parse(&json) else { continue };
        let is_whole = !rest.trim_start_matches([';', ')', ' ', '\n', '\r', '`']).contains(['{', '}', '[', ']', '=']);
        if !(value.is_object() || value.is_array()) || !reader.is_foreign {
            continue;
        }
        // Something else follows, which may be another answer; or the program says that its value is not the one.
        // Digits that are not JSON's are no text: `+49` is neither `+49` nor `49` for sure.
        let is_open = reader.has_rewritten && !judge.allows(&value);
        if !is_whole || is_open || is_questioned(inner, start..reader.pos) {
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

/// Returns whether the program around a value doubts it: in the name of its variable, in a comment, or by a reference to
/// another value within a text.
fn is_questioned(text: &str, at: Range<usize>) -> bool {
    const COMMENTS: [&str; 5] = ["--", "//", "#", ";;", "/*"];
    let (before, after) = (excerpt(text, ..at.start), excerpt(text, at.end..));
    let is_other = before.rsplit('\n').next().is_some_and(is_other_variable);
    let is_doubt = |line: &str| COMMENTS.iter().any(|mark| line.starts_with(mark)) && remark(line) != Remark::Harmless;
    let is_commented = before.lines().chain(after.lines()).map(str::trim).any(is_doubt);
    let refers = |(mark, _): (usize, &str)| {
        excerpt(text, at.clone())
            .get(mark + 1..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '{')))
    };
    let is_php = before.contains("<?php") || before.contains("<?=");
    is_other
        || is_commented
        || interpolated::is_other(text, at.clone())
        || (is_php && excerpt(text, at.clone()).match_indices('$').any(refers))
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
            let rest = excerpt(text, at..);
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
