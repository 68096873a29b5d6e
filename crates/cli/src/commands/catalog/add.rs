//! `deed catalog add`: a folder becomes a part of this project's catalogue.

use super::lint::nothing;
use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::extend;
use deed_app::files::{self, Access, Existing};
use deed_catalog::Audience;
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
    given: TypeArgs,
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
        let home = global.session().home()?;
        // Without a slash at its end, so that names beneath it are told apart from it.
        let folder: PathBuf = self.folder.components().collect();
        let (catalog, _) = self.given.catalog(global)?;
        let (extended, report) = extend(&catalog, &folder, Audience::Project)?;
        if report.has_errors() {
            return Err(report.into());
        }
        if extended.hash() == catalog.hash() {
            return Err(nothing(&folder));
        }
        let found = files::documents_beneath(&folder)?;
        let root = folder.file_name().map_or_else(|| "added".into(), |name| name.to_string_lossy().into_owned());
        let into = home.catalog().join(root);
        let written: Vec<(PathBuf, &[u8])> = found
            .iter()
            .map(|file| {
                let name = file.name.strip_prefix(&format!("{}/", folder.display())).unwrap_or(&file.name);
                (into.join(name), file.bytes.as_slice())
            })
            .collect();
        let names: Vec<String> = written.iter().map(|(path, _)| path.display().to_string()).collect();
        files::write_all(written, Existing::Keep, Access::Shared)?;
        let known: Vec<String> = extended
            .packs()
            .filter(|pack| catalog.pack(pack.kind, pack.library.id()).is_none())
            .map(|pack| format!("{} {}", pack.kind.as_str(), pack.library.id()))
            .collect();
        let text = known.iter().map(|pack| format!("added {pack}\n")).collect::<String>();
        let data = AddedTypes { packs: known, written: names, hash: extended.hash().to_string() };
        Ok(Success::new(data, text).report(report))
    }
}
