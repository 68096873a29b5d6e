//! Limits of code, and the failure of code that exceeds them.

use crate::common::server::answer;
use crate::common::{Run, Server, Watch, World, plan, python, with};
use deed_model::{CallOutcome, FailureClass, RunEvent, RunOutcome, StepFailure};
use deed_ports::{Engine, Standing};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

fn limited(limits: Value) -> Value {
    json!({ "sandbox": { "limits": limits } })
}

#[track_caller]
fn spent(source: &str, limits: Value, code: &str, help: &str) -> StepFailure {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", source, limited(limits))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), (code, FailureClass::BudgetExhaustion), "{failure:?}");
    assert!(failure.help.as_deref().unwrap_or_default().contains(help), "{failure:?}");
    run.verified();
    failure
}

fn good(world: &World, source: &str, limits: Value) {
    let run: Run<'_> = world.run(&plan(vec![python("a", source, limited(limits))]));
    run.succeeded().verified();
}

const DONE: &str = "\nopen('output/a.json', 'w').write('{}')\n";

#[test]
fn wall_clock_time() {
    let sleeps = "import time\ntime.sleep(60)\n";
    let failure = spent(sleeps, json!({ "wall_seconds": 1 }), "D2032", "wall_seconds");
    assert!(failure.message.contains("1 second"), "{failure:?}");
    // Whoever does not want to end is ended.
    let stubborn = "
import signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
while True:
    time.sleep(1)
";
    spent(stubborn, json!({ "wall_seconds": 1 }), "D2032", "wall_seconds");
}

#[test]
fn cpu_time() {
    spent("while True: pass\n", json!({ "cpu_seconds": 1 }), "D2032", "");
}

#[test]
fn memory() {
    let source = "held = []\nwhile True: held.append(bytearray(8 << 20))\n";
    spent(source, json!({ "memory_bytes": 64 << 20 }), "D2033", "memory_bytes");
}

#[test]
fn bytes_and_files_that_are_written() {
    let much = "
with open('output/a.json', 'wb') as out:
    while True:
        out.write(b'x' * (1 << 20))
        out.flush()
";
    spent(much, json!({ "output_bytes": 4 << 20 }), "D2034", "output_bytes");
    let many = "
import itertools
for number in itertools.count():
    open(f'work/{number}', 'w').close()
";
    spent(many, json!({ "output_files": 100 }), "D2034", "output_files");
}

#[test]
fn processes() {
    let bomb = "
import os, sys, time
made = 0
try:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        made += 1
except OSError:
    pass
open('output/a.json', 'w').write('{\"made\": %d}' % made)
";
    let world = World::new();
    let limits = json!({ "processes": 16 });
    let run = world.run(&plan(vec![python("a", bomb, limited(limits))]));
    run.succeeded();
    let made = run.json("output/a.json")["made"].as_u64().unwrap();
    // Some more are allowed for the sandbox's own.
    assert!((1..=24).contains(&made), "{made}");
    // One that never ends is ended by its time.
    let endless = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n";
    let failure = spent(endless, json!({ "processes": 16, "wall_seconds": 1 }), "D2032", "");
    assert!(failure.printed.is_none_or(|printed| printed.len() < 5_000));
}

#[test]
fn what_is_printed() {
    let world = World::new();
    let flood = "
import sys
print('the beginning')
for number in range(200_000):
    sys.stdout.write('x' * 100 + '\\n')
    if number % 10 == 0: sys.stderr.write('y' * 100 + '\\n')
";
    let run = world.run(&plan(vec![python(
        "a",
        &format!("{flood}\nprint('the end'){DONE}"),
        limited(json!({ "captured_bytes": 10_000 })),
    )]));
    run.succeeded().verified();
    let printed = run.receipt("a").execution.printed;
    assert!(printed["stdout"]["text"].as_str().unwrap().len() <= 10_100, "{}", printed["stdout"]["text"]);
    let text = printed["stdout"]["text"].as_str().unwrap();
    assert!(text.starts_with("the beginning\nxxx") && text.ends_with("xxx\nthe end\n"), "{text}");
    assert!(printed["stdout"]["left_out"].as_u64().unwrap() > 1_000_000, "{printed}");
    // What fails shows some of it, and not all.
    let failing = format!("{flood}\nprint('the end', file=sys.stderr)\nsys.exit(1)");
    let run = world.run(&plan(vec![python("a", &failing, json!({}))]));
    let shown = run.failure("a").printed.unwrap();
    assert!(shown.len() <= 2_000 && shown.ends_with("the end"), "{shown}");
}

#[test]
fn whatever_is_left_behind_ends_with_its_step() {
    let world = World::new();
    let source = "
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open('/dev/null', os.O_RDWR)
        for number in (0, 1, 2): os.dup2(null, number)
        while True:
            open('work/beat', 'a').write('x')
            time.sleep(0.001)
    os._exit(0)
os.wait()
";
    // The daemon writes to a file of the contract for as long as it lives.
    let mut step = python("a", &format!("{source}{DONE}"), json!({}));
    step["expected_outputs"] = json!([{ "path": "output/a.json" }, { "path": "work/beat", "role": "intermediate" }]);
    step["artifact_contracts"]["work/beat"] = json!({ "format": "other", "kind_key": "file.binary" });
    let run = world.run(&plan(vec![step]));
    run.verified();
    match run.outcome().unwrap() {
        deed_model::RunOutcome::Succeeded => {}
        // It had no time to begin, which is as well.
        _ => assert_eq!(run.failure("a").code, "D2040"),
    }
}

#[test]
fn limits_that_are_kept_do_not_show() {
    let world = World::new();
    good(&world, DONE, json!({ "wall_seconds": 20, "memory_bytes": 128 << 20, "processes": 8, "output_files": 3 }));
}

/// No test waits longer for what is to be cut off.
const PATIENCE: Duration = Duration::from_secs(40);

/// A server that tells when a request has come, and answers when the test is over or has lost its patience.
fn silent() -> (Server, Receiver<()>) {
    let (came, coming) = channel();
    let came = Mutex::new(came);
    let server = Server::plain(move |_| {
        let _ = came.lock().unwrap().send(());
        std::thread::sleep(PATIENCE);
        answer(200, &json!({}))
    });
    (server, coming)
}

fn reaches(server: &Server, wall_seconds: u64) -> Value {
    json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": wall_seconds, "governed_calls": 5 },
    })
}

/// The kinds of errors of calls that failed.
fn kinds(run: &Run<'_>) -> Vec<String> {
    let kind = |outcome| match outcome {
        CallOutcome::Failed { kind, .. } => Some(kind.to_string()),
        _ => None,
    };
    run.answers().into_iter().filter_map(kind).collect()
}

#[test]
fn a_request_under_way_does_not_outlive_the_time_of_its_step() {
    for (method, code, kind) in [("GET", "D2032", "failed"), ("POST", "D2053", "outcome_unknown")] {
        let world = World::new();
        let (server, _coming) = silent();
        let source = format!("import deed\ndeed.fetch('{}', '{method}')\n{DONE}", server.url("/"));
        let began = Instant::now();
        let run = world.run(&plan(vec![python("a", &source, reaches(&server, 2))]));
        assert!(began.elapsed() < PATIENCE / 2, "{method}: {:?}", began.elapsed());
        assert_eq!(run.failure("a").code, code, "{:?}", run.failure("a"));
        assert_eq!(kinds(&run), [kind], "what was under way has its end");
        run.verified();
    }
}

#[test]
fn a_run_that_is_cancelled_does_not_wait_for_its_requests() {
    let world = World::new();
    let (server, coming) = silent();
    let source = format!("import deed\ndeed.fetch('{}', 'POST')\n{DONE}", server.url("/"));
    let run = world.submit(&plan(vec![python("a", &source, reaches(&server, 300))]));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let driven = scope.spawn(|| run.drive());
        coming.recv_timeout(PATIENCE).unwrap();
        run.reopen().engine.cancel(&run.id, "ada", Some("it takes too long")).unwrap();
        assert_eq!(driven.join().unwrap(), Standing::Ended(RunOutcome::Cancelled));
    });
    assert!(began.elapsed() < PATIENCE / 2, "{:?}", began.elapsed());
    assert_eq!(kinds(&run), ["outcome_unknown"]);
    assert_eq!(run.state().why.as_deref(), Some("ada ended it: it takes too long"));
    run.verified();
}

#[test]
fn time_counts_until_all_requests_are_over_and_is_never_more_than_was_granted() {
    let world = World::new();
    let (server, coming) = silent();
    let coming = Mutex::new(coming);
    let second = Server::plain(move |_| {
        coming.lock().unwrap().recv_timeout(PATIENCE).unwrap();
        answer(200, &json!({}))
    });
    // The code is gone at once; what it has asked for has until the end of its time.
    let source = format!(
        "
import deed, os, threading
threading.Thread(target=lambda: deed.fetch('{}'), daemon=True).start()
deed.fetch('{}')
{DONE}
os._exit(0)
",
        server.url("/"),
        second.url("/")
    );
    let mut first = reaches(&server, 3);
    first["egress"].as_array_mut().unwrap().push(second.rule(json!({})));
    let after = with(limited(json!({})), json!({ "depends_on": ["a"], "budget": { "wall_seconds": 2 } }));
    let steps = vec![python("a", &source, first), python("b", &DONE.replace("a.json", "b.json"), after)];
    // There is just enough for the worst case.
    let run = world.run(&with(plan(steps), json!({ "budget": { "wall_seconds": 5, "governed_calls": 5 } })));
    run.succeeded().verified();
    assert_eq!(run.receipt("a").execution.spent.wall_seconds, Some(3));
}

/// Works for a second, and asks twice whether it may send.
fn asks_twice(server: &Server, wall_seconds: u64) -> Value {
    let source = format!(
        "
import deed, time
time.sleep(1.1)
for n in range(2): deed.fetch('{}', 'POST', body={{'n': n}})
{DONE}",
        server.url("/")
    );
    let gates = json!([{ "tool": "http.submit", "question": "May it?", "approver_role": "lead" }]);
    python("a", &source, with(reaches(server, wall_seconds), json!({ "call_gates": gates })))
}

#[test]
fn an_attempt_that_waited_pays_for_the_longest_of_its_executions() {
    let world = World::new();
    let server = Server::counting();
    let run = world.submit(&with(plan(vec![asks_twice(&server, 4)]), json!({ "budget": { "wall_seconds": 4 } })));
    let parked = |event: &RunEvent| matches!(event, RunEvent::StepParked { spent, .. } if spent.wall_seconds.is_some());
    for asked in 1..=2 {
        // Each in a process of its own.
        assert!(matches!(run.reopen().drive(), Standing::Waiting(_)), "{:?}", run.state().why);
        assert_eq!(run.count(parked), asked);
        let spent = run.state().total_spent().wall_seconds.unwrap();
        assert!((2..=4).contains(&spent), "what it did before it waited is not forgotten: {spent}");
        run.reopen().approve("lead");
    }
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    let spent = run.state().total_spent().wall_seconds.unwrap();
    assert!((2..=4).contains(&spent), "{spent}");
}

#[test]
fn a_run_that_is_granted_its_worst_case_survives_a_gate() {
    let world = World::new();
    let server = Server::counting();
    let (done, is_done) = channel();
    let is_done = Mutex::new(is_done);
    // Works for as long as the other step does, so that all of it happens in one process.
    let meanwhile = Server::plain(move |_| {
        let _ = is_done.lock().unwrap().recv_timeout(PATIENCE);
        answer(200, &json!({}))
    });
    let source = format!("import deed\ndeed.fetch('{}')\n{}", meanwhile.url("/"), DONE.replace("a.json", "b.json"));
    let steps = vec![asks_twice(&server, 4), python("b", &source, reaches(&meanwhile, 60))];
    let worst = json!({ "budget": { "wall_seconds": 64, "governed_calls": 10 } });
    let run = world.submit(&with(plan(steps), worst));
    let (asked, asking) = channel();
    let (asked, done) = (Mutex::new(asked), Mutex::new(done));
    let watch = Watch::doing(move |event| match event {
        RunEvent::StepParked { .. } => asked.lock().unwrap().send(()).unwrap(),
        RunEvent::StepSucceeded { step, .. } | RunEvent::StepFailed { step, .. } if step == "a" => {
            done.lock().unwrap().send(()).unwrap();
        }
        _ => {}
    });
    std::thread::scope(|scope| {
        let driven = scope.spawn(|| run.drive_watched(watch));
        for _ in 0..2 {
            asking.recv_timeout(PATIENCE).unwrap();
            run.reopen().approve("lead");
        }
        assert_eq!(driven.join().unwrap(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    });
    assert_eq!(server.seen().len(), 2);
}
