//! From the text of a reply to a value that its form accepts.

use crate::ask::ReplyForm;
use deed_ladder::{Input, climb};
use deed_model::{LadderOutcome, MessagePart, MessageRole, ModelCall, ModelMessage, Phase, Proposals};
use serde_json::Value;
use std::fmt;

/// The most faults that are named.
const MOST_NAMED: usize = 5;

/// The longest part of an unusable answer that is shown to the model again.
const LONGEST_SHOWN: usize = 8_000;

/// The reason why an answer cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFault(pub(crate) String);

impl fmt::Display for AnswerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Sends the text of a reply up the ladder, which has the last word.
pub(crate) fn read(form: &ReplyForm, text: &str) -> Result<Value, AnswerFault> {
    let climbed = climb(form.ladder(), Input::Text(text), Phase::StepOutput, &Proposals::default());
    match climbed.payload {
        Some(payload) if climbed.report.outcome == LadderOutcome::Accepted => Ok(payload),
        Some(_) | None => {
            let blocking = climbed.report.findings.iter().filter(|finding| finding.blocks);
            let named = blocking.take(MOST_NAMED).map(|finding| match finding.pointer.as_str() {
                "" => finding.message.clone(),
                pointer => format!("{pointer}: {}", finding.message),
            });
            let named: Vec<String> = named.collect();
            Err(AnswerFault(if named.is_empty() { "it has no value".to_owned() } else { named.join("; ") }))
        }
    }
}

/// Returns the call that asks again after an answer that cannot be used.
pub fn asked_again(call: &ModelCall, answer: &str, fault: &AnswerFault) -> ModelCall {
    let text = |text: String| vec![MessagePart::Text { text }];
    let shown: String = answer.chars().take(LONGEST_SHOWN).collect();
    let shown = if shown.trim().is_empty() { "(nothing)".to_owned() } else { shown };
    let said =
        format!("The answer cannot be used: {fault}. Answer again with the whole JSON document and nothing else.");
    let mut next = call.clone();
    next.messages.push(ModelMessage { role: MessageRole::Assistant, parts: text(shown) });
    next.messages.push(ModelMessage { role: MessageRole::User, parts: text(said) });
    next
}
