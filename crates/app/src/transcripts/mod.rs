//! Transcripts of model calls: shown, verified, merged.

mod merge;
mod show;

pub use merge::{MergedTranscript, merge};
pub use show::{ShownTranscript, TranscriptCall, show};

use crate::error::AppError;
use crate::files;
use deed_canon::ContentHash;
use deed_diag::{Place, Report};
use deed_llm::{Transcript, transcript_diagnostic};
use std::path::Path;

/// The largest transcript, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Reads and verifies a transcript.
///
/// # Errors
/// The file cannot be read, or is not a transcript as it was recorded.
pub fn read(path: &Path) -> Result<Transcript, AppError> {
    hashed(path).map(|(transcript, _)| transcript)
}

/// Reads and verifies a transcript, with the plain SHA-256 of its bytes.
pub(crate) fn hashed(path: &Path) -> Result<(Transcript, ContentHash), AppError> {
    let file = files::read_up_to(path, MOST_BYTES)?;
    let sha256 = ContentHash::of_bytes(&file.bytes);
    match Transcript::read(&file.bytes) {
        Ok(transcript) => Ok((transcript, sha256)),
        Err(fault) => Err(Report::of(transcript_diagnostic(&fault).at(Place::file(file.name))).into()),
    }
}
