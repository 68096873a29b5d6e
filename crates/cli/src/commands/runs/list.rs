//! `deed runs list`: the runs of this project, the newest first.

use crate::args::Global;
use crate::output::Success;
use crate::terminal::{self, Stream};
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{Status, rolled_back, store, store_error};
use deed_ports::{JournalRead, RunListing, StoreError};
use deed_runtime::{RunState, StepStatus};
use deed_store::RunStore;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List runs, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs list
  deed runs list --all --json")]
pub(crate) struct List {
    /// List at most N runs.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "all")]
    limit: u64,
    /// List all runs.
    #[arg(long)]
    all: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store) = store(&global.session())?;
        let Some(store) = store else {
            let data = RunList { runs: Vec::new(), total: 0, more: 0 };
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
        let success = Success::new(RunList { runs, total, more }, text).report(rolled_back(&home)?);
        Ok(match more {
            0 => success,
            _ => success.remark(format!("{more} older runs are not listed: `--all` lists them, `--limit N` so many")),
        })
    }
}

/// The runs of a project, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunList {
    /// The runs.
    runs: Vec<ListedRun>,
    /// How many there are.
    total: u64,
    /// How many are not listed.
    more: u64,
}

/// A run of the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedRun {
    /// Its name.
    run_id: String,
    /// The name of its plan.
    plan: String,
    /// Its status.
    status: &'static str,
    /// The process that drives it.
    driven_by: Option<u32>,
    /// When it was submitted.
    submitted_at: String,
    /// How many steps succeeded.
    steps_done: usize,
    /// How many events its journal has.
    events: usize,
    /// True where its end is signed.
    sealed: bool,
}

/// One run, as a line and as JSON.
fn shown(store: &RunStore, listing: &RunListing, text: &mut String) -> Result<ListedRun, StoreError> {
    let entries = store.events(&listing.run_id, 0)?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let status = Status::of(store, &listing.run_id, &state, &entries)?;
    let options = state.request.as_ref().map(|request| &request.options);
    let plan = state.request.as_ref().map_or("", |request| request.plan.as_str());
    let at = entries.first().map_or("", |entry| entry.record.at.as_str());
    let done = state.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
    let word = status.as_str();
    let shown = terminal::state(Stream::Stdout, &format!("{word:<11}"));
    // Milliseconds would not fit into 80 columns beside a name of the usual length.
    let on_terminal = terminal::is_terminal(Stream::Stdout);
    let submitted =
        at.split_once('.').filter(|_| on_terminal).map_or_else(|| at.to_owned(), |(at, _)| format!("{at}Z"));
    let line = format!("{}  {submitted}  {shown} {done:>4} steps done  {plan}\n", listing.run_id);
    text.push_str(&terminal::fit(Stream::Stdout, &line));
    if let Some(hint) = status.hint(&listing.run_id, options) {
        let _ = writeln!(text, "  {hint}");
    }
    Ok(ListedRun {
        run_id: listing.run_id.clone(),
        plan: plan.to_owned(),
        status: word,
        driven_by: status.process(),
        submitted_at: at.to_owned(),
        steps_done: done,
        events: entries.len(),
        sealed: state.sealed,
    })
}
