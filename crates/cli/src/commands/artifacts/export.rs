//! `deed artifacts export`: files of a run written to a folder, after checking their hashes.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::classified::RestrictedCopies;
use deed_app::runs::{export, load, rolled_back};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write files of a run to a folder, after checking their hashes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed artifacts export last --out files
  deed artifacts export last output/report.html --out files")]
pub(crate) struct Export {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Files, such as output/report.html, or sets, such as 'output/pages/*.html' [default: all of output/].
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Folder to write to; paths in it are those of the run.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Copy data that is classified RESTRICTED.
    #[arg(long)]
    allow_restricted: bool,
}

/// A file that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExportedArtifact {
    /// Its path in the run.
    path: String,
    /// The file that was written.
    written: PathBuf,
    /// Its hash.
    sha256: String,
}

impl Export {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        let restricted = RestrictedCopies::allowed(self.allow_restricted);
        let mut text = String::new();
        let mut data = Vec::new();
        for file in export(&store, &loaded, &self.paths, &self.out, restricted)? {
            text.push_str(&format!("{}\n", file.target.display()));
            data.push(ExportedArtifact { path: file.path, written: file.target, sha256: file.sha256.to_string() });
        }
        Ok(Success::new(data, text).report(rolled_back(&home)?))
    }
}
