//! Verification of one chain, from its first link to its recorded end.

use super::{Halt, broken, damage};
use crate::chain::Walk;
use crate::runs::links::{self, WORKSPACE};
use crate::runs::records::Stage;
use deed_canon::{Break, BreakKind, ChainHead, canonical_string, parse};
use rusqlite::{Connection, OptionalExtension};

/// The recorded end of a chain.
type Note = Option<(i64, String, String)>;

/// Walks a chain, passes each verified link to `show`, and returns its end. `stage` is the stage of the run according to
/// the links.
pub(super) fn walk(
    conn: &Connection,
    run_id: &str,
    mut show: impl FnMut(ChainHead, &str) -> Result<(), Halt>,
    stage: impl FnOnce() -> Stage,
) -> Result<Option<ChainHead>, Halt> {
    let mut statement =
        conn.prepare_cached("SELECT seq, prev, hash, body FROM events WHERE run_id = ?1 ORDER BY seq")?;
    let mut rows = statement.query([run_id])?;
    let (mut walk, mut before) = (Walk::default(), None);
    while let Some(row) = rows.next()? {
        let (seq, prev) = (row.get_ref(0)?.as_i64(), row.get_ref(1)?.as_str_or_null());
        let (hash, body) = (row.get_ref(2)?.as_str(), row.get_ref(3)?.as_str());
        // The tables are strict, so that only text that is not UTF-8 has the wrong type.
        let (Ok(seq), Ok(prev), Ok(hash), Ok(body)) = (seq, prev, hash, body) else {
            let seq = walk.end().map_or(0, |end| end.seq + 1);
            return Err(broken(run_id, seq, Break { seq, kind: BreakKind::Edited }.to_string()));
        };
        let last = walk.end();
        let Some(head) = walk.step(seq, prev, hash, body) else {
            return Err(damage::name(conn, run_id, last, before.as_deref())?);
        };
        before = prev.map(str::to_owned);
        canonical(run_id, head.seq, body)?;
        show(head, body)?;
    }
    ends(conn, run_id, walk.end(), stage())?;
    Ok(walk.end())
}

/// Checks that a body is in canonical form. The hash covers the text, and a value has one canonical text.
fn canonical(run_id: &str, seq: u64, body: &str) -> Result<(), Halt> {
    let form = parse(body.as_bytes()).ok().and_then(|value| canonical_string(&value).ok());
    match form {
        Some(form) if form == body => Ok(()),
        Some(_) | None => Err(broken(run_id, seq, format!("event {seq} was edited: it is not in canonical form"))),
    }
}

/// Compares the end of a chain with the recorded one.
fn ends(conn: &Connection, run_id: &str, end: Option<ChainHead>, stage: Stage) -> Result<(), Halt> {
    let sql = "SELECT seq, hash, stage FROM heads WHERE run_id = ?1";
    let note: Note =
        conn.prepare_cached(sql)?.query_row([run_id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?))).optional()?;
    let last = end.map_or(0, |end| end.seq);
    let (end, (seq, hash, noted)) = match (end, note) {
        (None, None) => return Ok(()),
        (Some(_), None) => return Err(broken(run_id, last, "its recorded end is missing")),
        (None, Some(_)) => return Err(cut(run_id, 0)),
        (Some(end), Some(note)) => (end, note),
    };
    let place = links::place(end.seq);
    if seq > place {
        return Err(cut(run_id, end.seq + 1));
    }
    if seq < place {
        let seq = u64::try_from(seq).map_or(0, |seq| seq + 1);
        return Err(broken(run_id, seq, Break { seq, kind: BreakKind::Inserted }.to_string()));
    }
    if hash != end.hash.to_string() {
        return Err(broken(run_id, end.seq, Break { seq: end.seq, kind: BreakKind::Edited }.to_string()));
    }
    if noted != stage.as_str() && run_id != WORKSPACE {
        let what = format!("the run is {}, and is recorded as `{noted}`", stage.as_str());
        return Err(broken(run_id, end.seq, what));
    }
    Ok(())
}

/// The break of a truncated chain.
pub(super) fn cut(run_id: &str, seq: u64) -> Halt {
    broken(run_id, seq, Break { seq, kind: BreakKind::Truncated }.to_string())
}
