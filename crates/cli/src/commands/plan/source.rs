//! The plan that a command is given.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::PackChoice;
use deed_app::plans::{self, PlanSource};
use deed_diag::Report;
use deed_model::CompiledPlan;
use std::path::PathBuf;

/// A plan, and what it is checked with.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// Plan (YAML or JSON), or `-` for standard input.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Pack whose approval gates hold too: a version, a folder such as ./support, or with --env an id.
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: Option<String>,
    /// Use the version and the overlays of the pack that this environment has pinned.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    #[command(flatten)]
    types: TypeArgs,
}

impl PlanArgs {
    /// The compiled plan and warnings, or everything that refuses it.
    pub(super) fn compiled(&self, global: &Global) -> Result<(CompiledPlan, Report), AppError> {
        let catalog_folders = self.types.folders.clone();
        let environment = self.environment.clone();
        let pack = self.pack.clone().map(|pack| PackChoice { pack, environment });
        let source = PlanSource { path: self.plan.clone(), pack, catalog_folders };
        plans::compiled(&global.session(), &source)
    }
}
