//! A row of the log, checked: its own hash, its canonical text, its format.

use crate::error::RegistryError;
use deed_canon::{Break, BreakKind, ContentHash, Link, canonical_string, parse};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::AuditEvent;
use deed_pack::AUDIT_FORMAT;
use serde::Deserialize;

/// An event of the log with its link in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// The link.
    pub link: Link,
    /// The event in its body.
    pub event: AuditEvent,
}

/// A row of the database.
pub(crate) struct Row {
    pub(crate) seq: i64,
    pub(crate) prev: Option<String>,
    pub(crate) hash: String,
    pub(crate) body: String,
}

impl Row {
    /// The link, if the row has the form of one; its hash is not checked here.
    pub(crate) fn link(&self) -> Option<Link> {
        let body = parse(self.body.as_bytes()).ok()?;
        // The hash covers the value, and a value has one canonical text.
        if canonical_string(&body).ok()? != self.body {
            return None;
        }
        let prev = self.prev.as_ref().map(|p| p.parse::<ContentHash>()).transpose().ok()?;
        Some(Link { seq: u64::try_from(self.seq).ok()?, prev, body, hash: self.hash.parse().ok()? })
    }

    /// The entry, if the row has the hash of its own content and a known format.
    pub(crate) fn entry(&self) -> Result<LogEntry, RegistryError> {
        match self.link().filter(Link::is_intact) {
            Some(link) => Ok(entry_of(link)?),
            None => {
                // A negative place was written by another program; the finding names the first event then.
                let seq = u64::try_from(self.seq).unwrap_or(0);
                Err(RegistryError::Refused(vec![broken(&Break { seq, kind: BreakKind::Edited })]))
            }
        }
    }
}

/// Reads the event of an intact link.
pub(crate) fn entry_of(link: Link) -> Result<LogEntry, Vec<Diagnostic>> {
    let event = AuditEvent::deserialize(&link.body).map_err(|e| vec![unreadable(link.seq, &e.to_string())])?;
    if event.format != AUDIT_FORMAT {
        let why = format!("it has format {}, and this version reads {AUDIT_FORMAT}", event.format);
        return Err(vec![unreadable(link.seq, &why)]);
    }
    Ok(LogEntry { link, event })
}

/// The finding for the first break of the chain.
pub(crate) fn broken(found: &Break) -> Diagnostic {
    Diagnostic::error(codes::CHAIN_BROKEN, format!("the audit log was tampered with: {found}"))
        .stage("registry")
        .at(event_place(found.seq))
        .help("restore the registry from a backup, and find out who changed it")
}

fn unreadable(seq: u64, why: &str) -> Diagnostic {
    Diagnostic::error(codes::UNREADABLE_EVENT, format!("event {seq} cannot be read: {why}"))
        .stage("registry")
        .at(event_place(seq))
        .help("use a version of `deed` that is at least as new as the one that wrote it")
}

/// The finding for an event that has no canonical form, such as a count beyond 2^53.
pub(crate) fn unwritable(why: &str) -> Diagnostic {
    Diagnostic::error(codes::UNREADABLE_EVENT, format!("the event cannot be written: {why}"))
        .stage("registry")
        .at(Place::file("new event"))
        .help("check the numbers in the request")
}

pub(crate) fn event_place(seq: u64) -> Place {
    Place::file(format!("event:{seq}"))
}
