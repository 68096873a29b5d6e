//! `deed memory verify`: the memory log, from its first event.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text::count;
use clap::Args;
use deed_app::AppError;
use deed_app::memory;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::Serialize;

/// Verify the memory log: its chain, its transitions and the content of its memories.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory verify
  deed memory verify --head sha256:…")]
pub(crate) struct Verify {
    /// End of the log as it was kept earlier; refused if the log was truncated or rewritten.
    #[arg(long, value_name = "HASH")]
    head: Option<ContentHash>,
}

/// The result of a verification.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedMemory {
    /// The number of events in the log.
    events: u64,
    /// The end of the log.
    head: Option<ShownHead>,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (verified, report) = memory::verify(&global.session(), self.head)?;
        let head = verified.head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let text = verified.head.map_or_else(
            || "empty\n".to_owned(),
            |head| format!("{}, head {}\n", count(verified.events, "event"), head.hash),
        );
        let remark = match self.head {
            Some(_) => "everything holds, up to the head that was given",
            None => {
                "everything holds; without --head, a log that was truncated or rewritten as a whole is not detected"
            }
        };
        Ok(Success::new(VerifiedMemory { events: verified.events, head }, text).remark(remark).report(report))
    }
}
