//! `deed sandbox probe`: what this machine offers, found out by trying.

use super::tools;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_sandbox::{ProbeOptions, probe};

/// Find out how well code can be walled in here: L3 (best) to L0 (not at all).
#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// As if user namespaces were refused.
    #[arg(long)]
    without_user_namespaces: bool,
    /// As if there were no control groups.
    #[arg(long)]
    without_cgroups: bool,
}

impl Probe {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (tools, _folder) = tools(global)?;
        let options = ProbeOptions {
            without_user_namespaces: self.without_user_namespaces,
            without_cgroups: self.without_cgroups,
            ..ProbeOptions::default()
        };
        let probe = probe(&tools, &options);
        let data = serde_json::to_value(&probe).map_err(AppError::internal)?;
        Ok(Success::new(data, probe.to_string()))
    }
}
