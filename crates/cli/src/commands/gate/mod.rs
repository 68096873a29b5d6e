//! `deed gate`: what waits for a person, and what they say.

mod decide;
mod list;
mod show;

use crate::args::Global;
use crate::commands::execution::{Loaded, shown};
use crate::commands::registry::stamp;
use crate::failure::Failure;
use crate::output::Success;
use clap::Subcommand;
use deed_diag::{Code, Diagnostic, did_you_mean};
use deed_model::GateSubject;
use deed_runtime::GateState;
use jiff::Timestamp;

const NO_SUCH_GATE: Code = Code::new("D2010");

/// What can be done at gates.
#[derive(Debug, Subcommand)]
pub(crate) enum Gate {
    List(list::List),
    Show(show::Show),
    /// Approve exactly what is shown, once.
    Approve(decide::Decision),
    /// Reject what is shown; what waits for it fails.
    Reject(decide::Decision),
}

impl Gate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Approve(c) => c.run(global, deed_model::GateDecision::Approved),
            Self::Reject(c) => c.run(global, deed_model::GateDecision::Rejected),
        }
    }
}

/// Whether a question holds no longer.
fn lapsed(subject: &GateSubject, now_ms: i64) -> bool {
    subject.expires_at.parse::<Timestamp>().is_ok_and(|until| until.as_millisecond() <= now_ms)
}

/// The same at the time of the command.
fn lapsed_now(subject: &GateSubject, global: &Global) -> Result<bool, Failure> {
    let now = stamp(global)?.at;
    Ok(now.parse::<Timestamp>().is_ok_and(|now| lapsed(subject, now.as_millisecond())))
}

/// What can be done about a question that has lapsed.
fn anew(run_id: &str) -> String {
    format!("`deed runs resume {run_id}` asks anew")
}

/// The gate that is meant: the one named, or the only one that is open.
pub(crate) fn meant<'l>(loaded: &'l Loaded, name: Option<&str>) -> Result<&'l GateState, Failure> {
    let open: Vec<&GateState> = shown::asked(&loaded.state).collect();
    let refuse = |message: String, help: String| {
        Failure::refused(Diagnostic::error(NO_SUCH_GATE, message).stage("gates").help(help))
    };
    match (name, open.as_slice()) {
        (None, [only]) => Ok(only),
        (None, []) => {
            let decided = loaded.state.gates.values().find_map(|gate| gate.decided.as_ref());
            let help = decided.map(|signed| {
                let approval = &signed.approval;
                let word = approval.decision.as_str();
                format!("`{}` was {word} by {} as {}", approval.gate_id, approval.approver, approval.role)
            });
            Err(refuse(
                format!("no gate of run `{}` waits for a decision", loaded.run_id),
                help.unwrap_or_else(|| "`deed gate list` shows all gates that wait".to_owned()),
            ))
        }
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|gate| gate.subject.gate_id.as_str()).collect();
            Err(refuse(format!("{} gates wait", several.len()), format!("name one: {}", names.join(", "))))
        }
        (Some(name), _) => loaded.state.gates.get(name).ok_or_else(|| {
            let names = loaded.state.gates.keys().map(String::as_str);
            let help = did_you_mean(name, names).unwrap_or_else(|| "`deed gate list` shows those that wait".to_owned());
            refuse(format!("no gate {} of this run waits for a decision", deed_diag::quote(name)), help)
        }),
    }
}
