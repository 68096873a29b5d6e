//! `deed runs resume`: goes on where a run stopped, waits or was killed.

use super::plan_of;
use crate::args::Global;
use crate::commands::catalog::given::Given as Types;
use crate::commands::execution::{Machine, Workshop, load};
use crate::commands::run::go;
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic};

const NO_PLAN: Code = Code::new("D2063");

/// Go on with a run: after a gate was decided, or after its process died.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    types: Types,
}

impl Resume {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (run_id, plan) = {
            let (_, store, loaded) = load(global, &self.run)?;
            let plan = plan_of(&store, &loaded.state).ok_or_else(|| {
                let diagnostic = Diagnostic::error(NO_PLAN, "the plan of this run is missing or was altered");
                Failure::environment(diagnostic.stage("run").help("restore the blobs from a backup"))
            })?;
            (loaded.run_id, plan)
        };
        let (catalog, remarks) = self.types.catalog(global)?;
        let workshop = Workshop::open(global, catalog, &self.machine)?;
        go(global, &workshop, &run_id, &plan, &self.machine, remarks)
    }
}
