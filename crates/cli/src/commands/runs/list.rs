//! `deed runs list`: the runs of this project, the newest first.

use crate::args::Global;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{self, list};
use deed_runtime::StepStatus;
use schemars::JsonSchema;
use serde::Serialize;

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
        let most = (!self.all).then_some(self.limit);
        let list = list(&global.session(), most)?;
        let mut text = String::new();
        let width = list.runs.iter().map(|listed| listed.run.run_id.chars().count()).max().unwrap_or(0);
        let runs: Vec<ListedRun> = list.runs.iter().map(|listed| shown(listed, width, &mut text)).collect();
        let more = list.total.saturating_sub(runs.len() as u64 + list.damaged);
        let mut success = Success::new(RunList { runs, total: list.total, more }, text).report(list.findings);
        success.lacking = list.damaged > 0;
        Ok(match (list.total, more) {
            (0, _) => success.remark("nothing has run here yet: `deed run PLAN`"),
            (_, 0) => success,
            _ => success.remark(format!("{more} older runs are not listed: use `--all`, or `--limit N`")),
        })
    }
}

/// The runs of a project, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunList {
    /// The runs.
    runs: Vec<ListedRun>,
    /// The number of all runs.
    total: u64,
    /// The number of runs that are not listed.
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
    /// The time at which it was submitted.
    submitted_at: String,
    /// The number of steps that succeeded.
    steps_done: usize,
    /// The number of events in its journal.
    events: usize,
    /// True where its end is signed.
    sealed: bool,
}

/// A run as JSON; its line is added to the text, with so many columns for its name.
fn shown(listed: &runs::ListedRun, width: usize, text: &mut String) -> ListedRun {
    let (run_id, state, status) = (&listed.run.run_id, &listed.run.state, listed.status);
    let options = state.request.as_ref().map(|request| &request.options);
    let plan = state.request.as_ref().map_or("", |request| request.plan.as_str());
    let at = listed.run.entries.first().map_or("", |entry| entry.record.at.as_str());
    let done = state.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
    let word = status.as_str();
    let shown = terminal::state(Stream::Stdout, &format!("{word:<11}"));
    // Milliseconds would not fit into 80 columns beside a name of the usual length.
    let on_terminal = terminal::is_terminal(Stream::Stdout);
    let submitted =
        at.split_once('.').filter(|_| on_terminal).map_or_else(|| at.to_owned(), |(at, _)| format!("{at}Z"));
    let steps = if done == 1 { "step done " } else { "steps done" };
    let line = text::line(format_args!("{run_id:<width$}  {submitted}  {shown} {done:>3} {steps}  {plan}"));
    text.push_str(&terminal::fit(Stream::Stdout, &line));
    if let Some(hint) = status.hint(run_id, options) {
        text.push_str(&terminal::fit(Stream::Stdout, &format!("  {hint}\n")));
    }
    ListedRun {
        run_id: run_id.clone(),
        plan: plan.to_owned(),
        status: word,
        driven_by: status.process(),
        submitted_at: at.to_owned(),
        steps_done: done,
        events: listed.run.entries.len(),
        sealed: state.sealed,
    }
}
