//! Several recorders at once.

use super::fixture::*;
use deed_store::{DecisionLog, Outcome};
use std::sync::Barrier;

const CHILD: &str = "DEED_DECISIONS_RIVAL";
const THREADS: usize = 8;

/// Records from eight threads at once, each with its own log, and returns what came of it.
fn rivals(
    dir: &std::path::Path,
    record: impl Fn(&DecisionLog, usize) -> Result<Outcome, deed_store::DecisionLogError> + Sync,
) -> Vec<Result<Outcome, deed_store::DecisionLogError>> {
    let start = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|n| {
                let (start, record) = (&start, &record);
                scope.spawn(move || {
                    let log = DecisionLog::create_with(dir, quick()).unwrap();
                    start.wait();
                    record(&log, n)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn eight_threads_with_one_decision_record_it_once() {
    let dir = tempfile::tempdir().unwrap();
    let outcomes = rivals(dir.path(), |log, _| record(log, 0));
    assert_eq!(outcomes.iter().filter(|o| matches!(o, Ok(Outcome::Recorded(_)))).count(), 1);
    assert_eq!(outcomes.iter().filter(|o| matches!(o, Ok(Outcome::AlreadyDone))).count(), THREADS - 1);
    assert_eq!(count(&open(dir.path())), 1);
    assert_clean(&open(dir.path()));
}

#[test]
fn eight_threads_with_decisions_of_their_own_record_all() {
    let dir = tempfile::tempdir().unwrap();
    let outcomes = rivals(dir.path(), record);
    assert!(outcomes.iter().all(|o| matches!(o, Ok(Outcome::Recorded(_)))), "{outcomes:?}");
    assert_eq!(count(&open(dir.path())), THREADS);
    assert_clean(&open(dir.path()));
}

#[test]
fn one_approval_of_eight_decisions_is_used_once() {
    let dir = tempfile::tempdir().unwrap();
    let outcomes = rivals(dir.path(), |log, n| log.record(&approved(n), &recording(n), &stamp()));
    assert_eq!(outcomes.iter().filter(|o| matches!(o, Ok(Outcome::Recorded(_)))).count(), 1);
    assert_eq!(outcomes.iter().filter(|o| o.as_ref().is_err_and(|e| codes(e) == ["D2116"])).count(), THREADS - 1);
    assert_clean(&open(dir.path()));
}

/// Not a test of its own: one of two processes that record the same decisions. Alone it does nothing.
#[test]
fn child_records() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (dir, parity) = task.split_once('|').unwrap();
    let log = DecisionLog::create_with(dir.as_ref(), quick()).unwrap();
    let mut order: Vec<usize> = (0..DECISIONS).collect();
    if parity == "1" {
        order.reverse();
    }
    for n in order {
        record(&log, n).unwrap();
    }
}

#[test]
fn two_processes_record_the_same_decisions_once_each() {
    let dir = tempfile::tempdir().unwrap();
    let processes: Vec<_> = (0..2)
        .map(|parity| {
            let task = format!("{}|{parity}", dir.path().display());
            let mut command = child("concurrency::child_records");
            command.env(CHILD, task).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(count(&open(dir.path())), DECISIONS);
    assert_clean(&open(dir.path()));
}

#[test]
fn a_writer_that_does_not_finish_is_named() {
    let (dir, log) = recorded(1);
    let mut options = quick();
    options.busy_timeout = std::time::Duration::from_millis(20);
    let impatient = DecisionLog::open_with(dir.path(), options).unwrap().unwrap();
    let holder = database(dir.path());
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    fails(record(&impatient, 1), "D2124");
    // Readers do not wait for writers.
    assert_eq!(count(&log), 1);
    holder.execute_batch("ROLLBACK").unwrap();
    record(&impatient, 1).unwrap();
}
