//! `deed transcript show`: the calls of a transcript.

use crate::output::Success;
use clap::Args;
use deed_app::{AppError, transcripts};
use deed_model::ReplyOrigin;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Show the calls of a transcript and their replies.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed transcript show ready.transcript")]
pub(crate) struct Show {
    /// Transcript.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Show {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let shown = transcripts::show(&self.file)?;
        let mut text = String::new();
        for (number, call) in shown.calls.iter().enumerate() {
            let origin = match &call.origin {
                ReplyOrigin::RecordedFrom(model) => format!("recorded from {model}"),
                ReplyOrigin::WrittenByHand => "written by hand".to_owned(),
            };
            let _ = writeln!(text, "{} {} {} {origin}", number + 1, call.consumer, call.stop.as_str());
            for line in call.text.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        Ok(Success::new(shown, text))
    }
}
