//! The one thread of a store that writes: group commit.
//!
//! It takes all that waits, applies it in order in one transaction, and answers when that is on disk. A job that is
//! refused does not disturb the others. If the disk or the database fails, everybody who waits is told; what nobody
//! waits for is kept and tried again before anything later, so that order holds and nothing goes missing in silence.

use super::apply::{Batch, JobError};
use super::fault;
use super::job::{Completed, Job, Outcome, Work};
use super::log::Log;
use super::queue::{Crowd, Done, Next, Queue};
use crate::steps::Steps;
use deed_ports::StoreError;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::{debug, debug_span, error};

/// Quiet after which the log is moved into the database, so that this is in nobody's way.
const QUIET: Duration = Duration::from_millis(200);
/// The share of a commit that is spent on waiting for others who come back, and the most that it may be.
const SHARE: u32 = 4;
const MOST_WORTH: Duration = Duration::from_millis(1);
/// Time after which kept jobs are tried again, if nothing else comes.
const AGAIN: Duration = Duration::from_secs(1);

/// The writer of a store.
#[derive(Debug)]
pub(super) struct Writer {
    conn: Connection,
    /// The log, until it was seen to.
    log: Option<Log>,
    queue: Arc<Queue>,
    steps: Arc<Steps>,
    /// Jobs without a waiter that could not be written yet.
    kept: Vec<Job>,
    /// Something was committed since the log was last moved into the database.
    dirty: bool,
    crowd: Crowd,
}

/// Fails everything that waits for the writer once its thread ends, also by a panic.
struct Leaving(Arc<Queue>);

impl Drop for Leaving {
    fn drop(&mut self) {
        if std::thread::panicking() {
            error!("the thread that writes the journal panicked");
        }
        self.0.abandon();
    }
}

impl Writer {
    pub(super) fn new(conn: Connection, log: Option<Log>, queue: Arc<Queue>, steps: Arc<Steps>) -> Self {
        Self { conn, log, queue, steps, kept: Vec::new(), dirty: false, crowd: Crowd::default() }
    }

    /// Writes until the queue is closed.
    pub(super) fn run(mut self) {
        let _leaving = Leaving(Arc::clone(&self.queue));
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
            (false, _) => Some(AGAIN),
            (true, true) => Some(QUIET),
            (true, false) => None,
        }
    }

    fn write(&mut self, jobs: Vec<Job>) {
        let mut all = std::mem::take(&mut self.kept);
        all.extend(jobs);
        let (begun, waiters) = (Instant::now(), all.iter().filter(|job| job.waiter.is_some()).count());
        match self.commit(&all) {
            Ok(outcomes) => {
                self.crowd = Crowd { waiters, worth: (begun.elapsed() / SHARE).min(MOST_WORTH) };
                self.tell(all, outcomes);
            }
            Err(error) => self.keep(all, &error),
        }
    }

    /// One transaction for all of them. An error is one that concerns all.
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
        let mut spoiled = self.queue.spoiled();
        let mut outcomes = Vec::with_capacity(jobs.len());
        for job in jobs {
            outcomes.push(match batch.apply(&job.work, &spoiled) {
                Ok(done) => Ok(done),
                Err(JobError::Failed(error)) => return Err(error),
                Err(JobError::Refused(refusal)) => {
                    // Nobody is told of it at once, so that nothing may follow until somebody is.
                    if let (None, Some(run)) = (&job.waiter, job.work.run_id()) {
                        spoiled.entry(run.to_owned()).or_insert_with(|| refusal.clone());
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
        let (mut done, mut answers) = (Done::default(), Vec::new());
        for (job, outcome) in jobs.into_iter().zip(outcomes) {
            if let Work::Blob { sha256, .. } = &job.work {
                done.blobs.push(*sha256);
            }
            match job.waiter {
                Some(waiter) => {
                    if let (Err(_), Work::Append { run_id, .. }) = (&outcome, job.work) {
                        done.told.push(run_id);
                    }
                    answers.push((waiter, outcome));
                }
                None => {
                    done.loose += 1;
                    let run = job.work.run_id().map(str::to_owned);
                    done.refused.extend(outcome.err().map(|refusal| (run, refusal)));
                }
            }
        }
        // First this, so that whoever is answered finds nothing more to wait for.
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

    /// Moves the log into the database as far as no reader is in the way. If it fails, a later one does it.
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

/// The runs that some jobs concern, each once, for the log.
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
    use crate::runs::records::{Prepared, Stage};
    use crate::runs::schema;
    use deed_ports::StoreErrorKind;

    fn append(run_id: &str) -> Work {
        let event = Prepared { body: "{}".to_owned(), stage: Stage::Open };
        Work::Append { run_id: run_id.to_owned(), events: vec![event], guard: None }
    }

    fn create(run_id: &str) -> Work {
        let first = Prepared { body: "{}".to_owned(), stage: Stage::Open };
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

    /// The run comes into being behind a refused event: what follows must not be written without it.
    #[test]
    fn nothing_follows_a_refusal_that_nobody_was_told_of() {
        let mut writer = writer();
        let (made, _answer) = Job::awaited(create("a"));
        let jobs = [Job::ordered(append("a")), made, Job::ordered(append("a")), Job::ordered(append("b"))];
        let unknown = Err(StoreErrorKind::Unknown);
        assert_eq!(kinds(writer.commit(&jobs).unwrap()), [unknown, Ok(()), unknown, unknown]);
        let events = "SELECT count(*) FROM events WHERE run_id = 'a'";
        assert_eq!(writer.conn.query_row(events, [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    }

    /// Whoever was told of a refusal may go on; the others of the batch are not concerned at all.
    #[test]
    fn a_refusal_that_was_told_spoils_nothing() {
        let mut writer = writer();
        let jobs = [append("a"), create("a"), append("a")].map(|work| Job::awaited(work).0);
        let outcomes = kinds(writer.commit(&jobs).unwrap());
        assert_eq!(outcomes, [Err(StoreErrorKind::Unknown), Ok(()), Ok(())]);
    }

    /// Events that the database itself refuses half way leave nothing behind, and the next job goes on from there.
    #[test]
    fn a_job_is_written_whole_or_not_at_all() {
        let mut writer = writer();
        let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.body = '1' \
                      BEGIN SELECT RAISE(ABORT, 'no'); END";
        writer.conn.execute_batch(refuse).unwrap();
        let event = |body: &str| Prepared { body: body.to_owned(), stage: Stage::Open };
        let halved = Work::Append { run_id: "a".to_owned(), events: vec![event("{}"), event("1")], guard: None };
        let jobs = [create("a"), halved, append("a")].map(|work| Job::awaited(work).0);
        let outcomes = kinds(writer.commit(&jobs).unwrap());
        assert_eq!(outcomes, [Ok(()), Err(StoreErrorKind::Corrupt), Ok(())]);
        let last = "SELECT max(seq) FROM events WHERE run_id = 'a'";
        assert_eq!(writer.conn.query_row(last, [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    }
}
