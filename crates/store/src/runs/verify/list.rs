//! Verification of the chain that lists the runs.

use super::{Halt, broken, chain};
use crate::chain::link_hash;
use crate::runs::apply::ListEntry;
use crate::runs::links::{WORKSPACE, counted, optional, place};
use crate::runs::listed;
use crate::runs::records::Stage;
use deed_canon::{ChainHead, ContentHash, Invariant as _};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

/// The entry of a run in the list.
#[derive(Debug)]
pub(super) struct Entry {
    /// The link that names it.
    pub(super) link: u64,
    /// The hash of its first event.
    pub(super) first: ContentHash,
    /// The seal, if it was sealed.
    pub(super) sealed: Option<Seal>,
}

/// The end of a sealed run, as the list names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seal {
    /// The end of its chain.
    pub(super) head: ChainHead,
    /// The link that names it.
    link: u64,
}

/// The runs that are listed.
#[derive(Debug, Default)]
pub(super) struct Runs {
    order: Vec<String>,
    entries: HashMap<String, Entry>,
}

/// Walks the list and collects the runs.
pub(super) fn walk(conn: &Connection) -> Result<Runs, Halt> {
    let mut runs = Runs::default();
    chain::walk(conn, WORKSPACE, |head, body| runs.take(head.seq, body), || Stage::Open)?;
    Ok(runs)
}

/// Reads the entry of one run through the index: the links that name it, each verified against its own hash.
pub(super) fn entry(conn: &Connection, run_id: &str) -> Result<Entry, Halt> {
    let Some((link, sealed)) = listed::links_of(conn, run_id)? else {
        return Err(broken(run_id, 0, "the list of runs does not name this run: it was inserted"));
    };
    let ListEntry::Created { run_id: named, first } = read(conn, link)? else {
        return Err(Halt::Trouble(listed::disagrees()));
    };
    let seal = |link| match read(conn, link)? {
        ListEntry::Sealed { run_id: sealed, head } if sealed == run_id => Ok(Seal { head, link }),
        ListEntry::Sealed { .. } | ListEntry::Created { .. } => Err(Halt::Trouble(listed::disagrees())),
    };
    let sealed = sealed.map(seal).transpose()?;
    if named != run_id {
        return Err(Halt::Trouble(listed::disagrees()));
    }
    Ok(Entry { link, first, sealed })
}

/// Reads a link of the list that has the hash of its own text.
fn read(conn: &Connection, seq: u64) -> Result<ListEntry, Halt> {
    let sql = "SELECT prev, hash, body FROM events WHERE run_id = ?1 AND seq = ?2";
    let mut statement = conn.prepare_cached(sql)?;
    let row = statement.query_row(params![WORKSPACE, place(seq)], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)));
    let Some((prev, hash, body)): Option<(Option<String>, String, String)> = row.optional()? else {
        return Err(broken(WORKSPACE, seq, format!("event {seq} was deleted")));
    };
    let expected = link_hash(&mut Vec::new(), seq, prev.as_deref(), &body).to_string();
    let listed = serde_json::from_str(&body).ok().filter(|_| expected == hash);
    listed.ok_or_else(|| broken(WORKSPACE, seq, format!("event {seq} was edited")))
}

impl Runs {
    /// The runs, the oldest first.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&str, &Entry)> {
        let entry = |run: &String| self.entries.get(run).invariant("a run has an entry and a place");
        self.order.iter().map(move |run| (run.as_str(), entry(run)))
    }

    fn take(&mut self, seq: u64, body: &str) -> Result<(), Halt> {
        let at = |what: String| broken(WORKSPACE, seq, what);
        match serde_json::from_str(body) {
            Ok(ListEntry::Created { run_id, first }) => {
                if self.entries.insert(run_id.clone(), Entry { link: seq, first, sealed: None }).is_some() {
                    return Err(at(format!("the list of runs names run `{run_id}` twice")));
                }
                self.order.push(run_id);
                Ok(())
            }
            Ok(ListEntry::Sealed { run_id, head }) => match self.entries.get_mut(&run_id) {
                Some(entry) if entry.sealed.is_none() => {
                    entry.sealed = Some(Seal { head, link: seq });
                    Ok(())
                }
                Some(_) => Err(at(format!("the list of runs names run `{run_id}` as sealed twice"))),
                None => Err(at(format!("the list of runs names run `{run_id}` as sealed before it was created"))),
            },
            Err(_) => Err(at(format!("link {seq} of the list of runs has an unknown form"))),
        }
    }

    /// Compares the index with the list, row by row.
    pub(super) fn compare_index(&self, conn: &Connection) -> Result<(), Halt> {
        let mut statement = conn.prepare("SELECT place, run_id, link, sealed FROM listed ORDER BY place")?;
        let rows = statement.query_map([], |r| Ok((counted(r, 0)?, r.get(1)?, counted(r, 2)?, optional(r, 3)?)))?;
        let found: Vec<(u64, String, u64, Option<u64>)> = rows.collect::<Result<_, _>>()?;
        let expected = self
            .in_order()
            .zip(0_u64..)
            .map(|((run_id, entry), place)| (place, run_id.to_owned(), entry.link, entry.sealed.map(|seal| seal.link)));
        if expected.eq(found) {
            return Ok(());
        }
        Err(Halt::Trouble(listed::disagrees()))
    }

    /// Refuses events and recorded ends of runs that the list does not name.
    pub(super) fn refuse_unlisted(&self, conn: &Connection) -> Result<(), Halt> {
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

/// The name of a run, with a replacement character if it is not UTF-8: no listed run has such a name.
fn name(value: ValueRef<'_>) -> rusqlite::Result<Option<String>> {
    match value {
        ValueRef::Text(bytes) => Ok(Some(String::from_utf8_lossy(bytes).into_owned())),
        _ => Ok(value.as_str_or_null()?.map(str::to_owned)),
    }
}
