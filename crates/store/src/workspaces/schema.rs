//! The tables of the log of the workspace, and the rule for older and newer ones.
//!
//! `events` is the log: a row is a link of the hash chain, and never changes. `head` is its end. A program refuses a format
//! that it does not know, and a database with other objects than its format has: a trigger would run inside our
//! transactions.

use super::fault::DATABASE;
use crate::error::RegistryError;
use deed_diag::{Diagnostic, Place, codes};
use rusqlite::{Connection, OptionalExtension};

/// The format that this version reads and writes.
const FORMAT: i64 = 1;

const TABLES: [(&str, &str); 3] = [
    (
        "workspace_log",
        "CREATE TABLE workspace_log(id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL) STRICT",
    ),
    (
        "events",
        "CREATE TABLE events(seq INTEGER PRIMARY KEY, prev TEXT, hash TEXT NOT NULL, body TEXT NOT NULL) STRICT",
    ),
    (
        "head",
        "CREATE TABLE head(id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    ),
];

/// Returns true if the database has no objects, as after a creation that a crash interrupted.
pub(super) fn is_empty(conn: &Connection) -> Result<bool, RegistryError> {
    Ok(conn.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get::<_, i64>(0))? == 0)
}

/// Creates the tables; the caller commits.
pub(super) fn create(conn: &Connection) -> Result<(), RegistryError> {
    for (_, sql) in TABLES {
        conn.execute(sql, [])?;
    }
    conn.execute("INSERT INTO workspace_log(id, format) VALUES (1, ?1)", [FORMAT])?;
    Ok(())
}

/// Refuses a database that is not the log of a workspace of a known format, or was altered.
pub(super) fn check(conn: &Connection) -> Result<(), RegistryError> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'workspace_log'";
    if conn.query_row(sql, [], |_| Ok(())).optional()?.is_none() {
        return Err(RegistryError::Environment(Box::new(not_a_log())));
    }
    let format: Option<i64> =
        conn.query_row("SELECT format FROM workspace_log WHERE id = 1", [], |r| r.get(0)).optional()?;
    if format != Some(FORMAT) {
        let found = format.map_or_else(|| "none".to_owned(), |found| found.to_string());
        let message = format!("the log of the workspace has format {found}; this version reads {FORMAT}");
        let finding =
            Diagnostic::error(codes::UNKNOWN_WORKSPACE_FORMAT, message).stage("workspace").at(Place::file(DATABASE));
        let help = "use the version of `deed` that created it, or a newer one; nothing in it was changed";
        return Err(RegistryError::Environment(Box::new(finding.help(help))));
    }
    match differences(conn)?.into_iter().next() {
        Some(found) => Err(RegistryError::Environment(Box::new(found))),
        None => Ok(()),
    }
}

/// Returns a finding for each table that is missing or changed, and for each foreign object.
pub(super) fn differences(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut statement = conn.prepare_cached("SELECT type, name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let mut found: Vec<(String, String, String)> = rows.collect::<Result<_, _>>()?;
    let mut findings = Vec::new();
    for (name, sql) in TABLES {
        match found.iter().position(|(kind, its, _)| kind == "table" && its == name).map(|at| found.swap_remove(at)) {
            Some((_, _, its)) if its == sql => {}
            Some(_) => findings.push(difference(format!("the table `{name}` was replaced by another"))),
            None => findings.push(difference(format!("the table `{name}` is missing"))),
        }
    }
    let foreign = found.into_iter();
    findings.extend(foreign.map(|(kind, name, _)| difference(format!("there is an unexpected {kind} `{name}`"))));
    Ok(findings)
}

fn difference(what: String) -> Diagnostic {
    Diagnostic::error(codes::DATABASE_DAMAGED, format!("the database of the log of the workspace was altered: {what}"))
        .stage("workspace")
        .at(Place::file(DATABASE))
        .help("restore the folder from a backup: another program changed the database")
}

fn not_a_log() -> Diagnostic {
    Diagnostic::error(codes::NOT_A_WORKSPACE_STORE, "the database is not the log of a workspace")
        .stage("workspace")
        .at(Place::file(DATABASE))
        .help("restore the folder from a backup")
}
