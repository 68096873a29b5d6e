//! A drafted decision and what it is judged with, on the command line.

use crate::text::writeln;
use clap::Args;
use deed_app::decisions::JudgeRequest;
use deed_context::visible;
use deed_model::{CriticVerdict, Critique, DecisionRecord, SchemaStatus};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A drafted decision and what it is judged with.
#[derive(Debug, Args)]
pub(crate) struct DecisionArgs {
    /// Drafted decision (YAML or JSON).
    #[arg(value_name = "DECISION")]
    decision: PathBuf,
    /// Recorded compile that it was made from, as `deed context record` writes it.
    #[arg(long, value_name = "FILE")]
    context: PathBuf,
    /// Approval, as `deed decision approve` writes it; repeat for several.
    #[arg(long = "approval", value_name = "FILE")]
    approvals: Vec<PathBuf>,
    /// Run of the journal that it belongs to, whose approvals count: its name, a unique prefix of it, or `last`.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Step of the run's plan, where the draft names none.
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
    /// Instant at which expiry is judged, as RFC 3339 [default: now].
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
}

impl DecisionArgs {
    pub(super) fn request(&self) -> JudgeRequest {
        JudgeRequest {
            decision: self.decision.clone(),
            context: self.context.clone(),
            approvals: self.approvals.clone(),
            run: self.run.clone(),
            step: self.step.clone(),
            as_of: self.as_of.clone(),
        }
    }
}

/// Renders a judged decision for people.
pub(super) fn text(record: &DecisionRecord, critique: &Critique) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "verdict    {}", critique.verdict.as_str());
    let _ = writeln!(out, "decision   {} {}", visible(&record.decision_key), visible(&record.version));
    let outcome = record.outputs.get("outcome").and_then(Value::as_str).unwrap_or("none");
    let _ = writeln!(out, "outcome    {}", visible(outcome));
    let _ = writeln!(out, "record     {}", record.record_id);
    let scores = &record.scorecard;
    let (passed, of) = scores.checks.iter().fold((0, 0), |(p, o), score| (p + score.passed, o + score.of));
    let _ = writeln!(out, "score      {} of 1000: {passed} of {of} conditions hold", scores.per_mille);
    for (name, status) in [("inputs", critique.schemas.inputs), ("outputs", critique.schemas.outputs)] {
        if status != SchemaStatus::Checked {
            let _ = writeln!(out, "schema     {name} not checked: {}", status.as_str());
        }
    }
    for score in &scores.checks {
        let _ = writeln!(out, "  {:<9} {} of {}", score.check.as_str(), score.passed, score.of);
    }
    for finding in &critique.findings {
        let word = match finding.verdict {
            CriticVerdict::Accept => "note",
            other => other.as_str(),
        };
        let at = if finding.pointer.is_empty() { String::new() } else { format!("{}: ", visible(&finding.pointer)) };
        let _ = writeln!(out, "{word:<10} {at}{}", visible(&finding.message));
    }
    out
}
