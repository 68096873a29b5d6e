//! Programs that take too much: each limit ends them, by its name, and soon.

use crate::common::{Stage, err, out, probed};
use deed_model::IsolationLevel;
use deed_sandbox::{Control, Ended, Outcome, Quota, run};
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

/// The time after its limit in which a program must have ended.
const SOON: u64 = 100;

/// The time that the start of a sandbox may take on a busy machine, beyond what is measured.
const SLACK: u64 = 400;

fn limited(change: impl FnOnce(&mut deed_model::SandboxLimits)) -> Stage {
    let mut stage = Stage::new();
    change(&mut stage.limits);
    stage
}

fn check(outcome: &Outcome, expected: &Ended) {
    assert_eq!(&outcome.ended, expected, "{outcome:?} {}", err(outcome));
}

#[test]
fn time_on_the_wall() {
    let stage = limited(|limits| limits.wall_seconds = 1);
    let code = "import signal, time, sys\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\n\
                print('on', flush=True)\nwhile True: time.sleep(60)";
    let outcome = stage.python(code);
    check(&outcome, &Ended::WallTime);
    assert_eq!(out(&outcome), "on\n");
    assert!((1000..1000 + SOON + SLACK).contains(&outcome.wall_ms), "{} ms", outcome.wall_ms);
}

#[test]
fn time_of_cpu_of_one_process() {
    let outcome = limited(|limits| limits.cpu_seconds = 1).python("while True: pass");
    check(&outcome, &Ended::CpuTime);
    assert!((500..2500).contains(&outcome.cpu_ms), "{} ms", outcome.cpu_ms);
}

#[test]
fn time_of_cpu_of_all_processes_together() {
    if probed().level < IsolationLevel::L3 {
        println!("no control groups here: the CPU of all processes together is not limited");
        return;
    }
    let code = "import os\nfor _ in range(3): os.fork()\nwhile True: pass";
    let outcome = limited(|limits| limits.cpu_seconds = 1).python(code);
    check(&outcome, &Ended::CpuTime);
    assert!(outcome.cpu_ms < 2000, "{} ms", outcome.cpu_ms);
}

#[test]
fn memory_of_one_process() {
    let outcome = limited(|limits| limits.memory_bytes = 64 << 20).python("x = bytearray(500 << 20); print(len(x))");
    let expected = if probed().level < IsolationLevel::L3 { Ended::Exited(1) } else { Ended::Memory };
    check(&outcome, &expected);
    assert_eq!(out(&outcome), "");
}

#[test]
fn memory_of_all_processes_together() {
    if probed().level < IsolationLevel::L3 {
        println!("no control groups here: the memory of all processes together is not limited");
        return;
    }
    let code = "import os, time\nfor _ in range(3): os.fork()\nx = bytearray(30 << 20)\ntime.sleep(5)";
    check(&limited(|limits| limits.memory_bytes = 96 << 20).python(code), &Ended::Memory);
}

#[test]
fn processes() {
    let code = "import os, time\nn = 0\ntry:\n    while n < 500:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\n\
                except OSError as e: print('stopped', n, e.errno)";
    let outcome = limited(|limits| limits.processes = 10).python(code);
    check(&outcome, &Ended::Exited(0));
    let said = out(&outcome);
    let words: Vec<&str> = said.split_whitespace().collect();
    assert_eq!((words[0], words[2]), ("stopped", "11"));
    let started: u64 = words[1].parse().unwrap();
    assert!((5..20).contains(&started), "{started}");
    assert_eq!(outcome.left_behind, started);
}

#[test]
fn bytes_written() {
    let stage = limited(|limits| (limits.output_bytes, limits.scratch_bytes) = (1 << 20, 1 << 20));
    let code = "import itertools\nfor n in itertools.count():\n    with open(f'/workspace/output/{n}', 'wb') as f: f.write(bytes(100_000))";
    check(&stage.python(code), &Ended::OutputQuota(Quota::Bytes));
    check(
        &limited(|l| (l.output_bytes, l.scratch_bytes) = (1 << 20, 1 << 20)).shell("yes > work/one"),
        &Ended::OutputQuota(Quota::Bytes),
    );
}

#[test]
fn bytes_written_just_before_the_end() {
    let stage = limited(|limits| limits.output_bytes = 1000);
    let code = "for n in range(20): open(f'/workspace/output/{n}', 'w').write('x' * 100)";
    check(&stage.python(code), &Ended::OutputQuota(Quota::Bytes));
}

#[test]
fn files_written() {
    let code = "import itertools\nfor n in itertools.count(): open(f'/workspace/output/{n}', 'w').close()";
    check(&limited(|limits| limits.output_files = 50).python(code), &Ended::OutputQuota(Quota::Files));
}

#[test]
fn scratch_has_its_limit() {
    let stage = limited(|limits| limits.scratch_bytes = 1 << 20);
    let code = "import errno\nfor p in ('/tmp/x', '/dev/shm/x'):\n    try: f = open(p, 'wb'); f.write(bytes(3 << 20))\n    except OSError as e: print(errno.errorcode[e.errno])";
    let outcome = stage.python(code);
    assert_eq!(out(&outcome), "ENOSPC\nENOSPC\n", "{}", err(&outcome));
}

#[test]
fn a_flood_of_output_is_counted_and_never_waits() {
    let stage = limited(|limits| limits.captured_bytes = 1000);
    let outcome =
        stage.python("import sys\nfor _ in range(300): sys.stdout.write('x' * 100_000)\nsys.stderr.write('y' * 1500)");
    check(&outcome, &Ended::Exited(0));
    let kept = |captured: &deed_sandbox::CapturedOutput| (captured.first.len(), captured.last.len(), captured.left_out);
    assert_eq!(kept(&outcome.stdout), (500, 500, 30_000_000 - 1000));
    assert_eq!(kept(&outcome.stderr), (500, 500, 500));
}

#[test]
fn another_thread_cancels_or_parks() {
    for (ask, expected) in [(Control::cancel as fn(&Control), Ended::Cancelled), (Control::park, Ended::Parked)] {
        let mut stage = Stage::new();
        stage.limits.wall_seconds = 15;
        let listener = UnixListener::bind(stage.path("bridge.sock")).unwrap();
        let mut job = stage.job(&crate::common::python(), &["-c", "import socket, os, time\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ['DEED_BRIDGE'])\ntime.sleep(60)"]);
        job.bridge = Some(stage.path("bridge.sock"));
        let control = Control::new();
        let hand = control.clone();
        // The program says that it runs by connecting.
        let other = std::thread::spawn(move || {
            let connection = listener.accept().unwrap();
            ask(&hand);
            (connection, Instant::now())
        });
        let outcome = run(&stage.plan(&job), &control);
        let (_, asked) = other.join().unwrap();
        check(&outcome, &expected);
        assert!(asked.elapsed() < Duration::from_millis(SOON + SLACK), "{:?}", asked.elapsed());
    }
}

#[test]
fn a_run_that_was_cancelled_before_never_begins_its_work() {
    let stage = Stage::new();
    let control = Control::new();
    control.cancel();
    let job = stage.job(&crate::common::python(), &["-c", "import time; time.sleep(60)"]);
    check(&run(&stage.plan(&job), &control), &Ended::Cancelled);
}

#[test]
fn leftover_processes_are_ended_and_counted() {
    let code = "import os, time\nfor _ in range(2):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(60)\n        os._exit(0)\nprint('done')";
    let outcome = Stage::new().python(code);
    check(&outcome, &Ended::Exited(0));
    assert!(outcome.left_behind >= 2, "{}", outcome.left_behind);
    assert!(outcome.wall_ms < 5000, "{} ms", outcome.wall_ms);
}
