//! `deed imprint operations`: the operations of an API description.

use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, imprints};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// List the operations of an API description.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed imprint operations api.yaml")]
pub(crate) struct Operations {
    /// API description (JSON or YAML).
    #[arg(value_name = "API")]
    api: PathBuf,
}

/// The operations of an API.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ApiOperations {
    /// The dialect of the description.
    dialect: String,
    /// The operations.
    operations: Vec<ApiOperation>,
}

/// An operation of an API.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ApiOperation {
    /// Its id.
    id: String,
    /// Its method.
    method: String,
    /// Its path.
    path: String,
    /// A summary of what it does.
    summary: String,
    /// The media type of its body; null where it has none.
    media_type: Option<String>,
    /// True where the body must be given.
    body_required: bool,
    /// Places that are sent as JSON text.
    serialized: Vec<String>,
}

impl Operations {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let api = imprints::operations(&self.api)?;
        let mut text = String::new();
        let mut data = Vec::new();
        for operation in api.operations {
            let body = operation.media_type.as_deref().unwrap_or("-");
            let _ = writeln!(text, "{}  {} {}  {body}", operation.id, operation.method.to_uppercase(), operation.path);
            data.push(ApiOperation {
                id: operation.id,
                method: operation.method,
                path: operation.path,
                summary: operation.summary,
                media_type: operation.media_type,
                body_required: operation.body_required,
                serialized: operation.serialized,
            });
        }
        let count = data.len();
        Ok(Success::new(ApiOperations { dialect: api.dialect.as_str().to_owned(), operations: data }, text)
            .remark(format!("{count} operations, {}", api.dialect))
            .report(api.unread))
    }
}
