//! L0, schema: raw text enters, one JSON value leaves, with every repair of the text written down.
//!
//! Correct JSON is never altered. Text that can be read in two ways is refused.

use crate::climb::{Climb, Input, Weight, habits};
use crate::codes::{ROUNDED, SEARCH_BOUND, SEVERAL_TEXTS, UNREADABLE};
use crate::edits::hash_of;
use crate::repair::{Certainty, Repair, RepairKind, UnreadableKind, repaired_text, rounded};
use deed_diag::{Code, quote};
use deed_model::{LadderChange, LadderMode, PatchOp, Rung, TextRepair};
use serde_json::Value;
use std::borrow::Cow;

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
            digits_lost(climb, &repaired_text(text, &repairs));
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

fn repaired(climb: &mut Climb<'_>, text: &str, repairs: Vec<crate::repair::Repair>) {
    let Some(value) = climb.payload.clone() else { return };
    let least_sure = repairs.iter().map(|repair| repair.certainty()).max().unwrap_or(Certainty::Exact);
    let confidence = match least_sure {
        Certainty::Exact => 1000,
        Certainty::Likely => 900,
        Certainty::Partial => 600,
    };
    cut_off(climb, &repairs);
    let raw = Value::String(text.to_owned());
    let rule = habits(repairs.iter().map(|repair| repair.kind.as_str())).join("+");
    let texts = repairs.into_iter().map(|repair| TextRepair {
        kind: Cow::Borrowed(repair.kind.as_str()),
        start: repair.at.start,
        end: repair.at.end,
        inserted: repair.inserted,
    });
    climb.repairs = texts.collect();
    climb.record(LadderChange {
        rung: Rung::L0,
        rule,
        confidence,
        before: hash_of(&raw),
        after: hash_of(&value),
        patch: vec![PatchOp::Replace { path: String::new(), value }],
        inverse: vec![PatchOp::Replace { path: String::new(), value: raw }],
        why: "the text was read as JSON once these slips were mended".to_owned(),
    });
}

/// Says that a text was cut off, where, and what became of its end.
fn cut_off(climb: &mut Climb<'_>, repairs: &[Repair]) {
    let at_end = |repair: &&Repair| repair.certainty() == Certainty::Partial;
    let Some(at) = repairs.iter().filter(at_end).map(|repair| repair.at.start).min() else { return };
    let dropped = repairs.iter().any(|repair| repair.kind == RepairKind::CutMemberDropped);
    let closed: String = repairs.iter().filter(at_end).map(|repair| &*repair.inserted).collect();
    let completed = repairs.iter().find(|repair| repair.kind == RepairKind::CutLiteralCompleted);
    let word =
        completed.map(|repair| format!("; the word that it broke off in is read as {}", quote(&repair.inserted)));
    let word = word.unwrap_or_default();
    let lost = if dropped { "; the member or item that it broke off in is left out" } else { "" };
    let message = format!("the text was cut off at byte {at}, and closed there with {}{word}{lost}", quote(&closed));
    let help = Some("what followed is not known; ask for it again, or for less at once".to_owned());
    climb.find(Rung::L0, CUT_OFF, "", message, help, None, Weight::Remark);
}
