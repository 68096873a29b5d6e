//! `deed pack export`: a published version as one file, for another registry.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::classified::RestrictedCopies;
use deed_app::packs::CopyRequest;
use deed_app::{AppError, packs};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Export a published version, with its reviews and signatures, as one file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack export ctxpack.support@1.0.0 --out support.pack.json")]
pub(crate) struct Export {
    /// Published version, such as ctxpack.support@1.0.0.
    pack: String,
    /// File to write, or a folder.
    #[arg(long, short, value_name = "FILE|DIR")]
    out: PathBuf,
    /// Key that signs that the version was deprecated [default: the first one here that may sign for its issuer].
    #[arg(long, value_name = "NAME|FILE")]
    key: Option<String>,
    /// Copy data that is classified RESTRICTED.
    #[arg(long)]
    allow_restricted: bool,
}

/// A version that was exported.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExportedPack {
    /// The version.
    pack_ref: String,
    /// The hash of the document.
    content_hash: String,
    /// The file.
    file: String,
    /// The number of reviews in it.
    reviews: usize,
    /// The number of golden cases in it.
    golden_cases: usize,
}

impl Export {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let restricted = RestrictedCopies::allowed(self.allow_restricted);
        let copy = CopyRequest { restricted, key: self.key.clone() };
        let (export, path) = packs::export(&global.session(), &self.pack, &self.out, &copy)?;
        let data = ExportedPack {
            pack_ref: export.pack_ref.to_string(),
            content_hash: export.content_hash.to_string(),
            file: path.display().to_string(),
            reviews: export.reviews.len(),
            golden_cases: export.golden.len(),
        };
        Ok(Success::new(data, format!("{}\n", path.display())))
    }
}
