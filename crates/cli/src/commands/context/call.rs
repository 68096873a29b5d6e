//! `deed context call`: the decision about one call of a tool, with its real arguments.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::tool_call;
use deed_context::visible;
use deed_model::{CallDecision, CallReason, CallVerdict};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Evaluate a call of a tool with its real arguments.
#[derive(Debug, Args)]
#[command(after_help = "Ends with 1 if the call is denied and with 5 if an approval is needed.

Examples:
  deed context call --pack ./support --request request.yaml --run run.yaml \\
      --call call.yaml")]
pub(crate) struct Call {
    #[command(flatten)]
    given: ContextArgs,
    /// Call (JSON or YAML): {tool: adapter.capability, arguments: {…}}; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    call: PathBuf,
}

impl Call {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let call = tool_call(&self.call)?;
        let (loaded, report) = self.given.load(global)?;
        let pack = loaded.hydrate()?;
        let decision = loaded.decide(&pack, &call)?;
        let (verdict, text) = (decision.verdict, text(&decision));
        let mut success = Success::new(decision, text).report(report);
        match verdict {
            CallVerdict::Allow => {}
            CallVerdict::NeedsApproval => success.waiting = true,
            CallVerdict::Deny => success.found = true,
        }
        Ok(success)
    }
}

fn text(decision: &CallDecision<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "verdict    {}", decision.verdict.as_str());
    let mode = decision.approval_mode.map(|mode| format!(" ({mode})")).unwrap_or_default();
    let _ = writeln!(out, "tool       {}{mode}", visible(&decision.tool));
    for reason in &decision.reasons {
        let _ = writeln!(out, "because    {}", visible(&words(reason)));
    }
    for gate in &decision.approval_gates {
        let role = gate.required_approver_role.as_deref().unwrap_or("a person");
        let valid = gate.ttl_seconds.map(|seconds| format!(", valid for {seconds} s")).unwrap_or_default();
        let _ = writeln!(out, "ask        {role} at {}{valid}", gate.gate_id);
    }
    for name in &decision.requires {
        let _ = writeln!(out, "requires   {}", visible(name));
    }
    let _ = writeln!(out, "call       {}", decision.call_hash);
    out
}

fn words(reason: &CallReason<'_>) -> String {
    match reason {
        CallReason::UnknownTool { did_you_mean: Some(near) } => {
            format!("the pack has no such tool; did you mean {near}?")
        }
        CallReason::UnknownTool { did_you_mean: None } => "the pack has no such tool".to_owned(),
        CallReason::Hidden { check, source: Some(source) } => format!("it is hidden by {} ({source})", check.as_str()),
        CallReason::Hidden { check, source: None } => format!("it is hidden by {}", check.as_str()),
        CallReason::Denied { rule_id, reason: Some(reason) } => format!("rule {rule_id} denies: {reason}"),
        CallReason::Denied { rule_id, reason: None } => format!("rule {rule_id} denies"),
        CallReason::MustRefuse { guardrail } => format!("guardrail {guardrail} is active"),
        CallReason::InsufficientEvidence { decision_key, effect, unmet } => {
            format!("the evidence for {decision_key} is insufficient ({}): {}", effect.as_str(), unmet.join(", "))
        }
        CallReason::MustEscalate { source } => format!("{source} demands a person"),
        CallReason::Argument { argument, bound, source } => format!("argument {argument}: {bound} ({source})"),
        CallReason::Gate { gate_id } => format!("gate {gate_id} is active"),
    }
}
