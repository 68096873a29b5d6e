//! `deed runs list`: all runs of this project.

use crate::args::Global;
use crate::commands::execution::{shown, store, store_failure};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_ports::JournalRead;
use deed_runtime::{RunState, StepStatus};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List all runs, the oldest first.
#[derive(Debug, Args)]
pub(crate) struct List {}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (_, store) = store(global)?;
        let mut text = String::new();
        let mut data = Vec::new();
        let Some(store) = store else {
            return Ok(Success::new(json!([]), text).remark("nothing has run here yet: `deed run --plan PLAN`"));
        };
        for listing in store.runs().map_err(|error| store_failure(&error))? {
            let entries = store.events(&listing.run_id, 0).map_err(|error| store_failure(&error))?;
            let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
            let plan = state.request.as_ref().map_or("", |request| request.plan.as_str()).to_owned();
            let at = entries.first().map_or("", |entry| entry.record.at.as_str()).to_owned();
            let done = state.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
            let word = shown::word(&state);
            let _ = writeln!(text, "{}  {at}  {word:<10} {done:>4} steps done  {plan}", listing.run_id);
            data.push(json!({
                "run_id": listing.run_id, "plan": plan, "status": word, "submitted_at": at, "steps_done": done,
                "events": entries.len(),
            }));
        }
        Ok(Success::new(Value::Array(data), text))
    }
}
