//! `deed catalog add`: a folder becomes a part of this project's catalogue.

use super::lint::nothing;
use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::extend;
use deed_app::files::{self, Access, Existing};
use serde_json::json;
use std::path::PathBuf;

/// Add a folder to this project's catalogue, if its lint finds no errors. Every plan compiled here sees it from then on.
#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The folder.
    folder: PathBuf,
    #[command(flatten)]
    given: TypeArgs,
}

impl Add {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let home = global.session().home()?;
        // Without a slash at its end, so that names beneath it are told apart from it.
        let folder: PathBuf = self.folder.components().collect();
        let (catalog, _) = self.given.catalog(global)?;
        let (extended, report) = extend(&catalog, &folder)?;
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
        let data = json!({ "packs": known, "written": names, "hash": extended.hash() });
        Ok(Success::new(data, text).report(report))
    }
}
