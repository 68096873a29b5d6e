//! One call of a model, in order: known? → reserved → written down → asked → written down → settled.
//!
//! Enters: a prepared call and its place in the run. Leaves: the reply, or a failure with its class. Must prove: nothing
//! leaves that is not on disk and reserved, and a reply that is on disk is never asked for again.

use super::caller::Caller;
use super::cost::{Owed, owed, reserved, spent_by, worst};
use super::failure::{AskFailure, kept};
use super::frozen::RunModels;
use super::journal::AskJournal;
use super::{client, stored};
use crate::state::ModelCallState;
use deed_canon::{ContentHash, to_canonical_of};
use deed_desk::PreparedAsk;
use deed_diag::codes;
use deed_llm::call_key;
use deed_model::{
    BridgeErrorKind, Budget, FailureClass, ModelCallAnswer, ModelCallIntent, ModelCallOutcome, ModelFailureKind,
    ModelReply, ReplySource, RunEvent,
};
use deed_ports::{ModelAnswer, ModelError, StoreError, Wait};
use std::sync::{Arc, PoisonError};

/// Times that a call is begun at most: a process that ends while it is under way may have lost a paid reply.
const MOST_BEGUN: u32 = 2;

/// The place of a call in the run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The key of the governed call that asks, or the name of what asks beside the calls of the step.
    pub(crate) call: &'a str,
    /// The number of models that it asked before.
    pub(crate) ask: u32,
}

/// Asks a model, or reads what it answered. What the call spent is added to `spent`.
pub(crate) fn ask(
    caller: &Arc<dyn Caller>,
    models: &RunModels,
    place: Asked<'_>,
    prepared: &PreparedAsk,
    spent: &mut Budget,
) -> Result<(ContentHash, ModelReply), AskFailure> {
    let value = to_canonical_of(&prepared.call).map_err(|error| unusable(error.to_string()))?;
    let value = ContentHash::of_bytes(&value);
    let known = known(&**caller, place);
    if let Some(known) = &known {
        if known.intent.value != value {
            let message = "the journal has another call of a model at this place";
            let failed =
                AskFailure::new(BridgeErrorKind::Failed, FailureClass::ToolBridge, codes::MODEL_CALL_LOST, message);
            return Err(failed.help("the program or its code was changed while the run was under way: start a new run"));
        }
        if let Some(answer) = &known.answer {
            *spent = spent.plus(answer.spent);
            return recorded(&**caller, &known.intent, answer);
        }
    }
    if caller.is_over() {
        return Err(stopped());
    }
    let begun = known.as_ref().map_or(0, |known| known.begun);
    let owed_once = worst(models, &prepared.call).map_err(unusable)?;
    let reserved = reserved(owed_once, place.call, place.ask);
    if let Some(known) = known.filter(|known| known.begun >= MOST_BEGUN) {
        return Err(lost(&**caller, &known, spent));
    }
    let reservation = caller.run().ledger.reserve(caller.account(), &reserved).map_err(|short| {
        AskFailure::new(
            BridgeErrorKind::Budget,
            FailureClass::BudgetExhaustion,
            codes::BUDGET_SPENT,
            short.to_string(),
        )
        .help("grant more, or give the step `model_tokens` and `governed_calls` in its `budget`; nothing left for this call")
    })?;
    let intent =
        begin(&**caller, models, place, prepared, (value, reserved)).map_err(|error| unwritten(&**caller, &error))?;
    let journal = Arc::new(AskJournal::new(caller, owed_once));
    let asked = client::ask(caller, models, prepared, intent.occurrence, &journal);
    let asked = asked.map_err(|error| budgeted(error, &journal));
    let (answer, result) =
        ended(&**caller, models, &intent, begun, (owed_once, asked)).map_err(|error| unwritten(&**caller, &error))?;
    // The times that it was lost were counted when the run was resumed.
    reservation.settle(&answer.spent.less(reserved.times(u64::from(begun))));
    drop(journal.reservations());
    *spent = spent.plus(answer.spent);
    let event = RunEvent::ModelCallEnded { answer: Box::new(answer) };
    caller.run().record(event, Wait::Durable).map_err(|error| unwritten(&**caller, &error))?;
    Ok((intent.key, result?))
}

/// The call at a place, if the journal has it.
fn known(caller: &dyn Caller, place: Asked<'_>) -> Option<ModelCallState> {
    let state = caller.run().state();
    let step = state.step(caller.step())?;
    let at = |own: &&ModelCallState| {
        own.intent.attempt == caller.number() && own.intent.call == place.call && own.intent.ask == place.ask
    };
    step.models.iter().find(at).cloned()
}

/// The reply or the failure that the journal has.
fn recorded(
    caller: &dyn Caller,
    intent: &ModelCallIntent,
    answer: &ModelCallAnswer,
) -> Result<(ContentHash, ModelReply), AskFailure> {
    match &answer.outcome {
        ModelCallOutcome::Replied { reply, .. } => {
            let reply = stored::load_reply(&*caller.run().world.blobs, reply).map_err(|why| {
                AskFailure::new(BridgeErrorKind::LostAnswer, FailureClass::ToolBridge, codes::TOOL_FAILED, why)
            })?;
            Ok((intent.key, reply))
        }
        ModelCallOutcome::Failed { kind, message } => Err(AskFailure::of_kept(kind, message)),
    }
}

/// Writes a call down before it leaves.
fn begin(
    caller: &dyn Caller,
    models: &RunModels,
    place: Asked<'_>,
    prepared: &PreparedAsk,
    (value, reserved): (ContentHash, Budget),
) -> Result<ModelCallIntent, StoreError> {
    let blobs = &*caller.run().world.blobs;
    stored::put(blobs, &prepared.call)?;
    let context = stored::put(blobs, &prepared.context)?;
    // Two calls of the same value at once must not take the same occurrence.
    let _alone = models.beginning.lock().unwrap_or_else(PoisonError::into_inner);
    let occurrence = match known(caller, place) {
        Some(known) => known.intent.occurrence,
        None => caller.run().state().model_calls_of(&value),
    };
    let key = call_key(&prepared.call, occurrence).map_err(|error| {
        StoreError::new(deed_ports::StoreErrorKind::Unavailable, format!("a call of a model has no key: {error}"))
    })?;
    let intent = ModelCallIntent {
        step: caller.step().to_owned(),
        attempt: caller.number(),
        call: place.call.to_owned(),
        ask: place.ask,
        key,
        occurrence,
        consumer_key: prepared.call.consumer_key,
        model: prepared.call.model.clone(),
        value,
        context,
        reserved,
    };
    caller.run().record(RunEvent::ModelCallBegan { call: Box::new(intent.clone()) }, Wait::Durable)?;
    Ok(intent)
}

type Ended = (ModelCallAnswer, Result<ModelReply, AskFailure>);

/// Makes the end of a call, with everything that it left.
fn ended(
    caller: &dyn Caller,
    models: &RunModels,
    intent: &ModelCallIntent,
    lost: u32,
    (worst, asked): (Owed, Result<ModelAnswer, ModelError>),
) -> Result<Ended, StoreError> {
    let blobs = &*caller.run().world.blobs;
    let price = models.price(&intent.model);
    let source = match &caller.run().world.models {
        super::ModelSource::Providers => ReplySource::Provider,
        super::ModelSource::Transcript { .. } => ReplySource::Transcript,
    };
    let (outcome, attempts, exchanges, cost, result) = match asked {
        Ok(answer) => {
            let reply = stored::put(blobs, &answer.reply)?;
            let outcome = ModelCallOutcome::Replied { reply, origin: answer.origin, source };
            (outcome, answer.attempts, answer.exchanges, answer.cost, Ok(answer.reply))
        }
        Err(error) => {
            let failure = AskFailure::of_error(&error);
            let outcome = ModelCallOutcome::Failed { kind: kept(error.kind), message: error.message };
            let spent = *error.spent;
            (outcome, spent.attempts, spent.exchanges, spent.cost, Err(failure))
        }
    };
    let paid = owed(worst, price, &attempts, result.as_ref().ok());
    let answer = ModelCallAnswer {
        step: intent.step.clone(),
        key: intent.key,
        outcome,
        exchanges: stored::exchanges(blobs, &exchanges)?,
        attempts,
        cost,
        spent: spent_by(paid, intent.reserved, lost),
    };
    Ok((answer, result))
}

/// Gives a call up that processes ended under too often: each time may have been paid for.
fn lost(caller: &dyn Caller, known: &ModelCallState, spent: &mut Budget) -> AskFailure {
    let message = "processes ended while the model was being asked, and its reply was lost each time";
    let all = known.intent.reserved.times(u64::from(known.begun));
    let answer = ModelCallAnswer {
        step: known.intent.step.clone(),
        key: known.intent.key,
        outcome: ModelCallOutcome::Failed { kind: ModelFailureKind::Lost, message: message.to_owned() },
        attempts: Vec::new(),
        exchanges: Vec::new(),
        cost: None,
        spent: all,
    };
    *spent = spent.plus(all);
    match caller.run().record(RunEvent::ModelCallEnded { answer: Box::new(answer) }, Wait::Durable) {
        Ok(()) => AskFailure::of_kept(&ModelFailureKind::Lost, message)
            .help("find out why the process ends, then fork the run from this step on"),
        Err(error) => unwritten(caller, &error),
    }
}

/// An attempt that the budget did not hold was not recorded for that reason.
fn budgeted(error: ModelError, journal: &AskJournal) -> ModelError {
    match journal.short() {
        Some(short) => ModelError { kind: deed_ports::ModelErrorKind::OverBudget, message: short, ..error },
        None => error,
    }
}

fn unusable(why: String) -> AskFailure {
    AskFailure::new(BridgeErrorKind::Unfit, FailureClass::ContractSchema, codes::MODEL_BINDING_UNUSABLE, why)
}

fn stopped() -> AskFailure {
    let message = "the code is being stopped";
    AskFailure::new(BridgeErrorKind::Stopped, FailureClass::ToolBridge, codes::TOOL_FAILED, message)
}

/// The journal cannot be written: the code is stopped, and nothing is decided.
fn unwritten(caller: &dyn Caller, error: &StoreError) -> AskFailure {
    caller.give_up(error);
    let message = "what happens cannot be written down";
    AskFailure::new(BridgeErrorKind::Journal, FailureClass::ToolBridge, codes::STORE_FAILED, message)
}
