//! The queue before the writer: bounded, in order, with the small blobs in it at hand for readers.
//!
//! Invariants: jobs leave in the order in which they came; `settle` returns only when every earlier job is on disk; a
//! refusal of a job without a waiter is kept until a caller receives it.

use super::fault;
use super::job::{Job, Outcome, Work};
use deed_canon::{ContentHash, Invariant as _};
use deed_ports::StoreError;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of queued jobs and of their bytes; further callers wait for room.
const MOST_JOBS: usize = 4_096;
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// The queue before the writer.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    work: Condvar,
    room: Condvar,
    linger: Duration,
}

#[derive(Debug, Default)]
struct State {
    jobs: Vec<Job>,
    bytes: usize,
    /// True if some of the jobs have a waiter.
    awaited: bool,
    /// The arrival time of the oldest job.
    since: Option<Instant>,
    /// Small blobs that are not known to be committed.
    overlay: HashMap<ContentHash, Arc<[u8]>>,
    /// The number of jobs without a waiter that are not known to be on disk, queued or with the writer.
    unawaited: usize,
    /// For each run, the first refusal of a job without a waiter, and the number of later ones.
    unreported: BTreeMap<Option<String>, (StoreError, u64)>,
    /// True if the last attempt failed and the writer keeps jobs without a waiter.
    stuck: bool,
    closing: bool,
    gone: bool,
}

/// The next task of the writer.
#[derive(Debug)]
pub(super) enum Next {
    /// Write these, in order, after the kept ones.
    Jobs(Vec<Job>),
    /// Nothing came before the timeout.
    Nothing,
    /// Write these, then end.
    End(Vec<Job>),
}

/// The callers that waited for the last batch. They were answered at once and tend to return at once; taking the first
/// of them alone would make the others wait twice.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Crowd {
    pub(super) waiters: usize,
    /// The time to wait for the same number again.
    pub(super) worth: Duration,
}

/// The result of a batch for the jobs without a waiter.
#[derive(Debug, Default)]
pub(super) struct BatchReport {
    /// The number of written jobs without a waiter.
    pub(super) unawaited: usize,
    /// Committed small blobs.
    pub(super) blobs: Vec<ContentHash>,
    /// Refusals of jobs without a waiter, with their runs.
    pub(super) refused: Vec<(Option<String>, StoreError)>,
    /// Runs whose earlier refusal was reported to a waiting caller.
    pub(super) reported: Vec<String>,
}

impl Queue {
    pub(super) fn new(linger: Duration) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), room: Condvar::new(), linger }
    }

    /// Queues a job and waits for its outcome.
    pub(super) fn call(&self, work: Work) -> Outcome {
        let (job, answer) = Job::awaited(work);
        self.push(self.room_for(&job)?, job);
        answer.wait()
    }

    /// Queues a job without waiting. While the writer is stuck it waits after all, so that the caller sees the error.
    pub(super) fn send(&self, work: Work) -> Result<(), StoreError> {
        let job = Job::ordered(work);
        let state = self.room_for(&job)?;
        self.send_into(state, job)
    }

    /// Queues a small blob, which can be read at once. A blob that is queued already is not queued again.
    pub(super) fn send_blob(&self, sha256: ContentHash, bytes: Arc<[u8]>) -> Result<(), StoreError> {
        let job = Job::ordered(Work::Blob { sha256, bytes: Arc::clone(&bytes) });
        let mut state = self.room_for(&job)?;
        // While the writer is stuck the caller waits, and the bytes are in the database or nowhere.
        if !state.stuck {
            if state.overlay.contains_key(&sha256) {
                return Ok(());
            }
            state.overlay.insert(sha256, bytes);
        }
        self.send_into(state, job)
    }

    /// Waits until every job that was queued before without a waiter is on disk.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        let (job, answer) = Job::awaited(Work::Barrier);
        let state = self.lock();
        if state.gone {
            return Err(fault::gone());
        }
        if state.unawaited == 0 {
            return Ok(());
        }
        self.push(state, job);
        answer.wait().map(drop)
    }

    /// Returns the refusal of an earlier job without a waiter: of this run, or of any run if none is named.
    pub(super) fn unreported(&self, run_id: Option<&str>) -> Result<(), StoreError> {
        let mut state = self.lock();
        let due = |run: &&Option<String>| run_id.is_none() || run.is_none() || run.as_deref() == run_id;
        let Some(run) = state.unreported.keys().find(due).cloned() else { return Ok(()) };
        let (refusal, more) = state.unreported.remove(&run).invariant("a key of the map has a value");
        if more == 0 {
            return Err(refusal);
        }
        let message = format!("{} (and {more} later ones were refused too)", refusal.message);
        Err(StoreError { message, ..refusal })
    }

    /// Runs with an unreported refusal. Later appends to them must not be written.
    pub(super) fn blocked(&self) -> HashMap<String, StoreError> {
        let state = self.lock();
        state.unreported.iter().filter_map(|(run, (refusal, _))| Some((run.clone()?, refusal.clone()))).collect()
    }

    /// A small blob that is not known to be committed.
    pub(super) fn blob(&self, sha256: &ContentHash) -> Option<Arc<[u8]>> {
        self.lock().overlay.get(sha256).map(Arc::clone)
    }

    /// Tells the writer to finish.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.work.notify_all();
    }

    /// Takes all queued jobs; if there are none, waits for them until the timeout.
    pub(super) fn next(&self, patience: Option<Duration>, crowd: Crowd) -> Next {
        let ready = Instant::now();
        let until = patience.map(|patience| ready + patience);
        let mut state = self.lock();
        loop {
            if state.closing {
                return Next::End(self.take(state));
            }
            // Jobs without a waiter linger for one with a waiter; the first of a crowd waits for the rest of it.
            let worth = match (state.awaited, state.jobs.len() < crowd.waiters) {
                (false, _) => self.linger,
                (true, true) => crowd.worth,
                (true, false) => Duration::ZERO,
            };
            let lingers = state.since.map(|since| since.max(ready) + worth);
            let now = Instant::now();
            let ripe = state.bytes >= MOST_BYTES / 2 || lingers.is_some_and(|until| until <= now);
            if !state.jobs.is_empty() && ripe {
                return Next::Jobs(self.take(state));
            }
            if until.is_some_and(|until| until <= now) && state.jobs.is_empty() {
                return Next::Nothing;
            }
            state = match lingers.or(until) {
                Some(until) => {
                    let (state, _) = self
                        .work
                        .wait_timeout(state, until.saturating_duration_since(now))
                        .unwrap_or_else(PoisonError::into_inner);
                    state
                }
                None => self.work.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Takes the report of a written batch.
    pub(super) fn done(&self, report: BatchReport) {
        let mut state = self.lock();
        state.stuck = false;
        state.unawaited =
            state.unawaited.checked_sub(report.unawaited).invariant("a job is counted before it is written");
        for sha256 in &report.blobs {
            state.overlay.remove(sha256);
        }
        for (run, refusal) in report.refused {
            state.unreported.entry(run).and_modify(|(_, more)| *more += 1).or_insert((refusal, 0));
        }
        for run in report.reported {
            state.unreported.remove(&Some(run));
        }
    }

    /// Records that a batch failed, and whether the writer keeps jobs of it.
    pub(super) fn failed(&self, kept: bool) {
        self.lock().stuck = kept;
    }

    /// Ends the queue after the writer has ended: queued jobs are dropped, and their callers receive an error.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.gone = true;
        state.jobs.clear();
        self.room.notify_all();
    }

    fn take(&self, mut state: MutexGuard<'_, State>) -> Vec<Job> {
        let jobs = std::mem::take(&mut state.jobs);
        (state.bytes, state.awaited, state.since) = (0, false, None);
        drop(state);
        self.room.notify_all();
        jobs
    }

    fn send_into(&self, state: MutexGuard<'_, State>, job: Job) -> Result<(), StoreError> {
        if !state.stuck {
            self.push(state, job);
            return Ok(());
        }
        let (job, answer) = Job::awaited(job.work);
        self.push(state, job);
        answer.wait().map(drop)
    }

    fn push(&self, mut state: MutexGuard<'_, State>, job: Job) {
        let wake = job.waiter.is_some() || state.jobs.is_empty();
        state.bytes += job.weight();
        state.awaited |= job.waiter.is_some();
        state.unawaited += usize::from(job.waiter.is_none());
        state.since.get_or_insert_with(Instant::now);
        state.jobs.push(job);
        let heavy = state.bytes >= MOST_BYTES / 2;
        drop(state);
        if wake || heavy {
            self.work.notify_one();
        }
    }

    /// Waits until there is room. A job that is larger than the queue is let in alone.
    fn room_for(&self, job: &Job) -> Result<MutexGuard<'_, State>, StoreError> {
        let weight = job.weight();
        let mut state = self.lock();
        loop {
            if state.gone || state.closing {
                return Err(fault::gone());
            }
            let fits = state.jobs.len() < MOST_JOBS && state.bytes.saturating_add(weight) <= MOST_BYTES;
            if fits || state.jobs.is_empty() {
                return Ok(state);
            }
            // The writer may still linger, because none of these jobs has a waiter.
            state.awaited = true;
            self.work.notify_one();
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state whole: each change of it is one statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
