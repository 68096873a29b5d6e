//! Several publishers at once.

use super::fixture::*;
use deed_pack::PackState;
use deed_store::{Outcome, Registry, RegistryError};
use std::sync::Barrier;

const CHILD: &str = "DEED_STORE_RIVAL";
const PACKS: usize = 12;

/// Publishes from eight threads at once, each with its own registry, and counts what came of it.
fn rivals(dir: &std::path::Path, candidates: &[deed_pack::Candidate]) -> (usize, usize, usize) {
    let start = Barrier::new(8);
    let outcomes: Vec<Result<Outcome, RegistryError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let (start, pack) = (&start, &candidates[n % candidates.len()]);
                scope.spawn(move || {
                    let registry = open(dir);
                    start.wait();
                    registry.publish(pack, &stamp())
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let recorded = outcomes.iter().filter(|o| matches!(o, Ok(Outcome::Recorded(_)))).count();
    let done = outcomes.iter().filter(|o| matches!(o, Ok(Outcome::AlreadyDone))).count();
    let refused = outcomes.iter().filter(|o| o.as_ref().is_err_and(|e| codes(e) == ["D1204"])).count();
    (recorded, done, refused)
}

#[test]
fn eight_threads_with_the_same_bytes_publish_once() {
    let pack = candidate("1.0.0");
    let (dir, registry) = registry(&[trusting(), readying(&pack)].into_iter().flatten().collect::<Vec<_>>());
    let before = events(&registry);
    assert_eq!(rivals(dir.path(), &[pack]), (1, 7, 0));
    assert_eq!(events(&registry), before + 1);
    assert_clean(&registry);
}

#[test]
fn eight_threads_with_two_documents_publish_one() {
    let (pack, other) = (candidate("1.0.0"), candidate_of("ctxpack.desk", "1.0.0", "answers calls"));
    let ops = [trusting(), readying(&pack), readying(&other)].into_iter().flatten().collect::<Vec<_>>();
    let (dir, registry) = registry(&ops);
    assert_eq!(rivals(dir.path(), &[pack, other]), (1, 3, 4));
    assert_clean(&registry);
}

fn nth_pack(n: usize) -> deed_pack::Candidate {
    candidate_of(&format!("ctxpack.desk{n}"), "1.0.0", "answers tickets")
}

/// Not a test of its own: one of two processes that publish the same packs. Alone it does nothing.
#[test]
fn child_publishes() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (dir, parity) = task.split_once('|').unwrap();
    let registry = Registry::open_with(dir.as_ref(), quick()).unwrap();
    let mut order: Vec<usize> = (0..PACKS).collect();
    if parity == "1" {
        order.reverse();
    }
    for n in order {
        for op in publishing(&nth_pack(n)) {
            op(&registry).unwrap();
        }
    }
}

#[test]
fn two_processes_publish_the_same_packs_once_each() {
    let (dir, registry) = registry(&trusting());
    let processes: Vec<_> = (0..2)
        .map(|parity| {
            let task = format!("{}|{parity}", dir.path().display());
            let mut command = child("concurrency::child_publishes");
            command.env(CHILD, task).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_clean(&registry);
    let listed = registry.list().unwrap();
    assert_eq!(listed.len(), PACKS);
    assert!(listed.iter().all(|l| l.state == PackState::Published));
    // The policy and two keys, then for each pack: lint, two reviews, signature, publication. Nothing doubled.
    assert_eq!(events(&registry), 3 + PACKS * 5);
}

#[test]
fn a_writer_that_does_not_finish_is_named() {
    let (dir, registry) = registry(&trusting());
    let options = with(|o| o.busy_timeout = std::time::Duration::from_millis(20));
    let impatient = Registry::open_with(dir.path(), options).unwrap();
    let holder = rusqlite::Connection::open(dir.path().join("registry.sqlite")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    failed(impatient.record_lint(&candidate("1.0.0"), 0, &stamp()), "D1243");
    // Readers do not wait for writers.
    assert_eq!(events(&registry), trusting().len());
    holder.execute_batch("ROLLBACK").unwrap();
    impatient.record_lint(&candidate("1.0.0"), 0, &stamp()).unwrap();
}
