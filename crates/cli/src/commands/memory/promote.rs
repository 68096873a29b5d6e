//! `deed memory promote`: an accepted candidate can be recalled from now on.

use super::shown::{ChangedMemory, line, remark};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::memory;
use std::fmt::Write as _;

/// Promote an accepted candidate: it can be recalled until its tier lifetime has passed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory promote mem_01ab")]
pub(crate) struct Promote {
    /// Id of the memory.
    #[arg(value_name = "ID")]
    memory_id: String,
}

impl Promote {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let decided = memory::promote(&global.session(), &self.memory_id)?;
        let (record, status) = (&decided.record, decided.status);
        let mut remark = remark(record, status);
        let supersedes = record.promotion.iter().flat_map(|promotion| &promotion.supersedes);
        for id in supersedes {
            let _ = write!(remark, "; it takes the place of {id}");
        }
        Ok(Success::new(ChangedMemory::of(record, status, &decided.outcome), line(record, status)).remark(remark))
    }
}
