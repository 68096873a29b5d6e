//! Faults of transcripts.

use deed_canon::ContentHash;
use thiserror::Error;

/// A fault of a transcript, with the line that it is on, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranscriptFault {
    /// A line is not a link in canonical JSON.
    #[error("line {0} is not a line of a transcript in canonical form")]
    Line(usize),
    /// The hash chain does not hold.
    #[error("line {line}: {why}")]
    Chain {
        /// The line.
        line: usize,
        /// The kind of break.
        why: String,
    },
    /// The first line does not say a format that is known.
    #[error("the first line does not say that this is a transcript of format 1")]
    Head,
    /// The last line is not there, so that others may be missing.
    #[error("the transcript has no end: lines are missing, or the recording was killed")]
    Unfinished,
    /// The last line has another number of calls, or is not the last.
    #[error("line {0} ends the transcript, and does not agree with what stands before or behind it")]
    End(usize),
    /// A key is not that of its call.
    #[error("line {0}: the key is not that of the call")]
    Key(usize),
    /// A call is there twice.
    #[error("line {line}: the call {key} is there twice")]
    Twice {
        /// The line.
        line: usize,
        /// The key.
        key: ContentHash,
    },
    /// A line holds what looks like a credential.
    #[error("line {line} holds what looks like a credential ({rule})")]
    Credential {
        /// The line.
        line: usize,
        /// The rule that found it.
        rule: String,
    },
}
