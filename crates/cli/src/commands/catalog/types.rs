//! The types that a command works with.

use crate::args::Global;
use clap::Args;
use deed_app::{AppError, catalog};
use deed_catalog::Catalog;
use deed_diag::Report;
use std::path::PathBuf;

/// The sources of types.
#[derive(Debug, Args)]
pub(crate) struct TypeArgs {
    /// Folder with types of your own: packs, kinds, slots, policies, adapters. Repeatable.
    #[arg(long = "catalog", value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
}

impl TypeArgs {
    /// The whole catalogue, with warnings about folders that were added.
    pub(crate) fn catalog(&self, global: &Global) -> Result<(Catalog, Report), AppError> {
        catalog::open(&global.session(), &self.folders)
    }
}
