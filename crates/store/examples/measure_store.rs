//! Measures a durable append against the minimum that the disk allows. `cargo run --release --example measure_store [folder]`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "a measurement")]

use deed_canon::ContentHash;
use deed_model::{Budget, RUN_EVENT_VERSION, RunEvent, RunOptions, RunRecord, RunRequest};
use deed_ports::{JournalRead, JournalWrite, Wait};
use deed_store::RunStore;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const APPENDS: u64 = 3_000;
const THREADS: u64 = 16;

fn record(event: RunEvent) -> RunRecord {
    RunRecord { version: RUN_EVENT_VERSION, at: "2026-11-15T10:00:00Z".to_owned(), event }
}

fn progress(done: u64) -> RunRecord {
    record(RunEvent::Progress { step: "s".to_owned(), done, total: None, note: Some("x".repeat(300)) })
}

fn submitted(run_id: &str) -> RunRecord {
    let run = RunRequest {
        run_id: run_id.to_owned(),
        plan: "plan".to_owned(),
        plan_hash: ContentHash::of_bytes(b"plan"),
        plan_blob: ContentHash::of_bytes(b"plan"),
        code_places: std::collections::BTreeMap::new(),
        code: [].into(),
        types_blob: None,
        profile: None,
        models_blob: None,
        validation: Vec::new(),
        workspace: None,
        inputs: Vec::new(),
        grant: Budget::default(),
        options: RunOptions::default(),
        actor: "somebody".to_owned(),
        forked: None,
    };
    record(RunEvent::Submitted { run: Box::new(run) })
}

fn report(what: &str, mut times: Vec<Duration>, whole: Duration) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    let rate = times.len() as f64 / whole.as_secs_f64();
    println!("{what:<44} {rate:>9.0}/s  p50 {:>9.1?}  p99 {:>9.1?}  max {:>9.1?}", at(500), at(990), at(1000));
}

fn timed(count: u64, mut act: impl FnMut(u64)) -> (Vec<Duration>, Duration) {
    let begun = Instant::now();
    let one = |n| {
        let begun = Instant::now();
        act(n);
        begun.elapsed()
    };
    ((0..count).map(one).collect(), begun.elapsed())
}

/// The floor: 4 KiB written and synced, over bytes that are there or behind the end.
fn floor(dir: &Path) {
    for (what, wraps) in
        [("floor: 4 KiB + fdatasync, overwriting", 500), ("floor: 4 KiB + fdatasync, growing", u64::MAX)]
    {
        let mut file = std::fs::File::create(dir.join(format!("floor-{wraps}"))).unwrap();
        if wraps < u64::MAX {
            file.write_all(&vec![1; 4096 * wraps as usize]).unwrap();
            file.sync_all().unwrap();
        }
        let (times, whole) = timed(APPENDS, |n| {
            file.seek(SeekFrom::Start(n % wraps * 4096)).unwrap();
            file.write_all(&[n as u8; 4096]).unwrap();
            file.sync_data().unwrap();
        });
        report(what, times, whole);
    }
}

fn main() {
    let root = std::env::args().nth(1).map_or_else(std::env::temp_dir, Into::into);
    let dir = tempfile::tempdir_in(root).unwrap();
    floor(dir.path());

    let store = RunStore::create_or_open(&dir.path().join("runs")).unwrap();
    store.create("one", submitted("one")).unwrap();
    for round in ["first", "second"] {
        let (times, whole) =
            timed(APPENDS, |n| store.append("one", vec![progress(n)], Wait::Durable).map(drop).unwrap());
        report(&format!("durable appends, one after another ({round})"), times, whole);
    }

    for runs in [1, THREADS] {
        let runs: Vec<String> = (0..runs).map(|n| format!("many-{runs}-{n}")).collect();
        for run in &runs {
            store.create(run, submitted(run)).unwrap();
        }
        let begun = Instant::now();
        let times = std::thread::scope(|scope| {
            let (store, runs) = (&store, &runs);
            let threads: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let run = &runs[thread as usize % runs.len()];
                    let act = move |n| store.append(run, vec![progress(n)], Wait::Durable).map(drop).unwrap();
                    scope.spawn(move || timed(APPENDS / 4, act).0)
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        report(&format!("durable appends, {THREADS} threads, {} runs", runs.len()), times, begun.elapsed());
    }

    store.create("ordered", submitted("ordered")).unwrap();
    let (times, whole) =
        timed(APPENDS, |n| store.append("ordered", vec![progress(n)], Wait::Ordered).map(drop).unwrap());
    report("ordered appends", times, whole);

    store.create("long", submitted("long")).unwrap();
    store.append("long", (1..10_000).map(progress).collect(), Wait::Durable).unwrap();
    let (times, whole) = timed(10, |_| assert_eq!(store.events("long", 0).unwrap().len(), 10_000));
    report("events() of 10,000", times, whole);
    let (times, whole) = timed(3, |_| assert!(store.verify().unwrap().is_ok()));
    report("verify() of it all", times, whole);
}
