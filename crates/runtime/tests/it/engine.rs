//! The embedded engine: steps start when they can, another process resumes, and outputs are reused. The tests that every
//! engine has to pass are in `deed_testkit::conformance`.

use crate::common::run::Asking;
use crate::common::server::answer;
use crate::common::{Server, Watch, World, plan, python, with};
use deed_diag::codes;
use deed_model::{CallOutcome, ForkedFrom, RunEvent, RunOptions, RunOutcome};
use deed_ports::{Engine, EngineError, Standing};
use deed_runtime::StepStatus;
use deed_testkit::loopback::Effects;
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

fn writes(id: &str, value: Value, more: Value) -> Value {
    let source = format!("open('output/{id}.json', 'w').write({:?})\n", value.to_string());
    python(id, &source, more)
}

fn options(parallel: u32) -> RunOptions {
    RunOptions { parallel, ..RunOptions::default() }
}

/// A server at which requests wait for others, and that knows the most that were there at once.
fn meeting(wanted: usize) -> (Server, Arc<Mutex<usize>>) {
    let most = Arc::new(Mutex::new(0));
    let (kept, here) = (most.clone(), (Mutex::new((0_usize, 0_usize)), Condvar::new()));
    let server = Server::plain(move |_| {
        let (lock, come) = &here;
        let mut count = lock.lock().unwrap();
        count.0 += 1;
        count.1 += 1;
        let mut most = kept.lock().unwrap();
        *most = (*most).max(count.0);
        drop(most);
        come.notify_all();
        // Whoever was there together with enough others goes on.
        let target = count.1.div_ceil(wanted) * wanted;
        let (count, _) = come.wait_timeout_while(count, Duration::from_secs(20), |count| count.1 < target).unwrap();
        // One more than may be would have come by now.
        let (mut count, _) =
            come.wait_timeout_while(count, Duration::from_millis(500), |count| count.0 <= wanted).unwrap();
        count.0 -= 1;
        answer(200, &json!({}))
    });
    (server, most)
}

fn meets(id: &str, server: &Server) -> Value {
    let source =
        format!("import deed\ndeed.fetch('{}')\nopen('output/{id}.json', 'w').write('{{}}')\n", server.url("/"));
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 60, "governed_calls": 1 },
    });
    python(id, &source, more)
}

#[test]
fn steps_overlap_up_to_the_limit() {
    for limit in [1, 2] {
        let world = World::new();
        let (server, most) = meeting(limit);
        let steps = ["a", "b", "c", "d"].map(|id| meets(id, &server)).into();
        let parallel = u32::try_from(limit).unwrap();
        let run = world.submit_as(&plan(steps), Asking { options: options(parallel), ..Asking::default() });
        run.drive();
        run.succeeded();
        assert_eq!(*most.lock().unwrap(), limit);
    }
}

/// Two steps, one of which sends something.
fn small(server: &Server) -> Value {
    let source = format!(
        "
import deed, json
number = deed.fetch('{}', 'POST', body={{'n': 1}})['status']
deed.progress(1, 1)
json.dump({{'status': number}}, open('output/a.json', 'w'))
",
        server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.submit"], "egress": [server.rule(json!({ "repeat": "by_key" }))],
        "budget": { "wall_seconds": 60, "governed_calls": 1 },
    });
    let second = "import json\njson.dump(json.load(open('output/a.json')), open('output/b.json', 'w'))\n";
    let second = python("b", second, json!({ "depends_on": ["a"], "input_file_paths": ["output/a.json"] }));
    with(plan(vec![python("a", &source, more), second]), json!({ "budget": { "governed_calls": 1 } }))
}

#[test]
fn a_process_may_die_before_any_event() {
    let server = Server::counting();
    let whole = World::new();
    let run = whole.run(&small(&server));
    run.succeeded().verified();
    let (expected, events) = (run.made(), run.events().len());
    assert!(events >= 11, "{events}");
    // The first event is the submission itself, which is written before anything is driven.
    for last in 0..events - 1 {
        let server = Server::counting();
        let world = World::new();
        let left = Mutex::new(last);
        let engine = world.dying(move |_| {
            let mut left = left.lock().unwrap();
            let dies = *left == 0;
            *left = left.saturating_sub(1);
            dies
        });
        let (run, _) =
            world.try_submit(engine, &small(&server), Asking { id: Some("same"), ..Asking::default() }).unwrap();
        let died = run.engine.drive(&run.id, Watch::new());
        assert!(died.is_err(), "it died before event {last}: {died:?}");
        let run = run.reopen();
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "after event {last}: {:?}", run.state().why);
        run.succeeded().verified();
        let mut made = run.made();
        assert_eq!(made.remove("output/b.json"), expected.get("output/b.json").cloned(), "after event {last}");
        let keys: std::collections::BTreeSet<String> =
            server.seen().iter().map(|seen| seen.header("idempotency-key").unwrap().to_owned()).collect();
        assert_eq!(keys.len(), 1, "after event {last}: one effect, by one key");
        assert!(server.seen().len() <= 2);
    }
}

/// `a`, then `b` and `c` which read it.
fn three(b: &str) -> Value {
    let reads = json!({ "depends_on": ["a"], "input_file_paths": ["output/a.json"] });
    plan(vec![
        writes("a", json!({ "x": 1 }), json!({})),
        writes("b", json!({ "b": b }), reads.clone()),
        writes("c", json!({}), json!({ "depends_on": ["b"], "input_file_paths": ["output/b.json"] })),
    ])
}

#[test]
fn a_fork_takes_over_what_came_before_and_says_so() {
    let world = World::new();
    let first = world.run(&three("one"));
    first.succeeded();
    let fork = |step: &str| Some(ForkedFrom { run_id: first.id.clone(), step: step.to_owned(), first: None });
    let run = world.submit_as(&three("two"), Asking { forked: fork("b"), ..Asking::default() });
    run.drive();
    run.succeeded().verified();
    let reused = run.receipt("a").execution.reused.unwrap();
    assert_eq!((reused.run_id.as_str(), reused.step.as_str()), (first.id.as_str(), "a"));
    assert_eq!(run.receipt("a").of.run_id, run.id, "the receipt is of this run");
    assert!(run.receipt("b").execution.reused.is_none());
    assert!(run.receipt("c").execution.reused.is_none());
    assert_eq!(run.json("output/b.json"), json!({ "b": "two" }));
    // From the first step on, nothing is taken over.
    let run = world.submit_as(&three("one"), Asking { forked: fork("a"), ..Asking::default() });
    run.drive();
    run.succeeded();
    assert!(["a", "b", "c"].iter().all(|step| run.receipt(step).execution.reused.is_none()));
    // What cannot be forked is refused.
    for (fork, code) in [
        (ForkedFrom { run_id: "none".to_owned(), step: "b".to_owned(), first: None }, "D2006"),
        (ForkedFrom { run_id: first.id.clone(), step: "z".to_owned(), first: None }, "D2005"),
    ] {
        let asking = Asking { forked: Some(fork), ..Asking::default() };
        let refused = world.try_submit(world.engine(), &three("two"), asking).err().unwrap();
        assert!(matches!(&refused, EngineError::Refused { code: own, .. } if own.as_str() == code), "{refused:?}");
    }
}

fn copies(more: Value) -> Value {
    let source = "import shutil\nshutil.copy('input/given.txt', 'output/a.txt')\n";
    let step = json!({
        "input_file_paths": ["input/given.txt"], "expected_outputs": [{ "path": "output/a.txt" }],
        "artifact_contracts": { "output/a.txt": { "format": "txt", "kind_key": "file.text" } },
    });
    let given = json!([{ "slot": "raw_files", "path": "input/given.txt", "entity_schema_id": "generic.file" }]);
    with(plan(vec![python("a", source, with(step, more))]), json!({ "inputs": given }))
}

#[test]
fn what_is_unchanged_is_reused_where_that_was_asked_for() {
    let world = World::new();
    world.give("given.txt", "one\n");
    let first = world.run(&copies(json!({})));
    first.succeeded();
    let again = |plan: &Value, reuse: bool| {
        let options = RunOptions { reuse, ..RunOptions::default() };
        let run = world.submit_as(plan, Asking { options, ..Asking::default() });
        run.drive();
        run.succeeded().verified();
        (run.receipt("a").execution.reused.map(|reused| reused.run_id), run.output("output/a.txt"))
    };
    assert_eq!(again(&copies(json!({})), true), (Some(first.id.clone()), b"one\n".to_vec()));
    assert_eq!(again(&copies(json!({})), false), (None, b"one\n".to_vec()));
    // Another contract, and a step that may do more than compute, are done anew.
    assert_eq!(again(&copies(json!({ "label": "otherwise" })), true).0, None);
    let effect = copies(json!({ "side_effects": [{ "action": "send", "target": "it" }] }));
    assert_eq!(again(&effect, true).0, None);
    assert_eq!(again(&effect, true).0, None);
    world.give("given.txt", "two\n");
    assert_eq!(again(&copies(json!({})), true), (None, b"two\n".to_vec()));
}

#[test]
fn after_a_failure_nothing_new_begins() {
    let world = World::new();
    let steps = vec![
        python("a", "raise SystemExit(1)\n", json!({})),
        writes("b", json!({}), json!({ "depends_on": ["a"] })),
        writes("c", json!({}), json!({})),
    ];
    let run = world.submit_as(&plan(steps), Asking { options: options(1), ..Asking::default() });
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    assert!(matches!(&run.state().step("a").unwrap().status, StepStatus::Failed { .. }));
    assert!(run.state().step("b").is_none());
    assert!(run.state().step("c").is_none(), "it had not begun");
    assert!(run.state().why.unwrap().starts_with("a: "));
    run.verified();
    // It stays so.
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Failed));
}

#[test]
fn steps_that_succeed_do_not_make_a_mission_that_does() {
    let world = World::new();
    let table = json!({
        "expected_outputs": [{ "path": "output/a.rows.json" }],
        "artifact_contracts": { "output/a.rows.json": { "format": "json", "kind_key": "table.json_rows" } },
    });
    let source = "open('output/a.rows.json', 'w').write('[{\"x\": 1}]')\n";
    let mission = |rows: u64| {
        let criteria = [format!("output/a.rows.json has at least {rows} rows")];
        json!({ "mission": { "objective": "Try it", "success_criteria": criteria } })
    };
    let run = world.run(&with(plan(vec![python("a", source, table.clone())]), mission(1)));
    run.succeeded();
    let run = world.run(&with(plan(vec![python("a", source, table)]), mission(2)));
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    assert!(matches!(run.state().step("a").unwrap().status, StepStatus::Succeeded));
    assert!(run.state().why.unwrap().contains("the mission is not achieved: `output/a.rows.json`: it has 1 rows"));
    run.verified();
}

/// `pay` sends something, `note` comes after it, and `send` sends something too and stands beside `note`.
fn pays(server: &Server, label: &str, note: &str, beside: &str) -> Value {
    let sends = |id: &str| {
        let source = format!(
            "
import deed, json
deed.fetch('{}', 'POST')
json.dump({{'paid': 'x' * 300_000}}, open('output/{id}.json', 'w'))
",
            server.url(&format!("/{id}"))
        );
        let more = json!({
            "tool_needs": ["http.submit"], "egress": [server.rule(json!({}))],
            "budget": { "wall_seconds": 30, "governed_calls": 1 },
        });
        python(id, &source, more)
    };
    let note = python("note", note, json!({ "depends_on": ["pay"], "input_file_paths": ["output/pay.json"] }));
    let last = json!({ "depends_on": ["pay"], "label": beside });
    plan(vec![with(sends("pay"), json!({ "label": label })), note, with(sends("send"), last)])
}

const NOTE: &str = "open('output/note.json', 'w').write('{}')\n";

fn arrived(server: &Server) -> Vec<String> {
    server.seen().into_iter().map(|seen| seen.target).collect()
}

#[test]
fn a_fork_repeats_no_effect_that_came_before_it() {
    let world = World::new();
    let server = Server::counting();
    let one = Asking { options: options(1), ..Asking::default() };
    let first = world.submit_as(&pays(&server, "Pay", "raise SystemExit(1)\n", "Beside"), one);
    assert_eq!(first.drive(), Standing::Ended(RunOutcome::Failed));
    assert_eq!(arrived(&server), ["/pay"], "it never came to what stands beside");
    let fork = |from: &str| Asking {
        forked: Some(ForkedFrom { run_id: from.to_owned(), step: "note".to_owned(), first: None }),
        options: options(1),
        ..Asking::default()
    };
    // Whatever is different about what it did is not the step that it did.
    let other = pays(&server, "Pay it", NOTE, "Beside");
    let refused = world.try_submit(world.engine(), &other, fork(&first.id)).err().unwrap();
    assert!(
        matches!(&refused, EngineError::Refused { code: codes::NOT_FORKABLE, message, .. } if message.contains("`pay`")),
        "{refused:?}"
    );
    // What nobody has done yet can be done, also in other words.
    let run = world.submit_as(&pays(&server, "Pay", NOTE, "Otherwise"), fork(&first.id));
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    run.succeeded().verified();
    assert_eq!(arrived(&server), ["/pay", "/send"]);
    // From then on it has been done.
    let refused = world.try_submit(world.engine(), &pays(&server, "Pay", NOTE, "Beside"), fork(&run.id)).err().unwrap();
    assert!(
        matches!(&refused, EngineError::Refused { code: codes::NOT_FORKABLE, message, .. } if message.contains("`send`")),
        "{refused:?}"
    );
    let again = world.submit_as(&pays(&server, "Pay", NOTE, "Otherwise"), fork(&run.id));
    assert_eq!(again.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(arrived(&server), ["/pay", "/send"]);
    assert!(again.receipt("note").execution.reused.is_none());
}

#[test]
fn what_an_effect_left_is_not_made_again_by_repeating_it() {
    let world = World::new();
    let server = Server::counting();
    let first = world.run(&pays(&server, "Pay", NOTE, "Beside"));
    first.succeeded();
    let sent = server.seen().len();
    let forked = Some(ForkedFrom { run_id: first.id.clone(), step: "note".to_owned(), first: None });
    let run = world.submit_as(&pays(&server, "Pay", NOTE, "Beside"), Asking { forked, ..Asking::default() });
    // What it wrote is gone from the store.
    let state = first.state();
    let hash = state.artifact("output/pay.json").unwrap().0.sha256.hex();
    let blob = world.path("runs/blobs/sha256").join(hash.split_at(2).0).join(&hash);
    std::fs::remove_file(blob).unwrap();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    let failure = run.failure("pay");
    assert_eq!(failure.code, "D2006", "{failure:?}");
    assert!(failure.help.is_some());
    assert_eq!(server.seen().len(), sent, "it was not sent again");
}

#[test]
fn folders_of_an_attempt_cannot_be_guessed_and_none_is_left_by_the_dead() {
    let world = World::new();
    let names = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..2 {
        let run = world.submit(&plan(vec![writes("a", json!({}), json!({}))]));
        // A process that died has left something.
        let folder = world.path("stage").join(&run.id);
        let left = folder.join("0123456789abcdef/out/output");
        std::fs::create_dir_all(&left).unwrap();
        std::fs::write(left.join("a.json"), "left").unwrap();
        let seen = names.clone();
        let watch = Watch::doing(move |event| {
            if matches!(event, RunEvent::Preflighted { .. }) {
                let entries = std::fs::read_dir(&folder).unwrap();
                seen.lock().unwrap().extend(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
            }
        });
        run.drive_watched(watch);
        run.succeeded();
    }
    let names = names.lock().unwrap();
    assert_eq!(names.len(), 2, "one each, and nothing of the dead: {names:?}");
    assert!(names[0] != names[1] && names.iter().all(|name| name.len() == 32), "{names:?}");
}

/// An observer may ask where the run stands: it is not called while that is locked.
#[test]
fn an_observer_may_look_at_the_run() {
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", "open('output/a.json', 'w').write('{}')\n", json!({}))]));
    let (engine, id) = (run.engine.clone(), run.id.clone());
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = asked.clone();
    let watch = crate::common::Watch::doing(move |_| {
        engine.load(&id).unwrap();
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    });
    run.drive_watched(watch);
    run.succeeded();
    assert!(asked.load(std::sync::atomic::Ordering::SeqCst) > 3);
}

/// Code whose request was lost is stopped before observers hear of it: it sends nothing more meanwhile.
#[test]
fn nothing_is_sent_while_an_observer_hears_of_a_lost_answer() {
    let (ticked, ticks) = std::sync::mpsc::channel();
    let server = Server::plain(move |seen| {
        if seen.method == "POST" {
            return None;
        }
        ticked.send(()).unwrap();
        answer(200, &json!({}))
    });
    let own = json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({ "repeat": "never" }))],
        "budget": { "wall_seconds": 60, "governed_calls": 100_000, "bytes_out": 100_000_000 }, "max_retries": 0,
    });
    let url = server.url("/");
    let source = format!(
        "import threading, urllib.request\n\
         def tick():\n    while True: urllib.request.urlopen('{url}').read()\n\
         threading.Thread(target=tick, daemon=True).start()\n\
         try: urllib.request.urlopen('{url}', data=b'lost').read()\n\
         except BaseException: pass\n\
         open('output/a.json', 'w').write('{{}}')\n"
    );
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", &source, own)]));
    let (ticks, stopped) = (Mutex::new(ticks), Arc::new(Mutex::new(None)));
    let seen = stopped.clone();
    run.drive_watched(Watch::doing(move |event| {
        let RunEvent::CallEnded { answer } = event else { return };
        if matches!(&answer.outcome, CallOutcome::Result { value } if value.get("error").is_some()) {
            let ticks = ticks.lock().unwrap();
            ticks.try_iter().for_each(drop);
            // One may be on its way; more are sent only by code that was not stopped.
            let more = (0..3).take_while(|_| ticks.recv_timeout(Duration::from_millis(400)).is_ok()).count();
            *seen.lock().unwrap() = Some(more < 3);
        }
    }));
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    assert_eq!(run.failure("a").code.as_str(), "D2053");
    assert_eq!(*stopped.lock().unwrap(), Some(true), "the code went on sending");
}

/// Once a run is cancelled its code asks for nothing more, even while an observer still handles the news: the run is
/// halted before observers hear of it.
#[test]
fn nothing_is_sent_while_an_observer_hears_of_a_cancellation() {
    let effects = Effects::by_path();
    let (first, second) = (effects.hold("one"), effects.hold("two"));
    let rule = json!({
        "scheme": "http", "host": "127.0.0.1", "port": effects.port, "methods": ["POST"],
        "private_addresses": true, "repeat": "by_key",
    });
    let own = json!({
        "tool_needs": ["http.submit"], "egress": [rule],
        "budget": { "wall_seconds": 120, "governed_calls": 2 }, "max_retries": 0,
    });
    let port = effects.port;
    let source = format!(
        "import deed\nfor name in ('one', 'two'):\n    deed.fetch(f'http://127.0.0.1:{port}/{{name}}', 'POST', body={{}})\n\
         open('output/a.json', 'w').write('{{}}')\n"
    );
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", &source, own)]));
    let (engine, id) = (run.engine.clone(), run.id.clone());
    let first = Arc::new(Mutex::new(Some(first)));
    let (release, later) = (first.clone(), Arc::new(Mutex::new(None)));
    let left = later.clone();
    let second = Mutex::new(second);
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::CancelRequested { .. }) {
            release.lock().unwrap().take().unwrap().release();
            let arrived = second.lock().unwrap().arrives_within(Duration::from_millis(400));
            *left.lock().unwrap() = Some(arrived);
        }
    });
    let canceller = std::thread::spawn(move || {
        first.lock().unwrap().as_ref().unwrap().arrived();
        engine.cancel(&id, "grace", None).unwrap();
    });
    run.drive_watched(watch);
    canceller.join().unwrap();
    assert_eq!(run.outcome(), Some(RunOutcome::Cancelled));
    assert_eq!(*later.lock().unwrap(), Some(false), "the second request left after the run was cancelled");
    assert_eq!(effects.each_once(&["one"]), 0);
}
