//! `deed catalog lint`: what is wrong with a pack of your own, and what is missing from it.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::extend;
use deed_diag::{Code, Diagnostic, Place, Severity};
use serde_json::json;
use std::path::PathBuf;

const NOTHING_HERE: Code = Code::new("D1820");

/// Say all that is wrong with a folder of packs, kinds, slots, policies or adapters, and what is missing.
#[derive(Debug, Args)]
pub(crate) struct Lint {
    /// The folder.
    folder: PathBuf,
    /// Warnings end with 1, too.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    given: TypeArgs,
}

impl Lint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, _) = self.given.catalog(global)?;
        let (extended, report) = extend(&catalog, &self.folder)?;
        let added = extended.packs().count() - catalog.packs().count();
        let entities = extended.entities().count() - catalog.entities().count();
        let found = report.count(Severity::Error);
        if found == 0 && extended.hash() == catalog.hash() {
            let mut failure = nothing(&self.folder);
            failure.report.merge(report);
            return Err(failure);
        }
        if found > 0 || self.deny_warnings && report.count(Severity::Warning) > 0 {
            return Err(report.into());
        }
        let data = json!({ "packs": added, "entities": entities, "hash": extended.hash() });
        let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let said = match report.count(Severity::Warning) {
            0 => "nothing is missing".to_owned(),
            warnings => format!("it can be used; {}", count(warnings, "warning", "warnings")),
        };
        let text = format!("{}, {}: {said}\n", count(added, "pack", "packs"), count(entities, "entity", "entities"));
        Ok(Success::new(data, text).report(report))
    }
}

/// A folder without any part of a catalogue.
pub(super) fn nothing(folder: &std::path::Path) -> AppError {
    AppError::refused(
        Diagnostic::error(NOTHING_HERE, "there is nothing of a catalogue here")
            .stage("catalog")
            .at(Place::file(folder.display().to_string()))
            .help("a pack is `pack.yaml` with a folder `entities`; `deed catalog new` begins one"),
    )
}
