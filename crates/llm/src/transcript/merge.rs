//! Merging transcripts.

use super::Transcript;
use deed_canon::ContentHash;
use deed_model::RecordedModelCall;
use std::collections::BTreeMap;
use thiserror::Error;

/// A call that two transcripts answer differently.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the transcripts answer the call {key} differently, first at `{pointer}`")]
pub struct MergeConflict {
    /// The key of the call.
    pub key: ContentHash,
    /// The JSON pointer in the recorded call at which they differ first.
    pub pointer: String,
}

/// Merges transcripts: every call once, in the order in which it is first met.
///
/// # Errors
/// Two transcripts have different replies to a call.
pub fn merge(transcripts: &[Transcript]) -> Result<Transcript, MergeConflict> {
    let mut known: BTreeMap<ContentHash, &RecordedModelCall> = BTreeMap::new();
    let mut calls = Vec::new();
    for call in transcripts.iter().flat_map(Transcript::calls) {
        match known.insert(call.key, call) {
            None => calls.push(call.clone()),
            // Attempts and cost may differ; the reply may not.
            Some(before) if before.reply == call.reply && before.origin == call.origin => {}
            Some(before) => {
                let pointer = super::difference::between(before, call).unwrap_or_default();
                return Err(MergeConflict { key: call.key, pointer });
            }
        }
    }
    Ok(Transcript::of(calls))
}
