//! `deed pack push` and `deed pack pull`: versions through a folder that is laid out as an OCI image layout.

use super::import::{pinned, shown};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::classified::RestrictedCopies;
use deed_app::packs::{CopyRequest, PushRequest};
use deed_app::{AppError, packs};
use deed_diag::Report;
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
    /// Versions to write [default: all that are published; of those that are revoked, the ones that the layout has].
    #[arg(value_name = "REF")]
    references: Vec<String>,
    /// Key that signs that a version was deprecated or revoked [default: the first one here that may sign for its issuer].
    #[arg(long, value_name = "NAME|FILE")]
    key: Option<String>,
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
    /// Take environments down that use a version which its issuer deprecated or revoked.
    #[arg(long)]
    force: bool,
}

impl Push {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let restricted = RestrictedCopies::allowed(self.allow_restricted);
        let copy = CopyRequest { restricted, key: self.key.clone() };
        let request = PushRequest { references: self.references.clone(), copy };
        let mut references = Vec::new();
        let mut report = Report::default();
        for outcome in packs::push(&global.session(), &self.folder, &request)? {
            match outcome.result {
                Ok(()) => references.push(outcome.pack_ref.to_string()),
                Err(refused) => report.merge(refused.report),
            }
        }
        let text: String = references.iter().map(|reference| format!("{reference}\n")).collect();
        let found = report.has_errors();
        Ok(Success { found, ..Success::new(references, text).report(report) })
    }
}

impl Pull {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        Ok(shown(packs::pull(&global.session(), &self.folder, pinned(self.force))?))
    }
}
