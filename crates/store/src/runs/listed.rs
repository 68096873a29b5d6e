//! The index over the list of runs: the place of each run in it, so that a run is found without reading the others.
//!
//! The list chain is the source of truth. The index is written in the transaction that appends to the list, each row read
//! is compared with the link that it names, and `verify` compares all of it with the whole list.

use super::apply::ListEntry;
use super::fault;
use super::links::{self, WORKSPACE};
use super::records::Stage;
use super::schema;
use deed_canon::ChainHead;
use deed_ports::{RunListing, StoreError};
use rusqlite::{Connection, Row, ToSql, Transaction, TransactionBehavior, params};

/// Adds a run that the list names at `link`.
pub(super) fn add(conn: &Connection, run_id: &str, link: u64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO listed(place, run_id, link)
        VALUES ((SELECT coalesce(max(place), -1) + 1 FROM listed), ?1, ?2)";
    conn.prepare_cached(sql)?.execute(params![run_id, links::place(link)]).map(drop)
}

/// Records that the list names a run as sealed at `link`. An index that lacks the run is refused.
pub(super) fn seal(conn: &Connection, run_id: &str, link: u64) -> rusqlite::Result<Result<(), StoreError>> {
    let sql = "UPDATE listed SET sealed = ?2 WHERE run_id = ?1";
    let changed = conn.prepare_cached(sql)?.execute(params![run_id, links::place(link)])?;
    Ok(if changed == 1 { Ok(()) } else { Err(disagrees()) })
}

/// Builds the index of a journal of the earlier format. Another process may have done so meanwhile.
pub(super) fn migrate(conn: &Connection) -> Result<(), StoreError> {
    let sql = |e: rusqlite::Error| fault::sql(&e);
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate).map_err(sql)?;
    if !matches!(schema::format(&tx)?, schema::DatabaseKind::WithoutIndex) {
        return Ok(());
    }
    schema::add_index(&tx).map_err(sql)?;
    for (seq, body) in list(&tx).map_err(sql)? {
        match serde_json::from_str(&body) {
            Ok(ListEntry::Created { run_id, .. }) => add(&tx, &run_id, seq).map_err(sql)?,
            Ok(ListEntry::Sealed { run_id, .. }) => seal(&tx, &run_id, seq).map_err(sql)??,
            Err(_) => return Err(fault::damaged(&format!("the list of runs was altered at link {seq}"))),
        }
    }
    tx.commit().map_err(sql)
}

fn list(conn: &Connection) -> rusqlite::Result<Vec<(u64, String)>> {
    let mut statement = conn.prepare("SELECT seq, body FROM events WHERE run_id = ?1 ORDER BY seq")?;
    let rows = statement.query_map([WORKSPACE], |r| Ok((links::counted(r, 0)?, r.get(1)?)))?;
    rows.collect()
}

/// The number of runs.
pub(super) fn count(conn: &Connection) -> Result<u64, StoreError> {
    let sql = "SELECT coalesce(max(place), -1) + 1 FROM listed";
    conn.prepare_cached(sql).and_then(|mut s| s.query_row([], |r| links::counted(r, 0))).map_err(|e| fault::sql(&e))
}

/// Columns of a run in the index, of the link that names it, and of its recorded end.
const ROW: &str = "SELECT l.place, l.run_id, l.link, c.body, h.seq, h.hash, h.stage FROM listed AS l
    LEFT JOIN events AS c ON c.run_id = '' AND c.seq = l.link
    LEFT JOIN heads AS h ON h.run_id = l.run_id";

/// The newest runs, the newest first.
pub(super) fn newest(conn: &Connection, most: usize) -> Result<Vec<RunListing>, StoreError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let found = rows(conn, &format!("{ROW} ORDER BY l.place DESC LIMIT ?1"), &[&most])?;
    // A deleted row leaves a gap.
    let gap = found.windows(2).any(|pair| matches!(pair, [a, b] if a.0 != b.0 + 1));
    if gap { Err(disagrees()) } else { Ok(found.into_iter().map(|(_, listing)| listing).collect()) }
}

/// Runs that are not sealed, the oldest first.
pub(super) fn unsealed(conn: &Connection) -> Result<Vec<RunListing>, StoreError> {
    let found = rows(conn, &format!("{ROW} WHERE l.sealed IS NULL ORDER BY l.place"), &[])?;
    Ok(found.into_iter().map(|(_, listing)| listing).collect())
}

/// Runs whose names begin like this, in order of their names.
pub(super) fn beginning(conn: &Connection, name: &str, most: usize) -> Result<Vec<RunListing>, StoreError> {
    // Names are ASCII, and no character of a name comes after `~`.
    let (end, most) = (format!("{name}~"), i64::try_from(most).unwrap_or(i64::MAX));
    let sql = format!("{ROW} WHERE l.run_id >= ?1 AND l.run_id < ?2 ORDER BY l.run_id LIMIT ?3");
    Ok(rows(conn, &sql, &[&name, &end, &most])?.into_iter().map(|(_, listing)| listing).collect())
}

/// The links of the list that name a run: as created, and as sealed if it is.
pub(super) fn links_of(conn: &Connection, run_id: &str) -> Result<Option<(u64, Option<u64>)>, StoreError> {
    let sql = "SELECT link, sealed FROM listed WHERE run_id = ?1";
    let read = || {
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query([run_id])?;
        rows.next()?.map(|row| Ok((links::counted(row, 0)?, links::optional(row, 1)?))).transpose()
    };
    read().map_err(|e: rusqlite::Error| fault::sql(&e))
}

fn rows(conn: &Connection, sql: &str, params: &[&dyn ToSql]) -> Result<Vec<(i64, RunListing)>, StoreError> {
    let read = || {
        let mut statement = conn.prepare_cached(sql)?;
        let rows = statement.query_map(params, read_row)?;
        rows.collect::<Result<Vec<_>, _>>()
    };
    read().map_err(|e: rusqlite::Error| fault::sql(&e))?.into_iter().collect()
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<Result<(i64, RunListing), StoreError>> {
    let (place, run_id): (i64, String) = (row.get(0)?, row.get(1)?);
    let link: Option<String> = row.get(3)?;
    let named = link.and_then(|body| serde_json::from_str::<ListEntry>(&body).ok());
    if !matches!(named, Some(ListEntry::Created { run_id: named, .. }) if named == run_id) {
        return Ok(Err(disagrees()));
    }
    let (seq, hash): (Option<u64>, Option<String>) = (links::optional(row, 4)?, row.get(5)?);
    let stage: Option<String> = row.get(6)?;
    let stage = stage.as_deref().and_then(Stage::read);
    let (Some(seq), Some(Ok(hash)), Some(stage)) = (seq, hash.map(|hash| hash.parse()), stage) else {
        return Ok(Err(links::disagrees(&run_id)));
    };
    let ended = matches!(stage, Stage::Ended | Stage::Sealed);
    Ok(Ok((place, RunListing { run_id, head: ChainHead { seq, hash }, ended })))
}

/// The error for an index that does not match the list.
pub(super) fn disagrees() -> StoreError {
    fault::damaged("the index of runs does not agree with the list of runs")
}
