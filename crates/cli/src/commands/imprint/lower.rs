//! `deed imprint lower`: what was filled in becomes a payload.

use super::given::Given;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_diag::{Code, Diagnostic, Report};
use deed_imprint::Supplied;
use serde_json::json;
use std::path::PathBuf;

const BAD_SUPPLY: Code = Code::new("D1635");

/// Turn a filled template into a payload, or say all that is wrong with it.
#[derive(Debug, Args)]
pub(crate) struct Lower {
    #[command(flatten)]
    given: Given,
    /// The filled template (`-` for standard input).
    #[arg(value_name = "FILLED")]
    filled: PathBuf,
    /// Values of `AUTO` places: a JSON object from pointer to value.
    #[arg(long, value_name = "FILE")]
    auto: Option<PathBuf>,
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
                Success::new(json!({ "payload": payload, "dropped": lowered.dropped }), format!("{text}\n"));
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
                Diagnostic::error(BAD_SUPPLY, "values for `AUTO` places are an object from JSON pointer to value")
                    .stage("imprint")
                    .at(document.place("")),
            )),
        }
    }
}
