//! Retries: only failures that are not the code's own are retried, and not for ever.

use crate::common::server::answer;
use crate::common::{Run, Server, Watch, World, plan, python};
use deed_model::{FailureCause, FailureClass, RunEvent, RunOutcome};
use deed_ports::Standing;
use deed_runtime::Site;
use deed_sandbox::{ProbeOptions, Tools};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

const DONE: &str = "open('output/a.json', 'w').write('{}')\n";

/// A world whose sandbox cannot be started, and the move that repairs it.
fn broken() -> (World, PathBuf, PathBuf) {
    let mut world = World::new();
    let tools = Tools::prepare(&world.path("tools")).unwrap();
    let (init, away) = (tools.paths().init.clone(), world.path("away"));
    let site = Site::new(tools, ProbeOptions::default(), deed_sandbox::PrivatePaths::default());
    let _ = site.probe();
    world.site = Arc::new(site);
    std::fs::rename(&init, &away).unwrap();
    (world, away, init)
}

/// The failures of a step, with what was to come after each.
fn failures(run: &Run<'_>) -> Vec<(String, FailureClass, Option<u64>)> {
    let failed = |event| match event {
        RunEvent::StepFailed { failure, again_after_ms, .. } => {
            Some((failure.code.to_string(), failure.class, again_after_ms))
        }
        _ => None,
    };
    run.events().into_iter().filter_map(failed).collect()
}

#[test]
fn a_sandbox_that_cannot_start_is_tried_again() {
    let (world, away, init) = broken();
    let run = world.submit(&plan(vec![python("a", DONE, json!({ "max_retries": 2 }))]));
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::StepFailed { .. }) {
            std::fs::rename(&away, &init).unwrap();
        }
    });
    assert_eq!(run.drive_watched(watch), Standing::Ended(RunOutcome::Succeeded));
    run.succeeded().verified();
    assert_eq!(failures(&run), [("D2035".to_owned(), FailureClass::SandboxRuntime, Some(200))]);
    assert_eq!(run.receipt("a").of.attempt, 2);
}

#[test]
fn it_is_tried_as_often_as_the_contract_says_and_waited_longer_each_time() {
    let (world, _, _) = broken();
    let run = world.run(&plan(vec![python("a", DONE, json!({ "max_retries": 2 }))]));
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    let failed = |again| ("D2035".to_owned(), FailureClass::SandboxRuntime, again);
    assert_eq!(failures(&run), [failed(Some(200)), failed(Some(400)), failed(None)]);
    assert!(run.failure("a").help.unwrap().contains("deed sandbox probe"));
    run.verified();
}

#[test]
fn a_wait_that_a_process_did_not_live_to_see_is_over() {
    let (world, away, init) = broken();
    let engine = world.dying({
        let failed = Mutex::new(false);
        move |event| {
            let died = *failed.lock().unwrap() && matches!(event, RunEvent::StepStarted { .. });
            *failed.lock().unwrap() |= matches!(event, RunEvent::StepFailed { .. });
            died
        }
    });
    let plan = plan(vec![python("a", DONE, json!({ "max_retries": 1 }))]);
    let (run, _) = world.try_submit(engine, &plan, Default::default()).unwrap();
    assert!(deed_ports::Engine::drive(&run.engine, &run.id, Watch::new()).is_err());
    std::fs::rename(&away, &init).unwrap();
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(run.receipt("a").of.attempt, 2);
}

#[test]
fn what_code_does_wrong_it_does_wrong_again() {
    for source in [
        "raise SystemExit(1)\n",
        "pass\n",
        "1 / 0\n",
        "open('output/other', 'w')\n",
        "import deed\ndeed.call('http.fetch', {'url': 'https://a.test'})\n",
    ] {
        let world = World::new();
        let run = world.run(&plan(vec![python("a", source, json!({ "max_retries": 3 }))]));
        let failures = failures(&run);
        assert_eq!(failures.len(), 1, "{source}: {failures:?}");
        assert_eq!(failures[0].2, None);
        let causes = run.failure("a").causes;
        assert!(causes.iter().all(|cause| !cause.is_retryable()), "{source}: {causes:?}");
    }
}

/// The causes of the failures of a step.
fn causes(run: &Run<'_>) -> Vec<Vec<FailureCause>> {
    let failed = |event| match event {
        RunEvent::StepFailed { failure, .. } => Some(failure.causes),
        _ => None,
    };
    run.events().into_iter().filter_map(failed).collect()
}

#[test]
fn a_program_that_a_signal_killed_is_a_dead_session_and_is_retried() {
    for signal in ["SIGKILL", "SIGSEGV", "SIGTERM"] {
        let world = World::new();
        let source = format!("import os, signal\nos.kill(os.getpid(), signal.{signal})\n");
        let run = world.run(&plan(vec![python("a", &source, json!({ "max_retries": 1 }))]));
        let died = |again| ("D2031".to_owned(), FailureClass::SandboxRuntime, again);
        assert_eq!(failures(&run), [died(Some(200)), died(None)], "{signal}");
        let dead = FailureCause::SandboxSessionDead;
        assert_eq!(causes(&run), [vec![dead], vec![dead, FailureCause::MaxRetriesReached]]);
        let receipt = run.receipt("a");
        assert_eq!(receipt.failure.unwrap().causes, [dead], "the receipt says what it saw");
        run.verified();
    }
}

#[test]
fn every_failure_says_its_cause_in_one_of_the_words() {
    for (source, expected) in [
        ("raise SystemExit(3)\n", vec![FailureCause::DeterministicCodeError]),
        ("1 / 0\n", vec![FailureCause::DeterministicCodeError]),
        ("open('output/other', 'w').write('x')\n", vec![FailureCause::PolicyBlocked]),
        ("import deed\ndeed.call('http.fetch', {'url': 'https://a.test'})\n", vec![FailureCause::PolicyBlocked]),
    ] {
        let world = World::new();
        let run = world.run(&plan(vec![python("a", source, json!({ "max_retries": 2 }))]));
        assert_eq!(causes(&run), [expected], "{source}");
    }
    let (world, _, _) = broken();
    let run = world.run(&plan(vec![python("a", DONE, json!({ "max_retries": 0 }))]));
    assert_eq!(causes(&run), [[FailureCause::ReadinessProbe, FailureCause::MaxRetriesReached]]);
    let word = serde_json::to_value(run.failure("a")).unwrap()["causes"].clone();
    assert_eq!(word, json!(["READINESS_PROBE", "MAX_RETRIES_REACHED"]));
}

#[test]
fn how_code_ended_is_known_by_its_exception_and_not_by_its_words() {
    // Every one is refused a call first; what it says of it afterwards does not matter.
    let refused =
        "import deed\ntry: deed.call('http.fetch', {'url': 'https://a.test'})\nexcept deed.CallFailed as e: no = e\n";
    let (told, own) = ("D2050", "D2030");
    for (end, code) in [
        ("raise no", told),
        ("raise ValueError('something else') from no", told),
        ("raise SystemExit(1)", told),
        ("raise ValueError('deed: not_allowed')", own),
        ("raise ValueError(str(no))", own),
        ("open('no such file')", own),
        ("import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import deed; deed.call(1)'])\n1 / 0", own),
    ] {
        let world = World::new();
        let run = world.run(&plan(vec![python("a", &format!("{refused}{end}\n"), json!({}))]));
        assert_eq!(run.failure("a").code, code, "{end}: {:?}", run.failure("a"));
    }
    let refused = "import { call } from './deed.mjs';\nlet no;\ntry { await call('http.fetch', { url: 'https://a.test' }) } catch (e) { no = e }\n";
    for (end, code) in [
        ("throw no", told),
        ("throw new Error('something else', { cause: no })", told),
        ("process.exit(1)", told),
        ("throw new Error('deed: not_allowed')", own),
        ("Promise.reject(new TypeError('x'))", own),
    ] {
        let world = World::new();
        let more = json!({ "tool_needs": ["sandbox.session"] });
        let run = world.run(&plan(vec![crate::common::step("a", "javascript", &format!("{refused}{end}\n"), more)]));
        assert_eq!(run.failure("a").code, code, "{end}: {:?}", run.failure("a"));
    }
}

#[test]
fn a_call_whose_other_side_failed_is_tried_again() {
    let world = World::new();
    // The first three requests, which are one call, are broken off.
    let left = Mutex::new(3);
    let server = Server::plain(move |_| {
        let mut left = left.lock().unwrap();
        *left -= i32::from(*left > 0);
        if *left > 0 { None } else { answer(200, &json!({})) }
    });
    let source = format!("import deed\ndeed.fetch('{}')\n{DONE}", server.url("/"));
    let more = |calls: u64, retries: u64| {
        json!({
            "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))], "max_retries": retries,
            "budget": { "wall_seconds": 30, "governed_calls": calls },
        })
    };
    let run = world.run(&plan(vec![python("a", &source, more(1, 1))]));
    run.succeeded().verified();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let source = format!("import deed\ndeed.fetch('http://api.example.test:{closed}/')\n");
    let mut more = more(1, 1);
    more["egress"][0]["port"] = json!(closed);
    let run = world.run(&plan(vec![python("a", &source, more)]));
    let failed = |again| ("D2054".to_owned(), FailureClass::ToolBridge, again);
    assert_eq!(failures(&run), [failed(Some(200)), failed(None)]);
}

fn of_process(pid: &str, name: &str) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default()
}

/// The second word after the name in `stat`.
fn parent(pid: &str) -> Option<String> {
    let stat = of_process(pid, "stat");
    Some(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.to_owned())
}

/// Ends the sandbox of a world from outside, as somebody who clears up would: the child of this process above whatever
/// sees the folders of the world.
fn kill_sandbox(folder: &std::path::Path) {
    let own = std::process::id().to_string();
    let name = folder.file_name().unwrap().to_str().unwrap();
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let inside = all.filter(|pid| of_process(pid, "mountinfo").contains(name));
    let outermost = inside.filter_map(|pid| {
        let mut chain = std::iter::successors(Some(pid), |pid| parent(pid));
        chain.find(|pid| parent(pid).as_ref() == Some(&own))
    });
    let pid = outermost.into_iter().next().expect("a sandbox");
    assert!(std::process::Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
}

#[test]
fn a_sandbox_that_was_killed_from_outside_is_retried() {
    let world = World::new();
    let (folder, first) = (world.folder().to_owned(), Mutex::new(true));
    // The first to come is ended while it waits for its answer.
    let server = Server::plain(move |_| {
        if std::mem::take(&mut *first.lock().unwrap()) {
            kill_sandbox(&folder);
        }
        answer(200, &json!({}))
    });
    let source =
        format!("import deed, time\nif deed.fetch('{}')['status'] != 200: time.sleep(60)\n{DONE}", server.url("/"));
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))], "max_retries": 1,
        "budget": { "wall_seconds": 30, "governed_calls": 2 },
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.succeeded().verified();
    assert_eq!(failures(&run), [("D2031".to_owned(), FailureClass::SandboxRuntime, Some(200))]);
}
