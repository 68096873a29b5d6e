//! `deed pack import`: versions that were published elsewhere.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, ImportedPack};
use deed_diag::Report;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Import exported versions; signatures are checked with this registry's trusted keys.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack import support.pack.json")]
pub(crate) struct Import {
    /// Exported file, or a folder of `*.pack.json`.
    #[arg(value_name = "FILE|DIR")]
    from: PathBuf,
}

/// A version that was brought in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BroughtIn {
    /// The version.
    pack_ref: String,
    /// The event of its publication here; null where it was published before.
    event: Option<Recorded>,
}

impl Import {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        Ok(shown(packs::import(&global.session(), &self.from)?))
    }
}

/// Shows versions that were brought in, with the reviews that do not count here.
pub(super) fn shown(imported: Vec<ImportedPack>) -> Success {
    let mut text = String::new();
    let mut report = Report::default();
    let mut data = Vec::new();
    for pack in imported {
        let _ = writeln!(text, "{}  {}", pack.pack_ref, pack.outcome);
        data.push(BroughtIn { pack_ref: pack.pack_ref.to_string(), event: event(&pack.outcome) });
        report.merge(pack.report);
    }
    Success::new(data, text).report(report)
}
