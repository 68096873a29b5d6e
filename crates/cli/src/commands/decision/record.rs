//! `deed decision record`: judges a drafted decision, and records it.

use super::check::concluded;
use super::sources::{DecisionArgs, text};
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::{RecordingOutcome, record};
use deed_model::{CriticVerdict, Critique, DecisionRecord};
use schemars::JsonSchema;
use serde::Serialize;

/// Record a decision that passes the checks, or with --allow one that does not.
#[derive(Debug, Args)]
#[command(after_help = "What is not recorded ends with 1 (replan, reject) or 5 (escalate).

Examples:
  deed decision record decision.yaml --context recorded/1.json \\
      --approval approval.json
  deed decision record decision.yaml --context recorded/1.json --allow escalate")]
pub(crate) struct Record {
    #[command(flatten)]
    given: DecisionArgs,
    /// Record the decision with this verdict too; repeat for both.
    #[arg(long, value_name = "VERDICT", value_parser = ["escalate", "reject"])]
    allow: Vec<String>,
}

/// A judged decision, and its entry in the log.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecordedData {
    /// The record.
    record: DecisionRecord,
    /// The judgement.
    critique: Critique,
    /// The new entry; null where nothing was recorded, or the same was recorded before.
    entry: Option<Recorded>,
    /// True if the decision is in the log.
    recorded: bool,
}

impl Record {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let verdicts = [CriticVerdict::Escalate, CriticVerdict::Reject];
        let allowed: Vec<CriticVerdict> =
            verdicts.into_iter().filter(|verdict| self.allow.iter().any(|own| own == verdict.as_str())).collect();
        let RecordingOutcome { judged, recorded } = record(&global.session(), &self.given.request(), &allowed)?;
        let (case, report) = (judged.case, judged.report);
        let text = text(&case.record, &case.critique);
        let verdict = case.critique.verdict;
        let data = RecordedData {
            record: case.record,
            critique: case.critique,
            entry: recorded.as_ref().and_then(event),
            recorded: recorded.is_some(),
        };
        let success = Success::new(data, text).report(report);
        Ok(match recorded {
            Some(outcome) => success.remark(outcome.to_string()),
            None => concluded(success.remark("nothing was recorded"), verdict),
        })
    }
}
