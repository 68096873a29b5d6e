//! `deed memory list`: every memory with its standing.

use super::shown::{MemoryData, line};
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use deed_app::AppError;
use deed_app::memory;
use deed_memory::MemoryStatus;

/// List every memory and candidate, in order of their capture.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory list
  deed memory list --status in_review")]
pub(crate) struct List {
    /// List only those with this status.
    #[arg(long, value_name = "STATUS", value_parser = status())]
    status: Option<MemoryStatus>,
}

fn status() -> impl clap::builder::TypedValueParser<Value = MemoryStatus> {
    let names = MemoryStatus::ALL.map(MemoryStatus::as_str);
    PossibleValuesParser::new(names)
        .try_map(|name| MemoryStatus::ALL.into_iter().find(|status| status.as_str() == name).ok_or("unknown status"))
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (listed, report) = memory::list(&global.session(), self.status)?;
        let text: String = listed.iter().map(|its| line(&its.record, its.status)).collect();
        let data: Vec<MemoryData> = listed.iter().map(|its| MemoryData::of(&its.record, its.status)).collect();
        Ok(Success::new(data, text).report(report))
    }
}
