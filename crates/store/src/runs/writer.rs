//! The writer thread of a store: group commit.
//!
//! It takes all queued jobs, applies them in order in one transaction, and answers when that is on disk. A refused job
//! does not affect the others. If the disk or the database fails, every waiting caller receives the error; jobs without
//! a waiter are kept and retried before any later job, so that the order holds and nothing is lost silently.

use super::apply::{Batch, JobError};
use super::fault;
use super::job::{Completed, Job, Outcome, Work};
use super::log::Log;
use super::queue::{BatchReport, Crowd, Next, Queue};
use crate::steps::Steps;
use deed_ports::StoreError;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::{debug, debug_span, error};

/// Idle time after which the log is checkpointed, so that no caller waits for it.
const QUIET: Duration = Duration::from_millis(200);
/// The share of a commit's time that is spent waiting for returning callers, and its maximum.
const SHARE: u32 = 4;
const MOST_WORTH: Duration = Duration::from_millis(1);
/// Time after which kept jobs are retried, if no other job comes.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The writer of a store.
#[derive(Debug)]
pub(super) struct Writer {
    conn: Connection,
    /// The log, until it was extended.
    log: Option<Log>,
    queue: Arc<Queue>,
    steps: Arc<Steps>,
    /// Jobs without a waiter that could not be written yet.
    kept: Vec<Job>,
    /// True if something was committed since the last checkpoint.
    dirty: bool,
    crowd: Crowd,
}

/// Abandons the queue when the writer thread ends, also by a panic, so that every waiting caller receives an error.
struct AbandonGuard(Arc<Queue>);

impl Drop for AbandonGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            error!("the thread that writes the journal panicked");
        }
        self.0.abandon();
    }
}

/// Abandons the queue at a panic, before the callers of the jobs at hand receive their error: a caller that has received
/// it must not find the queue open.
struct PanicGuard(Arc<Queue>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

impl Writer {
    pub(super) fn new(conn: Connection, log: Option<Log>, queue: Arc<Queue>, steps: Arc<Steps>) -> Self {
        Self { conn, log, queue, steps, kept: Vec::new(), dirty: false, crowd: Crowd::default() }
    }

    /// Writes until the queue is closed.
    pub(super) fn run(mut self) {
        let _guard = AbandonGuard(Arc::clone(&self.queue));
        loop {
            match self.queue.next(self.patience(), self.crowd) {
                Next::Jobs(jobs) => self.write(jobs),
                Next::Nothing if self.kept.is_empty() => self.checkpoint(),
                Next::Nothing => self.write(Vec::new()),
                Next::End(jobs) => {
                    self.write(jobs);
                    self.checkpoint();
                    break;
                }
            }
        }
    }

    fn patience(&self) -> Option<Duration> {
        match (self.kept.is_empty(), self.dirty) {
            (false, _) => Some(RETRY_DELAY),
            (true, true) => Some(QUIET),
            (true, false) => None,
        }
    }

    fn write(&mut self, jobs: Vec<Job>) {
        let mut all = std::mem::take(&mut self.kept);
        all.extend(jobs);
        // Dropped before the jobs.
        let _guard = PanicGuard(Arc::clone(&self.queue));
        let (begun, waiters) = (Instant::now(), all.iter().filter(|job| job.waiter.is_some()).count());
        match self.commit(&all) {
            Ok(outcomes) => {
                self.crowd = Crowd { waiters, worth: (begun.elapsed() / SHARE).min(MOST_WORTH) };
                self.tell(all, outcomes);
            }
            Err(error) => self.keep(all, &error),
        }
    }

    /// Writes all jobs in one transaction. An error concerns all of them.
    fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Outcome>, StoreError> {
        if jobs.iter().all(|job| matches!(job.work, Work::Barrier)) {
            return Ok(jobs.iter().map(|_| Ok(Completed::Done)).collect());
        }
        if let Some(log) = self.log.take() {
            log.make_room(&self.conn);
        }
        let _transaction = debug_span!("transaction", run = %RunIds(jobs), jobs = jobs.len()).entered();
        self.step("begin")?;
        let begun = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate);
        let tx = begun.map_err(|e| fault::sql(&e))?;
        let mut batch = Batch::new(&tx, &self.steps);
        let mut blocked = self.queue.blocked();
        let mut outcomes = Vec::with_capacity(jobs.len());
        for job in jobs {
            outcomes.push(match batch.apply(&job.work, &blocked) {
                Ok(done) => Ok(done),
                Err(JobError::Failed(error)) => return Err(error),
                Err(JobError::Refused(refusal)) => {
                    // The caller does not wait, so nothing may follow in this run until the refusal is reported.
                    if let (None, Some(run)) = (&job.waiter, job.work.run_id()) {
                        blocked.entry(run.to_owned()).or_insert_with(|| refusal.clone());
                    }
                    Err(refusal)
                }
            });
        }
        self.step("commit")?;
        tx.commit().map_err(|e| fault::sql(&e))?;
        debug!("committed");
        self.dirty = true;
        Ok(outcomes)
    }

    fn tell(&self, jobs: Vec<Job>, outcomes: Vec<Outcome>) {
        let (mut done, mut answers) = (BatchReport::default(), Vec::new());
        for (job, outcome) in jobs.into_iter().zip(outcomes) {
            if let Work::Blob { sha256, .. } = &job.work {
                done.blobs.push(*sha256);
            }
            match job.waiter {
                Some(waiter) => {
                    if let (Err(_), Work::Append { run_id, .. }) = (&outcome, job.work) {
                        done.reported.push(run_id);
                    }
                    answers.push((waiter, outcome));
                }
                None => {
                    done.unawaited += 1;
                    let run = job.work.run_id().map(str::to_owned);
                    done.refused.extend(outcome.err().map(|refusal| (run, refusal)));
                }
            }
        }
        // Before the answers, so that a caller that is answered finds nothing more to wait for.
        self.queue.done(done);
        for (waiter, outcome) in answers {
            waiter.answer(outcome);
        }
    }

    fn keep(&mut self, jobs: Vec<Job>, error: &StoreError) {
        let mut answers = Vec::new();
        for mut job in jobs {
            match job.waiter.take() {
                Some(waiter) => answers.push(waiter),
                None => self.kept.push(job),
            }
        }
        self.queue.failed(!self.kept.is_empty());
        for waiter in answers {
            waiter.answer(Err(error.clone()));
        }
    }

    /// Checkpoints the log as far as readers allow. If it fails, a later checkpoint does it.
    fn checkpoint(&mut self) {
        if !std::mem::take(&mut self.dirty) {
            return;
        }
        self.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).ok();
    }

    fn step(&self, name: &'static str) -> Result<(), StoreError> {
        self.steps.before(name).map_err(|e| fault::io(&e, Path::new(super::open::DATABASE)))
    }
}

/// Displays the runs of some jobs, each once, for tracing.
struct RunIds<'j>(&'j [Job]);

impl fmt::Display for RunIds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: BTreeSet<&str> = self.0.iter().filter_map(|job| job.work.run_id()).collect();
        for (place, id) in ids.into_iter().enumerate() {
            write!(f, "{}{id}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::runs::records::{PreparedEvent, Stage};
    use crate::runs::schema;
    use deed_ports::StoreErrorKind;

    fn append(run_id: &str) -> Work {
        let event = PreparedEvent { body: "{}".to_owned(), stage: Stage::Open };
        Work::Append { run_id: run_id.to_owned(), events: vec![event], guard: None }
    }

    fn create(run_id: &str) -> Work {
        let first = PreparedEvent { body: "{}".to_owned(), stage: Stage::Open };
        Work::Create { run_id: run_id.to_owned(), first, request: String::new() }
    }

    fn writer() -> Writer {
        let conn = Connection::open_in_memory().unwrap();
        schema::create(&conn).unwrap();
        Writer::new(conn, None, Arc::new(Queue::new(Duration::ZERO)), Arc::new(Steps::none()))
    }

    fn kinds(outcomes: Vec<Outcome>) -> Vec<Result<(), StoreErrorKind>> {
        outcomes.into_iter().map(|outcome| outcome.map(drop).map_err(|e| e.kind)).collect()
    }

    /// The run is created after a refused event: later events must not be written without it.
    #[test]
    fn nothing_follows_an_unreported_refusal() {
        let mut writer = writer();
        let (made, _answer) = Job::awaited(create("a"));
        let jobs = [Job::ordered(append("a")), made, Job::ordered(append("a")), Job::ordered(append("b"))];
        let unknown = Err(StoreErrorKind::Unknown);
        assert_eq!(kinds(writer.commit(&jobs).unwrap()), [unknown, Ok(()), unknown, unknown]);
        let events = "SELECT count(*) FROM events WHERE run_id = 'a'";
        assert_eq!(writer.conn.query_row(events, [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    }

    /// A caller that received a refusal may continue; the other jobs of the batch are not affected.
    #[test]
    fn a_reported_refusal_blocks_nothing() {
        let mut writer = writer();
        let jobs = [append("a"), create("a"), append("a")].map(|work| Job::awaited(work).0);
        let outcomes = kinds(writer.commit(&jobs).unwrap());
        assert_eq!(outcomes, [Err(StoreErrorKind::Unknown), Ok(()), Ok(())]);
    }

    /// A job that the database refuses half way leaves nothing behind, and the next job continues from there.
    #[test]
    fn a_job_is_written_whole_or_not_at_all() {
        let mut writer = writer();
        let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.body = '1' \
                      BEGIN SELECT RAISE(ABORT, 'no'); END";
        writer.conn.execute_batch(refuse).unwrap();
        let event = |body: &str| PreparedEvent { body: body.to_owned(), stage: Stage::Open };
        let halved = Work::Append { run_id: "a".to_owned(), events: vec![event("{}"), event("1")], guard: None };
        let jobs = [create("a"), halved, append("a")].map(|work| Job::awaited(work).0);
        let outcomes = kinds(writer.commit(&jobs).unwrap());
        assert_eq!(outcomes, [Ok(()), Err(StoreErrorKind::Corrupt), Ok(())]);
        let last = "SELECT max(seq) FROM events WHERE run_id = 'a'";
        assert_eq!(writer.conn.query_row(last, [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    }
}
