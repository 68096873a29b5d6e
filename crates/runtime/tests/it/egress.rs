//! Egress of clients that know nothing of the bridge: `urllib` through the proxy, held to the same rules.

use crate::common::run::Asking;
use crate::common::server::{answer, redirect};
use crate::common::{Authority, Run, Server, World, plan, python, with};
use deed_diag::codes;
use deed_model::{EgressVerdict, FailureClass, ForkedFrom, RunEvent, RunOptions, RunOutcome};
use deed_ports::{Engine as _, EngineError, Standing};
use serde_json::{Value, json};

/// Asks for all of `WANTED` with `urllib` and writes down what came back.
const ASKS: &str = "
import json, urllib.request, urllib.error
said = []
for method, url, headers in json.loads(WANTED):
    data = b'x' if method == 'POST' else None
    request = urllib.request.Request(url, method=method, headers=headers, data=data)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            said.append([answer.status, answer.read().decode()])
    except urllib.error.HTTPError as error:
        said.append([error.code, error.read().decode()])
    except Exception as error:
        said.append([0, repr(error)])
json.dump({'said': said}, open('output/a.json', 'w'))
";

fn asks(wanted: &Value) -> String {
    ASKS.replace("WANTED", &format!("{:?}", wanted.to_string()))
}

fn needs(rules: Vec<Value>) -> Value {
    json!({
        "tool_needs": ["http.fetch", "http.submit"], "egress": rules,
        "budget": { "wall_seconds": 60, "governed_calls": 20 },
    })
}

fn said(run: &Run<'_>) -> Vec<(u64, String)> {
    let said = run.json("output/a.json")["said"].as_array().unwrap().clone();
    said.iter().map(|one| (one[0].as_u64().unwrap(), one[1].as_str().unwrap().to_owned())).collect()
}

fn verdicts(run: &Run<'_>) -> Vec<EgressVerdict> {
    let verdict = |event| match event {
        RunEvent::Egress { decision, .. } => Some(decision.verdict),
        _ => None,
    };
    run.events().into_iter().filter_map(verdict).collect()
}

/// A world that believes a server with TLS.
fn secure(
    handler: impl Fn(&crate::common::ReceivedRequest) -> Option<http::Response<http_body_util::Full<hyper::body::Bytes>>>
    + Send
    + Sync
    + 'static,
) -> (World, Server) {
    let authority = Authority::new();
    let server = Server::tls(&authority, handler);
    let mut world = World::new();
    world.roots = authority.pem.into_bytes();
    (world, server)
}

#[test]
fn rules_hold_within_tls() {
    let (world, server) = secure(|seen| answer(200, &json!({ "path": seen.target, "method": seen.method })));
    let rule = server.rule(json!({ "paths": ["/v1/*"], "methods": ["GET"] }));
    let wanted = json!([
        ["GET", server.url("/v1/rates?day=1"), {}],
        ["GET", server.url("/v2/rates"), {}],
        ["GET", server.url("/v1/../v2/rates"), {}],
        ["POST", server.url("/v1/rates"), {}],
        ["GET", format!("https://other.example.test:{}/v1/rates", server.port), {}],
        ["GET", format!("https://127.0.0.1:{}/v1/rates", server.port), {}],
        ["GET", server.url("/v1/rates"), { "Host": "other.example.test" }],
        ["GET", server.url("/v1/rates"), {}],
    ]);
    let run = world.run(&plan(vec![python("a", &asks(&wanted), needs(vec![rule]))]));
    run.succeeded().verified();
    let said = said(&run);
    assert_eq!((said[0].0, said[7].0), (200, 200), "{said:?}");
    for denied in &said[1..7] {
        assert!(denied.0 == 403 || denied.0 == 400 || denied.0 == 421 || denied.0 == 0, "{denied:?}");
    }
    let reached: Vec<String> = server.seen().iter().map(|seen| seen.target.clone()).collect();
    assert_eq!(reached, ["/v1/rates?day=1", "/v1/rates"], "nothing else arrived");
    let verdicts = verdicts(&run);
    for verdict in [
        EgressVerdict::Allowed,
        EgressVerdict::PathNotListed,
        EgressVerdict::MethodNotListed,
        EgressVerdict::HostNotListed,
        EgressVerdict::NamesDisagree,
    ] {
        assert!(verdicts.contains(&verdict), "{verdict:?} of {verdicts:?}");
    }
    assert_eq!(run.count(|event| matches!(event, RunEvent::CallEnded { .. })), 2);
}

#[test]
fn code_that_gives_up_over_a_denial_fails_for_it() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    let source = format!("import urllib.request\nurllib.request.urlopen('{}')\n", server.url("/v2"));
    let run = world.run(&plan(vec![python("a", &source, needs(vec![server.rule(json!({ "paths": ["/v1/*"] }))]))]));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2051", FailureClass::PolicyViolation), "{failure:?}");
    assert!(failure.message.contains("/v2") && failure.message.contains("no rule allows the path"), "{failure:?}");
}

#[test]
fn without_rules_there_is_no_egress() {
    let world = World::new();
    let server = Server::counting();
    let source = format!(
        "
import json, os, socket
said = [name for name in os.environ if 'proxy' in name.lower()]
for address in (('127.0.0.1', {port}), ('127.0.0.1', 3128), ('8.8.8.8', 53), ('169.254.169.254', 80)):
    try:
        socket.create_connection(address, timeout=2).close()
        said.append(str(address))
    except OSError:
        pass
json.dump({{'said': said}}, open('output/a.json', 'w'))
",
        port = server.port
    );
    let run = world.run(&plan(vec![python("a", &source, json!({}))]));
    run.succeeded();
    assert_eq!(run.json("output/a.json"), json!({ "said": [] }));
}

const SECRET: &str = "tok-5e1f0c9a7b3d2468";

#[test]
fn a_credential_is_added_outside_and_never_seen_inside() {
    let (world, server) = secure(|seen| {
        let told: Vec<String> = seen.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        answer(200, &json!({ "told": told }))
    });
    world.safe.keep("billing", SECRET);
    let backwards: String = SECRET.chars().rev().collect();
    let source = format!(
        "
import glob, json, os, urllib.request, deed
secret = '{backwards}'[::-1]
def hidden(data): return secret.encode() in data
echoes = [urllib.request.urlopen('{url}').read(), json.dumps(deed.fetch('{url}')).encode()]
try:
    request = urllib.request.Request('{url}', headers={{'Authorization': 'Bearer mine'}})
    echoes.append(urllib.request.urlopen(request).read())
except urllib.error.HTTPError as error:
    echoes.append(error.read())
found = [place for place, data in enumerate(echoes) if hidden(data)]
found += [name for name, value in os.environ.items() if secret in value]
places = glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline') + glob.glob('/proc/*/mountinfo')
for root in ('/workspace', '/run', '/tmp', '/etc'):
    for folder, _, names in os.walk(root):
        places += [os.path.join(folder, name) for name in names]
for place in places:
    try:
        if os.path.isfile(place) and place != '/workspace/meta/main.py':
            if hidden(open(place, 'rb').read()): found.append(place)
    except OSError:
        pass
json.dump({{'found': found, 'echo': echoes[0].decode()}}, open('output/a.json', 'w'))
",
        url = server.url("/echo")
    );
    let credential = json!({ "secret": "secret://billing", "header": "authorization", "format": "Bearer {}" });
    let run =
        world.run(&plan(vec![python("a", &source, needs(vec![server.rule(json!({ "credential": credential }))]))]));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json")["found"], json!([]));
    let seen = server.seen();
    assert!(seen.len() >= 2);
    for one in &seen {
        let sent: Vec<&(String, String)> = one.headers.iter().filter(|(name, _)| name == "authorization").collect();
        assert_eq!(sent, [&("authorization".to_owned(), format!("Bearer {SECRET}"))], "the rule's, and no other");
    }
    assert!(!run.journal().contains(SECRET));
    let mut kept = Vec::new();
    collect(world.folder(), &mut kept);
    assert!(!kept.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()), "it is nowhere on the disk");
}

/// A server that repeats the credential in other escapings gives it to no code: not in the text, not in the parsed JSON, not
/// after the decoders that code has at hand, and not through the proxy.
#[test]
fn a_credential_that_is_repeated_in_an_escaping_is_concealed() {
    const KEY: &str = "wJal/rXUtnFEMI+K7MDENG/bPxRfiCY==";
    let (world, server) = secure(|seen| {
        let told = match seen.target.rsplit('/').next().unwrap() {
            "php" => KEY.replace('/', "\\/"),
            "net" => KEY.replace('+', "\\u002B"),
            "gson" => KEY.replace('=', "\\u003d"),
            "html" => KEY.replace('+', "&plus;").replace('=', "&#61;").replace('/', "&#x2F;"),
            "quote" => KEY.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D"),
            "mixed" => {
                KEY.replacen('/', "\\/", 1).replace('+', "\\u002b").replacen('=', "%3D", 1).replace('J', "&#74;")
            }
            _ => KEY.chars().map(|letter| format!("\\u{:04X}", u32::from(letter))).collect(),
        };
        answer(200, &json!({})).map(|mut response| {
            *response.body_mut() = format!("{{\"told\": \"{told}\", \"{told}\": 1}}").into();
            response
        })
    });
    world.safe.keep("billing", KEY);
    let backwards: String = KEY.chars().rev().collect();
    let source = format!(
        "
import html, json, urllib.parse, urllib.request, deed
secret = '{backwards}'[::-1]
found = []
for name in ['php', 'net', 'gson', 'html', 'quote', 'mixed', 'all']:
    url = '{url}/' + name
    fetched = deed.fetch(url)
    proxied = urllib.request.urlopen(url).read().decode()
    texts = [json.dumps(fetched), fetched['body'], str(fetched['json']), proxied, str(json.loads(proxied))]
    for text in texts:
        for decode in [str, html.unescape, urllib.parse.unquote, lambda t: urllib.parse.unquote(html.unescape(t))]:
            if secret in decode(text) or secret in decode(text).replace('\\\\/', '/'): found.append(name)
    if not any('[secret:billing]' in str(text) for text in fetched['json']): found.append('key of ' + name)
json.dump({{'found': sorted(set(found))}}, open('output/a.json', 'w'))
",
        url = server.url("/echo")
    );
    let credential = json!({ "secret": "secret://billing", "header": "authorization", "format": "Bearer {}" });
    let run =
        world.run(&plan(vec![python("a", &source, needs(vec![server.rule(json!({ "credential": credential }))]))]));
    run.succeeded();
    assert_eq!(run.json("output/a.json"), json!({ "found": [] }));
    assert!(!run.journal().contains("rXUtnFEMI"));
}

/// A method or a host that is a secret is refused before it is put into other cases, in which nothing recognises it.
#[test]
fn a_secret_as_method_or_host_is_recorded_nowhere() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    let sample = deed_detect::sample("aws-access-key-id", 7).unwrap();
    let secret = sample.text.get(sample.secret).unwrap();
    let (begin, end) = secret.split_at(secret.len() / 2);
    let source = format!(
        "
import json, socket, deed
secret = '{begin}' + '{end}'
refused = []
for method, url in [(secret, '{url}'), ('GET', 'https://' + secret + '.example.test/')]:
    try: deed.fetch(url, method)
    except deed.CallFailed as error: refused.append(error.kind)
json.dump({{'refused': refused}}, open('output/a.json', 'w'))
",
        url = server.url("/x")
    );
    let run = world.run(&plan(vec![python("a", &source, needs(vec![server.rule(json!({}))]))]));
    assert_eq!(run.json("output/a.json"), json!({ "refused": ["denied", "denied"] }));
    let journal = run.journal().to_lowercase();
    // The code itself was given in two halves.
    assert!(!journal.contains(&secret.to_lowercase()), "{:?}", run.events());
}

/// All bytes beneath a folder.
fn collect(folder: &std::path::Path, into: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.extend(std::fs::read(&path).unwrap_or_default());
        }
    }
}

#[test]
fn a_secret_that_is_not_there_sends_nothing() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    let credential = json!({ "secret": "secret://missing", "header": "authorization" });
    let wanted = json!([["GET", server.url("/"), {}]]);
    let step = python("a", &asks(&wanted), needs(vec![server.rule(json!({ "credential": credential }))]));
    let refused = world.try_submit(world.engine(), &plan(vec![step]), Asking::default());
    let Err(EngineError::Refused { code, message, help }) = refused.map(|_| ()) else { panic!("it was taken") };
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("D2056", "step `a` sends a credential, and there is no secret `missing`")
    );
    assert!(help.unwrap().contains(".deed/secrets"));
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn a_redirect_is_decided_again() {
    let inner = Server::counting();
    let port = inner.port;
    let (world, server) = secure(move |seen| match seen.target.as_str() {
        "/private" => redirect(&format!("http://inner.example.test:{port}/")),
        "/metadata" => redirect("http://169.254.169.254/latest/"),
        "/here" => redirect("/there"),
        _ => answer(200, &json!({})),
    });
    world.names.set("inner.example.test", "127.0.0.1");
    let inside = json!({ "scheme": "http", "host": "inner.example.test", "port": port, "methods": ["GET"] });
    let wanted = json!([
        ["GET", server.url("/private"), {}],
        ["GET", server.url("/metadata"), {}],
        ["GET", server.url("/here"), {}],
    ]);
    let run = world.run(&plan(vec![python("a", &asks(&wanted), needs(vec![server.rule(json!({})), inside]))]));
    run.succeeded().verified();
    let said = said(&run);
    assert_ne!(said[0].0, 200, "{said:?}");
    assert_ne!(said[1].0, 200, "{said:?}");
    assert_eq!(said[2].0, 200, "{said:?}");
    assert_eq!(inner.seen().len(), 0);
    assert!(verdicts(&run).contains(&EgressVerdict::PrivateAddress));
    // The tool follows redirects itself, and decides each.
    let source = format!(
        "
import deed, json
said = []
for path in ('/private', '/metadata', '/here'):
    try: said.append(deed.fetch('{}' + path)['status'])
    except deed.CallFailed as no: said.append(no.kind)
json.dump({{'said': said}}, open('output/a.json', 'w'))
",
        server.url("")
    );
    let inside = json!({ "scheme": "http", "host": "inner.example.test", "port": port, "methods": ["GET"] });
    let run = world.run(&plan(vec![python("a", &source, needs(vec![server.rule(json!({})), inside]))]));
    run.succeeded();
    assert_eq!(run.json("output/a.json"), json!({ "said": ["denied", "denied", 200] }));
    assert_eq!(inner.seen().len(), 0);
}

#[test]
fn requests_through_the_proxy_are_paid_for_and_served_again() {
    let (world, server) = secure(|_| answer(200, &json!({ "text": "x".repeat(50_000) })));
    let source = format!(
        "
import json, urllib.request, urllib.error, deed
said = []
for n in range(3):
    try: said.append(len(urllib.request.urlopen('{url}/' + str(n), data=b'12345').read()))
    except urllib.error.HTTPError as error: said.append(error.code)
deed.call('artifact.put', {{'path': 'output/a.json', 'json': {{'said': said}}}})
",
        url = server.url("")
    );
    let mut more = needs(vec![server.rule(json!({}))]);
    more["tool_needs"] = json!(["http.submit", "operator.artifact.write"]);
    let line = "POST".len() + server.url("/0").len();
    // What `urllib` writes as headers leaves too: some hundred bytes each time.
    more["budget"] = json!({ "wall_seconds": 60, "governed_calls": 4, "bytes_out": 2 * (line + 5 + 110) + 60 });
    more["call_gates"] = json!([{ "tool": "operator.artifact.write", "question": "Done?", "approver_role": "lead" }]);
    let run = world.submit(&plan(vec![python("a", &source, more)]));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    assert_eq!(server.seen().len(), 2, "there is enough for two");
    run.approve("lead");
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded));
    assert_eq!(server.seen().len(), 2, "they were served from the journal");
    let told = run.json("output/a.json")["said"].clone();
    assert_eq!((told[0].as_u64().unwrap() > 50_000, told[0] == told[1]), (true, true), "{told}");
    assert_eq!(told[2].as_u64().unwrap() / 100, 4, "{told}");
}

#[test]
fn learning_keeps_private_addresses_closed() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    world.names.set("inner.example.test", "127.0.0.1");
    let wanted = json!([
        ["GET", server.url("/listed"), {}],
        ["GET", server.url("/v1/rates"), {}],
        ["GET", format!("http://inner.example.test:{}/", server.port), {}],
        ["GET", "http://169.254.169.254/latest/", {}],
    ]);
    let rule = server.rule(json!({ "paths": ["/listed"], "methods": ["GET"] }));
    let options = RunOptions { learn_egress: true, ..RunOptions::default() };
    let plan = plan(vec![python("a", &asks(&wanted), needs(vec![rule]))]);
    let run = world.submit_as(&plan, Asking { options, ..Asking::default() });
    run.drive();
    run.succeeded().verified();
    let said = said(&run);
    assert_eq!(said[0].0, 200);
    assert!(said[1..].iter().all(|one| one.0 != 200), "{said:?}");
    assert_eq!(server.seen().len(), 1);
    assert_eq!(verdicts(&run).iter().filter(|verdict| **verdict == EgressVerdict::PrivateAddress).count(), 3);
}

/// Makes a call for each of `CALLS` and writes down what was said.
const CALLS: &str = "
import deed, json
said = []
for method, url in json.loads(WANTED):
    try:
        got = deed.fetch(url, method)
        said.append([got['status'], got['headers'].get('location'), len(got['notes'])])
    except deed.CallFailed as no:
        said.append([no.kind])
json.dump({'said': said}, open('output/a.json', 'w'))
";

fn calls(wanted: &Value) -> String {
    CALLS.replace("WANTED", &format!("{:?}", wanted.to_string()))
}

fn moved(status: u16, to: &str) -> Option<http::Response<http_body_util::Full<hyper::body::Bytes>>> {
    Some(http::Response::builder().status(status).header("location", to).body(Default::default()).unwrap())
}

#[test]
fn a_redirect_of_what_changes_something_is_a_call_of_its_own() {
    let world = World::new();
    // Every answer of this one is lost.
    let aim = Server::plain(|_| None);
    let there = format!("http://other.example.test:{}/drop", aim.port);
    let to = there.clone();
    let server = Server::plain(move |_| moved(307, &to));
    world.names.set("other.example.test", "127.0.0.1");
    let other = json!({
        "scheme": "http", "host": "other.example.test", "port": aim.port, "methods": ["POST"],
        "private_addresses": true, "price_micros": 700,
    });
    let rules = vec![server.rule(json!({ "repeat": "by_key" })), other];
    let wanted = json!([["POST", server.url("/")], ["POST", there]]);
    let mut more = needs(rules.clone());
    more["budget"] = json!({ "wall_seconds": 30, "governed_calls": 9, "money_micros": 100 });
    let run = world.run(&plan(vec![python("a", &calls(&wanted), more)]));
    run.succeeded();
    assert_eq!(run.json("output/a.json")["said"], json!([[307, there, 1], ["budget"]]), "what it costs does not fit");
    assert_eq!((server.seen().len(), aim.seen().len()), (1, 0));
    // Where it does, it is sent once, paid for, and not again: its outcome is unknown.
    let mut more = needs(rules);
    more["budget"] = json!({ "wall_seconds": 30, "governed_calls": 9, "money_micros": 700 });
    let run = world.run(&plan(vec![python("a", &calls(&wanted), more)]));
    assert_eq!(run.failure("a").code, "D2053");
    assert_eq!(aim.seen().len(), 1);
    assert_eq!(run.state().total_spent().money_micros, Some(700));
}

#[test]
fn what_was_sent_is_not_sent_again_over_where_its_answer_leads() {
    let world = World::new();
    // Nothing listens there.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nowhere = format!("http://api.example.test:{closed}/");
    let server = Server::plain(move |_| moved(302, &nowhere));
    let open = crate::common::with(server.rule(json!({})), json!({ "port": closed }));
    let mut more = needs(vec![server.rule(json!({})), open]);
    more["max_retries"] = json!(2);
    let run = world.run(&plan(vec![python("a", &calls(&json!([["POST", server.url("/pay")]])), more)]));
    run.succeeded();
    assert_eq!(run.json("output/a.json")["said"][0][0], json!(302));
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_redirect_of_what_a_person_approves_is_not_followed() {
    let mut world = World::new();
    world.approver = crate::common::approver("lead");
    let server =
        Server::plain(|seen| if seen.target == "/here" { moved(302, "/pay") } else { answer(200, &json!({})) });
    let mut more = needs(vec![server.rule(json!({}))]);
    more["call_gates"] = json!([{
        "tool": "http.fetch", "question": "May it?", "approver_role": "lead",
        "when": { "in": ["/pay", { "var": "arguments.url" }] },
    }]);
    let run = world.run(&plan(vec![python("a", &calls(&json!([["GET", server.url("/here")]])), more)]));
    run.succeeded();
    assert_eq!(run.json("output/a.json")["said"][0][0], json!(302));
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn however_a_request_is_written_it_costs_and_counts_the_same() {
    let world = World::new();
    let server = Server::plain(|seen| if seen.target == "/drop" { None } else { answer(200, &json!({})) });
    let rule = server.rule(json!({ "price_micros": 1000, "paths": ["/buy", "/drop"] }));
    let mut more = needs(vec![rule]);
    more["budget"] = json!({ "wall_seconds": 30, "governed_calls": 9, "money_micros": 2000 });
    let wanted = json!([
        ["post", server.url("/buy")],
        ["POST", server.url("/b%75y")],
        ["post", server.url("/buy")],
        ["Post", server.url("/x/../buy")],
    ]);
    let run = world.run(&plan(vec![python("a", &calls(&wanted), more.clone())]));
    run.succeeded();
    let said = run.json("output/a.json")["said"].clone();
    assert_eq!((&said[0][0], &said[1][0]), (&json!(200), &json!(200)), "{said}");
    assert_eq!((&said[2][0], &said[3][0]), (&json!("budget"), &json!("budget")), "{said}");
    assert_eq!(server.seen().len(), 2);
    assert_eq!(run.state().total_spent().money_micros, Some(2000));
    // A request that may not be sent twice is not, in any spelling.
    let run = world.run(&plan(vec![python("a", &calls(&json!([["post", server.url("/drop")]])), more)]));
    assert_eq!(run.failure("a").code, "D2053");
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn code_that_is_denied_without_end_is_stopped() {
    let world = World::new();
    let server = Server::counting();
    // Nobody is on the list, and what is on it is not paid for.
    for (url, code) in [("http://other.example.test/".to_owned(), "D2051"), (server.url("/"), "D2052")] {
        let source = format!(
            "
import urllib.request
while True:
    try: urllib.request.urlopen('{url}').read()
    except Exception: pass
"
        );
        let mut more = needs(vec![server.rule(json!({}))]);
        more["budget"] = json!({ "wall_seconds": 60, "governed_calls": 1 });
        let run = world.run(&plan(vec![python("a", &source, more)]));
        let failure = run.failure("a");
        assert_eq!(failure.code, code, "{failure:?}");
        let decided = run.count(|event| matches!(event, RunEvent::Egress { .. }));
        assert!((1_000..1_100).contains(&decided), "{decided}");
    }
}

#[test]
fn what_was_denied_to_code_that_succeeds_stands_beside_it() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    let wanted = json!([["GET", server.url("/"), {}], ["DELETE", server.url("/secret?token=abc"), {}]]);
    let step = python("a", &asks(&wanted), needs(vec![server.rule(json!({ "methods": ["GET"] }))]));
    let run = world.run(&plan(vec![step]));
    run.succeeded();
    let remarks = run.state().steps["a"].remarks.clone();
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(
        remarks[0].starts_with("DELETE ") && remarks[0].ends_with("was denied: no rule allows the method"),
        "{remarks:?}"
    );
    assert!(!remarks[0].contains("token"), "{remarks:?}");
}

#[test]
fn code_that_catches_a_denial_and_fails_by_itself_reports_both() {
    let (world, server) = secure(|_| None);
    let fetch = format!(
        "import deed, sys\ntry:\n    deed.fetch({:?})\nexcept deed.CallFailed as no:\n    kind = no.kind\n",
        server.url("/")
    );
    let step = |end: &str| {
        let more = with(needs(vec![server.rule(json!({}))]), json!({ "max_retries": 1 }));
        plan(vec![python("a", &format!("{fetch}{end}\n"), more)])
    };
    let run = world.run(&step("1 / 0"));
    let failure = run.failure("a");
    assert!(
        failure.message.starts_with("the code ended with exit code 1; earlier, and maybe the reason"),
        "{failure:?}"
    );
    assert!(failure.printed.unwrap().contains("ZeroDivisionError"));
    assert_eq!((failure.code.as_str(), failure.class), ("D2054", FailureClass::ToolBridge));
    // What was decided stays decided, and what code does then is its own.
    let denied = |end: &str| {
        let rule = server.rule(json!({ "paths": ["/nowhere"] }));
        let more = with(needs(vec![rule]), json!({ "max_retries": 1 }));
        world.run(&plan(vec![python("a", &format!("{fetch}{end}\n"), more)]))
    };
    let run = denied("1 / 0");
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2030", FailureClass::OutputShape), "{failure:?}");
    assert!(failure.message.contains("no rule allows the path") && failure.help.unwrap().contains("egress"));
    assert_eq!((run.state().steps["a"].attempt, run.state().steps["a"].remarks.len()), (1, 0));
    let run = denied("sys.exit(kind)");
    assert_eq!((run.failure("a").code.as_str(), run.state().steps["a"].remarks.len()), ("D2051", 0));
    // Code that ends over the refusal, or without a reason, is retried.
    for end in ["raise", "sys.exit(kind)", "raise ValueError('no answer') from no"] {
        let end = if end.starts_with("raise") { format!("    {end}") } else { end.to_owned() };
        let run = world.run(&step(&end));
        let failure = run.failure("a");
        assert_eq!((failure.code.as_str(), failure.class), ("D2054", FailureClass::ToolBridge), "{end}: {failure:?}");
        assert_eq!(run.state().steps["a"].attempt, 2, "{end}");
    }
}

#[test]
fn the_worst_case_of_money_and_bytes_has_to_fit() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    let wanted = json!([["GET", server.url("/"), {}]]);
    let refused = |budget: Value, grant: Value| {
        let rule = server.rule(json!({ "price_micros": 100 }));
        let more = with(needs(vec![rule]), json!({ "budget": budget }));
        let grant = serde_json::from_value(grant).unwrap();
        let asking = Asking { grant: Some(grant), ..Asking::default() };
        let step = python("a", &asks(&wanted), more);
        match world.try_submit(world.engine(), &plan(vec![step]), asking) {
            Ok(_) => None,
            Err(EngineError::Refused { code, message, .. }) => Some(format!("{code}: {message}")),
            Err(other) => panic!("{other:?}"),
        }
    };
    let told = refused(json!({ "wall_seconds": 30 }), json!({ "money_micros": 9_999 }));
    assert_eq!(told.unwrap(), "D2003: the plan can spend 10000 of `money_micros`, and 9999 are granted");
    assert_eq!(refused(json!({ "wall_seconds": 30 }), json!({ "money_micros": 10_000 })), None);
    let few = json!({ "wall_seconds": 30, "governed_calls": 5 });
    assert_eq!(refused(few, json!({ "money_micros": 500 })), None);
    let told = refused(json!({ "wall_seconds": 30 }), json!({ "bytes_out": 1_000_000 }));
    assert_eq!(told.unwrap(), "D2003: step `a` may send without limit, and 1000000 of `bytes_out` are granted");
    let limited = json!({ "wall_seconds": 30, "bytes_out": 1000 });
    assert_eq!(refused(limited, json!({ "bytes_out": 1000 })), None);
}

#[test]
fn whatever_leaves_is_paid_for_each_time() {
    let (world, server) = secure(|_| None);
    let source = format!("import deed\ndeed.fetch({:?}, 'POST', body='x' * 100)\n", server.url("/"));
    let sends = |budget: Value, retries: u32| {
        let rule = server.rule(json!({ "methods": ["POST"], "repeat": "by_key", "price_micros": 1000 }));
        let more = json!({
            "tool_needs": ["http.submit"], "egress": [rule], "max_retries": retries, "budget": budget,
        });
        let before = server.seen().len() as u64;
        let run = world.run(&plan(vec![python("a", &source, more)]));
        assert_eq!(run.outcome(), Some(RunOutcome::Failed));
        let (sent, spent) = (server.seen().len() as u64 - before, run.state().total_spent());
        assert_eq!(spent.money_micros, Some(sent * 1000), "{sent}: {spent:?}");
        assert!(spent.bytes_out.unwrap() >= sent * 100, "{sent}: {spent:?}");
        assert_eq!(run.reopen().state().total_spent(), spent, "it is the same after a restart");
        sent
    };
    // A request that may be repeated is sent up to three times, as long as there is money.
    assert_eq!(sends(json!({ "wall_seconds": 30, "governed_calls": 9 }), 0), 3);
    assert_eq!(sends(json!({ "wall_seconds": 30, "governed_calls": 2 }), 0), 2);
    assert_eq!(sends(json!({ "wall_seconds": 30, "governed_calls": 1 }), 0), 1);
    // Each attempt has its own.
    assert_eq!(sends(json!({ "wall_seconds": 30, "governed_calls": 9 }), 1), 6);
    assert_eq!(sends(json!({ "wall_seconds": 30, "governed_calls": 1 }), 2), 3);
}

#[test]
fn a_fork_sends_the_same_keys() {
    let answers = std::sync::atomic::AtomicUsize::new(0);
    let (world, server) = secure(move |_| {
        let number = answers.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        answer(if number == 1 { 503 } else { 200 }, &json!({}))
    });
    let source = format!(
        "import deed, json\nfor n in range(3):\n    got = deed.fetch({:?}, 'POST', body={{'n': n}})\n    assert got['status'] == 200\n\
         open('output/a.json', 'w').write('{{}}')\n",
        server.url("/")
    );
    let step = python("a", &source, needs(vec![server.rule(json!({ "methods": ["POST"], "repeat": "by_key" }))]));
    let plan = plan(vec![step]);
    let first = world.run(&plan);
    assert_eq!(first.outcome(), Some(RunOutcome::Failed));
    let on = |from: &Run<'_>| {
        let forked = Some(ForkedFrom { run_id: from.id.clone(), step: "a".to_owned(), first: None });
        let run = world.submit_as(&plan, Asking { forked, ..Asking::default() });
        run.drive();
        run.succeeded();
        run.id.clone()
    };
    let second = on(&first);
    let again = Run { id: second, ..first.reopen() };
    on(&again);
    let keys: Vec<String> =
        server.seen().iter().map(|seen| seen.header("idempotency-key").unwrap().to_owned()).collect();
    // The first answer is served again; what the other side failed over is sent again with its key, and then the rest. A
    // further run has all answers.
    assert_eq!(keys.len(), 2 + 2);
    assert_eq!(keys[1], keys[2]);
    // Another run is another matter.
    world.run(&plan).succeeded();
    assert!(!keys.contains(&server.seen()[4].header("idempotency-key").unwrap().to_owned()));
}

#[test]
fn a_run_whose_secret_is_gone_is_left_as_it_is_until_it_is_back() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    world.safe.keep("billing", "k-123456789");
    let credential = json!({ "secret": "secret://billing", "header": "authorization" });
    let rules = vec![server.rule(json!({ "credential": credential }))];
    let wanted = json!([["GET", server.url("/"), {}]]);
    let more = with(needs(rules), json!({ "waits_for": ["look"] }));
    let gates = json!([{ "id": "look", "question": "Good?", "approver_role": "lead", "after": [] }]);
    let run = world.submit(&with(plan(vec![python("a", &asks(&wanted), more)]), json!({ "gates": gates })));
    assert!(matches!(run.drive(), Standing::Waiting(_)));
    run.approve("lead");
    world.safe.lose("billing");
    let before = run.journal();
    let watch = crate::common::Watch::new();
    let refused = run.engine.drive(&run.id, watch).unwrap_err();
    assert!(matches!(&refused, EngineError::Refused { code: codes::SECRET_MISSING, .. }), "{refused:?}");
    assert_eq!((run.journal(), server.seen().len()), (before, 0));
    world.safe.keep("billing", "k-123456789");
    run.drive();
    run.succeeded();
}

#[test]
fn what_is_taken_over_needs_no_secret() {
    let (world, server) = secure(|_| answer(200, &json!({})));
    world.safe.keep("billing", "k-123456789");
    let credential = json!({ "secret": "secret://billing", "header": "authorization" });
    let wanted = json!([["GET", server.url("/"), {}]]);
    let first = python("a", &asks(&wanted), needs(vec![server.rule(json!({ "credential": credential }))]));
    let second = python("b", "open('output/b.json', 'w').write('{}')\n", json!({ "depends_on": ["a"] }));
    let plan = plan(vec![first, second]);
    let run = world.run(&plan);
    run.succeeded();
    world.safe.lose("billing");
    let from = |step: &str| {
        let forked = Some(ForkedFrom { run_id: run.id.clone(), step: step.to_owned(), first: None });
        Asking { forked, ..Asking::default() }
    };
    let on = world.submit_as(&plan, from("b"));
    on.drive();
    on.succeeded().verified();
    assert_eq!(server.seen().len(), 1);
    let refused = world.try_submit(world.engine(), &plan, from("a")).map(|_| ()).unwrap_err();
    assert!(matches!(&refused, EngineError::Refused { code: codes::SECRET_MISSING, .. }), "{refused:?}");
}

/// A request that no rule could allow says which part of it is at fault, in the headline of the step.
#[test]
fn a_denied_header_is_named_in_the_failure_of_the_step() {
    let world = World::new();
    let rule = json!({ "host": "api.test", "scheme": "http", "private_addresses": true });
    let by_call = "import deed\ndeed.fetch('http://api.test/x', 'GET', {'X-HTTP-Method-Override': 'DELETE'})\n";
    let by_proxy = "import urllib.request as u\n\
                    u.urlopen(u.Request('http://api.test/x', headers={'X-HTTP-Method-Override': 'DELETE'}))\n";
    for source in [by_call, by_proxy] {
        let more = with(needs(vec![rule.clone()]), json!({ "max_retries": 0 }));
        let failure = world.run(&plan(vec![python("a", source, more)])).failure("a");
        assert_eq!(failure.code, "D2051", "{failure:?}");
        assert!(failure.message.contains("x-http-method-override"), "{failure:?}");
        assert!(failure.help.as_deref().is_some_and(|help| help.contains("no rule allows it")), "{failure:?}");
    }
}
