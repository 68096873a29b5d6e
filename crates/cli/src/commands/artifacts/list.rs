//! `deed artifacts list`: the files of a run, and the steps that wrote them.

use crate::args::Global;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, rolled_back};
use deed_model::in_set;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the files of a run: its inputs and what its steps wrote.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed artifacts list last")]
pub(crate) struct List {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

/// A file of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedArtifact {
    /// Its path.
    path: String,
    /// Its hash.
    sha256: String,
    /// Its size.
    bytes: u64,
    /// The step that wrote it; null for inputs.
    from_step: Option<String>,
    /// The set that it belongs to.
    set: Option<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, _, loaded) = load(&global.session(), &self.run)?;
        let (mut text, mut stacked) = (String::new(), String::new());
        let mut data = Vec::new();
        let width = loaded.state.artifacts().map(|(record, _)| record.path.len()).max().unwrap_or(0);
        for (record, step) in loaded.state.artifacts() {
            let from = step.unwrap_or("given");
            let set = loaded.state.sets().find(|set| in_set(&set.path, &record.path));
            let hash = terminal::hash(Stream::Stdout, &record.sha256);
            let _ = writeln!(text, "{hash}  {:>10}  {:<width$}  {from}", record.bytes, record.path);
            let _ = writeln!(stacked, "{}", record.path);
            let _ = writeln!(stacked, "  {hash}  {} bytes, from {from}", record.bytes);
            data.push(ListedArtifact {
                path: record.path.clone(),
                sha256: record.sha256.to_string(),
                bytes: record.bytes,
                from_step: step.map(str::to_owned),
                set: set.map(|set| set.path.clone()),
            });
        }
        // Two lines for each file, where the table is wider than the terminal.
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if terminal::width(Stream::Stdout).is_some_and(|width| widest > width) {
            text = terminal::fit(Stream::Stdout, &stacked);
        }
        Ok(Success::new(data, text).report(rolled_back(&home)?))
    }
}
