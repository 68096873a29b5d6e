//! The catalogue that a command works with: the built-in one, what was added to this project, and folders that are named.

use crate::args::Global;
use crate::failure::Failure;
use crate::files;
use crate::home::Home;
use clap::Args;
use deed_catalog::{Catalog, CatalogFile, Origin, builtin, read};
use deed_diag::Report;
use deed_pack::conceal_secrets;
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
}

/// A catalogue with a folder added to it, and all that is wrong with the folder.
pub(super) fn extend(catalog: &Catalog, folder: &Path) -> Result<(Catalog, Report), Failure> {
    let files = files::documents_beneath(folder)?;
    let files: Vec<CatalogFile<'_>> =
        files.iter().map(|file| CatalogFile { name: &file.name, bytes: &file.bytes }).collect();
    Ok(read(catalog, &files, Origin::Added, conceal_secrets))
}
