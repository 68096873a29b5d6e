//! A row of the log of the workspace, checked: its own hash, its canonical text, its format.

use crate::rows::{Row, event_place};
use deed_canon::Link;
use deed_diag::{Diagnostic, codes};
use deed_model::WorkspaceLogEvent;
use deed_workspace::{OLDEST_WORKSPACE_FORMAT, WORKSPACE_FORMAT};
use serde::Deserialize;

/// An event of the log of the workspace with its link in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceEntry {
    /// The link.
    pub link: Link,
    /// The event in its body.
    pub event: WorkspaceLogEvent,
}

/// Reads the events of rows whose chain holds.
pub(super) fn entries(rows: &[Row]) -> Result<Vec<WorkspaceEntry>, Vec<Diagnostic>> {
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let seq = u64::try_from(row.seq).unwrap_or(0);
        let link = row.link().ok_or_else(|| vec![unreadable(seq, "its text is not canonical")])?;
        found.push(entry_of(link)?);
    }
    Ok(found)
}

/// Reads the event of an intact link.
fn entry_of(link: Link) -> Result<WorkspaceEntry, Vec<Diagnostic>> {
    let event = WorkspaceLogEvent::deserialize(&link.body).map_err(|e| vec![unreadable(link.seq, &e.to_string())])?;
    if !(OLDEST_WORKSPACE_FORMAT..=WORKSPACE_FORMAT).contains(&event.format) {
        let read = format!("{OLDEST_WORKSPACE_FORMAT} to {WORKSPACE_FORMAT}");
        let why = format!("it has format {}, and this version reads {read}", event.format);
        return Err(vec![unreadable(link.seq, &why)]);
    }
    Ok(WorkspaceEntry { link, event })
}

fn unreadable(seq: u64, why: &str) -> Diagnostic {
    Diagnostic::error(
        codes::UNKNOWN_WORKSPACE_FORMAT,
        format!("event {seq} of the log of the workspace cannot be read: {why}"),
    )
    .stage("workspace")
    .at(event_place(seq))
    .help("use a version of `deed` that is at least as new as the one that wrote it")
}
