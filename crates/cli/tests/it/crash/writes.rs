//! The process dies at every journal write of a run, and the real `deed` goes on.

use super::dice::asked_for;
use super::left;
use super::mortal::{self, End};
use super::shape::Shape;
use super::yard::{APPROVED, Yard, submitting};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Runs that die at the same time.
const AT_ONCE: usize = 2;

#[test]
fn a_death_at_any_write_changes_nothing() {
    // Twenty steps have ten times as many writes, each of which costs two runs.
    let shape = Shape::of(if asked_for().is_some() { 20 } else { 3 });
    let (next, done, begun) = (AtomicUsize::new(0), AtomicBool::new(false), Instant::now());
    let (deaths, repeated) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let yard = Yard::new(shape);
                let files = yard.undisturbed("undisturbed");
                while !done.load(Ordering::SeqCst) {
                    let nth = next.fetch_add(1, Ordering::SeqCst);
                    let run = format!("write-{nth}");
                    match mortal::drive(&yard, &run, nth, true) {
                        End::Ended => done.store(true, Ordering::SeqCst),
                        End::Died => {
                            deaths.fetch_add(1, Ordering::SeqCst);
                            left::no_code(&yard.folder(), &run);
                            whole_or_not_at_all(&yard, &run);
                            let status = yard.start(&submitting(&run), APPROVED).wait().unwrap();
                            assert_eq!(status.code(), Some(0), "{run}\n{}\n{}", yard.told(), yard.events(&run));
                        }
                    }
                    repeated.fetch_add(yard.ended_well(&run, &files), Ordering::SeqCst);
                }
            });
        }
    });
    let deaths = deaths.into_inner();
    let (repeated, seconds) = (repeated.into_inner(), begun.elapsed().as_secs_f64());
    println!(
        "{deaths} deaths, each at another write of a run of {} steps; {repeated} requests were sent again; {seconds:.0} s",
        shape.steps
    );
    assert!(deaths >= 5 * shape.steps, "only {deaths} deaths");
}

/// A run is there with what was asked for, or it is not there.
fn whole_or_not_at_all(yard: &Yard, run: &str) {
    yard.project.ok(&["journal", "verify"]);
    let listed = yard.project.json(&["runs", "list", "--all"]);
    let there = listed["data"]["runs"].as_array().unwrap().iter().any(|listed| listed["run_id"] == run);
    let first = yard.project.json(&["runs", "events", run])["data"][0]["event"]["kind"].clone();
    assert_eq!(first.as_str(), there.then_some("submitted"), "{run}");
}
