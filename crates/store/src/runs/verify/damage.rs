//! The diagnosis of a chain at its first broken link.

use super::{Halt, broken};
use crate::chain::link_hash;
use crate::runs::links::place;
use deed_canon::{Break, BreakKind, ChainHead};
use deed_diag::Invariant as _;
use rusqlite::{Connection, OptionalExtension, params};

/// A row of the database.
struct Row {
    seq: i64,
    /// `None` if a column is not text.
    texts: Option<Texts>,
}

struct Texts {
    prev: Option<String>,
    hash: String,
    body: String,
}

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let (prev, hash, body) = (row.get_ref(1)?.as_str_or_null(), row.get_ref(2)?.as_str(), row.get_ref(3)?.as_str());
        let texts = match (prev, hash, body) {
            (Ok(prev), Ok(hash), Ok(body)) => {
                Some(Texts { prev: prev.map(str::to_owned), hash: hash.to_owned(), body: body.to_owned() })
            }
            _ => None,
        };
        Ok(Self { seq: row.get(0)?, texts })
    }

    /// Returns whether the row follows a link.
    fn follows(&self, link: Option<&str>) -> bool {
        self.texts.as_ref().is_some_and(|texts| texts.prev.as_deref() == link)
    }

    /// Returns whether the row is a valid link at a place.
    fn holds_at(&self, seq: u64) -> bool {
        let Some(Texts { prev, hash, body }) = &self.texts else { return false };
        link_hash(&mut Vec::new(), seq, prev.as_deref(), body).to_string() == *hash
    }
}

/// Names the damage after the last valid link. `before` is the hash that this link follows.
pub(super) fn name(
    conn: &Connection,
    run_id: &str,
    last: Option<ChainHead>,
    before: Option<&str>,
) -> Result<Halt, Halt> {
    let found = kind(conn, run_id, last, before)?;
    Ok(broken(run_id, found.seq, found.to_string()))
}

fn kind(conn: &Connection, run_id: &str, last: Option<ChainHead>, before: Option<&str>) -> Result<Break, Halt> {
    let at = last.map_or(0, |last| last.seq + 1);
    let follows = last.map(|last| last.hash.to_string());
    let is = |seq, kind| Ok(Break { seq, kind });
    let Some(row) = row_from(conn, run_id, last.map_or(i64::MIN, |last| place(last.seq) + 1))? else {
        return is(at, BreakKind::Truncated);
    };
    if row.seq < 0 {
        return is(at, BreakKind::Inserted);
    }
    if row.seq > place(at) {
        // The link that belongs here may be elsewhere.
        let sql = "SELECT 1 FROM events WHERE run_id = ?1 AND prev IS ?2";
        let elsewhere = conn.prepare_cached(sql)?.exists(params![run_id, follows])?;
        return is(at, if elsewhere { BreakKind::Reordered } else { BreakKind::Deleted });
    }
    // The row is valid one place earlier, after the link before the last: the last one was inserted.
    if last.is_some_and(|last| row.follows(before) && row.holds_at(last.seq)) {
        return is(at.saturating_sub(1), BreakKind::Inserted);
    }
    if row.holds_at(at) {
        // Both links match their own hashes: the earlier one was changed and rehashed.
        return is(at.saturating_sub(1), BreakKind::Edited);
    }
    if holds_elsewhere(conn, run_id, &row, at)? {
        return is(at, BreakKind::Reordered);
    }
    // The next row is valid here: this one was inserted.
    let next = row_from(conn, run_id, place(at) + 1)?;
    let pushed = next.is_some_and(|next| next.follows(follows.as_deref()) && next.holds_at(at));
    is(at, if pushed { BreakKind::Inserted } else { BreakKind::Edited })
}

/// The first row from a place on.
fn row_from(conn: &Connection, run_id: &str, seq: i64) -> Result<Option<Row>, Halt> {
    let sql = "SELECT seq, prev, hash, body FROM events WHERE run_id = ?1 AND seq >= ?2 ORDER BY seq LIMIT 1";
    let row = conn.prepare_cached(sql)?.query_row(params![run_id, seq], Row::read);
    Ok(row.optional()?)
}

/// Returns whether the row is a valid link at another place of the chain.
fn holds_elsewhere(conn: &Connection, run_id: &str, row: &Row, at: u64) -> Result<bool, Halt> {
    let sql = "SELECT count(*) FROM events WHERE run_id = ?1";
    let count: i64 = conn.prepare_cached(sql)?.query_row([run_id], |r| r.get(0))?;
    let places = 0..=u64::try_from(count).invariant("a count is not negative");
    Ok(places.into_iter().any(|seq| seq != at && row.holds_at(seq)))
}
