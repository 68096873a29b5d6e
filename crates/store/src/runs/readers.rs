//! Read-only connections. None of them is the writer's, so that a reader never waits for the disk.

use super::fault;
use deed_ports::StoreError;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The maximum number of idle connections.
const KEPT: usize = 4;

/// A small pool of reading connections.
#[derive(Debug)]
pub(super) struct Readers {
    database: PathBuf,
    busy_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(database: PathBuf, busy_timeout: Duration) -> Self {
        Self { database, busy_timeout, idle: Mutex::new(Vec::new()) }
    }

    /// Reads a snapshot: concurrent writes are not seen.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conn = kept.map_or_else(|| self.connect(), Ok).map_err(|e| fault::sql(&e))?;
        let outcome = Transaction::new_unchecked(&conn, TransactionBehavior::Deferred)
            .map_err(|e| fault::sql(&e))
            .and_then(|tx| read(&tx));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(conn);
        }
        outcome
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.database, flags)?;
        conn.busy_timeout(self.busy_timeout)?;
        conn.pragma_update(None, "trusted_schema", false)?;
        Ok(conn)
    }
}
