//! `deed valpack lint`: the findings of the gates.

use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::{AppError, valpacks};
use deed_diag::Severity;
use deed_validation::{PackGateOutcome, pack_hash};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check a validation pack through all gates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed valpack lint valpacks/orders.yaml
  deed valpack lint valpacks/orders.yaml --deny-warnings")]
pub(crate) struct Lint {
    /// File of the pack.
    pack: PathBuf,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
}

/// The result of linting a validation pack.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedValidationPack {
    /// The file, as it was named.
    pack: String,
    /// Its reference; null where the document is not a pack.
    pack_ref: Option<String>,
    /// Its hash; null where the document is not a pack.
    content_hash: Option<String>,
    /// True where no gate found an error.
    passed: bool,
    /// The gates.
    gates: Vec<PackGateOutcome>,
}

impl Lint {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let linted = valpacks::linted(&self.pack)?;
        let lint = linted.lint;
        let found = !lint.passed() || (self.deny_warnings && lint.report.count(Severity::Warning) > 0);
        let mut text = String::new();
        for gate in &lint.gates {
            let verdict = match (gate.ran, gate.errors, gate.warnings) {
                (false, _, _) => "not run".to_owned(),
                (true, 0, 0) => "ok".to_owned(),
                (true, 0, warnings) => format!("ok, {}", count(warnings, "warning")),
                (true, errors, 0) => count(errors, "error"),
                (true, errors, warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
            };
            let _ = writeln!(text, "{:<11} {verdict}", gate.gate.as_str());
        }
        let pack = linted.file.pack();
        let hash = pack.and_then(|pack| pack_hash(pack).ok()).map(|hash| hash.to_string());
        let pack_ref = pack.map(|pack| pack.pack_ref.clone());
        if let (Some(pack_ref), Some(hash)) = (&pack_ref, &hash) {
            let _ = writeln!(text, "{pack_ref} {hash}");
        }
        let passed = lint.passed();
        let data = LintedValidationPack {
            pack: self.pack.display().to_string(),
            pack_ref,
            content_hash: hash,
            passed,
            gates: lint.gates,
        };
        let remark = if passed { "passed" } else { "refused: no profile can use the pack as it stands" };
        Ok(Success { found, ..Success::new(data, text).report(lint.report).remark(remark) })
    }
}
