//! Transcripts of tool calls: decided again in every replay, and chained so that no call can be taken out.

use crate::dispatch::dispatch_as;
use crate::hydrate::Hydrated;
use crate::inputs::Inputs;
use deed_canon::{CanonError, ChainHead, ContentHash, append};
use deed_diag::{Diagnostic, Invariant as _, Place, Report, codes};
use deed_model::{RecordedCall, TranscriptEntry};

/// Decides about every call of a transcript, in order.
pub(super) fn decide(
    pack: &Hydrated,
    inputs: Inputs<'_>,
    transcript: &[TranscriptEntry],
    pinned: bool,
) -> Result<Vec<RecordedCall>, Report> {
    let decided = transcript.iter().enumerate().map(|(i, entry)| {
        let decision =
            dispatch_as(pack, inputs, &entry.call, pinned).map_err(|refusal| refused(i, &refusal.diagnostic))?;
        Ok(RecordedCall { tool: entry.call.tool.clone(), verdict: decision.verdict })
    });
    decided.collect()
}

fn refused(index: usize, why: &Diagnostic) -> Report {
    let message = format!("no call can be made under a refused compile: {} ({})", why.message, why.code);
    let place = Place { source: "transcript".to_owned(), pointer: Some(format!("/{index}")), span: None };
    Report::of(Diagnostic::error(codes::TRANSCRIPT_NOT_POSSIBLE, message).stage("record").at(place))
}

/// Returns the head of the hash chain over a transcript; none if there are no calls.
pub(super) fn chain_hash(transcript: &[TranscriptEntry]) -> Result<Option<ContentHash>, CanonError> {
    let mut head: Option<ChainHead> = None;
    for entry in transcript {
        let body = serde_json::to_value(entry).invariant("a call is JSON");
        head = Some(append(head.as_ref(), body)?.head());
    }
    Ok(head.map(|head| head.hash))
}
