//! The values of a text, each as a reading of its own, and all of them as one list.

use super::choices::taken_apart;
use super::sound::{are_groups_open, is_digits, is_grouped, is_sound, takes_number};
use super::spelled::spelled;
use super::{Judge, MOST_READINGS};
use crate::excerpt::excerpt;
use crate::prose::announces_correction;
use crate::repair::Reading;
use crate::repair::candidate::Candidate;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::locate::find_all;
use crate::repair::outer::{Side, strip};
use crate::repair::statements::mark_statements;
use crate::repair::strict;
use crate::repair::whole::check;
use serde_json::Value;
use std::ops::Range;

/// Values that are tried as the whole of the text, where none of them is.
const MOST_TRIED: usize = 1024;

/// Every reading of a text as one of the values in it, and as the list of them; no more than show that there are too
/// many.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let Ok(found) = find_all(text) else { return Vec::new() };
    // Members without braces beside another value: the text is a part of something larger.
    let is_bare = |candidate: &Candidate| candidate.script.iter().any(|repair| repair.kind == RepairKind::BracesAdded);
    if found.len() > 1 && found.iter().any(is_bare) {
        return Vec::new();
    }
    if !found.iter().all(|candidate| is_sound(text, &candidate.script, judge)) {
        return Vec::new();
    }
    let has_groups = |candidate: &Candidate| candidate.script.iter().any(|repair| is_grouped(repair.inserted()));
    if found.iter().any(|candidate| has_groups(candidate) && are_groups_open(&candidate.value, judge)) {
        return Vec::new();
    }
    if found.iter().any(|candidate| is_undefined_in_two_ways(text, candidate, judge)) {
        return Vec::new();
    }
    if found.iter().any(|candidate| is_subscript(text, candidate)) {
        return Vec::new();
    }
    let spans: Vec<Range<usize>> = found.iter().map(|candidate| candidate.span.clone()).collect();
    let has_digits = |candidate: &Candidate| candidate.script.iter().any(|repair| is_digits(repair.inserted()));
    if found.iter().any(|candidate| has_digits(candidate) && takes_number(&candidate.value, judge)) {
        return Vec::new();
    }
    // `Here is the corrected version:` between two values takes back the first.
    let corrected = match found.as_slice() {
        // Two values that are both announced so are two answers.
        [others @ .., before, last] => {
            let from = others.last().map_or(0, |other| other.span.end);
            let lead = |from: usize, to: usize| announces_correction(excerpt(text, from..to));
            lead(before.span.end, last.span.start) && !lead(from, before.span.start)
        }
        _ => false,
    };
    let first = if corrected { found.len().saturating_sub(1) } else { 0 };
    let list = list(text, &found).filter(|_| !corrected);
    let mut readings: Vec<Reading> = Vec::new();
    for (tried, (index, candidate)) in found.into_iter().enumerate().skip(first).enumerate() {
        // Each reading has the repairs of all others, so that many of them would be more than the text is worth.
        if readings.len() > MOST_READINGS || (readings.is_empty() && tried >= MOST_TRIED) {
            return readings;
        }
        let others: Vec<Range<usize>> =
            spans.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, span)| span.clone()).collect();
        if check(&without(text, &others), &candidate).is_ok() {
            let apart = taken_apart(text, &candidate, judge);
            let words = spelled(text, &candidate, judge);
            readings.extend(
                std::iter::once(candidate).chain(apart).chain(words).map(|candidate| one(text, candidate, &others)),
            );
        }
    }
    readings.extend(list);
    readings
}

/// Whether brackets name a part of a variable: `order['total'] = 5` changes what was assigned to it.
fn is_subscript(text: &str, candidate: &Candidate) -> bool {
    let before = excerpt(text, ..candidate.span.start);
    let named = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | ')'));
    let after = excerpt(text, candidate.span.end..).trim_start_matches([' ', '\t']);
    named && candidate.value.is_array() && after.starts_with(['=', '+', '-', '.', '[', ')'])
}

/// Whether a member that is `undefined` may be null and may as well be left out.
fn is_undefined_in_two_ways(text: &str, candidate: &Candidate, judge: &dyn Judge) -> bool {
    const MARK: &str = "\u{1}undefined";
    let is_undefined =
        |repair: &Repair| repair.kind == RepairKind::ForeignLiteral && repair.removed(text) == "undefined";
    if !candidate.script.iter().any(is_undefined) {
        return false;
    }
    let marked = candidate.script.iter().map(|repair| match is_undefined(repair) {
        true => Repair::replace(repair.kind, repair.at(), Value::from(MARK).to_string()),
        false => repair.clone(),
    });
    let marked = apply(text, candidate.span.clone(), &marked.collect::<Vec<_>>());
    let Ok(mut without) = strict::parse(&marked) else { return true };
    leave_out(&mut without, MARK);
    judge.allows(&without) && judge.allows(&candidate.value)
}

/// Removes every member with a value.
fn leave_out(value: &mut Value, mark: &str) {
    match value {
        Value::Object(map) => {
            map.retain(|_, inner| inner.as_str() != Some(mark));
            map.values_mut().for_each(|inner| leave_out(inner, mark));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| leave_out(inner, mark)),
        _ => {}
    }
}

/// One value, with everything around it removed.
fn one(text: &str, candidate: Candidate, others: &[Range<usize>]) -> Reading {
    let Candidate { span, script, value, .. } = candidate;
    let mut repairs = Vec::new();
    remove(text, 0..span.start, Side::Before, others, &mut repairs);
    repairs.extend(script);
    remove(text, span.end..text.len(), Side::After, others, &mut repairs);
    mark_statements(text, &mut repairs);
    Reading { value, repairs }
}

/// Removes a part of the text, other values under their own name.
fn remove(text: &str, part: Range<usize>, side: Side, others: &[Range<usize>], repairs: &mut Vec<Repair>) {
    let mut from = part.start;
    for other in others.iter().filter(|other| part.start <= other.start && other.end <= part.end) {
        strip(text, from..other.start, side, repairs);
        repairs.push(Repair::remove(RepairKind::OtherValue, other.clone()));
        from = other.end;
    }
    strip(text, from..part.end, side, repairs);
}

/// All values as one list, where nothing but commas and blanks stands between them.
fn list(text: &str, found: &[Candidate]) -> Option<Reading> {
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return None };
    let mut repairs = Vec::new();
    let numbered = |number: usize, between: &str| {
        let mark = between.rsplit('\n').next().unwrap_or_default().trim();
        let mark = mark.trim_matches('*');
        let counted = [format!("{number}."), format!("{number})"), format!("{number}:")].contains(&mark.to_owned());
        counted || matches!(mark, "-" | "*" | "\u{2022}" | "+")
    };
    // Marks before each value number or list them; either all values have one or none has.
    let marked = numbered(1, excerpt(text, ..first.span.start));
    strip(text, 0..first.span.start, Side::Before, &mut repairs);
    repairs.push(Repair::insert(RepairKind::ListAdded, first.span.start, "["));
    let mut end = None;
    for (index, candidate) in found.iter().enumerate() {
        if let Some(end) = end {
            let between = text.get(end..candidate.span.start)?;
            let gap = match marked && numbered(index + 1, between) {
                true => between.rsplit_once('\n').map_or("", |(gap, _)| gap),
                false => between,
            };
            if !gap.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';')) {
                return None;
            }
            repairs.push(Repair::replace(RepairKind::ListAdded, end..candidate.span.start, ","));
        }
        repairs.extend(candidate.script.iter().cloned());
        end = Some(candidate.span.end);
    }
    repairs.push(Repair::insert(RepairKind::ListAdded, last.span.end, "]"));
    strip(text, last.span.end..text.len(), Side::After, &mut repairs);
    let value = Value::Array(found.iter().map(|candidate| candidate.value.clone()).collect());
    (found.len() > 1).then_some(Reading { value, repairs })
}

/// A text with blanks in the place of some parts.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for part in parts {
        out.push_str(excerpt(text, from..part.start));
        out.extend(std::iter::repeat_n(' ', part.len()));
        from = part.end;
    }
    out.push_str(excerpt(text, from..));
    out
}
