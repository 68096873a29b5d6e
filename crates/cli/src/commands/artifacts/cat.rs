//! `deed artifacts cat`: prints a file of a run.

use crate::args::Global;
use crate::output::Success;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, read_file, rolled_back};
use schemars::JsonSchema;
use serde::Serialize;

/// Print a file of a run, after checking its hash.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed artifacts cat last output/report.html > report.html")]
pub(crate) struct Cat {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Path of the file, such as output/report.html.
    #[arg(value_name = "PATH")]
    path: String,
}

/// A file of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileContent {
    /// Its path.
    path: String,
    /// Its hash.
    sha256: String,
    /// Its size.
    bytes: u64,
    /// The encoding of `content`: `utf-8` or `base64`.
    encoding: &'static str,
    /// The content.
    content: String,
}

impl Cat {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        let (record, bytes) = read_file(&store, &loaded, &self.path)?;
        let (encoding, content) = match std::str::from_utf8(&bytes) {
            Ok(text) => ("utf-8", text.to_owned()),
            Err(_) => ("base64", STANDARD.encode(&bytes)),
        };
        let data = FileContent {
            path: record.path,
            sha256: record.sha256.to_string(),
            bytes: record.bytes,
            encoding,
            content,
        };
        // The file is the caller's, and is printed as it is.
        let mut success = Success { verbatim: true, ..Success::new(data, bytes).exact() };
        success.report = rolled_back(&home)?;
        Ok(success)
    }
}
