//! Closing brackets too many at the end of a text: `{"a": {"b": 1}, "c": 2}}`.
//!
//! The bracket too many may also stand within the value, so that a later member belongs one level deeper. Both are
//! readings, and the schema decides.

use super::Judge;
use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::kind::{Certainty, RepairKind};
use crate::repair::{Reading, read, repaired_text, strict};

/// More brackets too many are no slip.
const MOST: usize = 8;
/// More brackets within a value are not tried.
const MOST_TRIED: usize = 256;

/// The readings of a text that ends in closing brackets too many; the first is the one without them.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let whole = text.trim_end();
    for surplus in 1..=MOST {
        let Some(end) = without_closers(whole, surplus) else { return Vec::new() };
        let closers = excerpt(whole, end..);
        let Ok(plain) = read(excerpt(text, ..end)) else { continue };
        if plain.certainty() == Certainty::Partial || !judge.allows(&plain.value) {
            return Vec::new();
        }
        let others = inner_brackets(&repaired_text(excerpt(text, ..end), &plain.repairs), closers);
        let Some(others) = others else { return Vec::new() };
        let mut repairs = plain.repairs;
        let stray = closers.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'}' | b']'));
        repairs.extend(stray.map(|(at, _)| Repair::remove(RepairKind::StrayCloser, end + at..end + at + 1)));
        let one = Reading { value: plain.value, repairs };
        return std::iter::once(one).chain(others).collect();
    }
    Vec::new()
}

/// Where a text ends without so many of its closing brackets.
fn without_closers(text: &str, count: usize) -> Option<usize> {
    let mut rest = text;
    for _ in 0..count {
        rest = rest.trim_end().strip_suffix(['}', ']'])?;
    }
    Some(rest.trim_end().len())
}

/// The other readings: one bracket within the value is too many, and one at its end is not. None where there are too many
/// to try.
fn inner_brackets(json: &str, closers: &str) -> Option<Vec<Reading>> {
    let mut others = Vec::new();
    let inner = json.trim_end();
    let places: Vec<usize> =
        inner.match_indices(['}', ']']).map(|(at, _)| at).filter(|at| at + 1 < inner.len()).collect();
    if places.len() > MOST_TRIED {
        return None;
    }
    for at in places {
        let Some(bracket) = inner.get(at..=at).filter(|bracket| closers.contains(*bracket)) else { continue };
        let moved = format!("{}{}{bracket}", excerpt(inner, ..at), excerpt(inner, at + 1..));
        others.extend(strict::parse(&moved).ok().map(|value| Reading { value, repairs: Vec::new() }));
    }
    Some(others)
}
