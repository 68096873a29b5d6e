//! `deed decision list`: the decisions on record.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::{DecisionFilter, list};
use deed_context::visible;
use deed_model::{DecisionStatus, RecordedDecision};
use deed_store::DecisionEntry;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List recorded decisions, the oldest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed decision list
  deed decision list --key support.refund.execute --status escalated")]
pub(crate) struct List {
    /// Only decisions of this key.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Only decisions with this status.
    #[arg(long, value_name = "STATUS", value_parser = ["accepted", "escalated", "rejected"])]
    status: Option<String>,
    /// Only decisions of this run, by its whole name.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

/// A recorded decision.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedDecision {
    /// Its place in the log.
    seq: u64,
    /// The hash of its entry.
    hash: String,
    /// The time at which it was recorded.
    at: String,
    /// The party that recorded it.
    actor: String,
    /// The decision.
    decision: RecordedDecision,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let statuses = [DecisionStatus::Accepted, DecisionStatus::Escalated, DecisionStatus::Rejected];
        let filter = DecisionFilter {
            decision_key: self.key.clone(),
            status: statuses.into_iter().find(|status| self.status.as_deref() == Some(status.as_str())),
            run: self.run.clone(),
        };
        let (entries, report) = list(&global.session(), &filter)?;
        let text = text(&entries);
        let listed: Vec<ListedDecision> = entries.into_iter().map(listed).collect();
        Ok(Success::new(listed, text).report(report))
    }
}

fn text(entries: &[DecisionEntry]) -> String {
    let mut out = String::new();
    for entry in entries {
        let decision = &entry.event.decision;
        let _ = writeln!(
            out,
            "{}  {:<9}  {}  {} {}  {}",
            entry.event.at,
            decision.status.as_str(),
            decision.record_id,
            visible(&decision.decision_key),
            visible(&decision.version),
            visible(&decision.outcome)
        );
    }
    out
}

fn listed(entry: DecisionEntry) -> ListedDecision {
    ListedDecision {
        seq: entry.link.seq,
        hash: entry.link.hash.to_string(),
        at: entry.event.at,
        actor: entry.event.actor,
        decision: entry.event.decision,
    }
}
