//! `deed imprint fill`: the filled template that means a payload.

use super::given::Given;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use serde_json::json;
use std::path::PathBuf;

/// Fill a template with a payload: what a model would have to write to mean it.
#[derive(Debug, Args)]
pub(crate) struct Fill {
    #[command(flatten)]
    given: Given,
    /// The payload (`-` for standard input).
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
}

impl Fill {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let imprint = self.given.load()?;
        let document = files::document(&self.payload)?;
        let filled = imprint.fill(document.value());
        let text = serde_json::to_string_pretty(&filled.document).map_err(AppError::internal)?;
        let mut success =
            Success::new(json!({ "filled": filled.document, "supplied": filled.supplied }), format!("{text}\n"));
        if !filled.supplied.is_empty() {
            let places: Vec<&str> = filled.supplied.keys().map(String::as_str).collect();
            success.remark = Some(format!("to be supplied by the system: {}", places.join(", ")));
        }
        Ok(success)
    }
}
