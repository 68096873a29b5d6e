//! `deed gate list`: everything that waits for a person.

use super::anew;
use crate::args::Global;
use crate::commands::execution::shown;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{OpenGate, open_gates, rolled_back, store};
use deed_diag::Report;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List the gates that wait, of all runs.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only gates for this role.
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
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
            data.push(json!({
                "run_id": run_id, "gate": subject.gate_id, "role": subject.approver_role,
                "question": subject.question, "expires_at": subject.expires_at, "subject_hash": gate.subject_hash,
                "lapsed": lapsed,
            }));
        }
        let report = match store(&session)? {
            (home, Some(_)) => rolled_back(&home)?,
            (_, None) => Report::default(),
        };
        Ok(Success::new(Value::Array(data), text).report(report))
    }
}
