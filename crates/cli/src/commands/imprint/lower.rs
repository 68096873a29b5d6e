//! `deed imprint lower`: what was filled in becomes a payload.

use super::given::Given;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_diag::{Diagnostic, Report, codes};
use deed_imprint::Supplied;
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
    given: Given,
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
        let imprint = self.given.load()?;
        let supplied = self.supplied()?;
        let document = files::document(&self.filled)?;
        let lowered = imprint.lower(document.value(), &supplied);
        if let Some(payload) = lowered.payload {
            let text = serde_json::to_string_pretty(&payload).map_err(AppError::internal)?;
            let dropped = lowered.dropped.len();
            let mut success =
                Success::new(LoweredPayload { payload, dropped: lowered.dropped.clone() }, format!("{text}\n"));
            if dropped > 0 {
                success.remark = Some(format!("left out as untouched: {}", lowered.dropped.join(", ")));
            }
            return Ok(success);
        }
        let mut report = Report::default();
        report.add_source(document.source().clone());
        let mut findings: Vec<Diagnostic> = lowered.findings.iter().map(|f| f.diagnostic(&document)).collect();
        findings.sort_by_key(|finding| finding.place.as_ref().and_then(|place| place.span));
        findings.into_iter().for_each(|finding| report.push(finding));
        Err(report.into())
    }

    fn supplied(&self) -> Result<Supplied, AppError> {
        let Some(path) = &self.auto else { return Ok(Supplied::new()) };
        let document = files::document(path)?;
        match document.value().as_object() {
            Some(map) => Ok(map.iter().map(|(pointer, value)| (pointer.clone(), value.clone())).collect()),
            None => Err(AppError::refused(
                Diagnostic::error(
                    codes::BAD_SUPPLIED_VALUES,
                    "values for `AUTO` places are an object from JSON pointer to value",
                )
                .stage("imprint")
                .at(document.place("")),
            )),
        }
    }
}
