//! L3, the guard: a payload enters, and leaves only if nothing in it must not pass.
//!
//! It runs before anything is read into the payload and once more over the result. What it finds it names by
//! class and place, and never repeats.

mod unread;

use crate::climb::{self, Cx, Findings, Inputs, Output};
use crate::flagged::Flagged;
use crate::ladder::Ladder;
use crate::place::push;
use crate::reading::{Entry, EntryText};
use crate::repair::repaired_text;
use crate::rungs::synonyms;
use deed_canon::Pointer;
use deed_detect::{Finding, Guard, Kind};
use deed_diag::{codes, quote};
use deed_model::{LadderMode, Rung};
use serde_json::Value;
use std::borrow::Cow;

/// Fewer bytes than this hold neither a secret nor anything personal: commas and quotes that were put right.
const SHORTEST: usize = 4;

/// Runs the guard over the input.
pub(crate) fn enter(cx: Cx<'_>, entry: &Entry<'_>) -> Output {
    let guard = &cx.ladder.guard;
    let known = Flagged::default();
    let mut scan = Scan::new(cx, &known);
    match entry {
        Entry::Text(EntryText { text, value, repairs, .. }) => {
            // What repairs leave out is scanned too: it came in, and it is in the record.
            let removed = repairs.iter().map(|repair| repair.removed(text)).filter(|text| text.len() >= SHORTEST);
            removed.for_each(|text| scan.around(text));
            let strict = match repairs.is_empty() {
                true => Cow::Borrowed(*text),
                false => Cow::Owned(repaired_text(text, repairs)),
            };
            if guard.may_hold_anything(&strict) {
                scan.value(value, None, "");
            }
        }
        Entry::Unreadable { text, .. } => scan.unreadable(text),
        Entry::Value(value) => {
            if may_hold_anything(guard, value) {
                scan.value(value, None, "");
            }
        }
    }
    scan.into_output()
}

/// Runs the guard over the result. How text was read is no change to what it says.
pub(crate) fn leave(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let changed = inputs.changes.iter().any(|change| change.rung != Rung::L0);
    if !changed || !may_hold_anything(&cx.ladder.guard, inputs.payload) {
        return Output::default();
    }
    let mut scan = Scan::new(cx, inputs.flagged);
    scan.value(inputs.payload, None, "");
    scan.into_output()
}

/// A quick look, which may say yes where there is nothing, and never no where there is something.
fn may_hold_anything(guard: &Guard, value: &Value) -> bool {
    serde_json::to_string(value).map_or(true, |text| guard.may_hold_anything(&text))
}

/// Whether nothing is found in a value under a name, nor in anything within it.
pub(crate) fn is_clean(guard: &Guard, key: Option<&str>, value: &Value) -> bool {
    let passes = |key: Option<&str>, text: &str| guard.scan_value(key, text).is_empty();
    match value {
        Value::String(text) => passes(key, text),
        Value::Number(number) => passes(key, &number.to_string()),
        Value::Array(items) => items.iter().all(|item| is_clean(guard, key, item)),
        Value::Object(map) => map.iter().all(|(name, inner)| passes(None, name) && is_clean(guard, Some(name), inner)),
        Value::Null | Value::Bool(_) => true,
    }
}

/// A scan of the input or the result.
struct Scan<'c> {
    cx: Cx<'c>,
    /// What an earlier scan flagged, which is not reported again.
    known: &'c Flagged,
    /// The same with what this one flags.
    flagged: Flagged,
    found: Vec<Found>,
}

/// Something that a scan found.
struct Found {
    at: String,
    finding: Finding,
    whereabouts: &'static str,
}

impl<'c> Scan<'c> {
    fn new(cx: Cx<'c>, known: &'c Flagged) -> Self {
        Self { cx, known, flagged: known.clone(), found: Vec::new() }
    }

    /// Scans a text around the payload.
    fn around(&mut self, text: &str) {
        for finding in unread::around(&self.cx.ladder.guard, text) {
            self.flagged.flag_text(text.get(finding.range.clone()).unwrap_or(text));
            self.report("", finding, "in the text around the payload");
        }
    }

    /// Scans a text that could not be read.
    fn unreadable(&mut self, text: &str) {
        let looked = unread::look(&self.cx.ladder.guard, text);
        self.flagged.unquoted = looked.suspicious;
        // Nothing of a text that cannot be read is shown, if anything in it must not be.
        if !looked.found.is_empty() {
            self.flagged.flag_value("");
        }
        looked.found.into_iter().for_each(|finding| self.report("", finding, "in the text"));
    }

    /// Scans every key and value of a payload.
    fn value(&mut self, value: &Value, key: Option<&str>, at: &str) {
        match value {
            Value::String(text) => {
                self.text(key, text, at);
            }
            Value::Number(number) => {
                self.text(key, &number.to_string(), at);
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, key, &Pointer::push(at, &index.to_string()));
                }
            }
            Value::Object(map) => {
                for (name, inner) in map {
                    let place = Pointer::push(at, name);
                    if self.text(None, name, &place) {
                        self.flagged.flag_key(&place);
                    }
                    self.value(inner, Some(name), &place);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Scans a value as text, or a key; returns whether the guard found anything, expected or not.
    fn text(&mut self, key: Option<&str>, text: &str, at: &str) -> bool {
        let found = self.cx.ladder.guard.scan_value(key, text);
        let any = !found.is_empty();
        for finding in found {
            let value = text.get(finding.range.clone()).unwrap_or(text);
            if self.is_expected(at, &finding) {
                continue;
            }
            if value.len() >= SHORTEST {
                self.flagged.flag_text(value);
            }
            if !self.known.is_flagged(at) {
                self.flagged.flag_value(at);
                self.report(at, finding, "here");
            }
        }
        any
    }

    /// Returns whether the contract lets a place hold what was found there.
    fn is_expected(&self, at: &str, finding: &Finding) -> bool {
        let expected = self.cx.ladder.expected_personal.iter();
        let mut expected = expected.filter(|(_, class)| *class == finding.rule_id).peekable();
        if expected.peek().is_none() {
            return false;
        }
        let to_be = canonical(self.cx, at);
        expected.any(|(place, _)| place.is_at(at) || place.is_at(&to_be))
    }

    fn report(&mut self, at: &str, finding: Finding, whereabouts: &'static str) {
        self.found.push(Found { at: at.to_owned(), finding, whereabouts });
    }

    fn into_output(self) -> Output {
        let mut findings = Findings::new(&self.flagged, &[]);
        self.found.iter().for_each(|found| findings.add(reported(self.cx.ladder, found)));
        let findings = findings.into_parts().0;
        Output { findings, flagged: Some(self.flagged), ..Output::default() }
    }
}

/// A place by the names that synonyms will give it.
fn canonical(cx: Cx<'_>, at: &str) -> String {
    let mut to_be = String::new();
    let applied = cx.mode(Rung::L0b) == LadderMode::Block;
    for name in Pointer::tokens(at) {
        let rule = Some(()).filter(|()| applied).and_then(|()| synonyms::rule_for(cx.ladder, &to_be, &name));
        push(&mut to_be, rule.map_or(&name, |rule| &rule.to));
    }
    to_be
}

fn reported<'f>(ladder: &Ladder, found: &'f Found) -> climb::Finding<'f> {
    let Found { at, finding, whereabouts } = found;
    let forbidden = ladder.contract.guard.forbidden.iter().any(|content| content.id == finding.rule_id);
    let (code, what) = match (forbidden, finding.kind) {
        (true, _) => (codes::FORBIDDEN_CONTENT, "forbidden content"),
        (false, Kind::Secret) => (codes::CREDENTIAL_IN_PAYLOAD, "a credential"),
        (false, Kind::Personal) => (codes::PERSONAL_DATA_IN_PAYLOAD, "personal data"),
    };
    let message = format!("{what} ({}) stands {whereabouts}", quote(&finding.rule_id));
    let help = match code.as_str() == codes::PERSONAL_DATA_IN_PAYLOAD.as_str() {
        true => "take it out, or list the place under `guard.allow` if it belongs there",
        false => "take it out; whoever wrote it should not have had it",
    };
    climb::Finding::blocking(Rung::L3, code, at, message).help(help).rule(&finding.rule_id)
}
