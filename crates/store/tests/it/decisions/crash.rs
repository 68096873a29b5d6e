//! The process ends at every durable step.

use super::fixture::*;
use deed_store::{DecisionLog, Options};
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_DECISIONS_CRASH";

fn dying(nth: usize) -> Options {
    let taken = AtomicUsize::new(0);
    quick().with_steps(move |_| {
        if taken.fetch_add(1, Ordering::SeqCst) == nth {
            // No destructor runs, no transaction is rolled back, no file is removed.
            std::process::abort();
        }
        Ok(())
    })
}

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_dies() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let parts: Vec<&str> = task.split('|').collect();
    let (decision, nth): (usize, usize) = (parts[1].parse().unwrap(), parts[2].parse().unwrap());
    let log = DecisionLog::open_with(parts[0].as_ref(), dying(nth)).unwrap().unwrap();
    record(&log, decision).unwrap();
}

/// Not a test of its own: the process that dies while it creates a log.
#[test]
fn child_dies_creating() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (dir, nth) = task.split_once('|').unwrap();
    DecisionLog::create_with(dir.as_ref(), dying(nth.parse().unwrap())).unwrap();
}

#[test]
fn a_crash_while_creating_leaves_nothing_or_a_log() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let task = format!("{}|{nth}", dir.path().display());
        let output = child("crash::child_dies_creating").env(CHILD, task).output().unwrap();
        let log = DecisionLog::open_with(dir.path(), quick()).unwrap();
        if output.status.success() {
            assert!(nth >= 4, "only {nth} steps");
            assert_clean(&log.unwrap());
            break;
        }
        drop(log);
        let log = DecisionLog::create_with(dir.path(), quick()).unwrap();
        record(&log, 0).unwrap();
        assert_clean(&log);
    }
}

#[test]
fn a_crash_at_any_step_leaves_the_state_before_or_after() {
    let base = tempfile::tempdir().unwrap();
    drop(DecisionLog::create_with(base.path(), quick()).unwrap());
    let mut crashes = 0;
    for decision in 0..DECISIONS {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let task = format!("{}|{decision}|{nth}", scratch.path().display());
            let output = child("crash::child_dies").env(CHILD, task).output().unwrap();
            if output.status.success() {
                break;
            }
            assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6), "{output:?}");
            crashes += 1;
            let log = open(scratch.path());
            assert_eq!(count(&log), decision, "no step comes after the commit");
            assert_clean(&log);
            record(&log, decision).unwrap();
            assert_eq!(count(&log), decision + 1);
            let left = std::fs::read_dir(scratch.path().join("tmp")).unwrap().count();
            assert_eq!(left, 0, "the next writer clears up");
        }
        record(&open(base.path()), decision).unwrap();
    }
    assert!(crashes > 50, "only {crashes} crashes");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}
