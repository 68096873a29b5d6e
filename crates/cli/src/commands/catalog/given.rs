//! The catalogue that a command works with: the built-in one, what was added to this project, and folders that are named.

use crate::args::Global;
use crate::failure::Failure;
use crate::files;
use crate::home::Home;
use crate::output::aside;
use clap::Args;
use deed_catalog::{Catalog, CatalogFile, Origin, builtin, read};
use deed_diag::Report;
use deed_pack::conceal_secrets;
use deed_runtime::RunState;
use std::path::{Path, PathBuf};

/// Where types come from.
#[derive(Debug, Args)]
pub(crate) struct Given {
    /// A folder with packs, kinds, slots, policies or adapters of your own; may be given several times.
    #[arg(long = "catalog", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl Given {
    /// The whole catalogue, with what is odd about folders that were added.
    pub(crate) fn catalog(&self, global: &Global) -> Result<(Catalog, Report), Failure> {
        let mut catalog = builtin()?.clone();
        let mut remarks = Report::default();
        let added = Home::maybe(global.home.as_deref())?.map(|home| home.catalog()).filter(|folder| folder.is_dir());
        for folder in added.iter().chain(&self.folders) {
            let (extended, report) = extend(&catalog, folder)?;
            if report.has_errors() {
                return Err(report.into());
            }
            remarks.merge(report);
            catalog = extended;
        }
        Ok((catalog, remarks))
    }

    /// The catalogue for a run that was submitted before. Its types are frozen with it, so the project's packs are not
    /// read: an edited, broken or deleted one changes nothing. Runs of older versions have none frozen and need them.
    pub(crate) fn for_run(&self, global: &Global, state: &RunState) -> Result<(Catalog, Report), Failure> {
        if state.request.as_ref().is_none_or(|request| request.types_blob.is_none()) {
            return self.catalog(global);
        }
        if !self.folders.is_empty() {
            aside("`--catalog` has no effect here: the run reads the types that were frozen with it");
        }
        Ok((builtin()?.clone(), Report::default()))
    }
}

/// A catalogue with a folder added to it, and all that is wrong with the folder.
pub(super) fn extend(catalog: &Catalog, folder: &Path) -> Result<(Catalog, Report), Failure> {
    let files = files::documents_beneath(folder)?;
    let files: Vec<CatalogFile<'_>> =
        files.iter().map(|file| CatalogFile { name: &file.name, bytes: &file.bytes }).collect();
    Ok(read(catalog, &files, Origin::Added, conceal_secrets))
}
