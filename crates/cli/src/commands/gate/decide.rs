//! `deed gate approve` and `deed gate reject`.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::commands::execution::machine::MachineArgs;
use crate::commands::execution::shown;
use crate::commands::execution::shown::RunData;
use crate::commands::runs::resumed;
use crate::output::{Success, aside};
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{Decided, DecisionRequest, decide, resume_command};
use deed_diag::codes;
use deed_model::{Approval, GateDecision};
use schemars::JsonSchema;
use serde::Serialize;

/// A decision at a gate.
#[derive(Debug, Args)]
pub(crate) struct Decision {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Gate to decide, where several wait.
    #[arg(value_name = "GATE")]
    gate: Option<String>,
    /// Role in which you decide [default: the role of the gate, where GATE is named or only one waits].
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Hash of what you reviewed, or its first 12 digits; refused if the gate asks something else by now.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
    /// Remark, for the journal.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Key to sign with, in place of the project's.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Resume the run after the decision.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    types: TypeArgs,
}

/// A decision; with `--resume` the run after it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the run is printed by the resume itself")]
pub(crate) enum DecidedGate {
    /// The decision.
    Decision {
        /// The run.
        run_id: String,
        /// The decision as it was signed.
        approval: Box<Approval>,
    },
    /// The run, with `--resume`.
    Run(Box<RunData>),
}

/// Says in the refusal of a resume that the decision before it was recorded.
fn recorded(mut error: AppError, decision: GateDecision) -> AppError {
    let made = match decision {
        GateDecision::Approved => "approval",
        GateDecision::Rejected => "rejection",
    };
    error.report = error.report.map(|mut found| {
        if found.code == codes::RESUME_OPTIONS_MISSING {
            found.help = found.help.map(|help| format!("the {made} is recorded; {help}"));
        }
        found
    });
    error
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
        let Decided { run_id, subject, subject_hash, approval, options, is_driven } =
            decide(&global.session(), &request)?;
        let on = resume_command(&run_id, options.as_ref());
        let text = shown::gate_text(&subject, Some(&subject_hash));
        let by = format!("by {} as {}", approval.approver, approval.role);
        let remark = match decision {
            _ if is_driven => format!(
                "{} {by}; the process that drives the run continues with it, and `{on}` does once it has ended",
                decision.as_str()
            ),
            GateDecision::Approved => format!("approved {by}; `{on}` continues the run"),
            GateDecision::Rejected => format!("rejected {by}; `{on}` fails the steps that wait for it"),
        };
        if self.resume && !is_driven {
            aside(&format!("{} {by}", approval.decision.as_str()));
            let driven = resumed(global, &run_id, &[], &self.machine, &self.types);
            return driven.map_err(|error| recorded(error, decision));
        }
        Ok(Success::new(DecidedGate::Decision { run_id, approval: Box::new(approval) }, text).remark(remark))
    }
}
