//! Several writers at once.

use super::fixture::*;
use deed_store::{Outcome, RegistryError};
use std::sync::Barrier;

#[test]
fn eight_rivals_with_contradicting_facts_promote_one() {
    let (dir, store) = store();
    let path = dir.path().join("memory");
    let start = Barrier::new(8);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (start, path) = (&start, &path);
            scope.spawn(move || {
                let store = open(path);
                start.wait();
                store.propose(&language(&format!("l{n}"), 0.99), &rules(), &stamp(n)).unwrap();
            });
        }
    });
    assert_clean(&store);
    assert_eq!(store.state().unwrap().records().count(), 8);
    assert_eq!(recalled(&store, "2026-01-01T00:01:00Z").len(), 1);
}

#[test]
fn eight_rivals_with_the_same_proposal_capture_one() {
    let (dir, store) = store();
    let path = dir.path().join("memory");
    let start = Barrier::new(8);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let rivals = (0..8).map(|_| {
            let (start, path) = (&start, &path);
            scope.spawn(move || {
                start.wait();
                // The log itself may be created by any of them.
                open(path).propose(&language("de", 0.99), &rules(), &stamp(1)).unwrap().outcome
            })
        });
        rivals.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::AlreadyDone).count(), 7);
    assert_eq!(events(&store), 3);
    assert_clean(&store);
}

#[test]
fn one_of_two_accepted_contradictions_is_promoted() {
    let (dir, store) = store();
    let path = dir.path().join("memory");
    let ann = deed_store::Stamp { actor: "ann".to_owned(), ..stamp(9) };
    let ids: Vec<String> = ["de", "fr", "it", "es"]
        .iter()
        .map(|value| store.propose(&language(value, 0.5), &rules(), &stamp(1)).unwrap().memory_id)
        .collect();
    for id in &ids {
        store.review(id, &verdict(true), &ann).unwrap();
    }
    let start = Barrier::new(ids.len());
    let outcomes: Vec<Result<Outcome, RegistryError>> = std::thread::scope(|scope| {
        let rivals = ids.iter().map(|id| {
            let (start, path, ann) = (&start, &path, &ann);
            scope.spawn(move || {
                let store = open(path);
                start.wait();
                store.promote(id, ann)
            })
        });
        rivals.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(Outcome::Recorded(_)))).count(), 1);
    let refused = outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|e| codes(e) == ["D2207"])).count();
    assert_eq!(refused, 3);
    assert_eq!(recalled(&store, "2026-01-01T00:01:00Z").len(), 1);
    assert_clean(&store);
}

#[test]
fn a_writer_that_does_not_finish_is_named() {
    let (dir, store) = store();
    run(&store, &lives()[..1]);
    let mut options = quick();
    options.busy_timeout = std::time::Duration::from_millis(20);
    let path = dir.path().join("memory");
    let impatient = MemoryStore::open_or_create_with(&path, options).unwrap();
    let holder = database(&path);
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    failed(impatient.propose(&language("fr", 0.5), &rules(), &stamp(2)), "D1243");
    // Readers do not wait for writers.
    assert_eq!(events(&store), 3);
    holder.execute_batch("ROLLBACK").unwrap();
    impatient.propose(&language("fr", 0.5), &rules(), &stamp(2)).unwrap();
}
