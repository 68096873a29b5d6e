//! The chain that lists the runs.

use super::{Halt, broken, chain};
use crate::runs::apply::Listed;
use crate::runs::links::WORKSPACE;
use crate::runs::records::Stage;
use deed_canon::{ChainHead, ContentHash};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::HashMap;

/// What the list says of a run.
#[derive(Debug)]
pub(super) struct Entry {
    /// The link that names it.
    pub(super) link: u64,
    /// The hash of its first event.
    pub(super) first: ContentHash,
    /// Where it was sealed, if it was.
    pub(super) sealed: Option<ChainHead>,
}

/// The runs that are listed.
#[derive(Debug, Default)]
pub(super) struct Runs {
    order: Vec<String>,
    entries: HashMap<String, Entry>,
}

/// Walks the list.
pub(super) fn walk(conn: &Connection) -> Result<Runs, Halt> {
    let mut runs = Runs::default();
    chain::walk(conn, WORKSPACE, |head, body| runs.take(head.seq, body), || Stage::Open)?;
    Ok(runs)
}

impl Runs {
    /// The runs, the oldest first.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.order.iter().filter_map(|run| Some((run.as_str(), self.entries.get(run)?)))
    }

    fn take(&mut self, seq: u64, body: &str) -> Result<(), Halt> {
        let at = |what: String| broken(WORKSPACE, seq, what);
        match serde_json::from_str(body) {
            Ok(Listed::Created { run_id, first }) => {
                if self.entries.insert(run_id.clone(), Entry { link: seq, first, sealed: None }).is_some() {
                    return Err(at(format!("the list of runs names run `{run_id}` twice")));
                }
                self.order.push(run_id);
                Ok(())
            }
            Ok(Listed::Sealed { run_id, head }) => match self.entries.get_mut(&run_id) {
                Some(entry) if entry.sealed.is_none() => {
                    entry.sealed = Some(head);
                    Ok(())
                }
                Some(_) => Err(at(format!("the list of runs names run `{run_id}` as sealed twice"))),
                None => Err(at(format!("the list of runs names run `{run_id}` as sealed before it was created"))),
            },
            Err(_) => Err(at(format!("link {seq} of the list of runs says nothing that is known"))),
        }
    }

    /// Refuses events and notes of runs that the list does not name.
    pub(super) fn strangers(&self, conn: &Connection) -> Result<(), Halt> {
        for table in ["events", "heads"] {
            let mut statement = conn.prepare(&format!("SELECT min(run_id) FROM {table} WHERE run_id > ?1"))?;
            let mut last = WORKSPACE.to_owned();
            while let Some(run_id) = statement.query_row([&last], |r| name(r.get_ref(0)?))? {
                if !self.entries.contains_key(&run_id) {
                    return Err(broken(&run_id, 0, "the list of runs does not name this run: it was inserted"));
                }
                last = run_id;
            }
        }
        Ok(())
    }
}

/// A name, with a mark where it is not UTF-8: so no run that is listed is called.
fn name(value: ValueRef<'_>) -> rusqlite::Result<Option<String>> {
    match value {
        ValueRef::Text(bytes) => Ok(Some(String::from_utf8_lossy(bytes).into_owned())),
        _ => Ok(value.as_str_or_null()?.map(str::to_owned)),
    }
}
