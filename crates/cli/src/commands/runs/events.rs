//! `deed runs events`: the journal of one run.

use super::follow::follow;
use crate::args::Global;
use crate::output::{Success, begin_stream};
use crate::text;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, rolled_back};
use deed_model::RunEvent;
use deed_ports::JournalEntry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The kinds of events. A test compares this list with the schema of the journal.
const KINDS: [&str; 25] = [
    "submitted",
    "taken",
    "step_started",
    "preflighted",
    "validated",
    "call_began",
    "call_ended",
    "call_refused",
    "model_call_began",
    "model_attempted",
    "model_call_ended",
    "egress",
    "progress",
    "gate_opened",
    "gate_decided",
    "gate_lapsed",
    "approval_used",
    "step_parked",
    "step_succeeded",
    "step_failed",
    "cancel_requested",
    "ended",
    "checkpointed",
    "sealed",
    "distilled",
];

/// Print the events of a run in order, or follow them as they are recorded.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs events last --kind egress
  deed runs events last --follow --json")]
pub(crate) struct Events {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Print only events of this kind, such as `egress` or `call_ended`.
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(KINDS), hide_possible_values = true)]
    kind: Option<String>,
    /// Print only events of this step.
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
    /// Keep printing events until the run ends or no process drives it; with `--json` one line for each event.
    #[arg(long)]
    follow: bool,
}

/// An event of a run. With `--follow`, each line is one event, with `version` as a further member.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JournalEvent {
    /// Its place in the journal of the run.
    seq: u64,
    /// The time at which it was recorded.
    at: String,
    /// Its hash.
    hash: String,
    /// The event.
    event: RunEvent,
}

/// The events that are printed.
pub(super) struct Filter {
    kind: Option<String>,
    step: Option<String>,
}

impl Events {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        if self.follow {
            begin_stream();
        }
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        if let Some(step) = self.step.as_ref().filter(|_| !self.follow) {
            loaded.require_step(step)?;
        }
        let filter = Filter { kind: self.kind.clone(), step: self.step.clone() };
        let report = rolled_back(&home)?;
        if self.follow {
            return Ok(follow(&store, loaded, &filter, global.json)?.report(report));
        }
        let mut text = String::new();
        let mut data = Vec::new();
        for entry in &loaded.entries {
            if let Some((event, line)) = line(entry, &filter)? {
                data.push(event);
                text.push_str(&line);
            }
        }
        Ok(Success::new(data, text).report(report))
    }
}

/// An event as JSON and as a line, if it is one of those that are printed.
pub(super) fn line(entry: &JournalEntry, filter: &Filter) -> Result<Option<(JournalEvent, String)>, AppError> {
    let event = serde_json::to_value(&entry.record.event).map_err(AppError::internal)?;
    let kind = event.get("kind").and_then(Value::as_str).unwrap_or_default();
    let inner = ["call", "answer"].iter().find_map(|key| event.pointer(&format!("/{key}/step")));
    let step = event.get("step").or(inner).and_then(Value::as_str);
    let wanted = filter.kind.as_deref().is_none_or(|wanted| wanted == kind)
        && filter.step.as_deref().is_none_or(|wanted| step == Some(wanted));
    if !wanted {
        return Ok(None);
    }
    let line = format!("{:>6}  {:<24}  {kind:<16} {}", entry.seq, entry.record.at, about(&event, step));
    let data = JournalEvent {
        seq: entry.seq,
        at: entry.record.at.clone(),
        hash: entry.hash.to_string(),
        event: entry.record.event.clone(),
    };
    Ok(Some((data, text::line(format_args!("{}", line.trim_end())))))
}

/// Describes an event in a few words.
fn about(event: &Value, step: Option<&str>) -> String {
    let word = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    let mut parts: Vec<String> = step.map(str::to_owned).into_iter().collect();
    for pointer in [
        "/by",
        "/call/summary",
        "/answer/key",
        "/decision/method",
        "/decision/host",
        "/decision/path",
        "/decision/verdict",
        "/subject/gate_id",
        "/signed/approval/decision",
        "/signed/approval/approver",
        "/gate_id",
        "/failure/code",
        "/failure/message",
        "/outcome",
        "/why",
        "/note",
        "/approval_id",
    ] {
        parts.extend(word(pointer).map(super::super::execution::shown::plain));
    }
    parts.join("  ")
}
