//! Links of a chain inside a transaction: reading its end, and appending the next link.

use super::fault;
use super::records::Stage;
use crate::chain::link_hash;
use deed_canon::{ChainHead, ContentHash};
use deed_ports::StoreError;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The name of the chain that lists the runs. No run can have it.
pub(super) const WORKSPACE: &str = "";

/// The end of a chain and the stage of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) head: ChainHead,
    pub(super) stage: Stage,
}

/// The recorded end of a chain, and its last link.
const END: &str = "SELECT h.seq, h.hash, h.stage, e.seq, e.hash FROM (SELECT ?1 AS run_id) AS r
    LEFT JOIN heads AS h ON h.run_id = r.run_id
    LEFT JOIN events AS e ON e.run_id = r.run_id AND e.seq = (SELECT max(seq) FROM events WHERE run_id = ?1)";

type EndRow = (Option<i64>, Option<String>, Option<String>, Option<i64>, Option<String>);

/// The end of a chain; `None` if the chain does not exist. A recorded end that is not the last link is refused.
pub(super) fn end(conn: &Connection, run_id: &str) -> rusqlite::Result<Result<Option<End>, StoreError>> {
    let mut statement = conn.prepare_cached(END)?;
    let row: Option<EndRow> =
        statement.query_row([run_id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))).optional()?;
    let Some((noted, noted_hash, stage, last, last_hash)) = row else { return Ok(Ok(None)) };
    if noted != last || noted_hash != last_hash {
        return Ok(Err(disagrees(run_id)));
    }
    let (Some(seq), Some(hash), Some(stage)) = (noted, noted_hash, stage) else { return Ok(Ok(None)) };
    let found = match (u64::try_from(seq), hash.parse(), Stage::read(&stage)) {
        (Ok(seq), Ok(hash), Some(stage)) => Ok(Some(End { head: ChainHead { seq, hash }, stage })),
        _ => Err(disagrees(run_id)),
    };
    Ok(found)
}

/// A link that is ready to be appended.
pub(super) struct Next {
    pub(super) prev: Option<ContentHash>,
    pub(super) head: ChainHead,
}

/// The place and hash of the link that follows, by the rules of `deed_canon::append`.
pub(super) fn next(scratch: &mut Vec<u8>, end: Option<ChainHead>, body: &str) -> Next {
    let seq = end.map_or(0, |end| end.seq + 1);
    let prev = end.map(|end| end.hash);
    let text = prev.map(|prev| prev.to_string());
    let hash = link_hash(scratch, seq, text.as_deref(), body);
    Next { prev, head: ChainHead { seq, hash } }
}

/// Appends a link to its chain.
pub(super) fn insert(conn: &Connection, run_id: &str, next: &Next, body: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO events(run_id, seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4, ?5)";
    let (prev, hash) = (next.prev.map(|prev| prev.to_string()), next.head.hash.to_string());
    conn.prepare_cached(sql)?.execute(params![run_id, place(next.head.seq), prev, hash, body]).map(drop)
}

/// Records the end of a chain.
pub(super) fn note(conn: &Connection, run_id: &str, end: &End) -> rusqlite::Result<()> {
    let sql = "INSERT INTO heads(run_id, seq, hash, stage) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, stage = excluded.stage";
    let (seq, hash) = (place(end.head.seq), end.head.hash.to_string());
    conn.prepare_cached(sql)?.execute(params![run_id, seq, hash, end.stage.as_str()]).map(drop)
}

/// A place as an SQLite integer. One that does not fit comes from an anchor or a caller; no chain is that long,
/// so a query for the highest number finds nothing.
pub(super) fn place(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// Reads a place.
pub(super) fn counted(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    optional(row, column)?.ok_or(rusqlite::Error::IntegralValueOutOfRange(column, -1))
}

/// Reads a place that may be absent.
pub(super) fn optional(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    let found: Option<i64> = row.get(column)?;
    let place = |found| u64::try_from(found).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, found));
    found.map(place).transpose()
}

/// The error for a recorded end that is not the end of the chain.
pub(super) fn disagrees(run_id: &str) -> StoreError {
    let chain =
        if run_id == WORKSPACE { "the list of runs".to_owned() } else { format!("the journal of run `{run_id}`") };
    fault::damaged(&format!("{chain} does not end at its recorded end: events were truncated, added or changed"))
}
