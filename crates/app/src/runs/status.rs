//! The status of a run: from its events, and from whether a process drives it now.

use deed_model::{GateDecision, RunEvent, RunOptions, RunOutcome};
use deed_ports::{JournalEntry, Standing, StoreError};
use deed_runtime::{RunState, standing};
use deed_store::{Driver, RunStore};

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It ended.
    Ended(RunOutcome),
    /// A process drives it.
    Running(Driver),
    /// An approver is asked, and no process is needed until they answer.
    Waiting,
    /// Its gate was approved; it has to be resumed.
    Approved,
    /// Its gate was rejected; resumed, it fails.
    Rejected,
    /// It was submitted and never driven.
    Submitted,
    /// The process that drove it is gone.
    Interrupted,
}

impl Status {
    /// Returns the status of a run. A crashed process holds no lock, so that it never counts as driving.
    pub fn of(store: &RunStore, run_id: &str, state: &RunState, entries: &[JournalEntry]) -> Result<Self, StoreError> {
        if let Some(outcome) = state.ended {
            return Ok(Self::Ended(outcome));
        }
        if let Some(driver) = store.driver(run_id)? {
            return Ok(Self::Running(driver));
        }
        Ok(Self::undriven(state, entries))
    }

    /// Returns the status of a run that no process drives.
    pub fn undriven(state: &RunState, entries: &[JournalEntry]) -> Self {
        match standing(state) {
            Standing::Ended(outcome) => return Self::Ended(outcome),
            Standing::Waiting(_) => return Self::Waiting,
            Standing::Running => {}
        }
        let began = entries.iter().any(|entry| matches!(entry.record.event, RunEvent::Taken { .. }));
        let decided = state.gates.values().filter_map(|gate| gate.decided.as_ref()).map(|signed| &signed.approval);
        let unused = decided.filter(|approval| !state.used.contains(&approval.approval_id));
        // The strictest of them counts.
        match unused.map(|approval| approval.decision).max() {
            Some(GateDecision::Rejected) => Self::Rejected,
            Some(GateDecision::Approved) => Self::Approved,
            None if began => Self::Interrupted,
            None => Self::Submitted,
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ended(outcome) => outcome.as_str(),
            Self::Running(_) => "running",
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Submitted => "submitted",
            Self::Interrupted => "interrupted",
        }
    }

    /// The process that drives it.
    pub fn process(self) -> Option<u32> {
        match self {
            Self::Running(driver) => driver.process,
            _ => None,
        }
    }

    /// Returns a hint in one line: what drives the run, or how to continue it.
    pub fn hint(self, run_id: &str, options: Option<&RunOptions>) -> Option<String> {
        let resume = resume_command(run_id, options);
        match self {
            Self::Running(Driver { process: Some(pid) }) => Some(format!("driven by process {pid}")),
            Self::Running(Driver { process: None }) => Some("driven by another process".to_owned()),
            Self::Approved => Some(format!("ready to resume: `{resume}`")),
            Self::Rejected => Some(format!("`{resume}` ends it")),
            Self::Submitted => Some(format!("it was never started: `{resume}` starts it")),
            Self::Interrupted => Some(format!("the process that drove it is gone: `{resume}` resumes it")),
            Self::Ended(_) | Self::Waiting => None,
        }
    }
}

/// The command that resumes a run, with what has to be given again.
pub fn resume_command(run_id: &str, options: Option<&RunOptions>) -> String {
    let mut command = format!("deed runs resume {run_id}");
    for name in options.into_iter().flat_map(|options| &options.resolve) {
        command.push_str(&format!(" --resolve {name}=ADDRESS"));
    }
    if options.is_some_and(|options| options.extra_roots) {
        command.push_str(" --ca FILE");
    }
    command
}
