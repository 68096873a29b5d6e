//! `deed gate approve` and `deed gate reject`.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::commands::execution::machine::MachineArgs;
use crate::commands::execution::shown;
use crate::commands::runs::resumed;
use crate::output::{Success, aside};
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{Decided, DecisionRequest, decide, resume_command};
use deed_model::GateDecision;
use serde_json::json;

/// A decision at a gate.
#[derive(Debug, Args)]
pub(crate) struct Decision {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// The gate, where several wait.
    #[arg(value_name = "GATE")]
    gate: Option<String>,
    /// The role in which it is decided.
    #[arg(long = "as", value_name = "ROLE")]
    role: String,
    /// The hash of what was looked at; refused if something else is asked by now.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
    /// A remark, for the journal.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// A key to sign with, in place of the workspace's.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Resume the run at once.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    types: TypeArgs,
}

impl Decision {
    pub(crate) fn run(&self, global: &Global, decision: GateDecision) -> Result<Success, AppError> {
        let request = DecisionRequest {
            run: self.run.clone(),
            gate: self.gate.clone(),
            decision,
            role: self.role.clone(),
            hash: self.hash.clone(),
            note: self.note.clone(),
            key: self.key.clone(),
            catalog_folders: self.types.folders.clone(),
        };
        let Decided { run_id, subject, subject_hash, approval, options } = decide(&global.session(), &request)?;
        let on = resume_command(&run_id, options.as_ref());
        let text = shown::gate_text(&subject, Some(&subject_hash.to_string()));
        let remark = match decision {
            GateDecision::Approved => format!("approved; `{on}` continues the run"),
            GateDecision::Rejected => format!("rejected; with `{on}` what waits for it fails"),
        };
        if self.resume {
            aside(&format!("{} by {} as {}", approval.decision.as_str(), approval.approver, approval.role));
            return resumed(global, &run_id, &[], &self.machine, &self.types);
        }
        Ok(Success::new(json!({ "run_id": run_id, "approval": approval }), text).remark(remark))
    }
}
