//! `deed runs show`: one run, step by step.

use crate::args::Global;
use crate::commands::execution::shown::{self, Shown};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, plan_of, rolled_back};

/// Show a run with its steps, gates and what it spent.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        let plan = plan_of(&store, &loaded.state);
        let status = loaded.status(&store)?;
        let shown = Shown::new(&loaded.run_id, &loaded.state, &loaded.entries, plan.as_ref(), status);
        let mut success = Success::new(shown::run_json(&shown), shown::run_text(&shown));
        success.report = rolled_back(&home)?;
        Ok(success)
    }
}
