//! A failure of the disk or the clock is reported and decides nothing, and the run can be resumed after it.

use crate::common::run::Asking;
use crate::common::{BEGAN, Run, Server, Watch, World, plan, python, with};
use deed_model::{RunEvent, RunOutcome};
use deed_ports::{Engine, EngineError, JournalRead, Standing, StoreErrorKind};
use deed_store::{RunStore, RunStoreOptions};
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
fn a_full_disk_is_reported_and_the_run_can_be_resumed() {
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
fn a_database_that_cannot_grow_is_reported() {
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
fn a_stage_that_cannot_be_made_is_reported_with_help() {
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
    let plan = with(plan(steps), json!({ "gates": gates }));
    let run = world.submit_as(&plan, Asking { options, ..Asking::default() });
    run.drive();
    run.approve("lead");
    world.clock.pass(61_000);
    assert!(matches!(run.drive(), Standing::Waiting(_)), "it has lapsed and is asked again");
    world.clock.set(BEGAN);
    assert!(matches!(run.drive(), Standing::Waiting(_)), "the old approval stays lapsed");
}

#[test]
fn others_with_an_earlier_clock_do_not_turn_it_back() {
    for cancels in [false, true] {
        let world = World::new();
        let steps = vec![
            python("a", "open('output/a.json', 'w').write('{}')\n", json!({})),
            python("b", "open('output/b.json', 'w').write('{}')\n", json!({ "waits_for": ["look"] })),
        ];
        let gates = json!([{ "id": "look", "question": "Good?", "approver_role": "lead", "after": ["a"] }]);
        let run = world.submit(&with(plan(steps), json!({ "gates": gates })));
        run.drive();
        let (before, _) = run.engine.load(&run.id).unwrap();
        world.clock.set(BEGAN - 86_400_000);
        if cancels {
            run.reopen().engine.cancel(&run.id, "ada", None).unwrap();
        } else {
            run.reopen().approve("lead");
            run.reopen().drive();
        }
        assert!(run.outcome().is_some());
        let (entries, _) = run.engine.load(&run.id).unwrap();
        let times: Vec<jiff::Timestamp> = entries.iter().map(|entry| entry.record.at.parse().unwrap()).collect();
        assert!(entries.len() > before.len() && times.is_sorted(), "{times:?}");
    }
}

#[test]
fn a_workspace_may_lie_deep() {
    let long = tempfile::Builder::new().prefix(&"d".repeat(150)).tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let world = World::within(long);
    let server = Server::counting();
    let source = format!(
        "
import deed, json, urllib.request
numbers = [deed.fetch('{url}')['json']['number'], json.load(urllib.request.urlopen('{url}'))['number']]
json.dump({{'numbers': numbers}}, open('output/a.json', 'w'))
",
        url = server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 30, "governed_calls": 2 },
    });
    let asking = Asking { id: Some("first-quarter-of-2026-second-try"), ..Asking::default() };
    let run = world.submit_as(&plan(vec![python("a", &source, more)]), asking);
    run.drive();
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json"), json!({ "numbers": [1, 2] }));
}

#[test]
fn an_answer_that_cannot_be_kept_decides_nothing() {
    let world = World::new();
    let server = Server::plain(|_| crate::common::server::answer(200, &json!({ "text": "x".repeat(1 << 20) })));
    let source = format!("import deed\ndeed.fetch('{}')\nopen('output/a.json', 'w').write('{{}}')\n", server.url("/"));
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 30, "governed_calls": 2 },
    });
    let (full, began) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (is_full, has_begun) = (full.clone(), began.clone());
    // There is room in the journal, and none for anything larger.
    let options = RunStoreOptions::default().with_steps(move |step| {
        let fails = is_full.load(Ordering::SeqCst) && has_begun.load(Ordering::SeqCst) && step.contains("blob");
        if fails { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    });
    full.store(true, Ordering::SeqCst);
    let engine = world.engine_on(world.store_with(options));
    let plan = plan(vec![python("a", &source, more)]);
    let (run, _) = world.try_submit(engine, &plan, Asking::default()).unwrap();
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::CallBegan { .. }) {
            began.store(true, Ordering::SeqCst);
        }
    });
    let error = run.engine.drive(&run.id, watch).unwrap_err();
    unhelped(&run, &error);
    full.store(false, Ordering::SeqCst);
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    run.succeeded().verified();
}

/// Checks that nothing was decided, and that the error has help.
#[track_caller]
fn unhelped(run: &Run<'_>, error: &EngineError) {
    let EngineError::Store(told) = error else { panic!("{error:?}") };
    assert!(matches!(told.kind, StoreErrorKind::Full | StoreErrorKind::Unavailable), "{told:?}");
    assert!(told.help.is_some(), "{told:?}");
    let decided = |event: &RunEvent| matches!(event, RunEvent::StepFailed { .. } | RunEvent::Ended { .. });
    assert_eq!(run.reopen().count(decided), 0, "{error:?}");
}

/// The small disk of a process that was started for it.
const SMALL: &str = "DEED_TEST_SMALL_DISK";

/// Runs a test of this file again in a process of its own, where a small disk is mounted that no other process sees.
fn on_a_small_disk(name: &str, test: impl Fn(&std::path::Path)) {
    if let Some(disk) = std::env::var_os(SMALL) {
        return test(std::path::Path::new(&disk));
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut process = std::process::Command::new("unshare");
    process.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
    process.arg(r#"mount -t tmpfs -o size=24m tmpfs "$1" && exec "$2" --exact "$3" --nocapture"#);
    process.arg("sh").arg(folder.path()).arg(std::env::current_exe().unwrap()).arg(name);
    let output = process.env(SMALL, folder.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}

/// Takes all room but so many bytes.
fn fill(disk: &std::path::Path, but: u64) {
    use std::io::Write as _;
    let mut file = std::fs::File::create(disk.join("fill")).unwrap();
    let block = [0; 4096];
    while file.write_all(&block).is_ok() {}
    let all = file.metadata().unwrap().len();
    file.set_len(all.saturating_sub(but)).unwrap();
}

/// Fills the disk, tries in vain, makes room, and is done.
fn tried_without_room(world: &World, disk: &std::path::Path, run: &Run<'_>, but: u64) {
    fill(disk, but);
    let error = run.reopen().engine.drive(&run.id, Watch::new()).unwrap_err();
    std::fs::remove_file(disk.join("fill")).unwrap();
    unhelped(run, &error);
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    assert_eq!(world.staged(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_run_that_stopped_over_a_full_disk_can_be_resumed() {
    on_a_small_disk("disk::a_run_that_stopped_over_a_full_disk_can_be_resumed", |disk| {
        let world = World::within(tempfile::tempdir_in(disk).unwrap());
        // An approval that was given is not lost over it.
        let steps = vec![
            python("a", "open('output/a.json', 'w').write('{}')\n", json!({})),
            python("b", "open('output/b.json', 'w').write('{}')\n", json!({ "waits_for": ["look"] })),
        ];
        let gates = json!([{ "id": "look", "question": "Good?", "approver_role": "lead", "after": ["a"] }]);
        let run = world.submit(&with(plan(steps), json!({ "gates": gates })));
        assert!(matches!(run.drive(), Standing::Waiting(_)));
        run.approve("lead");
        tried_without_room(&world, disk, &run, 0);
        assert_eq!(run.count(|event| matches!(event, RunEvent::GateOpened { .. })), 1);
        // Code that fails since there is no room has not failed.
        let large = "open('output/a.json', 'w').write('{\"x\": \"%s\"}' % ('x' * (6 << 20)))\n";
        let run = world.submit(&plan(vec![python("a", large, json!({}))]));
        tried_without_room(&world, disk, &run, 2 << 20);
        // Nor has a tool.
        let puts =
            "import deed\ndeed.call('artifact.put', {'path': 'output/a.json', 'json': {'x': 'x' * (6 << 20)}})\n";
        let more =
            json!({ "tool_needs": ["operator.artifact.write"], "budget": { "wall_seconds": 30, "governed_calls": 1 } });
        let run = world.submit(&plan(vec![python("a", puts, more)]));
        tried_without_room(&world, disk, &run, 2 << 20);
    });
}

/// Without the recorded heads it cannot be told whether the journal was rolled back.
#[test]
fn a_run_is_not_started_if_a_recorded_head_cannot_be_read() {
    let world = World::new();
    let anchor = world.path("anchor");
    let store = RunStore::create_or_open(&world.path("runs")).unwrap().anchored_in(&anchor).unwrap();
    let engine = world.engine_on(Arc::new(store));
    std::fs::write(anchor.join("runs.list"), "nonsense\n").unwrap();
    let refused = world.try_submit(engine, &two(), Asking::default());
    let Err(EngineError::Store(error)) = refused.map(drop) else { panic!("it was started") };
    assert_eq!(error.kind, StoreErrorKind::Corrupt);
    assert!(world.store().runs().unwrap().is_empty());
}
