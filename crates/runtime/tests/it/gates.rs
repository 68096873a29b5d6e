//! Approval gates: what an approver is shown is what they approve, once, in their role, until it lapses.

use crate::common::run::Asking;
use crate::common::{Run, Server, World, approver, plan, python, with};
use deed_canon::{ContentHash, SigningKey, Statement, Subject};
use deed_diag::codes;
use deed_model::{
    APPROVAL_PREDICATE, ArtifactRecord, Budget, FailureClass, GateDecision, RUN_EVENT_VERSION, RunEvent, RunOptions,
    RunOutcome, RunRecord, SignedApproval,
};
use deed_ports::{Engine, EngineError, JournalWrite, Standing, Wait};
use deed_runtime::{Decided, StepStatus, decide};
use serde_json::{Value, json};

const DONE: &str = "import os\nopen(f'output/{STEP}.json', 'w').write('{}')\n";

fn does(id: &str, more: Value) -> Value {
    python(id, &DONE.replace("{STEP}", id), more)
}

/// `a`, then a person, then `b` and `c`.
fn gated() -> Value {
    let steps = vec![
        does("a", json!({})),
        does("b", json!({ "waits_for": ["look"], "side_effects": [{ "action": "send", "target": "the world" }] })),
        does("c", json!({ "waits_for": ["look"] })),
    ];
    let gate = json!([{ "id": "look", "question": "Is it good?", "approver_role": "lead", "after": ["a"] }]);
    with(plan(steps), json!({ "gates": gate }))
}

fn waiting(world: &World) -> Run<'_> {
    let run = world.submit(&gated());
    assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 1));
    run
}

#[test]
fn a_gate_of_the_plan_shows_what_was_made_and_what_it_lets_through() {
    let world = World::new();
    let run = waiting(&world);
    let asked = run.question();
    assert_eq!((asked.gate_id.as_str(), asked.question.as_str()), ("look", "Is it good?"));
    assert_eq!(asked.approver_role, "lead");
    let evidence: Vec<&str> = asked.evidence.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(evidence, ["output/a.json"]);
    let through: Vec<&str> = asked.contracts.iter().map(|contract| contract.step.as_str()).collect();
    assert_eq!(through, ["b", "c"]);
    assert_eq!(asked.contracts[0].effects, ["send: the world"]);
    assert!(run.state().step("b").is_none(), "it has not begun");
    assert_eq!(run.engine.standing(&run.id).unwrap(), Standing::Waiting(vec![asked]));

    // Another process resumes with the decision; one approval lets both steps through.
    run.reopen().approve("lead");
    assert_eq!(run.reopen().drive(), Standing::Ended(RunOutcome::Succeeded));
    run.succeeded().verified();
    assert_eq!(run.count(|event| matches!(event, RunEvent::ApprovalUsed { .. })), 1);
    assert_eq!(run.count(|event| matches!(event, RunEvent::GateOpened { .. })), 1);
}

#[test]
fn only_the_role_that_is_asked_can_answer() {
    let world = World::new();
    let run = waiting(&world);
    let refused = run.answer(GateDecision::Approved, "intern").unwrap_err();
    assert_eq!(refused.code.as_str(), "D2011");
    // Nor can somebody who signs for the role that they have.
    let mut signed = run.answer(GateDecision::Approved, "lead").unwrap();
    signed.approval.role = "intern".to_owned();
    let refused = run.engine.decide(&run.id, signed).unwrap_err();
    assert!(matches!(refused, EngineError::Refused { code: codes::OTHER_ROLE, .. }), "{refused:?}");
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    // Somebody who has said so before approves only what is theirs.
    let mut other = World::new();
    other.approver = approver("intern");
    assert!(matches!(other.submit(&gated()).drive(), Standing::Waiting(_)));
    other.approver = approver("lead");
    let run = other.run(&gated());
    run.verified();
    assert_eq!(run.outcome(), Some(RunOutcome::Succeeded));
}

#[test]
fn a_question_that_has_lapsed_is_asked_again() {
    let world = World::new();
    let options = RunOptions { gate_seconds: 60, ..RunOptions::default() };
    let run = world.submit_as(&gated(), Asking { options, ..Asking::default() });
    run.drive();
    let first = run.question();
    let early = run.answer(GateDecision::Approved, "lead").unwrap();
    world.clock.pass(60_000);
    assert_eq!(run.answer(GateDecision::Approved, "lead").unwrap_err().code.as_str(), "D2012");
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    let second = run.question();
    assert_ne!(first.expires_at, second.expires_at);
    assert_eq!(with(json!(first), json!({ "expires_at": "" })), with(json!(second), json!({ "expires_at": "" })));
    // What was said to the first question is no answer to the second.
    let refused = run.engine.decide(&run.id, early).unwrap_err();
    assert!(matches!(refused, EngineError::Refused { code: codes::STALE_APPROVAL, .. }), "{refused:?}");
    run.approve("lead");
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.verified();
}

#[test]
fn an_approval_that_has_lapsed_before_it_was_used_does_not_count() {
    let world = World::new();
    let options = RunOptions { gate_seconds: 60, ..RunOptions::default() };
    let run = world.submit_as(&gated(), Asking { options, ..Asking::default() });
    run.drive();
    run.approve("lead");
    world.clock.pass(60_001);
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    assert!(run.state().step("b").is_none());
    assert_eq!(run.count(|event| matches!(event, RunEvent::GateLapsed { .. })), 1);
    run.approve("lead");
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
}

#[test]
fn an_approval_is_for_what_was_shown_and_for_nothing_else() {
    let world = World::new();
    let run = waiting(&world);
    run.approve("lead");
    // Somebody makes the journal say that the step gave something else.
    let receipt = run.events().into_iter().find_map(|event| match event {
        RunEvent::StepSucceeded { receipt, .. } => Some(receipt),
        _ => None,
    });
    let sha256 = ContentHash::of_bytes(b"other");
    let event = RunEvent::StepSucceeded {
        step: "a".to_owned(),
        attempt: 2,
        outputs: vec![ArtifactRecord { path: "output/a.json".to_owned(), sha256, bytes: 5 }],
        sets: Vec::new(),
        spent: Budget::default(),
        sub_steps: Vec::new(),
        remarks: Vec::new(),
        validation: Vec::new(),
        receipt: receipt.unwrap(),
    };
    let at = "2026-09-21T13:33:20Z".to_owned();
    let record = RunRecord { version: RUN_EVENT_VERSION, at, event };
    world.store().append(&run.id, vec![record], Wait::Durable).unwrap();
    assert!(matches!(run.reopen().drive(), Standing::Waiting(_)), "it is asked again");
    assert_eq!(run.question().evidence[0].sha256, sha256);
    assert!(run.state().step("b").is_none());
}

#[test]
fn a_no_ends_the_run() {
    let world = World::new();
    let run = waiting(&world);
    let signed = run.answer(GateDecision::Rejected, "lead").unwrap();
    run.engine.decide(&run.id, signed).unwrap();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    let failed: Vec<_> = ["b", "c"].into_iter().filter(|step| run.state().step(step).is_some()).collect();
    let failure = run.failure(failed[0]);
    assert_eq!((failure.code.as_str(), failure.class), ("D2014", FailureClass::PolicyViolation), "{failure:?}");
    assert!(failure.message.contains("grace rejected it as lead"), "{failure:?}");
    assert!(!run.made().contains_key("output/b.json"));
    run.verified();
}

#[test]
fn the_first_of_two_answers_counts() {
    let world = World::new();
    let run = waiting(&world);
    let (yes, no) =
        (run.answer(GateDecision::Approved, "lead").unwrap(), run.answer(GateDecision::Rejected, "lead").unwrap());
    run.engine.decide(&run.id, no).unwrap();
    let refused = run.engine.decide(&run.id, yes.clone()).unwrap_err();
    assert!(matches!(refused, EngineError::Refused { code: codes::GATE_DECIDED, .. }));
    // Also where both were written at the same instant.
    let record = RunRecord {
        version: RUN_EVENT_VERSION,
        at: "2026-09-21T13:33:20Z".to_owned(),
        event: RunEvent::GateDecided { signed: Box::new(yes) },
    };
    world.store().append(&run.id, vec![record], Wait::Durable).unwrap();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
}

fn sends(server: &Server, source: &str) -> Value {
    let source =
        format!("import deed\nurl = '{}'\n{source}\nopen('output/a.json', 'w').write('{{}}')\n", server.url("/"));
    let gates = json!([{ "tool": "http.submit", "question": "May it be sent?", "approver_role": "lead" }]);
    let more = json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({}))], "call_gates": gates,
        "budget": { "wall_seconds": 30, "governed_calls": 5 },
    });
    plan(vec![python("a", &source, more)])
}

#[test]
fn an_approval_of_a_call_holds_once() {
    let world = World::new();
    let server = Server::counting();
    // The same call twice is two calls, and each is asked about.
    let run = world.submit(&sends(&server, "for _ in range(2): deed.fetch(url, 'POST', body='x')"));
    for sent in [0, 1] {
        assert!(matches!(run.drive(), Standing::Waiting(_)));
        assert!(matches!(&run.state().step("a").unwrap().status, StepStatus::Parked { .. }));
        assert_eq!(server.seen().len(), sent);
        let asked = run.question();
        let call = asked.call.as_ref().unwrap();
        assert_eq!((call.tool.as_str(), &call.arguments["body"]), ("http.submit", &json!("x")));
        run.approve("lead");
    }
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(server.seen().len(), 2);
    let used = |event: &RunEvent| matches!(event, RunEvent::ApprovalUsed { .. });
    assert_eq!(run.count(used), 2);
    run.verified();
}

#[test]
fn a_rejected_call_fails_its_step_even_if_code_continues() {
    let world = World::new();
    let server = Server::counting();
    let source = "
try: deed.fetch(url, 'POST', body='x')
except deed.CallFailed as no: print(no.kind)
";
    let run = world.submit(&sends(&server, source));
    run.drive();
    let signed = run.answer(GateDecision::Rejected, "lead").unwrap();
    run.engine.decide(&run.id, signed).unwrap();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    assert_eq!(run.failure("a").code, "D2014");
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn what_a_person_cannot_see_is_not_asked() {
    let world = World::new();
    let server = Server::counting();
    for hidden in ["\\u202e", "\\u200b", "\\U000e0041", "\\ufeff", "\\x1b[2J"] {
        let run = world.run(&sends(&server, &format!("deed.fetch(url, 'POST', body='pay 1{hidden}00')")));
        let failure = run.failure("a");
        assert_eq!((failure.code.as_str(), failure.class), ("D2013", FailureClass::PolicyViolation), "{failure:?}");
        assert!(failure.message.contains("U+"), "{failure:?}");
        assert_eq!(run.count(|event| matches!(event, RunEvent::GateOpened { .. })), 0);
    }
    assert_eq!(server.seen().len(), 0);
    // What anybody can see is asked, in any script.
    let run = world.submit(&sends(&server, "deed.fetch(url, 'POST', body='Grüße, 世界, שלום\\n\\tÄ')"));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
}

#[test]
fn a_gated_call_cannot_go_round_by_the_proxy() {
    let world = World::new();
    let server = Server::counting();
    let source = "
import urllib.request, urllib.error
try:
    urllib.request.urlopen(url, data=b'x')
    raise SystemExit('it was let')
except urllib.error.HTTPError as error:
    assert error.code == 403, error.code
";
    let run = world.run(&sends(&server, source));
    run.succeeded();
    assert_eq!(server.seen().len(), 0);
}

/// Decisions that are forged with access to the journal and without a key of the workspace.
fn forged(run: &Run<'_>) -> Vec<(&'static str, SignedApproval)> {
    let asked = run.question();
    let now_ms = deed_ports::Clock::unix_ms(&*run.world.clock);
    let decided = Decided {
        decision: GateDecision::Approved,
        role: "lead",
        approver: "mallory",
        authority: None,
        now_ms,
        note: None,
    };
    let stranger = decide(&asked, &decided, &SigningKey::from_seed(&[8; 32])).unwrap();
    let honest = decide(&asked, &decided, &crate::common::key()).unwrap();
    let mut longer = honest.clone();
    longer.approval.expires_at = "2099-01-01T00:00:00Z".to_owned();
    let no = decide(&asked, &Decided { decision: GateDecision::Rejected, ..decided }, &crate::common::key()).unwrap();
    let mut turned = no;
    turned.approval.decision = GateDecision::Approved;
    let mut other = honest.clone();
    other.approval.role = "nobody".to_owned();
    // Signed here, and about a gate of another run.
    let elsewhere = deed_model::GateSubject { run_id: "another".to_owned(), ..asked };
    let mut moved = decide(&elsewhere, &decided, &crate::common::key()).unwrap();
    moved.approval.subject_hash = honest.approval.subject_hash;
    let mut forged = vec![("stranger", stranger), ("turned", turned), ("moved", moved)];
    // What the question does not say is not made true by a signature.
    forged.extend([("longer, signed", signed(&longer, run)), ("role, signed", signed(&other, run))]);
    forged.extend([("longer", longer), ("role", other)]);
    forged
}

/// The same with a signature of this workspace.
fn signed(altered: &SignedApproval, run: &Run<'_>) -> SignedApproval {
    let approval = altered.approval.clone();
    let digest = [("sha256".to_owned(), approval.subject_hash.hex())].into();
    let about = Subject { name: format!("{}/{}", run.id, approval.gate_id), digest };
    let statement = Statement::new(vec![about], APPROVAL_PREDICATE, serde_json::to_value(&approval).unwrap());
    SignedApproval { envelope: statement.sign(&crate::common::key()).unwrap(), approval }
}

#[test]
fn only_what_this_workspace_has_signed_opens_a_gate() {
    for place in 0..7 {
        let world = World::new();
        let run = waiting(&world);
        let (name, signed) = forged(&run).swap_remove(place);
        let refused = run.engine.decide(&run.id, signed.clone()).unwrap_err();
        assert!(
            matches!(&refused, EngineError::Refused { code: codes::STALE_APPROVAL | codes::OTHER_ROLE, .. }),
            "{name}: {refused:?}"
        );
        // Whoever writes to the journal by hand has to be found out when it counts.
        let at = "2026-09-21T13:33:20Z".to_owned();
        let event = RunEvent::GateDecided { signed: Box::new(signed) };
        let record = RunRecord { version: RUN_EVENT_VERSION, at, event };
        world.store().append(&run.id, vec![record], Wait::Durable).unwrap();
        let run = run.reopen();
        assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 1), "{name}: it is asked anew");
        assert!(run.state().step("b").is_none() && run.state().step("c").is_none(), "{name}");
        let lapsed =
            |event: &RunEvent| matches!(event, RunEvent::GateLapsed { why, .. } if why.contains("was not signed by"));
        assert_eq!(run.count(lapsed), 1, "{name}");
        run.approve("lead");
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{name}");
    }
}

/// A step that makes one request, behind a gate of a tool.
fn asks(server: &Server, gate: Value, call: &str) -> Value {
    let source =
        format!("import deed\nbase = '{}'\n{call}\nopen('output/a.json', 'w').write('{{}}')\n", server.url(""));
    let gate = with(json!({ "question": "May it be sent?", "approver_role": "lead" }), gate);
    let more = json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({}))], "call_gates": [gate],
        "budget": { "wall_seconds": 30, "governed_calls": 5 },
    });
    plan(vec![python("a", &source, more)])
}

#[test]
fn a_gate_sees_a_request_as_it_is_sent() {
    let posts = json!({ "and": [
        { "==": [{ "var": "arguments.method" }, "POST"] }, { "in": ["/pay", { "var": "arguments.url" }] },
    ] });
    let reads = json!({ "==": [{ "var": "arguments.method" }, "GET"] });
    for (when, tool, call) in [
        (&posts, "http.submit", "deed.fetch(base + '/pay', 'post')"),
        (&posts, "http.submit", "deed.fetch(base + '/p%61y', 'POST')"),
        (&posts, "http.submit", "deed.fetch(base + '/other/../pay', 'pOsT')"),
        (&posts, "http.submit", "deed.fetch(base.replace('http', 'HTTP') + '/x/%2e%2e/%70ay', 'POST')"),
        (&reads, "http.fetch", "deed.call('http.fetch', {'url': base})"),
        (&reads, "http.fetch", "deed.call('http.fetch', {'url': base, 'method': None})"),
        (&reads, "http.fetch", "deed.call('http.submit', {'url': base, 'method': 'get'})"),
    ] {
        let world = World::new();
        let server = Server::counting();
        let run = world.submit(&asks(&server, json!({ "tool": tool, "when": when }), call));
        assert!(matches!(run.drive(), Standing::Waiting(_)), "{call}");
        assert_eq!(server.seen().len(), 0, "{call}");
        // Whoever approves sees what is sent, and so does the other side.
        let asked = run.question().call.unwrap().arguments;
        run.approve("lead");
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{call}");
        let seen = server.seen();
        assert_eq!(seen.len(), 1, "{call}");
        assert_eq!(asked["method"], json!(seen[0].method), "{call}");
        assert_eq!(asked["url"], json!(server.url(&seen[0].target)), "{call}");
    }
}

#[test]
fn a_gate_before_fetching_stands_before_sending_too() {
    let (get, post) = ("deed.fetch(base + '/')", "deed.fetch(base + '/', 'POST', body='x')");
    for (tool, call, stands) in [
        ("http.fetch", get, true),
        ("http.fetch", post, true),
        ("http.submit", post, true),
        ("http.submit", get, false),
    ] {
        let world = World::new();
        let server = Server::counting();
        let run = world.submit(&asks(&server, json!({ "tool": tool }), call));
        assert_eq!(matches!(run.drive(), Standing::Waiting(_)), stands, "{tool}: {call}");
        assert_eq!(server.seen().is_empty(), stands, "{tool}: {call}");
    }
}

#[test]
fn code_that_is_parked_or_refused_does_nothing_more() {
    let world = World::new();
    let server = Server::counting();
    // It says all that it wants in one go, and hears no answer: what is asked about first, and what is not after it.
    let source = r#"
import json, os, socket
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["DEED_BRIDGE"])
def wanted(what, n):
    arguments = {"url": url, "method": "POST", "body": {"what": what, "n": n}}
    body = json.dumps({"tool": "http.fetch", "arguments": arguments}).encode()
    return b"POST /v1/call HTTP/1.1\r\nhost: bridge\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
line.sendall(b"".join(wanted(what, n) for n in range(20) for what in ("ask", "just")))
while line.recv(1 << 16): pass
"#;
    let mut plan = sends(&server, source);
    plan["steps"][0]["call_gates"][0]["when"] = json!({ "==": [{ "var": "arguments.body.what" }, "ask"] });
    plan["steps"][0]["budget"]["governed_calls"] = json!(50);
    let run = world.submit(&plan);
    assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 1), "one thing is asked");
    assert_eq!(server.seen().len(), 0, "and nothing is sent meanwhile");
    let signed = run.answer(GateDecision::Rejected, "lead").unwrap();
    run.engine.decide(&run.id, signed).unwrap();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    assert_eq!(run.failure("a").code, "D2014");
    assert_eq!(run.count(|event| matches!(event, RunEvent::GateOpened { .. })), 1, "nothing more was asked");
    assert_eq!(server.seen().len(), 0, "and nothing was sent");
    run.verified();
}

#[test]
fn no_question_waits_longer_than_ten_years() {
    let world = World::new();
    let server = Server::counting();
    for plan in [gated(), sends(&server, "deed.fetch(url, 'POST', body='x')")] {
        let options = RunOptions { gate_seconds: 999_999_999_999, ..RunOptions::default() };
        let run = world.submit_as(&plan, Asking { options, ..Asking::default() });
        assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 1));
        let until: jiff::Timestamp = run.question().expires_at.parse().unwrap();
        let years = (until.as_millisecond() - crate::common::BEGAN) / (365 * 86_400_000);
        assert_eq!(years, 10, "{until}");
        run.approve("lead");
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    }
}

/// The process that drives approves as it goes, and an approver rejects just before that is written: the rejection
/// counts, and nothing continues.
#[test]
fn a_rejection_that_is_written_first_stops_an_approval_given_beforehand() {
    let mut world = World::new();
    let run_id = waiting(&world).id;
    world.approver = approver("lead");
    let (rival, rejects) = (world.engine(), std::sync::Once::new());
    let subject = match rival.standing(&run_id).unwrap() {
        Standing::Waiting(asked) => asked.into_iter().next().unwrap(),
        other => panic!("{other:?}"),
    };
    let id = run_id.clone();
    let engine = world.dying(move |event| {
        if matches!(event, RunEvent::GateDecided { .. }) {
            rejects.call_once(|| {
                let now_ms = rival.now_ms(&id).unwrap();
                let decided = Decided {
                    decision: GateDecision::Rejected,
                    role: "lead",
                    approver: "eve",
                    authority: None,
                    now_ms,
                    note: None,
                };
                let signed = decide(&subject, &decided, &crate::common::key()).unwrap();
                rival.decide(&id, signed).unwrap();
            });
        }
        false
    });
    let standing = engine.drive(&run_id, crate::common::Watch::new()).unwrap();
    assert_eq!(standing, Standing::Ended(RunOutcome::Failed));
    let events: Vec<RunEvent> = engine.load(&run_id).unwrap().0.into_iter().map(|entry| entry.record.event).collect();
    let decided = events.iter().filter(|event| matches!(event, RunEvent::GateDecided { .. })).count();
    let used = events.iter().filter(|event| matches!(event, RunEvent::ApprovalUsed { .. })).count();
    assert_eq!((decided, used), (1, 0));
}

/// The names of the gates that wait.
fn open_gates(run: &Run<'_>) -> Vec<String> {
    run.state().open_gates().map(|gate| gate.subject.gate_id.clone()).collect()
}

/// Decides at every gate that waits.
fn approve_all(run: &Run<'_>) {
    let now_ms = run.engine.now_ms(&run.id).unwrap();
    for gate in run.state().open_gates() {
        let subject = &gate.subject;
        let decided = Decided {
            decision: GateDecision::Approved,
            role: &subject.approver_role,
            approver: "grace",
            authority: None,
            now_ms,
            note: None,
        };
        run.engine.decide(&run.id, decide(subject, &decided, &crate::common::key()).unwrap()).unwrap();
    }
}

#[test]
fn all_gates_before_a_step_and_of_all_ready_steps_are_asked_at_once() {
    let world = World::new();
    let steps = vec![
        does("a", json!({ "waits_for": ["law", "money"] })),
        does("b", json!({ "waits_for": ["taste"] })),
        does("c", json!({})),
    ];
    let gate = |id: &str| json!({ "id": id, "question": "Is it good?", "approver_role": id, "after": [] });
    let plan = with(plan(steps), json!({ "gates": [gate("law"), gate("money"), gate("taste")] }));
    let options = RunOptions { parallel: 1, ..RunOptions::default() };
    let run = world.submit_as(&plan, Asking { options, ..Asking::default() });
    assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 3));
    assert_eq!(open_gates(&run), ["law", "money", "taste"]);
    approve_all(&run);
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.verified();
}

/// A step that has to wait for another one to make room has its approvers asked meanwhile.
#[test]
fn gates_are_asked_while_there_is_no_room_for_their_step() {
    let world = World::new();
    let steps = vec![does("a", json!({})), does("b", json!({ "waits_for": ["look"] }))];
    let gate = json!([{ "id": "look", "question": "Is it good?", "approver_role": "lead", "after": [] }]);
    let options = RunOptions { parallel: 1, ..RunOptions::default() };
    let run = world.submit_as(&with(plan(steps), json!({ "gates": gate })), Asking { options, ..Asking::default() });
    run.drive();
    let place = |of: fn(&RunEvent) -> bool| run.events().iter().position(of).unwrap();
    let opened = place(|event| matches!(event, RunEvent::GateOpened { .. }));
    assert!(opened < place(|event| matches!(event, RunEvent::StepSucceeded { .. })), "{:?}", run.events());
    approve_all(&run);
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.verified();
}

#[test]
fn all_gates_before_a_call_are_asked_at_once() {
    let world = World::new();
    let source = "import deed\ndeed.call('artifact.put', {'path': 'output/a.json', 'json': {}})\n";
    let gate =
        |role: &str| json!({ "tool": "operator.artifact.write", "question": "Write it?", "approver_role": role });
    let more = json!({ "tool_needs": ["operator.artifact.write"], "call_gates": [gate("law"), gate("money")],
        "budget": { "wall_seconds": 60, "governed_calls": 4 } });
    let run = world.submit(&plan(vec![python("a", source, more)]));
    assert!(matches!(run.drive(), Standing::Waiting(asked) if asked.len() == 2));
    approve_all(&run);
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    run.verified();
}
