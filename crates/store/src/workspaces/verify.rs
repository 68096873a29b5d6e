//! Verification of the whole log of a workspace, from its first event.
//!
//! In order: the database's own pages and tables; the chain and its head; every event against the state before it; the
//! content of every version, in the blobs of the runs. All findings are returned; after a broken chain only the content is
//! checked besides.

use super::WorkspaceStore;
use super::entry::{WorkspaceEntry, entries};
use super::fault::{DATABASE, reworded};
use super::schema;
use crate::chain::{HeadRow, all_rows, damage, rewritten};
use crate::error::RegistryError;
use crate::rows::{Row, event_place};
use crate::runs::RunStore;
use crate::verify::Verification;
use deed_canon::{ContentHash, Link};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::WorkspaceEvent;
use deed_workspace::{WorkspaceState, allowed};
use rusqlite::Connection;
use std::collections::BTreeMap;

impl WorkspaceStore {
    /// Verifies a snapshot of the log. `contents` is the store of the blobs, none where nothing was stored yet;
    /// `expected_head` is a head that was recorded elsewhere, now or earlier.
    ///
    /// # Errors
    /// The database cannot be read. Damage is returned as findings.
    pub fn verify(
        &self,
        contents: Option<&RunStore>,
        expected_head: Option<ContentHash>,
    ) -> Result<Verification, RegistryError> {
        self.read(|conn| {
            let mut findings = database(conn)?;
            let (rows, head) = (all_rows(conn)?, HeadRow::read(conn)?);
            let broken = damage(&rows, head).map(reworded);
            let is_sound = broken.is_none();
            findings.extend(broken);
            let links: Vec<Link> = rows.iter().filter_map(Row::link).filter(Link::is_intact).collect();
            if let Some(expected) = expected_head.filter(|expected| links.iter().all(|link| link.hash != *expected)) {
                findings.push(reworded(rewritten(&expected)));
            }
            match entries(&rows) {
                Ok(entries) => {
                    if is_sound {
                        findings.extend(replayed(&entries));
                    }
                    findings.extend(stored(&entries, contents));
                }
                Err(unreadable) if is_sound => findings.extend(unreadable),
                // The broken chain was reported.
                Err(_) => {}
            }
            let head = if is_sound { head.head() } else { None };
            Ok(Verification { findings, head, events: rows.len() as u64 })
        })
    }
}

/// Checks every event against the state before it. Reports the first that is not allowed; what follows it is built on it.
fn replayed(entries: &[WorkspaceEntry]) -> Option<Diagnostic> {
    let mut state = WorkspaceState::default();
    for entry in entries {
        if let Err(why) = allowed(&state, &entry.event) {
            return Some(illegal(entry, &why));
        }
        state.apply(&entry.link.head(), &entry.event);
    }
    None
}

/// Reports every content that is lost or altered, once.
fn stored(entries: &[WorkspaceEntry], contents: Option<&RunStore>) -> Vec<Diagnostic> {
    let mut named: BTreeMap<ContentHash, (u64, &str)> = BTreeMap::new();
    for entry in entries {
        if let WorkspaceEvent::FileWritten { path, content, .. } = &entry.event.event {
            named.entry(content.sha256).or_insert((entry.link.seq, path));
        }
    }
    let checked = |sha256: &ContentHash| match contents {
        Some(contents) => contents.check_blob(sha256).map(drop).map_err(|error| error.message),
        None => Err(format!("the home has no stored content, and `{sha256}` is needed")),
    };
    let lost = named.iter().filter_map(|(sha256, named)| checked(sha256).err().map(|why| (why, named)));
    lost.map(|(why, (seq, path))| {
        Diagnostic::error(codes::STORED_FILE_MISSING, format!("the content of `{path}` cannot be used: {why}"))
            .stage("workspace")
            .at(event_place(*seq))
            .help("restore the folder `runs` of the home from a backup, or upload the same file again")
    })
    .collect()
}

/// Checks SQLite's own pages, and the tables.
fn database(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut findings = schema::differences(conn)?;
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    findings.extend(lines.iter().filter(|line| *line != "ok").map(|line| {
        Diagnostic::error(codes::DATABASE_DAMAGED, format!("the database of the workspace is damaged: {line}"))
            .stage("workspace")
            .at(Place::file(DATABASE))
            .help("restore the folder from a backup")
    }));
    Ok(findings)
}

fn illegal(entry: &WorkspaceEntry, why: &str) -> Diagnostic {
    let (seq, name) = (entry.link.seq, entry.event.event.name());
    let message = format!("event {seq} (`{name}`) of the log of the workspace could not have been appended: {why}");
    Diagnostic::error(codes::WORKSPACE_LOG_ILLEGAL, message)
        .stage("workspace")
        .at(event_place(seq))
        .help("restore the folder from a backup: another program wrote to the log")
}
