//! `deed memory propose`: a memory is captured, checked, and promoted if nothing demands a review.

use super::shown::{ChangedMemory, line, remark};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::memory::{self, ProposalRequest};
use deed_app::packs::PackChoice;
use deed_memory::MemoryStatus;
use std::path::PathBuf;

/// Propose a memory: it is checked, and promoted at once if nothing demands a review.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory propose preference.yaml --pack ./support
  deed memory propose preference.yaml --pack ctxpack.support --env prod")]
pub(crate) struct Propose {
    /// Proposal (YAML or JSON).
    file: PathBuf,
    /// Pack: a version such as ctxpack.support@1.0.0, a folder such as ./support, or with --env an id.
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: String,
    /// Use the version and the overlays that this environment has pinned.
    #[arg(long = "env", value_name = "NAME")]
    environment: Option<String>,
    /// Overlay to apply, besides those that the environment binds; repeat for several.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
}

impl Propose {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = ProposalRequest {
            file: self.file.clone(),
            pack: PackChoice { pack: self.pack.clone(), environment: self.environment.clone() },
            overlays: self.overlays.clone(),
        };
        let proposed = memory::propose(&global.session(), &request)?;
        let (record, status) = (&proposed.record, proposed.status);
        let data = ChangedMemory::of(record, status, &proposed.outcome);
        let success = Success::new(data, line(record, status)).remark(remark(record, status)).report(proposed.report);
        Ok(Success { found: status == MemoryStatus::Rejected, ..success })
    }
}
