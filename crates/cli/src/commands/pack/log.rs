//! `deed pack log`: the audit log, checked while it is read.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text;
use crate::text::count;
use clap::Args;
use deed_app::{AppError, packs};
use deed_model::{AuditEvent, RegistryEvent};
use deed_store::LogEntry;
use schemars::JsonSchema;
use serde::Serialize;

/// Print the audit log: every transition with its actor, its time and its hash.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack log --last 10
  deed pack log --head > head.txt")]
pub(crate) struct Log {
    /// Print only events of this version, such as ctxpack.support@1.0.0.
    pack: Option<String>,
    /// Print only the last N events.
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Print only the end of the log; kept elsewhere, `deed pack verify --head` finds a truncated log with it.
    #[arg(long, conflicts_with_all = ["pack", "last"])]
    head: bool,
}

/// The audit log; with `--head` its end alone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum PackLog {
    /// The events.
    Events(Vec<LoggedEvent>),
    /// The end of the log; null where it is empty.
    Head(Option<ShownHead>),
}

/// An event of the audit log.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LoggedEvent {
    /// Its place.
    seq: u64,
    /// The hash of the event before it.
    prev: Option<String>,
    /// Its hash.
    hash: String,
    /// The event.
    event: AuditEvent,
}

impl Log {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        if self.head {
            let head = packs::head(&session)?;
            let text = head.map_or_else(String::new, |h| format!("{}\n", h.hash));
            let head = head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
            return Ok(Success::new(PackLog::Head(head), text));
        }
        let entries = packs::log(&session, self.pack.as_deref(), self.last)?;
        let text: String = entries.iter().map(line).collect();
        let data = entries
            .into_iter()
            .map(|e| LoggedEvent {
                seq: e.link.seq,
                prev: e.link.prev.map(|hash| hash.to_string()),
                hash: e.link.hash.to_string(),
                event: e.event,
            })
            .collect();
        Ok(Success::new(PackLog::Events(data), text))
    }
}

fn line(entry: &LogEntry) -> String {
    let mut subjects = entry.event.event.subjects();
    subjects.dedup();
    text::line(format_args!(
        "{:>5}  {}  {:<15} {}{}  by {}",
        entry.link.seq,
        entry.event.at,
        entry.event.event.name(),
        subjects.join(" "),
        detail(&entry.event.event),
        entry.event.actor
    ))
}

/// Returns what an event is about besides its subjects.
fn detail(event: &RegistryEvent) -> String {
    match event {
        RegistryEvent::PackPinned { overlays, rollback, replaces, took_ms, .. } => {
            let mut text: String = overlays.iter().map(|overlay| format!(" +{overlay}")).collect();
            if let (true, Some(before)) = (rollback, replaces) {
                text.push_str(&format!(" rollback from {before}"));
            }
            if let Some(took_ms) = took_ms {
                text.push_str(&format!(" in {took_ms} ms"));
            }
            text
        }
        RegistryEvent::PackRegressionAccepted { metric, what, role, reason, .. } => {
            format!(" {metric} accepted as {role}: {what} ({reason})")
        }
        RegistryEvent::PackRechecked { trigger, dependency, errors, .. } => {
            format!(" {trigger} {dependency}: {}", count(*errors, "error"))
        }
        RegistryEvent::ArchiveNamed { recordings, path, .. } => {
            format!(" {} in {path}", count(*recordings, "recording"))
        }
        RegistryEvent::ProfileBound { scope, .. } => format!(" for {scope}"),
        RegistryEvent::ProfileUnbound { scope, reason, .. } => format!(" for {scope} ({reason})"),
        RegistryEvent::ArchiveForgotten { reason, .. }
        | RegistryEvent::ProfileDeprecated { reason, .. }
        | RegistryEvent::ProfileRevoked { reason, .. }
        | RegistryEvent::ObjectDeprecated { reason, .. }
        | RegistryEvent::ObjectRevoked { reason, .. } => format!(" ({reason})"),
        _ => String::new(),
    }
}
