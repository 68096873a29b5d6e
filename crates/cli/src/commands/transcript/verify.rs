//! `deed transcript verify`: the chain, the keys and the end of transcripts.

use crate::output::Success;
use crate::text::count;
use clap::Args;
use deed_app::{AppError, transcripts};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Check every line of a transcript and name the first that was edited.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed transcript verify ready.transcript")]
pub(crate) struct Verify {
    /// Transcript.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A transcript whose lines all hold.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedTranscript {
    /// The number of its calls.
    calls: usize,
    /// The hash of its last line.
    head: Option<String>,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let shown = transcripts::show(&self.file)?;
        let head = shown.head.map(|head| head.to_string());
        let calls = shown.calls.len();
        let text =
            format!("{}: every line holds\nhead {}\n", count(calls, "call"), head.as_deref().unwrap_or_default());
        let remark =
            "a transcript that was written anew as a whole has another head: compare it with one kept elsewhere";
        Ok(Success::new(VerifiedTranscript { calls, head }, text).remark(remark))
    }
}
