//! Verification of the chain in the database, and the diagnosis of a broken one.
//!
//! Verification is frequent and must be cheap: the hash of a link covers the canonical text of its place, the hash
//! before it and its body, and a row's body *is* canonical text, so rows are hashed as they are, without parsing a
//! single event. The diagnosis runs only if verification fails.

use crate::rows::{Row, broken};
use deed_canon::{Break, BreakKind, ChainHead, ContentHash, Invariant as _, Link, verify_chain};
use deed_diag::{Diagnostic, Place, codes};
use rusqlite::{Connection, OptionalExtension};
use std::io::Write;

/// The row that records the end of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadRow {
    /// There is none, as in a registry without events.
    Missing,
    /// It does not name a possible event.
    Unreadable,
    /// The end it names.
    At(ChainHead),
}

impl HeadRow {
    /// Reads the row.
    pub(crate) fn read(conn: &Connection) -> rusqlite::Result<Self> {
        let mut statement = conn.prepare_cached("SELECT seq, hash FROM head WHERE id = 1")?;
        let row: Option<(i64, String)> = statement.query_row([], |r| Ok((r.get(0)?, r.get(1)?))).optional()?;
        let Some((seq, hash)) = row else { return Ok(Self::Missing) };
        Ok(match (u64::try_from(seq), hash.parse::<ContentHash>()) {
            (Ok(seq), Ok(hash)) => Self::At(ChainHead { seq, hash }),
            _ => Self::Unreadable,
        })
    }

    /// The end that the row names, if it names one.
    pub(crate) fn head(self) -> Option<ChainHead> {
        match self {
            Self::At(head) => Some(head),
            Self::Missing | Self::Unreadable => None,
        }
    }

    /// Returns whether the row names exactly this end.
    fn agrees_with(self, end: Option<ChainHead>) -> bool {
        match self {
            Self::At(head) => end == Some(head),
            Self::Missing => end.is_none(),
            Self::Unreadable => false,
        }
    }
}

/// Every row in order, unchecked.
pub(crate) fn all_rows(conn: &Connection) -> rusqlite::Result<Vec<Row>> {
    let mut statement = conn.prepare_cached(ROWS)?;
    let rows =
        statement.query_map([], |r| Ok(Row { seq: r.get(0)?, prev: r.get(1)?, hash: r.get(2)?, body: r.get(3)? }))?;
    rows.collect()
}

const ROWS: &str = "SELECT seq, prev, hash, body FROM events ORDER BY seq";

/// Returns whether every row has the hash of its own text and follows the one before, from the first to the
/// one that the head names.
pub(crate) fn holds(conn: &Connection, head: HeadRow) -> rusqlite::Result<bool> {
    let mut statement = conn.prepare_cached(ROWS)?;
    let mut rows = statement.query([])?;
    let mut walk = Walk::default();
    while let Some(row) = rows.next()? {
        let (seq, prev) = (row.get_ref(0)?.as_i64(), row.get_ref(1)?.as_str_or_null());
        let (hash, body) = (row.get_ref(2)?.as_str(), row.get_ref(3)?.as_str());
        let (Ok(seq), Ok(prev), Ok(hash), Ok(body)) = (seq, prev, hash, body) else { return Ok(false) };
        if walk.step(seq, prev, hash, body).is_none() {
            return Ok(false);
        }
    }
    Ok(head.agrees_with(walk.end))
}

/// A walk along the rows of a chain. It remembers the last link that was verified.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    end: Option<ChainHead>,
    text: Vec<u8>,
}

impl Walk {
    /// Begins a walk after a verified link.
    pub(crate) fn after(end: Option<ChainHead>) -> Self {
        Self { end, text: Vec::new() }
    }

    /// The last verified link.
    pub(crate) fn end(&self) -> Option<ChainHead> {
        self.end
    }

    /// Takes the next row and returns its place and hash; `None` if it is not the link that follows.
    pub(crate) fn step(&mut self, seq: i64, prev: Option<&str>, hash: &str, body: &str) -> Option<ChainHead> {
        let place = self.end.map_or(0, |end| end.seq + 1);
        let (Ok(before), Ok(hash)) = (prev.map(str::parse::<ContentHash>).transpose(), hash.parse()) else {
            return None;
        };
        let follows = u64::try_from(seq) == Ok(place) && before == self.end.map(|end| end.hash);
        if !follows || link_hash(&mut self.text, place, prev, body) != hash {
            return None;
        }
        let head = ChainHead { seq: place, hash };
        self.end = Some(head);
        Some(head)
    }
}

/// Computes the hash that `deed_canon::Link::expected_hash` has for the same link, from its body as canonical text. The
/// buffer `text` is reused between calls.
pub(crate) fn link_hash(text: &mut Vec<u8>, place: u64, prev: Option<&str>, body: &str) -> ContentHash {
    text.clear();
    let written = match prev {
        Some(prev) => write!(text, "deed/chain-link/v1\n{{\"body\":{body},\"prev\":\"{prev}\",\"seq\":{place}}}"),
        None => write!(text, "deed/chain-link/v1\n{{\"body\":{body},\"prev\":null,\"seq\":{place}}}"),
    };
    written.invariant("writing to memory does not fail");
    ContentHash::of_bytes(text)
}

/// The first damage of a log.
pub(crate) enum Damage {
    /// A link does not hold.
    Link(Break),
    /// The head is not the end of the chain, for this reason.
    Head(String),
}

/// Finds the damage of a log: the first break of its chain, or else a head that is not its end.
pub(crate) fn first_damage(rows: &[Row], head: HeadRow) -> Option<Damage> {
    let links: Vec<Link> = rows.iter().map_while(Row::link).collect();
    if let Err(found) = verify_chain(&links, None) {
        return Some(Damage::Link(found));
    }
    if links.len() < rows.len() {
        // The first row that is not a link.
        let seq = links.last().map_or(0, |l| l.seq + 1);
        return Some(Damage::Link(Break { seq, kind: BreakKind::Edited }));
    }
    match head {
        HeadRow::Missing if links.is_empty() => None,
        HeadRow::Missing => Some(Damage::Head("the row that records the log's end is missing".to_owned())),
        HeadRow::Unreadable => Some(Damage::Head("the row that records the log's end cannot be read".to_owned())),
        HeadRow::At(head) => match links.iter().find(|l| l.seq == head.seq) {
            Some(link) if link.hash != head.hash => {
                Some(Damage::Head(format!("the log's head names another event {} than the log has", head.seq)))
            }
            Some(_) | None => verify_chain(&links, Some(&head)).err().map(Damage::Link),
        },
    }
}

/// Diagnoses a damaged registry log.
pub(crate) fn damage(rows: &[Row], head: HeadRow) -> Option<Diagnostic> {
    first_damage(rows, head).map(|found| match found {
        Damage::Link(found) => broken(&found),
        Damage::Head(message) => head_disagrees(message),
    })
}

/// The finding for a head that is not the end of the log.
pub(crate) fn head_disagrees(message: String) -> Diagnostic {
    Diagnostic::error(codes::HEAD_DISAGREES, message)
        .stage("registry")
        .at(Place::file("head"))
        .help("restore a backup and find out who changed the head; the links between the events are intact")
}

/// The finding for a head that was recorded elsewhere and is not in the log.
pub(crate) fn rewritten(expected: &ContentHash) -> Diagnostic {
    let message = format!("the audit log has no event `{expected}`, which was recorded as its head");
    Diagnostic::error(codes::HEAD_DISAGREES, message)
        .stage("registry")
        .at(Place::file("head"))
        .help("restore a backup if the log was truncated or rewritten since; or the head belongs to another copy of it")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use deed_canon::{append, canonical_string};
    use serde_json::json;

    #[test]
    fn rows_hash_as_their_links_do() {
        let mut walk = Walk::default();
        for n in 0..12 {
            let body = json!({ "z": n, "a": ["é\u{1}\"\\", 1.5, null], "prev": "\",\"seq\":0}" });
            let link = append(walk.end.as_ref(), body).unwrap();
            let (text, prev) = (canonical_string(&link.body).unwrap(), link.prev.map(|p| p.to_string()));
            let hash = link.hash.to_string();
            assert_eq!(walk.step(n, prev.as_deref(), &hash, &format!("{text} ")), None);
            assert_eq!(walk.step(n + 1, prev.as_deref(), &hash, &text), None);
            assert_eq!(walk.step(n, Some(&hash), &hash, &text), None);
            assert_eq!(walk.step(n, prev.as_deref(), &hash, &text), Some(link.head()));
            assert_eq!(walk.end, Some(link.head()));
        }
    }
}
