//! `deed ladder climb`: one payload, or many, checked and corrected rung by rung.

use super::lines;
use crate::args::Global;
use crate::output::{Stream, Success, begin_stream};
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::ladders::{ClimbedPayload, Climber, LARGEST_RECORD};
use deed_app::lines::Lines;
use deed_ladder::Climbed;
use deed_model::{LadderOutcome, LadderReport, Phase, Rung};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Changes that the summary names.
const MOST_SHOWN: usize = 40;

/// Check and correct a payload rung by rung, and record every change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed ladder climb --contract order.contract.yaml answer.txt
  deed ladder climb --contract order.contract.yaml \\
      --payload answer.txt > order.json")]
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
    /// Read one payload from each line of PAYLOAD, as for a name that ends in `.jsonl`.
    #[arg(long)]
    jsonl: bool,
    /// Print an accepted payload alone, without the record of its climb; nothing where it is rejected.
    #[arg(long = "payload", conflicts_with = "jsonl")]
    payload_alone: bool,
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let many = self.jsonl || Lines::are_in(&self.payload);
        if many {
            begin_stream();
        }
        let climber = Climber::load(&self.contract, self.proposals.as_deref(), Phase::from(self.phase))?;
        if many {
            return lines::climb(&climber, &self.payload);
        }
        let mut warnings = climber.warnings().clone();
        let ClimbedPayload { climbed, findings } = climber.file(&self.payload)?;
        warnings.merge(findings);
        let success = if self.payload_alone { alone(climbed, global) } else { shown(climbed) };
        Ok(success.report(warnings))
    }
}

/// The payload with the record of its climb. The fields are in the order of their names, as JSON documents of ours are.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The payload; null where it was rejected.
    payload: Option<Value>,
    /// Every change and finding; absent with `--payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<LadderReport>,
}

/// The payload without its record, where it was accepted.
fn alone(climbed: Climbed, global: &Global) -> Success {
    let Climbed { payload, report } = climbed;
    let rejected = report.outcome == LadderOutcome::Rejected;
    let payload = payload.filter(|_| !rejected);
    let stream = match (global.json, payload) {
        (true, payload) => Some(Stream::new(Answer { payload, report: None }, LARGEST_RECORD)),
        (false, payload) => payload.map(|payload| Stream::new(payload, LARGEST_RECORD)),
    };
    Success { stream, found: rejected, ..Success::default() }.remark(summary(&report))
}

fn shown(climbed: Climbed) -> Success {
    let Climbed { payload, report } = climbed;
    let rejected = report.outcome == LadderOutcome::Rejected;
    let mut remark = summary(&report);
    let stream = Stream::new(Answer { payload, report: Some(report) }, LARGEST_RECORD);
    if stream.len() > LARGEST_RECORD {
        remark.push_str("\n  the record is larger than `deed ladder undo` reads, so this climb cannot be undone");
    }
    let success = Success { stream: Some(stream), found: rejected, ..Success::default() };
    success.remark(remark)
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
