//! Drives a run until it ends or waits for an approver. Threads execute the steps; this loop decides which, and writes
//! nothing that a restart could not resume from.

use super::schedule::Schedule;
use super::{LocalEngine, explain, finish, takeover, trusted};
use crate::attempt::{Attempt, account};
use crate::fault::panicked;
use crate::gates::{self, GateAnswer};
use crate::harness::{self, End, Failed, Parked};
use crate::models;
use crate::repair::{RetryDecision, after_failure};
use crate::run::{Run, RunHistory, unix_ms};
use crate::spans;
use crate::stage;
use crate::state::{Cancelled, StepStatus};
use crate::submit::secrets;
use crate::types::Types;
use crate::validation;
use crate::world::World;
use deed_diag::Invariant as _;
use deed_model::{CompiledPlan, Phase, RunEvent, RunOutcome, RunRequest, StepContract};
use deed_ports::{
    EngineError, JournalEntry, Observer, RunHold, Standing, StoreError, StoreErrorKind, Unobserved, Wait,
};
use std::collections::BTreeMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tracing::{Span, error, info, warn};

/// The interval at which the journal is read for events of other processes.
const LISTEN: Duration = Duration::from_millis(100);

pub(super) fn drive(engine: &LocalEngine, run_id: &str, observer: Arc<dyn Observer>) -> Result<Standing, EngineError> {
    spans::run(run_id).in_scope(|| {
        let standing = drive_in_span(engine, run_id, observer);
        match &standing {
            Ok(Standing::Ended(outcome)) => info!(outcome = ?outcome, "ended"),
            Ok(Standing::Waiting(gates)) => info!(gates = gates.len(), "waiting"),
            Ok(Standing::Running) => info!("running"),
            Err(_) => warn!("not driven to its end"),
        }
        standing
    })
}

fn drive_in_span(engine: &LocalEngine, run_id: &str, observer: Arc<dyn Observer>) -> Result<Standing, EngineError> {
    let hold: Arc<dyn RunHold> = engine.world.journal.take(run_id)?.into();
    let (entries, state) = engine.load(run_id)?;
    trusted::journal(engine, run_id, &entries, &state)?;
    // Anchored before the first checkpoint is written, and updated from then on.
    engine.world.journal.anchor(run_id, Wait::Durable)?;
    let events = entries.len() as u64;
    let last_ms = latest_ms(&entries);
    drop(entries);
    // Remove leftovers of a crashed process. We hold the run's lock, so no other process uses the folder. Attempts have
    // folders of their own, so what cannot be removed does no harm.
    let _ = stage::remove(&engine.world.stage.join(run_id));
    let run = open(engine, RunHistory { state, events, last_ms }, observer, hold.clone())?;
    check_secrets(&run)?;
    let standing = Driver::new(&run).map_err(EngineError::from).and_then(Driver::go);
    // The folders of a run that has ended hold nothing that is not stored elsewhere; a leftover does no harm.
    if matches!(standing, Ok(Standing::Ended(_))) {
        let _ = stage::remove(&run.world.stage.join(run_id));
    }
    drop(hold);
    standing
}

/// Refuses to drive a run whose secrets are missing. It is left as it is, and can be resumed once they are there.
fn check_secrets(run: &Run) -> Result<(), EngineError> {
    let state = run.state();
    if state.ended.is_some() || state.cancelled.is_some() {
        return Ok(());
    }
    let over = |id: &str| {
        let status = state.step(id).map(|step| &step.status);
        matches!(status, Some(StepStatus::Succeeded | StepStatus::Failed { .. }))
    };
    secrets(&run.world, &run.plan, run.request.forked.as_ref(), over)?;
    let corrects = run.validator.as_ref().is_some_and(|validator| validator.waits(Phase::StepOutput));
    let judges = |contract: &StepContract| !over(&contract.step_id) && (corrects || models::may_ask(contract));
    let judges = run.plan.steps.iter().any(judges);
    drop(state);
    if !judges {
        return Ok(());
    }
    match run.models() {
        Ok(Some(models)) => models::keys(&run.world, &models.frozen),
        Ok(None) => Ok(()),
        Err(why) => {
            let message = format!("what models of the run read cannot be used: {why}");
            Err(StoreError::new(StoreErrorKind::Corrupt, message).help("restore the blobs from a backup").into())
        }
    }
}

/// Returns the latest time of any event: clocks are set back, and processes may have had different ones.
pub(super) fn latest_ms(entries: &[JournalEntry]) -> i64 {
    entries.iter().filter_map(|entry| unix_ms(&entry.record.at)).max().unwrap_or(0)
}

/// Ends a cancelled run that no process drives.
pub(super) fn end_if_idle(engine: &LocalEngine, run_id: &str) -> Result<(), EngineError> {
    match drive(engine, run_id, Arc::new(Unobserved)) {
        Err(EngineError::Store(StoreError { kind: StoreErrorKind::Held, .. })) => Ok(()),
        other => other.map(drop),
    }
}

fn open(
    engine: &LocalEngine,
    past: RunHistory,
    observer: Arc<dyn Observer>,
    hold: Arc<dyn RunHold>,
) -> Result<Arc<Run>, EngineError> {
    let corrupt = |message: String| StoreError::new(StoreErrorKind::Corrupt, message);
    let request =
        past.state.request.clone().ok_or_else(|| corrupt("the run does not say what was asked for".to_owned()))?;
    let plan = load_plan(&engine.world, &request)?;
    let types = Types::of_run(&request, &plan, &*engine.world.blobs, &engine.world.catalog)?;
    let validator = validation::of_run(&request, &*engine.world.blobs).map_err(|why| validation::unusable(&why))?;
    let (plan, request) = (Arc::new(plan), Arc::new(request));
    Ok(Arc::new(Run::new(engine.world.clone(), plan, request, (types, validator), past, observer, hold)))
}

/// Loads the compiled plan of a run, which has to be the one that was submitted.
pub(crate) fn load_plan(world: &World, request: &RunRequest) -> Result<CompiledPlan, StoreError> {
    let corrupt = |message: String| {
        StoreError::new(StoreErrorKind::Corrupt, message).help("restore the blobs from a backup, or run the plan again")
    };
    let mut bytes = Vec::new();
    let mut blob = world.blobs.open(&request.plan_blob)?;
    blob.read_to_end(&mut bytes).map_err(|error| corrupt(format!("the plan cannot be read: {error}")))?;
    let plan: CompiledPlan =
        serde_json::from_slice(&bytes).map_err(|error| corrupt(format!("the plan cannot be read: {error}")))?;
    let whole = plan.steps.iter().all(|step| deed_plan::spec_hash(step).ok() == Some(step.spec_hash));
    if !whole || deed_plan::plan_hash(&plan).ok() != Some(request.plan_hash) || plan.plan_hash != request.plan_hash {
        return Err(corrupt("the stored plan is not the one that was asked for".to_owned()));
    }
    Ok(plan)
}

/// Runs an attempt, and turns a panic in it into a failure, so that the driver hears of its end.
fn caught(run: &Arc<Run>, contract: &Arc<StepContract>, attempt: u32) -> (End, Option<Arc<Attempt>>) {
    let work = || match takeover::reuse(run, contract, attempt) {
        Some(end) => (end, None),
        None => harness::run(run, contract, attempt),
    };
    // What the attempt shares with others is guarded by locks that ignore poison: each change is one statement.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        error!(run = run.request.run_id, step = contract.step_id, attempt, "panicked");
        run.stop_code(&account(contract, attempt));
        (panicked(&contract.step_id, &*panic).into(), None)
    })
}

/// A step that ended, by its place, and its end.
type FinishedStep = (usize, End);

/// Reports the end of a step to the driver, also where its thread panics outside of what is caught: a driver that never
/// hears of a step would wait for ever.
struct EndReport {
    run: Arc<Run>,
    contract: Arc<StepContract>,
    attempt: u32,
    place: usize,
    sender: Sender<FinishedStep>,
    is_sent: bool,
}

impl EndReport {
    fn send(&mut self, end: End) {
        self.is_sent = true;
        // The receiver lives as long as the driver, which waits for this thread.
        let _ = self.sender.send((self.place, end));
    }
}

impl Drop for EndReport {
    fn drop(&mut self) {
        if !self.is_sent {
            self.run.stop_code(&account(&self.contract, self.attempt));
            self.send(panicked(&self.contract.step_id, &"its thread ended without a result").into());
        }
    }
}

struct Driver<'d> {
    run: &'d Arc<Run>,
    contracts: Vec<Arc<StepContract>>,
    schedule: Schedule,
    active: BTreeMap<usize, JoinHandle<()>>,
    /// Threads whose step has ended.
    ending: Vec<JoinHandle<()>>,
    /// Steps that are retried, each with the time of its retry.
    later: BTreeMap<usize, Instant>,
    /// Steps whose code is parked, each with its gate.
    parked: BTreeMap<usize, String>,
    failed: Option<String>,
    sender: Sender<FinishedStep>,
    receiver: Receiver<FinishedStep>,
    /// The error of the disk or the journal that a person has to fix, if any.
    unavailable: Option<StoreError>,
}

impl<'d> Driver<'d> {
    fn new(run: &'d Arc<Run>) -> Result<Self, StoreError> {
        let contracts: Vec<Arc<StepContract>> = run.plan.steps.iter().cloned().map(Arc::new).collect();
        let (sender, receiver) = channel();
        let mut driver = Self {
            run,
            contracts,
            schedule: Schedule::new(&run.plan),
            active: BTreeMap::new(),
            ending: Vec::new(),
            later: BTreeMap::new(),
            parked: BTreeMap::new(),
            failed: None,
            sender,
            receiver,
            unavailable: None,
        };
        driver.recall();
        if run.state().ended.is_none() {
            let (by, accepted_rollback) = (run.world.process.clone(), run.world.accepts_rollback);
            let replay = run.request.models_blob.and_then(|_| run.world.models.served());
            run.record(RunEvent::Taken { by, accepted_rollback, replay }, Wait::Ordered)?;
            validation::record_submission(run)?;
        }
        Ok(driver)
    }

    /// Restores the state of each step from the events. An attempt that was under way starts again from its beginning: its
    /// calls are served from the journal.
    fn recall(&mut self) {
        let state = self.run.state();
        for (place, contract) in self.contracts.iter().enumerate() {
            match state.step(&contract.step_id).map(|step| &step.status) {
                Some(StepStatus::Succeeded) => self.schedule.succeeded(place),
                Some(StepStatus::Failed { failure }) => {
                    self.failed = Some(format!("{}: {}", contract.step_id, failure.message));
                    self.schedule.taken(place);
                }
                Some(StepStatus::Parked { gate_id }) => {
                    self.parked.insert(place, gate_id.clone());
                }
                Some(StepStatus::Pending | StepStatus::Running | StepStatus::Again { .. }) | None => {}
            }
        }
        // A parked step is offered only once its gate is decided.
        for place in self.parked.keys() {
            self.schedule.taken(*place);
        }
    }

    fn go(mut self) -> Result<Standing, EngineError> {
        let gone = self.run.state().ended;
        if let Some(outcome) = gone {
            finish::seal(self.run)?;
            return Ok(Standing::Ended(outcome));
        }
        // A panic of this loop, or of an observer that it calls, ends the operation; the threads of steps end before that.
        let turned = catch_unwind(AssertUnwindSafe(|| self.turn()));
        if !matches!(turned, Ok(Ok(_))) {
            self.run.halt();
        }
        for thread in std::mem::take(&mut self.active).into_values().chain(std::mem::take(&mut self.ending)) {
            let _ = thread.join();
        }
        turned.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn turn(&mut self) -> Result<Standing, EngineError> {
        self.run.listen()?;
        let mut listened = Instant::now();
        loop {
            if let Some(error) = self.unavailable.take() {
                return Err(error.into());
            }
            if !self.run.is_stopping() {
                self.wake();
                self.begin()?;
            }
            if self.active.is_empty() && self.later.is_empty() {
                return self.rest();
            }
            self.wait()?;
            if listened.elapsed() >= LISTEN {
                self.run.listen()?;
                listened = Instant::now();
            }
        }
    }

    /// Offers steps again whose retry is due or whose gate is decided.
    fn wake(&mut self) {
        let now = Instant::now();
        let due: Vec<usize> = self.later.iter().filter(|(_, at)| **at <= now).map(|(place, _)| *place).collect();
        for place in due {
            self.later.remove(&place);
            self.schedule.again(place);
        }
        let state = self.run.state();
        let decided: Vec<usize> = self
            .parked
            .iter()
            .filter(|(_, gate)| {
                state.gates.get(*gate).is_none_or(|gate| !gate.is_open() || self.lapsed(&gate.subject.expires_at))
            })
            .map(|(place, _)| *place)
            .collect();
        drop(state);
        for place in decided {
            self.parked.remove(&place);
            self.schedule.again(place);
        }
    }

    fn lapsed(&self, expires_at: &str) -> bool {
        unix_ms(expires_at).is_none_or(|at| self.run.now_ms() >= at)
    }

    /// Starts what can start, up to the limit. A reused step ends at once, and lets others start.
    fn begin(&mut self) -> Result<(), EngineError> {
        while self.begin_ready()? {}
        Ok(())
    }

    /// Starts what is ready now, and returns whether any of it was reused.
    fn begin_ready(&mut self) -> Result<bool, EngineError> {
        let mut taken_over = false;
        let most = usize::try_from(self.run.request.options.parallel).unwrap_or(1).max(1);
        for place in self.schedule.ready() {
            if self.failed.is_some() {
                break;
            }
            let contract = self.contracts.get(place).cloned().invariant("the schedule has the places of contracts");
            if self.active.len() >= most {
                // It waits for its turn; its approvers can decide meanwhile.
                self.announce(&contract, |_| true)?;
                continue;
            }
            // A reused step was approved in the run that made it.
            if self.run.request.forked.is_some()
                && let Some(end) = takeover::reuse(self.run, &contract, 1)
            {
                self.schedule.taken(place);
                self.ended(place, end)?;
                taken_over = true;
                continue;
            }
            match self.gated(&contract)? {
                GateAnswer::Open => {}
                GateAnswer::Pending => continue,
                GateAnswer::Refused(failure) => {
                    self.schedule.taken(place);
                    let failed = Failed { failure, receipt: None, spent: Default::default(), sub_steps: Vec::new() };
                    self.fail(place, &contract, failed)?;
                    continue;
                }
            }
            self.schedule.taken(place);
            self.start(place, contract)?;
        }
        Ok(taken_over)
    }

    /// Returns whether all gates before a step are open.
    fn gated(&self, contract: &StepContract) -> Result<GateAnswer, EngineError> {
        for gate in self.run.plan.gates.iter().filter(|gate| contract.waits_for.contains(&gate.gate_id)) {
            let subject = gates::subject_of_gate(self.run, gate);
            match gates::ask(self.run, &contract.step_id, subject, gate.ttl_seconds)? {
                GateAnswer::Open => {}
                GateAnswer::Pending => {
                    self.announce(contract, |other| other != gate.gate_id)?;
                    return Ok(GateAnswer::Pending);
                }
                GateAnswer::Refused(failure) => return Ok(GateAnswer::Refused(failure)),
            }
        }
        Ok(GateAnswer::Open)
    }

    /// Opens those gates before a step that are not open yet, regardless of the others.
    fn announce(&self, contract: &StepContract, which: impl Fn(&str) -> bool) -> Result<(), EngineError> {
        let before = self.run.plan.gates.iter().filter(|gate| contract.waits_for.contains(&gate.gate_id));
        for gate in before.filter(|gate| which(&gate.gate_id)) {
            let is_known = self.run.state().gates.contains_key(&gate.gate_id);
            if !is_known {
                let subject = gates::subject_of_gate(self.run, gate);
                gates::announce(self.run, &contract.step_id, subject, gate.ttl_seconds)?;
            }
        }
        Ok(())
    }

    fn start(&mut self, place: usize, contract: Arc<StepContract>) -> Result<(), EngineError> {
        let before = self.run.state().step(&contract.step_id).map(|step| (step.attempt, step.status.clone()));
        // An attempt that a crash or a gate cut short is the same attempt.
        let attempt = match before {
            None => 1,
            Some((attempt, StepStatus::Running | StepStatus::Parked { .. })) => attempt.max(1),
            Some((attempt, _)) => attempt + 1,
        };
        let step = contract.step_id.clone();
        self.run.record(RunEvent::StepStarted { step, attempt }, Wait::Ordered)?;
        let (run, sender) = (self.run.clone(), self.sender.clone());
        let mut report =
            EndReport { run: run.clone(), contract: contract.clone(), attempt, place, sender, is_sent: false };
        let span = spans::step(&Span::current(), &run.request.run_id, &contract.step_id);
        let work = move || {
            let _step = span.entered();
            let of_attempt = spans::attempt(&run.request.run_id, &contract.step_id, attempt);
            let (end, over) = of_attempt.in_scope(|| {
                let (end, over) = caught(&run, &contract, attempt);
                info!(end = end.name(), "attempt ended");
                (end, over)
            });
            report.send(end);
            // Its folders are removed while other steps run.
            drop(over);
        };
        let thread = std::thread::Builder::new().name("step".to_owned()).spawn(work).map_err(|error| {
            StoreError::new(StoreErrorKind::Unavailable, format!("no thread can be started: {error}"))
        })?;
        self.active.insert(place, thread);
        Ok(())
    }

    /// Waits until a step ends, a retry is due, or the journal is to be read again.
    fn wait(&mut self) -> Result<(), EngineError> {
        let now = Instant::now();
        let until = self.later.values().min().map_or(LISTEN, |at| at.saturating_duration_since(now).min(LISTEN));
        match self.receiver.recv_timeout(until) {
            Ok((place, end)) => {
                self.ended(place, end)?;
                // Take in everything else that has ended before anything new starts.
                while let Ok((place, end)) = self.receiver.try_recv() {
                    self.ended(place, end)?;
                }
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                Err(StoreError::new(StoreErrorKind::Unavailable, "the engine has lost its threads").into())
            }
        }
    }

    fn ended(&mut self, place: usize, end: End) -> Result<(), EngineError> {
        // Its thread may still be removing folders.
        self.ending.retain(|thread| !thread.is_finished());
        self.ending.extend(self.active.remove(&place));
        let contract = self.contracts.get(place).cloned().invariant("a step that ended has a contract");
        match end {
            End::Succeeded => self.schedule.succeeded(place),
            End::Parked(parked) => {
                let Parked { gate_id, spent, sub_step } = *parked;
                let attempt = self.run.state().step(&contract.step_id).map_or(1, |step| step.attempt);
                let step = contract.step_id.clone();
                let event =
                    RunEvent::StepParked { step, attempt, gate_id: gate_id.clone(), spent, sub_steps: vec![sub_step] };
                self.run.record(event, Wait::Ordered)?;
                self.parked.insert(place, gate_id);
            }
            End::Failed(failed) => self.fail(place, &contract, *failed)?,
            End::Stopped => {}
            // Nothing new starts; what is under way may still be recorded.
            End::Unavailable(error) => self.unavailable = self.unavailable.take().or(Some(error)),
        }
        Ok(())
    }

    fn fail(&mut self, place: usize, contract: &StepContract, failed: Failed) -> Result<(), EngineError> {
        if self.run.is_stopping() {
            return Ok(());
        }
        let attempt = self.run.state().step(&contract.step_id).map_or(0, |step| step.attempt);
        let Failed { failure, receipt, spent, sub_steps } = failed;
        let mut failure = explain::explained(&self.run.request.run_id, contract, failure);
        let again = after_failure(contract, &failure, attempt.max(1));
        let again_after_ms = match again {
            RetryDecision::Retry { after_ms } => Some(after_ms),
            RetryDecision::Stop { because } => {
                failure.causes.extend(because);
                None
            }
        };
        let step = contract.step_id.clone();
        let summary = format!("{step}: {}", failure.message);
        self.run.record(
            RunEvent::StepFailed { step, attempt, failure, spent, sub_steps, again_after_ms, receipt },
            Wait::Durable,
        )?;
        match again {
            RetryDecision::Retry { after_ms } => {
                self.later.insert(place, Instant::now() + Duration::from_millis(after_ms));
            }
            RetryDecision::Stop { .. } => {
                self.failed.get_or_insert(summary);
            }
        }
        Ok(())
    }

    /// Ends the run, or returns what it waits for: nothing is under way, and nothing can start.
    fn rest(&mut self) -> Result<Standing, EngineError> {
        let cancelled = self.run.state().cancelled.clone();
        if let Some(Cancelled { by, why }) = cancelled {
            let why = why.map_or_else(|| format!("{by} ended it"), |why| format!("{by} ended it: {why}"));
            return finish::end(self.run, RunOutcome::Cancelled, Some(why));
        }
        if self.run.is_stopping() {
            let message = "the journal can no longer be written";
            return Err(StoreError::new(StoreErrorKind::Unavailable, message)
                .help("make room on the disk or make the workspace writable, then `deed runs resume`")
                .into());
        }
        if let Some(why) = self.failed.take() {
            return finish::end(self.run, RunOutcome::Failed, Some(why));
        }
        if self.schedule.is_done() {
            return finish::conclude(self.run);
        }
        // An approver may take long: what they decide on is signed, and anchored outside the journal.
        self.run.checkpoint_rest()?;
        self.run.world.journal.settle(&self.run.request.run_id)?;
        self.run.world.journal.anchor(&self.run.request.run_id, Wait::Durable)?;
        let state = self.run.state();
        let open = state.gates.values().filter(|gate| gate.is_open()).map(|gate| gate.subject.clone()).collect();
        Ok(Standing::Waiting(open))
    }
}
