//! The embedded engine: one process drives a run, another takes it up where the first one died.

mod drive;
mod finish;
mod schedule;
mod takeover;

pub(crate) use finish::open_postflight;
pub use takeover::from_on;
pub(crate) use takeover::is_pure;

use crate::codes::{NO_SUCH_RUN, OTHER_ROLE, STALE_APPROVAL};
use crate::gates;
use crate::run::{rfc3339, unix_ms};
use crate::state::{RunState, StepStatus};
use crate::world::World;
use deed_model::{GateSubject, RUN_EVENT_VERSION, RunEvent, RunRecord, RunRequest, SignedApproval};
use deed_ports::{Created, Engine, EngineError, JournalEntry, Observer, Standing, Wait};
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

    /// An event of now, or of the time of an earlier one if the clock is behind.
    fn record(&self, event: RunEvent, earlier: &[JournalEntry]) -> RunRecord {
        let at = rfc3339(self.world.clock.unix_ms().max(drive::latest_ms(earlier)));
        RunRecord { version: RUN_EVENT_VERSION, at, event }
    }

    /// What time it is for a run: what has happened in it cannot lie ahead, also where a clock was set back.
    pub fn now_ms(&self, run_id: &str) -> Result<i64, EngineError> {
        Ok(self.world.clock.unix_ms().max(drive::latest_ms(&self.load(run_id)?.0)))
    }

    /// The events of a run, and what they come to.
    pub fn load(&self, run_id: &str) -> Result<(Vec<JournalEntry>, RunState), EngineError> {
        let entries = self.world.journal.events(run_id, 0)?;
        if entries.is_empty() {
            return Err(EngineError::Refused {
                code: NO_SUCH_RUN.as_str(),
                message: format!("there is no run `{}`", run_id.escape_debug()),
                help: Some("`deed runs list` shows those that there are".to_owned()),
            });
        }
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        Ok((entries, state))
    }
}

impl Engine for LocalEngine {
    fn submit(&self, request: &RunRequest) -> Result<Created, EngineError> {
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
        let event = RunEvent::CancelRequested { by: by.to_owned(), why: why.map(str::to_owned) };
        self.world.journal.append(run_id, vec![self.record(event, &entries)], Wait::Durable)?;
        // A run that nobody drives ends here and now; one that is driven is ended by whoever drives it.
        drive::end_if_idle(self, run_id)
    }

    fn decide(&self, run_id: &str, signed: SignedApproval) -> Result<(), EngineError> {
        let (entries, state) = self.load(run_id)?;
        let gate = state.gates.get(&signed.approval.gate_id);
        let open = gate.is_some_and(|gate| {
            let bound = gate.subject.expires_at == signed.approval.expires_at;
            gate.is_open() && bound && gate.subject_hash == signed.approval.subject_hash
        });
        if state.ended.is_some() || !open {
            return Err(EngineError::Refused {
                code: STALE_APPROVAL.as_str(),
                message: format!("nobody waits at the gate `{}` for this answer", signed.approval.gate_id),
                help: Some("`deed gate list` shows what is asked now".to_owned()),
            });
        }
        if let Some(gate) = gate.filter(|gate| gate.subject.approver_role != signed.approval.role) {
            let asked = &gate.subject.approver_role;
            return Err(EngineError::Refused {
                code: OTHER_ROLE.as_str(),
                message: format!("this gate is for `{asked}`, and not for `{}`", signed.approval.role),
                help: Some("`deed gate show` says who is asked".to_owned()),
            });
        }
        let asked_ms = entries.iter().rev().find_map(|entry| match &entry.record.event {
            RunEvent::GateOpened { subject, .. } if subject.gate_id == signed.approval.gate_id => {
                unix_ms(&entry.record.at)
            }
            _ => None,
        });
        if unix_ms(&signed.approval.decided_at) < asked_ms {
            return Err(EngineError::Refused {
                code: STALE_APPROVAL.as_str(),
                message: format!("the answer at the gate `{}` is older than the question", signed.approval.gate_id),
                help: Some("look at it again with `deed gate show`, and decide then".to_owned()),
            });
        }
        gates::check_signature(run_id, &signed, self.world.knows_decider()).map_err(|why| EngineError::Refused {
            code: STALE_APPROVAL.as_str(),
            message: format!("the answer at the gate `{}` does not count: {why}", signed.approval.gate_id),
            help: Some(
                "`deed gate approve` signs with the key of the workspace, or with one under its `keys`".to_owned(),
            ),
        })?;
        let event = RunEvent::GateDecided { signed: Box::new(signed) };
        Ok(self.world.journal.append(run_id, vec![self.record(event, &entries)], Wait::Durable)?)
    }

    fn standing(&self, run_id: &str) -> Result<Standing, EngineError> {
        let (_, state) = self.load(run_id)?;
        Ok(standing(&state))
    }
}

/// Where a run stands, as far as its events tell.
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
