//! `deed imprint fill`: a template filled with a payload.

use super::source::SchemaArgs;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, imprints};
use deed_imprint::Supplied;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Print a payload in the form of its template.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed imprint fill ticket.schema.json ticket.json")]
pub(crate) struct Fill {
    #[command(flatten)]
    schema: SchemaArgs,
    /// Payload, or `-` for standard input.
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
}

/// A filled template.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FilledTemplate {
    /// The filled template.
    filled: Value,
    /// Values of `AUTO` places, by pointer.
    #[schemars(with = "BTreeMap<String, Value>")]
    supplied: Supplied,
}

impl Fill {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let filled = imprints::fill(&self.schema.source(), &self.payload)?;
        let text = serde_json::to_string_pretty(&filled.document).map_err(AppError::internal)?;
        let mut success = Success::new(
            FilledTemplate { filled: filled.document, supplied: filled.supplied.clone() },
            format!("{text}\n"),
        )
        .document();
        if !filled.supplied.is_empty() {
            let places: Vec<&str> = filled.supplied.keys().map(String::as_str).collect();
            success.remark = Some(format!("to be supplied by the system: {}", places.join(", ")));
        }
        Ok(success)
    }
}
