//! `deed packet supersede`: the end of a packet, when another one has taken its place.

use super::show::lines;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::supersede;
use std::path::PathBuf;

/// Mark a replay packet as superseded by another one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed packet supersede recorded/1.json --by recorded/2.json")]
pub(crate) struct Supersede {
    /// Recording whose life ends.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// Recording that takes its place.
    #[arg(long, value_name = "RECORDING")]
    by: PathBuf,
}

impl Supersede {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let packet = supersede(&global.session(), &self.recording, &self.by)?;
        let text = lines(&packet);
        Ok(Success::new(packet, text))
    }
}
