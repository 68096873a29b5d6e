//! The log inside one transaction: checked reads by subject, and appends.
//!
//! Opening verifies the chain from its first row to its head, and that the tables and indexes are the expected ones.
//! That reads every row, about a millisecond per thousand; it is done once per connection, and again after another
//! connection has written to the database. So an edited row is refused, unless everything from some event on was
//! rehashed: detecting that takes a head that was recorded elsewhere. The events of a subject are found through
//! indexes that SQLite maintains. Each returned event is checked once more against its own hash, its two neighbours
//! and the subject. An index whose entries were removed beneath SQLite, with its definition unchanged, is only found
//! by `verify`.

use crate::chain::{HeadRow, all_rows, damage, head_disagrees, holds};
use crate::error::RegistryError;
use crate::rows::{LogEntry, Row, broken, event_place, unwritable};
use crate::schema;
use crate::steps::Steps;
use crate::subjects::Subject;
use deed_canon::{Break, BreakKind, ChainHead, append};
use deed_diag::{Diagnostic, codes};
use deed_model::AuditEvent;
use rusqlite::{Connection, params, params_from_iter};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const RUN_VERIFY: &str = "run `deed pack verify` to see all damage to the log, then restore a backup";

/// Entries by place.
pub(crate) type Entries = BTreeMap<u64, LogEntry>;

/// The data version of the database at which the chain was last verified. SQLite counts the commits of other
/// connections; commits of this one only append.
#[derive(Debug, Default)]
pub(crate) struct VerifiedVersion(Cell<Option<i64>>);

/// The log as one transaction sees it.
pub(crate) struct Log<'a> {
    conn: &'a Connection,
    head: Option<ChainHead>,
}

impl<'a> Log<'a> {
    /// Opens the log. The chain is verified unless no other connection has written since the last time.
    pub(crate) fn open(conn: &'a Connection, walked: &VerifiedVersion) -> Result<Self, RegistryError> {
        let mut version = conn.prepare_cached("PRAGMA data_version")?;
        let version: i64 = version.query_row([], |r| r.get(0))?;
        let head = HeadRow::read(conn)?;
        if walked.0.get() != Some(version) {
            schema::check(conn)?;
            if !holds(conn, head)? {
                return Err(damaged(conn, head));
            }
            walked.0.set(Some(version));
        }
        Ok(Self { conn, head: head.head() })
    }

    /// The end of the log; `None` if it is empty.
    pub(crate) fn head(&self) -> Option<ChainHead> {
        self.head
    }

    /// Returns every event of a subject, in order.
    pub(crate) fn of_subject(&self, subject: &Subject) -> Result<Entries, RegistryError> {
        let mut entries = Entries::new();
        self.newest_first(subject, |entry| {
            entries.insert(entry.link.seq, entry);
            ControlFlow::Continue(())
        })?;
        Ok(entries)
    }

    /// Visits the events of a subject from the newest to the oldest, until `visit` breaks.
    pub(crate) fn newest_first(
        &self,
        subject: &Subject,
        mut visit: impl FnMut(LogEntry) -> ControlFlow<()>,
    ) -> Result<(), RegistryError> {
        let mut statement = self.conn.prepare_cached(&query(subject))?;
        let mut rows = statement.query(params_from_iter(subject.values()))?;
        while let Some(row) = rows.next()? {
            let found = Row { seq: row.get(0)?, prev: row.get(1)?, hash: row.get(2)?, body: row.get(3)? };
            let entry = found.entry().map_err(unsound)?;
            if !subject.concerns(&entry.event.event) {
                return Err(RegistryError::Refused(vec![misfiled(entry.link.seq)]));
            }
            self.linked(entry.link.seq, &found, row.get(4)?, row.get(5)?)?;
            if visit(entry).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Checks a row against both neighbours: a row that was edited and rehashed does not match them.
    fn linked(&self, seq: u64, row: &Row, before: Option<String>, after: Option<String>) -> Result<(), RegistryError> {
        let follows = row.prev == before;
        let followed = match after {
            Some(prev) => prev == row.hash,
            None => self.head.is_some_and(|h| h.hash.to_string() == row.hash),
        };
        if follows && followed {
            return Ok(());
        }
        Err(unsound(RegistryError::Refused(vec![broken(&Break { seq, kind: BreakKind::Edited })])))
    }

    /// Returns every entry, each checked against its own hash.
    pub(crate) fn whole(&self) -> Result<Vec<LogEntry>, RegistryError> {
        all_rows(self.conn)?.iter().map(|row| row.entry().map_err(unsound)).collect()
    }

    /// Appends an event: the link, then the head. The caller commits.
    pub(crate) fn append(&self, event: &AuditEvent, steps: &Steps) -> Result<ChainHead, RegistryError> {
        let unwritable = |e: String| RegistryError::Refused(vec![unwritable(&e)]);
        let body = serde_json::to_value(event).map_err(|e| unwritable(e.to_string()))?;
        let text = deed_canon::canonical_string(&body).map_err(|e| unwritable(e.to_string()))?;
        let link = append(self.head.as_ref(), body).map_err(|e| unwritable(e.to_string()))?;
        let seq = i64::try_from(link.seq).map_err(|e| unwritable(e.to_string()))?;
        steps.before("insert event")?;
        let insert = "INSERT INTO events(seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4)";
        let (prev, hash) = (link.prev.map(|p| p.to_string()), link.hash.to_string());
        self.conn.prepare_cached(insert)?.execute(params![seq, prev, hash, text])?;
        steps.before("update head")?;
        let update = "INSERT OR REPLACE INTO head(id, seq, hash) VALUES (1, ?1, ?2)";
        self.conn.prepare_cached(update)?.execute(params![seq, hash])?;
        Ok(link.head())
    }
}

/// The query for the rows of a subject with the links to their neighbours, newest first.
fn query(subject: &Subject) -> String {
    format!(
        "SELECT seq, prev, hash, body,
            (SELECT b.hash FROM events b WHERE b.seq = e.seq - 1), (SELECT a.prev FROM events a WHERE a.seq = e.seq + 1)
         FROM events {} ORDER BY seq DESC",
        subject.condition()
    )
}

/// Diagnoses a log whose chain is broken.
fn damaged(conn: &Connection, head: HeadRow) -> RegistryError {
    match all_rows(conn) {
        Ok(rows) => {
            let found =
                damage(&rows, head).unwrap_or_else(|| head_disagrees("the chain of the log is broken".to_owned()));
            unsound(RegistryError::Refused(vec![found]))
        }
        Err(error) => error.into(),
    }
}

/// Adds the hint to run `verify`, which reports all damage and not only what this operation met.
fn unsound(error: RegistryError) -> RegistryError {
    match error {
        RegistryError::Refused(found) => {
            let help = |d: Diagnostic| if d.code == codes::UNREADABLE_EVENT { d } else { d.help(RUN_VERIFY) };
            RegistryError::Refused(found.into_iter().map(help).collect())
        }
        RegistryError::Environment(finding) => RegistryError::Environment(finding),
    }
}

/// The finding for an event that an index returned for a subject it does not concern.
fn misfiled(seq: u64) -> Diagnostic {
    let message = format!("an index returns event {seq} for a subject it does not concern");
    Diagnostic::error(codes::INDEX_DISAGREES, message).stage("registry").at(event_place(seq)).help(RUN_VERIFY)
}

/// Relates a finding to an event.
pub(crate) fn at_event(mut finding: Diagnostic, seq: u64) -> Diagnostic {
    finding.related.insert(0, deed_diag::Related { place: event_place(seq), message: "the event".to_owned() });
    finding
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use deed_pack::EnvironmentKey;

    fn plan(subject: &Subject) -> Vec<String> {
        let conn = Connection::open_in_memory().unwrap();
        schema::create(&conn).unwrap();
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {}", query(subject))).unwrap();
        let values = params_from_iter(subject.values());
        statement.query_map(values, |r| r.get(3)).unwrap().map(Result::unwrap).collect()
    }

    /// The queries of a load seek in an index, in order: their cost does not grow with the number of pins.
    #[test]
    fn the_queries_of_a_load_use_an_index() {
        let key = || EnvironmentKey { tenant_id: "t".into(), environment: "e".into(), pack_id: "p".into() };
        for (subject, first) in [
            (Subject::Version("p@1.0.0".into()), "SEARCH e USING INDEX events_by_pack (<expr>=? AND <expr>=?)"),
            (Subject::Pins(key()), "SEARCH e USING INDEX events_by_environment (<expr>=? AND <expr>=? AND <expr>=?)"),
            (Subject::Key("k".into()), "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"),
        ] {
            let plan = plan(&subject);
            assert_eq!(plan.first().unwrap(), first);
            assert!(!plan.iter().any(|step| step.starts_with("SCAN") || step.ends_with("FOR ORDER BY")), "{plan:?}");
        }
    }
}
