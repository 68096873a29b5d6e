//! `deed pack push` and `deed pack pull`: versions through a folder that is laid out as an OCI image layout.

use super::import::shown;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::classified::RestrictedCopies;
use deed_app::{AppError, packs};
use std::path::PathBuf;

/// Write published versions into a folder, as an OCI image layout.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack push shared
  deed pack push shared ctxpack.support@1.0.0")]
pub(crate) struct Push {
    /// Folder of the layout; it is made where it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Versions to write [default: all that are published and not revoked].
    #[arg(value_name = "REF")]
    references: Vec<String>,
    /// Copy data that is classified RESTRICTED.
    #[arg(long)]
    allow_restricted: bool,
}

/// Import an OCI image layout; signatures are checked with this registry's trusted keys.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack pull shared")]
pub(crate) struct Pull {
    /// Folder of the layout.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Push {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let restricted = RestrictedCopies::allowed(self.allow_restricted);
        let pushed = packs::push(&global.session(), &self.folder, &self.references, restricted)?;
        let references: Vec<String> = pushed.iter().map(ToString::to_string).collect();
        let text: String = references.iter().map(|reference| format!("{reference}\n")).collect();
        Ok(Success::new(references, text))
    }
}

impl Pull {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        Ok(shown(packs::pull(&global.session(), &self.folder)?))
    }
}
