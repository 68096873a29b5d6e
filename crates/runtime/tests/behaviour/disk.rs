//! Trouble with the disk and the clock is told, decides nothing, and a run goes on once it is over.

use crate::common::run::Asking;
use crate::common::{BEGAN, Watch, World, plan, python};
use deed_model::{RunEvent, RunOutcome};
use deed_ports::{Engine, EngineError, Standing, StoreErrorKind};
use deed_store::RunStoreOptions;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn two() -> Value {
    let second = "import json\njson.dump(json.load(open('output/a.json')), open('output/b.json', 'w'))\n";
    plan(vec![
        python("a", "open('output/a.json', 'w').write('{\"x\": 1}')\n", json!({})),
        python("b", second, json!({ "depends_on": ["a"], "input_file_paths": ["output/a.json"] })),
    ])
}

#[test]
fn a_full_disk_is_told_and_a_run_goes_on_after_it() {
    let world = World::new();
    let full = Arc::new(AtomicBool::new(false));
    let seen = full.clone();
    let options = RunStoreOptions::default().with_steps(move |_| match seen.load(Ordering::SeqCst) {
        true => Err(std::io::ErrorKind::StorageFull.into()),
        false => Ok(()),
    });
    let engine = world.engine_on(world.store_with(options));
    let (run, _) = world.try_submit(engine, &two(), Asking::default()).unwrap();
    let fills = full.clone();
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::StepStarted { step, .. } if step == "b") {
            fills.store(true, Ordering::SeqCst);
        }
    });
    let error = run.engine.drive(&run.id, watch).unwrap_err();
    let EngineError::Store(told) = &error else { panic!("{error:?}") };
    assert!(matches!(told.kind, StoreErrorKind::Full | StoreErrorKind::Unavailable), "{told:?}");
    assert!(told.help.is_some(), "{told:?}");
    drop(run.engine.clone());
    full.store(false, Ordering::SeqCst);
    let run = run.reopen();
    assert_eq!(run.outcome(), None, "nothing was decided");
    assert_eq!(run.count(|event| matches!(event, RunEvent::StepFailed { .. })), 0);
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.succeeded().verified();
    assert_eq!(run.json("output/b.json"), json!({ "x": 1 }));
}

#[test]
fn a_database_that_may_not_grow_is_told() {
    let world = World::new();
    let run = world.submit(&two());
    let mut options = RunStoreOptions::default();
    options.max_pages = Some(1);
    let store = world.store_with(options);
    let engine = world.engine_on(store);
    let error = engine.drive(&run.id, Watch::new()).unwrap_err();
    let EngineError::Store(told) = &error else { panic!("{error:?}") };
    assert!(told.help.is_some(), "{told:?}");
    drop(engine);
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Succeeded));
    run.succeeded().verified();
}

#[test]
fn a_stage_that_cannot_be_made_is_told_with_help() {
    let world = World::new();
    // A file stands where the folder of stages belongs.
    std::fs::write(world.path("stage"), "").unwrap();
    let run = world.run(&plan(vec![python("a", "pass\n", json!({}))]));
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2009", "{failure:?}");
    assert!(failure.message.contains("cannot be staged"), "{failure:?}");
}

#[test]
fn time_never_runs_backwards_within_a_run() {
    let world = World::new();
    let run = world.submit(&two());
    let clock = world.clock.clone();
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::Preflighted { .. }) {
            clock.pass(-3_600_000);
        }
    });
    run.drive_watched(watch);
    run.succeeded().verified();
    // A process that comes later, and has an earlier clock.
    let world = World::new();
    let engine = world.dying(|event| matches!(event, RunEvent::StepSucceeded { .. }));
    let (run, _) = world.try_submit(engine, &two(), Asking::default()).unwrap();
    assert!(run.engine.drive(&run.id, Watch::new()).is_err());
    world.clock.set(BEGAN - 86_400_000);
    let run = run.reopen();
    run.drive();
    run.succeeded();
    let (entries, _) = run.engine.load(&run.id).unwrap();
    let times: Vec<jiff::Timestamp> = entries.iter().map(|entry| entry.record.at.parse().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn a_clock_that_jumps_back_does_not_make_an_approval_fresh() {
    let world = World::new();
    let done = |id: &str| format!("open('output/{id}.json', 'w').write('{{}}')\n");
    let steps = vec![python("a", &done("a"), json!({})), python("b", &done("b"), json!({ "waits_for": ["look"] }))];
    let gates = json!([{ "id": "look", "question": "Good?", "approver_role": "lead", "after": ["a"] }]);
    let options = deed_model::RunOptions { gate_seconds: 60, ..Default::default() };
    let plan = crate::common::with(plan(steps), json!({ "gates": gates }));
    let run = world.submit_as(&plan, Asking { options, ..Asking::default() });
    run.drive();
    run.approve("lead");
    world.clock.pass(61_000);
    assert!(matches!(run.drive(), Standing::Waiting(_)), "it has lapsed and is asked again");
    world.clock.set(BEGAN);
    assert!(matches!(run.drive(), Standing::Waiting(_)), "the old approval stays lapsed");
}
