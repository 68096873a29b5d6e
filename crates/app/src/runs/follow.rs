//! Follows the events of a run as they are recorded.

use super::load::{LoadedRun, store_error};
use super::status::Status;
use crate::error::AppError;
use deed_ports::{JournalEntry, JournalRead as _};
use deed_runtime::RunState;
use deed_store::RunStore;
use std::time::Duration;

/// The interval at which the journal is read while nothing new is in it.
const INTERVAL: Duration = Duration::from_millis(100);

/// Follows a run until it ends or no process drives it.
pub struct Follower<'s> {
    store: &'s RunStore,
    run: LoadedRun,
    begun: bool,
}

/// The next part of a run that is followed.
#[derive(Debug)]
pub enum Followed {
    /// Events that were recorded since the part before; all events at first.
    Events(Vec<JournalEntry>),
    /// The run ended, or no process drives it.
    Stopped(Status),
}

impl<'s> Follower<'s> {
    /// Follows a run from its first event.
    pub fn new(store: &'s RunStore, run: LoadedRun) -> Self {
        Self { store, run, begun: false }
    }

    /// Waits for the next events.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn next_part(&mut self) -> Result<Followed, AppError> {
        if !std::mem::replace(&mut self.begun, true) {
            return Ok(Followed::Events(self.run.entries.clone()));
        }
        loop {
            // The status is read before the events, so that no event of a run that stops in between is missed.
            let status = self.run.status(self.store)?;
            let from = self.run.entries.last().map_or(0, |last| last.seq + 1);
            let entries = self.store.events(&self.run.run_id, from).map_err(|error| store_error(&error))?;
            if entries.is_empty() {
                if !matches!(status, Status::Running(_)) {
                    return Ok(Followed::Stopped(status));
                }
                std::thread::sleep(INTERVAL);
                continue;
            }
            self.run.entries.extend(entries.iter().cloned());
            self.run.state = RunState::of(self.run.entries.iter().map(|entry| &entry.record.event));
            return Ok(Followed::Events(entries));
        }
    }
}
