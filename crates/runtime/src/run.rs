//! A run that this process drives: its plan, its state, its budget, and the only place that writes its events.

use crate::budget::Ledger;
use crate::checkpoint;
use crate::family::Family;
use crate::models::RunModels;
use crate::state::RunState;
use crate::types::Types;
use crate::world::World;
use deed_canon::ChainHead;
use deed_egress::RunCa;
use deed_model::{
    CompiledPlan, EarlierCall, RUN_EVENT_VERSION, RunCheckpoint, RunEvent, RunOutcome, RunRecord, RunRequest,
    StepContract,
};
use deed_ports::{AppendOutcome, Observer, RunHold, StoreError, StoreErrorKind, Unless, Wait};
use deed_sandbox::Control;
use deed_validation::Validator;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A run that this process drives.
pub(crate) struct Run {
    pub(crate) world: Arc<World>,
    pub(crate) request: Arc<RunRequest>,
    pub(crate) plan: Arc<CompiledPlan>,
    /// The types that its contracts name, as they were when it was submitted.
    pub(crate) types: Types,
    /// The validation packs of its frozen profile; none without a profile.
    pub(crate) validator: Option<Validator>,
    pub(crate) ledger: Ledger,
    observer: Arc<dyn Observer>,
    /// The right to drive it.
    hold: Arc<dyn RunHold>,
    state: Mutex<RunState>,
    /// The place of the first event that was not read for events of other processes.
    seen: AtomicU64,
    last_ms: AtomicI64,
    /// Events that no checkpoint covers yet.
    uncovered: AtomicU64,
    /// Set when everything has to stop: the store cannot be written, or the run is cancelled.
    stop: AtomicBool,
    /// The controls that stop the code of attempts under way, by account.
    controls: Mutex<BTreeMap<String, Control>>,
    ca: OnceLock<Arc<RunCa>>,
    /// The runs that it shares effects with, once they were asked for.
    family: OnceLock<Arc<Family>>,
    /// The desk of its models, once it was asked for.
    models: OnceLock<Option<Arc<RunModels>>>,
    /// Calls of earlier runs that calls of this one repeat or are served, each with the key of that call.
    claims: Mutex<BTreeMap<EarlierCall, String>>,
}

/// A run as its journal has it when a process starts to drive it.
pub(crate) struct RunHistory {
    pub(crate) state: RunState,
    /// The number of its events.
    pub(crate) events: u64,
    /// The latest time that any of them has.
    pub(crate) last_ms: i64,
}

impl Run {
    pub(crate) fn new(
        world: Arc<World>,
        plan: Arc<CompiledPlan>,
        request: Arc<RunRequest>,
        (types, validator): (Types, Option<Validator>),
        past: RunHistory,
        observer: Arc<dyn Observer>,
        hold: Arc<dyn RunHold>,
    ) -> Self {
        let RunHistory { state, events, last_ms } = past;
        let ledger = Ledger::new(&request.grant, &state.total_spent());
        Self {
            world,
            request,
            plan,
            types,
            validator,
            ledger,
            observer,
            hold,
            state: Mutex::new(state),
            seen: AtomicU64::new(events),
            last_ms: AtomicI64::new(last_ms),
            // Events that an earlier process left uncovered are covered as soon as something is on disk.
            uncovered: AtomicU64::new(checkpoint::EVERY),
            stop: AtomicBool::new(false),
            controls: Mutex::default(),
            ca: OnceLock::new(),
            family: OnceLock::new(),
            models: OnceLock::new(),
            claims: Mutex::default(),
        }
    }

    /// Returns the state, locked.
    pub(crate) fn state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contract of a step.
    pub(crate) fn contract(&self, step: &str) -> Option<&StepContract> {
        self.plan.steps.iter().find(|contract| contract.step_id == step)
    }

    /// Returns the time, which never runs backwards within a run, even if the clock is set back.
    pub(crate) fn now_ms(&self) -> i64 {
        let now = self.world.clock.unix_ms();
        self.last_ms.fetch_max(now, Ordering::SeqCst).max(now)
    }

    /// The run whose keys its calls have: its own, or those of the run that it was continued from.
    pub(crate) fn calls_as(&self) -> &str {
        let forked = self.request.forked.as_ref();
        forked.map_or(&self.request.run_id, |fork| fork.first.as_ref().unwrap_or(&fork.run_id))
    }

    /// Claims the first of some earlier calls that no other call of this run has claimed.
    pub(crate) fn claim<'c>(
        &self,
        wanted: impl Iterator<Item = &'c EarlierCall>,
        key: &str,
    ) -> Option<&'c EarlierCall> {
        let mut claims = self.claims();
        let free = |earlier: &&EarlierCall| claims.get(*earlier).is_none_or(|own| own == key);
        let found = wanted.into_iter().find(free)?;
        claims.insert(found.clone(), key.to_owned());
        Some(found)
    }

    /// Returns whether a call of this run has claimed an earlier call.
    pub(crate) fn is_claimed(&self, earlier: &EarlierCall) -> bool {
        self.claims().contains_key(earlier)
    }

    /// The claims, with those that the journal has.
    fn claims(&self) -> MutexGuard<'_, BTreeMap<EarlierCall, String>> {
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.is_empty() {
            let state = self.state();
            let calls = state.steps.values().flat_map(|step| step.calls.values());
            claims.extend(calls.filter_map(|call| Some((call.intent.repeats.clone()?, call.intent.key.clone()))));
        }
        claims
    }

    /// The runs that this one shares effects with, read once.
    pub(crate) fn family(&self) -> Result<Arc<Family>, StoreError> {
        if let Some(known) = self.family.get() {
            return Ok(known.clone());
        }
        let family = Family::read(self.world.journal.as_ref(), &self.request)?;
        Ok(self.family.get_or_init(|| Arc::new(family)).clone())
    }

    /// The desk of its models, opened once; none for a run that may ask no model.
    ///
    /// # Errors
    /// What was frozen cannot be used; the reason in words.
    pub(crate) fn models(&self) -> Result<Option<Arc<RunModels>>, String> {
        if let Some(known) = self.models.get() {
            return Ok(known.clone());
        }
        let opened = RunModels::of_run(&self.request, &*self.world.blobs)?.map(Arc::new);
        Ok(self.models.get_or_init(|| opened).clone())
    }

    /// Refuses to write where the lock of the run is gone: another process may have taken the run, and would send what this
    /// one sends.
    fn holds(&self) -> Result<(), StoreError> {
        if self.hold.is_held() {
            return Ok(());
        }
        self.halt();
        let message = format!("the lock of run `{}` is gone, so another process may drive it", self.request.run_id);
        let help = "files under `.deed/runs/locks` belong to running processes; once none drives the run, resume it";
        Err(StoreError::new(StoreErrorKind::Held, message).help(help))
    }

    /// Records an event, and applies it to the state.
    pub(crate) fn record(&self, event: RunEvent, wait: Wait) -> Result<(), StoreError> {
        self.record_all(vec![event], wait)
    }

    /// Records events together, and applies them to the state.
    pub(crate) fn record_all(&self, events: Vec<RunEvent>, wait: Wait) -> Result<(), StoreError> {
        self.holds()?;
        let written = self.world.journal.append(&self.request.run_id, self.records(&events), wait);
        let head = self.written(written)?;
        self.apply(&events);
        self.cover(&events, head)
    }

    /// Records events together, unless another process has written an event that excludes them, and returns whether they were
    /// recorded. Events that this run has not read yet are checked in the transaction that writes.
    pub(crate) fn record_unless(&self, events: Vec<RunEvent>, unless: Unless) -> Result<bool, StoreError> {
        self.holds()?;
        let (run_id, from) = (&self.request.run_id, self.seen.load(Ordering::SeqCst));
        let written = self.world.journal.append_unless(run_id, self.records(&events), from, unless);
        match self.written(written)? {
            AppendOutcome::Written(head) => {
                self.apply(&events);
                self.cover(&events, Some(head)).map(|()| true)
            }
            AppendOutcome::Excluded { .. } => Ok(false),
        }
    }

    /// Writes a checkpoint where events ask for one. A run that has ended is sealed, and needs none.
    fn cover(&self, events: &[RunEvent], head: Option<ChainHead>) -> Result<(), StoreError> {
        let count = events.len() as u64;
        let uncovered = self.uncovered.fetch_add(count, Ordering::SeqCst).saturating_add(count);
        if self.state().ended.is_some() {
            return Ok(());
        }
        let due = events.iter().any(checkpoint::follows) || uncovered >= checkpoint::EVERY;
        match head {
            Some(head) if due => self.checkpoint(head, None),
            None if uncovered >= checkpoint::AT_MOST => self.checkpoint_all(None),
            _ => Ok(()),
        }
    }

    /// Signs what no checkpoint covers yet.
    pub(crate) fn checkpoint_rest(&self) -> Result<(), StoreError> {
        if self.uncovered.load(Ordering::SeqCst) > 0 { self.checkpoint_all(None) } else { Ok(()) }
    }

    /// Signs everything that is written so far.
    pub(crate) fn checkpoint_all(&self, outcome: Option<RunOutcome>) -> Result<(), StoreError> {
        let settled = self.world.journal.settle(&self.request.run_id);
        match self.written(settled)? {
            Some(head) => self.checkpoint(head, outcome),
            None => Err(StoreError::new(StoreErrorKind::Corrupt, "the run has no events")),
        }
    }

    /// Signs the journal up to an event that is on disk, and anchors it outside the journal.
    fn checkpoint(&self, journal: ChainHead, outcome: Option<RunOutcome>) -> Result<(), StoreError> {
        self.uncovered.store(0, Ordering::SeqCst);
        let run_id = self.request.run_id.clone();
        let signed = checkpoint::sign(&RunCheckpoint { run_id, journal, outcome }, &self.world.signer);
        let checkpoint = signed.map_err(|error| {
            StoreError::new(StoreErrorKind::Unavailable, format!("a checkpoint cannot be signed: {error}"))
        })?;
        let event = RunEvent::Checkpointed { checkpoint };
        let records = self.records(std::slice::from_ref(&event));
        self.written(self.world.journal.append(&self.request.run_id, records, Wait::Ordered))?;
        self.apply(&[event]);
        self.written(self.world.journal.anchor(&self.request.run_id, Wait::Ordered))
    }

    fn records(&self, events: &[RunEvent]) -> Vec<RunRecord> {
        let at = rfc3339(self.now_ms());
        let record = |event: &RunEvent| RunRecord { version: RUN_EVENT_VERSION, at: at.clone(), event: event.clone() };
        events.iter().map(record).collect()
    }

    /// Stops the run where an event could not be written: nothing may happen that is not recorded.
    fn written<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        result.inspect_err(|_| self.halt())
    }

    fn apply(&self, events: &[RunEvent]) {
        {
            let mut state = self.state();
            events.iter().for_each(|event| state.apply(event));
        }
        // Not under the lock: an observer may ask where the run stands, or take its time.
        events.iter().for_each(|event| self.observer.happened(event));
    }

    /// Applies events of other processes: decisions at gates, and requests to cancel the run.
    pub(crate) fn listen(&self) -> Result<(), StoreError> {
        let from = self.seen.load(Ordering::SeqCst);
        let entries = self.world.journal.events(&self.request.run_id, from)?;
        let Some(last) = entries.last() else { return Ok(()) };
        self.seen.store(last.seq + 1, Ordering::SeqCst);
        let mut heard = Vec::new();
        let mut state = self.state();
        for entry in &entries {
            let event = &entry.record.event;
            let news = match event {
                RunEvent::GateDecided { signed } => {
                    let gate = state.gates.get(&signed.approval.gate_id);
                    gate.is_some_and(|gate| gate.decided.as_ref() != Some(&**signed))
                }
                RunEvent::CancelRequested { .. } => state.cancelled.is_none(),
                _ => false,
            };
            if news {
                state.apply(event);
                heard.push(event);
            }
        }
        let cancelled = state.cancelled.is_some();
        drop(state);
        // Halt before an observer hears of it: an observer may take its time, and code must not act meanwhile.
        if cancelled {
            self.halt();
        }
        heard.into_iter().for_each(|event| self.observer.happened(event));
        Ok(())
    }

    /// Stops everything: nothing new begins, and code that is under way is ended.
    pub(crate) fn halt(&self) {
        self.stop.store(true, Ordering::SeqCst);
        let controls = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        controls.values().for_each(Control::cancel);
    }

    /// Registers the control of code that is about to run.
    pub(crate) fn register_control(&self, account: &str, control: &Control) {
        let mut controls = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        controls.insert(account.to_owned(), control.clone());
        // A halt before this found nothing to stop.
        if self.is_stopping() {
            control.cancel();
        }
    }

    /// Stops the code of one attempt, if it is under way.
    pub(crate) fn stop_code(&self, account: &str) {
        let control = self.controls.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
        if let Some(control) = control {
            control.cancel();
        }
    }

    /// Removes the control of code that has ended.
    pub(crate) fn remove_control(&self, account: &str) {
        self.controls.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
    }

    /// Returns whether everything has to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// The certificate authority of this run; its key is never on disk.
    pub(crate) fn ca(&self) -> Result<Arc<RunCa>, StoreError> {
        if let Some(ca) = self.ca.get() {
            return Ok(ca.clone());
        }
        let made = RunCa::generate(std::time::SystemTime::now())
            .map_err(|error| StoreError::new(StoreErrorKind::Unavailable, error.to_string()))?;
        Ok(self.ca.get_or_init(|| Arc::new(made)).clone())
    }
}

/// Formats a time for the journal.
pub(crate) fn rfc3339(unix_ms: i64) -> String {
    let beyond = if unix_ms < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(unix_ms).unwrap_or(beyond).to_string()
}

/// Parses a time of the journal.
pub(crate) fn unix_ms(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}
