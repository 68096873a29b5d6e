//! The process ends at every durable step of every operation.

use super::fixture::*;
use deed_store::{Options, Registry};
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_STORE_CRASH";

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_dies() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let parts: Vec<&str> = task.split('|').collect();
    let (op, nth): (usize, usize) = (parts[1].parse().unwrap(), parts[2].parse().unwrap());
    let taken = AtomicUsize::new(0);
    let options = Options::default().with_steps(move |_| {
        if taken.fetch_add(1, Ordering::SeqCst) == nth {
            // No destructor runs, no transaction is rolled back, no file is removed.
            std::process::abort();
        }
        Ok(())
    });
    lifecycle()[op](&Registry::open_with(parts[0].as_ref(), options).unwrap()).unwrap();
}

/// Not a test of its own: the process that dies while it creates a registry.
#[test]
fn child_dies_creating() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (dir, nth) = task.split_once('|').unwrap();
    let nth: usize = nth.parse().unwrap();
    let taken = AtomicUsize::new(0);
    let options = Options::default().with_steps(move |_| {
        if taken.fetch_add(1, Ordering::SeqCst) == nth {
            std::process::abort();
        }
        Ok(())
    });
    Registry::create_with(dir.as_ref(), options).unwrap();
}

#[test]
fn a_crash_while_creating_leaves_nothing_or_a_registry() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let task = format!("{}|{nth}", dir.path().display());
        let output = child("crash::child_dies_creating").env(CHILD, task).output().unwrap();
        if output.status.success() {
            assert!(nth >= 4, "only {nth} steps");
            break;
        }
        match Registry::open(dir.path()) {
            Ok(registry) => assert_clean(&registry),
            Err(error) => {
                assert_eq!(codes(&error), ["D1240"]);
                run(&Registry::create(dir.path()).unwrap(), &trusting());
            }
        }
    }
}

#[test]
fn a_crash_at_any_step_leaves_the_state_before_or_after() {
    let base = tempfile::tempdir().unwrap();
    drop(Registry::create_with(base.path(), quick()).unwrap());
    let mut crashes = 0;
    for (at, op) in lifecycle().iter().enumerate() {
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
            let registry = open(scratch.path());
            assert_eq!(events(&registry), at, "no step comes after the commit");
            assert_clean(&registry);
            op(&registry).unwrap();
            assert_eq!(events(&registry), at + 1);
            let left = std::fs::read_dir(scratch.path().join("tmp")).unwrap().count();
            assert_eq!(left, 0, "the next writer clears up");
        }
        op(&open(base.path())).unwrap();
    }
    assert!(crashes > 100, "only {crashes} crashes");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}
