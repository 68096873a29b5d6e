//! `deed decision check`: the critic's verdict on a drafted decision.

use super::sources::{DecisionArgs, text};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::{JudgedDecision, judge};
use deed_model::{CriticVerdict, Critique, DecisionRecord};
use schemars::JsonSchema;
use serde::Serialize;

/// Check a drafted decision against the compiled context that it was made from.
#[derive(Debug, Args)]
#[command(after_help = "Ends with 1 for the verdicts replan and reject, and with 5 for escalate.

Examples:
  deed decision check decision.yaml --context recorded/1.json
  deed decision check decision.yaml --context recorded/1.json \\
      --approval approval.json")]
pub(crate) struct Check {
    #[command(flatten)]
    given: DecisionArgs,
}

/// A judged decision.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JudgedData {
    /// The record as it would be recorded.
    pub(super) record: DecisionRecord,
    /// The judgement.
    pub(super) critique: Critique,
}

impl Check {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let JudgedDecision { case, report, .. } = judge(&global.session(), &self.given.request())?;
        let text = text(&case.record, &case.critique);
        let verdict = case.critique.verdict;
        let data = JudgedData { record: case.record, critique: case.critique };
        Ok(concluded(Success::new(data, text).report(report), verdict))
    }
}

/// Gives a verdict its exit code.
pub(super) fn concluded(mut success: Success, verdict: CriticVerdict) -> Success {
    match verdict {
        CriticVerdict::Accept => {}
        CriticVerdict::Escalate => success.waiting = true,
        CriticVerdict::Replan | CriticVerdict::Reject => success.found = true,
    }
    success
}
