//! `deed journal`: the hash-chained record of all runs.

use crate::args::Global;
use crate::commands::execution::head::{self, Head};
use crate::commands::execution::{ROLLED_BACK, rolled_back, store_failure};
use crate::failure::Failure;
use crate::home::Home;
use crate::output::Success;
use clap::{Args, Subcommand};
use deed_diag::{Code, Diagnostic, Severity};
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
pub(crate) struct Verify {
    /// A head that was kept elsewhere: `SEQ:HASH` of the list of runs, or `RUN@SEQ:HASH` of a run; several times.
    /// Refused if the journal lacks it.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
}

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
            Err(error) if error.kind == StoreErrorKind::Unknown && self.head.is_empty() => {
                return Ok(Success::new(json!({ "runs": 0, "events": 0 }), "0 runs, 0 events\n"));
            }
            verified => verified.map_err(|error| store_failure(&error))?,
        };
        match verified {
            Ok(extent) => {
                let contains = |run: Option<&str>, head: &_| {
                    RunStore::contains_in(&home.runs(), run, head).map_err(|error| store_failure(&error))
                };
                head::extends(&self.head, None, contains)?;
                // Links that hold may be those of an older copy.
                let report = rolled_back(&home)?.map(|found| match found.code == ROLLED_BACK {
                    true => Diagnostic { severity: Severity::Error, ..found },
                    false => found,
                });
                if report.has_errors() {
                    return Err(report.into());
                }
                let mut text = format!("{} runs, {} events: every link holds\n", extent.runs, extent.events);
                text.extend(extent.head.map(|head| format!("head {}\n", head::written(None, &head))));
                let data = json!({ "runs": extent.runs, "events": extent.events, "head": extent.head });
                Ok(Success::new(data, text).report(report).remark(if self.head.is_empty() {
                    "a journal that was cut off or rewritten as a whole is seen with `--head`, a head kept elsewhere"
                } else {
                    "it contains every head that was given"
                }))
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
