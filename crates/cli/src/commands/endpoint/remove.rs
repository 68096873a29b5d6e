//! `deed endpoint remove`: an entry that is no longer used.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use crate::text;
use clap::Args;
use deed_app::{AppError, endpoints};
use schemars::JsonSchema;
use serde::Serialize;

/// Remove an endpoint from an environment, on record.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed endpoint remove internal://orders --env stage --reason \"moved\"")]
pub(crate) struct Remove {
    /// Reference, such as internal://orders.
    #[arg(value_name = "REF")]
    endpoint_ref: String,
    /// Environment.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
}

/// An endpoint that was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovedEndpoint {
    /// The reference.
    endpoint_ref: String,
    /// The environment.
    environment: String,
    /// The event in the log.
    event: Option<Recorded>,
}

impl Remove {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let outcome = endpoints::remove(&global.session(), &self.environment, &self.endpoint_ref, &self.reason)?;
        let data = RemovedEndpoint {
            endpoint_ref: self.endpoint_ref.clone(),
            environment: self.environment.clone(),
            event: event(&outcome),
        };
        let text = text::line(format_args!("{} {}", self.environment, self.endpoint_ref));
        Ok(Success::new(data, text).remark(outcome.to_string()))
    }
}
