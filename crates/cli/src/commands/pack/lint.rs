//! `deed pack lint`: the findings of the eight validation gates.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, LintOutcome};
use deed_diag::Severity;
use deed_pack::{GateOutcome, LintReport};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Check a pack: eight validation gates, each reporting everything it finds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack lint support
  deed pack lint support --deny-warnings --lines")]
pub(crate) struct Lint {
    /// Folder of the pack, or a single pack file.
    #[arg(default_value = ".")]
    pack: PathBuf,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
    /// Do not record in the registry that the draft passed.
    #[arg(long)]
    no_record: bool,
}

/// The result of linting a pack.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedPack {
    /// The pack, as it was named.
    pack: String,
    /// Its reference; null where the document is not a pack.
    pack_ref: Option<String>,
    /// Its hash; null where the document is not a pack.
    content_hash: Option<String>,
    /// True where no validation gate found an error.
    passed: bool,
    /// True where the registry recorded that it passed.
    recorded: bool,
    /// The validation gates.
    gates: Vec<GateOutcome>,
}

impl Lint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let outcome = packs::lint(&global.session(), &self.pack, !self.no_record)?;
        let LintOutcome { report, recorded, unrecorded } = outcome;
        let found = !report.passed() || (self.deny_warnings && report.report.count(Severity::Warning) > 0);
        let mut success = concluded(&self.pack, report, recorded.is_some());
        if let Some(fault) = unrecorded {
            // The gates are on standard output; the command fails as the environment did.
            success.report.merge(fault.report);
            success.lacking = true;
            success = success.remark("passed, and not recorded: the registry cannot be written");
        }
        Ok(Success { found, ..success })
    }
}

/// A line for each gate, then the verdict.
pub(super) fn concluded(pack: &Path, report: LintReport, recorded: bool) -> Success {
    let mut text = String::new();
    for gate in &report.gates {
        let verdict = match (gate.ran, gate.errors, gate.warnings) {
            (false, _, _) => "not run".to_owned(),
            (true, 0, 0) => "ok".to_owned(),
            (true, 0, w) => format!("ok, {w} warning{}", plural(w)),
            (true, e, 0) => format!("{e} error{}", plural(e)),
            (true, e, w) => format!("{e} error{}, {w} warning{}", plural(e), plural(w)),
        };
        let _ = writeln!(text, "{:<11} {verdict}", gate.gate.as_str());
    }
    let reference = report.draft.as_ref().map(|d| d.pack_ref.to_string());
    let hash = report.draft.as_ref().map(|d| d.content_hash);
    if let (Some(reference), Some(hash)) = (&reference, &hash) {
        let _ = writeln!(text, "{reference} {hash}");
    }
    let passed = report.passed();
    let data = LintedPack {
        pack: pack.display().to_string(),
        pack_ref: reference,
        content_hash: hash.map(|hash| hash.to_string()),
        passed,
        recorded,
        gates: report.gates.clone(),
    };
    let remark = match (passed, recorded) {
        (false, _) => "refused: the pack cannot be published as it stands".to_owned(),
        (true, true) => "passed, and recorded as linted".to_owned(),
        (true, false) => "passed".to_owned(),
    };
    Success::new(data, text).report(report.report).remark(remark)
}

pub(super) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
