//! Reads: the state of the workspace, and its events.

use super::WorkspaceStore;
use super::entry::{WorkspaceEntry, entries};
use super::fault::within;
use crate::chain::all_rows;
use crate::error::RegistryError;
use deed_canon::ChainHead;
use deed_workspace::WorkspaceState;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::rc::Rc;

impl WorkspaceStore {
    /// Returns the state of the workspace.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn state(&self) -> Result<Rc<WorkspaceState>, RegistryError> {
        self.read(|conn| Ok(self.fold(conn)?.state))
    }

    /// Returns the end of the log; none if it is empty.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn head(&self) -> Result<Option<ChainHead>, RegistryError> {
        self.read(|conn| Ok(self.fold(conn)?.head))
    }

    /// Returns the events, in order.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn log(&self) -> Result<Vec<WorkspaceEntry>, RegistryError> {
        self.read(|conn| {
            self.fold(conn)?;
            Ok(entries(&all_rows(conn)?)?)
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
