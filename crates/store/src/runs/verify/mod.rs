//! Verification of the journal: every chain from its first link to its end, one link in memory at a time.
//!
//! Input: a snapshot of the database. Output: the number of verified runs and events, or the first broken link. The list
//! of runs is walked first, then each run that it names; then runs that it does not name are refused.

mod chain;
mod damage;
mod list;
mod run;

use super::anchor;
use super::links::{self, WORKSPACE};
use super::readers::Readers;
use super::schema::{self, DatabaseKind};
use super::{RunStore, fault, open};
use crate::sqlite::BUSY_TIMEOUT;
use deed_canon::ChainHead;
use deed_ports::{BrokenLink, JournalExtent, StoreError};
use rusqlite::Connection;
use std::path::Path;

/// The reason verification stopped.
#[derive(Debug)]
pub(super) enum Halt {
    /// A link is broken.
    Broken(BrokenLink),
    /// The journal cannot be read, or is damaged in another way.
    Trouble(StoreError),
}

impl From<rusqlite::Error> for Halt {
    fn from(error: rusqlite::Error) -> Self {
        Self::Trouble(fault::sql(&error))
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Trouble(error)
    }
}

/// A broken link. The list of runs is the chain without a name.
fn broken(run_id: &str, seq: u64, what: impl Into<String>) -> Halt {
    let run_id = (run_id != super::links::WORKSPACE).then(|| run_id.to_owned());
    Halt::Broken(BrokenLink { run_id, seq, what: what.into() })
}

/// Returns the number of verified runs and events, or the first broken link. The tables are compared last: an altered
/// event is a better finding than an altered table, without which no event could be altered.
pub(super) fn verify(conn: &Connection) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
    let walked = match walk(conn) {
        Err(Halt::Broken(link)) => return Ok(Err(link)),
        Err(Halt::Trouble(error)) => Err(error),
        Ok(extent) => Ok(extent),
    };
    let format = schema::format(conn)?;
    match (walked, schema::difference(conn, &format)) {
        (Ok(extent), Ok(None)) => pages(conn).map(|()| Ok(extent)),
        (Ok(extent), Ok(Some(changed))) => Err(changed.beside(&extent)),
        (Ok(_), Err(error)) => Err(fault::sql(&error)),
        // Altered tables are the cause of the failure to read them.
        (Err(_), Ok(Some(changed))) => Err(changed.refusal()),
        (Err(error), Ok(None) | Err(_)) => Err(error),
    }
}

impl RunStore {
    /// Verifies the journal in a folder without opening a store, so also one with altered tables, which cannot be opened.
    ///
    /// # Errors
    /// There is no journal, it cannot be read, or it is damaged in another way than by a broken link.
    pub fn verify_in(dir: &Path) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
        let database = open::found(dir)?;
        Readers::new(database, BUSY_TIMEOUT).read(|conn| match schema::format(conn)? {
            DatabaseKind::Journal | DatabaseKind::WithoutIndex => verify(conn),
            DatabaseKind::Empty => Err(open::nothing_here(dir)),
        })
    }
}

impl RunStore {
    /// Returns whether the journal in a folder has exactly this link of a run, or of the list of runs.
    ///
    /// # Errors
    /// There is no journal, or it cannot be read.
    pub fn contains_in(dir: &Path, run_id: Option<&str>, head: &ChainHead) -> Result<bool, StoreError> {
        let readers = Readers::new(open::found(dir)?, BUSY_TIMEOUT);
        readers.read(|conn| anchor::contains(conn, run_id.unwrap_or(WORKSPACE), head))
    }
}

fn walk(conn: &Connection) -> Result<JournalExtent, Halt> {
    let listed = list::walk(conn)?;
    let end = links::end(conn, WORKSPACE)??;
    let mut extent = JournalExtent { head: end.map(|end| end.head), ..JournalExtent::default() };
    for (run_id, entry) in listed.in_order() {
        extent.runs += 1;
        extent.events += run::walk(conn, run_id, entry)?;
    }
    listed.refuse_unlisted(conn)?;
    if matches!(schema::format(conn)?, DatabaseKind::Journal) {
        listed.compare_index(conn)?;
    }
    Ok(extent)
}

/// Verifies one run: its whole chain, and the links of the list that name it. Returns the number of its events, or its
/// first broken link. Other runs are not read.
pub(super) fn verify_run(conn: &Connection, run_id: &str) -> Result<Result<u64, BrokenLink>, StoreError> {
    let walked = list::entry(conn, run_id).and_then(|entry| run::walk(conn, run_id, &entry));
    match walked {
        Ok(events) => Ok(Ok(events)),
        Err(Halt::Broken(link)) => Ok(Err(link)),
        Err(Halt::Trouble(error)) => Err(error),
    }
}

/// Checks SQLite's own pages, and every entry of an index against its row.
fn pages(conn: &Connection) -> Result<(), StoreError> {
    let check = || conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    let line: String = check().map_err(|e| fault::sql(&e))?;
    if line == "ok" { Ok(()) } else { Err(fault::damaged(&format!("the journal's database is damaged: {line}"))) }
}
