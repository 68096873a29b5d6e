//! Merging transcripts.

use super::read;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use deed_diag::{Diagnostic, codes};
use deed_llm::transcript_diagnostic;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Transcripts that were merged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MergedTranscript {
    /// The file that was written.
    pub out: String,
    /// The number of its calls.
    pub calls: usize,
}

/// Merges transcripts into a new file.
///
/// # Errors
/// A file cannot be read or is not a transcript, two answer a call differently, or the new file is there already.
pub fn merge(paths: &[PathBuf], out: &Path) -> Result<MergedTranscript, AppError> {
    let transcripts = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let merged = deed_llm::merge(&transcripts).map_err(|conflict| {
        let help = "decide which reply counts, and merge the others without that file";
        let diagnostic = Diagnostic::error(codes::TRANSCRIPTS_DISAGREE, conflict.to_string());
        AppError::refused(diagnostic.stage("transcript").help(help))
    })?;
    let bytes = merged.write().map_err(|fault| AppError::refused(transcript_diagnostic(&fault)))?;
    files::write(out, &bytes, Existing::Keep, Access::Shared)?;
    Ok(MergedTranscript { out: files::display_name(out), calls: merged.calls().len() })
}
