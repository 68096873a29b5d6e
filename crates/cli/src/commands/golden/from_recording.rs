//! `deed golden from-recording`: a recorded request becomes a golden case that passes.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{CaseFromRecording, golden_from_recording};
use std::path::PathBuf;

/// Make a golden case of a recording; it passes as it is written.
#[derive(Debug, Args)]
#[command(override_usage = "deed golden from-recording [OPTIONS] --pack <DIR> --name <NAME> \\
       <RECORDING>")]
#[command(after_help = "Examples:
  deed golden from-recording recorded/1.json --pack ./support \\
      --name 11_refund_twice")]
pub(crate) struct FromRecording {
    /// Recorded compile.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// Folder of the pack that the case is written to.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Name of the case: that of the file, without its extension.
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Sentence about what the case shows [default: the reason of a correction, or the id of the packet].
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

impl FromRecording {
    pub(crate) fn run(&self, _: &Global) -> Result<Success, AppError> {
        let written = golden_from_recording(&CaseFromRecording {
            recording: self.recording.clone(),
            pack: self.pack.clone(),
            name: self.name.clone(),
            description: self.description.clone(),
        })?;
        let text = format!("{}\n", written.file.display());
        let remark = format!("made from {}: it passes", written.packet_id);
        Ok(Success::new(written, text).remark(remark))
    }
}
