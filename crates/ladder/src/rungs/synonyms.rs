//! L0b, synonyms: configured names enter, canonical ones leave.
//!
//! A name that is there beside its canonical one is not chosen between: that is refused.

use crate::climb::{Climb, Weight};
use crate::codes::SYNONYM_TAKEN;
use crate::edits::{Cause, rename};
use deed_canon::Pointer;
use deed_diag::quote;
use deed_model::Rung;
use serde_json::Value;

pub(crate) fn run(climb: &mut Climb<'_>) {
    for rule in &climb.ladder.synonyms {
        let Some(payload) = &climb.payload else { return };
        let mut found: Vec<(String, Vec<String>, bool)> = Vec::new();
        rule.at.each(payload, &mut |at, value| {
            let Value::Object(map) = value else { return };
            let names: Vec<String> = rule.from.iter().filter(|name| map.contains_key(*name)).cloned().collect();
            if !names.is_empty() {
                found.push((at.to_owned(), names, map.contains_key(&rule.to)));
            }
        });
        // Deeper objects first, so that a renamed one above does not move those beneath.
        for (at, names, taken) in found.into_iter().rev() {
            apply(climb, &at, &names, &rule.to, taken);
        }
    }
}

fn apply(climb: &mut Climb<'_>, at: &str, names: &[String], to: &str, taken: bool) {
    let ([name], false) = (names, taken) else {
        let all: Vec<String> = names.iter().map(|name| quote(name)).chain(taken.then(|| quote(to))).collect();
        let message = format!("{} all mean {}", all.join(" and "), quote(to));
        let help = Some("keep one of them".to_owned());
        climb.find(Rung::L0b, SYNONYM_TAKEN, at, message, help, Some(to), Weight::Blocks);
        return;
    };
    if !climb.is_free(&Pointer::push(at, name)) {
        return;
    }
    let rule = format!("{name}→{to}");
    let cause = Cause { rung: Rung::L0b, rule: &rule, confidence: 1000, why: "the contract lists it as a synonym" };
    let change = climb.payload.as_mut().and_then(|payload| rename(payload, at, name, to, cause));
    if let Some(change) = change {
        climb.record(change);
    }
}
