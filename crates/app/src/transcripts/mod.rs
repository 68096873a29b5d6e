//! Transcripts of model calls: shown, verified, merged.

mod merge;
mod show;

pub use merge::{MergedTranscript, merge};
pub use show::{ShownTranscript, TranscriptCall, show};

use crate::error::AppError;
use crate::files;
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
    let file = files::read_up_to(path, MOST_BYTES)?;
    Transcript::read(&file.bytes)
        .map_err(|fault| Report::of(transcript_diagnostic(&fault).at(Place::file(file.name))).into())
}
