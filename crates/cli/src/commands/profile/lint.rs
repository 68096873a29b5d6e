//! `deed profile lint`: the findings of the gates.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, profiles};
use deed_diag::Severity;
use deed_profile::ProfileGateOutcome;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check an execution profile through all gates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile lint team-default.profile.yaml
  deed profile lint team-default.profile.yaml \\
    --prices prices.yaml --deny-warnings")]
pub(crate) struct Lint {
    /// File of the profile.
    profile: PathBuf,
    /// Price table, whose `models` names the models that have a price.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
}

/// The result of linting a profile.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedProfile {
    /// The file, as it was named.
    profile: String,
    /// Its reference; null where the document is not a profile.
    profile_ref: Option<String>,
    /// Its hash; null where the document is not a profile.
    content_hash: Option<String>,
    /// True where no gate found an error.
    passed: bool,
    /// The gates.
    gates: Vec<ProfileGateOutcome>,
}

/// Returns a number of findings in words.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

impl Lint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (file, lint) = profiles::linted(&global.session(), &self.profile, self.prices.as_deref())?;
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
        let reference = file.profile_ref().map(|reference| reference.to_string());
        let hash = file.content_hash().ok().filter(|_| reference.is_some()).map(|hash| hash.to_string());
        if let (Some(reference), Some(hash)) = (&reference, &hash) {
            let _ = writeln!(text, "{reference} {hash}");
        }
        let passed = lint.passed();
        let data = LintedProfile {
            profile: self.profile.display().to_string(),
            profile_ref: reference,
            content_hash: hash,
            passed,
            gates: lint.gates,
        };
        let remark = if passed { "passed" } else { "refused: no run can use the profile as it stands" };
        Ok(Success { found, ..Success::new(data, text).report(lint.report).remark(remark) })
    }
}
