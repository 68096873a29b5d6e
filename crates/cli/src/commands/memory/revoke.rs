//! `deed memory revoke`: a promoted memory is never recalled again.

use super::shown::{ChangedMemory, line, remark};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::memory;

/// Revoke a memory and its duplicates permanently.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory revoke mem_01ab --reason \"the customer withdrew it\"")]
pub(crate) struct Revoke {
    /// Id of the memory.
    #[arg(value_name = "ID")]
    memory_id: String,
    /// Reason, for the log.
    #[arg(long)]
    reason: String,
}

impl Revoke {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let decided = memory::revoke(&global.session(), &self.memory_id, &self.reason)?;
        let (record, status) = (&decided.record, decided.status);
        let data = ChangedMemory::of(record, status, &decided.outcome);
        Ok(Success::new(data, line(record, status)).remark(remark(record, status)))
    }
}
