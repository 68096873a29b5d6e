//! L0, schema: raw text enters, one JSON value leaves, with every repair of the text written down.
//!
//! Correct JSON is never altered. Text that can be read in two ways is refused.

use crate::climb::{Climb, Input, Weight};
use crate::codes::UNREADABLE;
use crate::edits::hash_of;
use crate::repair::Certainty;
use deed_model::{LadderChange, LadderMode, PatchOp, Rung, TextRepair};
use serde_json::Value;
use std::borrow::Cow;

pub(crate) fn run(climb: &mut Climb<'_>) {
    match (climb.input, climb.reading.take()) {
        (Input::Text(text), Some(Ok(repairs))) if !repairs.is_empty() => {
            if climb.mode != LadderMode::Block {
                let kinds: Vec<&str> = repairs.iter().map(|repair| repair.kind.as_str()).collect();
                let message = format!("the text is no JSON, and would have to be repaired ({})", kinds.join(", "));
                climb.find(Rung::L0, UNREADABLE, "", message, None, None, Weight::Blocks);
                climb.payload = None;
                climb.reading = Some(Ok(repairs));
                return;
            }
            repaired(climb, text, repairs);
        }
        (Input::Text(_), Some(Err(unreadable))) => {
            climb.find(
                Rung::L0,
                UNREADABLE,
                "",
                format!("the text cannot be read at byte {}: {}", unreadable.at, unreadable.message),
                Some(unreadable.help.clone()),
                Some(unreadable.reason.as_str()),
                Weight::Blocks,
            );
            climb.reading = Some(Err(unreadable));
        }
        (Input::Value(_), _) => climb.canonical(),
        (Input::Text(_), reading) => climb.reading = reading,
    }
}

fn repaired(climb: &mut Climb<'_>, text: &str, repairs: Vec<crate::repair::Repair>) {
    let Some(value) = climb.payload.clone() else { return };
    let least_sure = repairs.iter().map(|repair| repair.certainty()).max().unwrap_or(Certainty::Exact);
    let confidence = match least_sure {
        Certainty::Exact => 1000,
        Certainty::Likely => 900,
        Certainty::Partial => 600,
    };
    let raw = Value::String(text.to_owned());
    let kinds: std::collections::BTreeSet<&str> = repairs.iter().map(|repair| repair.kind.as_str()).collect();
    let rule = kinds.into_iter().collect::<Vec<_>>().join("+");
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
