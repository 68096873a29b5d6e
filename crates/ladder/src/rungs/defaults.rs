//! L0d, defaults: what is missing and has a configured value is put in.
//!
//! A default waits for what later rungs know better. While an unknown key of the same object may be the missing one
//! under another name, nothing is put in; if no rung settles that, the payload is refused. The same holds where the text
//! was cut off in the object, and where text that was removed gives the key a value. A conditional default is evaluated
//! once every rung below conformance has run, on the values they leave.

mod claims;
mod mentions;

use super::{holds, vector};
use crate::climb::{Cx, Deferred, Draft, Finding, Findings, Inputs, Output, Pass, Source, Superseded, Weight};
use crate::edits::Cause;
use crate::ladder::DefaultRule;
use crate::place::parent;
use crate::rungs::vector::same_letters;
pub(crate) use claims::Claim;
use claims::{Wanted, claim, claim_above};
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{LadderMode, Rung};
use serde_json::Value;

/// Characters of removed text that a message shows.
const SHOWN: usize = 60;

/// A default that is held back.
pub(crate) struct Held {
    /// The place of its key.
    pub(crate) at: String,
    rule: String,
    reason: Reason,
}

/// The reason to hold a default back.
enum Reason {
    /// These unknown keys may be meant by its key.
    Names(Vec<Claim>),
    /// The text was cut off in its object.
    Cut,
    /// Text that was removed gives its key a value.
    Named(String),
}

/// Adds the defaults of keys that are missing.
pub(crate) fn fill(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    draft.findings.supersede(Superseded::Code(Rung::L0d, codes::CONDITION_FAILED));
    let (mut held, mut deferred) = (Vec::new(), Deferred::default());
    for rule in &cx.ladder.defaults {
        let due = match (inputs.pass, rule.waits) {
            (Pass::First, waits) => !waits,
            // A suggestion was made in the first pass and is not repeated.
            (Pass::Later, waits) => waits || inputs.mode != LadderMode::Report,
        };
        deferred.any |= rule.waits && !due;
        if due {
            one(cx, &mut draft, rule, &mut held);
        }
    }
    Output { held: Some(held), deferred, ..draft.into_output() }
}

fn one(cx: Cx<'_>, draft: &mut Draft<'_>, rule: &DefaultRule, held: &mut Vec<Held>) {
    let payload = draft.payload();
    let (mut missing, mut failed) = (Vec::new(), Vec::new());
    rule.object.each(payload, &mut |at, object| {
        if object.as_object().is_none_or(|map| map.contains_key(&rule.key)) {
            return;
        }
        match rule.when.as_ref().map(|when| holds(when, object, None, payload)) {
            None | Some(Ok(true)) => missing.push(Pointer::push(at, &rule.key)),
            Some(Ok(false)) => {}
            Some(Err(error)) => failed.push((at.to_owned(), error.to_string())),
        }
    });
    for (at, error) in failed {
        let message = format!("the condition of the default for {} cannot be evaluated: {error}", quote(&rule.rule));
        draft.find(Finding::blocking(Rung::L0d, codes::CONDITION_FAILED, &at, message).rule(&rule.rule));
    }
    for at in missing {
        if !draft.is_free(&at) || draft.inputs.source.withheld.contains(&at) {
            continue;
        }
        if let Some(reason) = reason(cx, draft, &at, rule) {
            held.push(Held { at, rule: rule.rule.clone(), reason });
            continue;
        }
        let cause =
            Cause { rung: Rung::L0d, rule: &rule.rule, confidence: 1000, why: "it is missing and has a default" };
        draft.add(&at, rule.value.clone(), cause);
    }
}

/// The reason to hold back a default at a place.
fn reason(cx: Cx<'_>, draft: &Draft<'_>, at: &str, rule: &DefaultRule) -> Option<Reason> {
    let source = draft.inputs.source;
    let payload = draft.payload();
    let names = claimants(cx, Place { payload, source, at }, &rule.key, Some(&rule.value));
    if !names.is_empty() {
        return Some(Reason::Names(names));
    }
    let (object, _) = parent(at).invariant("a default has the place of a key");
    if source.was_cut_in(object) {
        return Some(Reason::Cut);
    }
    let place = cx.expected(payload, at);
    let gives = |text: &&&str| mentions::gives_value(text, &rule.key, &place, Some(&rule.value));
    source.removed.iter().find(gives).map(|text| Reason::Named((*text).to_owned()))
}

/// A place of a payload where a key is missing.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) payload: &'p Value,
    pub(crate) source: &'p Source<'p>,
    pub(crate) at: &'p str,
}

/// The unknown keys that may be a missing key under another name or at another place.
pub(crate) fn claimants(cx: Cx<'_>, place: Place<'_>, key: &str, default: Option<&Value>) -> Vec<Claim> {
    let (ladder, Place { payload, source, at }) = (cx.ladder, place);
    let (above, _) = parent(at).invariant("a missing key has the place of a key");
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let expected = ladder.imprint.expected().along(payload, above);
    let unknown = unknown(cx, payload, above);
    let raised = raised(cx, payload, above, key);
    if !raised.is_empty() {
        return raised;
    }
    let mut entry = vector::entry(ladder, &expected, object, above, key);
    let synonyms = ladder.synonyms.iter().filter(|rule| rule.to == key && rule.at.is_at(above));
    entry.aliases.extend(synonyms.flat_map(|rule| rule.from.iter().cloned()));
    let wanted = Wanted { key, default, place: expected.key(object, key), entry };
    let beside = |(name, value): (&String, &Value)| claim(cx, source, (above, name, value), &wanted);
    let found: Vec<Claim> = unknown.into_iter().filter_map(beside).collect();
    if found.is_empty() { around(cx, payload, above, &wanted) } else { found }
}

/// The members of an object that its schema does not name and that no contract calls a word.
fn unknown<'p>(cx: Cx<'_>, payload: &'p Value, object: &str) -> Vec<(&'p String, &'p Value)> {
    let holder = payload.pointer(object).unwrap_or(&Value::Null);
    let known = cx.expected(payload, object).keys(holder);
    let members = holder.as_object().into_iter().flatten();
    let is_known = |name: &String| known.iter().any(|known| known.name == name.as_str());
    members.filter(|(name, _)| !is_known(name) && !vector::is_word(cx.ladder, object, name)).collect()
}

/// Unknown keys of the objects above that may be a missing key under another name.
fn around(cx: Cx<'_>, payload: &Value, object: &str, wanted: &Wanted<'_>) -> Vec<Claim> {
    let (mut found, mut below) = (Vec::new(), object);
    while let Some((above, _)) = parent(below) {
        let claim = |(name, value): (&String, &Value)| claim_above(cx, (above, name, value), wanted);
        found.extend(unknown(cx, payload, above).into_iter().filter_map(claim));
        below = above;
    }
    found
}

/// Unknown keys of the objects above that have the name of a missing key, alone or behind the name of its object.
fn raised(cx: Cx<'_>, payload: &Value, object: &str, key: &str) -> Vec<Claim> {
    let (mut found, mut below) = (Vec::new(), object);
    while let Some((above, name)) = parent(below) {
        let longer = format!("{name}_{key}");
        let holder = payload.pointer(above).unwrap_or(&Value::Null);
        let known = cx.expected(payload, above).keys(holder);
        let is_known = |other: &str| known.iter().any(|known| known.name == other);
        let is_it = |other: &&String| same_letters(other, key) || same_letters(other, &longer);
        let keys = holder.as_object().into_iter().flat_map(|map| map.keys());
        let unknown = keys.filter(is_it).filter(|other| !is_known(other));
        found.extend(unknown.map(|other| Claim::Elsewhere(Pointer::push(above, other))));
        below = above;
    }
    found
}

/// Refuses the defaults that are still held once the rungs below conformance have settled.
pub(crate) fn refuse_held(mode: LadderMode, held: Vec<Held>, findings: &mut Findings<'_>) {
    let weight = match mode {
        LadderMode::Block => Weight::Blocks,
        LadderMode::Report | LadderMode::Off => Weight::Remark,
    };
    for Held { at, rule, reason } in held {
        let key = quote(&parent(&at).invariant("a default has the place of a key").1);
        let (code, message, help) = match reason {
            Reason::Names(names) => {
                let shown: Vec<String> = names.iter().map(Claim::shown).collect();
                let message = format!("{key} is missing, and {} may be meant by it", shown.join(" or "));
                let help = format!("{}; no default was put in", advice(&names, &key, &at));
                (codes::DEFAULT_MAY_HIDE_VALUE, message, help)
            }
            Reason::Cut => {
                let message = format!("{key} is missing where the text was cut off, and may have followed");
                let help = "ask for the whole answer again; no default was put in".to_owned();
                (codes::DEFAULT_IN_CUT_OBJECT, message, help)
            }
            Reason::Named(text) => {
                let shown: String = text.trim().chars().take(SHOWN).collect();
                let message = format!("{key} is missing, and text beside the value may give it: {}", quote(&shown));
                let help = format!("write {key} as a member of the object; no default was put in");
                (codes::DEFAULT_BESIDE_NAMED_VALUE, message, help)
            }
        };
        findings.add(Finding::blocking(Rung::L0d, code, &at, message).help(help).rule(&rule).weight(weight));
    }
}

/// The way to give a missing key the value that may be meant for it.
fn advice(claims: &[Claim], key: &str, at: &str) -> String {
    let it = if claims.len() == 1 { "it" } else { "one of them" };
    let beside = claims.iter().filter(|claim| matches!(claim, Claim::Beside(_))).count();
    match beside {
        0 => format!("move {it} to {}", quote(at)),
        all if all == claims.len() => format!("rename {it} to {key}, or list it as a synonym"),
        _ => format!("rename or move {it} to {}", quote(at)),
    }
}
