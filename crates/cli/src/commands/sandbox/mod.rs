//! `deed sandbox`: the sandbox of this machine, and of a step.

mod plan;
mod probe;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;
use deed_app::runs::tools_missing;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] =
    &[Described::of::<deed_sandbox::Probe>("sandbox probe"), Described::of::<plan::PlannedSandbox>("sandbox plan")];

/// Commands about sandboxes.
#[derive(Debug, Subcommand)]
pub(crate) enum Sandbox {
    Probe(probe::Probe),
    Plan(plan::Plan),
}

impl Sandbox {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Probe(c) => c.run(global),
            Self::Plan(c) => c.run(global),
        }
    }
}

/// The tools of this project, or of a folder that is gone afterwards where there is no project.
fn tools(global: &Global) -> Result<(deed_sandbox::Tools, Option<tempfile::TempDir>), AppError> {
    let failed = |error: deed_sandbox::ToolsError| AppError::environment(tools_missing(&error));
    match global.session().maybe_home()? {
        Some(home) => Ok((deed_sandbox::Tools::prepare(&home.tools()).map_err(failed)?, None)),
        None => {
            let folder =
                tempfile::tempdir().map_err(|error| AppError::writing(std::path::Path::new("/tmp"), &error))?;
            Ok((deed_sandbox::Tools::prepare(folder.path()).map_err(failed)?, Some(folder)))
        }
    }
}
