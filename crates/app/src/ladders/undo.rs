//! Undoes the changes of a climb with its record, or makes them again.

use super::climb::not_text;
use super::contract::parse;
use super::record;
use crate::error::AppError;
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Place, codes};
use deed_model::LadderReport;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The direction in which the changes of a record are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From the payload after the climb to the one before it.
    #[default]
    Undo,
    /// From the payload before the climb to the one after it.
    Redo,
}

/// A record, and the payload that its changes are applied to.
#[derive(Debug, Clone, Default)]
pub struct UndoRequest {
    /// The record: what `deed ladder climb` printed, or the `report` in it.
    pub record: PathBuf,
    /// The file of the payload; otherwise the payload in the record.
    pub payload: Option<PathBuf>,
    /// The direction.
    pub direction: Direction,
}

/// A payload from before, or after, the changes of a climb.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoredPayload {
    /// The payload.
    pub payload: Value,
    /// The payload as text: as it was written, if the changes were undone.
    pub text: String,
}

/// Undoes, or makes again, the changes of a climb.
///
/// # Errors
/// A file cannot be read, there is no payload, or the record is not one of the payload.
pub fn undo(request: &UndoRequest) -> Result<RestoredPayload, AppError> {
    let (report, beside) = read_record(&request.record)?;
    let payload = match (&request.payload, beside) {
        (Some(path), _) => read_payload(path, &report, request.direction)?,
        (None, Some(payload)) => payload,
        (None, None) => {
            let message = "there is no payload beside the report";
            let diagnostic = Diagnostic::error(codes::RECORD_DOES_NOT_FIT, message).stage("ladder");
            return Err(AppError::usage(diagnostic.help("name the payload that went out")));
        }
    };
    let applied = match request.direction {
        Direction::Undo => deed_ladder::undo(&report, &payload),
        Direction::Redo => deed_ladder::redo(&report, &payload),
    };
    let value = applied.map_err(|error| {
        let file = request.payload.as_ref().unwrap_or(&request.record);
        AppError::refused(
            Diagnostic::error(codes::RECORD_DOES_NOT_FIT, error.to_string())
                .stage("ladder")
                .at(Place::file(file.display().to_string()))
                .help("give the payload that this record belongs to, and the record as it was written"),
        )
    })?;
    let text = match (&value, request.direction) {
        // Text that is not JSON is restored as the text it was.
        (Value::String(text), Direction::Undo) if !report.repairs.is_empty() => text.clone(),
        (_, Direction::Undo) => deed_ladder::undo_text(&report, &payload).map_err(AppError::internal)? + "\n",
        (_, Direction::Redo) => serde_json::to_string_pretty(&value).map_err(AppError::internal)? + "\n",
    };
    Ok(RestoredPayload { payload: value, text })
}

/// Reads a record, with the payload if it is beside it.
fn read_record(path: &Path) -> Result<(LadderReport, Option<Value>), AppError> {
    let read = read(path)?;
    let whole = read.value();
    let whole = whole.get("data").unwrap_or(whole);
    let beside = whole.get("report").zip(whole.get("payload"));
    // Other documents with these two keys are read as a report, and refused with what is wrong with them.
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

/// Reads a payload. One whose changes are made again may be text that is not JSON.
fn read_payload(path: &Path, report: &LadderReport, direction: Direction) -> Result<Value, AppError> {
    if direction == Direction::Redo && !report.repairs.is_empty() {
        let (name, bytes) = record::bytes(path)?;
        let text = String::from_utf8(bytes).map_err(|_| not_text(name))?;
        // The text itself, or the JSON string that `undo --json` gives.
        return Ok(deed_canon::parse(text.as_bytes()).ok().filter(Value::is_string).unwrap_or(Value::String(text)));
    }
    Ok(read(path)?.value().clone())
}

/// A document with places; or, of one that is larger or deeper than documents may be, the value alone.
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

fn read(path: &Path) -> Result<Read, AppError> {
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
