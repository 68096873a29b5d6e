//! `deed packet verify`: lives that are what was appended.

use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::verify_lives;
use deed_canon::ContentHash;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Verify the lives of replay packets: every entry is what was appended, and none is missing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed packet verify recorded
  deed packet verify recorded/1.json --head sha256:…")]
pub(crate) struct Verify {
    /// Recorded compile, or a folder of them.
    #[arg(value_name = "RECORDING|DIR")]
    path: PathBuf,
    /// Hash of the last entry as it was kept elsewhere.
    #[arg(long, value_name = "HASH")]
    head: Option<ContentHash>,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let verified = verify_lives(&self.path, self.head)?;
        let mut text = String::new();
        for life in &verified {
            let head = life.head.map_or_else(|| "not run".to_owned(), |head| format!("head {}", head.hash));
            let _ = writeln!(text, "{}  {} entries, {head}", life.file.display(), life.entries);
        }
        Ok(Success::new(verified, text))
    }
}
