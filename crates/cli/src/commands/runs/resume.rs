//! `deed runs resume`: goes on where a run stopped, waits or was killed.

use super::plan_of;
use crate::args::Global;
use crate::commands::catalog::given::Given as Types;
use crate::commands::execution::head::{self, Head};
use crate::commands::execution::{Loaded, Machine, Workshop, load, status, store_failure};
use crate::commands::run::{Fork, accept, go};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic};

const NO_PLAN: Code = Code::new("D2063");
const LACKING: Code = Code::new("D2073");

/// Go on with a run: after a gate was decided, or after its process died.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// A head of the run that was kept elsewhere, `RUN@SEQ:HASH` or `SEQ:HASH`; refused if the journal lacks it.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    types: Types,
}

impl Resume {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (run_id, plan, fork, (catalog, remarks)) = {
            let (_, store, loaded) = load(global, &self.run)?;
            let plan = plan_of(&store, &loaded.state).ok_or_else(|| {
                let diagnostic = Diagnostic::error(NO_PLAN, "the plan of this run is missing or was altered");
                Failure::environment(diagnostic.stage("run").help("restore the blobs from a backup"))
            })?;
            let contains = |run: Option<&str>, head: &_| store.contains(run, head).map_err(|e| store_failure(&e));
            head::extends(&self.head, Some(&loaded.run_id), contains)?;
            if loaded.state.ended.is_none() {
                self.equipped(&loaded)?;
            }
            let types = self.types.for_run(global, &loaded.state)?;
            let inputs = loaded.state.request.as_ref().is_some_and(|request| !request.inputs.is_empty());
            let packed = plan.steps.iter().flat_map(|step| &step.waits_for).any(|gate| gate.starts_with("pack-"));
            let fork = Fork {
                plan: "PLAN".to_owned(),
                input: inputs.then(|| "DIR".to_owned()),
                pack: packed.then(|| "PACK".to_owned()),
            };
            (loaded.run_id, plan, fork, types)
        };
        let workshop = Workshop::open(global, catalog, &self.machine)?;
        accept(&workshop, &run_id, &self.machine)?;
        go(global, &workshop, &run_id, &plan, &fork, &self.machine, remarks)
    }

    /// Refuses to continue without what the run was started with: what lacks would be found when a step has begun.
    fn equipped(&self, loaded: &Loaded) -> Result<(), Failure> {
        let Some(options) = loaded.state.request.as_ref().map(|request| &request.options) else { return Ok(()) };
        let given = self.machine.names();
        let mut lacking: Vec<String> = options.resolve.iter().filter(|name| !given.contains(name)).cloned().collect();
        lacking = lacking.into_iter().map(|name| format!("--resolve {name}=ADDRESS")).collect();
        if options.extra_roots && !self.machine.extra_roots() {
            lacking.push("--ca FILE".to_owned());
        }
        if lacking.is_empty() {
            return Ok(());
        }
        let run_id = &loaded.run_id;
        let message = format!("run `{run_id}` was started with `{}`, which is not given now", lacking.join(" "));
        let help = format!("nothing was done; give it again: `{}`", status::resume(run_id, Some(options)));
        Err(Failure::refused(Diagnostic::error(LACKING, message).stage("run").help(help)))
    }
}
