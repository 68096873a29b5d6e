//! A run that continues from another one: nothing that was sent before is sent twice.

use crate::common::run::Asking;
use crate::common::server::answer;
use crate::common::{Run, Server, World, plan, python, with};
use deed_model::{ForkedFrom, GateDecision, RunEvent, RunOutcome};
use deed_ports::{Engine as _, EngineError, Standing};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Posts eight bodies, one after the other, with the bridge.
const BY_BRIDGE: &str = "import deed\nfor n in range(8): deed.fetch(URL, 'POST', body={'n': n})\n";

/// The same through the proxy, by a client that knows nothing of the bridge.
const BY_PROXY: &str = "import urllib.request\n\
    for n in range(8): urllib.request.urlopen(urllib.request.Request(URL, method='POST', data=b'%d' % n), timeout=20).read()\n";

/// A server that loses the answer to the sixth request that it gets.
fn losing_the_sixth() -> Server {
    let requests = AtomicUsize::new(0);
    Server::plain(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
        5 => None,
        _ => answer(200, &json!({})),
    })
}

fn posts(source: &str, server: &Server, changed: &str) -> Value {
    let source = format!(
        "{}open('output/a.json', 'w').write('{{}}')\n{changed}",
        source.replace("URL", &format!("{:?}", server.url("/")))
    );
    let more = json!({
        "tool_needs": ["http.submit"], "egress": [server.rule(json!({ "methods": ["POST"], "repeat": "never" }))],
        "budget": { "wall_seconds": 60, "governed_calls": 20 }, "max_retries": 0,
    });
    plan(vec![python("a", &source, more)])
}

fn fork<'w>(world: &'w World, plan: &Value, from: &Run<'_>) -> Run<'w> {
    let forked = Some(ForkedFrom { run_id: from.id.clone(), step: "a".to_owned(), first: None });
    world.submit_as(plan, Asking { forked, ..Asking::default() })
}

fn bodies(server: &Server) -> Vec<String> {
    server.seen().iter().map(|seen| seen.text()).collect()
}

#[test]
fn a_fork_sends_nothing_twice_and_asks_about_what_was_lost() {
    for source in [BY_BRIDGE, BY_PROXY] {
        let world = World::new();
        let server = losing_the_sixth();
        let plan = posts(source, &server, "");
        let first = world.run(&plan);
        assert_eq!((first.outcome(), first.failure("a").code.as_str()), (Some(RunOutcome::Failed), "D2053"));
        assert_eq!(server.seen().len(), 6);
        let second = fork(&world, &plan, &first);
        assert!(matches!(second.drive(), Standing::Waiting(_)));
        assert_eq!(server.seen().len(), 6, "nothing is sent before somebody has decided");
        let question = second.question();
        assert_eq!(question.approver_role, "operator");
        assert!(question.question.contains("lost the answer"), "{}", question.question);
        second.approve("operator");
        let second = second.reopen();
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded));
        second.succeeded().verified();
        let sent = bodies(&server);
        assert_eq!(sent.len(), 9, "{sent:?}");
        let mut each = sent.clone();
        each.sort();
        each.dedup();
        assert_eq!(each.len(), 8, "eight effects: {sent:?}");
        assert_eq!(sent[5], sent[6], "the one that was lost is the one that was sent again");
        // A fork of the fork has the answers of both.
        let third = fork(&world, &plan, &second);
        assert_eq!(third.drive(), Standing::Ended(RunOutcome::Succeeded));
        assert_eq!(server.seen().len(), 9);
    }
}

#[test]
fn what_a_person_does_not_want_sent_again_is_not() {
    let world = World::new();
    let server = losing_the_sixth();
    let plan = posts(BY_BRIDGE, &server, "");
    let first = world.run(&plan);
    let second = fork(&world, &plan, &first);
    assert!(matches!(second.drive(), Standing::Waiting(_)));
    let signed = second.answer(GateDecision::Rejected, "operator").unwrap();
    second.engine.decide(&second.id, signed).unwrap();
    let second = second.reopen();
    assert_eq!(second.drive(), Standing::Ended(RunOutcome::Failed));
    assert_eq!((second.failure("a").code.as_str(), server.seen().len()), ("D2014", 6));
}

/// Code that was changed has another contract and other keys; what it asks for again was asked for before all the same.
#[test]
fn changed_code_repeats_no_effect_of_the_run_that_it_continues() {
    let world = World::new();
    let server = losing_the_sixth();
    let first = world.run(&posts(BY_BRIDGE, &server, ""));
    let second = fork(&world, &posts(BY_BRIDGE, &server, "# changed\n"), &first);
    assert!(matches!(second.drive(), Standing::Waiting(_)));
    second.approve("operator");
    let second = second.reopen();
    assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(server.seen().len(), 9);
}

/// After the answer to an effect is lost the step has failed, and its code, whatever it catches, sends nothing more.
#[test]
fn code_sends_nothing_after_a_lost_answer() {
    let world = World::new();
    let requests = AtomicUsize::new(0);
    let server = Server::plain(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
        0 => None,
        _ => answer(200, &json!({})),
    });
    let source = format!(
        "import deed\nfor n in range(20):\n    try: deed.fetch({:?}, 'POST', body={{'n': n}})\n    except Exception: pass\n",
        server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.submit"], "egress": [server.rule(json!({ "methods": ["POST"] }))],
        "budget": { "wall_seconds": 60, "governed_calls": 40 }, "max_retries": 0,
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    assert_eq!((run.failure("a").code.as_str(), server.seen().len()), ("D2053", 1));
}

/// An answer that says no had no effect, so it is asked for again; one that says that the server failed may have had one.
#[test]
fn an_error_of_the_other_side_is_not_served_as_an_answer() {
    for (status, asked) in [(404, false), (503, true)] {
        let world = World::new();
        let requests = AtomicUsize::new(0);
        let server = Server::plain(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
            0 => answer(status, &json!({})),
            _ => answer(200, &json!({})),
        });
        let source = format!(
            "import deed\nassert deed.fetch({:?}, 'POST')['status'] == 200\nopen('output/a.json', 'w').write('{{}}')\n",
            server.url("/")
        );
        let more = json!({
            "tool_needs": ["http.submit"], "egress": [server.rule(json!({ "methods": ["POST"] }))],
            "budget": { "wall_seconds": 60, "governed_calls": 4 }, "max_retries": 0,
        });
        let plan = plan(vec![python("a", &source, more)]);
        let first = world.run(&plan);
        assert_eq!(first.outcome(), Some(RunOutcome::Failed));
        let second = fork(&world, &plan, &first);
        let standing = second.drive();
        assert_eq!(matches!(standing, Standing::Waiting(_)), asked, "{status}: {standing:?}");
        assert_eq!(server.seen().len(), if asked { 1 } else { 2 });
    }
}

/// Each byte is counted before it leaves: header lines through the proxy, and every redirect, denied ones too.
#[test]
fn bytes_are_counted_before_they_leave() {
    let hop = "x".repeat(2000);
    let target = format!("/next?{hop}");
    let server = Server::plain(move |seen| match seen.target.as_str() {
        "/loop" => crate::common::server::redirect(&target),
        other if other.starts_with("/next") => crate::common::server::redirect(&format!("/next?{}", "y".repeat(2000))),
        "/away" => crate::common::server::redirect("http://elsewhere.example.test/"),
        _ => answer(200, &json!({})),
    });
    let left = |server: &Server, before: usize| -> usize {
        let seen = server.seen();
        let one = |seen: &crate::common::ReceivedRequest| {
            let headers: usize = seen.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
            seen.target.len() + headers + seen.text().len()
        };
        seen[before..].iter().map(one).sum()
    };
    let url = server.url("");
    for source in [
        format!(
            "import urllib.request\nurllib.request.urlopen(urllib.request.Request('{url}/a', headers={{'x-long': 'h' * 60000}}))"
        ),
        format!(
            "import deed\nfor _ in range(40):\n    try: deed.fetch('{url}/loop')\n    except deed.CallFailed: pass"
        ),
        format!(
            "import deed\nfor n in range(60):\n    try: deed.fetch('{url}/away?' + 'z' * 300 + str(n))\n    except deed.CallFailed: pass"
        ),
    ] {
        let world = World::new();
        world.names.set("elsewhere.example.test", "127.0.0.1");
        let before = server.seen().len();
        let more = with(
            json!({ "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))] }),
            json!({ "budget": { "wall_seconds": 60, "governed_calls": 100, "bytes_out": 9000 }, "max_retries": 0 }),
        );
        let run = world.run(&plan(vec![python("a", &source, more)]));
        let spent = run.state().total_spent().bytes_out.unwrap_or(0);
        assert!(spent <= 9000, "{spent}: {source}");
        // Each request also has the lines that the gateway writes itself: `Host` and `Connection`.
        let requests = server.seen().len() - before;
        assert!(left(&server, before) <= 9000 + requests * 100, "{} bytes left: {source}", left(&server, before));
    }
}

/// What a person refused to send again is not sent by a fork of the fork, and what the first run made is served there.
#[test]
fn a_fork_of_a_fork_goes_back_to_the_first_run() {
    for changed in ["", "# changed\n"] {
        let world = World::new();
        let server = losing_the_sixth();
        let first = world.run(&posts(BY_BRIDGE, &server, ""));
        let second = fork(&world, &posts(BY_BRIDGE, &server, changed), &first);
        assert!(matches!(second.drive(), Standing::Waiting(_)));
        let signed = second.answer(GateDecision::Rejected, "operator").unwrap();
        second.engine.decide(&second.id, signed).unwrap();
        let second = second.reopen();
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Failed));
        let third = fork(&world, &posts(BY_BRIDGE, &server, changed), &second);
        assert!(matches!(third.drive(), Standing::Waiting(_)), "it is asked about again");
        assert_eq!(server.seen().len(), 6, "nothing was sent since");
        third.approve("operator");
        let third = third.reopen();
        assert_eq!(third.drive(), Standing::Ended(RunOutcome::Succeeded));
        third.verified();
        assert_eq!(server.seen().len(), 9);
    }
}

/// A request that is sent again has the key that it had first, whatever was changed in its step.
#[test]
fn what_is_sent_again_keeps_its_key() {
    for repeat in ["by_key", "never"] {
        let world = World::new();
        let requests = AtomicUsize::new(0);
        let lost = if repeat == "by_key" { 3 } else { 1 };
        let server = Server::plain(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
            number if number < lost => None,
            _ => answer(200, &json!({})),
        });
        let plan = |changed: &str| {
            let source = format!(
                "import deed\ndeed.fetch({:?}, 'POST', body='x')\nopen('output/a.json', 'w').write('{{}}')\n{changed}",
                server.url("/")
            );
            let rule = server.rule(json!({ "methods": ["POST"], "repeat": repeat }));
            plan(vec![python(
                "a",
                &source,
                json!({
                    "tool_needs": ["http.submit"], "egress": [rule], "max_retries": 0,
                    "budget": { "wall_seconds": 60, "governed_calls": 9 },
                }),
            )])
        };
        let first = world.run(&plan(""));
        assert_eq!(first.outcome(), Some(RunOutcome::Failed));
        let second = fork(&world, &plan("# changed\n"), &first);
        if matches!(second.drive(), Standing::Waiting(_)) {
            second.approve("operator");
            assert_eq!(second.reopen().drive(), Standing::Ended(RunOutcome::Succeeded));
        }
        let keys: std::collections::BTreeSet<String> =
            server.seen().iter().map(|seen| seen.header("idempotency-key").unwrap().to_owned()).collect();
        assert_eq!((keys.len(), server.seen().len()), (1, lost + 1), "{repeat}: {keys:?}");
    }
}

/// Two forks of one run: what the first of them sent is served to the second, and not sent again.
#[test]
fn a_second_fork_of_a_run_is_served_what_the_first_fork_sent() {
    for source in [BY_BRIDGE, BY_PROXY] {
        let world = World::new();
        let server = losing_the_sixth();
        let plan = posts(source, &server, "");
        let first = world.run(&plan);
        let second = fork(&world, &plan, &first);
        assert!(matches!(second.drive(), Standing::Waiting(_)));
        second.approve("operator");
        assert_eq!(second.reopen().drive(), Standing::Ended(RunOutcome::Succeeded));
        assert_eq!(server.seen().len(), 9);
        let third = fork(&world, &plan, &first);
        assert_eq!(third.drive(), Standing::Ended(RunOutcome::Succeeded), "everything is answered by now");
        assert_eq!(server.seen().len(), 9, "{:?}", bodies(&server));
        third.succeeded().verified();
        // A call that only the first fork made is served from it.
        let from = third.count(
            |event| matches!(event, RunEvent::CallEnded { answer } if answer.proof["served_from"] == json!(second.id)),
        );
        assert_eq!(from, 3);
    }
}

/// A call to the address of a lost one that is not the same may be meant as the same: a person is asked once.
#[test]
fn a_changed_call_after_a_lost_one_is_asked_about() {
    let changed = "import deed\nfor n in range(8): deed.fetch(URL, 'POST', body={'n': n}, headers={'x-try': '2'} if n > 4 else {})\n";
    let other_way = "import deed, urllib.request\nfor n in range(5): deed.fetch(URL, 'POST', body={'n': n})\n\
        for n in range(5, 8): urllib.request.urlopen(urllib.request.Request(URL, method='POST', data=b'%d' % n), timeout=20).read()\n";
    for source in [changed, other_way] {
        let world = World::new();
        let server = losing_the_sixth();
        let first = world.run(&posts(BY_BRIDGE, &server, ""));
        assert_eq!(first.failure("a").code, "D2053");
        let second = fork(&world, &posts(source, &server, ""), &first);
        assert!(matches!(second.drive(), Standing::Waiting(_)), "{source}");
        assert_eq!(server.seen().len(), 6, "nothing is sent before somebody has decided");
        let question = second.question().question;
        assert!(question.contains("lost the answer") && question.contains("is not the same"), "{question}");
        second.approve("operator");
        let second = second.reopen();
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded), "one decision is enough: {source}");
        assert_eq!(server.seen().len(), 9);
        second.verified();
        // It was decided, so a fork that makes yet another call is not asked about it.
        let third = fork(&world, &posts(&source.replace("range(8)", "range(9)"), &server, "# more\n"), &second);
        assert_eq!(third.drive(), Standing::Ended(RunOutcome::Succeeded));
    }
}

/// A fork redoes its steps behind every gate that they waited for.
#[test]
fn a_fork_without_a_gate_of_its_run_is_refused() {
    let world = World::new();
    let gated = |waits: &[&str]| {
        let step = python("a", "open('output/a.json', 'w').write('{}')\n", json!({ "waits_for": waits }));
        let gates: Vec<Value> =
            waits.iter().map(|id| json!({ "id": id, "question": "Go on?", "approver_role": "clerk" })).collect();
        with(plan(vec![step]), json!({ "gates": gates }))
    };
    let first = world.submit(&gated(&["seen"]));
    assert!(matches!(first.drive(), Standing::Waiting(_)));
    first.approve("clerk");
    let first = first.reopen();
    assert_eq!(first.drive(), Standing::Ended(RunOutcome::Succeeded));
    let forked = Some(ForkedFrom { run_id: first.id.clone(), step: "a".to_owned(), first: None });
    let refused = world.try_submit(world.engine(), &gated(&[]), Asking { forked: forked.clone(), ..Asking::default() });
    let Err(EngineError::Refused { code, message, .. }) = refused.map(|_| ()) else { panic!("it was accepted") };
    assert!(code.as_str() == "D2074" && message.contains("the gate `seen` is where `a` waited"), "{code}: {message}");
    world.submit_as(&gated(&["seen"]), Asking { forked, ..Asking::default() });
}

/// The same request to the other side is the same call, however its code writes it.
#[test]
fn a_request_in_other_words_is_not_sent_again() {
    let plain =
        "import deed\nfor n in range(3): deed.call('http.fetch', {'url': URL, 'method': 'POST', 'body': 'v%d' % n})\n";
    let with_headers = |headers: &str| plain.replace("'body'", &format!("'headers': {headers}, 'body'"));
    for other in [
        with_headers("{}"),
        plain.replace("'body'", "'redirects': 'follow', 'body'"),
        plain.replace("'body'", "'redirects': 'manual', 'body'"),
        with_headers("{'User-Agent': 'other'}"),
        with_headers("{'X-Forwarded-For': '10.0.0.1'}"),
        with_headers("{'Host': 'elsewhere'}"),
    ] {
        let world = World::new();
        let server = Server::plain(|_| answer(200, &json!({})));
        let first = world.run(&posts(plain, &server, "raise SystemExit(3)\n"));
        assert_eq!((first.outcome(), server.seen().len()), (Some(RunOutcome::Failed), 3));
        let second = fork(&world, &posts(&other, &server, ""), &first);
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded), "{other}");
        assert_eq!(server.seen().len(), 3, "{other}");
        second.verified();
    }
}

/// A request that differs only in a header that matters, or that goes another way, is asked about once for the step.
#[test]
fn a_request_with_other_headers_or_another_client_is_asked_about() {
    let plain = "import deed\nfor n in range(3): deed.fetch(URL, 'POST', body='v%d' % n)\n";
    let account = plain.replace("body=", "headers={'X-Account': '2'}, body=");
    let by_proxy = "import urllib.request\nfor n in range(3): urllib.request.urlopen(urllib.request.Request(URL, \
        method='POST', data=b'v%d' % n), timeout=20).read()\n";
    for (from, to) in [(plain, account.as_str()), (plain, by_proxy), (by_proxy, plain)] {
        let world = World::new();
        let server = Server::plain(|_| answer(200, &json!({})));
        let first = world.run(&posts(from, &server, "raise SystemExit(3)\n"));
        assert_eq!((first.outcome(), server.seen().len()), (Some(RunOutcome::Failed), 3));
        let second = fork(&world, &posts(to, &server, ""), &first);
        assert!(matches!(second.drive(), Standing::Waiting(_)), "{to}");
        assert_eq!(server.seen().len(), 3, "nothing is sent before somebody has decided");
        assert!(second.question().question.contains("with other headers, in another spelling or by another client"));
        second.approve("operator");
        let second = second.reopen();
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded));
        assert_eq!(server.seen().len(), 6, "one decision is enough for the step");
        second.verified();
    }
}

/// A step that was renamed is the one that made the calls.
#[test]
fn a_renamed_step_repeats_no_effect() {
    let world = World::new();
    let server = Server::plain(|_| answer(200, &json!({})));
    let named = |id: &str, end: &str| {
        let pre = python("pre", "open('output/pre.json', 'w').write('{}')\n", json!({}));
        let source = BY_BRIDGE.replace("URL", &format!("{:?}", server.url("/")));
        let source = format!("{source}open('output/{id}.json', 'w').write('{{}}')\n{end}");
        let more = json!({
            "tool_needs": ["http.submit"], "egress": [server.rule(json!({ "methods": ["POST"], "repeat": "never" }))],
            "budget": { "wall_seconds": 60, "governed_calls": 20 }, "max_retries": 0, "depends_on": ["pre"],
        });
        plan(vec![pre, python(id, &source, more)])
    };
    let first = world.run(&named("send", "raise SystemExit(3)\n"));
    assert_eq!((first.outcome(), server.seen().len()), (Some(RunOutcome::Failed), 8));
    let forked = Some(ForkedFrom { run_id: first.id.clone(), step: "pre".to_owned(), first: None });
    let second = world.submit_as(&named("submit", ""), Asking { forked, ..Asking::default() });
    assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(server.seen().len(), 8, "{:?}", bodies(&server));
    second.verified();
}

/// A process that lost its lock stops: another one may drive the run, and would send what it sends.
#[test]
fn a_driver_without_its_lock_sends_nothing_more() {
    let world = World::new();
    let locks = world.path("runs/locks");
    let requests = AtomicUsize::new(0);
    let server = Server::plain(move |_| {
        if requests.fetch_add(1, Ordering::SeqCst) == 2 {
            for file in std::fs::read_dir(&locks).unwrap().flatten() {
                std::fs::remove_file(file.path()).unwrap();
            }
        }
        answer(200, &json!({}))
    });
    let run = world.submit(&posts(BY_BRIDGE, &server, ""));
    let error = run.engine.drive(&run.id, crate::common::Watch::new()).unwrap_err();
    assert!(error.to_string().contains("is gone, so another process may drive it"), "{error}");
    assert_eq!(server.seen().len(), 3);
}

/// Effects are counted over all steps that are done anew: a call that moved to another step is the same effect, and one
/// more call is one more effect.
#[test]
fn effects_are_counted_over_all_steps_that_are_done_anew() {
    type Steps<'s> = &'s [(&'s str, &'s [&'s str])];
    let cases: [(Steps<'_>, Steps<'_>, usize); 8] = [
        // Moved to a step that was there already.
        (&[("one", &["a", "b"]), ("two", &["c"])], &[("one", &["a"]), ("two", &["b", "c"])], 0),
        // Split, the first half keeps its id.
        (&[("one", &["a", "b"])], &[("one", &["a"]), ("new", &["b"])], 0),
        // Exchanged.
        (&[("one", &["a"]), ("two", &["b"])], &[("one", &["b"]), ("two", &["a"])], 0),
        // Merged: two equal effects stay two.
        (&[("one", &["m"]), ("two", &["m"])], &[("one", &["m", "m"])], 0),
        (&[("one", &["m"]), ("two", &["m"])], &[("both", &["m", "m"])], 0),
        // One effect does not serve two calls.
        (&[("one", &["m"])], &[("one", &["m"]), ("two", &["m"])], 1),
        (&[("one", &["m"])], &[("x", &["m"]), ("y", &["m"])], 1),
        // One more, on purpose.
        (&[("one", &["m", "m"])], &[("one", &["m", "m", "m"])], 1),
    ];
    for (before, after, new) in cases {
        let world = World::new();
        let server = Server::plain(|_| answer(200, &json!({})));
        let made = |steps: Steps<'_>, fails: bool| {
            let mut all = vec![python("pre", "open('output/pre.json', 'w').write('{}')\n", json!({}))];
            let mut last = "pre";
            for (place, (id, bodies)) in steps.iter().enumerate() {
                let posts: String = bodies
                    .iter()
                    .map(|body| format!("deed.fetch({:?}, 'POST', body='{body}')\n", server.url("/")))
                    .collect();
                let end = if fails && place + 1 == steps.len() { "raise SystemExit(3)\n" } else { "" };
                let source = format!("import deed\n{posts}open('output/{id}.json', 'w').write('{{}}')\n{end}");
                let more = json!({
                    "tool_needs": ["http.submit"], "max_retries": 0, "depends_on": [last],
                    "egress": [server.rule(json!({ "methods": ["POST"], "repeat": "never" }))],
                    "budget": { "wall_seconds": 60, "governed_calls": 20 },
                });
                all.push(python(id, &source, more));
                last = id;
            }
            plan(all)
        };
        let first = world.run(&made(before, true));
        let sent = server.seen().len();
        assert_eq!(sent, before.iter().map(|(_, bodies)| bodies.len()).sum::<usize>());
        let forked = Some(ForkedFrom { run_id: first.id.clone(), step: "pre".to_owned(), first: None });
        let second = world.submit_as(&made(after, false), Asking { forked, ..Asking::default() });
        assert_eq!(second.drive(), Standing::Ended(RunOutcome::Succeeded), "{before:?} {after:?}");
        assert_eq!(server.seen().len() - sent, new, "{before:?} {after:?}: {:?}", bodies(&server));
        second.verified();
    }
}

/// The same JSON in other words is the same; other spellings of an address, a form or a key of one's own are asked about.
#[test]
fn other_spellings_of_a_request() {
    let plain = "deed.call('http.fetch', {'url': URL + 'a?p=1&q=2', 'method': 'POST', 'headers': {'content-type': \
                 'application/json'}, 'body': '{\"a\":1,\"b\":2}'})\n";
    let cases = [
        (plain.replace("{\"a\":1,\"b\":2}", "{ \"b\": 2, \"a\": 1.0 }"), false),
        (plain.replace("p=1&q=2", "q=2&p=1"), true),
        (plain.replace("a?p", "a/?p"), true),
        (plain.replace("'headers': {", "'headers': {'Idempotency-Key': 'mine', "), true),
    ];
    for (other, asks) in cases {
        let world = World::new();
        let server = Server::plain(|_| answer(200, &json!({})));
        let code = |call: &str| format!("import deed\n{call}");
        let first = world.run(&posts(&code(plain), &server, "raise SystemExit(3)\n"));
        assert_eq!((first.outcome(), server.seen().len()), (Some(RunOutcome::Failed), 1), "{other}");
        let second = fork(&world, &posts(&code(&other), &server, ""), &first);
        let standing = second.drive();
        assert_eq!(matches!(standing, Standing::Waiting(_)), asks, "{other}: {standing:?}");
        assert_eq!(server.seen().len(), 1, "{other}");
    }
}
