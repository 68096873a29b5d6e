//! `deed catalog lint`: the errors and omissions of a folder of types.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::{extend, nothing_here};
use deed_catalog::Audience;
use deed_diag::Severity;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Check a folder of types: report everything that is wrong or missing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog lint insurance-claims
  deed catalog lint insurance-claims --publish")]
pub(crate) struct Lint {
    /// Folder with the types.
    folder: PathBuf,
    /// Refuse packs without the texts by which others find them: purpose, triggers, goals, synonyms, rules.
    #[arg(long)]
    publish: bool,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    types: TypeArgs,
}

/// Types without errors.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedTypes {
    /// The number of packs in the folder.
    packs: usize,
    /// The number of entities in the folder.
    entities: usize,
    /// The hash of the catalogue with them.
    hash: String,
}

impl Lint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, _) = self.types.catalog(global)?;
        let audience = if self.publish { Audience::Published } else { Audience::Project };
        let (extended, report) = extend(&catalog, &self.folder, audience)?;
        let added = extended.packs().count() - catalog.packs().count();
        let entities = extended.entities().count() - catalog.entities().count();
        let found = report.count(Severity::Error);
        if found == 0 && extended.hash() == catalog.hash() {
            let mut failure = nothing_here(&self.folder);
            failure.report.merge(report);
            return Err(failure);
        }
        if found > 0 || self.deny_warnings && report.count(Severity::Warning) > 0 {
            return Err(report.into());
        }
        let data = LintedTypes { packs: added, entities, hash: extended.hash().to_string() };
        let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let said = match report.count(Severity::Warning) {
            0 => "nothing is missing".to_owned(),
            warnings => format!("it can be used; {}", count(warnings, "warning", "warnings")),
        };
        let text = format!("{}, {}: {said}\n", count(added, "pack", "packs"), count(entities, "entity", "entities"));
        Ok(Success::new(data, text).report(report))
    }
}
