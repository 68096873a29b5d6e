//! `deed gate list`: everything that waits for a person.

use super::{anew, lapsed_now};
use crate::args::Global;
use crate::commands::execution::{rolled_back, shown, store, store_failure};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_ports::JournalRead;
use deed_runtime::RunState;
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (mut text, mut data) = (String::new(), Vec::new());
        let (home, store) = store(global)?;
        let Some(store) = store else { return Ok(Success::new(json!([]), text)) };
        for listing in store.unsealed().map_err(|error| store_failure(&error))?.into_iter().filter(|run| !run.ended) {
            let entries = store.events(&listing.run_id, 0).map_err(|error| store_failure(&error))?;
            let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
            for gate in shown::asked(&state)
                .filter(|gate| self.role.as_ref().is_none_or(|role| *role == gate.subject.approver_role))
            {
                let subject = &gate.subject;
                let lapsed = lapsed_now(subject, global)?;
                let until = if lapsed { "lapsed" } else { "until" };
                let _ = writeln!(
                    text,
                    "{}  {}  for {}  {until} {}  {}",
                    listing.run_id,
                    subject.gate_id,
                    subject.approver_role,
                    subject.expires_at,
                    shown::in_a_line(&subject.question)
                );
                if lapsed {
                    let _ = writeln!(text, "  {}", anew(&listing.run_id));
                }
                data.push(json!({
                    "run_id": listing.run_id, "gate": subject.gate_id, "role": subject.approver_role,
                    "question": subject.question, "expires_at": subject.expires_at, "subject_hash": gate.subject_hash,
                    "lapsed": lapsed,
                }));
            }
        }
        Ok(Success::new(Value::Array(data), text).report(rolled_back(&home)?))
    }
}
