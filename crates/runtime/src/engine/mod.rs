//! The embedded engine: one process drives a run, and another resumes it after a crash.

mod decide;
mod drive;
mod explain;
mod finish;
mod schedule;
mod takeover;
mod trusted;

pub(crate) use drive::load_plan;
pub(crate) use finish::{delivered, open_postflight};
pub use takeover::from_on;
pub(crate) use takeover::is_pure;

use crate::family::Family;
use crate::run::rfc3339;
use crate::state::{RunState, StepStatus};
use crate::world::World;
use deed_diag::codes;
use deed_model::{CompiledPlan, GateSubject, RUN_EVENT_VERSION, RunEvent, RunRecord, RunRequest, SignedApproval};
use deed_ports::{Created, Engine, EngineError, JournalEntry, Observer, Standing, Wait};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The engine that comes with the program: SQLite, files, threads.
#[derive(Clone)]
pub struct LocalEngine {
    world: Arc<World>,
}

impl LocalEngine {
    /// An engine in a world.
    pub fn new(world: World) -> Self {
        Self { world: Arc::new(world) }
    }

    /// Its world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Makes a record of an event with the present time, or that of the latest event if the clock is behind.
    fn record(&self, event: RunEvent, earlier: &[JournalEntry]) -> RunRecord {
        let at = rfc3339(self.world.clock.unix_ms().max(drive::latest_ms(earlier)));
        RunRecord { version: RUN_EVENT_VERSION, at, event }
    }

    /// Accepts the journal as it is, even if it lies behind its anchor: the anchor is replaced by the present heads.
    /// Checkpoints still have to hold.
    pub fn accept_rollback(&self, run_id: &str) -> Result<(), EngineError> {
        Ok(self.world.journal.reanchor(run_id)?)
    }

    /// Returns the time of a run: never before its latest event, even if the clock was set back.
    pub fn now_ms(&self, run_id: &str) -> Result<i64, EngineError> {
        Ok(self.world.clock.unix_ms().max(drive::latest_ms(&self.load(run_id)?.0)))
    }

    /// Loads the events of a run and its state after them.
    pub fn load(&self, run_id: &str) -> Result<(Vec<JournalEntry>, RunState), EngineError> {
        let entries = self.world.journal.events(run_id, 0)?;
        if entries.is_empty() {
            return Err(EngineError::Refused {
                code: codes::UNKNOWN_RUN,
                message: format!("there is no run `{}`", run_id.escape_debug()),
                help: Some("`deed runs list` shows all runs".to_owned()),
            });
        }
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        Ok((entries, state))
    }

    /// Counts the calls with effects that runs of the family made in these steps, by run; runs without any are left out.
    pub fn sent_before(
        &self,
        request: &RunRequest,
        plan: &CompiledPlan,
        steps: &BTreeSet<String>,
    ) -> Result<Vec<(String, usize)>, EngineError> {
        let family = Family::read(self.world.journal.as_ref(), request)?;
        let sent = |state: &RunState| {
            // Steps that the plan no longer has may have been renamed.
            let concerned = |id: &&String| steps.contains(*id) || !plan.steps.iter().any(|step| step.step_id == **id);
            let calls = state.steps.iter().filter(|(id, _)| concerned(id)).flat_map(|(_, step)| step.calls.values());
            calls.filter(|call| call.changes_something() && !call.was_served()).count()
        };
        let counted = family.all().map(|relative| (relative.run_id.clone(), sent(&relative.state)));
        Ok(counted.filter(|(_, sent)| *sent > 0).collect())
    }
}

impl Engine for LocalEngine {
    fn submit(&self, request: &RunRequest) -> Result<Created, EngineError> {
        trusted::not_rolled_back(self, &request.run_id)?;
        let first = self.record(RunEvent::Submitted { run: Box::new(request.clone()) }, &[]);
        Ok(self.world.journal.create(&request.run_id, first)?)
    }

    fn drive(&self, run_id: &str, observer: Arc<dyn Observer>) -> Result<Standing, EngineError> {
        drive::drive(self, run_id, observer)
    }

    fn cancel(&self, run_id: &str, by: &str, why: Option<&str>) -> Result<(), EngineError> {
        let (entries, state) = self.load(run_id)?;
        if state.ended.is_some() || state.cancelled.is_some() {
            return Ok(());
        }
        trusted::journal(self, run_id, &entries, &state)?;
        let event = RunEvent::CancelRequested { by: by.to_owned(), why: why.map(str::to_owned) };
        self.world.journal.append(run_id, vec![self.record(event, &entries)], Wait::Durable)?;
        // A run that no process drives ends here; otherwise the process that drives it ends it.
        drive::end_if_idle(self, run_id)
    }

    fn decide(&self, run_id: &str, signed: SignedApproval) -> Result<(), EngineError> {
        decide::decide(self, run_id, signed)
    }

    fn standing(&self, run_id: &str) -> Result<Standing, EngineError> {
        let (_, state) = self.load(run_id)?;
        Ok(standing(&state))
    }
}

/// Returns the standing of a run, as far as its events tell.
pub fn standing(state: &RunState) -> Standing {
    if let Some(outcome) = state.ended {
        return Standing::Ended(outcome);
    }
    let open: Vec<GateSubject> =
        state.gates.values().filter(|gate| gate.is_open()).map(|gate| gate.subject.clone()).collect();
    let at_work =
        state.steps.values().any(|step| matches!(step.status, StepStatus::Running | StepStatus::Again { .. }));
    if open.is_empty() || at_work { Standing::Running } else { Standing::Waiting(open) }
}
