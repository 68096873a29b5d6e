//! The log of decisions: one hash chain, beside the registry's.
//!
//! An entry is a decision that the critic judged and that may be kept. The case (record, critique, facts of the run) and
//! the recorded compile are on disk before the entry that refers to them is committed; both are named by their hash. An
//! entry is never changed or removed, and an approval is used up by one decision.

mod error;
mod open;
mod read;
mod record;
mod schema;
mod verify;

pub use error::DecisionLogError;
pub use read::{DecisionEntry, StoredDecision};
pub use verify::DecisionVerification;

use crate::blobs::Blobs;
use crate::chain::{Damage, HeadRow, all_rows, first_damage, holds};
use crate::steps::Steps;
use deed_canon::ChainHead;
use deed_diag::Diagnostic;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Name of the database inside the folder of decisions.
const DATABASE: &str = "decisions.sqlite";
/// The format of an entry.
const EVENT_FORMAT: u32 = 1;

/// An open log of decisions. Each thread or process opens its own.
#[derive(Debug)]
pub struct DecisionLog {
    dir: PathBuf,
    conn: Connection,
    blobs: Blobs,
    /// The data version of the database at which the chain was last verified.
    walked: Cell<Option<i64>>,
    steps: Steps,
}

impl DecisionLog {
    /// The folder of the log.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the end of the log; `None` if it is empty. Record it elsewhere, and pass it to `verify` later.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn head(&self) -> Result<Option<ChainHead>, DecisionLogError> {
        self.snapshot(|conn| self.checked(conn))
    }

    /// Runs a read on a snapshot: concurrent writes are not seen.
    fn snapshot<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, DecisionLogError>,
    ) -> Result<T, DecisionLogError> {
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
            read(&tx)
        };
        run().map_err(|error: DecisionLogError| error.within(&self.dir))
    }

    /// Verifies the chain unless no other connection has written since the last time, and returns its end.
    fn checked(&self, conn: &Connection) -> Result<Option<ChainHead>, DecisionLogError> {
        let version: i64 = conn.query_row("PRAGMA data_version", [], |row| row.get(0))?;
        let head = HeadRow::read(conn)?;
        if self.walked.get() != Some(version) {
            schema::check(conn)?;
            if !holds(conn, head)? {
                let found = first_damage(&all_rows(conn)?, head);
                let found = found.unwrap_or_else(|| Damage::Head("the chain of the log is broken".to_owned()));
                return Err(DecisionLogError::Refused(vec![damaged(&found)]));
            }
            self.walked.set(Some(version));
        }
        Ok(head.head())
    }
}

/// The finding for a damaged chain.
fn damaged(found: &Damage) -> Diagnostic {
    match found {
        Damage::Link(found) => error::broken(found),
        Damage::Head(message) => error::head(message.clone()),
    }
}
