//! Recall for a compile: the promoted memories of the home for a run, as data for the compiler.

use crate::error::AppError;
use crate::registry;
use crate::session::Session;
use deed_context::{Request, Run};
use deed_memory::RecallQuery;
use deed_model::RecalledMemory;
use deed_store::MemoryStore;

/// The memory log of a home, to recall from. A home without one has no memories.
#[derive(Debug)]
pub(crate) struct Recaller {
    store: Option<MemoryStore>,
}

impl Recaller {
    /// Opens the log of the session's home.
    pub(crate) fn open(session: &Session) -> Result<Self, AppError> {
        Ok(Self { store: super::existing(session)? })
    }

    /// Returns the promoted memories for the tenant, the subjects and the instant of a run, and the intent of a request.
    pub(crate) fn recall(&self, request: &Request, run: &Run) -> Result<Vec<RecalledMemory>, AppError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let query = RecallQuery {
            tenant_id: &run.context().tenant_id,
            subjects: run.subjects().collect(),
            intent_id: request.intent(),
            as_of: run.as_of(),
        };
        store.recall(&query).map_err(registry::error)
    }
}
