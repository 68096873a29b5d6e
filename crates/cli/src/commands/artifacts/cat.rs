//! `deed artifacts cat`: prints a file of a run.

use crate::args::Global;
use crate::output::Success;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, read_file, rolled_back};
use serde_json::json;

/// Print a file of a run to standard output, after its hash was checked.
#[derive(Debug, Args)]
#[command(after_help = "Example: deed artifacts cat last output/report.html > report.html")]
pub(crate) struct Cat {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// The file, such as output/report.html.
    #[arg(value_name = "PATH")]
    path: String,
}

impl Cat {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        let (record, bytes) = read_file(&store, &loaded, &self.path)?;
        let (encoding, content) = match std::str::from_utf8(&bytes) {
            Ok(text) => ("utf-8", text.to_owned()),
            Err(_) => ("base64", STANDARD.encode(&bytes)),
        };
        let data = json!({
            "path": record.path, "sha256": record.sha256, "bytes": record.bytes, "encoding": encoding, "content": content,
        });
        // The file is the caller's, and is printed as it is.
        let mut success = Success { verbatim: true, ..Success::new(data, bytes) };
        success.report = rolled_back(&home)?;
        Ok(success)
    }
}
