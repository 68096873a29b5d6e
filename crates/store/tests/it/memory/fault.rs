//! A full disk at every durable step of every operation.

use super::fixture::*;
use crate::registry::copy;
use deed_store::Options;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Fails the `nth` step, counted from 0, for want of space.
fn full_at(nth: usize) -> Options {
    let taken = AtomicUsize::new(0);
    quick().with_steps(move |_| match taken.fetch_add(1, Ordering::SeqCst) == nth {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    })
}

#[test]
fn a_full_disk_at_any_step_leaves_nothing_half_written() {
    let base = tempfile::tempdir().unwrap();
    drop(open(base.path()));
    let lengths = lengths();
    let mut faults = 0;
    for (at, op) in lives().iter().enumerate() {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let outcome = op(&MemoryStore::open_or_create_with(scratch.path(), full_at(nth)).unwrap());
            if outcome.is_ok() {
                assert!(nth >= 3, "operation {at} has only {nth} durable steps");
                break;
            }
            failed(outcome, "D1242");
            faults += 1;
            let store = open(scratch.path());
            assert_eq!(events(&store), lengths[at]);
            assert_clean(&store);
            op(&store).unwrap();
            assert_eq!(events(&store), lengths[at + 1]);
        }
        op(&open(base.path())).unwrap();
    }
    assert!(faults > 50, "only {faults} faults");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}

/// The store that failed goes on with what is on disk, and not with what it had begun.
#[test]
fn a_failed_commit_is_forgotten() {
    let (dir, store) = store();
    drop(store);
    let steps = Arc::new(Mutex::new(true));
    let full = Arc::clone(&steps);
    let options = quick().with_steps(move |step| match step == "commit" && *full.lock().unwrap() {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    });
    let store = MemoryStore::open_or_create_with(&dir.path().join("memory"), options).unwrap();
    failed(store.propose(&language("de", 0.99), &rules(), &stamp(1)), "D1242");
    assert_eq!(store.state().unwrap().records().count(), 0);
    *steps.lock().unwrap() = false;
    run(&store, &lives());
    assert_eq!(store.head().unwrap().unwrap().hash, undisturbed());
}

#[test]
fn a_full_disk_while_creating_can_be_tried_again() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory");
        let outcome = MemoryStore::open_or_create_with(&path, full_at(nth));
        if outcome.is_ok() {
            assert!(nth >= 4);
            break;
        }
        failed(outcome, "D1242");
        let left = MemoryStore::open_if_there(&path).unwrap();
        assert!(left.is_none_or(|store| events(&store) == 0));
        let store = open(&path);
        run(&store, &lives()[..1]);
        assert_clean(&store);
    }
}

#[test]
fn content_is_on_disk_before_the_events_that_name_it() {
    let (dir, store) = store();
    drop(store);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let options = quick().with_steps(move |step| {
        noted.lock().unwrap().push(step);
        Ok(())
    });
    let store = MemoryStore::open_or_create_with(&dir.path().join("memory"), options).unwrap();
    store.propose(&language("de", 0.99), &rules(), &stamp(1)).unwrap();
    let blob = ["create blob folder", "write blob", "sync blob", "rename blob", "sync blob folder"];
    let tail = ["insert event", "insert event", "insert event", "update head", "commit"];
    assert_eq!(*seen.lock().unwrap(), [&blob[..], &blob[..], &tail[..]].concat());
}
