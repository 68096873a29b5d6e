//! Stage 1, intent.
//!
//! Enters: the request's intent, the run's if it names one, the pack's catalogue. Leaves: the intent with its class and
//! task. Must prove: an intent that the pack does not handle is refused, never guessed.

use super::Cx;
use crate::hydrate::HydratedIntent;
use crate::refusal::Refusal;
use crate::seal::StageOutput;
use deed_canon::ContentHash;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{LedgerIntent, Stage};
use serde::Serialize;
use std::borrow::Cow;

/// The intent of a request.
#[derive(Clone, Copy)]
pub(crate) struct Intent<'a> {
    pub(crate) id: &'a str,
    pub(crate) entry: &'a HydratedIntent,
}

#[derive(Serialize)]
struct Reads<'a> {
    layer: ContentHash,
    run_intent: Option<&'a str>,
}

pub(crate) fn classify<'a>(cx: Cx<'a>) -> Result<Intent<'a>, Refusal> {
    let asked = cx.inputs.request.intent();
    let run_intent = cx.inputs.run.context().intent.as_deref();
    if let Some(other) = run_intent.filter(|own| *own != asked) {
        let message = format!("the request asks for {} and the run is for {}", quote(asked), quote(other));
        return Err(Refusal::at(Stage::Intent, codes::INTENT_MISMATCH, message)
            .place("request", "/input/intent")
            .help("open a run for the intent that is asked for"));
    }
    let Some((id, entry)) = cx.pack.intents.get_key_value(asked) else { return Err(unknown(cx, asked)) };
    Ok(Intent { id, entry })
}

impl<'a> StageOutput<'a> for Intent<'a> {
    const STAGE: Stage = Stage::Intent;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        Reads { layer: cx.pack.layers.intent, run_intent: cx.inputs.run.context().intent.as_deref() }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        self.ledger()
    }
}

fn unknown(cx: Cx<'_>, asked: &str) -> Refusal {
    let known = cx.pack.intents.keys().map(String::as_str);
    let all = || format!("it handles {}", known.clone().map(quote).collect::<Vec<_>>().join(", "));
    let message = format!("{} does not handle the intent {}", quote(&cx.pack.reference), quote(asked));
    Refusal::at(Stage::Intent, codes::INTENT_NOT_HANDLED, message)
        .place("request", "/input/intent")
        .help(did_you_mean(asked, known.clone()).unwrap_or_else(all))
}

impl<'a> Intent<'a> {
    /// Returns the intent as the ledger lists it.
    pub(crate) fn ledger(&self) -> LedgerIntent<'a> {
        LedgerIntent {
            class: self.entry.class.as_deref().map(Cow::Borrowed),
            id: Cow::Borrowed(self.id),
            task: self.entry.task.as_deref().map(Cow::Borrowed),
        }
    }
}
