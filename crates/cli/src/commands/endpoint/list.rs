//! `deed endpoint list`: the endpoints of each environment.

use super::shown::ShownEndpoint;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, endpoints};

/// List the endpoints of an environment, or of all.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed endpoint list
  deed endpoint list --env prod")]
pub(crate) struct List {
    /// Environment [default: all].
    #[arg(long = "env", value_name = "NAME")]
    environment: Option<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let known = endpoints::list(&global.session(), self.environment.as_deref())?;
        let shown: Vec<ShownEndpoint> = known.iter().map(ShownEndpoint::of).collect();
        let text: String = shown.iter().map(ShownEndpoint::line).collect();
        Ok(Success::new(shown, text))
    }
}
