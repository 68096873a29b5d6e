//! Whether the journal is what was written: every chain from its first link to its end, one link in memory at a time.
//!
//! What enters is the database at one moment; what leaves is how much holds, or the first link that does not. The list
//! of runs is walked first, then each run that it names, then it is asked whether there are runs that it does not name.

mod chain;
mod damage;
mod list;
mod run;

use super::fault;
use super::schema;
use deed_ports::{BrokenLink, JournalExtent, StoreError};
use rusqlite::Connection;

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

/// How many runs and events hold, or the first link that does not.
pub(super) fn verify(conn: &Connection) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
    match walk(conn) {
        Ok(extent) => Ok(Ok(extent)),
        Err(Halt::Broken(link)) => Ok(Err(link)),
        Err(Halt::Trouble(error)) => Err(error),
    }
}

fn walk(conn: &Connection) -> Result<JournalExtent, Halt> {
    let listed = list::walk(conn)?;
    let mut extent = JournalExtent::default();
    for (run_id, entry) in listed.in_order() {
        extent.runs += 1;
        extent.events += run::walk(conn, run_id, entry)?;
    }
    listed.strangers(conn)?;
    // The tables last: an altered event is better named than an altered table.
    schema::difference(conn)?.map_or(Ok(()), Err)?;
    pages(conn)?;
    Ok(extent)
}

/// SQLite's own pages, and every entry of an index against its row.
fn pages(conn: &Connection) -> Result<(), Halt> {
    let mut statement = conn.prepare("PRAGMA integrity_check(1)")?;
    let line: String = statement.query_row([], |row| row.get(0))?;
    if line == "ok" {
        Ok(())
    } else {
        Err(fault::damaged(&format!("the journal's database is damaged: {line}")).into())
    }
}
