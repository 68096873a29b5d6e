//! `deed ladder undo`: what came in, from what went out and the record.

use super::given::parse;
use crate::failure::Failure;
use crate::files;
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic, Place};
use deed_ladder::{redo, undo};
use deed_model::LadderReport;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const DOES_NOT_FIT: Code = Code::new("D1762");

/// Give back what came in, from what went out and the record; or the other way round.
#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The record: what `deed ladder climb` printed, or the `report` in it.
    #[arg(long, value_name = "FILE")]
    report: PathBuf,
    /// Apply the changes instead of taking them back.
    #[arg(long)]
    redo: bool,
    /// The payload that went out (with `--redo`, the one that came in); the one beside the report otherwise.
    #[arg(value_name = "PAYLOAD", required_if_eq("redo", "true"))]
    payload: Option<PathBuf>,
}

impl Undo {
    pub(crate) fn run(&self) -> Result<Success, Failure> {
        let (report, beside) = self.record()?;
        let payload = match (&self.payload, beside) {
            (Some(path), _) => self.given(path, &report)?,
            (None, Some(payload)) => payload,
            (None, None) => {
                let message = "there is no payload beside the report";
                return Err(Failure::usage(
                    Diagnostic::error(DOES_NOT_FIT, message).stage("ladder").help("name the payload that went out"),
                ));
            }
        };
        let done = if self.redo { redo(&report, &payload) } else { undo(&report, &payload) };
        let value = done.map_err(|error| {
            let place = Place::file(self.payload.as_ref().unwrap_or(&self.report).display().to_string());
            Failure::refused(
                Diagnostic::error(DOES_NOT_FIT, error.to_string())
                    .stage("ladder")
                    .at(place)
                    .help("give the payload that this record speaks of, and the record as it was"),
            )
        })?;
        // Text that was no JSON comes back as the text it was.
        let text = match &value {
            Value::String(text) if !self.redo && !report.repairs.is_empty() => text.clone(),
            other => serde_json::to_string_pretty(other).map_err(Failure::internal)? + "\n",
        };
        Ok(Success::new(json!({ "payload": value }), text))
    }

    /// The record, and the payload that stands beside it.
    fn record(&self) -> Result<(LadderReport, Option<Value>), Failure> {
        let document = files::document(&self.report)?;
        let whole = document.value().get("data").unwrap_or(document.value());
        if let (Some(report), Some(payload)) = (whole.get("report"), whole.get("payload"))
            && let Ok(report) = serde_json::from_value(report.clone())
        {
            return Ok((report, Some(payload.clone())));
        }
        Ok((parse::<LadderReport>(&document)?, None))
    }

    /// A payload from a file; with `--redo` it may be text that is no JSON.
    fn given(&self, path: &Path, report: &LadderReport) -> Result<Value, Failure> {
        if self.redo && !report.repairs.is_empty() {
            let file = files::read(path)?;
            let text = String::from_utf8_lossy(&file.bytes).into_owned();
            // The text itself, or the JSON string that `undo --json` gives.
            return Ok(deed_canon::parse(text.as_bytes()).ok().filter(Value::is_string).unwrap_or(Value::String(text)));
        }
        Ok(files::document(path)?.value().clone())
    }
}
