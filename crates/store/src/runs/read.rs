//! Reading the journal. Every earlier append of this store is seen, also those that were only ordered.

use super::RunStore;
use super::fault;
use super::links::{self, WORKSPACE};
use super::listed;
use super::records::{self, Stage};
use super::verify;
use crate::chain::Walk;
use deed_canon::ChainHead;
use deed_model::{ForkedFrom, RunEvent, RunRecord};
use deed_ports::{AnchorStatus, BrokenLink, JournalEntry, JournalExtent, JournalRead, RunListing, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

impl JournalRead for RunStore {
    fn runs(&self) -> Result<Vec<RunListing>, StoreError> {
        self.settled(None)?;
        self.readers.read(list)
    }

    fn newest(&self, most: usize) -> Result<Vec<RunListing>, StoreError> {
        self.settled(None)?;
        self.readers.read(|conn| listed::newest(conn, most))
    }

    fn forks(&self) -> Result<Vec<(String, ForkedFrom)>, StoreError> {
        self.settled(None)?;
        self.readers.read(forks)
    }

    fn events(&self, run_id: &str, from: u64) -> Result<Vec<JournalEntry>, StoreError> {
        self.settled(Some(run_id))?;
        // No run can have such a name, so it has no events.
        if records::check_name(run_id).is_err() {
            return Ok(Vec::new());
        }
        self.readers.read(|conn| events(conn, run_id, from))
    }

    fn anchored(&self, run_id: &str) -> Result<AnchorStatus, StoreError> {
        self.settled(Some(run_id))?;
        self.compare_anchor(run_id)
    }

    fn verify(&self) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
        self.settled(None)?;
        self.readers.read(verify::verify)
    }
}

impl RunStore {
    /// The number of runs.
    ///
    /// # Errors
    /// An earlier append was refused, or the journal cannot be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.settled(None)?;
        self.readers.read(listed::count)
    }

    /// Runs that are not sealed, the oldest first. Sealed runs are not read.
    ///
    /// # Errors
    /// An earlier append was refused, or the journal is damaged or cannot be read.
    pub fn unsealed(&self) -> Result<Vec<RunListing>, StoreError> {
        self.settled(None)?;
        self.readers.read(listed::unsealed)
    }

    /// The first `most` runs whose names begin with `name`, in order of their names.
    ///
    /// # Errors
    /// An earlier append was refused, or the journal is damaged or cannot be read.
    pub fn beginning(&self, name: &str, most: usize) -> Result<Vec<RunListing>, StoreError> {
        self.settled(None)?;
        if records::check_name(name).is_err() {
            return Ok(Vec::new());
        }
        self.readers.read(|conn| listed::beginning(conn, name, most))
    }

    /// Verifies the whole chain of one run and the links of the list that name it. Returns the number of its events, or
    /// the first broken link. Other runs are not read; [`JournalRead::verify`] verifies everything.
    ///
    /// # Errors
    /// An earlier append was refused, or the journal is damaged in another way or cannot be read.
    pub fn verify_run(&self, run_id: &str) -> Result<Result<u64, BrokenLink>, StoreError> {
        self.settled(Some(run_id))?;
        self.readers.read(|conn| verify::verify_run(conn, run_id))
    }

    /// Waits for earlier appends, and returns the refusal of one of them.
    fn settled(&self, run_id: Option<&str>) -> Result<(), StoreError> {
        self.queue.settle()?;
        self.queue.unreported(run_id)
    }
}

/// Returns the runs in the order in which the list names them.
fn list(conn: &Connection) -> Result<Vec<RunListing>, StoreError> {
    let sql = "SELECT json_extract(c.body, '$.run_id'), h.seq, h.hash, h.stage
        FROM events AS c LEFT JOIN heads AS h ON h.run_id = json_extract(c.body, '$.run_id')
        WHERE c.run_id = ?1 AND json_extract(c.body, '$.kind') = 'created' ORDER BY c.seq";
    let read = || {
        let mut statement = conn.prepare_cached(sql)?;
        let rows = statement.query_map([WORKSPACE], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))?;
        rows.collect::<Result<Vec<(String, Option<i64>, Option<String>, Option<String>)>, _>>()
    };
    let rows = read().map_err(|e| unlisted(conn, &e))?;
    let listing = |(run_id, seq, hash, stage): (String, Option<i64>, Option<String>, Option<String>)| {
        let seq = seq.and_then(|seq| u64::try_from(seq).ok());
        let stage = stage.as_deref().and_then(Stage::read);
        let (Some(seq), Some(Ok(hash)), Some(stage)) = (seq, hash.map(|hash| hash.parse()), stage) else {
            return Err(links::disagrees(&run_id));
        };
        let ended = matches!(stage, Stage::Ended | Stage::Sealed);
        Ok(RunListing { run_id, head: ChainHead { seq, hash }, ended })
    };
    rows.into_iter().map(listing).collect()
}

/// Returns the forked runs, in the order in which the list names them.
fn forks(conn: &Connection) -> Result<Vec<(String, ForkedFrom)>, StoreError> {
    let sql = "SELECT l.run_id, e.body FROM listed AS l JOIN events AS e ON e.run_id = l.run_id AND e.seq = 0
        WHERE instr(e.body, '\"forked\"') > 0 ORDER BY l.place";
    let read = || {
        let mut statement = conn.prepare_cached(sql)?;
        let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        rows.collect::<Result<Vec<(String, String)>, _>>()
    };
    let mut forks = Vec::new();
    for (run_id, body) in read().map_err(|e: rusqlite::Error| fault::sql(&e))? {
        let record: RunRecord = serde_json::from_str(&body).map_err(|_| links::disagrees(&run_id))?;
        // The word may also be in a text that a person wrote.
        if let RunEvent::Submitted { run } = record.event
            && let Some(fork) = run.forked
        {
            forks.push((run_id, fork));
        }
    }
    Ok(forks)
}

/// The reason the runs cannot be listed: a link that is not JSON, if there is one.
fn unlisted(conn: &Connection, error: &rusqlite::Error) -> StoreError {
    let sql = "SELECT min(seq) FROM events WHERE run_id = ?1 AND NOT json_valid(body)";
    match conn.query_row(sql, [WORKSPACE], |r| r.get::<_, Option<i64>>(0)) {
        Ok(Some(seq)) => fault::damaged(&format!("the list of runs was altered at link {seq}")),
        Ok(None) | Err(_) => fault::sql(error),
    }
}

/// Returns the events from a place on, each verified against its hash and the one before, up to the recorded end.
fn events(conn: &Connection, run_id: &str, from: u64) -> Result<Vec<JournalEntry>, StoreError> {
    let end = links::end(conn, run_id).map_err(|e| fault::sql(&e))??;
    let Some(end) = end.filter(|end| end.head.seq >= from) else { return Ok(Vec::new()) };
    let before = from.checked_sub(1).map(|seq| head_at(conn, run_id, seq)).transpose()?;
    let mut walk = Walk::after(before);
    let mut entries = Vec::with_capacity(usize::try_from(end.head.seq - from).unwrap_or(0).min(1 << 16) + 1);
    let sql = "SELECT seq, prev, hash, body FROM events WHERE run_id = ?1 AND seq >= ?2 ORDER BY seq";
    let mut read = || {
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![run_id, links::place(from)])?;
        while let Some(row) = rows.next()? {
            let (seq, prev) = (row.get_ref(0)?.as_i64(), row.get_ref(1)?.as_str_or_null());
            let (hash, body) = (row.get_ref(2)?.as_str(), row.get_ref(3)?.as_str());
            let (Ok(seq), Ok(prev), Ok(hash), Ok(body)) = (seq, prev, hash, body) else {
                return Ok(Err(altered(run_id, &walk)));
            };
            let link = walk.step(seq, prev, hash, body);
            let Some(ChainHead { seq, hash }) = link else { return Ok(Err(altered(run_id, &walk))) };
            match records::read(run_id, seq, body) {
                Ok(record) => entries.push(JournalEntry { seq, hash, record }),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    };
    read().map_err(|e: rusqlite::Error| fault::sql(&e))??;
    Ok(entries)
}

/// The head at a place whose event is not read.
fn head_at(conn: &Connection, run_id: &str, seq: u64) -> Result<ChainHead, StoreError> {
    let sql = "SELECT hash FROM events WHERE run_id = ?1 AND seq = ?2";
    let read = || conn.prepare_cached(sql)?.query_row(params![run_id, links::place(seq)], |r| r.get(0)).optional();
    let hash: Option<String> = read().map_err(|e| fault::sql(&e))?;
    match hash.map(|hash| hash.parse()) {
        Some(Ok(hash)) => Ok(ChainHead { seq, hash }),
        Some(Err(_)) | None => Err(altered_at(run_id, seq)),
    }
}

fn altered(run_id: &str, walk: &Walk) -> StoreError {
    altered_at(run_id, walk.end().map_or(0, |end| end.seq + 1))
}

fn altered_at(run_id: &str, seq: u64) -> StoreError {
    fault::damaged(&format!("the journal of run `{run_id}` was altered at event {seq}"))
}
