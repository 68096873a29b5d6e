//! `deed pack import`: versions that were published elsewhere.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, ImportOutcome};
use deed_diag::Report;
use deed_model::PackEnd;
use deed_pack::PinnedUse;
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
    /// Take environments down that use a version which its issuer deprecated or revoked.
    #[arg(long)]
    force: bool,
}

/// A version that was brought in, or was refused.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BroughtIn {
    /// The version, or the file that has none.
    pack_ref: String,
    /// The event of its publication or of its end here; null where it was recorded before, or was refused.
    event: Option<Recorded>,
    /// The state in which its issuer ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<PackEnd>,
    /// True if it was refused: the diagnostics say why.
    refused: bool,
}

impl Import {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        Ok(shown(packs::import(&global.session(), &self.from, pinned(self.force))?))
    }
}

/// The answer to the end of a version that environments use.
pub(super) fn pinned(force: bool) -> PinnedUse {
    if force { PinnedUse::TakenDown } else { PinnedUse::Refused }
}

/// Shows versions that were brought in, with the reviews that do not count here, and those that were refused.
pub(super) fn shown(outcomes: Vec<ImportOutcome>) -> Success {
    let mut text = String::new();
    let mut report = Report::default();
    let mut data = Vec::new();
    let mut found = false;
    for ImportOutcome { name, result } in outcomes {
        match result {
            Ok(pack) => {
                let ended = pack.ended.map(|end| format!(", {end}")).unwrap_or_default();
                let _ = writeln!(text, "{}  {}{ended}", pack.pack_ref, pack.outcome);
                let (pack_ref, event) = (pack.pack_ref.to_string(), event(&pack.outcome));
                data.push(BroughtIn { pack_ref, event, ended: pack.ended, refused: false });
                report.merge(pack.report);
            }
            Err(refused) => {
                found = true;
                let _ = writeln!(text, "{name}  refused");
                data.push(BroughtIn { pack_ref: name, event: None, ended: None, refused: true });
                report.merge(refused.report);
            }
        }
    }
    Success { found, ..Success::new(data, text).report(report) }
}
