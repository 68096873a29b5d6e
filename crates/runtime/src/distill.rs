//! Distillations: a model is asked what later runs should remember of a finished one.
//!
//! A distillation has a journal of its own, whose request names the run that it is about: nothing can follow the seal of a run.
//! Enters: the run's request and plan, and what its calls of models read. Leaves: candidates with the reasons of those that
//! are refused. Must prove: what is said of calls of models in runs, and that what became of the candidates is signed.

use crate::checkpoint;
use crate::engine::load_plan;
use crate::models::{self, AskFailure, BESIDE_CALLS, Caller, RunModels};
use crate::run::{Run, RunHistory, rfc3339, unix_ms};
use crate::state::{RunState, StepStatus};
use crate::submit::refuse;
use crate::types::Types;
use crate::verify::{Reverified, VerifiedPart, reverify_models};
use crate::world::World;
use deed_canon::{ContentHash, KeyId, PublicKey};
use deed_desk::{Distillation, DistilledAnswer, PreparedAsk, ReplyForm, distilled_statements};
use deed_diag::codes;
use deed_egress::Gateway;
use deed_model::{
    BindingSlot, BridgeErrorKind, Budget, CompiledPlan, DistilledCandidate, FailureClass, FailureCode, ForkedFrom,
    FrozenModels, ModelCallOutcome, ModelConsumer, ProfileSnapshot, RUN_EVENT_VERSION, RunEvent, RunOptions, RunRecord,
    RunRequest, StepFailure,
};
use deed_ports::{BlobRead, EngineError, JournalEntry, StoreError, StoreErrorKind, Unobserved, Wait};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the only step of a distillation.
pub const DISTILL_STEP: &str = "memory.distill";
const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Distiller);

/// A distillation to begin.
#[derive(Debug, Clone, Copy)]
pub struct DistillSubmission<'s> {
    /// The name of its journal.
    pub name: &'s str,
    /// The request of the run that it is about.
    pub of: &'s RunRequest,
    /// The profile that binds the distiller.
    pub profile: &'s ProfileSnapshot,
    /// What its calls read besides the profile.
    pub models: &'s FrozenModels,
    /// The budget of the distillation.
    pub grant: Budget,
    /// The actor.
    pub actor: &'s str,
}

/// Checks that a distillation can be made, freezes what it reads, and begins its journal.
///
/// # Errors
/// The distiller has no model, prompt, intent, price or key; or the journal cannot be written.
pub fn begin_distillation(world: &World, submission: &DistillSubmission<'_>) -> Result<(), EngineError> {
    let DistillSubmission { name, of, profile, models, grant, actor } = *submission;
    models::ready(world, profile, models, &grant, &[SLOT])?;
    let request = RunRequest {
        run_id: name.to_owned(),
        code: BTreeMap::new(),
        code_places: BTreeMap::new(),
        profile: Some(crate::profile::freeze(profile, &*world.blobs)?),
        models_blob: Some(models::freeze(models, &*world.blobs)?),
        validation: Vec::new(),
        inputs: Vec::new(),
        grant,
        options: RunOptions::default(),
        actor: actor.to_owned(),
        forked: Some(ForkedFrom { run_id: of.run_id.clone(), step: DISTILL_STEP.to_owned(), first: None }),
        ..of.clone()
    };
    let at = rfc3339(world.clock.unix_ms());
    let event = RunEvent::Submitted { run: Box::new(request) };
    world.journal.create(name, RunRecord { version: RUN_EVENT_VERSION, at, event })?;
    Ok(())
}

/// A distillation that this process drives.
pub struct Distiller {
    caller: Arc<DistillCaller>,
    models: Arc<RunModels>,
}

/// The caller of a distillation's models.
struct DistillCaller {
    run: Arc<Run>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    gateways: BTreeMap<String, Gateway>,
    unavailable: Option<StoreError>,
    over: bool,
}

impl Caller for DistillCaller {
    fn run(&self) -> &Arc<Run> {
        &self.run
    }

    fn step(&self) -> &str {
        DISTILL_STEP
    }

    fn number(&self) -> u32 {
        1
    }

    fn account(&self) -> &str {
        DISTILL_STEP
    }

    fn is_over(&self) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).over || self.run.is_stopping()
    }

    fn give_up(&self, error: &StoreError) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.over = true;
        inner.unavailable.get_or_insert_with(|| error.clone());
    }

    fn broke(&self, _: &(dyn Any + Send)) {
        self.give_up(&StoreError::new(StoreErrorKind::Unavailable, "internal error while a model was asked"));
    }

    fn model_gateway(&self, provider: &str) -> Option<Gateway> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).gateways.get(provider).cloned()
    }

    fn keep_model_gateway(&self, provider: &str, gateway: Gateway) -> Gateway {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.gateways.entry(provider.to_owned()).or_insert(gateway).clone()
    }
}

impl Distiller {
    /// Opens a distillation to drive it: a new one, or one whose process ended.
    ///
    /// # Errors
    /// Another process drives it, what was frozen cannot be used, a key is missing, or the journal cannot be written.
    pub fn open(world: Arc<World>, name: &str) -> Result<Self, EngineError> {
        let corrupt = |why: String| EngineError::from(StoreError::new(StoreErrorKind::Corrupt, why));
        let hold = world.journal.take(name)?.into();
        let entries = world.journal.events(name, 0)?;
        checkpoint::check(name, &entries, world.knows()).map_err(corrupt)?;
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        let request = state.request.clone().ok_or_else(|| corrupt("the distillation names no run".to_owned()))?;
        let plan = load_plan(&world, &request)?;
        let types = Types::of_run(&request, &plan, &*world.blobs, &world.catalog)?;
        let models = RunModels::of_run(&request, &*world.blobs).map_err(corrupt)?;
        let models = models.ok_or_else(|| corrupt("the distillation froze nothing that models read".to_owned()))?;
        models::keys(&world, &models.frozen)?;
        let last_ms = entries.iter().filter_map(|entry| unix_ms(&entry.record.at)).max().unwrap_or(0);
        let (spent, begun) = (state.total_spent(), state.step(DISTILL_STEP).is_some());
        let past = RunHistory { state, events: entries.len() as u64, last_ms };
        let (plan, request) = (Arc::new(plan), Arc::new(request));
        let run = Run::new(world, plan, request, (types, None), past, Arc::new(Unobserved), hold);
        let (by, replay) = (run.world.process.clone(), run.world.models.served());
        let mut events = vec![RunEvent::Taken { by, accepted_rollback: false, replay }];
        if !begun {
            events.push(RunEvent::StepStarted { step: DISTILL_STEP.to_owned(), attempt: 1 });
        }
        run.record_all(events, Wait::Durable)?;
        run.ledger.open(DISTILL_STEP, &run.request.grant, &spent);
        let caller = DistillCaller { run: Arc::new(run), inner: Mutex::default() };
        Ok(Self { caller: Arc::new(caller), models: Arc::new(models) })
    }

    /// Asks until an answer can be used, or reads what was answered before. A failure ends the distillation.
    ///
    /// # Errors
    /// The pack refuses, the budget does not hold the call, the model gives no usable answer, or the journal cannot be
    /// written.
    pub fn ask(&self, question: &Distillation<'_>) -> Result<(ContentHash, Vec<DistilledAnswer>), EngineError> {
        let prepared = prepared(&self.models, question);
        let asked = prepared.and_then(|(form, prepared)| {
            let caller: Arc<dyn Caller> = self.caller.clone();
            let place = format!("{BESIDE_CALLS}distillation");
            let read = |text: &str| question.read(&form, text);
            models::until_usable(&caller, &self.models, (&place, &prepared), read, &mut Budget::default())
        });
        match asked {
            Ok(answer) => Ok(answer),
            Err(failed) => Err(self.failed(*failed.failure)),
        }
    }

    /// Records a failure, which ends the distillation; not where it is the journal that failed.
    fn failed(&self, failure: StepFailure) -> EngineError {
        let unavailable = self.caller.inner.lock().unwrap_or_else(PoisonError::into_inner).unavailable.take();
        if let Some(error) = unavailable {
            return error.into();
        }
        let run = &self.caller.run;
        let event = RunEvent::StepFailed {
            step: DISTILL_STEP.to_owned(),
            attempt: 1,
            failure: failure.clone(),
            spent: Budget::default(),
            sub_steps: Vec::new(),
            again_after_ms: None,
            receipt: None,
        };
        let recorded = run.record(event, Wait::Durable).and_then(|()| run.checkpoint_all(None));
        if let Err(error) = recorded {
            return error.into();
        }
        let code = match failure.code {
            FailureCode::Known(code) => code,
            FailureCode::Other(_) => codes::STEP_PANICKED,
        };
        refuse(code, format!("nothing was distilled: {}", failure.message), failure.help)
    }

    /// Records what became of the candidates, and signs it. That ends the distillation.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn end(&self, call: ContentHash, candidates: Vec<DistilledCandidate>) -> Result<(), EngineError> {
        let run = &self.caller.run;
        run.record(RunEvent::Distilled { call, candidates }, Wait::Durable)?;
        Ok(run.checkpoint_all(None)?)
    }
}

fn prepared(models: &RunModels, question: &Distillation<'_>) -> Result<(ReplyForm, PreparedAsk), AskFailure> {
    let refused = |refusal: deed_desk::DeskRefusal| AskFailure::of_refusal(&refusal);
    let form = question.form().map_err(refused)?;
    let prepared = question.prepare(&models.desk, &form, models::native_schema(models, SLOT)).map_err(refused)?;
    match prepared.escalations.first() {
        None => Ok((form, prepared)),
        Some(gate) => {
            let message = format!(
                "the context pack demands a decision of `{}` at `{}` before a model is asked, and a distillation has no gates",
                gate.role, gate.control
            );
            let kind = BridgeErrorKind::Denied;
            Err(AskFailure::new(kind, FailureClass::PolicyViolation, codes::MODEL_CALL_REFUSED_BY_PACK, message))
        }
    }
}

/// What a distillation came to, as its journal has it.
#[derive(Debug, Clone, PartialEq)]
pub enum DistillStanding {
    /// Its process ended before it did.
    Open,
    /// It failed, and nothing was proposed.
    Failed(StepFailure),
    /// It ended.
    Ended {
        /// The key of the call whose reply has the candidates.
        call: ContentHash,
        /// What became of each.
        candidates: Vec<DistilledCandidate>,
    },
}

impl DistillStanding {
    /// Reads it from the state of a distillation.
    pub fn of(state: &RunState) -> Self {
        if let Some((call, candidates)) = &state.distilled {
            return Self::Ended { call: *call, candidates: candidates.clone() };
        }
        match state.step(DISTILL_STEP).map(|step| &step.status) {
            Some(StepStatus::Failed { failure }) => Self::Failed(failure.clone()),
            _ => Self::Open,
        }
    }
}

/// Returns the statements of the candidates of a distillation that ended, in order.
///
/// # Errors
/// The reply is missing or was altered; the reason in words.
pub fn distilled_words(state: &RunState, blobs: &dyn BlobRead) -> Result<Vec<String>, String> {
    let (key, _) = state.distilled.as_ref().ok_or("it has not ended")?;
    let mut calls = state.steps.values().flat_map(|step| &step.models);
    let answer = calls.find(|model| model.intent.key == *key).and_then(|model| model.answer.as_ref());
    let Some(ModelCallOutcome::Replied { reply, .. }) = answer.map(|answer| &answer.outcome) else {
        return Err("the reply with its candidates is not in its journal".to_owned());
    };
    Ok(distilled_statements(&models::load_reply(blobs, reply)?.text()))
}

/// Verifies the journal of a distillation again: its checkpoints, what it froze, and its calls of models.
pub fn reverify_distillation(
    entries: &[JournalEntry],
    plan: &CompiledPlan,
    blobs: &dyn BlobRead,
    known: &dyn Fn(&KeyId) -> Option<PublicKey>,
) -> Vec<Reverified> {
    let all = reverify_models(entries, plan, blobs, known);
    let found = all.into_iter().find_map(|part| Some(format!("{}: {}", part.what, part.found?)));
    vec![Reverified { what: VerifiedPart::Distillation, holds: found.is_none(), found }]
}
