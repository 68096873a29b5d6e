//! `deed endpoint show`: one entry of the endpoint registry.

use super::shown::ShownEndpoint;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, endpoints};

/// Show where a reference leads in an environment.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed endpoint show internal://orders --env prod")]
pub(crate) struct Show {
    /// Reference, such as internal://orders.
    #[arg(value_name = "REF")]
    endpoint_ref: String,
    /// Environment.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let endpoint = endpoints::show(&global.session(), &self.environment, &self.endpoint_ref)?;
        let shown = ShownEndpoint::of(&endpoint);
        let text = shown.text();
        Ok(Success::new(shown, text))
    }
}
