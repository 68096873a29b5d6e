//! `deed pack log`: the audit log, checked on the way.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::registry::{self, pack_ref};
use deed_store::{LogEntry, LogFilter};
use serde_json::{Value, json};

/// Print the audit log: every transition, who made it and when, chained by hash.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Only events of this version, e.g. ctxpack.support@1.0.0.
    pack: Option<String>,
    /// Only the last so many events.
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Print the log's end alone: note it elsewhere, and `deed pack verify --head` finds a cut-off log.
    #[arg(long, conflicts_with_all = ["pack", "last"])]
    head: bool,
}

impl Log {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let subject = self.pack.as_deref().map(pack_ref).transpose()?.map(|r| format!("pack:{r}"));
        let (_, registry) = global.session().registry()?;
        if self.head {
            let head = registry.head().map_err(registry::error)?;
            let text = head.map_or_else(String::new, |h| format!("{}\n", h.hash));
            return Ok(Success::new(serde_json::to_value(head).unwrap_or_default(), text));
        }
        let entries = registry.log(&LogFilter { subject, from: None, last: self.last }).map_err(registry::error)?;
        let text: String = entries.iter().map(line).collect();
        let data = entries
            .iter()
            .map(|e| json!({ "seq": e.link.seq, "prev": e.link.prev, "hash": e.link.hash, "event": e.event }))
            .collect();
        Ok(Success::new(Value::Array(data), text))
    }
}

fn line(entry: &LogEntry) -> String {
    let mut subjects = entry.event.event.subjects();
    subjects.dedup();
    format!(
        "{:>5}  {}  {:<15} {}  by {}\n",
        entry.link.seq,
        entry.event.at,
        entry.event.event.name(),
        subjects.join(" "),
        entry.event.actor
    )
}
