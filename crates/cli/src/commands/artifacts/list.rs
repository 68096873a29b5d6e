//! `deed artifacts list`: the files of a run, and who made them.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, rolled_back};
use deed_model::in_set;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List the files of a run: what it was given and what its steps made.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, _, loaded) = load(&global.session(), &self.run)?;
        let mut text = String::new();
        let mut data = Vec::new();
        let width = loaded.state.artifacts().map(|(record, _)| record.path.len()).max().unwrap_or(0);
        for (record, step) in loaded.state.artifacts() {
            let from = step.unwrap_or("given");
            let set = loaded.state.sets().find(|set| in_set(&set.path, &record.path));
            let _ = writeln!(text, "{}  {:>10}  {:<width$}  {from}", record.sha256, record.bytes, record.path);
            data.push(json!({
                "path": record.path, "sha256": record.sha256, "bytes": record.bytes, "from_step": step,
                "set": set.map(|set| &set.path),
            }));
        }
        Ok(Success::new(Value::Array(data), text).report(rolled_back(&home)?))
    }
}
