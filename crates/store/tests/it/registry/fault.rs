//! A full disk at every durable step of every operation, and a full database.

use super::fixture::*;
use deed_store::{Options, Registry};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fails the `nth` step, counted from 0, for want of space.
fn full_at(options: Options, nth: usize) -> Options {
    let taken = AtomicUsize::new(0);
    options.with_steps(move |_| match taken.fetch_add(1, Ordering::SeqCst) == nth {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    })
}

#[test]
fn a_full_disk_at_any_step_leaves_nothing_half_written() {
    let base = tempfile::tempdir().unwrap();
    drop(Registry::create_with(base.path(), quick()).unwrap());
    let mut faults = 0;
    for (at, op) in lifecycle().iter().enumerate() {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let outcome = op(&Registry::open_with(scratch.path(), full_at(quick(), nth)).unwrap());
            if outcome.is_ok() {
                assert!(nth >= 3, "operation {at} has only {nth} durable steps");
                break;
            }
            failed(outcome, "D1242");
            faults += 1;
            let registry = open(scratch.path());
            assert_eq!(events(&registry), at);
            assert_clean(&registry);
            op(&registry).unwrap();
            assert_eq!(events(&registry), at + 1);
        }
        op(&open(base.path())).unwrap();
    }
    assert!(faults > 100, "only {faults} faults");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}

#[test]
fn a_full_disk_while_creating_can_be_tried_again() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let outcome = Registry::create_with(dir.path(), full_at(quick(), nth));
        if outcome.is_ok() {
            assert!(nth >= 4);
            break;
        }
        failed(outcome, "D1242");
        match Registry::open(dir.path()) {
            // Only the last step comes after the commit.
            Ok(registry) => assert_clean(&registry),
            Err(error) => {
                assert_eq!(codes(&error), ["D1240"]);
                assert_clean(&Registry::create(dir.path()).unwrap());
            }
        }
    }
}

#[test]
fn a_full_database_refuses_and_stays_sound() {
    let (dir, registry) = registry(&trusting());
    drop(registry);
    let pages = {
        let conn = rusqlite::Connection::open(dir.path().join("registry.sqlite")).unwrap();
        conn.query_row("PRAGMA page_count", [], |r| r.get::<_, u32>(0)).unwrap()
    };
    let tight = Registry::open_with(dir.path(), with(|o| o.max_pages = Some(pages + 2))).unwrap();
    let mut recorded = trusting().len();
    let error = loop {
        let pack = candidate(&format!("1.0.{recorded}"));
        match tight.record_lint(&pack, 0, &stamp()) {
            Ok(_) => recorded += 1,
            Err(error) => break error,
        }
        assert!(recorded < 500, "the limit does not bite");
    };
    failed::<()>(Err(error), "D1242");
    assert_clean(&tight);
    assert_eq!(events(&tight), recorded);
    drop(tight);
    open(dir.path()).record_lint(&candidate(&format!("1.0.{recorded}")), 0, &stamp()).unwrap();
}

#[test]
fn steps_are_named_in_the_order_that_durability_needs() {
    let (dir, registry) = registry(&lifecycle()[..7]);
    drop(registry);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let options = quick().with_steps(move |step| {
        noted.lock().unwrap().push(step);
        Ok(())
    });
    std::fs::remove_dir_all(dir.path().join("blobs/sha256")).unwrap();
    std::fs::create_dir_all(dir.path().join("blobs/sha256")).unwrap();
    let registry = Registry::open_with(dir.path(), options).unwrap();
    // Publishing needs the lost envelopes; reviewing puts documents and envelope in place again.
    let pack = candidate("1.0.0");
    registry.record_review(&pack, &reviewed(&pack, deed_model::ReviewRole::Evaluation, 2), &stamp()).unwrap();
    let blob = ["create blob folder", "write blob", "sync blob", "rename blob", "sync blob folder"];
    let tail = ["insert event", "update head", "commit"];
    assert_eq!(*seen.lock().unwrap(), [&blob[..], &blob[..], &tail[..]].concat());
}
