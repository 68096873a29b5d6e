//! `deed gate list`: the gates that wait for a decision.

use super::anew;
use crate::args::Global;
use crate::commands::execution::shown;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{OpenGate, open_gates, rolled_back, store};
use deed_diag::Report;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the gates of all runs that wait for a decision.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed gate list
  deed gate list --as finance")]
pub(crate) struct List {
    /// List only gates for this role.
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
}

/// A gate that waits for a decision.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedGate {
    /// The run.
    run_id: String,
    /// The gate.
    gate: String,
    /// The role that decides.
    role: String,
    /// The question.
    question: String,
    /// The time at which the question lapses.
    expires_at: String,
    /// The hash of what is asked.
    subject_hash: String,
    /// True where the question has lapsed.
    lapsed: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (mut text, mut data) = (String::new(), Vec::new());
        let session = global.session();
        for OpenGate { run_id, gate, lapsed } in open_gates(&session, self.role.as_deref())? {
            let subject = &gate.subject;
            let until = if lapsed { "lapsed" } else { "until" };
            let _ = writeln!(
                text,
                "{}  {}  for {}  {until} {}  {}",
                run_id,
                subject.gate_id,
                subject.approver_role,
                subject.expires_at,
                shown::in_a_line(&subject.question)
            );
            if lapsed {
                let _ = writeln!(text, "  {}", anew(&run_id));
            }
            data.push(ListedGate {
                run_id,
                gate: subject.gate_id.clone(),
                role: subject.approver_role.clone(),
                question: subject.question.clone(),
                expires_at: subject.expires_at.clone(),
                subject_hash: gate.subject_hash.to_string(),
                lapsed,
            });
        }
        let report = match store(&session)? {
            (home, Some(_)) => rolled_back(&home)?,
            (_, None) => Report::default(),
        };
        let none = data.is_empty();
        let success = Success::new(data, terminal::fit(Stream::Stdout, &text)).report(report);
        Ok(if none { success.remark("no gate is waiting") } else { success })
    }
}
