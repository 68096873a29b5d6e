//! A panic in anything that is done for a step is a failure of the step: the run ends or retries, and never hangs, and code
//! that catches what it got instead of an answer does not hide it.

use crate::common::panicking::Panicking;
use crate::common::run::Asking;
use crate::common::server::Answer;
use crate::common::{Run, Server, Watch, World, plan, python};
use deed_model::{FailureClass, RunEvent, RunOutcome};
use deed_ports::Engine as _;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Runs one step whose code swallows every error, over bytes that panic where some with this ending are kept.
fn swallows<'w>(world: &'w World, ending: &'static [u8], source: &str, more: Value) -> Run<'w> {
    let store = world.store();
    let engine = world.engine_of(store.clone(), Panicking::keeping(store, 1, ending));
    let indented = source.replace('\n', "\n    ");
    let source = format!(
        "import deed, urllib.request\ntry:\n    {indented}\nexcept BaseException: pass\n\
         open('output/a.json', 'w').write('{{}}')\n"
    );
    let (run, _) = world.try_submit(engine, &plan(vec![python("a", &source, more)]), Asking::default()).unwrap();
    run.drive();
    run
}

#[track_caller]
fn failed_over_panic(run: &Run<'_>) {
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    let failure = run.failure("a");
    assert_eq!((failure.class, failure.code.as_str()), (FailureClass::SandboxRuntime, "D2069"), "{failure:?}");
    assert!(failure.message.contains("the shelf fell over"), "{}", failure.message);
}

#[test]
fn a_call_that_panics_fails_the_step() {
    let world = World::new();
    let source = "open('work/a.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + b'pixels')\n\
                  deed.call('operator.artifact.evaluate', {'bundle': {'source_evidence': [{'path': 'work/a.png', 'role': 'page'}], \
                  'rubric': 'Is it a page?'}})";
    let more = json!({
        "tool_needs": ["operator.artifact.evaluate"],
        "budget": { "wall_seconds": 30, "governed_calls": 20, "model_tokens": 1000 },
    });
    failed_over_panic(&swallows(&world, b"pixels", source, more));
}

/// An answer that is too long for the journal, and so is kept as bytes.
fn long(_: &crate::common::ReceivedRequest) -> Option<Answer> {
    crate::common::server::answer(200, &json!({ "long": "x".repeat(40_000) }))
}

#[test]
fn a_request_through_the_proxy_whose_end_panics_fails_the_step() {
    let world = World::new();
    let server = Server::plain(long);
    let source = format!("urllib.request.urlopen('{}').read()", server.url("/a"));
    let more = json!({ "egress": [server.rule(json!({}))], "tool_needs": ["http.fetch"],
        "budget": { "wall_seconds": 30, "governed_calls": 20, "bytes_out": 100_000 } });
    failed_over_panic(&swallows(&world, b"\"status\":200}}", &source, more));
}

/// Runs one step whose code swallows every error of a request through the proxy, or through the bridge.
fn swallows_request<'w>(world: &'w World, server: &Server, rule: Value, source: &str) -> Run<'w> {
    let more = json!({ "egress": [server.rule(rule)], "tool_needs": ["http.fetch"],
        "budget": { "wall_seconds": 30, "governed_calls": 20, "bytes_out": 100_000 } });
    let source = format!(
        "import deed, urllib.request\ntry: {source}\nexcept BaseException: pass\nopen('output/a.json', 'w').write('{{}}')\n"
    );
    world.submit(&plan(vec![python("a", &source, more)]))
}

/// The two ways by which code makes a request.
fn both(url: &str) -> [String; 2] {
    [format!("urllib.request.urlopen('{url}').read()"), format!("deed.fetch('{url}')")]
}

#[test]
fn a_resolver_that_panics_fails_the_step() {
    let server = Server::plain(long);
    for source in both(&server.url("/a")) {
        let world = World::new();
        world.names.panics("api.example.test");
        let run = swallows_request(&world, &server, json!({}), &source);
        run.drive();
        failed_over_panic(&run);
    }
    assert!(server.seen().is_empty());
}

#[test]
fn secrets_that_panic_fail_the_step() {
    let server = Server::plain(long);
    for source in both(&server.url("/a")) {
        let world = World::new();
        world.safe.keep("token", "tok-0123456789");
        let credential = json!({ "secret": "secret://token", "header": "authorization" });
        let run = swallows_request(&world, &server, json!({ "credential": credential }), &source);
        // It is there when the run begins, and panics once its code runs.
        let safe = world.safe.clone();
        run.drive_watched(Watch::doing(move |event| {
            if matches!(event, RunEvent::Preflighted { .. }) {
                safe.panics("token");
            }
        }));
        failed_over_panic(&run);
    }
    assert!(server.seen().is_empty());
}

/// A panic whose payload panics when it is dropped: no handler of the first one catches the second.
#[test]
fn a_thread_that_ends_without_a_result_fails_its_step() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the payload panicked");
        }
    }
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", "open('output/a.json', 'w').write('{}')\n", json!({}))]));
    run.drive_watched(Watch::doing(|event| {
        if matches!(event, RunEvent::Preflighted { .. }) {
            std::panic::panic_any(Bomb);
        }
    }));
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    let failure = run.failure("a");
    assert_eq!((failure.class, failure.code.as_str()), (FailureClass::SandboxRuntime, "D2069"), "{failure:?}");
    assert!(failure.message.contains("its thread ended without a result"), "{}", failure.message);
}

#[test]
fn an_observer_that_panics_ends_the_operation_and_the_run_can_be_resumed() {
    let world = World::new();
    let run = world.submit(&reads(0));
    let panics = AtomicBool::new(true);
    let watch = Watch::doing(move |event| {
        let panics = matches!(event, RunEvent::StepStarted { .. }) && panics.swap(false, Ordering::SeqCst);
        assert!(!panics, "the observer fell asleep");
    });
    // The loop that drives calls this one; the panic is the caller's, after all threads have ended.
    catch_unwind(AssertUnwindSafe(|| run.engine.drive(&run.id, watch))).unwrap_err();
    let again = run.reopen();
    again.drive();
    again.succeeded().verified();
}

#[test]
fn an_observer_that_panics_in_the_thread_of_a_step_fails_the_step() {
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", "open('output/a.json', 'w').write('{}')\n", json!({}))]));
    let watch = Watch::doing(|event| {
        assert!(!matches!(event, RunEvent::Preflighted { .. }), "the shelf fell over");
    });
    run.drive_watched(watch);
    failed_over_panic(&run);
}
