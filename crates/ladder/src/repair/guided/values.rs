//! The values of a text, each as a reading of its own, and all of them as one list.

use super::Judge;
use super::sound::{is_digits, is_sound, takes_number};
use crate::repair::Reading;
use crate::repair::candidate::Candidate;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::locate::find_all;
use crate::repair::outer::{Side, strip};
use crate::repair::whole::check;
use serde_json::Value;
use std::ops::Range;

/// Every reading of a text as one of the values in it, and as the list of them.
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
    let spans: Vec<Range<usize>> = found.iter().map(|candidate| candidate.span.clone()).collect();
    let has_digits = |candidate: &Candidate| candidate.script.iter().any(|repair| is_digits(repair.inserted()));
    if found.iter().any(|candidate| has_digits(candidate) && takes_number(&candidate.value, judge)) {
        return Vec::new();
    }
    let list = list(text, &found);
    let mut readings: Vec<Reading> = Vec::new();
    for (index, candidate) in found.into_iter().enumerate() {
        let others: Vec<Range<usize>> =
            spans.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, span)| span.clone()).collect();
        if check(&without(text, &others), &candidate).is_ok() {
            readings.push(one(text, candidate, &others));
        }
    }
    readings.extend(list);
    readings
}

/// One value, with everything around it removed.
fn one(text: &str, candidate: Candidate, others: &[Range<usize>]) -> Reading {
    let Candidate { span, script, value, .. } = candidate;
    let mut repairs = Vec::new();
    remove(text, 0..span.start, Side::Before, others, &mut repairs);
    repairs.extend(script);
    remove(text, span.end..text.len(), Side::After, others, &mut repairs);
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
    strip(text, 0..first.span.start, Side::Before, &mut repairs);
    repairs.push(Repair::insert(RepairKind::ListAdded, first.span.start, "["));
    let mut end = None;
    for candidate in found {
        if let Some(end) = end {
            let between = text.get(end..candidate.span.start)?;
            if !between.chars().all(|c| c.is_whitespace() || c == ',') {
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
        out.push_str(text.get(from..part.start).unwrap_or_default());
        out.extend(std::iter::repeat_n(' ', part.len()));
        from = part.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}
