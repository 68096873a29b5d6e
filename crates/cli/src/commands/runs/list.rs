//! `deed runs list`: the runs of this project, the newest first.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{Status, rolled_back, store, store_error};
use deed_ports::{JournalRead, RunListing, StoreError};
use deed_runtime::{RunState, StepStatus};
use deed_store::RunStore;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List runs, the newest first.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// So many at most.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "all")]
    limit: u64,
    /// All of them.
    #[arg(long)]
    all: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store) = store(&global.session())?;
        let Some(store) = store else {
            let data = json!({ "runs": [], "total": 0, "more": 0 });
            return Ok(Success::new(data, "").remark("nothing has run here yet: `deed run PLAN`"));
        };
        let failed = |error: StoreError| store_error(&error);
        let total = store.count().map_err(failed)?;
        let most = if self.all { total } else { self.limit.min(total) };
        let listed = store.newest(usize::try_from(most).unwrap_or(usize::MAX)).map_err(failed)?;
        let mut text = String::new();
        let mut runs = Vec::new();
        for listing in &listed {
            runs.push(shown(&store, listing, &mut text).map_err(failed)?);
        }
        let more = total.saturating_sub(runs.len() as u64);
        let success =
            Success::new(json!({ "runs": runs, "total": total, "more": more }), text).report(rolled_back(&home)?);
        Ok(match more {
            0 => success,
            _ => success.remark(format!("{more} older runs are not listed: `--all` lists them, `--limit N` so many")),
        })
    }
}

/// One run, as a line and as JSON.
fn shown(store: &RunStore, listing: &RunListing, text: &mut String) -> Result<Value, StoreError> {
    let entries = store.events(&listing.run_id, 0)?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let status = Status::of(store, &listing.run_id, &state, &entries)?;
    let options = state.request.as_ref().map(|request| &request.options);
    let plan = state.request.as_ref().map_or("", |request| request.plan.as_str());
    let at = entries.first().map_or("", |entry| entry.record.at.as_str());
    let done = state.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
    let word = status.as_str();
    let _ = writeln!(text, "{}  {at}  {word:<11} {done:>4} steps done  {plan}", listing.run_id);
    if let Some(hint) = status.hint(&listing.run_id, options) {
        let _ = writeln!(text, "  {hint}");
    }
    Ok(json!({
        "run_id": listing.run_id, "plan": plan, "status": word, "driven_by": status.process(), "submitted_at": at,
        "steps_done": done, "events": entries.len(), "sealed": state.sealed,
    }))
}
