//! Recall for a compile: the promoted memories of the home for a run, as data for the compiler.

use crate::error::AppError;
use crate::registry;
use crate::session::Session;
use crate::workspaces::WorkspaceChoice;
use deed_context::{Request, Run};
use deed_diag::{Diagnostic, Document, Report, codes, quote};
use deed_memory::{RecallQuery, Withdrawal, withdrawn};
use deed_model::{MemoryItem, RecalledMemory};
use deed_store::MemoryStore;
use jiff::Timestamp;

/// The memory log of a home, to recall from. A home without one has no memories.
#[derive(Debug)]
pub(crate) struct Recaller {
    store: Option<MemoryStore>,
    instant: RecallInstant,
}

/// The origin of the instant that memory is recalled at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecallInstant {
    /// The caller or the run states it: what was recalled then.
    Stated,
    /// The clock: what it says is no earlier than the log's latest event.
    Clock,
}

impl Recaller {
    /// Opens the log of the workspace that is chosen, or else of the session's home.
    pub(crate) fn open(session: &Session, choice: &WorkspaceChoice, instant: RecallInstant) -> Result<Self, AppError> {
        Ok(Self { store: super::existing_of(session, choice)?, instant })
    }

    /// The instant that lifetimes are judged at.
    fn as_of(&self, store: &MemoryStore, run: &Run) -> Result<Timestamp, AppError> {
        match self.instant {
            RecallInstant::Stated => Ok(run.as_of()),
            RecallInstant::Clock => Ok(store.state().map_err(registry::error)?.now(run.as_of())),
        }
    }

    /// Returns the promoted memories for the tenant, the subjects and the instant of a run, and the intent of a request.
    pub(crate) fn recall(&self, request: &Request, run: &Run) -> Result<Vec<RecalledMemory>, AppError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let query = RecallQuery {
            tenant_id: &run.context().tenant_id,
            subjects: run.subjects().collect(),
            intent_id: request.intent(),
            as_of: self.as_of(store, run)?,
        };
        store.recall(&query).map_err(registry::error)
    }

    /// Refuses memories of a list that the log does not stand by: it decides about its own ids, and what was revoked never
    /// returns.
    pub(crate) fn check_listed(&self, items: &[MemoryItem], list: &Document, run: &Run) -> Result<(), AppError> {
        let Some(store) = &self.store else { return Ok(()) };
        let state = store.state().map_err(registry::error)?;
        let as_of = self.as_of(store, run)?;
        let mut report = Report::default();
        report.add_source(list.source().clone());
        for (index, item) in items.iter().enumerate() {
            if let Some(withdrawal) = withdrawn(&state, item, as_of) {
                report.push(finding(item, withdrawal).at(list.place(&format!("/{index}/id"))));
            }
        }
        if report.has_errors() { Err(report.into()) } else { Ok(()) }
    }
}

fn finding(item: &MemoryItem, withdrawal: Withdrawal) -> Diagnostic {
    let id = quote(&item.id);
    let (code, message) = match withdrawal {
        Withdrawal::Revoked => (codes::MEMORY_REVOKED_BEFORE, format!("what memory {id} states was revoked")),
        Withdrawal::NotPromoted(status) => {
            (codes::MEMORY_NOT_AT_THIS_POINT, format!("the memory log has {id}, and it is {status}"))
        }
    };
    Diagnostic::error(code, message).stage("memory").help("take it out of the list: the log decides about its memories")
}
