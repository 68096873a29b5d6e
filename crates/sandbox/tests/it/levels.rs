//! The probe of a machine with features taken away: the level falls, the reason is reported, and a demand is never met
//! with less.

use crate::common::{Stage, err, out, probed, python, tools};
use deed_model::IsolationLevel;
use deed_sandbox::{Control, Ended, Outcome, Probe, ProbeOptions, Refusal, plan, probe, run};
use std::process::Command;

fn with(change: impl FnOnce(&mut ProbeOptions)) -> Probe {
    let mut options = ProbeOptions::default();
    change(&mut options);
    let probe = probe(tools(), &options);
    println!("{probe}");
    probe
}

fn ran(stage: &Stage, probe: &Probe, minimum: IsolationLevel, code: &str) -> Outcome {
    let plan = plan(&stage.job(&python(), &["-c", code]), &stage.demand(minimum), probe).unwrap();
    run(&plan, &Control::new())
}

#[test]
fn without_control_groups_each_process_is_limited() {
    let probe = with(|options| options.without_cgroups = true);
    assert_eq!(probe.level, probed().level.min(IsolationLevel::L2));
    let mut stage = Stage::new();
    stage.limits.memory_bytes = 256 << 20;
    let outcome = ran(&stage, &probe, IsolationLevel::L2, "x = bytearray(500 << 20)");
    assert_eq!(outcome.ended, Ended::Exited(1));
    assert!(err(&outcome).contains("MemoryError"), "{}", err(&outcome));
    assert!(
        outcome.report.missing.iter().any(|why| why.starts_with("L3: no control group limits memory")),
        "{:?}",
        outcome.report
    );
}

#[test]
fn without_control_groups_processes_are_limited() {
    let probe = with(|options| options.without_cgroups = true);
    let mut stage = Stage::new();
    stage.limits.processes = 10;
    let code = "import os, time\nn = 0\ntry:\n    while n < 300:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\nexcept OSError as e: print(n < 20, e.errno)";
    assert_eq!(out(&ran(&stage, &probe, IsolationLevel::L2, code)), "True 11\n");
}

#[test]
fn without_user_namespaces_there_is_no_view_of_its_own() {
    let probe = with(|options| options.without_user_namespaces = true);
    assert_eq!(probe.level, IsolationLevel::L1);
    let stage = Stage::new().open();
    std::fs::write(stage.path("input/a"), "read").unwrap();
    let code = "import os, socket\n\
        print(os.getcwd() == os.environ['DEED_WORKSPACE'], open('input/a').read())\n\
        open('output/b', 'w').write('written')\n\
        for p in ('/etc/passwd', '/etc/hostname', '/root', '/proc/1/status'):\n\
        \x20   try: os.listdir(p) if os.path.isdir(p) else open(p).read(); print('read', p)\n\
        \x20   except OSError as e: print(e.errno)\n\
        for f in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):\n\
        \x20   try: socket.socket(f); print('socket', f)\n\
        \x20   except OSError as e: print(e.errno)\n";
    let outcome = ran(&stage, &probe, IsolationLevel::L1, code);
    assert_eq!(outcome.ended, Ended::Exited(0), "{}", err(&outcome));
    assert_eq!(out(&outcome), "True read\n13\n13\n13\n13\n1\n1\n1\n");
    assert_eq!(std::fs::read_to_string(stage.path("output/b")).unwrap(), "written");
}

#[test]
fn without_user_namespaces_time_and_daemons_still_end() {
    let probe = with(|options| options.without_user_namespaces = true);
    let mut stage = Stage::new().open();
    let daemon = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)\n    os._exit(0)\nos.wait()\nprint('done')";
    let outcome = ran(&stage, &probe, IsolationLevel::L1, daemon);
    assert_eq!((outcome.ended, outcome.left_behind), (Ended::Exited(0), 1));
    stage.limits.wall_seconds = 1;
    let outcome = ran(&stage, &probe, IsolationLevel::L1, &format!("{daemon}\ntime.sleep(60)"));
    assert_eq!(outcome.ended, Ended::WallTime);
    assert!(outcome.wall_ms < 1600, "{} ms", outcome.wall_ms);
}

#[test]
fn without_bubblewrap_the_help_names_the_package() {
    let probe = with(|options| options.without_bwrap = true);
    assert_eq!(probe.level, IsolationLevel::L1);
    assert!(probe.missing.iter().any(|one| one.level == IsolationLevel::L2 && one.help.contains("install bubblewrap")));
}

#[test]
fn without_landlock_no_level_is_claimed() {
    let probe = with(|options| options.without_landlock = true);
    assert_eq!(probe.level, IsolationLevel::L0);
    let outcome = ran(&Stage::new(), &probe, IsolationLevel::L0, "print(1)");
    assert_eq!((outcome.ended.clone(), out(&outcome).as_str()), (Ended::Exited(0), "1\n"));
}

#[test]
fn a_demand_is_never_met_with_less() {
    let probe = with(|options| options.without_user_namespaces = true);
    let stage = Stage::new().open();
    let refusal = plan(&stage.job(&python(), &["-c", ""]), &stage.demand(IsolationLevel::L2), &probe).unwrap_err();
    let Refusal::BelowMinimum { demanded, obtained, missing } = &refusal else { panic!("{refusal}") };
    assert_eq!((*demanded, *obtained), (IsolationLevel::L2, IsolationLevel::L1));
    assert!(missing.iter().all(|one| one.level <= IsolationLevel::L2) && !missing.is_empty());
}

/// A kernel that gives no user namespaces: this very test is run again where their number is limited to none.
#[test]
fn a_kernel_without_user_namespaces() {
    if std::env::var_os("DEED_TEST_NO_USERNS").is_some() {
        let probe = probe(tools(), &ProbeOptions::default());
        println!("{probe}");
        assert_eq!(probe.level, IsolationLevel::L1);
        let found =
            probe.missing.iter().find(|one| one.level == IsolationLevel::L2 && one.why.contains("namespaces")).unwrap();
        assert!(found.help.contains("user.max_user_namespaces"), "{found:?}");
        let outcome = ran(&Stage::new().open(), &probe, IsolationLevel::L1, "print('inside')");
        assert_eq!(
            (outcome.ended.clone(), out(&outcome).as_str()),
            (Ended::Exited(0), "inside\n"),
            "{}",
            err(&outcome)
        );
        println!("seen without user namespaces");
        return;
    }
    let own = std::env::current_exe().unwrap();
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" --exact levels::a_kernel_without_user_namespaces --nocapture";
    let output = Command::new("unshare")
        .args(["-Ur", "sh", "-c", script])
        .arg(own)
        .env("DEED_TEST_NO_USERNS", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("seen without user namespaces"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Children multiply what each of them may have; together they have no more than one may.
#[test]
fn without_control_groups_all_processes_together_are_limited() {
    let probe = with(|options| options.without_cgroups = true);
    let mut stage = Stage::new();
    stage.limits.memory_bytes = 96 << 20;
    let code = "import os, time\nfor _ in range(3): os.fork()\nx = bytearray(40 << 20)\ntime.sleep(15)";
    let outcome = ran(&stage, &probe, IsolationLevel::L2, code);
    assert_eq!(outcome.ended, Ended::Memory, "{}", err(&outcome));
    // Memory that is shared after a fork counts once: eight processes that share 40 MiB are within the limit.
    let shared = "import os, time\nx = bytearray(40 << 20)\nfor _ in range(3): os.fork()\ntime.sleep(1)";
    let outcome = ran(&stage, &probe, IsolationLevel::L2, shared);
    assert_eq!(outcome.ended, Ended::Exited(0), "{}", err(&outcome));
}

/// The caller's own hard limits may be lower than those of a sandbox: they hold inside too, and the level is the same.
#[test]
fn low_hard_limits_of_the_caller_take_nothing_from_the_level() {
    const AGAIN: &str = "DEED_TEST_LOW_LIMITS";
    if std::env::var_os(AGAIN).is_none() {
        let output = Command::new("prlimit")
            .args(["--nofile=256:256", "--sigpending=100:100", "--memlock=8192:8192"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "levels::low_hard_limits_of_the_caller_take_nothing_from_the_level", "--nocapture"])
            .env(AGAIN, probed().level.to_string())
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}");
        return;
    }
    assert_eq!(probed().level.to_string(), std::env::var(AGAIN).unwrap());
    let stage = Stage::new();
    let planned = stage.plan(&stage.job(&python(), &["-c", "import resource; print(resource.getrlimit(7))"]));
    assert!(planned.notes.iter().any(|note| note.contains("NOFILE holds inside too: 256")), "{:?}", planned.notes);
    let outcome = run(&planned, &Control::new());
    assert_eq!(
        (outcome.ended.clone(), out(&outcome)),
        (Ended::Exited(0), "(256, 256)\n".to_owned()),
        "{}",
        err(&outcome)
    );
}
