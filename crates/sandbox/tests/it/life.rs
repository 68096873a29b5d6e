//! A sandbox ends with the process that started it, and cannot see its neighbours.

use crate::common::{Stage, err, out, probed, python, tools};
use deed_model::IsolationLevel;
use deed_sandbox::{Control, Ended, Probe, ProbeOptions, plan, probe, run};
use std::io::Read;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Connects to the bridge from the program and from a daemon of it, and stays.
const HOLD: &str = "import os, socket, time\nfork = os.fork()\nif fork == 0: os.setsid()\ns = socket.socket(socket.AF_UNIX)\n\
                    s.connect(os.environ['DEED_BRIDGE'])\ns.send(b'here')\ntime.sleep(60)";

fn levels() -> Vec<Probe> {
    let weaker = ProbeOptions { without_user_namespaces: true, ..ProbeOptions::default() };
    vec![probed().clone(), probe(tools(), &weaker)]
}

/// The process that is killed: this test again, with the path of the bridge.
fn hold(socket: PathBuf) {
    let which: usize = std::env::var("DEED_TEST_LEVEL").unwrap().parse().unwrap();
    let stage = Stage::new().open();
    let mut job = stage.job(&python(), &["-c", HOLD]);
    job.bridge = Some(socket);
    run(&plan(&job, &stage.demand(IsolationLevel::L1), &levels()[which]).unwrap(), &Control::new());
}

#[test]
fn a_sandbox_ends_with_the_process_that_started_it() {
    if let Some(socket) = std::env::var_os("DEED_TEST_HOLD") {
        return hold(socket.into());
    }
    for which in 0..levels().len() {
        let stage = Stage::new().open();
        let listener = UnixListener::bind(stage.path("bridge.sock")).unwrap();
        let mut helper = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "life::a_sandbox_ends_with_the_process_that_started_it"])
            .env("DEED_TEST_HOLD", stage.path("bridge.sock"))
            .env("DEED_TEST_LEVEL", which.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut connections = [listener.accept().unwrap().0, listener.accept().unwrap().0];
        for connection in &mut connections {
            connection.read_exact(&mut [0; 4]).unwrap();
            connection.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        }
        let killed = Instant::now();
        helper.kill().unwrap();
        helper.wait().unwrap();
        for connection in &mut connections {
            assert_eq!(connection.read(&mut [0; 1]).unwrap(), 0, "the program is still there");
        }
        println!("gone after {:?}", killed.elapsed());
    }
}

#[test]
fn two_sandboxes_at_once_do_not_share_their_limits() {
    let meet = || {
        let mut stage = Stage::new();
        stage.limits.processes = 16;
        let code = "import os, time\nn = 0\nfor _ in range(10):\n    if os.fork() == 0: time.sleep(60)\n    n += 1\ntime.sleep(0.3)\nprint(n)";
        stage.python(code)
    };
    let other = std::thread::spawn(meet);
    let outcomes = [meet(), other.join().unwrap()];
    for outcome in &outcomes {
        assert_eq!((outcome.ended.clone(), out(outcome).as_str()), (Ended::Exited(0), "10\n"), "{}", err(outcome));
    }
}

#[test]
fn a_source_that_is_a_link_is_refused() {
    let stage = Stage::new();
    std::fs::remove_dir(stage.path("output")).unwrap();
    std::os::unix::fs::symlink("/usr", stage.path("output")).unwrap();
    let outcome = stage.python("print(1)");
    let Ended::CouldNotStart(why) = &outcome.ended else { panic!("{outcome:?}") };
    assert!(why.contains("symbolic link"), "{why}");
}

#[test]
fn a_binary_that_was_changed_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let tools = deed_sandbox::Tools::prepare(folder.path()).unwrap();
    let probe = probe(&tools, &ProbeOptions { without_cgroups: true, ..ProbeOptions::default() });
    let stage = Stage::new();
    let plan = plan(&stage.job(&python(), &["-c", "print(1)"]), &stage.demand(IsolationLevel::L1), &probe).unwrap();
    std::fs::remove_file(&tools.paths().init).unwrap();
    std::fs::copy("/usr/bin/true", &tools.paths().init).unwrap();
    let outcome = run(&plan, &Control::new());
    let Ended::CouldNotStart(why) = &outcome.ended else { panic!("{outcome:?}") };
    assert!(why.contains("was changed since it was written"), "{why}");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let stage = Stage::new();
    let mut nowhere = python();
    nowhere.executable = "/usr/bin/no-such-program".into();
    let outcome = stage.run(&stage.job(&nowhere, &[]));
    let Ended::CouldNotStart(why) = &outcome.ended else { panic!("{outcome:?}") };
    assert!(why.contains("`/usr/bin/no-such-program`"), "{why}");
}
