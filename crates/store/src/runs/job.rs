//! Jobs of the writer.

use super::fault;
use super::records::PreparedEvent;
use deed_canon::{ChainHead, ContentHash};
use deed_ports::{StoreError, Unless};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Something to write, and the caller that waits for it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) work: Work,
    /// The caller that waits; `None` for a job that is only ordered.
    pub(super) waiter: Option<Waiter>,
}

/// Something to write.
#[derive(Debug)]
pub(super) enum Work {
    /// A new run, with the canonical text of its request.
    Create { run_id: String, first: PreparedEvent, request: String },
    /// Events that follow, all or none, unless a condition excludes them.
    Append { run_id: String, events: Vec<PreparedEvent>, guard: Option<Guard> },
    /// A small blob.
    Blob { sha256: ContentHash, bytes: Arc<[u8]> },
    /// Nothing to write: it is completed when everything before it is.
    Barrier,
}

/// A condition that the writer checks in the transaction that appends.
pub(super) struct Guard {
    /// The first place that is checked.
    pub(super) from: u64,
    pub(super) unless: Unless,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("from", &self.from).finish_non_exhaustive()
    }
}

/// The result of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completed {
    /// A run was created.
    Created,
    /// The same run exists already.
    Already,
    /// Events were appended; the end of their chain.
    Appended(ChainHead),
    /// Nothing was appended: the event at this place excludes it.
    Excluded(u64),
    /// A blob is stored, or there was nothing to write.
    Done,
}

/// The outcome of a job.
pub(super) type Outcome = Result<Completed, StoreError>;

/// The writer's side of an answer.
#[derive(Debug)]
pub(super) struct Waiter(Sender<Outcome>);

/// The caller's side of an answer.
#[derive(Debug)]
pub(super) struct Answer(Receiver<Outcome>);

impl Job {
    /// A job without a waiter.
    pub(super) fn ordered(work: Work) -> Self {
        Self { work, waiter: None }
    }

    /// A job with a waiter.
    pub(super) fn awaited(work: Work) -> (Self, Answer) {
        let (sender, receiver) = channel();
        (Self { work, waiter: Some(Waiter(sender)) }, Answer(receiver))
    }

    /// The approximate size in memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        match &self.work {
            Work::Create { first, request, .. } => first.body.len() + request.len(),
            Work::Append { events, .. } => events.iter().map(|event| event.body.len()).sum(),
            Work::Blob { bytes, .. } => bytes.len(),
            Work::Barrier => 0,
        }
    }
}

impl Work {
    /// The run that it concerns.
    pub(super) fn run_id(&self) -> Option<&str> {
        match self {
            Self::Create { run_id, .. } | Self::Append { run_id, .. } => Some(run_id),
            Self::Blob { .. } | Self::Barrier => None,
        }
    }
}

impl Waiter {
    /// Answers. A caller that no longer waits is ignored.
    pub(super) fn answer(self, outcome: Outcome) {
        self.0.send(outcome).ok();
    }
}

impl Answer {
    /// Waits for the answer.
    pub(super) fn wait(self) -> Outcome {
        self.0.recv().unwrap_or_else(|_| Err(fault::gone()))
    }
}
