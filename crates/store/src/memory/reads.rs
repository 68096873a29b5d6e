//! Reads: the state of all memories, their content, and recall.

use super::MemoryStore;
use super::entry::{MemoryEntry, entries};
use super::fault::within;
use crate::chain::all_rows;
use crate::error::RegistryError;
use deed_canon::{ChainHead, ContentHash, Invariant as _};
use deed_diag::{Diagnostic, Place, codes};
use deed_memory::{MemoryState, RecallQuery, item_of, recall};
use deed_model::{MemoryProposal, MemoryRules, RecalledMemory};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde::de::DeserializeOwned;
use std::rc::Rc;

impl MemoryStore {
    /// Returns the state of all memories.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn state(&self) -> Result<Rc<MemoryState>, RegistryError> {
        self.read(|conn| Ok(self.fold(conn)?.state))
    }

    /// Returns the end of the log; none if it is empty.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn head(&self) -> Result<Option<ChainHead>, RegistryError> {
        self.read(|conn| Ok(self.fold(conn)?.head))
    }

    /// Returns the events of a memory, or of all, in order.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn log(&self, memory_id: Option<&str>) -> Result<Vec<MemoryEntry>, RegistryError> {
        self.read(|conn| {
            self.fold(conn)?;
            let all = entries(&all_rows(conn)?)?;
            let concerns = |entry: &MemoryEntry| memory_id.is_none_or(|id| entry.event.event.memory_id() == id);
            Ok(all.into_iter().filter(concerns).collect())
        })
    }

    /// Returns a stored proposal.
    ///
    /// # Errors
    /// It was not kept, was altered, or cannot be read.
    pub fn proposal(&self, content: &ContentHash) -> Result<MemoryProposal, RegistryError> {
        self.document(content).map_err(|e| within(e, &self.dir))
    }

    /// Returns stored rules.
    ///
    /// # Errors
    /// They are lost, were altered, or cannot be read.
    pub fn rules(&self, rules: &ContentHash) -> Result<MemoryRules, RegistryError> {
        self.document(rules).map_err(|e| within(e, &self.dir))
    }

    /// Returns the promoted memories for a run, by id.
    ///
    /// # Errors
    /// The log is damaged, or the content of a memory is lost: nothing is recalled then.
    pub fn recall(&self, query: &RecallQuery<'_>) -> Result<Vec<RecalledMemory>, RegistryError> {
        let state = self.state()?;
        let mut recalled = Vec::new();
        for record in recall(&state, query) {
            let item = item_of(record, &self.proposal(&record.content)?);
            recalled.push(item.invariant("a memory that is recalled was promoted"));
        }
        Ok(recalled)
    }

    pub(super) fn document<T: DeserializeOwned>(&self, hash: &ContentHash) -> Result<T, RegistryError> {
        let bytes = self.blobs.get(hash)?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!("the stored bytes `{hash}` cannot be read: {error}");
            let place = Place::file(self.blobs.path(hash).display().to_string());
            let finding = Diagnostic::error(codes::UNKNOWN_MEMORY_FORMAT, message).stage("memory").at(place);
            RegistryError::Refused(vec![finding.help("use a version of `deed` that is at least as new as its writer")])
        })
    }

    /// Reads a snapshot: concurrent writes are not seen.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, RegistryError>,
    ) -> Result<T, RegistryError> {
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
            read(&tx)
        };
        run().map_err(|e: RegistryError| within(e, &self.dir))
    }
}
