//! `deed ladder climb`: one payload, or many, up the rungs.

use super::given::{ladder, read};
use super::{lines, record};
use crate::output::{Stream, Success};
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::files;
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Place, Report, Severity, codes};
use deed_ladder::{Climbed, Input, climb};
use deed_model::{LadderFinding, LadderOutcome, LadderReport, Phase, Proposals, Rung};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Changes that the summary names.
const MOST_SHOWN: usize = 40;

/// Check and correct a payload rung by rung, and record every change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed ladder climb --contract order.contract.yaml answer.txt")]
pub(crate) struct Climb {
    /// Ladder contract (JSON or YAML).
    #[arg(long, value_name = "CONTRACT")]
    contract: PathBuf,
    /// Phase of a run in which the ladder is climbed.
    #[arg(long, value_name = "PHASE", default_value = "step_output")]
    phase: PhaseArg,
    /// Proposals for the rungs that need understanding (JSON or YAML).
    #[arg(long, value_name = "FILE")]
    proposals: Option<PathBuf>,
    /// Read one payload a line from PAYLOAD, as for a name that ends in `.jsonl`.
    #[arg(long)]
    jsonl: bool,
    /// Payload: JSON, or text as a model wrote it; `-` for standard input.
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
}

/// The phases, as they are written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum PhaseArg {
    Ingestion,
    PlannerCandidate,
    CompiledPlan,
    StepInput,
    StepOutput,
    FinalOutput,
}

impl From<PhaseArg> for Phase {
    fn from(phase: PhaseArg) -> Self {
        match phase {
            PhaseArg::Ingestion => Self::Ingestion,
            PhaseArg::PlannerCandidate => Self::PlannerCandidate,
            PhaseArg::CompiledPlan => Self::CompiledPlan,
            PhaseArg::StepInput => Self::StepInput,
            PhaseArg::StepOutput => Self::StepOutput,
            PhaseArg::FinalOutput => Self::FinalOutput,
        }
    }
}

impl Climb {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let ladder = ladder(&self.contract)?;
        let proposals = match &self.proposals {
            Some(path) => read::<Proposals>(path)?.0,
            None => Proposals::default(),
        };
        let phase = Phase::from(self.phase);
        if self.jsonl || self.payload.extension().is_some_and(|e| e == "jsonl" || e == "ndjson") {
            return lines::climb(&ladder, phase, &proposals, &self.payload);
        }
        let file = files::read(&self.payload)?;
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            return Err(AppError::refused(
                Diagnostic::error(codes::PAYLOAD_NOT_TEXT, "the payload is not UTF-8 text")
                    .stage("ladder")
                    .at(Place::file(file.name))
                    .help("a payload is JSON, or text with JSON in it"),
            ));
        };
        let climbed = climb(&ladder, Input::Text(text), phase, &proposals);
        conclude(climbed, &file.name, text)
    }
}

/// The payload with the record of its climb. The fields are in the order of their names, as JSON documents of ours are.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The payload; null where it was rejected.
    payload: Option<Value>,
    /// Every change and finding.
    report: LadderReport,
}

/// What is said of one climb.
fn conclude(climbed: Climbed, name: &str, text: &str) -> Result<Success, AppError> {
    let Climbed { payload, report } = climbed;
    // Where the guard found something, nothing of the source is shown: what it forbids only the contract knows.
    let guarded = report.findings.iter().any(|finding| finding.rung == Rung::L3);
    let document = Document::read_with(name, text.as_bytes(), Format::Json, sensitive_ranges).ok().filter(|_| !guarded);
    let mut diagnostics = Report::default();
    if let Some(document) = &document {
        diagnostics.add_source(document.source().clone());
    }
    for finding in &report.findings {
        diagnostics.push(diagnostic(finding, document.as_ref(), name));
    }
    let rejected = report.outcome == LadderOutcome::Rejected;
    let mut remark = summary(&report);
    let stream = Stream::new(Answer { payload, report }, record::LARGEST);
    if stream.len() > record::LARGEST {
        remark.push_str("\n  the record is larger than `deed ladder undo` reads, so this climb cannot be taken back");
    }
    let success = Success { stream: Some(stream), found: rejected, ..Success::default() };
    Ok(success.report(diagnostics).remark(remark))
}

fn diagnostic(finding: &LadderFinding, document: Option<&Document>, name: &str) -> Diagnostic {
    let severity = if finding.blocks { Severity::Error } else { Severity::Warning };
    let place = match document {
        Some(document) => document.place(&finding.pointer),
        None => Place { pointer: Some(finding.pointer.clone()).filter(|p| !p.is_empty()), ..Place::file(name) },
    };
    Diagnostic::new(severity, lines::code(&finding.code), finding.message.clone())
        .stage(finding.rung.as_str())
        .at(place)
        .help_opt(finding.help.clone())
}

/// The record in a few lines, for people.
fn summary(report: &LadderReport) -> String {
    let mut out = report.outcome.as_str().to_owned();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for repair in &report.repairs {
        let (count, _) = kinds.entry(repair.kind.as_str()).or_insert((0, repair.start));
        *count += 1;
    }
    for (kind, (count, first)) in kinds {
        let times = if count == 1 { String::new() } else { format!(", {count} times") };
        let _ = write!(out, "\n  L0   {kind} at byte {first}{times}");
    }
    let changes: Vec<_> = report.changes.iter().filter(|change| change.rung != Rung::L0).collect();
    for change in changes.iter().take(MOST_SHOWN) {
        let places: Vec<&str> = change.patch.iter().map(|op| op.path()).collect();
        let at = if places.join("").is_empty() { "the payload".to_owned() } else { places.join(", ") };
        let sure =
            if change.confidence == 1000 { String::new() } else { format!(" ({} thousandths)", change.confidence) };
        let _ = write!(out, "\n  {:<4} {} at {at}{sure}", change.rung.as_str(), change.rule);
    }
    if changes.len() > MOST_SHOWN {
        let _ = write!(out, "\n  and {} more, in the report", changes.len() - MOST_SHOWN);
    }
    out
}

/// The name of a payload for messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { files::STDIN.to_owned() } else { path.display().to_string() }
}
