//! `deed imprint operations`: what an API description describes.

use super::given::{foreign, refusal};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_schema::Api;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// List the operations of an API description.
#[derive(Debug, Args)]
pub(crate) struct Operations {
    /// The API description (JSON or YAML).
    #[arg(value_name = "API")]
    api: PathBuf,
}

impl Operations {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let name = self.api.display().to_string();
        let api = Api::new(foreign(&self.api)?).map_err(|refused| refusal(&refused, &name))?;
        let mut text = String::new();
        let mut data: Vec<Value> = Vec::new();
        for operation in api.operations() {
            let body = operation.media_type.as_deref().unwrap_or("-");
            let _ = writeln!(text, "{}  {} {}  {body}", operation.id, operation.method.to_uppercase(), operation.path);
            data.push(json!({
                "id": operation.id,
                "method": operation.method,
                "path": operation.path,
                "summary": operation.summary,
                "media_type": operation.media_type,
                "body_required": operation.body_required,
                "serialized": operation.serialized,
            }));
        }
        let count = data.len();
        Ok(Success::new(json!({ "dialect": api.dialect().as_str(), "operations": data }), text)
            .remark(format!("{count} operations, {}", api.dialect())))
    }
}
