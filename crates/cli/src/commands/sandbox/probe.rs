//! `deed sandbox probe`: the isolation that this machine can enforce, found by trying.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, sandboxes};
use deed_sandbox::ProbeOptions;

/// Probe what the sandbox can enforce on this machine: L3 (best) to L0 (nothing).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed sandbox probe
  deed sandbox probe --json")]
pub(crate) struct Probe {
    /// Probe as if user namespaces were refused.
    #[arg(long)]
    without_user_namespaces: bool,
    /// Probe as if there were no control groups.
    #[arg(long)]
    without_cgroups: bool,
}

impl Probe {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let options = ProbeOptions {
            without_user_namespaces: self.without_user_namespaces,
            without_cgroups: self.without_cgroups,
            ..ProbeOptions::default()
        };
        let probe = sandboxes::probe(&global.session(), &options)?;
        let text = probe.to_string();
        Ok(Success::new(probe, text))
    }
}
