//! `deed decision show`: one decision on record.

use super::sources;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::show;
use deed_context::visible;
use deed_model::{Critique, DecisionRecord};
use deed_store::StoredDecision;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Show a recorded decision: the record, the verdict and its reasons.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed decision show last
  deed decision show dec_0123456789abcdef0123456789abcdef --json")]
pub(crate) struct Show {
    /// Id of the record, a unique prefix of it, or `last`.
    #[arg(value_name = "ID")]
    id: String,
}

/// A recorded decision.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownDecision {
    /// The record.
    record: DecisionRecord,
    /// The judgement.
    critique: Critique,
    /// Its place in the log.
    seq: u64,
    /// The hash of its entry.
    hash: String,
    /// The time at which it was recorded.
    at: String,
    /// The party that recorded it.
    actor: String,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let StoredDecision { entry, case, .. } = show(&global.session(), &self.id)?;
        let mut text = sources::text(&case.record, &case.critique);
        details(&mut text, &case.record);
        let _ = writeln!(text, "recorded   {} by {}", entry.event.at, visible(&entry.event.actor));
        let _ = writeln!(text, "entry      {} {}", entry.link.seq, entry.link.hash);
        let data = ShownDecision {
            record: case.record,
            critique: case.critique,
            seq: entry.link.seq,
            hash: entry.link.hash.to_string(),
            at: entry.event.at,
            actor: entry.event.actor,
        };
        Ok(Success::new(data, text))
    }
}

fn details(out: &mut String, record: &DecisionRecord) {
    let role = record.actor.role.as_ref().map(|role| format!(" ({role})")).unwrap_or_default();
    let _ = writeln!(out, "actor      {}{}", visible(&record.actor.id), visible(&role));
    let _ = writeln!(out, "subjects   {}", visible(&record.subject_ids.join(", ")));
    for (label, fields) in [("inputs", &record.inputs), ("outputs", &record.outputs)] {
        for (name, value) in fields {
            let _ = writeln!(out, "{label:<10} {}: {}", visible(name), visible(&value.to_string()));
        }
    }
    for reference in &record.evidence_refs {
        let _ = writeln!(out, "evidence   {}", visible(reference));
    }
    for policy in &record.policy_decisions {
        let _ = writeln!(out, "policy     {}: {}", visible(&policy.rule_id), policy.verdict.as_str());
    }
    for signed in &record.approvals {
        let approval = &signed.approval;
        let by = format!("{} {} by {}", approval.gate_id, approval.decision.as_str(), approval.approver);
        let _ = writeln!(out, "approval   {} as {}", visible(&by), visible(&approval.role));
    }
    let lineage = &record.lineage;
    let _ = writeln!(out, "pack       {} {}", visible(&lineage.pack.reference), lineage.pack.hash);
    for overlay in &lineage.overlays {
        let _ = writeln!(out, "overlay    {} {}", visible(&overlay.reference), overlay.hash);
    }
    let _ = writeln!(out, "context    {}", lineage.context);
    let step = lineage.plan_step.as_ref().map(|step| format!(", step {step}")).unwrap_or_default();
    let _ = writeln!(out, "run        {}{}", visible(&lineage.run), visible(&step));
    if let Some(trace) = &record.trace_id {
        let _ = writeln!(out, "trace      {}", visible(trace));
    }
    let _ = writeln!(out, "hash       {}", record.record_hash);
}
