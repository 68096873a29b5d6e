//! L0d, defaults: what is missing and has a configured value is put in.

use super::holds;
use crate::climb::{Climb, Weight};
use crate::codes::CONDITION_FAILED;
use crate::edits::{Cause, add};
use deed_canon::Pointer;
use deed_model::Rung;

pub(crate) fn run(climb: &mut Climb<'_>) {
    for rule in &climb.ladder.defaults {
        let Some(payload) = &climb.payload else { return };
        let mut missing = Vec::new();
        let mut failed = Vec::new();
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
            let message = format!("the condition of a default cannot be judged: {error}");
            climb.find(Rung::L0d, CONDITION_FAILED, &at, message, None, Some(&rule.rule), Weight::Blocks);
        }
        for at in missing {
            if !climb.is_free(&at) {
                continue;
            }
            let cause =
                Cause { rung: Rung::L0d, rule: &rule.rule, confidence: 1000, why: "it is missing and has a default" };
            let change = climb.payload.as_mut().and_then(|payload| add(payload, &at, rule.value.clone(), cause));
            if let Some(change) = change {
                climb.record(change);
            }
        }
    }
}
