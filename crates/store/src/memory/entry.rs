//! A row of the memory log, checked: its own hash, its canonical text, its format.

use crate::rows::{Row, event_place};
use deed_canon::Link;
use deed_diag::{Diagnostic, codes};
use deed_memory::MEMORY_FORMAT;
use deed_model::MemoryLogEvent;
use serde::Deserialize;

/// An event of the memory log with its link in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryEntry {
    /// The link.
    pub link: Link,
    /// The event in its body.
    pub event: MemoryLogEvent,
}

/// Reads the events of rows whose chain holds.
pub(super) fn entries(rows: &[Row]) -> Result<Vec<MemoryEntry>, Vec<Diagnostic>> {
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let seq = u64::try_from(row.seq).unwrap_or(0);
        let link = row.link().ok_or_else(|| vec![unreadable(seq, "its text is not canonical")])?;
        found.push(entry_of(link)?);
    }
    Ok(found)
}

/// Reads the event of an intact link.
fn entry_of(link: Link) -> Result<MemoryEntry, Vec<Diagnostic>> {
    let event = MemoryLogEvent::deserialize(&link.body).map_err(|e| vec![unreadable(link.seq, &e.to_string())])?;
    if event.format != MEMORY_FORMAT {
        let why = format!("it has format {}, and this version reads {MEMORY_FORMAT}", event.format);
        return Err(vec![unreadable(link.seq, &why)]);
    }
    Ok(MemoryEntry { link, event })
}

fn unreadable(seq: u64, why: &str) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_MEMORY_FORMAT, format!("event {seq} of the memory log cannot be read: {why}"))
        .stage("memory")
        .at(event_place(seq))
        .help("use a version of `deed` that is at least as new as the one that wrote it")
}
