//! L0, schema: raw text enters, one JSON value leaves, with every repair of the text written down.
//!
//! Correct JSON is never altered. Text that can be read in two ways is refused.

use crate::climb::{Climb, Input, Weight, habits};
use crate::codes::{CUT_NUMBER, ROUNDED, SEARCH_BOUND, SEVERAL_TEXTS, UNREADABLE, VALUE_OUTSIDE};
use crate::edits::hash_of;
use crate::naming::same_but_style;
use crate::repair::{Certainty, Repair, RepairKind, UnreadableKind, open_containers, repaired_text, rounded};
use crate::spoken::{writes_another, writes_value_of};
use deed_diag::{Code, quote};
use deed_imprint::ExpectedKey;
use deed_model::{LadderChange, LadderMode, PatchOp, PatchValue, RepairName, Rung, TextRepairs};
use serde_json::Value;

/// A text that ended early, read as far as it goes.
const CUT_OFF: Code = Code::new("D1706");

pub(crate) fn run(climb: &mut Climb<'_>) {
    match (climb.input, climb.reading.take()) {
        (Input::Text(text), Some(Ok(repairs))) if !repairs.is_empty() => {
            if climb.mode != LadderMode::Block {
                let kinds = habits(repairs.iter().map(|repair| repair.kind.as_str()));
                let message = format!("the text is no JSON, and would have to be repaired ({})", kinds.join(", "));
                climb.find(Rung::L0, UNREADABLE, "", message, None, None, Weight::Blocks);
                climb.payload = None;
                climb.reading = Some(Ok(repairs));
                return;
            }
            if !rounded(text).is_empty() {
                digits_lost(climb, &repaired_text(text, &repairs));
            }
            bounded(climb);
            repaired(climb, text, repairs);
        }
        (Input::Text(_), Some(Err(unreadable))) => {
            let why = if climb.unquoted { unreadable.reason.message() } else { &unreadable.message };
            let code = match unreadable.reason {
                UnreadableKind::SeveralReadings => SEVERAL_TEXTS,
                _ => UNREADABLE,
            };
            bounded(climb);
            climb.find(
                Rung::L0,
                code,
                "",
                format!("the text cannot be read at byte {}: {why}", unreadable.at),
                Some(unreadable.help.clone()),
                Some(unreadable.reason.as_str()),
                Weight::Blocks,
            );
            climb.reading = Some(Err(unreadable));
        }
        (Input::Value(_), _) => climb.canonical(),
        (Input::Text(text), reading) => {
            digits_lost(climb, text);
            climb.reading = reading;
        }
    }
}

/// Reports numbers with more digits than a double holds. One that became another kind of number refuses the payload.
fn digits_lost(climb: &mut Climb<'_>, text: &str) {
    for number in rounded(text) {
        let whole = !number.read.contains(['.', 'e', 'E']);
        let weight = if whole { Weight::Blocks } else { Weight::Remark };
        let (literal, read) = (quote(&number.literal), quote(&number.read));
        let message =
            format!("number {literal} at byte {} has more digits than are kept, and reads as {read}", number.at);
        let help = Some("write it as text, or with at most 15 digits".to_owned());
        climb.find(Rung::L0, ROUNDED, "", message, help, None, weight);
    }
}

/// Says that other readings of the text were not tried.
fn bounded(climb: &mut Climb<'_>) {
    let Some(bound) = climb.bound.take() else { return };
    let message = format!("readings under the schema were not tried: {bound}");
    climb.find(Rung::L0, SEARCH_BOUND, "", message, None, None, Weight::Remark);
}

fn repaired<'c>(climb: &mut Climb<'c>, text: &'c str, repairs: Vec<Repair>) {
    let least_sure = repairs.iter().map(|repair| repair.certainty()).max().unwrap_or(Certainty::Exact);
    let confidence = match least_sure {
        Certainty::Exact => 1000,
        Certainty::Likely => 900,
        Certainty::Partial => 600,
    };
    cut_off(climb, text, &repairs);
    written_outside(climb, text, &repairs);
    // Only defaults ask for it, and there may be as many parts as lines.
    if !climb.ladder.defaults.is_empty() {
        climb.removed = removed(text, &repairs);
    }
    let rule = habits(repairs.iter().map(|repair| repair.kind.as_str())).join("+");
    climb.repairs = recorded(repairs);
    // Hashing takes room of its own, so it comes before what is kept.
    let raw = Value::String(text.to_owned());
    let before = hash_of(&raw);
    let Some(value) = &climb.payload else { return };
    let (after, value) = (hash_of(value), PatchValue::compact(value, text.len()));
    climb.record(LadderChange {
        rung: Rung::L0,
        rule,
        confidence,
        before,
        after,
        patch: vec![PatchOp::Replace { path: String::new(), value }],
        inverse: vec![PatchOp::Replace { path: String::new(), value: raw.into() }],
        why: "the text was read as JSON once these slips were repaired".to_owned(),
    });
}

/// The repairs as the record has them.
fn recorded(repairs: Vec<Repair>) -> TextRepairs {
    let names: Vec<Option<RepairName>> = RepairKind::ALL.iter().map(|kind| RepairName::new(kind.as_str())).collect();
    let name = |kind: RepairKind| names.get(kind as usize).copied().flatten();
    let mut recorded = TextRepairs::default();
    for repair in &repairs {
        if let Some(kind) = name(repair.kind) {
            recorded.push(kind, repair.at(), repair.inserted());
        }
    }
    recorded.shrink_to_fit();
    recorded
}

/// Refuses a text that writes a value for a declared key outside the object that was read.
fn written_outside(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let Some(payload) = &climb.payload else { return };
    let outside = |repair: &&Repair| {
        matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue)
    };
    let parts = repairs.iter().filter(outside).map(|repair| repair.removed(text));
    if !repairs.iter().any(|repair| outside(&repair)) || !payload.is_object() {
        return;
    }
    let keys = climb.ladder.imprint.expected().keys(payload);
    let missing: Vec<&str> = keys.iter().map(|key| key.name).filter(|name| !holds_key(payload, name)).collect();
    let parts: Vec<&str> = parts.collect();
    let lacking = parts.iter().find_map(|part| missing.iter().find(|key| writes_value_of(part, key)));
    if let Some(key) = lacking.map(|key| quote(key)) {
        let message = format!("text beside the object writes a value for {key}, which the object does not have");
        let help = Some(format!("write {key} as a member of the object"));
        climb.find(Rung::L0, VALUE_OUTSIDE, "", message, help, None, Weight::Blocks);
        return;
    }
    let expected = climb.ladder.imprint.expected();
    let another = |key: &&ExpectedKey<'_>| {
        let Some(own) = payload.get(key.name) else { return false };
        let listed = expected.key(payload, key.name).choices().is_some();
        let plain = own.is_boolean() || own.is_number() || (own.is_string() && listed);
        plain && parts.iter().any(|part| writes_another(part, key.name, own))
    };
    if let Some(key) = keys.iter().find(another).map(|key| quote(key.name)) {
        let message = format!("text beside the object writes another value for {key} than the object has");
        let help = Some(format!("write {key} once, as a member of the object"));
        climb.find(Rung::L0, VALUE_OUTSIDE, "", message, help, None, Weight::Blocks);
    }
}

/// Whether a key stands anywhere in a value.
fn holds_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(name, inner)| same_but_style(name, key) || holds_key(inner, key)),
        Value::Array(items) => items.iter().any(|inner| holds_key(inner, key)),
        _ => false,
    }
}

/// The parts of a text that were removed and may say something of the value.
fn removed<'t>(text: &'t str, repairs: &[Repair]) -> Vec<&'t str> {
    let speaks = |repair: &&Repair| {
        matches!(
            repair.kind,
            RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue | RepairKind::Comment
        )
    };
    repairs.iter().filter(speaks).map(|repair| repair.removed(text)).collect()
}

/// Reports that a text was cut off, where, and what became of its end.
fn cut_off(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let at_end = |repair: &&Repair| repair.certainty() == Certainty::Partial;
    let Some(at) = repairs.iter().filter(at_end).map(|repair| repair.at().start).min() else { return };
    let dropped = repairs.iter().find(|repair| repair.kind == RepairKind::CutMemberDropped);
    // A closing bracket alone may be all that is missing; a part of a member, or a comma, shows that more was written.
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let more = |repair: &Repair| {
        let part = [RepairKind::CutMemberDropped, RepairKind::CutStringClosed, RepairKind::CutLiteralCompleted];
        part.contains(&repair.kind)
            || closers > 1
            || (repair.kind == RepairKind::TrailingComma
                && text.get(repair.at().end..).is_some_and(|rest| rest.trim().is_empty()))
    };
    if repairs.iter().any(more) {
        climb.cut = open_at_cut(text, repairs);
    }
    let number = dropped.map(|repair| last_number(repair.removed(text))).filter(|number| !number.is_empty());
    let dropped = dropped.is_some();
    let closed: String = repairs.iter().filter(at_end).map(|repair| repair.inserted()).collect();
    let completed = repairs.iter().find(|repair| repair.kind == RepairKind::CutLiteralCompleted);
    let word =
        completed.map(|repair| format!("; the word that it broke off in is read as {}", quote(repair.inserted())));
    let word = word.unwrap_or_default();
    let lost = if dropped { "; the member or item that it broke off in is left out" } else { "" };
    let message = format!("the text was cut off at byte {at}, and closed there with {}{word}{lost}", quote(&closed));
    let help = Some("what followed is not known; ask for it again, or for less at once".to_owned());
    climb.find(Rung::L0, CUT_OFF, "", message, help, None, Weight::Remark);
    if let Some(number) = number {
        let message = format!("the text ends in the number {}, of which digits may be missing", quote(number));
        let help = Some("ask for the whole answer again".to_owned());
        climb.find(Rung::L0, CUT_NUMBER, "", message, help, None, Weight::Blocks);
    }
}

/// The number that a text ends in.
fn last_number(text: &str) -> &str {
    let text = text.trim_end();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let start = text.trim_end_matches(is_part).len();
    let number = text.get(start..).unwrap_or_default();
    let valued = text.get(..start).is_some_and(|before| before.trim_end().ends_with([':', ',', '[', '=']));
    if valued && number.starts_with(|c: char| c.is_ascii_digit() || c == '-') { number } else { "" }
}

/// The objects and lists that are open where the text was cut off, outermost first.
fn open_at_cut(text: &str, repairs: &[Repair]) -> Vec<String> {
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let before = repaired_text(text, repairs);
    let end = before.trim_end().len().saturating_sub(closers);
    open_containers(before.get(..end).unwrap_or_default())
}
