//! `deed journal`: the hash-chained record of all runs.

use crate::args::Global;
use crate::commands::execution::store_failure;
use crate::failure::Failure;
use crate::home::Home;
use crate::output::Success;
use clap::{Args, Subcommand};
use deed_diag::{Code, Diagnostic};
use deed_ports::StoreErrorKind;
use deed_store::RunStore;
use serde_json::json;

const BROKEN: Code = Code::new("D2065");

/// What can be done with the journal.
#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    Verify(Verify),
}

/// Check every link of the journal, and name the first that is broken.
#[derive(Debug, Args)]
pub(crate) struct Verify {}

impl Journal {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        match self {
            Self::Verify(c) => c.run(global),
        }
    }
}

impl Verify {
    fn run(&self, global: &Global) -> Result<Success, Failure> {
        let home = Home::find(global.home.as_deref())?;
        // Not opened as other commands do: they refuse a journal whose tables were altered, before any link is looked at.
        let verified = match RunStore::verify_in(&home.runs()) {
            Err(error) if error.kind == StoreErrorKind::Unknown => {
                return Ok(Success::new(json!({ "runs": 0, "events": 0 }), "0 runs, 0 events\n"));
            }
            verified => verified.map_err(|error| store_failure(&error))?,
        };
        match verified {
            Ok(extent) => {
                let text = format!("{} runs, {} events: every link holds\n", extent.runs, extent.events);
                Ok(Success::new(json!({ "runs": extent.runs, "events": extent.events }), text))
            }
            Err(broken) => {
                let of = broken.run_id.map_or_else(|| "the list of runs".to_owned(), |run| format!("run `{run}`"));
                let message = format!("the journal of {of} is broken at event {}: {}", broken.seq, broken.what);
                let help = "what comes after that event cannot be relied on; restore the journal from a backup";
                Err(Failure::refused(Diagnostic::error(BROKEN, message).stage("journal").help(help)))
            }
        }
    }
}
