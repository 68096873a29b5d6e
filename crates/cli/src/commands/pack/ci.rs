//! `deed pack ci`: the checklist of a pipeline as one command with one report.

use super::accept::Accept;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_app::packs::{self, CheckedRelease, CiRequest};
use deed_canon::ContentHash;
use deed_context::{GateVerdict, visible};
use deed_diag::{Invariant as _, Report};
use deed_release::{AcceptedFinding, CiReport, LineState, WORKFLOW, junit, sarif};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Run the checklist of a pipeline: eight lines from schema to readiness, with one report.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack ci ./support
  deed pack ci ./support --base ctxpack.support@1.0.0 --archive incidents
  deed pack ci ./support --format sarif --out pack.sarif
  deed pack ci ./support --base ./base --accept prompt_text \\
      --as security --reason \"the tone is meant\"
  deed pack ci --workflow > .github/workflows/pack.yml")]
pub(crate) struct Ci {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    #[arg(required_unless_present = "workflow", conflicts_with = "workflow")]
    pack: Option<String>,
    /// Version to compare with: a folder or a version such as ctxpack.a@1.0.0 [default: the highest published version below].
    #[arg(long, value_name = "REF|DIR")]
    base: Option<String>,
    /// Folder of recordings to replay, besides the archives that the registry names; repeat for several.
    #[arg(long = "archive", value_name = "DIR")]
    archives: Vec<PathBuf>,
    /// Format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// File to write the report to; the lines are printed all the same.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    accept: Accept,
    /// Accept only for the documents with this hash, which the report states, so that the next edit is judged anew.
    #[arg(long = "accept-for", value_name = "HASH", requires = "accept")]
    accept_for: Option<ContentHash>,
    /// End with 1 too when a line was not run.
    #[arg(long)]
    deny_not_run: bool,
    /// Print a file for GitHub Actions that runs the checklist.
    #[arg(long, conflicts_with_all = ["base", "archives", "format", "out", "deny_not_run", "accept"])]
    workflow: bool,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people.
    Text,
    /// The report as JSON.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
}

/// The report of the checklist; with `--workflow` the file for GitHub Actions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is made once, and printed")]
pub(crate) enum CheckedPack {
    /// The report.
    Report(CiReport),
    /// The file.
    Workflow {
        /// Its text.
        workflow: String,
    },
}

impl Ci {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let Some(pack) = &self.pack else {
            let workflow = WORKFLOW.to_owned();
            return Ok(Success::new(CheckedPack::Workflow { workflow }, WORKFLOW).exact());
        };
        let request = CiRequest {
            pack: pack.clone(),
            base: self.base.clone(),
            archives: self.archives.clone(),
            accept: self.accept.acceptance(),
            accept_for: self.accept_for,
        };
        let CheckedRelease { report, findings } = packs::ci(&global.session(), &request)?;
        let formatted = formatted(&report, &findings, self.format);
        let text = match &self.out {
            Some(path) => {
                files::write(path, formatted.as_bytes(), Existing::Replace, Access::Shared)?;
                text(&report)
            }
            None => formatted,
        };
        let count = |state| report.lines.iter().filter(|line| line.state == state).count();
        let (failed, skipped) = (count(LineState::Failed), count(LineState::NotRun));
        let found = failed > 0 || (self.deny_not_run && skipped > 0);
        let remark = match (failed, skipped) {
            (0, 0) => "passed: all 8 lines".to_owned(),
            (0, skipped) => format!("passed: {} of 8 lines, {skipped} not run", 8 - skipped),
            (failed, _) => format!("refused: {failed} of 8 lines failed"),
        };
        let success = Success::new(CheckedPack::Report(report), text).report(findings).remark(remark);
        let success = if self.format == Format::Text || self.out.is_some() { success } else { success.exact() };
        Ok(Success { found, ..success })
    }
}

/// Returns the report in a format.
fn formatted(report: &CiReport, findings: &Report, format: Format) -> String {
    match format {
        Format::Text => text(report),
        Format::Json => {
            let mut data = serde_json::to_value(report).invariant("a report has a form in JSON");
            if let Some(members) = data.as_object_mut() {
                members.insert("findings".to_owned(), findings.to_json());
            }
            format!("{data:#}\n")
        }
        Format::Sarif => {
            let title = |code: &str| deed_diag::explain(code).map(|page| page.title.to_owned());
            format!("{:#}\n", sarif(report, findings, env!("CARGO_PKG_VERSION"), title))
        }
        Format::Junit => junit(report, findings),
    }
}

fn text(report: &CiReport) -> String {
    let mut out = String::new();
    for line in &report.lines {
        let state = match (line.state, line.errors, line.warnings) {
            (LineState::NotRun, ..) => "not run".to_owned(),
            (LineState::Passed, _, 0) => "passed".to_owned(),
            (LineState::Passed, _, 1) => "passed, 1 warning".to_owned(),
            (LineState::Passed, _, warnings) => format!("passed, {warnings} warnings"),
            (LineState::Failed, 0, _) => "failed".to_owned(),
            (LineState::Failed, 1, _) => "failed, 1 error".to_owned(),
            (LineState::Failed, errors, _) => format!("failed, {errors} errors"),
        };
        let note = line.note.as_ref().map_or_else(String::new, |note| format!("  ({note})"));
        let _ = writeln!(out, "{} {:<11} {state}{note}", line.number, line.step.as_str());
    }
    for judged in &report.evaluators {
        let measured = judged.measured.map_or_else(String::new, |measured| format!(" {measured:.4}"));
        let _ = writeln!(
            out,
            "target      {} {} {}{measured}, at {} ({})",
            judged.intent,
            judged.metric,
            judged.verdict.as_str(),
            judged.target,
            judged.basis
        );
    }
    for gate in &report.release_gates {
        let verdict = match gate.verdict {
            GateVerdict::Passed => "passed",
            GateVerdict::Failed => "failed",
            GateVerdict::NotJudged => "not judged",
        };
        let delta = gate.delta.map_or_else(String::new, |d| format!(" {d:+.4}, at most {:+.4}", gate.max_delta));
        let _ = writeln!(out, "gate        {} {verdict}{delta} ({})", gate.metric, gate.measured);
    }
    for accepted in &report.accepted {
        let AcceptedFinding { metric, role, by, what, reason, .. } = accepted;
        let (what, reason, by) = (visible(what), visible(reason), visible(by));
        let _ = writeln!(out, "accepted    {metric} as {role} by {by}: {what} ({reason})");
    }
    for change in &report.changes {
        let _ = writeln!(out, "change      {} {} {} ({})", change.class, change.what, change.subject, change.layer);
    }
    if let (Some(reference), Some(hash)) = (&report.pack_ref, &report.content_hash) {
        let _ = writeln!(out, "{reference} {hash}");
    }
    out
}
