//! `deed runs resume`: resumes a run that waits or was interrupted.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::commands::execution::machine::MachineArgs;
use crate::commands::run::{Fork, go};
use crate::output::{Success, aside};
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::has_frozen_types;
use deed_app::runs::head::Head;
use deed_app::runs::{resume, shell_word};

/// Resume a run after a gate was decided, or after its process was killed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs resume last")]
pub(crate) struct Resume {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Head that was kept elsewhere, `RUN@SEQ:HASH` or `SEQ:HASH`; refused if the journal lacks it.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    types: TypeArgs,
}

impl Resume {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        resumed(global, &self.run, &self.head, &self.machine, &self.types)
    }
}

/// Resumes a run and drives it.
pub(crate) fn resumed(
    global: &Global,
    run: &str,
    heads: &[Head],
    machine: &MachineArgs,
    types: &TypeArgs,
) -> Result<Success, AppError> {
    let machine = machine.options();
    let resumed = resume(&global.session(), run, heads, &machine, &types.folders)?;
    if !types.folders.is_empty() && has_frozen_types(&resumed.state) {
        aside("`--catalog` has no effect here: the run reads the types that were frozen with it");
    }
    let inputs = resumed.state.request.as_ref().is_some_and(|request| !request.inputs.is_empty());
    let governed = resumed.state.request.as_ref().is_some_and(|request| request.profile.is_some());
    let workspace = resumed.state.request.as_ref().and_then(|request| request.workspace.as_ref());
    let workspace = workspace.map(|of| of.workspace.as_str());
    let packed = resumed.plan.steps.iter().flat_map(|step| &step.waits_for).any(|gate| gate.starts_with("pack-"));
    let fork = Fork {
        plan: "PLAN".to_owned(),
        input: inputs.then(|| "DIR".to_owned()),
        pack: packed.then(|| "PACK".to_owned()),
        reads: inputs,
        environment: None,
        profile: governed.then(|| "PROFILE".to_owned()),
        workspace: workspace.map(|name| format!(" --workspace {}", shell_word(name))).unwrap_or_default(),
        machine: machine.repeated(),
    };
    go(global, &resumed.environment, &resumed.run_id, &resumed.plan, &fork, resumed.warnings)
}
