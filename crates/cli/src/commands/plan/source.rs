//! The plan that a command is given.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use clap::Args;
use deed_app::AppError;
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
    /// Pack whose approval gates hold too: a published version, or a folder such as ./support.
    #[arg(long, value_name = "REF|DIR")]
    pack: Option<String>,
    #[command(flatten)]
    types: TypeArgs,
}

impl PlanArgs {
    /// The compiled plan and warnings, or everything that refuses it.
    pub(super) fn compiled(&self, global: &Global) -> Result<(CompiledPlan, Report), AppError> {
        let catalog_folders = self.types.folders.clone();
        let source = PlanSource { path: self.plan.clone(), pack: self.pack.clone(), catalog_folders };
        plans::compiled(&global.session(), &source)
    }
}
