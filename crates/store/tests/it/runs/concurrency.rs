//! Many threads, stores and processes on one journal.

use super::fixture::*;
use deed_model::RunEvent;
use deed_ports::{AppendOutcome, BlobRead, BlobWrite, Created, JournalExtent, JournalRead, JournalWrite, Unless, Wait};
use deed_store::RunStore;
use std::sync::Arc;
use std::thread;

const THREADS: u64 = 16;
const EACH: u64 = 100;

/// Every thread's numbers are there, each once, in the order in which the thread wrote them.
#[track_caller]
fn assert_interleaved(numbers: &[u64], threads: u64) {
    assert_eq!(numbers.len() as u64, threads * EACH);
    for thread in 0..threads {
        let own: Vec<u64> = numbers.iter().filter(|n| **n / EACH == thread).copied().collect();
        assert_eq!(own, (thread * EACH..(thread + 1) * EACH).collect::<Vec<_>>());
    }
}

#[test]
fn many_threads_append_to_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(RunStore::create_or_open(dir.path()).unwrap());
    begin(&store, "a", 0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                for n in thread * EACH..(thread + 1) * EACH {
                    store.append("a", vec![progress(n)], Wait::Durable).unwrap();
                }
            });
        }
    });
    assert_interleaved(&numbers(&reopen(dir.path()).events("a", 0).unwrap()), THREADS);
    assert_eq!(assert_sound(&store).events, THREADS * EACH + 1);
}

#[test]
fn many_threads_append_to_many_runs_while_others_read() {
    let (dir, store) = store();
    let done = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let store = &store;
                scope.spawn(move || {
                    let run = format!("run-{thread}");
                    begin(store, &run, 0);
                    for n in thread * EACH..(thread + 1) * EACH {
                        let wait = if n % 3 == 0 { Wait::Durable } else { Wait::Ordered };
                        store.append(&run, vec![progress(n)], wait).unwrap();
                        let blob = store.put(&mut n.to_string().as_bytes()).unwrap();
                        store.locate(&blob.sha256).unwrap();
                    }
                    let events = store.events(&run, 0).unwrap();
                    assert_eq!(numbers(&events), (thread * EACH..(thread + 1) * EACH).collect::<Vec<_>>());
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                assert_sound(&reopen(dir.path()));
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        done.store(true, std::sync::atomic::Ordering::SeqCst);
    });
    assert_eq!(assert_sound(&store), JournalExtent { runs: THREADS, events: THREADS * (EACH + 1), head: None });
    for n in 0..THREADS * EACH {
        store.check_blob(&deed_canon::ContentHash::of_bytes(n.to_string().as_bytes())).unwrap();
    }
}

#[test]
fn two_stores_append_to_one_run() {
    let (dir, first) = store();
    let second = reopen(dir.path());
    begin(&first, "a", 0);
    thread::scope(|scope| {
        for (thread, store) in [(0, &first), (1, &second)] {
            scope.spawn(move || {
                for n in thread * EACH..(thread + 1) * EACH {
                    store.append("a", vec![progress(n)], Wait::Durable).unwrap();
                }
            });
        }
    });
    assert_interleaved(&numbers(&first.events("a", 0).unwrap()), 2);
    assert_eq!(first.settle("a").unwrap(), second.settle("a").unwrap());
    assert_sound(&second);
}

#[test]
fn one_of_many_creates_a_run() {
    let (_dir, store) = store();
    let created: Vec<Created> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|_| scope.spawn(|| store.create("a", submitted("a")).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(created.iter().filter(|created| **created == Created::New).count(), 1);
    assert_eq!(assert_sound(&store), JournalExtent { runs: 1, events: 1, head: None });
}

/// A refusal in the middle of a batch leaves the others alone.
#[test]
fn a_refused_append_does_not_disturb_the_others_of_its_batch() {
    let (_dir, store) = store();
    begin(&store, "good", 0);
    begin(&store, "sealed", 0);
    store.append("sealed", vec![ended(), sealed()], Wait::Durable).unwrap();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = &store;
            scope.spawn(move || {
                for n in thread * EACH..(thread + 1) * EACH {
                    match thread % 2 {
                        0 => store.append("good", vec![progress(n), progress(n)], Wait::Durable).map(drop).unwrap(),
                        _ => drop(store.append("sealed", vec![progress(n)], Wait::Durable).unwrap_err()),
                    }
                }
            });
        }
    });
    assert_eq!(numbers(&store.events("good", 0).unwrap()).len() as u64, THREADS / 2 * EACH * 2);
    assert_eq!(assert_sound(&store).runs, 2);
}

const CHILD: &str = "DEED_STORE_RIVAL";

/// Not a test of its own: a process that appends. Without its variable it does nothing.
#[test]
fn child_appends() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (thread, dir) = task.split_once('|').unwrap();
    let thread: u64 = thread.parse().unwrap();
    let store = RunStore::create_or_open(dir.as_ref()).unwrap();
    store.create("a", submitted("a")).unwrap();
    for n in thread * EACH..(thread + 1) * EACH {
        let wait = if n % 2 == 0 { Wait::Durable } else { Wait::Ordered };
        store.append("a", vec![progress(n)], wait).unwrap();
        store.put(&mut n.to_string().as_bytes()).unwrap();
    }
    store.settle("a").unwrap();
}

/// They also make the store: there is nothing there when they begin.
#[test]
fn several_processes_append_to_one_run() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("runs");
    let children: Vec<_> = (0..4)
        .map(|thread| {
            let task = format!("{thread}|{}", dir.display());
            child("concurrency::child_appends").env(CHILD, task).stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = reopen(&dir);
    assert_interleaved(&numbers(&store.events("a", 0).unwrap()), 4);
    assert_eq!(assert_sound(&store), JournalExtent { runs: 1, events: 4 * EACH + 1, head: None });
}

/// Of appends that exclude each other, from several stores on one folder, exactly one is written.
#[test]
fn exactly_one_of_appends_that_exclude_each_other_is_written() {
    let (dir, store) = store();
    for round in 0..20 {
        let run = format!("run-{round}");
        begin(&store, &run, 2);
        let start = std::sync::Barrier::new(8);
        let written: Vec<AppendOutcome> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|n| {
                    let (start, run, dir) = (&start, &run, dir.path());
                    scope.spawn(move || {
                        let store = reopen(dir);
                        start.wait();
                        let unless: Unless =
                            Arc::new(|event| matches!(event, RunEvent::Progress { done, .. } if *done >= 100));
                        store.append_unless(run, vec![progress(100 + n)], 3, unless).unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let won: Vec<_> = written.iter().filter(|one| matches!(one, AppendOutcome::Written(_))).collect();
        assert_eq!(won.len(), 1, "{written:?}");
        assert!(
            written.iter().all(|one| matches!(one, AppendOutcome::Written(_) | AppendOutcome::Excluded { seq: 3 }))
        );
        assert_eq!(store.events(&run, 0).unwrap().len(), 4);
    }
    assert_sound(&store);
}
