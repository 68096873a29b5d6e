//! The queue before the writer: bounded, in order, with the small blobs in it at hand for readers.
//!
//! What must hold: jobs leave in the order in which they came; whoever asks whether all is done gets the truth; a
//! refusal that nobody waited for is kept until somebody is told.

use super::fault;
use super::job::{Job, Outcome, Work};
use deed_canon::ContentHash;
use deed_ports::StoreError;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Jobs that may wait, and bytes that they may hold; whoever comes then waits for room.
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
    /// Some of the jobs have somebody who waits.
    awaited: bool,
    /// When the oldest of the jobs came.
    since: Option<Instant>,
    /// Small blobs that are not known to be committed.
    overlay: HashMap<ContentHash, Arc<[u8]>>,
    /// Jobs that nobody waits for and that are not known to be on disk, here and with the writer.
    loose: usize,
    /// The first refusal of a job that nobody waited for, for each run, and how many came after it.
    owed: BTreeMap<Option<String>, (StoreError, u64)>,
    /// The last attempt failed, and the writer keeps jobs that nobody waits for.
    stuck: bool,
    closing: bool,
    gone: bool,
}

/// The next task of the writer.
#[derive(Debug)]
pub(super) enum Next {
    /// These, in order, after what it kept.
    Jobs(Vec<Job>),
    /// Nothing came for the time that it was ready to wait.
    Nothing,
    /// These, and then end.
    End(Vec<Job>),
}

/// Those who waited together last time. They were all answered at once and tend to come back at once; to take the
/// first of them alone would make the others wait twice.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Crowd {
    pub(super) waiters: usize,
    /// The time that is worth waiting for as many again.
    pub(super) worth: Duration,
}

/// What came of a batch, as far as it concerns those who did not wait.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Jobs that nobody waited for.
    pub(super) loose: usize,
    /// Bytes that are committed.
    pub(super) blobs: Vec<ContentHash>,
    /// Refusals that have nobody to be told to, with the run that they concern.
    pub(super) refused: Vec<(Option<String>, StoreError)>,
    /// Runs of which somebody who waited was told that an earlier job had been refused.
    pub(super) told: Vec<String>,
}

impl Queue {
    pub(super) fn new(linger: Duration) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), room: Condvar::new(), linger }
    }

    /// Queues and waits for what comes of it.
    pub(super) fn call(&self, work: Work) -> Outcome {
        let (job, answer) = Job::awaited(work);
        self.push(self.room_for(&job)?, job);
        answer.wait()
    }

    /// Queues without waiting. Where the writer is stuck, it is waited for after all, so that trouble shows.
    pub(super) fn send(&self, work: Work) -> Result<(), StoreError> {
        let job = Job::ordered(work);
        let state = self.room_for(&job)?;
        self.send_into(state, job)
    }

    /// Queues few bytes; they can be read from here on. Bytes that wait already are not queued again.
    pub(super) fn send_blob(&self, sha256: ContentHash, bytes: Arc<[u8]>) -> Result<(), StoreError> {
        let job = Job::ordered(Work::Blob { sha256, bytes: Arc::clone(&bytes) });
        let mut state = self.room_for(&job)?;
        // While the writer is stuck the answer is waited for, and the bytes are in the database or nowhere.
        if !state.stuck {
            if state.overlay.contains_key(&sha256) {
                return Ok(());
            }
            state.overlay.insert(sha256, bytes);
        }
        self.send_into(state, job)
    }

    /// Waits until all that was queued before without being waited for is on disk.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        let (job, answer) = Job::awaited(Work::Barrier);
        let state = self.lock();
        if state.gone {
            return Err(fault::gone());
        }
        if state.loose == 0 {
            return Ok(());
        }
        self.push(state, job);
        answer.wait().map(drop)
    }

    /// The refusal of an earlier job that nobody waited for: of this run, or of any where none is named.
    pub(super) fn owed(&self, run_id: Option<&str>) -> Result<(), StoreError> {
        let mut state = self.lock();
        let due = |run: &&Option<String>| run_id.is_none() || run.is_none() || run.as_deref() == run_id;
        let Some(run) = state.owed.keys().find(due).cloned() else { return Ok(()) };
        match state.owed.remove(&run) {
            Some((refusal, 0)) => Err(refusal),
            Some((refusal, more)) => {
                let message = format!("{} (and {more} later ones were refused too)", refusal.message);
                Err(StoreError { message, ..refusal })
            }
            None => Ok(()),
        }
    }

    /// Runs with a refusal that nobody was told of yet. What was appended to them meanwhile must not be written.
    pub(super) fn spoiled(&self) -> HashMap<String, StoreError> {
        let state = self.lock();
        state.owed.iter().filter_map(|(run, (refusal, _))| Some((run.clone()?, refusal.clone()))).collect()
    }

    /// Few bytes that are not known to be committed.
    pub(super) fn blob(&self, sha256: &ContentHash) -> Option<Arc<[u8]>> {
        self.lock().overlay.get(sha256).map(Arc::clone)
    }

    /// Tells the writer to finish.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.work.notify_all();
    }

    /// Takes all that waits; without anything there, waits for it, at most as long as said.
    pub(super) fn next(&self, patience: Option<Duration>, crowd: Crowd) -> Next {
        let ready = Instant::now();
        let until = patience.map(|patience| ready + patience);
        let mut state = self.lock();
        loop {
            if state.closing {
                return Next::End(self.take(state));
            }
            // Those in no hurry wait for somebody who is; the first of a crowd waits for the rest of it.
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

    /// The writer is through with what it took.
    pub(super) fn done(&self, done: Done) {
        let mut state = self.lock();
        state.stuck = false;
        state.loose = state.loose.saturating_sub(done.loose);
        for sha256 in &done.blobs {
            state.overlay.remove(sha256);
        }
        for (run, refusal) in done.refused {
            state.owed.entry(run).and_modify(|(_, more)| *more += 1).or_insert((refusal, 0));
        }
        for run in done.told {
            state.owed.remove(&Some(run));
        }
    }

    /// The writer failed and keeps jobs, or has none to keep.
    pub(super) fn failed(&self, kept: bool) {
        self.lock().stuck = kept;
    }

    /// The writer is no longer there; so is whatever waited.
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
        state.loose += usize::from(job.waiter.is_none());
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
            // The writer may be asleep because all of these are in no hurry.
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
