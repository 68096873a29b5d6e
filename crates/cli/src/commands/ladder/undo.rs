//! `deed ladder undo`: what came in, from what went out and the record.

use super::given::parse;
use super::record;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Place, codes};
use deed_ladder::{redo, undo, undo_text};
use deed_model::LadderReport;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Undo the changes of a climb, from its result and its record; or redo them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed ladder undo --report climbed.json")]
pub(crate) struct Undo {
    /// Record: what `deed ladder climb` printed, or the `report` in it.
    #[arg(long, value_name = "FILE")]
    report: PathBuf,
    /// Apply the changes again instead of undoing them.
    #[arg(long)]
    redo: bool,
    /// Payload after the climb (with `--redo`, before it) [default: the one in the record].
    #[arg(value_name = "PAYLOAD", required_if_eq("redo", "true"))]
    payload: Option<PathBuf>,
}

/// A payload from before, or with `--redo` after, the changes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RestoredPayload {
    /// The payload.
    payload: Value,
}

impl Undo {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let (report, beside) = self.record()?;
        let payload = match (&self.payload, beside) {
            (Some(path), _) => self.given(path, &report)?,
            (None, Some(payload)) => payload,
            (None, None) => {
                let message = "there is no payload beside the report";
                return Err(AppError::usage(
                    Diagnostic::error(codes::RECORD_DOES_NOT_FIT, message)
                        .stage("ladder")
                        .help("name the payload that went out"),
                ));
            }
        };
        let done = if self.redo { redo(&report, &payload) } else { undo(&report, &payload) };
        let value = done.map_err(|error| {
            let place = Place::file(self.payload.as_ref().unwrap_or(&self.report).display().to_string());
            AppError::refused(
                Diagnostic::error(codes::RECORD_DOES_NOT_FIT, error.to_string())
                    .stage("ladder")
                    .at(place)
                    .help("give the payload that this record speaks of, and the record as it was"),
            )
        })?;
        // Text that was no JSON comes back as the text it was.
        let text = match &value {
            Value::String(text) if !self.redo && !report.repairs.is_empty() => text.clone(),
            _ if !self.redo => undo_text(&report, &payload).map_err(AppError::internal)? + "\n",
            other => serde_json::to_string_pretty(other).map_err(AppError::internal)? + "\n",
        };
        Ok(Success::new(RestoredPayload { payload: value }, text))
    }

    /// The record, and the payload that stands beside it.
    fn record(&self) -> Result<(LadderReport, Option<Value>), AppError> {
        let read = document(&self.report)?;
        let whole = read.value();
        let whole = whole.get("data").unwrap_or(whole);
        let beside = whole.get("report").zip(whole.get("payload"));
        if let Some((report, payload)) = beside
            && let Ok(report) = serde_json::from_value(report.clone())
        {
            return Ok((report, Some(payload.clone())));
        }
        match &read {
            Read::Document(document) => Ok((parse::<LadderReport>(document)?, None)),
            Read::Value(value, name) => match serde_json::from_value(value.clone()) {
                Ok(report) => Ok((report, None)),
                Err(error) => Err(AppError::refused(
                    Diagnostic::error(codes::LADDER_DOCUMENT_UNREADABLE, format!("it cannot be read: {error}"))
                        .stage("ladder")
                        .at(Place::file(name.clone())),
                )),
            },
        }
    }

    /// A payload from a file; with `--redo` it may be text that is no JSON.
    fn given(&self, path: &Path, report: &LadderReport) -> Result<Value, AppError> {
        if self.redo && !report.repairs.is_empty() {
            let (_, bytes) = record::bytes(path)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            // The text itself, or the JSON string that `undo --json` gives.
            return Ok(deed_canon::parse(text.as_bytes()).ok().filter(Value::is_string).unwrap_or(Value::String(text)));
        }
        Ok(document(path)?.value().clone())
    }
}

/// What was read: a document with places, or, where it is larger or deeper than documents are, its value alone.
enum Read {
    Document(Box<Document>),
    Value(Value, String),
}

impl Read {
    fn value(&self) -> &Value {
        match self {
            Self::Document(document) => document.value(),
            Self::Value(value, _) => value,
        }
    }
}

fn document(path: &Path) -> Result<Read, AppError> {
    let (name, bytes) = record::bytes(path)?;
    let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let format = if is_yaml { Format::Yaml } else { Format::Json };
    match Document::read_with(&name, &bytes, format, sensitive_ranges) {
        Ok(document) => Ok(Read::Document(Box::new(document))),
        Err(report) => match record::value(&bytes) {
            Some(value) => Ok(Read::Value(value, name)),
            None => Err(report.into()),
        },
    }
}
