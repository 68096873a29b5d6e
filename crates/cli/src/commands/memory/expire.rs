//! `deed memory expire`: the ends of lifetimes are put on record.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::memory;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Record which memories have reached the end of their lifetime.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory expire")]
pub(crate) struct Expire {}

/// The memories whose end was recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExpiredMemories {
    /// Their ids.
    memory_ids: Vec<String>,
    /// The last event that was appended; null where there was nothing to record.
    event: Option<Recorded>,
}

impl Expire {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (memory_ids, outcome) = memory::expire(&global.session())?;
        let mut text = String::new();
        for id in &memory_ids {
            let _ = writeln!(text, "{id}  expired");
        }
        let remark = match memory_ids.len() {
            0 => "no lifetime has ended since the last time".to_owned(),
            1 => "1 memory has expired".to_owned(),
            count => format!("{count} memories have expired"),
        };
        Ok(Success::new(ExpiredMemories { memory_ids, event: event(&outcome) }, text).remark(remark))
    }
}
