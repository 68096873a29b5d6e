//! `deed runs tools`: the calls of a run as tool envelopes.

use crate::args::Global;
use crate::commands::execution::shown::plain;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{RunTools, load, rolled_back};
use deed_model::{ToolEnvelope, ToolOutcome};
use std::fmt::Write as _;

/// Print the tool calls of a run with their results, approval modes and approvals.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs tools last
  deed runs tools week-46 --step send --json")]
pub(crate) struct Tools {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Print only calls of this step.
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
}

impl Tools {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, _, loaded) = load(&global.session(), &self.run)?;
        let mut tools = loaded.tools();
        if let Some(step) = &self.step {
            loaded.require_step(step)?;
            tools.calls.retain(|envelope| envelope.call.step_id == *step);
            tools.refused.retain(|refused| refused.step_id == *step);
        }
        let text = text(&tools);
        let remark = format!("{}, {} refused", count(tools.calls.len(), "call"), tools.refused.len());
        Ok(Success::new(tools, text).remark(remark).report(rolled_back(&home)?))
    }
}

fn text(tools: &RunTools) -> String {
    let mut out = String::new();
    for envelope in &tools.calls {
        let ToolEnvelope { call, .. } = envelope;
        let modes = call.approval_modes.map_or_else(
            || "modes not recorded".to_owned(),
            |modes| format!("{} of {}, at most {}", modes.approval_mode, modes.declared_mode, modes.safety_mode),
        );
        let (step, tool, summary) = (plain(&call.step_id), plain(&call.tool_id), plain(&call.summary));
        let _ = writeln!(
            out,
            "{:<20}  {step:<12} {tool:<18} {:<10} {modes}  {summary}",
            call.requested_at,
            status(envelope)
        );
        for approval in &call.approvals {
            let (decision, role) = (approval.decision.as_str(), plain(&approval.role));
            let _ = writeln!(out, "  {decision} by {role} at {}", plain(&approval.gate_id));
        }
    }
    for refused in &tools.refused {
        let (step, message) = (plain(&refused.step_id), plain(&refused.message));
        let _ = writeln!(out, "{:<20}  {step:<12} refused {}  {message}", refused.refused_at, refused.code);
    }
    out
}

fn status(envelope: &ToolEnvelope) -> String {
    match envelope.result.as_ref().map(|result| &result.outcome) {
        None => "no answer".to_owned(),
        Some(ToolOutcome::Ok { .. } | ToolOutcome::Stored { .. }) => "ok".to_owned(),
        Some(ToolOutcome::Failed { kind, .. }) => format!("failed {kind}"),
    }
}
