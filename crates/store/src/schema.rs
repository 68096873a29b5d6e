//! The tables, and the rule for older and newer ones.
//!
//! `events` is the log: a row is a link of the hash chain. The rest can be rebuilt from it: `subjects` says
//! which events concern what, numbered per subject; `tips` says how many there are; `head` is the end.
//! A program refuses a format that it does not know. A later format brings its own migration from each
//! earlier one, and never changes a row of `events`.

use crate::error::RegistryError;
use deed_diag::{Code, Diagnostic, Place};
use rusqlite::{Connection, OptionalExtension};

const NOT_A_REGISTRY: Code = Code::new("D1240");
const UNKNOWN_FORMAT: Code = Code::new("D1241");

/// The format that this version reads and writes.
const FORMAT: i64 = 1;

const TABLES: &str = "
CREATE TABLE meta(id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL) STRICT;
CREATE TABLE events(seq INTEGER PRIMARY KEY, prev TEXT, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
CREATE TABLE subjects(subject TEXT NOT NULL, nth INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (subject, nth))
    STRICT, WITHOUT ROWID;
CREATE TABLE tips(subject TEXT PRIMARY KEY, events INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE head(id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
INSERT INTO meta(id, format) VALUES (1, 1);
";

/// True where the tables are there.
pub(crate) fn exists(conn: &Connection) -> Result<bool, RegistryError> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'";
    Ok(conn.query_row(sql, [], |_| Ok(())).optional()?.is_some())
}

/// Makes the tables; the caller commits.
pub(crate) fn create(conn: &Connection) -> Result<(), RegistryError> {
    Ok(conn.execute_batch(TABLES)?)
}

/// Refuses what is not a registry of a known format.
pub(crate) fn check(conn: &Connection) -> Result<(), RegistryError> {
    if !exists(conn)? {
        return Err(not_a_registry(Place::file(crate::error::DATABASE)));
    }
    let format: Option<i64> = conn.query_row("SELECT format FROM meta WHERE id = 1", [], |r| r.get(0)).optional()?;
    match format {
        Some(FORMAT) => Ok(()),
        None => Err(not_a_registry(Place::file(crate::error::DATABASE))),
        Some(found) => Err(RegistryError::environment(
            Diagnostic::error(UNKNOWN_FORMAT, format!("the registry has format {found}; this version reads {FORMAT}"))
                .at(Place::file(crate::error::DATABASE))
                .help("use the version of `deed` that made it, or a newer one"),
        )),
    }
}

/// Rules that someone put into the database would run inside our transactions: there are none of ours.
pub(crate) fn foreign_rules(conn: &Connection) -> Result<Vec<String>, RegistryError> {
    let mut statement = conn.prepare("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')")?;
    let names = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(names)
}

/// The finding for a folder without a registry.
pub(crate) fn not_a_registry(place: Place) -> RegistryError {
    RegistryError::environment(
        Diagnostic::error(NOT_A_REGISTRY, "there is no registry here")
            .at(place)
            .help("create one with `deed init`, or name the folder of an existing one"),
    )
}
