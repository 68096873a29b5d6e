//! `deed models local`: small models that are fetched by package name and served on this machine.

mod fetch;
mod list;
mod progress;
mod serve;
mod stop;

use crate::args::Global;
use crate::output::Success;
use clap::{Args, Subcommand};
use deed_app::AppError;
use std::path::PathBuf;

/// Commands about local models.
#[derive(Debug, Subcommand)]
pub(crate) enum Local {
    Fetch(fetch::Fetch),
    Serve(serve::Serve),
    Stop(stop::Stop),
    List(list::List),
}

impl Local {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Fetch(c) => c.run(global),
            Self::Serve(c) => c.run(global),
            Self::Stop(c) => c.run(),
            Self::List(c) => c.run(),
        }
    }
}

/// The model that is fetched or served.
#[derive(Debug, Args)]
struct ModelArgs {
    /// Model, as `deed models local list` names it.
    #[arg(long, value_name = "NAME", default_value = "qwen2.5-coder-1.5b")]
    model: String,
    /// File with a catalogue of models, in place of the built-in one.
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Python that installs the engine [default: python3].
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
}
