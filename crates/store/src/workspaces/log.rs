//! The log inside one transaction: its fold, and appends.

use super::WorkspaceStore;
use super::entry::{WorkspaceEntry, entries};
use super::fault::reworded;
use super::schema;
use crate::chain::{HeadRow, all_rows, damage, head_disagrees, holds};
use crate::error::RegistryError;
use crate::rows::unwritable;
use crate::steps::Steps;
use deed_canon::{ChainHead, append, canonical_string};
use deed_model::WorkspaceLogEvent;
use deed_workspace::WorkspaceState;
use rusqlite::{Connection, params};
use std::rc::Rc;

/// The fold of the log at a version of the database. SQLite counts the commits of other connections; commits of this one
/// are folded as they are made.
#[derive(Debug, Clone)]
pub(super) struct Folded {
    version: i64,
    pub(super) head: Option<ChainHead>,
    pub(super) state: Rc<WorkspaceState>,
}

impl WorkspaceStore {
    /// Returns the fold of the log. The chain is verified, from its first event to its head, unless no other connection has
    /// written since the last time.
    pub(super) fn fold(&self, conn: &Connection) -> Result<Folded, RegistryError> {
        let mut version = conn.prepare_cached("PRAGMA data_version")?;
        let version: i64 = version.query_row([], |r| r.get(0))?;
        if let Some(folded) = self.folded.borrow().as_ref().filter(|folded| folded.version == version) {
            return Ok(folded.clone());
        }
        schema::check(conn)?;
        let head = HeadRow::read(conn)?;
        let rows = all_rows(conn)?;
        if !holds(conn, head)? {
            let found = damage(&rows, head);
            let found =
                found.unwrap_or_else(|| head_disagrees("the chain of the log of the workspace is broken".to_owned()));
            return Err(RegistryError::Refused(vec![reworded(found).help(RUN_VERIFY)]));
        }
        let state = state_of(&entries(&rows)?);
        let folded = Folded { version, head: head.head(), state: Rc::new(state) };
        *self.folded.borrow_mut() = Some(folded.clone());
        Ok(folded)
    }

    /// Keeps the fold of a write that was committed.
    pub(super) fn keep(&self, before: &Folded, appended: &[WorkspaceEntry]) {
        let mut state = (*before.state).clone();
        appended.iter().for_each(|entry| state.apply(&entry.link.head(), &entry.event));
        let head = appended.last().map_or(before.head, |entry| Some(entry.link.head()));
        *self.folded.borrow_mut() = Some(Folded { version: before.version, head, state: Rc::new(state) });
    }
}

const RUN_VERIFY: &str = "run `deed workspace verify` to see all damage to the log, then restore a backup";

/// Folds entries.
pub(super) fn state_of(entries: &[WorkspaceEntry]) -> WorkspaceState {
    let mut state = WorkspaceState::default();
    entries.iter().for_each(|entry| state.apply(&entry.link.head(), &entry.event));
    state
}

/// Appends events and records the new end. The caller commits.
pub(super) fn append_all(
    conn: &Connection,
    head: Option<ChainHead>,
    events: Vec<WorkspaceLogEvent>,
    steps: &Steps,
) -> Result<Vec<WorkspaceEntry>, RegistryError> {
    let refused = |e: String| RegistryError::Refused(vec![reworded(unwritable(&e))]);
    let mut end = head;
    let mut appended = Vec::with_capacity(events.len());
    for event in events {
        let body = serde_json::to_value(&event).map_err(|e| refused(e.to_string()))?;
        let text = canonical_string(&body).map_err(|e| refused(e.to_string()))?;
        let link = append(end.as_ref(), body).map_err(|e| refused(e.to_string()))?;
        let seq = i64::try_from(link.seq).map_err(|e| refused(e.to_string()))?;
        steps.before("insert event")?;
        let insert = "INSERT INTO events(seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4)";
        let (prev, hash) = (link.prev.map(|p| p.to_string()), link.hash.to_string());
        conn.prepare_cached(insert)?.execute(params![seq, prev, hash, text])?;
        end = Some(link.head());
        appended.push(WorkspaceEntry { link, event });
    }
    if let Some(end) = end {
        steps.before("update head")?;
        let seq = i64::try_from(end.seq).map_err(|e| refused(e.to_string()))?;
        let update = "INSERT OR REPLACE INTO head(id, seq, hash) VALUES (1, ?1, ?2)";
        conn.prepare_cached(update)?.execute(params![seq, end.hash.to_string()])?;
    }
    Ok(appended)
}
