//! SQLite's own pages, every index entry against the row that it stands for, and objects that are not ours.

use crate::error::{DATABASE, RegistryError};
use crate::schema::{self, INDEX_DISAGREES};
use deed_diag::{Code, Diagnostic, Place};
use rusqlite::Connection;

const DAMAGED: Code = Code::new("D1246");

pub(super) fn check(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut findings = schema::differences(conn)?;
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    findings.extend(lines.iter().filter(|line| *line != "ok").map(|line| finding(line)));
    Ok(findings)
}

/// SQLite's words: `row 7 missing from index …`, `wrong # of entries in index …`.
fn finding(line: &str) -> Diagnostic {
    let diagnostic = if line.contains(" index ") {
        Diagnostic::error(INDEX_DISAGREES, format!("an index does not agree with the events: {line}"))
    } else {
        Diagnostic::error(DAMAGED, format!("the database is damaged: {line}"))
    };
    diagnostic.stage("registry").at(Place::file(DATABASE)).help("restore the registry from a backup")
}
