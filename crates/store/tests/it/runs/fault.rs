//! A disk that is full at every durable step, and a full database.

use super::fixture::*;
use deed_ports::{BlobWrite, JournalRead, JournalWrite, StoreError, StoreErrorKind, Wait};
use deed_store::{RunStore, RunStoreOptions};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn full_at(options: RunStoreOptions, nth: usize) -> RunStoreOptions {
    let taken = AtomicUsize::new(0);
    options.with_steps(move |_| match taken.fetch_add(1, Ordering::SeqCst) == nth {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    })
}

fn live(store: &RunStore) -> Result<(), StoreError> {
    store.create("a", submitted("a"))?;
    store.put(&mut vec![1; 70_000].as_slice())?;
    store.append("a", vec![progress(1), progress(2)], Wait::Durable)?;
    store.append("a", vec![ended(), sealed()], Wait::Durable).map(drop)
}

#[test]
fn a_full_disk_at_any_step_leaves_nothing_half_written() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let outcome = RunStore::create_or_open_with(dir.path(), full_at(quick(), nth)).and_then(|store| live(&store));
        if outcome.is_ok() {
            assert!(nth >= 20, "only {nth} steps");
            break;
        }
        fails(outcome, StoreErrorKind::Full);
        let store = RunStore::create_or_open_with(dir.path(), quick()).unwrap();
        assert_sound(&store);
        let done = store.events("a", 0).unwrap().len();
        assert!([0, 1, 3].contains(&done), "{done} events");
        store.create("a", submitted("a")).unwrap();
        store.append("a", vec![progress(9)], Wait::Durable).unwrap();
        assert_sound(&store);
    }
}

/// A disk that is full until room is made.
fn cramped(dir: &std::path::Path) -> (RunStore, Arc<AtomicBool>) {
    let full = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&full);
    let mut options = quick().with_steps(move |step| match step == "commit" && switch.load(Ordering::SeqCst) {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    });
    options.linger = Duration::from_secs(3600);
    (RunStore::create_or_open_with(dir, options).unwrap(), full)
}

#[test]
fn jobs_without_a_waiter_are_kept_and_written_first() {
    let dir = tempfile::tempdir().unwrap();
    let (store, full) = cramped(dir.path());
    begin(&store, "a", 0);
    full.store(true, Ordering::SeqCst);
    store.append("a", vec![progress(1)], Wait::Ordered).unwrap();
    let small = store.put(&mut &b"small"[..]).unwrap();
    fails(store.append("a", vec![progress(2)], Wait::Durable), StoreErrorKind::Full);
    // From now on every caller receives the error, also one that does not wait.
    fails(store.append("a", vec![progress(3)], Wait::Ordered), StoreErrorKind::Full);
    fails(store.put(&mut &b"other"[..]), StoreErrorKind::Full);
    fails(store.put(&mut &b"small"[..]), StoreErrorKind::Full);
    fails(store.events("a", 0), StoreErrorKind::Full);
    fails(store.settle("a"), StoreErrorKind::Full);
    deed_ports::BlobRead::locate(&store, &small.sha256).unwrap();
    full.store(false, Ordering::SeqCst);
    store.append("a", vec![progress(4)], Wait::Durable).unwrap();
    assert_eq!(numbers(&store.events("a", 0).unwrap()), [1, 4], "what was refused aloud is not written");
    let fresh = reopen(dir.path());
    assert_eq!(fresh.check_blob(&small.sha256).unwrap(), 5);
    fails(fresh.check_blob(&deed_canon::ContentHash::of_bytes(b"other")), StoreErrorKind::Unknown);
    store.append("a", vec![progress(5)], Wait::Ordered).unwrap();
    assert_eq!(assert_sound(&store).events, 4);
}

#[test]
fn a_full_database_refuses_and_stays_sound() {
    let (dir, store) = store();
    begin(&store, "a", 1);
    drop(store);
    let pages: u32 = database(dir.path()).query_row("PRAGMA page_count", [], |r| r.get(0)).unwrap();
    let mut options = quick();
    options.max_pages = Some(pages + 3);
    let tight = RunStore::open_with(dir.path(), options).unwrap();
    let mut written = 1;
    let error = loop {
        match tight.append("a", vec![progress(written + 1)], Wait::Durable) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 1000, "the limit does not bite");
    };
    fails::<()>(Err(error), StoreErrorKind::Full);
    assert_eq!(assert_sound(&tight).events, written + 1);
    drop(tight);
    let roomy = reopen(dir.path());
    roomy.append("a", vec![progress(written + 1)], Wait::Durable).unwrap();
    assert_eq!(numbers(&roomy.events("a", 0).unwrap()), (1..=written + 1).collect::<Vec<_>>());
}

#[test]
fn steps_are_taken_in_the_order_that_durability_needs() {
    let (dir, store) = store();
    begin(&store, "a", 0);
    drop(store);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let options = quick().with_steps(move |step| {
        noted.lock().unwrap().push(step);
        Ok(())
    });
    let store = RunStore::open_with(dir.path(), options).unwrap();
    store.put(&mut vec![1; 70_000].as_slice()).unwrap();
    store.append("a", vec![progress(1), progress(2)], Wait::Durable).unwrap();
    let blob = ["write blob", "create blob folder", "sync blob", "rename blob", "sync blob folder"];
    let events = ["begin", "insert event", "insert event", "note end", "commit"];
    assert_eq!(*seen.lock().unwrap(), [blob, events].concat());
}

#[test]
fn a_rival_that_does_not_let_go_is_named() {
    let (dir, store) = store();
    begin(&store, "a", 0);
    drop(store);
    let rival = database(dir.path());
    rival.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut options = quick();
    options.busy_timeout = Duration::from_millis(20);
    let store = RunStore::open_with(dir.path(), options).unwrap();
    store.append("a", vec![progress(1)], Wait::Ordered).unwrap();
    let error = fails(store.append("a", vec![progress(2)], Wait::Durable), StoreErrorKind::Unavailable);
    assert!(error.message.starts_with("another process is writing"), "{error}");
    rival.execute_batch("ROLLBACK").unwrap();
    assert_eq!(numbers(&store.events("a", 0).unwrap()), [1]);
}

/// After a panic of the writer thread every caller receives an error, now and later; nothing hangs.
#[test]
fn a_writer_that_panics_answers_everybody() {
    let dir = tempfile::tempdir().unwrap();
    begin(&RunStore::create_or_open_with(dir.path(), quick()).unwrap(), "a", 1);
    let options = quick().with_steps(|step| {
        assert_ne!(step, "insert event", "the writer fell over");
        Ok(())
    });
    let store = RunStore::open_with(dir.path(), options).unwrap();
    let error = fails(store.append("a", vec![progress(2)], Wait::Durable), StoreErrorKind::Unavailable);
    assert_eq!(error.message, "the writer thread of the journal has ended");
    fails(store.append("a", vec![progress(3)], Wait::Ordered), StoreErrorKind::Unavailable);
    fails(store.settle("a"), StoreErrorKind::Unavailable);
    fails(store.events("a", 0), StoreErrorKind::Unavailable);
    drop(store);
    assert_eq!(numbers(&reopen(dir.path()).events("a", 0).unwrap()), [1]);
}

/// A defect in the thread that writes: everything that waits for it fails, and so does whatever comes later.
#[test]
fn a_writer_that_panics_fails_everything_that_waits() {
    let dir = tempfile::tempdir().unwrap();
    let broken = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&broken);
    let options = quick().with_steps(move |step| {
        assert!(step != "commit" || !switch.load(Ordering::SeqCst), "the pen broke");
        Ok(())
    });
    let store = Arc::new(RunStore::create_or_open_with(dir.path(), options).unwrap());
    begin(&store, "a", 0);
    broken.store(true, Ordering::SeqCst);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                fails(store.append("a", vec![progress(number)], Wait::Durable), StoreErrorKind::Unavailable);
            });
        }
    });
    fails(store.append("a", vec![progress(9)], Wait::Ordered), StoreErrorKind::Unavailable);
    fails(store.put(&mut &b"small"[..]), StoreErrorKind::Unavailable);
    fails(store.settle("a"), StoreErrorKind::Unavailable);
    drop(store);
    let store = reopen(dir.path());
    store.append("a", vec![progress(10)], Wait::Durable).unwrap();
    assert_eq!(numbers(&store.events("a", 0).unwrap()), [10]);
    assert_sound(&store);
}
