//! `deed catalog add`: a folder of types becomes part of a project.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::add;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Add a folder of types to this project, if its lint finds no errors.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog add insurance-claims")]
pub(crate) struct Add {
    /// Folder with the types.
    folder: PathBuf,
    #[command(flatten)]
    types: TypeArgs,
}

/// Types that were added to the project.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AddedTypes {
    /// The packs, with their kinds.
    packs: Vec<String>,
    /// The files that were written.
    written: Vec<String>,
    /// The hash of the catalogue with them.
    hash: String,
}

impl Add {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let added = add(&global.session(), &self.folder, &self.types.folders)?;
        let text = added.packs.iter().map(|pack| format!("added {pack}\n")).collect::<String>();
        let data = AddedTypes {
            packs: added.packs,
            written: added.written.iter().map(|path| path.display().to_string()).collect(),
            hash: added.hash.to_string(),
        };
        Ok(Success::new(data, text).report(added.warnings))
    }
}
