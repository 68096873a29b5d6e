//! The proxy, spoken to byte by byte: what passes, what is refused, and what is written down of it.

use crate::common::witness::{Book, stop};
use crate::common::{Plan, TOKEN, bearer, rule};
use bytes::Bytes;
use deed_egress::{BeginOutcome, StopClass, StoredResponse};
use deed_model::{EgressChannel, EgressRule, EgressVerdict};
use deed_testkit::loopback::{Authority, Server, text};
use http::Response;
use http_body_util::Full;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;

const API: &str = "api.example.test";
const OTHER: &str = "other.example.test";

fn methods(rule: EgressRule, methods: &[&str]) -> EgressRule {
    EgressRule { methods: methods.iter().map(|method| (*method).to_owned()).collect(), ..rule }
}

#[tokio::test]
async fn plain_http_passes_by_its_absolute_form() {
    let authority = Authority::new();
    let server = Server::plain(|seen| text(200, format!("{} {}", seen.method, seen.target)));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let served = world.serve();
    let (url, host) = (server.url(API, "/a/../b?c"), format!("{API}:{}", server.port));
    let answer = served
        .say(&format!(
            "GET {url} HTTP/1.1\r\nHost: {host}\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: x\r\n\r\n"
        ))
        .await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "GET /b?c"));
    let seen = server.seen();
    assert!(seen[0].headers.iter().all(|(name, _)| !name.starts_with("proxy-")), "{seen:?}");
    assert_eq!(world.book.last().channel, EgressChannel::Proxy);
    assert_eq!(world.book.verdicts(), [EgressVerdict::Allowed]);
}

#[tokio::test]
async fn tls_is_ended_so_that_paths_and_methods_are_decided() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |seen| text(200, seen.target.clone()));
    let only = EgressRule { paths: vec!["/v1/*".to_owned()], ..rule(API, &server) };
    let world = Plan::new(vec![only]).build(&authority);
    let served = world.serve();
    let place = format!("{API}:{}", server.port);
    let mut wire = served.tunnel(&place, API).await.unwrap();
    // All on one connection, one after the other.
    for (line, status) in [
        ("GET /v1/x", 200),
        ("GET /v2/x", 403),
        ("POST /v1/x", 403),
        ("GET /v1/%2e%2e/v2", 403),
        ("HEAD /v1/y", 200),
        ("GET /v1/z", 200),
    ] {
        wire.write(&format!("{line} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
        let answer = wire.answer(line.split(' ').next().unwrap()).await.unwrap();
        assert_eq!(answer.status, status, "{line}: {answer:?}");
        if status == 403 {
            assert!(answer.header("deed-egress").unwrap().starts_with("denied; reason="), "{answer:?}");
            assert!(answer.reason.starts_with("deed: no egress rule"), "{answer:?}");
            assert!(answer.body.contains("- host: \"api.example.test\"\n"), "{answer:?}");
        }
    }
    use EgressVerdict::{Allowed, MethodNotListed, PathNotListed};
    assert_eq!(
        world.book.verdicts(),
        [Allowed, Allowed, PathNotListed, MethodNotListed, PathNotListed, Allowed, Allowed]
    );
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a_tunnel_to_a_host_that_is_not_listed_is_not_opened() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let served = world.serve();
    // The rule is for http, and a tunnel would be for https.
    for place in [format!("{API}:{}", server.port), format!("{OTHER}:443")] {
        let answer = served.say(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
        assert_eq!(answer.status, 403);
        assert_eq!(answer.header("deed-egress"), Some("denied; reason=host_not_listed"));
        assert!(answer.reason.contains(&place), "{answer:?}");
    }
    assert_eq!(world.book.verdicts(), [EgressVerdict::HostNotListed; 2]);
    assert_eq!(world.book.last().path, None);
    assert!(world.names.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn tunnel_server_name_and_host_must_agree() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API, OTHER], |_| text(200, ""));
    let world = Plan::new(vec![rule(API, &server), rule(OTHER, &server)]).build(&authority);
    let served = world.serve();
    let (api, other) = (format!("{API}:{}", server.port), format!("{OTHER}:{}", server.port));
    // CONNECT against its own Host.
    let answer = served.say(&format!("CONNECT {api} HTTP/1.1\r\nHost: {other}\r\n\r\n")).await;
    assert_eq!((answer.status, answer.header("deed-egress")), (400, Some("denied; reason=names_disagree")));
    // CONNECT against the server name.
    assert!(served.tunnel(&api, OTHER).await.is_err());
    assert_eq!(world.book.last().verdict, EgressVerdict::NamesDisagree);
    // A server name that is an address is not said at all.
    assert!(served.tunnel(&api, "127.0.0.1").await.is_err());
    assert_eq!(world.book.last().verdict, EgressVerdict::NamesDisagree);
    // CONNECT and server name against the inner Host, by name and by port.
    for host in [other.as_str(), API, "api.example.test:1", "127.0.0.1"] {
        let mut wire = served.tunnel(&api, API).await.unwrap();
        wire.write(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
        let answer = wire.answer("GET").await.unwrap();
        assert_eq!((answer.status, world.book.last().verdict), (400, EgressVerdict::NamesDisagree), "{host}");
    }
    // The absolute form against its Host.
    let plain = Server::plain(|_| text(200, ""));
    let answer = served.say(&format!("GET {} HTTP/1.1\r\nHost: {OTHER}\r\n\r\n", plain.url(API, "/"))).await;
    assert_eq!((answer.status, world.book.last().verdict), (400, EgressVerdict::NamesDisagree));
    // Other spellings of the same are no disagreement.
    let mut wire = served.tunnel(&api, API).await.unwrap();
    wire.write(&format!("GET / HTTP/1.1\r\nHost: API.example.test.:{}\r\n\r\n", server.port)).await;
    assert_eq!(wire.answer("GET").await.unwrap().status, 200);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn requests_that_can_be_read_in_two_ways_are_refused_and_written_down() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let world = Plan::new(vec![methods(rule(API, &server), &["GET", "POST"])]).build(&authority);
    let served = world.serve();
    let (url, host) = (server.url(API, "/"), format!("{API}:{}", server.port));
    let head = format!("POST {url} HTTP/1.1\r\nHost: {host}\r\n");
    let cases = [
        (400, format!("{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        (400, format!("{head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n")),
        (400, format!("{head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde")),
        (400, format!("{head}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n")),
        (400, format!("{head}Transfer-Encoding: chunked\r\n\r\n5\r\nabc\r\n0\r\n\r\n")),
        (400, format!("{head}Host: {host}\r\n\r\n")),
        (400, format!("{head}X-A: b\r\n c: d\r\n\r\n")),
        (400, format!("{head}X-A : b\r\n\r\n")),
        (400, format!("{head}X-HTTP-Method-Override: DELETE\r\n\r\n")),
        (400, format!("GET {url} HTTP/1.1\nHost: {host}\n\n")),
        (400, format!("GET {url} HTTP/1.1\r\n\r\n")),
        (400, format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, format!("GET https://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, format!("GET {url}#f HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, format!("GET {url}a%2fb HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, format!("GET http://user@{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, format!("OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (400, "CONNECT 0x7f.1:443 HTTP/1.1\r\nHost: 0x7f.1:443\r\n\r\n".to_owned()),
        (400, "CONNECT api.example.test HTTP/1.1\r\nHost: api.example.test\r\n\r\n".to_owned()),
        (400, "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nContent-Length: 1\r\n\r\nx".to_owned()),
        (400, "\u{16}\u{3}\u{1}".to_owned()),
        (505, format!("GET {url} HTTP/2.0\r\nHost: {host}\r\n\r\n")),
        (431, format!("GET {url} HTTP/1.1\r\nHost: {host}\r\nX-A: {}\r\n\r\n", "a".repeat(70_000))),
        (501, format!("GET {url} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")),
        (417, format!("{head}Content-Length: 1\r\nExpect: a-miracle\r\n\r\nx")),
    ];
    for (count, (status, request)) in cases.into_iter().enumerate() {
        let mut wire = served.wire().await;
        wire.write(&request).await;
        let answer = wire.answer("GET").await.unwrap();
        assert_eq!(answer.status, status, "{request}\n{answer:?}");
        assert_eq!(answer.header("deed-egress"), Some("denied; reason=malformed"), "{request}");
        assert_eq!(world.book.verdicts(), vec![EgressVerdict::Malformed; count + 1], "{request}");
    }
    assert!(server.seen().is_empty() && world.book.begun.lock().unwrap().is_empty());
}

#[tokio::test]
async fn only_tls_and_plain_requests_pass_through_a_tunnel() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, ""));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let served = world.serve();
    let place = format!("{API}:{}", server.port);
    let mut wire = served.wire().await;
    wire.write(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
    assert_eq!(wire.answer("CONNECT").await.unwrap().status, 200);
    wire.write("SSH-2.0-OpenSSH_9.0\r\n").await;
    assert_eq!(wire.answer("GET").await.unwrap().status, 400);
    assert_eq!(world.book.last().verdict, EgressVerdict::Malformed);
    assert!(wire.is_over().await);
    let mut wire = served.wire().await;
    wire.write(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
    assert_eq!(wire.answer("CONNECT").await.unwrap().status, 200);
    wire.write("\u{16}\u{3}\u{1}\0\u{5}hello").await;
    while wire.0.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
    assert_eq!(world.book.verdicts().iter().filter(|verdict| **verdict == EgressVerdict::Malformed).count(), 2);
    for line in ["GET https://api.example.test/ HTTP/1.1", "CONNECT api.example.test:443 HTTP/1.1", "GET * HTTP/1.1"] {
        let mut wire = served.tunnel(&place, API).await.unwrap();
        wire.write(&format!("{line}\r\nHost: {place}\r\n\r\n")).await;
        assert_eq!(wire.answer("GET").await.unwrap().status, 400, "{line}");
        let last = world.book.last();
        assert_eq!((last.verdict, last.host.as_str()), (EgressVerdict::Malformed, API), "{line}");
    }
    // A client that speaks only HTTP/2 finds no protocol in common.
    let mut wire = served.wire().await;
    wire.write(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
    assert_eq!(wire.answer("CONNECT").await.unwrap().status, 200);
    let name = API.to_owned().try_into().unwrap();
    assert!(served.trusting(&["h2"]).connect(name, wire.0).await.is_err());
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn bodies_pass_in_all_their_forms() {
    let authority = Authority::new();
    let server = Server::plain(|seen| text(200, String::from_utf8_lossy(&seen.body)));
    let mut plan = Plan::new(vec![methods(rule(API, &server), &["POST"])]);
    plan.limits.max_request_bytes = 100;
    let world = plan.build(&authority);
    let served = world.serve();
    let head = format!("POST {} HTTP/1.1\r\nHost: {API}:{}\r\n", server.url(API, "/"), server.port);
    let mut wire = served.wire().await;
    // Two at once, and a third whose client waits to be asked.
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n");
    wire.write(&format!("{head}Content-Length: 5\r\n\r\nfirst{chunked}")).await;
    assert_eq!(wire.answer("POST").await.unwrap().body, "first");
    let second = wire.answer("POST").await.unwrap();
    assert_eq!(second.body, "abcde");
    assert_eq!(second.header("deed-egress-note"), Some("headers after the body were dropped"));
    wire.write(&format!("{head}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")).await;
    assert_eq!(wire.answer("POST").await.unwrap().status, 100);
    wire.write("third").await;
    assert_eq!(wire.answer("POST").await.unwrap().body, "third");
    assert_eq!(server.seen()[1].header("content-length"), Some("5"));
    assert_eq!(server.seen()[2].header("expect"), None);
    assert_eq!(server.seen()[2].header("idempotency-key"), Some("key-3"));
    for too_long in ["Content-Length: 101\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n"] {
        assert_eq!(served.say(&format!("{head}{too_long}")).await.status, 413, "{too_long}");
    }
    // Who is denied is not asked for the body first, and one who sent it already can go on.
    let put = head.replace("POST", "PUT");
    let refused = served.say(&format!("{put}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")).await;
    assert_eq!((refused.status, refused.header("connection")), (403, Some("close")));
    let mut wire = served.wire().await;
    wire.write(&format!("{put}Content-Length: 5\r\n\r\nabcde{head}Content-Length: 2\r\n\r\nok")).await;
    assert_eq!(wire.answer("PUT").await.unwrap().status, 403);
    assert_eq!(wire.answer("POST").await.unwrap().body, "ok");
}

#[tokio::test]
async fn credentials_are_added_outside_and_never_come_in() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |seen| {
        let echo = seen.header("authorization").unwrap_or_default().to_owned();
        Response::builder().header("x-echo", echo.clone()).body(Full::from(echo)).unwrap()
    });
    let world = Plan::new(vec![EgressRule { credential: bearer("token"), ..rule(API, &server) }]).build(&authority);
    let served = world.serve();
    let place = format!("{API}:{}", server.port);
    let mut wire = served.tunnel(&place, API).await.unwrap();
    wire.write(&format!("GET / HTTP/1.1\r\nHost: {place}\r\nAuthorization: Bearer mine\r\n\r\n")).await;
    let answer = wire.answer("GET").await.unwrap();
    assert_eq!(server.seen()[0].header("authorization").unwrap(), format!("Bearer {TOKEN}"));
    assert_eq!(answer.body, "Bearer [secret:token]");
    assert!(!format!("{answer:?}").contains(TOKEN), "{answer:?}");
    let notes: Vec<&str> = answer.headers.iter().filter(|h| h.0 == "deed-egress-note").map(|h| h.1.as_str()).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[tokio::test]
async fn a_credential_in_another_escaping_does_not_come_in() {
    let authority = Authority::new();
    let escaped: String = TOKEN.chars().map(|letter| format!("\\u{:04X}", u32::from(letter))).collect();
    let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let server = Server::tls(&authority, &[API], move |_| {
        Response::builder().header("x-echo", percent.clone()).body(Full::from(format!("\"{escaped}\""))).unwrap()
    });
    let world = Plan::new(vec![EgressRule { credential: bearer("token"), ..rule(API, &server) }]).build(&authority);
    let served = world.serve();
    let place = format!("{API}:{}", server.port);
    let mut wire = served.tunnel(&place, API).await.unwrap();
    wire.write(&format!("GET / HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
    let answer = wire.answer("GET").await.unwrap();
    assert_eq!((answer.body.as_str(), answer.header("x-echo")), ("\"[secret:token]\"", Some("[secret:token]")));
}

#[tokio::test]
async fn the_witness_serves_again_or_stops() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, "new"));
    let book = Book::beginning(|call| match call.url.rsplit('/').next().unwrap() {
        "old" => Some(Ok(BeginOutcome::Replay(StoredResponse {
            status: 203,
            headers: vec![("x-old".to_owned(), "1".to_owned()), ("content-length".to_owned(), "99".to_owned())],
            body: Bytes::from("old"),
            notes: Vec::new(),
        }))),
        "policy" => Some(Err(stop(StopClass::Policy))),
        "budget" => Some(Err(stop(StopClass::Budget))),
        "unknown" => Some(Err(stop(StopClass::OutcomeUnknown))),
        "cancelled" => Some(Err(stop(StopClass::Cancelled))),
        "waiting" => Some(Err(stop(StopClass::Waiting))),
        _ => None,
    });
    let world = Plan { book, ..Plan::new(vec![rule(API, &server)]) }.build(&authority);
    let served = world.serve();
    let place = format!("{API}:{}", server.port);
    let mut wire = served.tunnel(&place, API).await.unwrap();
    let stopped = [("policy", 403), ("budget", 429), ("unknown", 409), ("cancelled", 503), ("waiting", 503)];
    for (path, status) in stopped.into_iter().chain([("old", 203), ("new", 200)]) {
        wire.write(&format!("GET /{path} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
        let answer = wire.answer("GET").await.unwrap();
        assert_eq!(answer.status, status, "{path}");
        match path {
            "old" | "new" => assert_eq!(answer.body, path),
            _ => assert!(answer.header("deed-egress").unwrap().starts_with("stopped; reason="), "{answer:?}"),
        }
    }
    assert_eq!(server.seen().len(), 1);
    assert_eq!(world.book.inner_verdicts(), [EgressVerdict::OverBudget, EgressVerdict::Allowed]);
}

#[tokio::test]
async fn failures_have_a_status_of_their_own() {
    let authority = Authority::new();
    let cut = Server::raw(|mut stream| async move {
        let _ = stream.read(&mut [0; 1024]).await;
    });
    let silent = Server::raw(|mut stream| async move {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let huge = Server::plain(|_| text(200, "x".repeat(2000)));
    let rules = vec![rule(API, &cut), rule(API, &silent), rule(API, &huge), rule("nowhere.example.test", &cut)];
    let mut plan = Plan::new(rules);
    plan.limits.answer = Duration::from_millis(150);
    plan.limits.max_response_bytes = 1000;
    let world = plan.build(&authority);
    let served = world.serve();
    for (server, host, status, reason) in [
        (&cut, API, 502, "failed; reason=lost"),
        (&silent, API, 504, "failed; reason=late"),
        (&huge, API, 502, "failed; reason=too_large"),
        (&cut, "nowhere.example.test", 502, "denied; reason=unresolved"),
    ] {
        let request = format!("GET {} HTTP/1.1\r\nHost: {host}:{}\r\n\r\n", server.url(host, "/"), server.port);
        let answer = served.say(&request).await;
        assert_eq!((answer.status, answer.header("deed-egress")), (status, Some(reason)));
    }
}

#[tokio::test]
async fn slow_clients_are_not_waited_for() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let mut plan = Plan::new(vec![methods(rule(API, &server), &["POST"])]);
    plan.limits.client_head = Duration::from_millis(100);
    plan.limits.client_body = Duration::from_millis(100);
    plan.limits.client_idle = Duration::from_millis(100);
    let world = plan.build(&authority);
    let served = world.serve();
    // Nothing at all; half a head; a head without its body; a tunnel without a handshake.
    assert!(served.wire().await.is_over().await);
    let head = format!("POST {} HTTP/1.1\r\nHost: {API}:{}\r\n", server.url(API, "/"), server.port);
    assert_eq!(served.say(&head).await.status, 408);
    assert_eq!(served.say(&format!("{head}Content-Length: 9\r\n\r\nabc")).await.status, 408);
    assert!(server.seen().is_empty() && world.book.begun.lock().unwrap().is_empty());
    let tls = Server::tls(&authority, &[API], |_| text(200, ""));
    let world = Plan { limits: world.limits, ..Plan::new(vec![rule(API, &tls)]) }.build(&authority);
    let served = world.serve();
    let mut wire = served.wire().await;
    wire.write(&format!("CONNECT {API}:{0} HTTP/1.1\r\nHost: {API}:{0}\r\n\r\n", tls.port)).await;
    assert_eq!(wire.answer("CONNECT").await.unwrap().status, 200);
    assert!(wire.is_over().await);
}

#[tokio::test]
async fn clients_for_whom_there_is_no_room_wait() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "served"));
    let mut plan = Plan::new(vec![rule(API, &server)]);
    plan.limits.max_connections = 1;
    let world = plan.build(&authority);
    let served = world.serve();
    let request = format!("GET {} HTTP/1.1\r\nHost: {API}:{}\r\n\r\n", server.url(API, "/"), server.port);
    let mut first = served.wire().await;
    first.write(&request).await;
    assert_eq!(first.answer("GET").await.unwrap().body, "served");
    let mut second = served.wire().await;
    second.write(&request).await;
    let waiting = tokio::time::timeout(Duration::from_millis(100), second.answer("GET")).await;
    assert!(waiting.is_err());
    drop(first);
    assert_eq!(second.answer("GET").await.unwrap().body, "served");
}

#[tokio::test]
async fn long_bodies_wait_for_their_turn() {
    let authority = Authority::new();
    let server = Server::plain(|seen| text(200, "x".repeat((2 << 20) + seen.body.len())));
    let mut plan = Plan::new(vec![methods(rule(API, &server), &["POST"])]);
    plan.limits.max_long_bodies = 1;
    let world = plan.build(&authority);
    let served = world.serve();
    let head = format!("POST {} HTTP/1.1\r\nHost: {API}:{}\r\n", server.url(API, "/"), server.port);
    // One that holds its turn and does not go on; a second that waits; a third that is short.
    let mut first = served.wire().await;
    first.write(&format!("{head}Content-Length: 1200000\r\n\r\n{}", "a".repeat(1_100_000))).await;
    first.write(&"a".repeat(99_999)).await;
    let mut second = served.wire().await;
    let long = format!("{head}Content-Length: 1200000\r\n\r\n{}", "b".repeat(1_200_000));
    let waiting = tokio::time::timeout(Duration::from_millis(200), async {
        second.0.write_all(long.as_bytes()).await.unwrap();
        second.0.flush().await.unwrap();
        second.answer("POST").await
    });
    assert!(waiting.await.is_err());
    let answer = served.say(&format!("{head}Content-Length: 5\r\n\r\nthird")).await;
    assert_eq!(answer.body.len(), (2 << 20) + 5);
    first.write("a").await;
    assert_eq!(first.answer("POST").await.unwrap().body.len(), (2 << 20) + 1_200_000);
    // The second was cut off in the middle of its body; it must not hold its turn once it has gone.
    drop(second);
    assert_eq!(served.say(&long).await.status, 200);
}

#[tokio::test]
async fn closing_waits_for_what_was_begun_and_nothing_else() {
    let authority = Authority::new();
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (r, g) = (reached.clone(), go.clone());
    let server = Server::raw(move |mut stream| {
        let (reached, go) = (r.clone(), g.clone());
        async move {
            let _ = stream.read(&mut [0; 1024]).await;
            reached.notify_one();
            go.notified().await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone").await;
        }
    });
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let served = world.serve();
    let request = format!("GET {} HTTP/1.1\r\nHost: {API}:{}\r\n\r\n", server.url(API, "/"), server.port);
    let mut idle = served.wire().await;
    let mut busy = served.wire().await;
    busy.write(&request).await;
    reached.notified().await;
    let socket = served.socket.clone();
    let closing = tokio::spawn(served.proxy.close());
    assert!(idle.is_over().await);
    assert!(!closing.is_finished() && world.book.ended().is_empty());
    go.notify_one();
    let answer = busy.answer("GET").await.unwrap();
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("done", Some("close")));
    // The answer is kept before it is given.
    assert_eq!(world.book.ended().len(), 1);
    drop(busy);
    closing.await.unwrap();
    assert!(tokio::net::UnixStream::connect(socket).await.is_err());
}

#[tokio::test]
async fn a_client_that_goes_leaves_nothing_open() {
    let authority = Authority::new();
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (r, g) = (reached.clone(), go.clone());
    let server = Server::raw(move |mut stream| {
        let (reached, go) = (r.clone(), g.clone());
        async move {
            let _ = stream.read(&mut [0; 1024]).await;
            reached.notify_one();
            go.notified().await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone").await;
        }
    });
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let served = world.serve();
    let mut wire = served.wire().await;
    wire.write(&format!("GET {} HTTP/1.1\r\nHost: {API}:{}\r\n\r\n", server.url(API, "/"), server.port)).await;
    reached.notified().await;
    drop(wire);
    drop(served);
    go.notify_one();
    world.gateway.settled().await;
    assert_eq!(world.book.ended()[0].1.as_ref().unwrap().body.as_ref(), b"done");
}
