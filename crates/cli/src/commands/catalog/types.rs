//! The types that a command works with.

use crate::args::Global;
use clap::Args;
use deed_app::{AppError, catalog};
use deed_catalog::Catalog;
use deed_diag::Report;
use std::path::PathBuf;

/// Where types come from.
#[derive(Debug, Args)]
pub(crate) struct TypeArgs {
    /// A folder with packs, kinds, slots, policies or adapters of your own; may be given several times.
    #[arg(long = "catalog", value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
}

impl TypeArgs {
    /// The whole catalogue, with warnings about folders that were added.
    pub(crate) fn catalog(&self, global: &Global) -> Result<(Catalog, Report), AppError> {
        catalog::open(&global.session(), &self.folders)
    }
}
