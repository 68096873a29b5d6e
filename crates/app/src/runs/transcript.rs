//! Transcripts of runs: written from the journal, so that they have what earlier processes asked too, and read for replays.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes};
use deed_llm::{Replayer, Transcript, transcript_diagnostic};
use deed_model::{ModelCallOutcome, RecordedModelCall, RunEvent, ServedTranscript};
use deed_ports::{BlobRead, JournalEntry};
use deed_runtime::{ModelSource, RunState};
use serde::de::DeserializeOwned;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Reads the transcript that answers in place of providers.
pub(super) fn source(path: Option<&Path>) -> Result<ModelSource, AppError> {
    let Some(path) = path else { return Ok(ModelSource::Providers) };
    let (transcript, sha256) = crate::transcripts::hashed(path)?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let replayer = Arc::new(Replayer::new(&transcript));
    Ok(ModelSource::Transcript { replayer, served: ServedTranscript { file, sha256 } })
}

/// Refuses a file that is there or cannot be written, before anything is paid for.
pub(crate) fn free(path: Option<&Path>) -> Result<(), AppError> {
    path.map_or(Ok(()), files::can_be_made)
}

/// Writes the calls of models that a run has the replies of.
pub(super) fn write(
    path: &Path,
    entries: &[JournalEntry],
    state: &RunState,
    blobs: &dyn BlobRead,
) -> Result<(), AppError> {
    let mut calls: Vec<RecordedModelCall> = Vec::new();
    for entry in entries {
        let RunEvent::ModelCallEnded { answer } = &entry.record.event else { continue };
        let ModelCallOutcome::Replied { reply, origin, .. } = &answer.outcome else { continue };
        let models = state.steps.get(&answer.step).into_iter().flat_map(|step| &step.models);
        let Some(model) = models.into_iter().find(|model| model.intent.key == answer.key) else { continue };
        calls.push(RecordedModelCall {
            key: answer.key,
            occurrence: model.intent.occurrence,
            origin: origin.clone(),
            call: load(blobs, &model.intent.value)?,
            reply: load(blobs, reply)?,
            attempts: answer.attempts.clone(),
            cost: answer.cost.clone(),
        });
    }
    let bytes = Transcript::of(calls).write().map_err(|fault| AppError::refused(transcript_diagnostic(&fault)))?;
    files::write(path, &bytes, Existing::Keep, Access::Shared)
}

fn load<T: DeserializeOwned>(blobs: &dyn BlobRead, sha256: &ContentHash) -> Result<T, AppError> {
    let altered = |why: String| {
        let message = format!("a call of a model cannot be read: {why}");
        AppError::environment(Diagnostic::error(codes::STORE_FAILED, message).stage("transcript"))
    };
    let mut bytes = Vec::new();
    let mut blob = blobs.open(sha256).map_err(|error| altered(error.message))?;
    blob.read_to_end(&mut bytes).map_err(|error| altered(error.to_string()))?;
    if ContentHash::of_bytes(&bytes) != *sha256 {
        return Err(altered("its bytes were altered".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| altered(error.to_string()))
}
