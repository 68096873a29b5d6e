//! Transcripts: recorded calls and replies as lines of a hash chain.
//!
//! A line is a link of the chain as canonical JSON. The first says the format, the last the number of calls, so that
//! every single edit is found: a changed, moved, missing or added line, and a missing end. A person who computes the
//! whole chain again can write another transcript; a head that is kept elsewhere excludes that.

mod difference;
mod fault;
mod merge;
mod read;
mod recorder;
mod replayer;
mod write;

pub use fault::TranscriptFault;
pub use merge::{MergeConflict, merge};
pub use recorder::Recorder;
pub use replayer::Replayer;

use deed_canon::ChainHead;
use deed_model::RecordedModelCall;

/// A transcript whose chain holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    calls: Vec<RecordedModelCall>,
    head: Option<ChainHead>,
}

impl Transcript {
    /// A transcript of calls, whose keys have been computed.
    pub fn of(calls: Vec<RecordedModelCall>) -> Self {
        Self { calls, head: None }
    }

    /// Returns the calls, in order.
    pub fn calls(&self) -> &[RecordedModelCall] {
        &self.calls
    }

    /// Returns the end of the chain that was read; none for a transcript that was not.
    pub fn head(&self) -> Option<ChainHead> {
        self.head
    }
}
