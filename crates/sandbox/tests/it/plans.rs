//! A plan is a value: it can be printed, stored and compared, and bad jobs are refused before anything is started.

use crate::common::{Stage, probed, python};
use deed_model::IsolationLevel;
use deed_sandbox::{Bind, Job, Refusal, SandboxPlan, plan};
use std::path::PathBuf;

fn refused(change: impl FnOnce(&mut Job)) -> Refusal {
    let stage = Stage::new();
    let mut job = stage.job(&python(), &["-c", "pass"]);
    change(&mut job);
    plan(&job, &stage.demand(IsolationLevel::L0), probed()).unwrap_err()
}

fn input(inside: &str) -> Bind {
    Bind { host: "/tmp".into(), inside: inside.into() }
}

#[test]
fn the_same_job_gives_the_same_plan_and_it_survives_being_stored() {
    let stage = Stage::new();
    let job = stage.job(&python(), &["-c", "pass"]);
    let (one, two) = (stage.plan(&job), stage.plan(&job));
    assert_eq!(one, two);
    let stored = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<SandboxPlan>(&stored).unwrap(), one);
}

#[test]
fn a_plan_can_be_read() {
    let stage = Stage::new();
    let mut job = stage.job(&python(), &["-c", "pass"]);
    job.proxy = Some("/run/proxy.sock".into());
    job.ca = Some("/run/ca.pem".into());
    job.env.insert("MODE".into(), "test".into());
    let plan = stage.plan(&job);
    let text = plan.to_string();
    println!("{text}");
    let level = format!("level {}", plan.level);
    let expected =
        ["program", "MODE=test", "limits of each process", "NOFILE     1024", "landlock", "seccomp", "allowed: "];
    for words in [level.as_str()].into_iter().chain(expected.into_iter().filter(|words| *words != "seccomp")) {
        assert!(text.contains(words), "`{words}` is not in\n{text}");
    }
    if plan.level >= IsolationLevel::L2 {
        for words in [
            "user mount pid network ipc uts cgroup",
            "tcp port 3128",
            "https_proxy=http://127.0.0.1:3128",
            "SSL_CERT_FILE=/run/deed/ca.pem",
            "no_proxy=",
        ] {
            assert!(text.contains(words), "`{words}` is not in\n{text}");
        }
    }
}

#[test]
fn paths_that_leave_the_workspace_are_refused() {
    for odd in ["/workspace", "/workspace/../etc", "/etc/x", "workspace/x", "/workspace/./x/..", "/workspacex/a"] {
        let refusal = refused(|job| job.inputs.push(input(odd)));
        assert_eq!(refusal, Refusal::InsidePath(PathBuf::from(odd)), "{odd}");
    }
}

#[test]
fn nothing_is_seen_within_something_else() {
    for twice in ["/workspace/work", "/workspace/meta", "/workspace/meta/a"] {
        let refusal = refused(|job| job.inputs.push(input(twice)));
        assert!(matches!(refusal, Refusal::Twice(_)), "{twice}: {refusal}");
    }
    // An input may be seen in a folder that can be written to, and no second one in it.
    let refusal = refused(|job| job.inputs.extend([input("/workspace/output/a"), input("/workspace/output/a/b")]));
    assert!(matches!(refusal, Refusal::Twice(_)), "{refusal}");
}

#[test]
fn a_job_cannot_replace_the_environment() {
    for name in ["PATH", "HOME", "DEED_WORKSPACE", "", "A=B", "A\0"] {
        let refusal = refused(|job| drop(job.env.insert(name.to_owned(), String::new())));
        assert!(matches!(refusal, Refusal::Variable(_)), "{name}: {refusal}");
    }
}

#[test]
fn zero_bytes_and_relative_paths_are_refused() {
    assert_eq!(refused(|job| job.args.push("a\0b".into())), Refusal::ZeroByte);
    assert_eq!(refused(|job| job.bridge = Some("bridge.sock".into())), Refusal::HostPath("bridge.sock".into()));
}
