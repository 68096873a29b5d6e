//! Derives calls of models again: keys, contexts, reservations, costs and sums, from the snapshot, the frozen pack and prices,
//! and the journal. What a model answered is taken from the journal.

use super::{Pass, VerifiedPart};
use crate::models::{RunModels, load_reply, load_value, owed, reserved, rules_of, spent_by, worst};
use crate::state::{ModelCallState, StepState};
use deed_canon::ContentHash;
use deed_llm::call_key;
use deed_model::{
    Budget, EgressDecision, EgressVerdict, FrozenModels, ModelAttempt, ModelCall, ModelCallAnswer, ModelCallOutcome,
    ModelFailureKind, RunEvent,
};
use deed_ports::JournalEntry;
use deed_reach::{Host, NormalPath, Target};
use serde_json::Value;
use std::collections::BTreeMap;

/// Times that a call is begun at most.
const MOST_BEGUN: u32 = 2;

pub(super) fn verify(pass: &mut Pass<'_>, entries: &[JournalEntry]) {
    let asked = pass.state.steps.values().any(|step| !step.models.is_empty());
    let Some(request) = pass.state.request.as_ref() else { return };
    if request.models_blob.is_none() {
        if asked {
            pass.say(
                VerifiedPart::ModelCalls,
                Err("models were asked, and the run froze nothing that they read".to_owned()),
            );
        }
        return;
    }
    let opened = RunModels::of_run(request, pass.blobs);
    let found = match &opened {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err("the run names no profile".to_owned()),
        Err(why) => Err(why.clone()),
    };
    pass.say(VerifiedPart::FrozenModels, found);
    if let (Ok(Some(models)), true) = (opened, asked) {
        let found = calls(pass, &models, entries);
        pass.say(VerifiedPart::ModelCalls, found);
    }
}

fn calls(pass: &Pass<'_>, models: &RunModels, entries: &[JournalEntry]) -> Result<(), String> {
    let attempts = attempts(entries);
    let mut seen: BTreeMap<ContentHash, u64> = BTreeMap::new();
    for entry in entries {
        let RunEvent::ModelCallBegan { call } = &entry.record.event else { continue };
        let step = pass.state.step(&call.step);
        let found = step.and_then(|step| step.models.iter().find(|model| model.intent.key == call.key));
        let model = found.ok_or_else(|| format!("the call {} of a model has no place", call.key))?;
        if model.intent != **call {
            return Err(format!("the call {} of a model was begun again as another one", call.key));
        }
        // Begun again, it is the same occurrence.
        let before = seen.entry(call.value).or_default();
        if call.occurrence == *before {
            *before += 1;
        } else if call.occurrence > *before {
            return Err(format!("the call {} of a model skips an occurrence", call.key));
        }
    }
    for model in pass.state.steps.values().flat_map(|step| &step.models) {
        let key = model.intent.key;
        let made = attempts.get(&key).map(Vec::as_slice).unwrap_or_default();
        call(pass, models, model, made).map_err(|why| format!("the call {key} of a model: {why}"))?;
    }
    pass.state.steps.values().try_for_each(sums)
}

/// Attempts by call, in the order of the journal.
fn attempts(entries: &[JournalEntry]) -> BTreeMap<ContentHash, Vec<ModelAttempt>> {
    let mut all: BTreeMap<ContentHash, Vec<ModelAttempt>> = BTreeMap::new();
    for entry in entries {
        match &entry.record.event {
            // What a process that ended attempted is counted with its whole reservation.
            RunEvent::ModelCallBegan { call } => drop(all.insert(call.key, Vec::new())),
            RunEvent::ModelAttempted { key, attempt, .. } => all.entry(*key).or_default().push(attempt.clone()),
            _ => {}
        }
    }
    all
}

/// Derives one call again: its key, its context, what was reserved, and what it cost.
fn call(pass: &Pass<'_>, models: &RunModels, model: &ModelCallState, made: &[ModelAttempt]) -> Result<(), String> {
    let intent = &model.intent;
    let value: ModelCall = load_value(pass.blobs, &intent.value)?;
    if call_key(&value, intent.occurrence).map_err(|error| error.to_string())? != intent.key {
        return Err("its key is that of another call".to_owned());
    }
    if value.model != intent.model || value.consumer_key != intent.consumer_key {
        return Err("it asks another model or for another consumer than the journal says".to_owned());
    }
    let context: Value = load_value(pass.blobs, &intent.context)?;
    models.desk.holds(&value, &context)?;
    let worst = worst(models, &value)?;
    let reserved = reserved(worst, &intent.call, intent.ask);
    if reserved != intent.reserved {
        return Err("its worst case is not what was reserved".to_owned());
    }
    if model.begun > MOST_BEGUN {
        return Err(format!("it was begun {} times", model.begun));
    }
    let Some(answer) = &model.answer else { return Ok(()) };
    if answer.attempts != made && !is_lost(answer) {
        return Err("its attempts are not those that were written down".to_owned());
    }
    let reply = match &answer.outcome {
        ModelCallOutcome::Replied { reply, .. } => Some(load_reply(pass.blobs, reply)?),
        ModelCallOutcome::Failed { .. } => None,
    };
    let owed = owed(worst, models.price(&value.model), &answer.attempts, reply.as_ref());
    let spent = match is_lost(answer) {
        true => reserved.times(u64::from(model.begun)),
        false => spent_by(owed, reserved, model.begun.saturating_sub(1)),
    };
    if spent != answer.spent {
        return Err("its attempts and its usage do not make the cost that was written down".to_owned());
    }
    Ok(())
}

/// Returns whether a call was given up because processes ended under it.
fn is_lost(answer: &ModelCallAnswer) -> bool {
    matches!(&answer.outcome, ModelCallOutcome::Failed { kind: ModelFailureKind::Lost, .. })
}

/// Checks that the answer of a governed call includes what its models cost.
fn sums(step: &StepState) -> Result<(), String> {
    for call in step.calls.values() {
        let own =
            |model: &&ModelCallState| model.intent.call == call.intent.key && model.intent.attempt == call.attempt;
        let mut models = step.models.iter().filter(own).peekable();
        let (Some(answer), Some(_)) = (&call.answer, models.peek()) else { continue };
        let governed = Budget { governed_calls: Some(1), model_tokens: Some(0), ..Budget::default() };
        if models.fold(governed, |sum, model| sum.plus(model.spent())) != answer.spent {
            return Err(format!("the call `{}` did not spend what its models cost", call.intent.key));
        }
    }
    Ok(())
}

/// Returns whether the frozen rule of a provider allows what was let out to it.
pub(super) fn allows(frozen: Option<&FrozenModels>, decision: &EgressDecision) -> bool {
    let (Some(frozen), Some(path), Ok(host)) = (frozen, &decision.path, Host::read(&decision.host)) else {
        return false;
    };
    let Ok(path) = NormalPath::read(path) else { return false };
    frozen.endpoints.keys().any(|provider| {
        let target =
            Target { scheme: decision.scheme, host: &host, port: decision.port, method: &decision.method, path: &path };
        rules_of(frozen, provider).is_ok_and(|rules| {
            let ruling = rules.decide(&target);
            ruling.verdict == EgressVerdict::Allowed && ruling.rule == decision.rule
        })
    })
}
