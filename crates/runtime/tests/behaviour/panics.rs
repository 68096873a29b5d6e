//! A panic in the thread of a step is a failure of the step: the run ends or retries, and never hangs.

use crate::common::panicking::Panicking;
use crate::common::run::Asking;
use crate::common::{Run, World, plan, python};
use deed_model::{FailureClass, RunEvent, RunOutcome};
use serde_json::{Value, json};

fn reads(retries: u64) -> Value {
    let write = "open('output/a.json', 'w').write('{}')\n";
    let copy = "open('output/b.json', 'w').write(open('output/a.json').read())\n";
    let more = json!({ "depends_on": ["a"], "input_file_paths": ["output/a.json"], "max_retries": retries });
    plan(vec![python("a", write, json!({})), python("b", copy, more)])
}

fn driven(world: &World, times: usize, retries: u64) -> Run<'_> {
    let store = world.store();
    let engine = world.engine_of(store.clone(), Panicking::times(store, times));
    let (run, _) = world.try_submit(engine, &reads(retries), Asking::default()).unwrap();
    run.drive();
    run
}

#[test]
fn a_step_that_panics_fails_and_the_run_ends() {
    let world = World::new();
    let run = driven(&world, 1, 0);
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    let failure = run.failure("b");
    assert_eq!((failure.class, failure.code.as_str()), (FailureClass::SandboxRuntime, "D2069"));
    assert!(failure.message.contains("the shelf fell over"), "{}", failure.message);
    assert!(failure.help.is_some());
}

#[test]
fn a_step_that_panics_once_is_retried_as_its_class_says() {
    let world = World::new();
    let run = driven(&world, 1, 1);
    run.succeeded().verified();
    assert_eq!(run.count(|event| matches!(event, RunEvent::StepFailed { .. })), 1);
}
