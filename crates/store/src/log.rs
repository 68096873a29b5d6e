//! The log inside one transaction: checked reads by subject, and appends.
//!
//! What a read by subject proves. Every event that it returns carries the hash of its own content, is linked
//! to its neighbours, and concerns the subject; the index names as many events as the subject's tip, without
//! a gap or a repetition; the head is the last event, and there are as many events as the head says. So whoever changes any
//! one row of any table, in any column, cannot make an event appear, vanish or read otherwise here without
//! a refusal. A consistent change of several rows is beyond what can be seen without reading the whole log:
//! `verify_all` sees it, down to a log that was rewritten and hashed anew from some event on, for which a
//! head that was noted elsewhere is needed. Reading the whole log on every load would cost milliseconds per
//! thousand events; this costs a few lookups per event of the subject and one count.

use crate::error::RegistryError;
use crate::rows::{LogEntry, Row, broken, event_place, unwritable};
use crate::steps::Steps;
use crate::subjects::subjects;
use deed_canon::{Break, BreakKind, ChainHead, ContentHash, append};
use deed_diag::{Code, Diagnostic, Place};
use deed_model::AuditEvent;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub(crate) const HEAD_DISAGREES: Code = Code::new("D1221");
pub(crate) const INDEX_DISAGREES: Code = Code::new("D1222");

/// Entries by place.
pub(crate) type Entries = BTreeMap<u64, LogEntry>;

/// The log as one transaction sees it.
pub(crate) struct Log<'a> {
    conn: &'a Connection,
    head: Option<ChainHead>,
}

impl<'a> Log<'a> {
    /// Looks at the log's end, which must be where its head says.
    pub(crate) fn open(conn: &'a Connection) -> Result<Self, RegistryError> {
        let head = head_row(conn)?;
        let mut last = conn.prepare_cached("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")?;
        let last: Option<(i64, String)> = last.query_row([], |r| Ok((r.get(0)?, r.get(1)?))).optional()?;
        let mut count = conn.prepare_cached("SELECT count(*) FROM events")?;
        let count: i64 = count.query_row([], |r| r.get(0))?;
        let sound = match (&head, &last) {
            (None, None) => true,
            (Some(head), Some((seq, hash))) => {
                i64::try_from(head.seq).is_ok_and(|h| h == *seq && h + 1 == count) && head.hash.to_string() == *hash
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        if sound { Ok(Self { conn, head }) } else { Err(RegistryError::Refused(vec![head_disagrees()])) }
    }

    /// The log's end; nothing where it is empty.
    pub(crate) fn head(&self) -> Option<ChainHead> {
        self.head
    }

    /// Every event that concerns a subject, in order.
    pub(crate) fn of_subject(&self, subject: &str) -> Result<Entries, RegistryError> {
        let mut entries = Entries::new();
        self.newest_first(subject, |entry| {
            entries.insert(entry.link.seq, entry);
            ControlFlow::Continue(())
        })?;
        Ok(entries)
    }

    /// Walks the events of a subject from the newest back, until told to stop.
    pub(crate) fn newest_first(
        &self,
        subject: &str,
        mut visit: impl FnMut(LogEntry) -> ControlFlow<()>,
    ) -> Result<(), RegistryError> {
        let mut tip = self.conn.prepare_cached("SELECT events FROM tips WHERE subject = ?1")?;
        let mut expected: i64 = tip.query_row([subject], |r| r.get(0)).optional()?.unwrap_or_default();
        let mut rows = self.conn.prepare_cached(BY_SUBJECT)?;
        let mut rows = rows.query([subject])?;
        let mut later = i64::MAX;
        while let Some(row) = rows.next()? {
            expected -= 1;
            let (nth, seq): (i64, i64) = (row.get(0)?, row.get(1)?);
            let hash: Option<String> = row.get(3)?;
            // Neither a gap in the numbers nor the same event twice, which would hide another.
            let in_order = nth == expected && seq < later;
            let Some(hash) = hash.filter(|_| in_order) else { return Err(index_disagrees(subject)) };
            later = seq;
            let found = Row { seq, prev: row.get(2)?, hash, body: row.get(4)? };
            let entry = found.entry()?;
            if !subjects(&entry.event.event).iter().any(|s| s == subject) {
                return Err(index_disagrees(subject));
            }
            self.linked(&found, row.get(5)?, row.get(6)?)?;
            if visit(entry).is_break() {
                return Ok(());
            }
        }
        if expected == 0 { Ok(()) } else { Err(index_disagrees(subject)) }
    }

    /// Both neighbours must agree with the row: a row that was changed and hashed anew does not fit.
    fn linked(&self, row: &Row, before: Option<String>, after: Option<String>) -> Result<(), RegistryError> {
        let follows = row.prev == before;
        let followed = match after {
            Some(prev) => prev == row.hash,
            // The last event is the head, which was compared when the log was opened.
            None => self.head.is_some_and(|h| h.hash.to_string() == row.hash),
        };
        if follows && followed {
            return Ok(());
        }
        let seq = u64::try_from(row.seq).unwrap_or_default();
        Err(RegistryError::Refused(vec![broken(&Break { seq, kind: BreakKind::Edited })]))
    }

    /// Every event whose subject begins with `prefix`, which ends in a colon.
    pub(crate) fn of_kind(&self, prefix: &str) -> Result<Entries, RegistryError> {
        let mut entries = Entries::new();
        for subject in self.subjects(prefix)? {
            entries.append(&mut self.of_subject(&subject)?);
        }
        Ok(entries)
    }

    /// The subjects that begin with `prefix`, from both tables of the index.
    fn subjects(&self, prefix: &str) -> Result<Vec<String>, RegistryError> {
        let sql = "SELECT subject FROM tips WHERE substr(subject, 1, length(?1)) = ?1
                   UNION SELECT subject FROM subjects WHERE substr(subject, 1, length(?1)) = ?1";
        let mut statement = self.conn.prepare_cached(sql)?;
        let subjects = statement.query_map([prefix], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(subjects)
    }

    /// Every row in order, unchecked.
    pub(crate) fn rows(&self) -> Result<Vec<Row>, RegistryError> {
        all_rows(self.conn)
    }

    /// Appends an event: the link, its index, the head. The caller commits.
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
        for subject in subjects(&event.event) {
            steps.before("insert subject")?;
            self.conn.prepare_cached(INSERT_TIP)?.execute([&subject])?;
            self.conn.prepare_cached(INSERT_SUBJECT)?.execute(params![subject, seq])?;
        }
        steps.before("update head")?;
        let update = "INSERT OR REPLACE INTO head(id, seq, hash) VALUES (1, ?1, ?2)";
        self.conn.prepare_cached(update)?.execute(params![seq, hash])?;
        Ok(link.head())
    }
}

const BY_SUBJECT: &str = "
SELECT s.nth, s.seq, e.prev, e.hash, e.body, b.hash, a.prev
FROM subjects s
LEFT JOIN events e ON e.seq = s.seq
LEFT JOIN events b ON b.seq = s.seq - 1
LEFT JOIN events a ON a.seq = s.seq + 1
WHERE s.subject = ?1 ORDER BY s.nth DESC";

const INSERT_TIP: &str = "
INSERT INTO tips(subject, events) VALUES (?1, 1) ON CONFLICT(subject) DO UPDATE SET events = events + 1";

const INSERT_SUBJECT: &str = "
INSERT INTO subjects(subject, nth, seq) SELECT subject, events - 1, ?2 FROM tips WHERE subject = ?1";

/// The head as it is noted in the database.
pub(crate) fn head_row(conn: &Connection) -> Result<Option<ChainHead>, RegistryError> {
    let mut statement = conn.prepare_cached("SELECT seq, hash FROM head WHERE id = 1")?;
    let row: Option<(i64, String)> = statement.query_row([], |r| Ok((r.get(0)?, r.get(1)?))).optional()?;
    let Some((seq, hash)) = row else { return Ok(None) };
    match (u64::try_from(seq), hash.parse::<ContentHash>()) {
        (Ok(seq), Ok(hash)) => Ok(Some(ChainHead { seq, hash })),
        _ => Err(RegistryError::Refused(vec![head_disagrees()])),
    }
}

/// Every row in order, unchecked.
pub(crate) fn all_rows(conn: &Connection) -> Result<Vec<Row>, RegistryError> {
    let mut statement = conn.prepare_cached("SELECT seq, prev, hash, body FROM events ORDER BY seq")?;
    let rows =
        statement.query_map([], |r| Ok(Row { seq: r.get(0)?, prev: r.get(1)?, hash: r.get(2)?, body: r.get(3)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The finding for a head that is not the end of the log.
pub(crate) fn head_disagrees() -> Diagnostic {
    Diagnostic::error(HEAD_DISAGREES, "the log's head does not agree with its events")
        .stage("registry")
        .at(Place::file("head"))
        .help("events were added, removed or changed behind the registry's back: run `deed pack verify`")
}

fn index_disagrees(subject: &str) -> RegistryError {
    RegistryError::Refused(vec![index_finding(subject)])
}

/// The finding for a subject whose index is not what the events say.
pub(crate) fn index_finding(subject: &str) -> Diagnostic {
    Diagnostic::error(INDEX_DISAGREES, format!("the index of `{subject}` does not agree with the audit log"))
        .stage("registry")
        .at(Place::file(subject))
        .help("the index was changed behind the registry's back: run `deed pack verify`, then restore a backup")
}

/// The finding for a place whose event contradicts what came before it.
pub(crate) fn at_event(mut finding: Diagnostic, seq: u64) -> Diagnostic {
    finding.related.insert(0, deed_diag::Related { place: event_place(seq), message: "the event".to_owned() });
    finding
}
