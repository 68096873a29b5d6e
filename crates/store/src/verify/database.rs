//! SQLite's own pages and indexes, and rules that are not ours.

use crate::error::{DATABASE, RegistryError};
use crate::schema;
use deed_diag::{Code, Diagnostic, Place};
use rusqlite::Connection;

const DAMAGED: Code = Code::new("D1246");

pub(super) fn check(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let damaged =
        lines.into_iter().filter(|line| line != "ok").map(|line| finding(format!("the database is damaged: {line}")));
    let rules = schema::foreign_rules(conn)?.into_iter();
    let rules = rules.map(|name| finding(format!("the database carries a rule of its own, `{name}`")));
    Ok(damaged.chain(rules).collect())
}

fn finding(message: String) -> Diagnostic {
    Diagnostic::error(DAMAGED, message)
        .stage("registry")
        .at(Place::file(DATABASE))
        .help("restore the registry from a backup")
}
