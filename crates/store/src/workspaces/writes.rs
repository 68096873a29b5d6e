//! The operation that appends: it folds, checks and appends inside one immediate transaction.

use super::WorkspaceStore;
use super::fault::within;
use super::log::append_all;
use crate::error::RegistryError;
use crate::registry::{Outcome, Stamp};
use deed_canon::timestamp;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{WorkspaceEvent, WorkspaceLogEvent};
use deed_workspace::{WORKSPACE_FORMAT, WorkspaceState};
use rusqlite::{Transaction, TransactionBehavior};
use tracing::debug_span;

impl WorkspaceStore {
    /// Appends the events of a transition, all or none. The transition sees the state under the write lock; without events,
    /// nothing is recorded.
    ///
    /// # Errors
    /// The transition is not allowed, or the log cannot be written. Nothing was recorded then.
    pub fn append(
        &self,
        stamp: &Stamp,
        transition: impl FnOnce(&WorkspaceState) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>>,
    ) -> Result<Outcome, RegistryError> {
        let _transaction = debug_span!("transaction", workspace = %self.dir.display(), actor = stamp.actor).entered();
        timestamp(&stamp.at).ok_or_else(|| RegistryError::Refused(vec![bad_time(&stamp.at)]))?;
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let folded = self.fold(&tx)?;
            let events = transition(&folded.state)?;
            if events.is_empty() {
                return Ok(Outcome::AlreadyDone);
            }
            let logged = |event| WorkspaceLogEvent {
                format: WORKSPACE_FORMAT,
                at: stamp.at.clone(),
                actor: stamp.actor.clone(),
                event,
            };
            let events = events.into_iter().map(logged).collect();
            let appended = append_all(&tx, folded.head, events, &self.steps)?;
            self.steps.before("commit")?;
            tx.commit()?;
            self.keep(&folded, &appended);
            let end = appended.last().map(|entry| entry.link.head());
            Ok(end.map_or(Outcome::AlreadyDone, Outcome::Recorded))
        };
        run().map_err(|e: RegistryError| within(e, &self.dir))
    }
}

fn bad_time(at: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_TIME, format!("`{at}` is not an RFC 3339 time"))
        .stage("workspace")
        .at(Place::file("new event"))
        .help("write `2026-05-09T00:00:00Z`")
}
