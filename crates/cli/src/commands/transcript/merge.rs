//! `deed transcript merge`: several transcripts in one.

use crate::output::Success;
use crate::text::count;
use clap::Args;
use deed_app::{AppError, transcripts};
use std::path::PathBuf;

/// Merge transcripts into a new one, every call once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed transcript merge first.transcript second.transcript \\
    --out both.transcript")]
pub(crate) struct Merge {
    /// Transcripts; the order decides the order of calls.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// New file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Merge {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let merged = transcripts::merge(&self.files, &self.out)?;
        let text = format!("{} in {}\n", count(merged.calls, "call"), merged.out);
        Ok(Success::new(merged, text))
    }
}
