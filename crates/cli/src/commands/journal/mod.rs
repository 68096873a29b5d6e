//! `deed journal`: the hash-chained record of all runs.

use crate::args::Global;
use crate::output::Success;
use clap::{Args, Subcommand};
use deed_app::AppError;
use deed_app::runs::head::{self, Head};
use deed_app::runs::{JournalVerification, verify_journal};
use serde_json::json;

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
        let mut text = format!("{} runs, {} events{holds}\n", extent.runs, extent.events);
        text.extend(extent.head.map(|head| format!("head {}\n", head::written(None, &head))));
        let data = json!({ "runs": extent.runs, "events": extent.events, "head": extent.head });
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
