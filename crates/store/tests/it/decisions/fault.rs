//! A full disk at every durable step, and a full database.

use super::fixture::*;
use deed_store::{DecisionLog, Options};
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
    drop(DecisionLog::create_with(base.path(), quick()).unwrap());
    let mut faults = 0;
    for decision in 0..DECISIONS {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let outcome = record(&DecisionLog::open_with(scratch.path(), full_at(nth)).unwrap().unwrap(), decision);
            if outcome.is_ok() {
                assert!(nth >= 5, "only {nth} durable steps");
                break;
            }
            fails(outcome, "D2124");
            faults += 1;
            let log = open(scratch.path());
            assert_eq!(count(&log), decision);
            assert_clean(&log);
            record(&log, decision).unwrap();
            assert_clean(&log);
        }
        record(&open(base.path()), decision).unwrap();
    }
    assert!(faults > 50, "only {faults} faults");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}

#[test]
fn a_full_disk_while_creating_can_be_tried_again() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let outcome = DecisionLog::create_with(dir.path(), full_at(nth));
        if outcome.is_ok() {
            assert!(nth >= 4);
            break;
        }
        fails(outcome, "D2124");
        assert_clean(&DecisionLog::create_with(dir.path(), quick()).unwrap());
    }
}

#[test]
fn a_full_database_refuses_and_stays_sound() {
    let (dir, log) = recorded(1);
    drop(log);
    let pages: u32 = database(dir.path()).query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    let mut options = quick();
    options.max_pages = Some(pages + 2);
    let tight = DecisionLog::open_with(dir.path(), options).unwrap().unwrap();
    let mut recorded = 1;
    let outcome = loop {
        match record(&tight, recorded) {
            Ok(_) => recorded += 1,
            error => break error,
        }
        assert!(recorded < 500, "the limit does not bite");
    };
    fails(outcome, "D2124");
    assert_clean(&tight);
    assert_eq!(count(&tight), recorded);
    drop(tight);
    record(&open(dir.path()), recorded).unwrap();
}

#[test]
fn content_is_on_disk_before_its_entry() {
    let (dir, log) = recorded(0);
    drop(log);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let options = quick().with_steps(move |step| {
        noted.lock().unwrap().push(step);
        Ok(())
    });
    record(&DecisionLog::open_with(dir.path(), options).unwrap().unwrap(), 0).unwrap();
    let blob = ["create blob folder", "write blob", "sync blob", "rename blob", "sync blob folder"];
    let tail = ["insert event", "update head", "commit"];
    assert_eq!(*seen.lock().unwrap(), [&blob[..], &blob[..], &tail[..]].concat());
}
