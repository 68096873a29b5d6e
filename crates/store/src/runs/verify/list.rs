//! The chain that lists the runs.

use super::{Halt, broken, chain};
use crate::chain::link_hash;
use crate::runs::apply::Listed;
use crate::runs::links::{WORKSPACE, counted, optional, place};
use crate::runs::listed;
use crate::runs::records::Stage;
use deed_canon::{ChainHead, ContentHash};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
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
    /// The link that says so.
    sealed_link: u64,
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

/// What the list says of one run, by the index: the links that name it, each held to its own hash.
pub(super) fn entry(conn: &Connection, run_id: &str) -> Result<Entry, Halt> {
    let Some((link, sealed)) = listed::links_of(conn, run_id)? else {
        return Err(broken(run_id, 0, "the list of runs does not name this run: it was inserted"));
    };
    let Listed::Created { run_id: named, first } = read(conn, link)? else {
        return Err(Halt::Trouble(listed::disagrees()));
    };
    let sealed_at = sealed.map(|link| read(conn, link)).transpose()?;
    let head = match sealed_at {
        None => None,
        Some(Listed::Sealed { run_id: sealed, head }) if sealed == run_id => Some(head),
        Some(_) => return Err(Halt::Trouble(listed::disagrees())),
    };
    if named != run_id {
        return Err(Halt::Trouble(listed::disagrees()));
    }
    Ok(Entry { link, first, sealed: head, sealed_link: sealed.unwrap_or(0) })
}

/// A link of the list that carries the hash of its own text.
fn read(conn: &Connection, seq: u64) -> Result<Listed, Halt> {
    let sql = "SELECT prev, hash, body FROM events WHERE run_id = ?1 AND seq = ?2";
    let mut statement = conn.prepare_cached(sql)?;
    let row = statement.query_row(params![WORKSPACE, place(seq)], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)));
    let Some((prev, hash, body)): Option<(Option<String>, String, String)> = row.optional()? else {
        return Err(broken(WORKSPACE, seq, format!("event {seq} was deleted")));
    };
    let expected = link_hash(&mut Vec::new(), seq, prev.as_deref(), &body).map(|hash| hash.to_string());
    let listed = serde_json::from_str(&body).ok().filter(|_| expected == Some(hash));
    listed.ok_or_else(|| broken(WORKSPACE, seq, format!("event {seq} was edited")))
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
                if self
                    .entries
                    .insert(run_id.clone(), Entry { link: seq, first, sealed: None, sealed_link: 0 })
                    .is_some()
                {
                    return Err(at(format!("the list of runs names run `{run_id}` twice")));
                }
                self.order.push(run_id);
                Ok(())
            }
            Ok(Listed::Sealed { run_id, head }) => match self.entries.get_mut(&run_id) {
                Some(entry) if entry.sealed.is_none() => {
                    (entry.sealed, entry.sealed_link) = (Some(head), seq);
                    Ok(())
                }
                Some(_) => Err(at(format!("the list of runs names run `{run_id}` as sealed twice"))),
                None => Err(at(format!("the list of runs names run `{run_id}` as sealed before it was created"))),
            },
            Err(_) => Err(at(format!("link {seq} of the list of runs says nothing that is known"))),
        }
    }

    /// Compares the index with the list, row by row.
    pub(super) fn indexed(&self, conn: &Connection) -> Result<(), Halt> {
        let mut statement = conn.prepare("SELECT place, run_id, link, sealed FROM listed ORDER BY place")?;
        let rows = statement.query_map([], |r| Ok((counted(r, 0)?, r.get(1)?, counted(r, 2)?, optional(r, 3)?)))?;
        let found: Vec<(u64, String, u64, Option<u64>)> = rows.collect::<Result<_, _>>()?;
        let expected = self.in_order().zip(0_u64..).map(|((run_id, entry), place)| {
            (place, run_id.to_owned(), entry.link, entry.sealed.map(|_| entry.sealed_link))
        });
        if expected.eq(found) {
            return Ok(());
        }
        Err(Halt::Trouble(listed::disagrees()))
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
