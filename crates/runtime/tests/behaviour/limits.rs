//! What code may use, and what becomes of code that uses more.

use crate::common::{Run, World, plan, python};
use deed_model::{FailureClass, StepFailure};
use serde_json::{Value, json};

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
fn time_on_the_wall() {
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
fn time_of_the_cpu() {
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
for number in range(200_000):
    sys.stdout.write('x' * 100 + '\\n')
    if number % 10 == 0: sys.stderr.write('y' * 100 + '\\n')
";
    let run =
        world.run(&plan(vec![python("a", &format!("{flood}{DONE}"), limited(json!({ "captured_bytes": 10_000 })))]));
    run.succeeded().verified();
    let printed = run.receipt("a").execution.printed;
    assert!(printed["stdout"]["text"].as_str().unwrap().len() <= 10_100, "{}", printed["stdout"]["text"]);
    assert!(printed["stdout"]["left_out"].as_u64().unwrap() > 1_000_000, "{printed}");
    // What fails shows some of it, and not all.
    let failing = format!("{flood}\nprint('the end', file=sys.stderr)\nsys.exit(1)");
    let run = world.run(&plan(vec![python("a", &failing, json!({}))]));
    let shown = run.failure("a").printed.unwrap();
    assert!(shown.len() <= 2_000, "{shown}");
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
