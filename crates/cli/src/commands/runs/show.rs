//! `deed runs show`: one run, step by step.

use super::plan_of;
use crate::args::Global;
use crate::commands::execution::shown::{self, Shown};
use crate::commands::execution::{load, rolled_back};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;

/// Show a run with its steps, gates and what it spent.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (home, store, loaded) = load(global, &self.run)?;
        let plan = plan_of(&store, &loaded.state);
        let status = loaded.status(&store)?;
        let shown = Shown::new(&loaded.run_id, &loaded.state, &loaded.entries, plan.as_ref(), status);
        let mut success = Success::new(shown::run_json(&shown), shown::run_text(&shown));
        success.report = rolled_back(&home)?;
        Ok(success)
    }
}
