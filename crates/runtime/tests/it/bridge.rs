//! The bridge: allowed calls are made and recorded, others are refused, and code gets the reason.

use crate::common::server::answer;
use crate::common::{Server, World, plan, python, step, with};
use deed_model::{CallOutcome, FailureClass, RunEvent};
use serde_json::{Value, json};

/// Calls everything that `CALLS` says and writes down what was said.
const CALL_ALL: &str = "
import deed, json
calls = json.loads(CALLS)
said = []
for tool, arguments in calls:
    try:
        said.append(['ok', deed.call(tool, arguments)])
    except deed.CallFailed as no:
        said.append([no.kind, no.message])
json.dump({'said': said, 'tools': [tool['tool'] for tool in deed.tools()]}, open('output/a.json', 'w'))
";

fn calling(calls: &Value) -> String {
    CALL_ALL.replace("CALLS", &format!("{:?}", calls.to_string()))
}

/// The answers that code got, by call.
#[track_caller]
fn said(world: &World, calls: Value, more: Value) -> Vec<(String, Value)> {
    let run = world.run(&plan(vec![python("a", &calling(&calls), more)]));
    run.succeeded().verified();
    let said = run.json("output/a.json")["said"].as_array().unwrap().clone();
    said.iter().map(|one| (one[0].as_str().unwrap().to_owned(), one[1].clone())).collect()
}

fn kinds(said: &[(String, Value)]) -> Vec<&str> {
    said.iter().map(|(kind, _)| kind.as_str()).collect()
}

#[test]
fn without_a_capability_nothing_but_progress_is_allowed() {
    let world = World::new();
    let calls = json!([
        ["http.fetch", { "url": "https://api.example.test/" }],
        ["http.fetch", { "url": "https://api.example.test/", "method": "POST" }],
        ["http.submit", { "url": "https://api.example.test/" }],
        ["artifact.put", { "path": "output/a.json", "text": "{}" }],
        ["artifact.evaluate", { "bundle": {}, "rubric": [], "enforcement": "report" }],
        ["operator.artifact.write", { "path": "output/a.json", "text": "{}" }],
        ["progress.report", { "done": 1 }],
    ]);
    let run = world.run(&plan(vec![python("a", &calling(&calls), json!({}))]));
    run.succeeded();
    let said = run.json("output/a.json");
    let kinds: Vec<&str> = said["said"].as_array().unwrap().iter().map(|one| one[0].as_str().unwrap()).collect();
    assert_eq!(kinds, ["not_allowed"; 6].into_iter().chain(["ok"]).collect::<Vec<_>>());
    assert_eq!(said["tools"], json!(["progress.report"]));
    assert_eq!(run.count(|event| matches!(event, RunEvent::CallBegan { .. })), 0, "nothing was made");
    // The code has caught it all and succeeded; the run has remarks about it.
    assert_eq!(run.count(|event| matches!(event, RunEvent::CallRefused { .. })), 6);
    let remarks = run.state().step("a").unwrap().remarks.clone();
    let sent = "POST https://api.example.test/: the contract does not have `http.submit`";
    assert_eq!(remarks.len(), 4, "each once: {remarks:?}");
    assert_eq!(remarks[1], sent);
}

#[test]
fn a_request_beyond_the_contract_is_reported_without_secrets() {
    let world = World::new();
    // In two parts, so that a scanner does not take this file for a leak.
    let key = ["AKIA", "Q3EGRRN5XZ7LKMPD"].concat();
    let calls = json!([
        [format!("tool.{key}"), {}],
        [format!("{}.{key}", "x".repeat(190)), {}],
        ["x".repeat(5000), {}],
        ["artifact.put", { "path": format!("output/{key}"), "text": "{}" }],
    ]);
    let more = json!({ "tool_needs": ["operator.artifact.write"] });
    let run = world.run(&plan(vec![python("a", &calling(&calls), more)]));
    run.succeeded().verified();
    let remarks = run.state().step("a").unwrap().remarks.clone();
    assert_eq!(remarks.len(), 4, "{remarks:?}");
    assert!(remarks[0].contains("[secret]") && remarks[3].contains("[secret]"), "{remarks:?}");
    assert!(remarks.iter().all(|remark| remark.len() < 300 && !remark.contains("AKIA")), "{remarks:?}");
}

#[test]
fn code_that_does_not_take_no_for_an_answer_is_stopped() {
    let world = World::new();
    let source = "import deed\nwhile True:\n    try: deed.call('artifact.put', {})\n    except deed.CallFailed: pass\n";
    let run = world.run(&plan(vec![python("a", source, json!({}))]));
    assert_eq!(run.failure("a").code, "D2050");
    let refused = run.count(|event| matches!(event, RunEvent::CallRefused { .. }));
    assert_eq!(refused, 1_000);
    // Why it failed is not said twice.
    assert_eq!(run.state().step("a").unwrap().remarks, Vec::<String>::new());
}

#[test]
fn code_that_gives_up_over_a_refusal_fails_for_it() {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", "import deed\ndeed.call('artifact.put', {})\n", json!({}))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2050", FailureClass::PolicyViolation), "{failure:?}");
    assert!(failure.help.unwrap().contains("operator.artifact.write"));
    let run = world.run(&plan(vec![python("a", "import deed\ndeed.call('artifact.putt', {})\n", json!({}))]));
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2050");
    assert!(failure.printed.unwrap().contains("unknown_tool"), "code was told");
    assert!(failure.help.unwrap().contains("`artifact.put`"));
}

#[test]
fn bad_questions_are_refused_and_cost_nothing() {
    let world = World::new();
    let server = Server::counting();
    let more = json!({
        "tool_needs": ["http.fetch", "http.submit", "operator.artifact.write", "operator.artifact.evaluate"],
        "egress": [server.rule(json!({}))], "budget": { "wall_seconds": 30, "governed_calls": 1 },
    });
    let calls = json!([
        ["http.fetch", {}],
        ["http.fetch", { "url": 7 }],
        ["http.fetch", { "url": server.url("/"), "headers": { "a": 1 } }],
        ["http.fetch", { "url": server.url("/"), "redirects": "sometimes" }],
        ["http.fetch", { "url": server.url("/"), "extra": 1 }],
        ["artifact.put", { "path": "output/a.json" }],
        ["artifact.put", { "path": "output/a.json", "text": "{}", "json": {} }],
        ["artifact.evaluate", { "bundle": {}, "rubric": [], "enforcement": "report" }],
        ["artifact.evaluate", { "bundle": { "other": {} }, "rubric": [{ "id": "x", "rule": true }], "enforcement": "report" }],
        ["artifact.evaluate", { "bundle": {}, "rubric": [{ "id": "x", "rule": true }], "enforcement": "report", "more": 1 }],
        ["progress.report", { "done": -1 }],
        ["progress.report", {}],
        ["http.fetch", { "url": server.url("/") }],
    ]);
    let said = said(&world, calls, more);
    let (last, bad) = said.split_last().unwrap();
    assert_eq!(kinds(bad), vec!["bad_arguments"; bad.len()], "{bad:?}");
    assert_eq!(last.0, "ok", "{last:?}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn calls_and_bytes_are_paid_for_to_the_last_one() {
    let world = World::new();
    let server = Server::counting();
    let needs = |budget: Value| {
        json!({
            "tool_needs": ["http.fetch", "http.submit"], "egress": [server.rule(json!({}))],
            "budget": with(json!({ "wall_seconds": 30 }), budget),
        })
    };
    let post = |body: &str| json!(["http.fetch", { "url": server.url("/"), "method": "POST", "body": body }]);
    let calls = json!([post("a"), post("b"), post("c"), post("d")]);
    let said_of_calls = said(&world, calls, needs(json!({ "governed_calls": 3 })));
    assert_eq!(kinds(&said_of_calls), ["ok", "ok", "ok", "budget"]);
    assert_eq!(server.seen().len(), 3);
    // Ten bytes beyond the first lines: four, six, and not one more. Where to is a part of what leaves.
    let line = "POST".len() + server.url("/").len();
    let calls = json!([post("1234"), post("123456"), post("1"), post("")]);
    let said_of_bytes = said(&world, calls, needs(json!({ "bytes_out": 3 * line + 10, "governed_calls": 9 })));
    assert_eq!(kinds(&said_of_bytes), ["ok", "ok", "budget", "ok"]);
    let calls = json!([post("12345678901"), post("1234567890")]);
    let said_of_bytes = said(&world, calls, needs(json!({ "bytes_out": line + 10, "governed_calls": 9 })));
    assert_eq!(kinds(&said_of_bytes), ["budget", "ok"]);
    let long = json!(["http.fetch", { "url": server.url(&format!("/?{}", "x".repeat(100))) }]);
    let header = json!(["http.fetch", { "url": server.url("/"), "headers": { "x": "y".repeat(100) } }]);
    let said_of_get = said(&world, json!([long, header]), needs(json!({ "bytes_out": 90, "governed_calls": 9 })));
    assert_eq!(kinds(&said_of_get), ["budget", "budget"]);
    // Code that gives up over it fails for it.
    let gives_up = format!("import deed\nfor n in range(4): deed.fetch('{}', 'POST', body=str(n))\n", server.url("/"));
    let run = world.run(&plan(vec![python("a", &gives_up, needs(json!({ "governed_calls": 3 })))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2052", FailureClass::BudgetExhaustion), "{failure:?}");
    assert!(failure.message.contains("governed_calls"), "{failure:?}");
}

#[test]
fn sixty_four_threads_at_once_spend_the_budget_and_no_more() {
    let world = World::new();
    let server = Server::counting();
    let source = format!(
        "
import deed, json, threading
said, lock, begin = [], threading.Lock(), threading.Barrier(64)
def work(n):
    begin.wait()
    for m in range(8):
        try:
            deed.fetch('{}', 'POST', body={{'n': n, 'm': m}})
            kind = 'ok'
        except deed.CallFailed as no:
            kind = no.kind
        except Exception as error:
            kind = repr(error)
        with lock: said.append(kind)
threads = [threading.Thread(target=work, args=(n,)) for n in range(64)]
for thread in threads: thread.start()
for thread in threads: thread.join()
json.dump({{kind: said.count(kind) for kind in set(said)}}, open('output/a.json', 'w'))
",
        server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.submit"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 60, "governed_calls": 400 },
        "sandbox": { "limits": { "processes": 128 } },
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json"), json!({ "ok": 400, "budget": 112 }));
    let mut bodies: Vec<String> = server.seen().into_iter().map(|seen| seen.text()).collect();
    assert_eq!(bodies.len(), 400);
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), 400, "each was sent once");
    assert_eq!(run.state().total_spent().governed_calls, Some(400));
    assert_eq!(run.receipt("a").execution.calls.len(), 400);
}

#[test]
fn a_client_of_its_own_is_served_and_held_to_strict_json() {
    let world = World::new();
    let source = r#"
import json, os, socket
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["DEED_BRIDGE"])
wire = line.makefile("rb")
said = []
def ask(head, body=b"", chunked=False):
    head = head.encode() + b" HTTP/1.1\r\nhost: bridge\r\n"
    if chunked:
        head += b"transfer-encoding: chunked\r\n\r\n"
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    else:
        head += b"content-length: %d\r\n\r\n" % len(body)
    line.sendall(head + body)
    read()
def read():
    status = int(wire.readline().split()[1])
    length = 0
    while (header := wire.readline().strip()):
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length": length = int(value)
    answer = json.loads(wire.read(length))
    said.append([status, answer.get("ok"), (answer.get("error") or {}).get("kind")])
put = b'{"tool": "artifact.put", "arguments": {"path": "output/b.json", "json": {"n": 1}}}'
ask("POST /v1/call", put)
ask("POST /v1/call", put, chunked=True)
ask("POST /v1/call", b'{"tool": "artifact.put", "tool": "artifact.put", "arguments": {}}')
ask("POST /v1/call", b'{"tool": "artifact.put", "arguments": {"path": "output/b.json", "json": {"n": 1, "n": 2}}}')
ask("POST /v1/call", b'{"tool": "artifact.put", "arguments": {"path": "output/b.json", "json": 9007199254740993}}')
ask("POST /v1/call", b'{"tool": "artifact.put", "arguments": {"path": "output/b.json", "json": NaN}}')
ask("POST /v1/call", b'{"tool": "artifact.put", "arguments": {}} trailing')
ask("POST /v1/call", b'{"tool": "artifact.put", "arguments": [], "more": 1}')
ask("POST /v1/call", b'[]')
ask("POST /v1/call", b'')
ask("POST /v1/call", b'\xff\xfe')
ask("POST /v1/call", b'[' * 100000)
ask("GET /v1/call")
ask("PUT /v1/contract")
ask("GET /../../etc/passwd")
# Two questions in one go.
one = b"POST /v1/call HTTP/1.1\r\nhost: bridge\r\ncontent-length: %d\r\n\r\n%s" % (len(put), put)
line.sendall(one + one)
read(); read()
json.dump({"said": said}, open("output/a.json", "w"))
"#;
    let mut more =
        json!({ "tool_needs": ["operator.artifact.write"], "budget": { "wall_seconds": 30, "governed_calls": 99 } });
    more["expected_outputs"] = json!([{ "path": "output/a.json" }, { "path": "output/b.json" }]);
    more["artifact_contracts"] = json!({
        "output/a.json": { "format": "json", "kind_key": "object.json" },
        "output/b.json": { "format": "json", "kind_key": "object.json" },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded().verified();
    let ok = json!([200, true, null]);
    let bad = json!([400, false, "bad_request"]);
    let lost = json!([404, false, "not_found"]);
    let mut expected = vec![ok.clone(), ok.clone()];
    expected.extend(vec![bad; 10]);
    expected.extend([lost.clone(), lost.clone(), lost, ok.clone(), ok]);
    assert_eq!(run.json("output/a.json")["said"], json!(expected));
    assert_eq!(run.count(|event| matches!(event, RunEvent::CallEnded { .. })), 4);
}

#[test]
fn node_has_a_client_too() {
    let world = World::new();
    let server = Server::counting();
    let source = format!(
        r#"
import {{ writeFileSync }} from "node:fs";
import {{ call, fetch, progress, tools, contract, CallFailed }} from "./deed.mjs";
const said = [];
said.push((await fetch("{url}")).json.number);
said.push((await Promise.all([1, 2, 3].map((n) => fetch("{url}", {{ method: "POST", body: {{ n }} }})))).length);
await progress(1, 2, "half");
try {{ await call("artifact.put", {{}}); }} catch (no) {{ said.push(no instanceof CallFailed && no.kind); }}
said.push((await tools()).length, (await contract()).step_id);
writeFileSync("output/a.json", JSON.stringify({{ said }}));
"#,
        url = server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.fetch", "http.submit", "sandbox.session"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 30, "governed_calls": 9 },
    });
    let run = world.run(&plan(vec![step("a", "javascript", &source, more)]));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json")["said"], json!([1, 3, "not_allowed", 3, "a"]));
    assert_eq!(server.seen().len(), 4);
}

#[test]
fn put_writes_what_the_contract_lists_and_follows_no_link() {
    let world = World::new();
    let source = "
import deed, json, os
said = []
def put(path, **content):
    try:
        said.append(deed.call('artifact.put', {'path': path, **content})['bytes'])
    except deed.CallFailed as no:
        said.append(no.kind)
put('output/other.json', text='{}')
put('../stage', text='{}')
put('/etc/passwd', text='{}')
put('output/../output/a.json', text='{}')
def link(*ends):
    # The sandbox may let no link be made at all.
    try: os.symlink(*ends)
    except PermissionError: open(ends[1], 'w').write('kept')
link('/tmp', 'work/deep')
put('work/deep/b.json', text='{}')
os.remove('work/deep')
put('work/deep/b.json', json={'z': 1, 'a': 2})
open('/tmp/kept', 'w').write('kept')
link('/tmp/kept', 'output/c.json')
put('output/c.json', text='{}')
assert open('/tmp/kept').read() == 'kept' and not os.path.islink('output/c.json')
assert open('work/deep/b.json').read() == '{\"a\":2,\"z\":1}\\n'
json.dump({'said': said}, open('output/a.json', 'w'))
";
    let contract = json!({ "format": "json", "kind_key": "object.json" });
    let more = json!({
        "tool_needs": ["operator.artifact.write"], "budget": { "wall_seconds": 30, "governed_calls": 99 },
        "expected_outputs": [{ "path": "output/a.json" }, { "path": "work/deep/b.json" }, { "path": "output/c.json" }],
        "artifact_contracts": { "output/a.json": contract, "work/deep/b.json": contract, "output/c.json": contract },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded().verified();
    let refused = json!(["not_allowed", "not_allowed", "not_allowed", "not_allowed", "failed", 14, 2]);
    assert_eq!(run.json("output/a.json")["said"], refused);
}

const JUDGED: &str = "
import deed, json
verdict = deed.call('artifact.evaluate', json.loads(ARGUMENTS))
json.dump(verdict, open('output/a.json', 'w'))
";

/// Each run in a world of its own, which lives as long as the test.
fn judged(arguments: &Value) -> crate::common::Run<'static> {
    let world: &'static World = Box::leak(Box::new(World::new()));
    let source = JUDGED.replace("ARGUMENTS", &format!("{:?}", arguments.to_string()));
    let more = json!({
        "tool_needs": ["operator.artifact.evaluate"], "budget": { "wall_seconds": 30, "governed_calls": 9, "model_tokens": 1000 },
    });
    world.run(&plan(vec![python("a", &source, more)]))
}

#[test]
fn a_verdict_against_it_fails_the_step_whatever_its_code_does() {
    let rubric = json!([
        { "id": "sums", "text": "the sum is right", "rule": { "==": [{ "var": "sources.sum" }, { "var": "derived.sum" }] } },
        { "id": "some", "text": "there is something", "rule": { ">": [{ "var": "derived.sum" }, 0] } },
    ]);
    let bundle = |sum: u64| json!({ "sources": { "sum": 7 }, "derived": { "sum": sum } });
    let run = judged(&json!({ "bundle": bundle(7), "rubric": rubric }));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json")["passes"], json!(true));

    let run = judged(&json!({ "bundle": bundle(8), "rubric": rubric, "enforcement": "block" }));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2055", FailureClass::SemanticVerdict), "{failure:?}");
    assert!(failure.message.contains("sums") && !failure.message.contains("some"), "{failure:?}");

    let run = judged(&json!({ "bundle": bundle(8), "rubric": rubric, "enforcement": "report" }));
    run.succeeded();
    assert_eq!(run.json("output/a.json")["passes"], json!(false));

    // A rule over missing evidence is not met, and a criterion without a rule is not judged.
    let run = judged(&json!({ "bundle": {}, "rubric": rubric }));
    assert_eq!(run.failure("a").code, "D2055");
    let run = judged(&json!({ "bundle": bundle(7), "rubric": [{ "id": "x", "text": "it is good" }] }));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2048", FailureClass::OutputShape), "{failure:?}");
    assert!(failure.message.contains("no evaluator model is configured"), "{failure:?}");
    assert!(failure.printed.unwrap().contains("no_model"));
}

/// Reports beyond a hundred in a second are counted and not read, so that they cost little; the last one is, at the end.
#[test]
fn progress_that_is_reported_too_fast_is_not_read() {
    let world = World::new();
    let source = "
import deed, json
answers = [deed.call('progress.report', {'done': n, 'note': 'item'}) for n in range(1, 2001)]
unread = [answer['unread'] for answer in answers if 'unread' in answer]
json.dump({'unread': len(unread), 'count': unread[-1:], 'first': answers[0]}, open('output/a.json', 'w'))
";
    let run = world.run(&plan(vec![python("a", source, json!({ "budget": { "wall_seconds": 60 } }))]));
    run.succeeded();
    let said = run.json("output/a.json");
    let unread = said["unread"].as_u64().unwrap();
    assert_eq!((&said["count"], &said["first"]), (&json!([unread]), &json!({})));
    assert!(unread > 0, "{said}");
    let mut done = run.events().into_iter().filter_map(|event| match event {
        RunEvent::Progress { done, .. } => Some(done),
        _ => None,
    });
    assert_eq!(done.next_back(), Some(2000));
}

#[test]
fn progress_is_written_down() {
    let world = World::new();
    let source = "
import deed
for n in range(1, 1001): deed.progress(n, 1000, 'item %d' % n + 'x' * 500)
open('output/a.json', 'w').write('{}')
";
    let run =
        world.run(&plan(vec![python("a", source, json!({ "budget": { "wall_seconds": 30, "governed_calls": 0 } }))]));
    run.succeeded();
    let progress: Vec<(u64, Option<u64>, usize)> = run
        .events()
        .into_iter()
        .filter_map(|event| match event {
            RunEvent::Progress { done, total, note, .. } => Some((done, total, note.unwrap().len())),
            _ => None,
        })
        .collect();
    // What is said too fast to be read is not all written down; the first and the last are.
    assert_eq!((progress[0], progress[progress.len() - 1]), ((1, Some(1000), 200), (1000, Some(1000), 200)));
    assert!(progress.len() < 500 && progress.is_sorted(), "{}", progress.len());
}

#[test]
fn a_large_answer_is_kept_as_bytes() {
    let world = World::new();
    let server = Server::plain(|_| answer(200, &json!({ "text": "x".repeat(100_000) })));
    let source = format!(
        "import deed, json\njson.dump({{'length': len(deed.fetch('{}')['json']['text'])}}, open('output/a.json', 'w'))\n",
        server.url("/")
    );
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 30, "governed_calls": 1 },
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.succeeded().verified();
    assert!(matches!(run.answers().as_slice(), [CallOutcome::Stored { .. }]));
    assert_eq!(run.json("output/a.json"), json!({ "length": 100_000 }));
}

#[test]
fn whatever_a_call_does_it_is_one() {
    let world = World::new();
    let put = json!(["artifact.put", { "path": "output/b.json", "text": "{}" }]);
    let rubric = json!([{ "id": "x", "rule": true }]);
    let judge = json!(["artifact.evaluate", { "bundle": {}, "rubric": rubric, "enforcement": "report" }]);
    let more = json!({
        "tool_needs": ["operator.artifact.write", "operator.artifact.evaluate"],
        "budget": { "wall_seconds": 30, "governed_calls": 3, "model_tokens": 1000 },
        "expected_outputs": [{ "path": "output/a.json" }, { "path": "output/b.json" }],
        "artifact_contracts": {
            "output/a.json": { "format": "json", "kind_key": "object.json" },
            "output/b.json": { "format": "json", "kind_key": "object.json" },
        },
    });
    let said = said(&world, json!([put, judge, put, put, judge]), more);
    assert_eq!(kinds(&said), ["ok", "ok", "ok", "budget", "budget"]);
}

#[test]
fn few_questions_are_held_at_once_and_none_is_large() {
    let world = World::new();
    let source = r#"
import deed, json, os, socket
said = []
try: deed.call("artifact.put", {"path": "output/a.json", "text": "x" * (9 << 20)})
except deed.CallFailed as no: said.append(no.kind)
def line(body, length):
    own = socket.socket(socket.AF_UNIX)
    own.connect(os.environ["DEED_BRIDGE"])
    own.sendall(b"POST /v1/call HTTP/1.1\r\nhost: bridge\r\ncontent-length: %d\r\n\r\n%s" % (length, body))
    return own
def answer(own):
    try: return own.recv(100).split()[1].decode()
    except TimeoutError: return "waits"
# Two take all the room that there is with what they are about to say.
full = 8 << 20
first, second = line(b"[", full), line(b"[", full)
for own in (first, second):
    own.settimeout(1)
    said.append(answer(own))
small = b'{"tool": "progress.report", "arguments": {"done": 1}}'
long = small[:-1] + b" " * (100 << 10) + b"}"
third, fourth = line(long, len(long)), line(small, len(small))
third.settimeout(1)
said.append(answer(third))
# A short question needs no room.
fourth.settimeout(60)
said.append(answer(fourth))
first.settimeout(60)
first.sendall(b" " * (full - 2) + b"]")
said.append(answer(first))
third.settimeout(60)
said.append(answer(third))
# One who says no more is not waited for.
second.settimeout(60)
said.append(answer(second))
json.dump({"said": said}, open("output/a.json", "w"))
"#;
    let more = json!({
        "tool_needs": ["operator.artifact.write"], "budget": { "wall_seconds": 60, "governed_calls": 9 },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded();
    let expected = json!(["too_large", "waits", "waits", "waits", "200", "400", "200", "408"]);
    assert_eq!(run.json("output/a.json")["said"], expected);
}

#[test]
fn an_answer_that_is_large_is_given_as_text_alone() {
    let world = World::new();
    let server = Server::plain(|seen| {
        let length = if seen.target == "/large" { 4 << 20 } else { 4 << 10 };
        answer(200, &json!({ "text": "x".repeat(length) }))
    });
    let source = format!(
        "
import deed, json
said = {{}}
for name in ('large', 'small'):
    got = deed.fetch('{}/' + name)
    said[name] = [got['json'] is None, len(json.loads(got['body'])['text'])]
json.dump(said, open('output/a.json', 'w'))
",
        server.url("")
    );
    let more = json!({
        "tool_needs": ["http.fetch"], "egress": [server.rule(json!({}))],
        "budget": { "wall_seconds": 60, "governed_calls": 2 },
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.succeeded();
    assert_eq!(run.json("output/a.json"), json!({ "large": [true, 4 << 20], "small": [false, 4 << 10] }));
}

#[test]
fn a_file_that_the_bridge_wrote_belongs_to_the_code() {
    let world = World::new();
    let source = "
import deed
deed.call('artifact.put', {'path': 'output/a.json', 'text': '{}'})
open('output/a.json', 'a').write(' ')
deed.call('artifact.put', {'path': 'work/deep/b.json', 'text': '{}'})
open('work/deep/b.json', 'w').write('{\"b\": 1}')
";
    let more = json!({
        "tool_needs": ["operator.artifact.write"],
        "expected_outputs": [{ "path": "output/a.json" }, { "path": "work/deep/b.json" }],
        "artifact_contracts": {
            "output/a.json": { "format": "json", "kind_key": "object.json" },
            "work/deep/b.json": { "format": "json", "kind_key": "object.json" },
        },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded();
    assert_eq!(run.output("output/a.json"), b"{} ");
    assert_eq!(run.json("work/deep/b.json"), json!({ "b": 1 }));
}
