//! `deed ladder undo`: the payload before a climb, from the payload after it and the record.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::ladders::{Direction, UndoRequest, undo};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

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
        let restored = undo(&UndoRequest {
            record: self.report.clone(),
            payload: self.payload.clone(),
            direction: if self.redo { Direction::Redo } else { Direction::Undo },
        })?;
        Ok(Success::new(RestoredPayload { payload: restored.payload }, restored.text).exact())
    }
}
