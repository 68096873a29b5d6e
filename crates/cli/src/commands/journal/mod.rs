//! `deed journal`: the hash-chained record of all runs.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::schema::Described;
use crate::text::count;
use clap::{Args, Subcommand};
use deed_app::AppError;
use deed_app::runs::head::{self, Head};
use deed_app::runs::{JournalVerification, verify_journal};
use schemars::JsonSchema;
use serde::Serialize;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[Described::of::<VerifiedJournal>("journal verify")];

/// Commands about the journal.
#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    Verify(Verify),
}

/// Check every link of the journal and name the first that is broken.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed journal verify
  deed journal verify --head 41:sha256:…")]
pub(crate) struct Verify {
    /// Head that was kept elsewhere, `SEQ:HASH` or `RUN@SEQ:HASH`; refused if the journal lacks it. Repeatable.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
}

/// A journal whose links all hold.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedJournal {
    /// The number of runs in it.
    runs: u64,
    /// The number of events in it.
    events: u64,
    /// The end of the list of runs.
    head: Option<ShownHead>,
}

impl Journal {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Verify(c) => c.run(global),
        }
    }
}

impl Verify {
    fn run(&self, global: &Global) -> Result<Success, AppError> {
        let JournalVerification { extent, warnings } = verify_journal(&global.session(), &self.head)?;
        let holds = if extent.runs > 0 { ": every link holds" } else { "" };
        let mut text = format!("{}, {}{holds}\n", count(extent.runs, "run"), count(extent.events, "event"));
        text.extend(extent.head.map(|head| format!("head {}\n", head::written(None, &head))));
        let head = extent.head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let data = VerifiedJournal { runs: extent.runs, events: extent.events, head };
        let success = Success::new(data, text).report(warnings);
        Ok(match (extent.runs, self.head.is_empty()) {
            (0, true) => success,
            (_, true) => success.remark(
                "a journal that was cut off or rewritten as a whole is seen with `--head`, a head kept elsewhere",
            ),
            (_, false) => success.remark("it contains every head that was given"),
        })
    }
}
