//! Checks the whole chain, its head, and a head that was recorded elsewhere.

use crate::chain::{HeadRow, all_rows, damage, rewritten};
use crate::error::RegistryError;
use crate::rows::{LogEntry, Row, entry_of};
use deed_canon::{ChainHead, ContentHash, Link};
use deed_diag::Diagnostic;
use rusqlite::Connection;

/// The log as far as it can be read.
pub(super) struct ChainCheck {
    /// The events that have the hash of their own content.
    pub(super) entries: Vec<LogEntry>,
    /// The end of the log, if the chain leads to it.
    pub(super) head: Option<ChainHead>,
    /// The number of rows.
    pub(super) events: u64,
    /// Findings about the chain.
    pub(super) findings: Vec<Diagnostic>,
}

pub(super) fn check(conn: &Connection, expected_head: Option<ContentHash>) -> Result<ChainCheck, RegistryError> {
    let rows = all_rows(conn)?;
    let head = HeadRow::read(conn)?;
    let mut findings: Vec<Diagnostic> = damage(&rows, head).into_iter().collect();
    let head = if findings.is_empty() { head.head() } else { None };
    let links: Vec<Link> = rows.iter().filter_map(Row::link).filter(Link::is_intact).collect();
    if let Some(expected) = expected_head.filter(|expected| links.iter().all(|l| l.hash != *expected)) {
        findings.push(rewritten(&expected));
    }
    let mut entries = Vec::new();
    for link in links {
        match entry_of(link) {
            Ok(entry) => entries.push(entry),
            Err(found) => findings.extend(found),
        }
    }
    Ok(ChainCheck { entries, head, events: rows.len() as u64, findings })
}
