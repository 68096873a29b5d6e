//! The report of the checklist.

use super::surface::SurfaceEntry;
use crate::trial::EvaluatorResult;
use deed_canon::ContentHash;
use deed_context::GateJudgement;
use deed_diag::{Diagnostic, Severity};
use deed_model::{RegressionMetric, ReviewRole};
use deed_pack::Change;
use serde::Serialize;

/// The format of the report.
pub(super) const CI_FORMAT: &str = "deed/pack-ci/v1";

/// A line of the checklist, in the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CiStep {
    /// Parse, and validate the JSON Schema.
    Schema,
    /// Validate all internal references.
    References,
    /// Compare the tool surface with the expected one.
    Surface,
    /// Compile the golden requests.
    Golden,
    /// Replay incidents and corrections.
    Replay,
    /// Run the evaluators of policy, safety, utility, latency and cost.
    Evaluators,
    /// Review the differences, layer by layer.
    Diff,
    /// Judge whether the pack can be signed and published.
    Readiness,
}

impl CiStep {
    /// The lines after the first, in order.
    pub(super) const AFTER_SCHEMA: [Self; 7] =
        [Self::References, Self::Surface, Self::Golden, Self::Replay, Self::Evaluators, Self::Diff, Self::Readiness];

    /// Returns the line's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::References => "references",
            Self::Surface => "surface",
            Self::Golden => "golden",
            Self::Replay => "replay",
            Self::Evaluators => "evaluators",
            Self::Diff => "diff",
            Self::Readiness => "readiness",
        }
    }
}

/// The state of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineState {
    /// It ran and found no error.
    Passed,
    /// It found an error.
    Failed,
    /// It did not run; the reason says why.
    NotRun,
}

/// A line of the checklist with its state.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CiLine {
    /// Its number, from 1.
    pub number: usize,
    /// The line.
    pub step: CiStep,
    /// Its state.
    pub state: LineState,
    /// What was looked at, or why it did not run.
    pub note: Option<String>,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The findings. They are printed as diagnostics.
    #[serde(skip)]
    pub findings: Vec<Diagnostic>,
}

impl CiLine {
    /// Creates a line that ran.
    pub(super) fn ran(step: CiStep, note: Option<String>, findings: Vec<Diagnostic>) -> Self {
        let count = |severity| findings.iter().filter(|d| d.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        let state = if errors > 0 { LineState::Failed } else { LineState::Passed };
        let findings = findings.into_iter().map(|d| d.stage(step.as_str())).collect();
        Self { number: step as usize + 1, step, state, note, errors, warnings, findings }
    }

    /// Creates a line that did not run.
    pub(super) fn not_run(step: CiStep, why: impl Into<String>) -> Self {
        Self { state: LineState::NotRun, ..Self::ran(step, Some(why.into()), Vec::new()) }
    }
}

/// A difference between base and candidate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CiChange {
    /// The layer.
    pub layer: String,
    /// The class: the version number that the change needs.
    pub class: String,
    /// The kind: `added`, `removed` or `changed`.
    pub what: String,
    /// The changed thing.
    pub subject: String,
    /// The effect on what is enforced: `none`, `tightens`, `prompt_text` or `unproven`.
    pub effect: String,
    /// The reason for the class.
    pub why: String,
}

impl CiChange {
    pub(super) fn of(change: &Change) -> Self {
        Self {
            layer: change.layer.clone(),
            class: change.class.to_string(),
            what: change.what.as_str().to_owned(),
            subject: change.subject.clone(),
            effect: change.effect.to_string(),
            why: change.why.clone(),
        }
    }
}

/// Regressions that a caller accepts in a report, without a registry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CiAcceptance {
    /// The findings that are accepted.
    pub accepted: Vec<AcceptedFinding>,
    /// What covers no finding of this candidate.
    pub unused: Vec<Diagnostic>,
}

/// A regression that was accepted in a report.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AcceptedFinding {
    /// The metric that gets worse.
    pub metric: RegressionMetric,
    /// The hash of the finding, which covers the documents of the candidate.
    #[schemars(with = "String")]
    pub finding: ContentHash,
    /// The finding.
    pub what: String,
    /// The role that accepts it, as the caller stated it.
    pub role: ReviewRole,
    /// The actor.
    pub by: String,
    /// The reason.
    pub reason: String,
}

/// What the registry says about a publication.
#[derive(Debug)]
pub enum Readiness {
    /// The registry was asked.
    Checked {
        /// The objections to a publication.
        findings: Vec<Diagnostic>,
        /// The steps that are left, such as `security review`.
        left: Vec<String>,
    },
    /// There is no registry to ask.
    NotChecked {
        /// The reason.
        why: String,
    },
}

/// The report of the checklist.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CiReport {
    /// `deed/pack-ci/v1`.
    pub format: String,
    /// The candidate; none if the document is not a pack.
    pub pack_ref: Option<String>,
    /// Its hash.
    pub content_hash: Option<String>,
    /// The version that it was compared with.
    pub base: Option<String>,
    /// True if no line failed.
    pub passed: bool,
    /// The eight lines.
    pub lines: Vec<CiLine>,
    /// The tool surface of each intent.
    pub surface: Vec<SurfaceEntry>,
    /// The score targets.
    pub evaluators: Vec<EvaluatorResult>,
    /// The release gates.
    pub release_gates: Vec<GateJudgement>,
    /// The differences from the base.
    pub changes: Vec<CiChange>,
    /// The regressions that are accepted in this report alone.
    pub accepted: Vec<AcceptedFinding>,
    /// The steps that are left until the publication.
    pub left: Vec<String>,
}

impl CiReport {
    /// Iterates over the findings of all lines, in order.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.lines.iter().flat_map(|line| &line.findings)
    }
}
