//! `deed runs show`: one run, step by step.

use crate::args::Global;
use crate::commands::execution::shown::{self, Shown};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{has_lapsed, load, lost_approvals, plan_of, rolled_back};
use deed_app::workspaces::outputs_of;

/// Show a run: its status, steps, gates, times and spending.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs show last
  deed runs show week-46 --json")]
pub(crate) struct Show {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (home, store, loaded) = load(&session, &self.run)?;
        let plan = plan_of(&store, &loaded.state);
        let status = loaded.status(&store)?;
        let mut shown = Shown::new(&loaded.run_id, &loaded.state, &loaded.entries, plan.as_ref(), status);
        for gate in loaded.state.open_gates() {
            if has_lapsed(&session, &gate.subject)? {
                shown.lapsed_at.get_or_insert_with(|| gate.subject.expires_at.clone());
            }
        }
        shown.lapses.extend(lost_approvals(&session, &loaded.state)?);
        shown.outputs = outputs_of(&session, &loaded);
        let mut success = Success::new(shown::run_json(&shown), shown::run_text(&shown));
        success.report = rolled_back(&home)?;
        Ok(success)
    }
}
