//! Reading decisions: the list, and one with everything that belongs to it.

use super::error::{self, DecisionLogError};
use super::record::{agrees, entry};
use super::{DecisionLog, EVENT_FORMAT, schema};
use crate::blobs::Blobs;
use crate::chain::all_rows;
use crate::rows::Row;
use deed_canon::{Break, BreakKind, Link, parse};
use deed_diag::Diagnostic;
use deed_model::{DecisionCase, DecisionEvent};
use rusqlite::OptionalExtension;
use serde::Deserialize;

/// An entry of the log with its link in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionEntry {
    /// The link.
    pub link: Link,
    /// The event in its body.
    pub event: DecisionEvent,
}

/// A recorded decision with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDecision {
    /// Its entry.
    pub entry: DecisionEntry,
    /// The case: record, critique, and what the critic read.
    pub case: DecisionCase,
    /// The recorded compile, as canonical bytes.
    pub recording: Vec<u8>,
}

impl DecisionLog {
    /// Returns every entry, in order.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn list(&self) -> Result<Vec<DecisionEntry>, DecisionLogError> {
        self.snapshot(|conn| {
            self.checked(conn)?;
            all_rows(conn)?.iter().map(|row| Ok(read(row)?)).collect()
        })
    }

    /// Returns a decision by the id of its record; `None` if there is none.
    ///
    /// # Errors
    /// The log or a stored file is damaged, or cannot be read.
    pub fn load(&self, record_id: &str) -> Result<Option<StoredDecision>, DecisionLogError> {
        self.snapshot(|conn| {
            self.checked(conn)?;
            let sql = format!("SELECT seq, prev, hash, body FROM events WHERE {} = ?1", schema::RECORD_ID);
            let row = conn
                .prepare_cached(&sql)?
                .query_row([record_id], |r| {
                    Ok(Row { seq: r.get(0)?, prev: r.get(1)?, hash: r.get(2)?, body: r.get(3)? })
                })
                .optional()?;
            let Some(row) = row else { return Ok(None) };
            let found = read(&row)?;
            if found.event.decision.record_id != record_id {
                let message = format!("the index returns decision {} for another id", found.link.seq);
                return Err(error::database(message).into());
            }
            Ok(Some(stored(&self.blobs, found)?))
        })
    }
}

/// Reads a row that has the hash of its own content.
pub(super) fn read(row: &Row) -> Result<DecisionEntry, Box<Diagnostic>> {
    let Some(link) = row.link().filter(Link::is_intact) else {
        // A negative place was written by another program; the finding names the first entry then.
        let seq = u64::try_from(row.seq).unwrap_or(0);
        return Err(Box::new(error::broken(&Break { seq, kind: BreakKind::Edited })));
    };
    let event = DecisionEvent::deserialize(&link.body)
        .map_err(|failed| Box::new(error::unreadable(link.seq, &failed.to_string())))?;
    match event.format {
        EVENT_FORMAT => Ok(DecisionEntry { link, event }),
        other => {
            let why = format!("it has format {other}, and this version reads {EVENT_FORMAT}");
            Err(Box::new(error::unreadable(link.seq, &why)))
        }
    }
}

/// Reads the files of an entry, and compares them with it.
pub(super) fn stored(blobs: &Blobs, found: DecisionEntry) -> Result<StoredDecision, Box<Diagnostic>> {
    let (seq, decision) = (found.link.seq, &found.event.decision);
    let fetch = |name: &str, hash| blobs.fetch(hash).map_err(|fault| Box::new(error::blob(seq, name, hash, &fault)));
    let bytes = fetch("case", &decision.case)?;
    let recording = fetch("recorded compile", &decision.recording)?;
    let damaged = |why: String| Box::new(error::file(seq, why));
    let unreadable = |why: String| damaged(format!("the case of decision {seq} cannot be read: {why}"));
    let value = parse(&bytes).map_err(|failed| unreadable(failed.to_string()))?;
    let case: DecisionCase = serde_json::from_value(value).map_err(|failed| unreadable(failed.to_string()))?;
    agrees(&case).map_err(|why| damaged(format!("the case of decision {seq} is false: {why}")))?;
    if entry(&case, decision.case) != *decision {
        return Err(damaged(format!("the entry of decision {seq} says something else than its case")));
    }
    Ok(StoredDecision { entry: found, case, recording })
}
