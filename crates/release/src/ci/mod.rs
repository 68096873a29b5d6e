//! The checklist of a pipeline: eight lines, each with its state and its findings.

mod lines;
mod report;
mod surface;

pub use report::{AcceptedFinding, CiAcceptance, CiChange, CiLine, CiReport, CiStep, LineState, Readiness};

use report::CI_FORMAT;
pub use surface::SurfaceEntry;

use crate::regressions::Regression;
use crate::release::Release;
use crate::trial::{TrialResult, evaluate};
use deed_canon::ContentHash;
use deed_context::GoldenRunner;
use deed_diag::{Report, codes};
use deed_model::Metric;
use deed_pack::{Bundle, Diff, Gate, LintReport, lint_with};
use lines::Lines;
use std::collections::BTreeSet;

/// A file for GitHub Actions that runs the checklist on every change of a pack.
pub const WORKFLOW: &str = include_str!("workflow.yml");

/// The inputs of the checklist.
#[derive(Debug)]
pub struct CiInput<'b> {
    /// The candidate.
    pub candidate: &'b Bundle,
    /// The release; none if a document is not a pack.
    pub release: Option<&'b Release<'b>>,
    /// The reason why there is no base.
    pub no_base: Option<String>,
    /// What trying the release found, or why it could not be tried.
    pub trial: Option<Result<TrialResult, Report>>,
    /// The regressions, and those of them that were accepted.
    pub regressions: Vec<Regression>,
    /// The findings that were accepted for exactly these documents.
    pub accepted: BTreeSet<ContentHash>,
    /// What the caller accepts in this report.
    pub acceptance: CiAcceptance,
    /// The comparison with the base, or why the two cannot be compared.
    pub diff: Option<Result<(Diff, Report), Report>>,
    /// What the registry says.
    pub readiness: Readiness,
}

impl CiInput<'_> {
    /// Returns the metrics with a regression of compiles that is accepted.
    fn accepted_metrics(&self) -> BTreeSet<Metric> {
        let of_compiles = [codes::RELEASE_GATE_FAILED, codes::RECORDED_REQUESTS_REFUSED];
        let accepted = self.regressions.iter().filter(|r| self.accepted.contains(&r.finding));
        let metrics = accepted.filter(|r| of_compiles.contains(&r.diagnostic.code)).map(|r| r.metric);
        metrics.filter_map(|metric| Metric::ALL.into_iter().find(|own| own.as_str() == metric.as_str())).collect()
    }
}

/// Runs the checklist.
pub fn checklist(input: CiInput<'_>) -> CiReport {
    let linted = lint_with(input.candidate, &Gate::ALL, &GoldenRunner);
    let mut lines = Lines::of(&input, &linted);
    lines.push(lines::schema(&lines));
    lines.push(lines::references(&lines));
    lines.push(lines::surface(&lines));
    lines.push(lines::golden(&lines));
    lines.push(lines::replay(&lines));
    lines.push(lines::evaluators(&lines));
    lines.push(lines::diff(&lines));
    lines.push(lines::readiness(&lines));
    concluded(&input, &linted, lines.into_lines())
}

/// Returns the report about documents that cannot be parsed: nothing but the first line could run.
pub fn unreadable(report: &Report) -> CiReport {
    let first = CiLine::ran(CiStep::Schema, None, report.diagnostics().to_vec());
    let rest = CiStep::AFTER_SCHEMA.map(|step| CiLine::not_run(step, "the documents cannot be read"));
    CiReport {
        format: CI_FORMAT.to_owned(),
        pack_ref: None,
        content_hash: None,
        base: None,
        passed: false,
        lines: std::iter::once(first).chain(rest).collect(),
        surface: Vec::new(),
        evaluators: Vec::new(),
        release_gates: Vec::new(),
        changes: Vec::new(),
        accepted: Vec::new(),
        left: Vec::new(),
    }
}

fn concluded(input: &CiInput<'_>, linted: &LintReport, lines: Vec<CiLine>) -> CiReport {
    let trial = input.trial.as_ref().and_then(|trial| trial.as_ref().ok());
    let (surface, evaluators) = match (input.release, trial) {
        (Some(release), Some(trial)) => {
            (surface::entries(release, trial), evaluate(release, trial, &input.accepted_metrics()))
        }
        _ => (Vec::new(), Vec::new()),
    };
    let compared = input.diff.as_ref().and_then(|diff| diff.as_ref().ok());
    CiReport {
        format: CI_FORMAT.to_owned(),
        pack_ref: linted.draft.as_ref().map(|draft| draft.pack_ref.to_string()),
        content_hash: linted.draft.as_ref().map(|draft| draft.content_hash.to_string()),
        base: compared.map(|(diff, _)| diff.before.to_string()),
        passed: lines.iter().all(|line| line.state != LineState::Failed),
        lines,
        surface,
        evaluators,
        release_gates: trial.map(|trial| trial.what_if.gates.clone()).unwrap_or_default(),
        changes: compared.map(|(diff, _)| diff.changes.iter().map(CiChange::of).collect()).unwrap_or_default(),
        accepted: input.acceptance.accepted.clone(),
        left: match &input.readiness {
            Readiness::Checked { left, .. } => left.clone(),
            Readiness::NotChecked { .. } => Vec::new(),
        },
    }
}
