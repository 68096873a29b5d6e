//! The process ends at every durable step.

use super::fixture::*;
use deed_ports::{BlobWrite, JournalRead, JournalWrite, Wait};
use deed_store::{RunStore, RunStoreOptions};
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_STORE_RUNS_CRASH";

/// Dies at the `nth` step, counted from 0.
fn crash_at(nth: usize) -> RunStoreOptions {
    let taken = AtomicUsize::new(0);
    RunStoreOptions::default().with_steps(move |_| {
        if taken.fetch_add(1, Ordering::SeqCst) == nth {
            // No destructor runs, no transaction is rolled back, no file is removed.
            std::process::abort();
        }
        Ok(())
    })
}

/// A whole life; each thing that was acknowledged is printed.
fn live(store: &RunStore) {
    let say = |what: &str| println!("DONE {what}");
    store.create("a", submitted("a")).unwrap();
    say("create");
    store.put(&mut vec![1; 70_000].as_slice()).unwrap();
    say("large");
    store.put(&mut &b"small"[..]).unwrap();
    store.append("a", vec![progress(1)], Wait::Ordered).unwrap();
    store.append("a", vec![progress(2), progress(3)], Wait::Durable).unwrap();
    say("append");
    store.append("a", vec![ended(), sealed()], Wait::Durable).unwrap();
    say("seal");
}

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_dies() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (nth, dir) = task.split_once('|').unwrap();
    live(&RunStore::create_or_open_with(dir.as_ref(), crash_at(nth.parse().unwrap())).unwrap());
}

#[test]
fn a_crash_at_any_step_loses_nothing_that_was_acknowledged() {
    let mut crashes = 0;
    for nth in 0.. {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("runs");
        let output = child("crash::child_dies").env(CHILD, format!("{nth}|{}", dir.display())).output().unwrap();
        if output.status.success() {
            break;
        }
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6), "{output:?}");
        crashes += 1;
        let text = String::from_utf8(output.stdout).unwrap();
        let done = |what: &str| text.lines().any(|line| line.ends_with(&format!("DONE {what}")));

        // The next process completes the creation.
        let store = RunStore::create_or_open(&dir).unwrap();
        let extent = assert_sound(&store);
        let events = store.events("a", 0).unwrap();
        assert!(!done("create") || extent.runs == 1, "step {nth}");
        let large = deed_canon::ContentHash::of_bytes(&vec![1; 70_000]);
        assert!(!done("large") || store.check_blob(&large).unwrap() == 70_000, "step {nth}");
        if done("append") {
            assert_eq!(numbers(&events), [1, 2, 3], "step {nth}");
            assert_eq!(store.check_blob(&deed_canon::ContentHash::of_bytes(b"small")).unwrap(), 5);
        }
        // What comes together is there together.
        assert!([0, 1, 2, 4, 6].contains(&events.len()), "step {nth}: {} events", events.len());
        assert!(!done("seal") || events.len() == 6);

        // And the life can be lived to its end.
        store.create("a", submitted("a")).unwrap();
        let last = store.settle("a").unwrap().unwrap().seq;
        if last < 5 {
            store.put(&mut vec![1; 70_000].as_slice()).unwrap();
            store.append("a", vec![progress(9)], Wait::Durable).unwrap();
            store.append("a", vec![ended(), sealed()], Wait::Durable).unwrap();
        }
        assert_sound(&store);
        drop(store);
        let left = std::fs::read_dir(dir.join("tmp")).unwrap().count();
        assert!(left == 0 || last == 5, "step {nth}: the next writer removes leftovers, and {left} are left");
    }
    assert!(crashes >= 20, "only {crashes} crashes");
}
