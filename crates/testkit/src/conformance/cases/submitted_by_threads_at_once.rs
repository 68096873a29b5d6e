//! Many threads submit the same run at the same instant, each through an engine of its own: one of them creates it.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script};
use deed_ports::Created;
use serde_json::json;
use std::sync::Barrier;

const THREADS: usize = 8;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let request = fixture.request(&Scenario::new("run", vec![script("a", json!({}))]));
    let start = Barrier::new(THREADS);
    let submit = || {
        let engine = fixture.open();
        start.wait();
        engine.submit(&request).unwrap()
    };
    let created: Vec<Created> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(submit)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(created.iter().filter(|created| **created == Created::New).count(), 1, "{created:?}");
    assert_eq!(fixture.events("run").len(), 1);
    fixture.succeeds("run");
}
