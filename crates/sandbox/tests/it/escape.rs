//! Programs that try to get out. Each attempt is stopped, and by the layer that is meant to stop it.
//!
//! The whole suite runs in a network, process and mount namespace of its own, with victims that it made itself:
//! nothing here can reach anything of the machine, whatever the sandbox lets through. The attempts are in
//! `escape/*.py`, what stops each of them in `escape/expected.txt`.

mod outer;
mod victims;

use crate::common::{Stage, err, out, probed, python, tools};
use deed_model::IsolationLevel;
use deed_sandbox::{Control, Ended, Outcome, Probe, ProbeOptions, Quota, SandboxPlan, plan, probe, run};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use victims::Victims;

/// The report of one attempt.
#[derive(Debug, Deserialize)]
struct Attempt {
    attempt: String,
    out: Option<String>,
    by: Option<String>,
    ms: u64,
}

/// For each attempt, the layers that may stop it and by what each is known.
fn expected() -> BTreeMap<String, Vec<(String, String)>> {
    let lines =
        include_str!("escape/expected.txt").lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let (name, rest) = line.split_once(':').unwrap();
            let layers = rest.split('|').map(|one| one.trim().rsplit_once('=').unwrap());
            (name.to_owned(), layers.map(|(layer, by)| (layer.trim().to_owned(), by.trim().to_owned())).collect())
        })
        .collect()
}

fn stage_with(victims: &Victims, probe: &Probe) -> (Stage, SandboxPlan) {
    let mut stage = Stage::new().open();
    stage.limits.wall_seconds = 60;
    stage.limits.scratch_bytes = 16 << 20;
    stage.limits.memory_bytes = 512 << 20;
    let folder = stage.path("input/escape");
    fs::create_dir(&folder).unwrap();
    for (name, text) in [
        ("main", include_str!("escape/main.py")),
        ("reach", include_str!("escape/reach.py")),
        ("files", include_str!("escape/files.py")),
        ("calls", include_str!("escape/calls.py")),
        ("network", include_str!("escape/network.py")),
        ("processes", include_str!("escape/processes.py")),
    ] {
        fs::write(folder.join(format!("{name}.py")), text).unwrap();
    }
    fs::write(stage.path("input/facts.json"), victims.facts()).unwrap();
    let mut job = stage.job(&python(), &["/workspace/input/escape/main.py"]);
    job.bridge = Some(victims.bridge.clone());
    job.proxy = Some(victims.proxy.clone());
    let plan = plan(&job, &stage.demand(IsolationLevel::L1), probe).unwrap();
    (stage, plan)
}

/// Checks one attempt; the layer that stopped it, or why that is wrong.
fn judged(attempt: &Attempt, expected: &BTreeMap<String, Vec<(String, String)>>) -> Result<String, String> {
    let Attempt { attempt: name, out, by, .. } = attempt;
    let by = match (out, by) {
        (None, Some(by)) => by,
        _ => return Err(format!("{name} got out: {out:?}")),
    };
    let layers = expected.get(name).ok_or_else(|| format!("{name}: nothing is expected of it, {by} was seen"))?;
    let layer = layers.iter().find(|(_, known)| known.split(',').any(|one| one == by));
    layer.map(|(layer, _)| layer.clone()).ok_or_else(|| format!("{name} was stopped by {by}, expected {layers:?}"))
}

/// Runs attempts, all or those that are named, under a plan that may be changed first.
fn attempted(victims: &Victims, probe: &Probe, names: &[&str], change: impl FnOnce(&mut SandboxPlan)) -> Vec<Attempt> {
    let (stage, mut plan) = stage_with(victims, probe);
    plan.args.extend(names.iter().map(|name| (*name).to_owned()));
    change(&mut plan);
    let outcome = run(&plan, &Control::new());
    assert_eq!(outcome.ended, Ended::Exited(0), "{}\n{}", out(&outcome), err(&outcome));
    assert_eq!(outcome.stdout.left_out, 0);
    println!("level {}, {} ms", plan.level, outcome.wall_ms);
    drop(stage);
    out(&outcome).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns whether there are namespaces, which most of these layers need; prints a note if there are none.
fn has_namespaces() -> bool {
    let namespaced = probed().level >= IsolationLevel::L2;
    if !namespaced {
        println!(
            "level {}: there are no namespaces here; what this level promises is in tests/it/levels.rs",
            probed().level
        );
    }
    namespaced
}

/// Makes every attempt under what this machine offers, and holds each against what is expected of it. Those that are
/// named lead nowhere, and may succeed.
fn all_are_stopped(probe: &Probe, lead_nowhere: &[&str]) {
    let victims = Victims::new();
    let attempts = attempted(&victims, probe, &[], |_| {});
    let expected = expected();
    let mut wrong = Vec::new();
    let mut layers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for attempt in &attempts {
        match judged(attempt, &expected) {
            Ok(layer) => layers.entry(layer).or_default().push(&attempt.attempt),
            Err(why) if lead_nowhere.contains(&attempt.attempt.as_str()) => println!("{why}, which leads nowhere"),
            Err(why) => wrong.push(why),
        }
    }
    for (layer, names) in &layers {
        println!("{layer} stopped {}: {}", names.len(), names.join(" "));
    }
    let missing = expected.keys().filter(|name| !attempts.iter().any(|one| &one.attempt == *name));
    wrong.extend(missing.map(|name| format!("{name} was not tried")));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), attempts.len(), wrong.join("\n"));
    assert!(attempts.len() >= 60, "only {} attempts", attempts.len());
    victims.are_untouched();
    let slowest = attempts.iter().max_by_key(|one| one.ms).unwrap();
    println!("{} attempts, none got out; the slowest was {} with {} ms", attempts.len(), slowest.attempt, slowest.ms);
}

#[test]
fn attempts_are_stopped_by_name() {
    if outer::entered("attempts_are_stopped_by_name") || !has_namespaces() {
        return;
    }
    all_are_stopped(probed(), &[]);
}

/// If root cannot become another user, the other layers suffice.
#[test]
fn attempts_are_stopped_where_the_user_of_the_host_is_root() {
    if outer::entered("attempts_are_stopped_where_the_user_of_the_host_is_root") || !has_namespaces() {
        return;
    }
    let mut stays = probed().clone();
    stays.ordinary_user = Err("left out for this test".to_owned());
    println!("root: {}", stays.root);
    // The numbers of the guard's open files are root's to list; none of them can be opened (see `write_to_guard`).
    all_are_stopped(&stays, &["list_pid1_fd", "list_pid1_ns_links"]);
}

/// An ordinary user of the machine has no control groups, and is the same user to the host inside as outside.
#[test]
fn attempts_of_an_ordinary_user_are_stopped() {
    if outer::entered_as_ordinary_user("attempts_of_an_ordinary_user_are_stopped") || !has_namespaces() {
        return;
    }
    assert!(!probed().root);
    let ordinary = probe(tools(), &ProbeOptions { without_cgroups: true, ..ProbeOptions::default() });
    assert_eq!(ordinary.level, IsolationLevel::L2, "{ordinary}");
    all_are_stopped(&ordinary, &[]);
}

/// Takes a layer away and sees that harmless attempts then get out: it was that layer which stopped them.
#[test]
fn without_its_layer_an_attempt_gets_out() {
    if outer::entered("without_its_layer_an_attempt_gets_out") || !has_namespaces() {
        return;
    }
    let victims = Victims::new();
    let calls = [
        "ptrace_traceme",
        "keyctl",
        "personality_no_random",
        "shmget",
        "udp_socket",
        "netlink_socket",
        "execute_from_memory",
        "mptcp_socket",
        "limits_of_guard",
    ];
    let paths = ["link_in_output", "fifo_in_output", "socket_in_output", "list_root", "tcp_listen"];
    let freed = |attempts: Vec<Attempt>| -> Vec<String> {
        attempts.into_iter().filter(|one| one.out.is_some()).map(|one| one.attempt).collect()
    };
    assert_eq!(freed(attempted(&victims, probed(), &calls, |plan| plan.syscalls = None)), calls);
    let without_landlock = attempted(&victims, probed(), &paths, |plan| plan.landlock = None);
    assert_eq!(freed(without_landlock), paths);
}

/// Without namespaces the filter stops what it stopped before, and Landlock what the mounts had hidden.
#[test]
fn without_namespaces_the_filter_and_landlock_are_left() {
    if outer::entered("without_namespaces_the_filter_and_landlock_are_left") {
        return;
    }
    the_filter_and_landlock_are_left();
}

/// The same for an ordinary user, whose own files are all that Landlock keeps code from.
#[test]
fn without_namespaces_an_ordinary_user_is_held_too() {
    if outer::entered_as_ordinary_user("without_namespaces_an_ordinary_user_is_held_too") {
        return;
    }
    the_filter_and_landlock_are_left();
}

fn the_filter_and_landlock_are_left() {
    let weaker = probe(tools(), &ProbeOptions { without_user_namespaces: true, ..ProbeOptions::default() });
    assert_eq!(weaker.level, IsolationLevel::L1, "{weaker}");
    let victims = Victims::new();
    let expected = expected();
    let filtered = expected.iter().filter(|(_, layers)| layers.iter().all(|(layer, _)| layer == "seccomp"));
    let filtered: Vec<&str> = filtered.map(|(name, _)| name.as_str()).collect();
    assert!(filtered.len() > 100, "{}", filtered.len());
    for attempt in attempted(&victims, &weaker, &filtered, |_| {}) {
        assert_eq!(judged(&attempt, &expected).as_deref(), Ok("seccomp"));
    }
    let isolated = [
        "read_shadow",
        "read_root_home",
        "read_machine_id",
        "read_victim_file",
        "read_working_folder",
        "list_working_folder",
        "read_keys_of_caller",
        "read_victim_by_proc",
        "list_root",
        "list_home",
        "list_run",
        "list_sys",
        "write_usr",
        "write_root",
        "write_etc",
        "write_core_pattern",
        "write_sysrq",
        "write_cgroup",
        "write_dev_mem",
        "write_dev_kmsg",
        "write_uid_map",
        "overwrite_shell",
        "overwrite_passwd",
        "read_kcore",
        "read_pid1_environ",
        "kill_victim",
        "kill_launcher",
        "abstract_socket",
        "abstract_datagram",
        "become_root",
        "join_groups",
        "take_capabilities",
        "nice_minus_20",
        "lock_memory",
        "many_timers",
        "switch_user",
        "tcp_metadata",
        "tcp_loopback",
        "tcp_fast_open",
        "tcp_listen",
        "files_left_open",
        "environment_left",
        "name_service",
    ];
    // Root that cannot become another user keeps root's files; the probe and the report say so.
    let stays_root = nix::unistd::geteuid().is_root() && (!weaker.root || weaker.ordinary_user.is_err());
    let of_root = ["become_root", "join_groups", "take_capabilities", "nice_minus_20", "lock_memory"];
    let isolated: Vec<&str> = isolated.into_iter().filter(|name| !stays_root || !of_root.contains(name)).collect();
    println!("root cannot become another user: {stays_root}");
    for attempt in attempted(&victims, &weaker, &isolated, |_| {}) {
        assert!(attempt.out.is_none(), "{} got out: {:?}", attempt.attempt, attempt.out);
    }
    victims.are_untouched();
    println!("{} attempts at L1, none got out", filtered.len() + isolated.len());
}

/// Asserts how a program that exceeds a limit is ended.
fn bomb(code: &str, expected: impl Fn(&Outcome) -> bool) {
    let mut stage = Stage::new();
    stage.limits.wall_seconds = 2;
    stage.limits.cpu_seconds = 60;
    stage.limits.processes = 24;
    stage.limits.memory_bytes = 128 << 20;
    stage.limits.output_bytes = 8 << 20;
    stage.limits.scratch_bytes = 8 << 20;
    stage.limits.output_files = 500;
    stage.limits.captured_bytes = 4096;
    let outcome = stage.python(code);
    assert!(expected(&outcome), "{code}\n{:?} {}", outcome.ended, err(&outcome));
    assert!(outcome.wall_ms < 3000, "{code}\n{} ms", outcome.wall_ms);
    assert!(written(stage.dir.path()) < 400 << 20, "too much was written");
}

fn written(folder: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let facts = entry.metadata().unwrap();
            if facts.is_dir() {
                open.push(entry.path());
            }
            bytes += facts.len();
        }
    }
    bytes
}

#[test]
fn bombs_go_off_inside() {
    if outer::entered("bombs_go_off_inside") || !has_namespaces() {
        return;
    }
    let grouped = probed().level >= IsolationLevel::L3;
    let fork = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass";
    let ignores = "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n";
    thread::scope(|scope| {
        scope.spawn(|| {
            // As many processes as there may be, each small; together they can come to all the memory there is.
            bomb(fork, |outcome| matches!(outcome.ended, Ended::WallTime | Ended::Memory));
            bomb("x = []\nwhile True: x.append(bytearray(1 << 20))", |outcome| {
                outcome.ended == if grouped { Ended::Memory } else { Ended::Exited(1) }
            });
            bomb("import mmap\nm = mmap.mmap(-1, 1 << 30)\nfor n in range(0, 1 << 30, 4096): m[n] = 1", |outcome| {
                !grouped || outcome.ended == Ended::Memory
            });
            bomb("import os\nwhile True: os.write(1, b'x' * 65536)", |outcome| {
                outcome.ended == Ended::WallTime && outcome.stdout.left_out > 1 << 20
            });
            bomb(&format!("{ignores}import time\ntime.sleep(60)"), |outcome| outcome.ended == Ended::WallTime);
        });
        scope.spawn(|| {
            let fill = "import itertools\nfor n in itertools.count(): open(f'/workspace/output/{n}', 'wb').write(bytes(1 << 20))";
            bomb(fill, |outcome| outcome.ended == Ended::OutputQuota(Quota::Bytes));
            let files = "import itertools, os\nfor n in itertools.count(): os.mkdir(f'/workspace/work/{n}')";
            bomb(files, |outcome| outcome.ended == Ended::OutputQuota(Quota::Files));
            let deep = "import os\nos.chdir('/workspace/work')\nwhile True:\n    os.mkdir('d')\n    os.chdir('d')";
            bomb(deep, |outcome| matches!(outcome.ended, Ended::OutputQuota(Quota::Files | Quota::Unseen)));
            let odd = "import os\nfor n in range(100): open(b'/workspace/output/\\xff\\n\\x1b[2J%d' % n, 'w').close()";
            bomb(odd, |outcome| outcome.ended == Ended::Exited(0));
            let gone = "import itertools, os\nkept = []\nfor n in itertools.count():\n    f = open('/workspace/work/gone', 'wb'); os.unlink('/workspace/work/gone'); f.write(bytes(1 << 20)); f.flush(); kept.append(f)";
            bomb(gone, |outcome| outcome.ended == Ended::OutputQuota(Quota::Bytes));
            let mapped = "import itertools, os, mmap\nkept = []\nfor n in itertools.count():\n    f = open('/workspace/work/gone', 'w+b'); os.unlink('/workspace/work/gone'); f.truncate(1 << 20)\n    m = mmap.mmap(f.fileno(), 1 << 20); m[:] = bytes(1 << 20); f.close(); kept.append(m)";
            bomb(mapped, |outcome| matches!(outcome.ended, Ended::OutputQuota(Quota::Bytes) | Ended::Memory));
            let long = "import os, itertools\nos.chdir('/workspace/work')\nfor _ in range(40):\n    os.mkdir('d' * 250); os.chdir('d' * 250)\nfor n in itertools.count(): open(str(n), 'wb').write(bytes(1 << 20))";
            bomb(long, |outcome| outcome.ended == Ended::OutputQuota(Quota::Unseen));
            let closed = "import os, itertools\nos.mkdir('/workspace/work/c')\nos.chdir('/workspace/work/c')\nos.chmod('.', 0o300)\nfor n in itertools.count(): open(str(n), 'wb').write(bytes(1 << 20))";
            bomb(closed, |outcome| matches!(outcome.ended, Ended::OutputQuota(_)));
            let daemon = "import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            while True: time.sleep(60)\n        os._exit(0)";
            bomb(daemon, |outcome| outcome.ended == Ended::Exited(0) && outcome.left_behind >= 5);
        });
    });
}
