//! Settings of the machine, on the command line.

use clap::Args;
use deed_app::runs::MachineOptions;
use std::path::PathBuf;

/// Settings of the machine.
#[derive(Debug, Args, Default)]
pub(crate) struct MachineArgs {
    /// Address to use for a host name, in place of the system's resolver. Repeatable.
    #[arg(long, value_name = "NAME=ADDRESS")]
    resolve: Vec<String>,
    /// PEM file with certificates to trust besides the system's.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Approve gates of this role at once, in your name. Repeatable.
    #[arg(long, value_name = "ROLE")]
    approve: Vec<String>,
    /// Continue although the journal lacks events, as after restoring an older copy; effects may be repeated.
    #[arg(long)]
    accept_rollback: bool,
    /// Write the calls of models and their replies into a new transcript.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Answer calls of models from a transcript; no provider is asked, and a call that it lacks is an error.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

impl MachineArgs {
    pub(crate) fn options(&self) -> MachineOptions {
        MachineOptions {
            resolve: self.resolve.clone(),
            ca: self.ca.clone(),
            approve: self.approve.clone(),
            accept_rollback: self.accept_rollback,
            record: self.record.clone(),
            replay: self.replay.clone(),
        }
    }
}
