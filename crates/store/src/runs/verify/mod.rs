//! Whether the journal is what was written: every chain from its first link to its end, one link in memory at a time.
//!
//! What enters is the database at one moment; what leaves is how much holds, or the first link that does not. The list
//! of runs is walked first, then each run that it names, then it is asked whether there are runs that it does not name.

mod chain;
mod damage;
mod list;
mod run;

use super::anchor;
use super::links::{self, WORKSPACE};
use super::readers::Readers;
use super::schema::{self, Found};
use super::{RunStore, fault, open};
use crate::sqlite::PATIENCE;
use deed_canon::ChainHead;
use deed_ports::{BrokenLink, JournalExtent, StoreError};
use rusqlite::Connection;
use std::path::Path;

/// Why verifying stopped.
#[derive(Debug)]
pub(super) enum Halt {
    /// A link does not hold.
    Broken(BrokenLink),
    /// It could not go on.
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

/// A link that does not hold. The list of runs is the chain without a name.
fn broken(run_id: &str, seq: u64, what: impl Into<String>) -> Halt {
    let run_id = (run_id != super::links::WORKSPACE).then(|| run_id.to_owned());
    Halt::Broken(BrokenLink { run_id, seq, what: what.into() })
}

/// How many runs and events hold, or the first link that does not. Whether the tables are as they should be is asked
/// last: an altered event is better named than an altered table, without which no event could be altered.
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
        // Tables that were altered are why they cannot be read.
        (Err(_), Ok(Some(changed))) => Err(changed.refusal()),
        (Err(error), Ok(None) | Err(_)) => Err(error),
    }
}

impl RunStore {
    /// Verifies the journal in a folder and does nothing else with it. So it also looks at one whose tables were
    /// altered, which cannot be opened.
    pub fn verify_in(dir: &Path) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
        let database = open::found(dir)?;
        Readers::new(database, PATIENCE).read(|conn| match schema::format(conn)? {
            Found::Journal | Found::WithoutIndex => verify(conn),
            Found::Empty => Err(open::nothing_here(dir)),
        })
    }
}

impl RunStore {
    /// Returns whether the journal in a folder has this very link of a run, or of the list of runs. Nothing else is done with it.
    pub fn contains_in(dir: &Path, run_id: Option<&str>, head: &ChainHead) -> Result<bool, StoreError> {
        let readers = Readers::new(open::found(dir)?, PATIENCE);
        readers.read(|conn| Ok(anchor::contains(conn, run_id.unwrap_or(WORKSPACE), head)))
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
    listed.strangers(conn)?;
    if matches!(schema::format(conn)?, Found::Journal) {
        listed.indexed(conn)?;
    }
    Ok(extent)
}

/// The number of events of one run, or the first link of it that does not hold: its whole chain, and the links of the
/// list that name it. Other runs are not read.
pub(super) fn verify_run(conn: &Connection, run_id: &str) -> Result<Result<u64, BrokenLink>, StoreError> {
    let walked = list::entry(conn, run_id).and_then(|entry| run::walk(conn, run_id, &entry));
    match walked {
        Ok(events) => Ok(Ok(events)),
        Err(Halt::Broken(link)) => Ok(Err(link)),
        Err(Halt::Trouble(error)) => Err(error),
    }
}

/// SQLite's own pages, and every entry of an index against its row.
fn pages(conn: &Connection) -> Result<(), StoreError> {
    let check = || conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    let line: String = check().map_err(|e| fault::sql(&e))?;
    if line == "ok" { Ok(()) } else { Err(fault::damaged(&format!("the journal's database is damaged: {line}"))) }
}
