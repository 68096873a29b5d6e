//! `deed decision verify`: every link, every file, every verdict.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::decisions::{VerifiedDecisions, verify};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Verify the log of decisions, and derive every verdict again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed decision verify
  deed decision verify --head sha256:…")]
pub(crate) struct Verify {
    /// Hash of a head that was kept elsewhere; refused if the log lacks it.
    #[arg(long, value_name = "HASH")]
    head: Option<ContentHash>,
}

/// The log of decisions as it was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedData {
    /// The number of decisions in it.
    decisions: u64,
    /// The number of verdicts that were derived again.
    derived: u64,
    /// The end of the log; null where it is empty or the chain does not lead there.
    head: Option<ShownHead>,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let VerifiedDecisions { decisions, derived, head, report } = verify(&global.session(), self.head)?;
        let mut text = String::new();
        let _ = writeln!(text, "{}, {} derived again", count(decisions, "decision"), count(derived, "verdict"));
        if let Some(head) = &head {
            let _ = writeln!(text, "head {} {}", head.seq, head.hash);
        }
        let head = head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let found = report.has_errors();
        let success = Success::new(VerifiedData { decisions, derived, head }, text).report(report);
        Ok(Success { found, ..success })
    }
}
