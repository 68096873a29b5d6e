//! `deed decision approve`: an approver's signed answer about a drafted decision.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::{ApprovalRequest, approve, write_approval};
use deed_context::visible;
use deed_model::{DecisionSubject, GateDecision, SignedApproval};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Approve a drafted decision at a gate, or reject it; the answer is signed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed decision approve decision.yaml --context recorded/1.json \\
      --as finance_lead --out approval.json
  deed decision approve decision.yaml --context recorded/1.json --reject \\
      --note \"wrong order\" --out answer.json")]
pub(crate) struct Approve {
    /// Drafted decision (YAML or JSON).
    #[arg(value_name = "DECISION")]
    decision: PathBuf,
    /// Recorded compile that it was made from, as `deed context record` writes it.
    #[arg(long, value_name = "FILE")]
    context: PathBuf,
    /// Gate, where the context asks at several.
    #[arg(long, value_name = "GATE")]
    gate: Option<String>,
    /// Role in which you answer [default: the role of the gate].
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Reject the decision.
    #[arg(long)]
    reject: bool,
    /// Remark, which is signed too.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Key to sign with, in place of the project's.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// File to write the approval to.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

impl Approve {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = ApprovalRequest {
            decision: self.decision.clone(),
            context: self.context.clone(),
            gate: self.gate.clone(),
            role: self.role.clone(),
            answer: if self.reject { GateDecision::Rejected } else { GateDecision::Approved },
            note: self.note.clone(),
            key: self.key.clone(),
        };
        let (signed, subject) = approve(&global.session(), &request)?;
        write_approval(&self.out, &signed)?;
        let text = text(&signed, &subject);
        let by = format!("{} by {}", signed.approval.decision.as_str(), signed.approval.approver);
        let remark = format!("{by} as {}; written to {}", signed.approval.role, self.out.display());
        Ok(Success::new(signed, text).remark(remark))
    }
}

fn text(signed: &SignedApproval, subject: &DecisionSubject) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "gate       {}", visible(&subject.gate_id));
    let _ = writeln!(out, "decision   {} {}", visible(&subject.decision_key), visible(&subject.version));
    let _ = writeln!(out, "subjects   {}", visible(&subject.subject_ids.join(", ")));
    for (label, fields) in [("inputs", &subject.inputs), ("outputs", &subject.outputs)] {
        for (name, value) in fields {
            let _ = writeln!(out, "{label:<10} {}: {}", visible(name), visible(&value.to_string()));
        }
    }
    for reference in &subject.evidence_refs {
        let _ = writeln!(out, "evidence   {}", visible(reference));
    }
    let _ = writeln!(out, "expires    {}", subject.expires_at);
    let _ = writeln!(out, "context    {}", subject.context);
    let _ = writeln!(out, "shown      {}", signed.approval.subject_hash);
    out
}
