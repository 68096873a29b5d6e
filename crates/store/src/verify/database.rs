//! Checks SQLite's own pages, every index entry against its row, and the objects of the database.

use crate::error::{DATABASE, RegistryError};
use crate::schema::{self};
use deed_diag::{Diagnostic, Place, codes};
use rusqlite::Connection;

pub(super) fn check(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut findings = schema::differences(conn)?;
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    findings.extend(lines.iter().filter(|line| *line != "ok").map(|line| finding(line)));
    Ok(findings)
}

/// The finding for a line of SQLite, such as `row 7 missing from index …` or `wrong # of entries in index …`. SQLite
/// reports the kind of a fault only in these words.
fn finding(line: &str) -> Diagnostic {
    let diagnostic = if line.contains(" index ") {
        Diagnostic::error(codes::INDEX_DISAGREES, format!("an index does not agree with the events: {line}"))
    } else {
        Diagnostic::error(codes::DATABASE_DAMAGED, format!("the database is damaged: {line}"))
    };
    diagnostic.stage("registry").at(Place::file(DATABASE)).help("restore the registry from a backup")
}
