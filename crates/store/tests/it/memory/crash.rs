//! The process ends at every durable step of every operation.

use super::fixture::*;
use crate::registry::copy;
use deed_store::Options;
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_MEMORY_CRASH";

fn dying(nth: usize) -> Options {
    let taken = AtomicUsize::new(0);
    Options::default().with_steps(move |_| {
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
    let (op, nth): (usize, usize) = (parts[1].parse().unwrap(), parts[2].parse().unwrap());
    lives()[op](&MemoryStore::open_or_create_with(parts[0].as_ref(), dying(nth)).unwrap()).unwrap();
}

#[test]
fn a_crash_at_any_step_leaves_the_state_before_or_after() {
    let base = tempfile::tempdir().unwrap();
    let lengths = lengths();
    let mut crashes = 0;
    for (at, op) in lives().iter().enumerate() {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let task = format!("{}|{at}|{nth}", scratch.path().display());
            let output = child("crash::child_dies").env(CHILD, task).output().unwrap();
            if output.status.success() {
                break;
            }
            assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6), "{output:?}");
            crashes += 1;
            let store = open(scratch.path());
            assert_eq!(events(&store), lengths[at], "no step comes after the commit");
            assert_clean(&store);
            op(&store).unwrap();
            assert_eq!(events(&store), lengths[at + 1]);
            let left = std::fs::read_dir(scratch.path().join("tmp")).unwrap().count();
            assert_eq!(left, 0, "the next writer clears up");
        }
        op(&open(base.path())).unwrap();
    }
    assert!(crashes > 50, "only {crashes} crashes");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}
