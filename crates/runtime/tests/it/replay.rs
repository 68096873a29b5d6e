//! Nothing acts twice: code that is run again is served its earlier answers, and an unknown outcome is not guessed.

use crate::common::server::answer;
use crate::common::{Run, Server, Watch, World, plan, python};
use deed_model::{FailureClass, RunEvent, RunOutcome};
use deed_ports::{Engine, EngineError, Standing, StoreErrorKind};
use serde_json::{Value, json};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

/// Sends `COUNT` requests and writes down what came back.
fn sending(server: &Server, count: u64) -> String {
    format!(
        "
import deed, json
answers = []
for n in range(1, {count} + 1):
    answers.append(deed.fetch('{url}', 'POST', body={{'n': n}})['json']['number'])
json.dump({{'answers': answers}}, open('output/a.json', 'w'))
",
        url = server.url("/effects?secret=1")
    )
}

fn needs(server: &Server, calls: u64, rule: Value) -> Value {
    json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(rule)],
        "budget": { "wall_seconds": 60, "governed_calls": calls },
    })
}

fn gate(number: u64) -> Value {
    json!([{
        "tool": "http.submit", "question": "May this one be sent?", "approver_role": "lead",
        "when": { "==": [{ "var": "arguments.body.n" }, number] },
    }])
}

/// The requests that were sent, in order.
fn sent(server: &Server) -> Vec<u64> {
    let number = |body: &str| serde_json::from_str::<Value>(body).unwrap()["n"].as_u64().unwrap();
    server.seen().iter().map(|seen| number(&seen.text())).collect()
}

/// Code that asks, waits at a gate before it sends, and is run again: its first answer is served, whole.
#[track_caller]
fn served_after_a_gate(world: &World, server: &Server, source: &str, length: usize) {
    let mut more = needs(server, 2, json!({}));
    more["call_gates"] = gate(1);
    let run = world.submit(&plan(vec![python("a", source, more)]));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    run.approve("lead");
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    assert_eq!(run.json("output/a.json"), json!({ "length": length }));
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn effects_before_a_gate_happen_once() {
    let world = World::new();
    let server = Server::counting();
    let mut more = needs(&server, 5, json!({}));
    more["call_gates"] = gate(4);
    let run = world.submit(&plan(vec![python("a", &sending(&server, 5), more)]));
    assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 1));
    assert_eq!(sent(&server), [1, 2, 3]);
    // Nothing has changed after a restart.
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    assert_eq!(sent(&server), [1, 2, 3]);
    run.approve("lead");
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(sent(&server), [1, 2, 3, 4, 5]);
    assert_eq!(run.json("output/a.json"), json!({ "answers": [1, 2, 3, 4, 5] }));
    run.succeeded().verified();
    let told = |event: &RunEvent| matches!(event, RunEvent::CallBegan { call } if call.summary.contains("secret=1"));
    assert_eq!(run.count(told), 0, "what is told of a call has no query");
    // Each was paid for once.
    assert_eq!(run.state().total_spent().governed_calls, Some(5));
}

#[test]
fn several_gates_before_one_call_are_all_asked() {
    let world = World::new();
    let server = Server::counting();
    let mut more = needs(&server, 1, json!({}));
    let ask = |role: &str| json!({ "tool": "http.submit", "question": "May it be sent?", "approver_role": role });
    more["call_gates"] = json!([ask("lead"), ask("finance")]);
    let run = world.submit(&plan(vec![python("a", &sending(&server, 1), more)]));
    // Both are asked at once, and nothing is sent before both have approved.
    for roles in [&["lead", "finance"][..], &["finance"]] {
        let Standing::Waiting(asked) = run.drive() else { panic!("it waits for {roles:?}") };
        assert_eq!(asked.iter().map(|subject| subject.approver_role.as_str()).collect::<Vec<_>>(), roles);
        assert!(sent(&server).is_empty());
        run.approve(roles[0]);
    }
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(sent(&server), [1]);
}

#[test]
fn a_gate_in_a_loop_of_a_thousand_waits_for_another_process() {
    let world = World::new();
    let source = "
import deed, json
seen = 0
for n in range(1000):
    verdict = deed.call('artifact.evaluate', {'bundle': {'sources': {'n': n}}, 'rubric': [{'id': 'r', 'rule': True}]})
    seen += verdict['passes']
json.dump({'seen': seen}, open('output/a.json', 'w'))
";
    let more = json!({
        "tool_needs": ["operator.artifact.evaluate"],
        "budget": { "wall_seconds": 120, "governed_calls": 1000, "model_tokens": 0 },
        "call_gates": [{
            "tool": "operator.artifact.evaluate", "question": "May this one be judged?", "approver_role": "lead",
            "when": { "==": [{ "var": "arguments.bundle.sources.n" }, 700] },
        }],
    });
    let run = world.submit(&plan(vec![python("a", source, more)]));
    let Standing::Waiting(asked) = run.drive() else { panic!("it waits") };
    assert_eq!(asked[0].call.as_ref().unwrap().arguments["bundle"]["sources"]["n"], 700);
    let (id, compiled) = (run.id.clone(), run.plan.clone());
    drop(run);
    let later = Run { world: &world, engine: world.engine(), id, plan: compiled };
    later.approve("lead");
    let watch = Watch::new();
    assert_eq!(later.drive_watched(watch.clone()), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(later.json("output/a.json"), json!({ "seen": 1000 }));
    let made = |event: &RunEvent| matches!(event, RunEvent::CallBegan { .. });
    assert_eq!(watch.seen().iter().filter(|event| made(event)).count(), 300, "only the rest was made");
    assert_eq!(later.count(made), 1000);
}

/// Kills the process between sending and writing down, and gives the run to another.
fn killed_after_sending<'w>(world: &'w World, server: &Server, rule: Value) -> Run<'w> {
    let engine = world.dying(|event| matches!(event, RunEvent::CallEnded { .. }));
    let steps = vec![python("a", &sending(server, 1), needs(server, 1, rule))];
    let (run, _) = world.try_submit(engine, &plan(steps), Default::default()).unwrap();
    let error = run.engine.drive(&run.id, Watch::new()).unwrap_err();
    assert!(
        matches!(&error, EngineError::Store(error) if error.kind == StoreErrorKind::Full || error.help.is_some()),
        "{error:?}"
    );
    assert_eq!(run.count(|event| matches!(event, RunEvent::CallBegan { .. })), 1);
    assert_eq!(run.count(|event| matches!(event, RunEvent::StepFailed { .. } | RunEvent::Ended { .. })), 0);
    Run { world, engine: world.engine(), id: run.id, plan: run.plan }
}

#[test]
fn what_may_have_happened_is_not_sent_again() {
    let world = World::new();
    let server = Server::counting();
    let run = killed_after_sending(&world, &server, json!({ "repeat": "never" }));
    assert_eq!(server.seen().len(), 1);
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2053", FailureClass::ToolBridge), "{failure:?}");
    assert!(failure.help.unwrap().contains("repeat: by_key"));
    assert_eq!(server.seen().len(), 1, "it was not sent again");
    run.verified();
}

#[test]
fn what_is_done_once_by_its_key_is_sent_again_with_the_same_key() {
    let world = World::new();
    let server = Server::counting();
    let run = killed_after_sending(&world, &server, json!({ "repeat": "by_key" }));
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.succeeded().verified();
    let keys: Vec<String> =
        server.seen().iter().map(|seen| seen.header("idempotency-key").unwrap().to_owned()).collect();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_process_that_dies_before_it_sends_has_sent_nothing() {
    let world = World::new();
    let server = Server::counting();
    let engine = world.dying(|event| matches!(event, RunEvent::CallBegan { .. }));
    let steps = vec![python("a", &sending(&server, 1), needs(&server, 1, json!({})))];
    let (run, _) = world.try_submit(engine, &plan(steps), Default::default()).unwrap();
    assert!(run.engine.drive(&run.id, Watch::new()).is_err());
    assert_eq!(server.seen().len(), 0);
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(sent(&server), [1]);
}

/// A server that breaks the first connection off after it has read the request.
fn breaking() -> Server {
    let first = Mutex::new(true);
    Server::plain(move |_| match std::mem::take(&mut *first.lock().unwrap()) {
        true => None,
        false => answer(200, &json!({ "number": 1 })),
    })
}

const SWALLOWS: &str = "
import deed
try:
    deed.fetch('URL', 'POST', body={'n': 1})
except deed.CallFailed:
    pass
open('output/a.json', 'w').write('{}')
";

#[test]
fn an_answer_that_was_lost_fails_the_step_for_good_whatever_its_code_does() {
    let world = World::new();
    let server = breaking();
    let mut more = needs(&server, 3, json!({ "repeat": "never" }));
    // Also where it may be tried again: nobody has looked at the other side.
    more["max_retries"] = json!(2);
    let run = world.run(&plan(vec![python("a", &SWALLOWS.replace("URL", &server.url("/")), more)]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2053", FailureClass::ToolBridge), "{failure:?}");
    assert_eq!(server.seen().len(), 1, "it was sent once");
}

#[test]
fn an_answer_that_was_lost_is_asked_for_again_by_its_key() {
    let world = World::new();
    let server = breaking();
    let more = needs(&server, 1, json!({ "repeat": "by_key" }));
    let run = world.run(&plan(vec![python("a", &sending(&server, 1), more)]));
    run.succeeded().verified();
    let seen = server.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].header("idempotency-key"), seen[1].header("idempotency-key"));
    assert_eq!(run.state().total_spent().governed_calls, Some(1));
}

#[test]
fn a_recorded_failure_is_served_in_the_same_words() {
    let world = World::new();
    let server = Server::counting();
    // Nothing listens at this port; a request cannot even be sent.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let source = format!(
        "
import deed, json
said = []
try:
    deed.fetch('http://api.example.test:{closed}/', 'POST', body={{'n': 0}})
except deed.CallFailed as no:
    said.append(no.kind)
deed.fetch('{url}', 'POST', body={{'n': 1}})
json.dump({{'said': said}}, open('output/a.json', 'w'))
",
        url = server.url("/")
    );
    let mut more = needs(&server, 5, json!({}));
    more["egress"].as_array_mut().unwrap().push(crate::common::with(server.rule(json!({})), json!({ "port": closed })));
    more["call_gates"] = gate(1);
    let run = world.submit(&plan(vec![python("a", &source, more)]));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    let told = |event: &RunEvent| match event {
        RunEvent::CallEnded { answer } => match &answer.outcome {
            deed_model::CallOutcome::Failed { kind, .. } => Some(kind.to_string()),
            _ => None,
        },
        _ => None,
    };
    let first: Vec<String> = run.events().iter().filter_map(told).collect();
    assert_eq!(first, ["failed"]);
    run.approve("lead");
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(run.json("output/a.json"), json!({ "said": ["failed"] }));
}

#[test]
fn a_large_answer_is_served_again() {
    let world = World::new();
    let server = Server::plain(|_| answer(200, &json!({ "text": "x".repeat(100_000) })));
    let source = format!(
        "
import deed, json
first = deed.fetch('{url}')['json']['text']
deed.fetch('{url}', 'POST', body={{'n': 1}})
json.dump({{'length': len(first)}}, open('output/a.json', 'w'))
",
        url = server.url("/")
    );
    served_after_a_gate(&world, &server, &source, 100_000);
}

#[test]
fn a_call_under_way_has_its_end_before_its_step_is_parked() {
    let world = World::new();
    let (arrived, arrival) = channel();
    let (release, released) = channel::<()>();
    let (arrived, arrival, released) = (Mutex::new(arrived), Mutex::new(arrival), Mutex::new(released));
    let server = Server::plain(move |seen| {
        if seen.text().contains("slow") {
            arrived.lock().unwrap().send(()).unwrap();
            released.lock().unwrap().recv().unwrap();
        } else if seen.method == "GET" {
            // Whoever reads is answered once the slow one is under way.
            arrival.lock().unwrap().recv().unwrap();
        }
        answer(200, &json!({ "number": 1 }))
    });
    let source = format!(
        "
import deed, json, threading
slow = threading.Thread(target=lambda: deed.fetch('{url}', 'POST', body={{'n': 0, 'how': 'slow'}}))
slow.start()
deed.fetch('{url}')
deed.fetch('{url}', 'POST', body={{'n': 1}})
slow.join()
open('output/a.json', 'w').write('{{}}')
",
        url = server.url("/")
    );
    let mut more = needs(&server, 5, json!({ "repeat": "never" }));
    more["call_gates"] = gate(1);
    let run = world.submit(&plan(vec![python("a", &source, more)]));
    // The answer is let go once a person is asked: by then the code is being stopped.
    let release = Arc::new(Mutex::new(Some(release)));
    let watch = Watch::doing(move |event| {
        if matches!(event, RunEvent::GateOpened { .. }) {
            let release = release.lock().unwrap().take().unwrap();
            std::thread::spawn(move || {
                // So that the code is gone by then, which is the harder case; it has to hold either way.
                std::thread::sleep(std::time::Duration::from_millis(300));
                release.send(()).unwrap();
            });
        }
    });
    assert!(matches!(run.drive_watched(watch), Standing::Waiting(_)));
    let position = |of: &dyn Fn(&RunEvent) -> bool| run.events().iter().position(of);
    let ended = |event: &RunEvent| matches!(event, RunEvent::CallEnded { answer } if matches!(&answer.outcome, deed_model::CallOutcome::Result { .. }));
    let parked = position(&|event| matches!(event, RunEvent::StepParked { .. })).unwrap();
    let answered = run.events().iter().take(parked).filter(|event| ended(event)).count();
    assert_eq!(answered, 2, "what was under way is written down before the step is parked");
    run.approve("lead");
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    let slow = server.seen().iter().filter(|seen| seen.text().contains("slow")).count();
    assert_eq!(slow, 1);
    run.succeeded().verified();
}

#[test]
fn a_file_that_was_put_is_there_again_when_code_is_run_again() {
    let server = Server::counting();
    let source = format!(
        "
import deed
deed.call('artifact.put', {{'path': 'output/a.json', 'json': {{'x': 1}}}})
deed.fetch('{url}', 'POST', body={{'n': 1}})
",
        url = server.url("/")
    );
    let mut more = needs(&server, 2, json!({}));
    more["tool_needs"] = json!(["http.submit", "operator.artifact.write"]);
    // After a gate.
    let world = World::new();
    let mut gated = more.clone();
    gated["call_gates"] = gate(1);
    let run = world.submit(&plan(vec![python("a", &source, gated)]));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    run.approve("lead");
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json"), json!({ "x": 1 }));
    assert_eq!(run.state().total_spent().governed_calls, Some(2), "and is paid for once");
    // After a crash.
    let world = World::new();
    let engine = world.dying(|event| matches!(event, RunEvent::StepSucceeded { .. }));
    let (run, _) = world.try_submit(engine, &plan(vec![python("a", &source, more)]), Default::default()).unwrap();
    assert!(run.engine.drive(&run.id, Watch::new()).is_err());
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json"), json!({ "x": 1 }));
    assert_eq!(sent(&server), [1, 1], "each of the two runs sent once");
}

#[test]
fn what_was_denied_stays_a_denial_when_code_is_run_again() {
    let world = World::new();
    let server = Server::counting();
    let source = format!(
        "
import deed
try: deed.fetch('http://other.example.test/')
except deed.CallFailed as no: denied = no
deed.fetch('{url}', 'POST', body={{'n': 1}})
raise denied
",
        url = server.url("/")
    );
    let mut more = needs(&server, 3, json!({}));
    (more["call_gates"], more["max_retries"]) = (gate(1), json!(2));
    let run = world.submit(&plan(vec![python("a", &source, more)]));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    run.approve("lead");
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Failed));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2051", FailureClass::PolicyViolation), "{failure:?}");
    assert_eq!(run.count(|event| matches!(event, RunEvent::StepFailed { .. })), 1, "it is not retried");
}

#[test]
fn an_answer_of_any_size_is_served_again() {
    let world = World::new();
    // As JSON each of these takes six bytes: what is kept is far longer than what came.
    let long = 5_usize << 20;
    let server = Server::plain(move |seen| {
        let body = if seen.method == "GET" { vec![1; long] } else { b"{}".to_vec() };
        Some(http::Response::new(http_body_util::Full::new(hyper::body::Bytes::from(body))))
    });
    let source = format!(
        "
import deed, json
answer = deed.fetch('{url}')
assert answer['json'] is None
length = len(answer['body'])
deed.fetch('{url}', 'POST', body={{'n': 1}})
json.dump({{'length': length}}, open('output/a.json', 'w'))
",
        url = server.url("/")
    );
    served_after_a_gate(&world, &server, &source, long);
}

#[test]
fn every_execution_of_a_program_is_a_sub_step() {
    let world = World::new();
    let server = Server::counting();
    // A gate parks the first execution; the second dies of a signal, and the third ends well.
    let source = format!(
        "import deed, os, signal\nnumber = deed.fetch('{url}', 'POST')['json']['number']\nseen = deed.fetch('{url}')['json']['number']\nif seen < 3: os.kill(os.getpid(), signal.SIGKILL)\nopen('output/a.json', 'w').write('{{}}')\n",
        url = server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({}))], "max_retries": 1,
        "budget": { "wall_seconds": 30, "governed_calls": 9 },
        "call_gates": [{ "tool": "http.submit", "question": "Send?", "approver_role": "clerk" }],
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.approve("clerk");
    run.reopen().drive();
    let steps = run.state().steps["a"].sub_steps.clone();
    let told: Vec<(u64, &str, Option<i32>, bool)> =
        steps.iter().map(|s| (s.sequence, s.kind.as_str(), s.exit_code, s.ok)).collect();
    assert_eq!(told.first(), Some(&(1, "python", None, false)), "{steps:?}");
    assert!(told.iter().zip(1..).all(|(step, place)| step.0 == place), "{steps:?}");
    let code = run.engine.load(&run.id).unwrap().1.request.unwrap().code["a"].to_string();
    assert!(steps.iter().all(|step| step.code == code && step.label == "a"), "{steps:?}");
}

#[test]
fn a_sub_step_says_how_its_program_ended() {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", "open('output/a.json', 'w').write('{}')\n", json!({}))]));
    run.succeeded().verified();
    let receipt = run.receipt("a");
    let [step] = receipt.execution.sub_steps.as_slice() else { panic!("{receipt:?}") };
    assert_eq!(
        (step.sequence, step.exit_code, step.ok, step.duration_ms),
        (1, Some(0), true, receipt.execution.wall_ms)
    );
    assert_eq!(run.state().steps["a"].sub_steps, receipt.execution.sub_steps);
    let value = serde_json::to_value(step).unwrap();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys.len(), 7, "{keys:?}");
    for key in ["sequence", "label", "type", "code", "exit_code", "duration_ms", "ok"] {
        assert!(keys.contains(&key), "{key}");
    }
    let run = world.run(&plan(vec![python("a", "raise SystemExit(4)\n", json!({}))]));
    let receipt = run.receipt("a");
    assert_eq!((receipt.execution.sub_steps[0].exit_code, receipt.execution.sub_steps[0].ok), (Some(4), false));
    assert_eq!(run.state().steps["a"].sub_steps.len(), 1);
}
