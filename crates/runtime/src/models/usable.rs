//! Questions until an answer can be used: each further one names the fault of the answer before.

use super::ask::{Asked, ask};
use super::caller::Caller;
use super::failure::AskFailure;
use super::frozen::RunModels;
use deed_canon::ContentHash;
use deed_desk::{AnswerFault, PreparedAsk, asked_again};
use deed_diag::codes;
use deed_llm::SchemaOutput;
use deed_model::{BindingSlot, BridgeErrorKind, Budget, FailureClass, ModelReply, StopReason};
use std::sync::Arc;

/// Times that a model is asked for one answer.
const MOST_ASKS: u32 = 3;

/// Asks until an answer can be used, at most so often. Returns the key of the call that was answered so. What was spent is
/// added to `spent`, also where no answer can be used.
pub(crate) fn until_usable<T>(
    caller: &Arc<dyn Caller>,
    models: &RunModels,
    (call, prepared): (&str, &PreparedAsk),
    read: impl Fn(&str) -> Result<T, AnswerFault>,
    spent: &mut Budget,
) -> Result<(ContentHash, T), AskFailure> {
    let mut prepared = prepared.clone();
    let mut last = String::new();
    for number in 0..MOST_ASKS {
        let (key, reply) = ask(caller, models, Asked { call, ask: number }, &prepared, spent)?;
        let text = written(&reply)?;
        match read(&text) {
            Ok(answer) => return Ok((key, answer)),
            Err(fault) => {
                prepared.call = asked_again(&prepared.call, &text, &fault);
                last = fault.to_string();
            }
        }
    }
    let message = format!("none of {MOST_ASKS} answers can be used; the last one: {last}");
    let code = codes::MODEL_ANSWER_UNUSABLE;
    let failed = AskFailure::new(BridgeErrorKind::Unfit, FailureClass::OutputShape, code, message);
    Err(failed.help(format!("bind a more capable model to `{}`", prepared.call.consumer_key)))
}

/// The text of a reply that is one.
pub(crate) fn written(reply: &ModelReply) -> Result<String, AskFailure> {
    let failed =
        |code, message: String| AskFailure::new(BridgeErrorKind::Unfit, FailureClass::OutputShape, code, message);
    match reply.stop {
        StopReason::Ended | StopReason::ToolCalls => Ok(reply.text()),
        StopReason::Length => {
            let message = "the reply was cut at the maximum number of tokens".to_owned();
            Err(failed(codes::MODEL_REPLY_CUT, message).help("raise `max_tokens` of the binding"))
        }
        StopReason::Refusal => Err(failed(codes::MODEL_REFUSED, "the model refused to answer".to_owned())),
        StopReason::ContentFilter => {
            Err(failed(codes::MODEL_REFUSED, "a filter of the provider stopped the reply".to_owned()))
        }
    }
}

/// Returns whether the provider of a consumer's model binds replies to a schema.
pub(crate) fn native_schema(models: &RunModels, slot: BindingSlot) -> bool {
    let model = models.desk.binding(slot).and_then(|binding| binding.model_binding_ref.parse().ok());
    let provider = model.and_then(|model| models.provider(&model).ok());
    provider.is_some_and(|provider| provider.schema_output == SchemaOutput::JsonSchema)
}
