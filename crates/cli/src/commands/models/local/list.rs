//! `deed models local list`: the models of the catalogue, and the servers.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::models::local::list_local;
use std::fmt::Write as _;
use std::path::PathBuf;

/// List the models that can be fetched, and the servers that run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models local list
  deed models local list --json")]
pub(crate) struct List {
    /// File with a catalogue of models, in place of the built-in one.
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
}

impl List {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let known = list_local(self.catalog.as_deref())?;
        let mut text = String::new();
        for model in &known.models {
            let size = model.bytes.div_ceil(1_000_000);
            let status = model.status.as_str();
            let _ = writeln!(text, "{:<20} {size:>5} MB  {:<14} {}", model.name, status, model.title);
        }
        for server in &known.servers {
            let url = server.url.as_deref().unwrap_or("-");
            let _ = writeln!(text, "{:<20} {} at {url}, process {}", server.model, server.status.as_str(), server.pid);
        }
        let remark = format!("kept in {}", known.store.display());
        Ok(Success::new(known, text).remark(remark))
    }
}
