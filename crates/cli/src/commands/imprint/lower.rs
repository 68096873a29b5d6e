//! `deed imprint lower`: a filled template becomes a payload.

use super::source::SchemaArgs;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, imprints};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// Turn a filled template into a valid payload, or report all that is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed imprint lower ticket.schema.json ticket.filled.json")]
pub(crate) struct Lower {
    #[command(flatten)]
    schema: SchemaArgs,
    /// Filled template, or `-` for standard input.
    #[arg(value_name = "FILLED")]
    filled: PathBuf,
    /// File with values for `AUTO` places: a JSON object from pointer to value.
    #[arg(long, value_name = "FILE")]
    auto: Option<PathBuf>,
}

/// A payload that is valid under its schema.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LoweredPayload {
    /// The payload.
    payload: Value,
    /// Optional places that were left untouched, and left out.
    dropped: Vec<String>,
}

impl Lower {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let lowered = imprints::lower(&self.schema.source(), &self.filled, self.auto.as_deref())?;
        let text = serde_json::to_string_pretty(&lowered.payload).map_err(AppError::internal)?;
        let remark =
            (!lowered.dropped.is_empty()).then(|| format!("left out as untouched: {}", lowered.dropped.join(", ")));
        let data = LoweredPayload { payload: lowered.payload, dropped: lowered.dropped };
        Ok(Success { remark, ..Success::new(data, format!("{text}\n")).exact().report(lowered.warnings) })
    }
}
