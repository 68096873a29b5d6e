//! The tables of the log of decisions, and the rule for other formats.
//!
//! `events` is the log: a row is a link of the hash chain, and `head` is its end. Decisions are found by an index over
//! the entries' own text. A database has exactly these objects; anything missing, changed or added is refused.

use super::DATABASE;
use super::error::{self, DecisionLogError};
use deed_diag::{Diagnostic, Place};
use rusqlite::{Connection, OptionalExtension};

/// The format that this version reads and writes.
const FORMAT: i64 = 1;

/// The id of a record, as SQLite reads it.
pub(super) const RECORD_ID: &str = "json_extract(body,'$.decision.record_id')";

fn objects() -> [(&'static str, &'static str, String); 4] {
    let table = |name, columns: &str| ("table", name, format!("CREATE TABLE {name}({columns}) STRICT"));
    [
        table("meta", "id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL"),
        table("events", "seq INTEGER PRIMARY KEY, prev TEXT, hash TEXT NOT NULL, body TEXT NOT NULL"),
        table("head", "id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL"),
        ("index", "events_by_record", format!("CREATE UNIQUE INDEX events_by_record ON events({RECORD_ID})")),
    ]
}

/// Returns whether the tables exist.
pub(super) fn exists(conn: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'";
    Ok(conn.query_row(sql, [], |_| Ok(())).optional()?.is_some())
}

/// Creates the tables and the index; the caller commits.
pub(super) fn create(conn: &Connection) -> rusqlite::Result<()> {
    for (_, _, sql) in objects() {
        conn.execute(&sql, [])?;
    }
    conn.execute("INSERT INTO meta(id, format) VALUES (1, ?1)", [FORMAT])?;
    Ok(())
}

/// Refuses a database of another format, or with other objects than its format has.
pub(super) fn check(conn: &Connection) -> Result<(), DecisionLogError> {
    let format = match exists(conn)? {
        true => conn.query_row("SELECT format FROM meta WHERE id = 1", [], |row| row.get(0)).optional()?,
        false => None,
    };
    match format {
        Some(FORMAT) => {}
        Some(found) => return Err(error::format(found, FORMAT)),
        None => {
            let message = "this is not a log of decisions".to_owned();
            return Err(error::unusable(Place::file(DATABASE), message, "restore the folder from a backup"));
        }
    }
    let found = differences(conn)?.into_iter().next();
    found.map_or(Ok(()), |found| Err(DecisionLogError::Environment(Box::new(found))))
}

/// Returns a finding for each object that is missing, changed or foreign.
pub(super) fn differences(conn: &Connection) -> rusqlite::Result<Vec<Diagnostic>> {
    let mut statement = conn.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let mut found: Vec<(String, String, String)> = rows.collect::<Result<_, _>>()?;
    let mut findings = Vec::new();
    for (kind, name, sql) in objects() {
        match found.iter().position(|(k, n, _)| k == kind && n == name).map(|at| found.swap_remove(at)) {
            Some((_, _, its)) if its == sql => {}
            Some(_) => findings.push(error::database(format!("the {kind} `{name}` was replaced by another"))),
            None => findings.push(error::database(format!("the {kind} `{name}` is missing"))),
        }
    }
    let foreign = found.into_iter();
    findings.extend(foreign.map(|(kind, name, _)| error::database(format!("there is an unexpected {kind} `{name}`"))));
    Ok(findings)
}
