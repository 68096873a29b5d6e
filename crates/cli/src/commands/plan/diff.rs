//! `deed plan diff`: what a change of a plan means for whoever relies on it.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::plans::{self, PlanSource};
use deed_plan::PlanChangeClass;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Compare two plans, authored or compiled: what breaks, what tightens, what makes no difference.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The plan before.
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The plan after.
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    #[command(flatten)]
    types: TypeArgs,
}

impl Diff {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let source =
            |path: &PathBuf| PlanSource { path: path.clone(), pack: None, catalog_folders: self.types.folders.clone() };
        let (before, _) = plans::compiled(&session, &source(&self.before))?;
        let (after, _) = plans::compiled(&session, &source(&self.after))?;
        let diff = deed_plan::diff(&before, &after);
        let mut text = String::new();
        for class in [PlanChangeClass::Breaking, PlanChangeClass::Tightening, PlanChangeClass::Compatible] {
            for change in diff.changes.iter().filter(|change| change.class == class) {
                let step = change.step.as_ref().map(|step| format!("{step}: ")).unwrap_or_default();
                let _ = writeln!(text, "{:<11} {step}{}", class.as_str(), change.what);
            }
        }
        if diff.changes.is_empty() {
            text.push_str("no difference\n");
        }
        let data = serde_json::to_value(&diff).map_err(AppError::internal)?;
        let mut success = Success::new(data, text);
        success.found = !diff.changes.is_empty() && diff.class == PlanChangeClass::Breaking;
        Ok(success)
    }
}
