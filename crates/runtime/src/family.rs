//! The runs that a fork shares effects with: the runs that it was forked from, and every other fork of them.

use crate::state::RunState;
use deed_model::{ForkedFrom, RunRequest};
use deed_ports::{JournalRead, StoreError};
use std::collections::BTreeSet;

/// A run of the family, in its state when the fork first read it.
#[derive(Debug)]
pub(crate) struct Relative {
    /// Its name.
    pub(crate) run_id: String,
    /// Its state.
    pub(crate) state: RunState,
}

/// The family of a run.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// The run that it was forked from, the one that that was forked from, and so on to the first.
    pub(crate) ancestors: Vec<Relative>,
    /// The other forks of any of them, the oldest first.
    pub(crate) others: Vec<Relative>,
}

impl Family {
    /// Reads the family of a run; a run that is not a fork has none.
    pub(crate) fn read(journal: &dyn JournalRead, request: &RunRequest) -> Result<Self, StoreError> {
        let mut family = Self::default();
        let mut seen = BTreeSet::from([request.run_id.clone()]);
        let mut next = parent(request.forked.as_ref());
        while let Some(run_id) = next.take().filter(|run_id| seen.insert(run_id.clone())) {
            let relative = Relative::read(journal, run_id)?;
            next = parent(relative.state.request.as_ref().and_then(|request| request.forked.as_ref()));
            family.ancestors.push(relative);
        }
        if family.ancestors.is_empty() {
            return Ok(family);
        }
        // A fork is created after the run that it was forked from, so one pass in order of creation finds all.
        for (run_id, fork) in journal.forks()? {
            let is_kin = family.all().any(|relative| relative.run_id == fork.run_id);
            if is_kin && seen.insert(run_id.clone()) {
                family.others.push(Relative::read(journal, run_id)?);
            }
        }
        Ok(family)
    }

    /// All of them, the nearest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Relative> {
        self.ancestors.iter().chain(&self.others)
    }
}

impl Relative {
    fn read(journal: &dyn JournalRead, run_id: String) -> Result<Self, StoreError> {
        let entries = journal.events(&run_id, 0)?;
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        Ok(Self { run_id, state })
    }
}

fn parent(fork: Option<&ForkedFrom>) -> Option<String> {
    fork.map(|fork| fork.run_id.clone())
}
