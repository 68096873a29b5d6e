//! `deed plan diff`: the effect of a change on those who rely on a plan.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::plans::{self, PlanSource};
use deed_plan::PlanChangeClass;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Compare two plans: what breaks, what tightens, what makes no difference.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan diff old.plan.yaml weekly.plan.yaml")]
pub(crate) struct Diff {
    /// Plan before the change, authored or compiled.
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// Plan after the change, authored or compiled.
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
        let found = !diff.changes.is_empty() && diff.class == PlanChangeClass::Breaking;
        let mut success = Success::new(diff, text);
        success.found = found;
        Ok(success)
    }
}
