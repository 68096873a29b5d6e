//! `deed runs events`: the journal of one run.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, rolled_back};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What events are called. A test holds this list to the schema of the journal.
const KINDS: [&str; 20] = [
    "submitted",
    "taken",
    "step_started",
    "preflighted",
    "call_began",
    "call_ended",
    "call_refused",
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
];

/// Print the events of a run in order; with `--json` whole, otherwise a line each.
#[derive(Debug, Args)]
pub(crate) struct Events {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Only events of this kind, such as `egress` or `call_ended`.
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(KINDS), hide_possible_values = true)]
    kind: Option<String>,
    /// Only events of this step.
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
}

impl Events {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, _, loaded) = load(&global.session(), &self.run)?;
        if let Some(step) = &self.step {
            loaded.require_step(step)?;
        }
        let mut text = String::new();
        let mut data = Vec::new();
        for entry in &loaded.entries {
            let event = serde_json::to_value(&entry.record.event).map_err(AppError::internal)?;
            let kind = event.get("kind").and_then(Value::as_str).unwrap_or_default();
            let inner = ["call", "answer"].iter().find_map(|key| event.pointer(&format!("/{key}/step")));
            let step = event.get("step").or(inner).and_then(Value::as_str);
            let wanted = self.kind.as_deref().is_none_or(|wanted| wanted == kind)
                && self.step.as_deref().is_none_or(|wanted| step == Some(wanted));
            if !wanted {
                continue;
            }
            let line = format!("{:>6}  {:<24}  {kind:<16} {}", entry.seq, entry.record.at, about(&event, step));
            let _ = writeln!(text, "{}", line.trim_end());
            data.push(json!({ "seq": entry.seq, "at": entry.record.at, "hash": entry.hash, "event": event }));
        }
        Ok(Success::new(Value::Array(data), text).report(rolled_back(&home)?))
    }
}

/// What an event is about, in a few words.
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
