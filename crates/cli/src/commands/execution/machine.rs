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
}

impl MachineArgs {
    pub(crate) fn options(&self) -> MachineOptions {
        MachineOptions {
            resolve: self.resolve.clone(),
            ca: self.ca.clone(),
            approve: self.approve.clone(),
            accept_rollback: self.accept_rollback,
        }
    }
}
