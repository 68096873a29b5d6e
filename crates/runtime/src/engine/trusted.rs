//! Checks that the journal of a run may be continued: its checkpoints hold, and it extends its anchor. A
//! run whose journal was changed is not continued, since its seal would vouch for the change.

use super::LocalEngine;
use crate::checkpoint::{self, Checkpoints};
use crate::state::RunState;
use deed_diag::codes;
use deed_ports::{AnchorStatus, EngineError, JournalEntry, StoreErrorKind};

const RESTORE: &str = "restore the journal from a backup; `deed journal verify` checks every link of it";

/// Refuses a run whose journal was changed or rolled back.
pub(super) fn journal(
    engine: &LocalEngine,
    run_id: &str,
    entries: &[JournalEntry],
    state: &RunState,
) -> Result<(), EngineError> {
    let checkpoints = checkpoint::check(run_id, entries, engine.world.knows()).map_err(|why| changed(run_id, &why))?;
    ending(run_id, state, checkpoints)?;
    match engine.world.journal.anchored(run_id)? {
        AnchorStatus::Extends => Ok(()),
        // A run is anchored before its first checkpoint is written: with a checkpoint and without an anchor, the anchor was
        // removed.
        AnchorStatus::Unknown if checkpoints.count == 0 => Ok(()),
        AnchorStatus::Unknown => {
            let message = format!("run `{run_id}` has checkpoints, and no head of it is noted in `.deed/anchor`");
            Err(rolled_back(message))
        }
        AnchorStatus::RolledBack { run_id, head } => Err(lacks(run_id.as_deref(), head)),
    }
}

/// Refuses to start a run in a journal that was rolled back.
pub(super) fn not_rolled_back(engine: &LocalEngine, run_id: &str) -> Result<(), EngineError> {
    match engine.world.journal.anchored(run_id) {
        Ok(AnchorStatus::RolledBack { run_id, head }) => Err(lacks(run_id.as_deref(), head)),
        Ok(AnchorStatus::Extends | AnchorStatus::Unknown) => Ok(()),
        // A name that no run can have is refused where the run is created.
        Err(error) if error.kind == StoreErrorKind::Unknown => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The end of a run that is not sealed has to be the one that its last checkpoint names.
fn ending(run_id: &str, state: &RunState, checkpoints: Checkpoints) -> Result<(), EngineError> {
    let unsealed = state.ended.filter(|_| !state.sealed && checkpoints.count > 0);
    match unsealed {
        Some(outcome) if checkpoints.outcome != Some(outcome) => {
            Err(changed(run_id, "its end is not the one that its last checkpoint names"))
        }
        _ => Ok(()),
    }
}

fn changed(run_id: &str, why: &str) -> EngineError {
    let message = format!("the journal of run `{run_id}` was changed: {why}");
    EngineError::Refused { code: codes::JOURNAL_CHANGED, message, help: Some(RESTORE.to_owned()) }
}

fn lacks(run_id: Option<&str>, head: deed_canon::ChainHead) -> EngineError {
    let of = run_id.map_or_else(|| "the list of runs".to_owned(), |run| format!("the journal of run `{run}`"));
    rolled_back(format!("{of} was rolled back: it lacks event {} ({}), which was there", head.seq, head.hash))
}

fn rolled_back(message: String) -> EngineError {
    let help = "restore the newest copy of the journal; `--accept-rollback` continues with this one, and what was done \
                after its end may be done again";
    EngineError::Refused { code: codes::ROLLED_BACK, message, help: Some(help.to_owned()) }
}
