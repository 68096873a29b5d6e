//! Settings of the machine, on the command line.

use clap::Args;
use deed_app::runs::MachineOptions;
use std::path::PathBuf;

/// What of the machine can be set.
#[derive(Debug, Args, Default)]
pub(crate) struct MachineArgs {
    /// An address for a name, in place of what the system says; may be given several times.
    #[arg(long, value_name = "NAME=ADDRESS")]
    resolve: Vec<String>,
    /// A PEM file with certificates that are believed outside, besides the system's.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Approve gates of this role as they come, in the name of whoever runs this; may be given several times.
    #[arg(long, value_name = "ROLE")]
    approve: Vec<String>,
    /// Continue with a journal that lacks events which were there, as after an older copy was restored. What was done
    /// after its end may be done again.
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
