//! `http.fetch`, with servers on the loopback: what is allowed, what is not, and what comes back.

use crate::common::witness::{Book, stop};
use crate::common::{Plan, TOKEN, Unmetered, World, bearer, rule};
use bytes::Bytes;
use deed_egress::{
    BeginOutcome, Dropped, FetchAnswer, FetchError, FetchRequest, Note, Redirects, StopClass, StoredResponse,
};
use deed_model::{EgressChannel, EgressVerdict};
use deed_testkit::loopback::{Authority, Server, redirect, text};
use http::Response;
use http_body_util::Full;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;

const API: &str = "api.example.test";
const OTHER: &str = "other.example.test";

fn request(method: &str, url: impl Into<String>) -> FetchRequest {
    FetchRequest {
        method: method.to_owned(),
        url: url.into(),
        headers: Vec::new(),
        body: Bytes::new(),
        idempotency_key: None,
        redirects: Redirects::Follow,
    }
}

async fn get(world: &World, url: impl Into<String>) -> Result<FetchAnswer, FetchError> {
    world.gateway.fetch(request("GET", url), &Unmetered).await
}

/// The verdict of a fetch that is denied, which must also be the last that was written down.
async fn denied(world: &World, request: FetchRequest) -> EgressVerdict {
    let FetchError::Denied { decision, .. } = world.gateway.fetch(request, &Unmetered).await.unwrap_err() else {
        panic!()
    };
    assert_eq!(*decision, world.book.last());
    decision.verdict
}

#[tokio::test]
async fn an_allowed_request_is_sent_and_written_down() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, "hello"));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let answer = get(&world, server.url(API, "/v1/./rates?x=1#f")).await.unwrap();
    assert_eq!((answer.status, answer.body.as_ref(), answer.notes), (200, b"hello".as_slice(), Vec::new()));
    let seen = server.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].target.as_str()), ("GET", "/v1/rates?x=1"));
    assert_eq!(seen[0].header("host").unwrap(), format!("{API}:{}", server.port));
    let decision = world.book.last();
    assert_eq!(
        (decision.verdict, decision.rule, decision.channel),
        (EgressVerdict::Allowed, Some(0), EgressChannel::Fetch)
    );
    assert_eq!((decision.path.as_deref(), decision.address), (Some("/v1/rates"), Some("127.0.0.1".parse().unwrap())));
    assert_eq!(world.book.begun.lock().unwrap()[0].url, server.url(API, "/v1/rates?x=1"));
    assert_eq!(world.book.ended().len(), 1);
}

#[tokio::test]
async fn what_no_rule_has_is_denied_before_any_name_is_resolved() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, "hello"));
    let mut only = rule(API, &server);
    only.paths = vec!["/v1/*".to_owned()];
    only.methods = vec!["GET".to_owned()];
    let world = Plan::new(vec![only]).build(&authority);
    let url = |path: &str| server.url(API, path);
    let cases = [
        ("GET", server.url(OTHER, "/v1/x"), EgressVerdict::HostNotListed),
        ("GET", format!("https://{API}/v1/x"), EgressVerdict::HostNotListed),
        ("GET", format!("http://{API}:{}/v1/x", server.port), EgressVerdict::HostNotListed),
        ("GET", server.url(&format!("sub.{API}"), "/v1/x"), EgressVerdict::HostNotListed),
        ("GET", url("/v2/x"), EgressVerdict::PathNotListed),
        ("GET", url("/v1/%2e%2e/v2"), EgressVerdict::PathNotListed),
        ("POST", url("/v1/x"), EgressVerdict::MethodNotListed),
        ("TRACE", url("/v1/x"), EgressVerdict::MethodNotListed),
        ("GET", url("/v1/a%2fb"), EgressVerdict::Malformed),
        ("GET", "https://2130706433/".to_owned(), EgressVerdict::Malformed),
        ("GET", "file:///etc/passwd".to_owned(), EgressVerdict::Malformed),
        ("G ET", url("/v1/x"), EgressVerdict::Malformed),
    ];
    for (method, url, verdict) in cases {
        assert_eq!(denied(&world, request(method, url.clone())).await, verdict, "{method} {url}");
    }
    assert!(world.names.asked.lock().unwrap().is_empty());
    assert!(server.seen().is_empty() && world.book.begun.lock().unwrap().is_empty());
}

#[tokio::test]
async fn special_addresses_need_a_rule_that_says_so() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "inside"));
    let mut public = rule(API, &server);
    public.private_addresses = false;
    let mut literal = rule("127.0.0.1", &server);
    literal.private_addresses = false;
    let rules = vec![public, literal, rule(OTHER, &server)];
    let world = Plan::new(rules.clone()).build(&authority);
    for addresses in [["127.0.0.1"].as_slice(), &["8.8.8.8", "10.0.0.1"], &["::ffff:127.0.0.1"], &["169.254.169.254"]] {
        let fresh = Plan::new(rules.clone()).build(&authority);
        fresh.names.set(API, addresses);
        let verdict = denied(&fresh, request("GET", server.url(API, "/"))).await;
        assert_eq!(verdict, EgressVerdict::PrivateAddress, "{addresses:?}");
    }
    let literal = denied(&world, request("GET", server.url("127.0.0.1", "/"))).await;
    assert_eq!(literal, EgressVerdict::PrivateAddress);
    // A rule for private addresses still does not let a name lead to the service for credentials.
    world.names.set(OTHER, &["169.254.169.254"]);
    assert_eq!(denied(&world, request("GET", server.url(OTHER, "/"))).await, EgressVerdict::PrivateAddress);
    assert!(server.seen().is_empty());
    // These were begun, and have their end.
    assert!(world.book.ended().iter().all(|(_, answer)| answer.as_ref().is_err_and(|error| !error.sent())));
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_unresolved() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let world = Plan::new(vec![rule("nowhere.example.test", &server)]).build(&authority);
    let url = server.url("nowhere.example.test", "/");
    assert_eq!(denied(&world, request("GET", &url)).await, EgressVerdict::Unresolved);
    world.names.set("nowhere.example.test", &[]);
    assert_eq!(denied(&world, request("GET", &url)).await, EgressVerdict::Unresolved);
}

#[tokio::test]
async fn a_name_stays_where_it_was_found() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "here"));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    assert!(get(&world, server.url(API, "/")).await.is_ok());
    world.names.set(API, &["127.0.0.99"]);
    assert_eq!(get(&world, server.url(API, "/")).await.unwrap().body.as_ref(), b"here");
    assert_eq!(world.names.asked.lock().unwrap().len(), 1);
    assert_eq!(world.book.last().address, Some("127.0.0.1".parse().unwrap()));
}

#[tokio::test]
async fn redirects_are_decided_anew() {
    let authority = Authority::new();
    let aim = Server::tls(&authority, &[OTHER], |_| text(200, "aim"));
    let inside = Server::plain(|_| text(200, "inside"));
    let (aim_url, down_url) = (aim.url(OTHER, "/aim"), inside.url(API, "/down"));
    let server = Server::tls(&authority, &[API], move |seen| match seen.target.as_str() {
        "/other" => redirect(302, &aim_url),
        "/down" => redirect(301, &down_url),
        "/meta" => redirect(302, "http://169.254.169.254/latest/meta-data/"),
        "/twice" => redirect(307, "/other"),
        "/loop" => redirect(302, "/loop"),
        "/odd" => redirect(302, "gopher://x/"),
        _ => redirect(302, "https://denied.example.test/"),
    });
    let world = Plan::new(vec![rule(API, &server), rule(OTHER, &aim)]).build(&authority);
    let answer = get(&world, server.url(API, "/twice")).await.unwrap();
    assert_eq!((answer.url, answer.body.as_ref()), (aim.url(OTHER, "/aim"), b"aim".as_slice()));
    assert_eq!(answer.redirects, [server.url(API, "/twice"), server.url(API, "/other")]);
    assert_eq!(world.book.last().channel, EgressChannel::Redirect);
    for (path, verdict) in [
        ("/down", EgressVerdict::HostNotListed),
        ("/meta", EgressVerdict::HostNotListed),
        ("/else", EgressVerdict::HostNotListed),
        ("/odd", EgressVerdict::Malformed),
    ] {
        assert_eq!(denied(&world, request("GET", server.url(API, path))).await, verdict, "{path}");
        assert_eq!(world.book.last().channel, EgressChannel::Redirect);
    }
    let endless = get(&world, server.url(API, "/loop")).await.unwrap_err();
    assert_eq!(endless, FetchError::TooManyRedirects { limit: 10 });
    let manual = FetchRequest { redirects: Redirects::Manual, ..request("GET", server.url(API, "/other")) };
    assert_eq!(world.gateway.fetch(manual, &Unmetered).await.unwrap().status, 302);
    assert!(inside.seen().is_empty());
}

#[tokio::test]
async fn redirects_to_private_addresses_are_refused() {
    let authority = Authority::new();
    let aim = Server::plain(|_| text(200, "aim"));
    let aim_url = aim.url(OTHER, "/");
    let server = Server::plain(move |_| redirect(302, &aim_url));
    let mut public = rule(OTHER, &aim);
    public.private_addresses = false;
    let world = Plan::new(vec![rule(API, &server), public]).build(&authority);
    assert_eq!(denied(&world, request("GET", server.url(API, "/"))).await, EgressVerdict::PrivateAddress);
    assert!(aim.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_of_a_change_or_a_priced_request_is_left_to_the_caller() {
    let authority = Authority::new();
    let server = Server::plain(|seen| match seen.target.as_str() {
        "/see" | "/paid" => redirect(303, "/aim"),
        "/keep" => redirect(308, "/aim"),
        // Nobody is there, or nobody may go there: what was sent was answered all the same.
        "/away" => redirect(302, "https://denied.example.test/"),
        "/odd" => redirect(302, "gopher://x/"),
        "/to-paid" => redirect(302, "/paid"),
        _ => text(200, seen.method.clone()),
    });
    let (mut both, mut paid) = (rule(API, &server), rule(API, &server));
    both.methods = vec!["GET".to_owned(), "POST".to_owned()];
    paid.paths = vec!["/paid".to_owned()];
    paid.price_micros = Some(1);
    let world = Plan::new(vec![paid, both]).build(&authority);
    let cases = [
        ("POST", "/see", 303),
        ("post", "/keep", 308),
        ("POST", "/away", 302),
        ("POST", "/odd", 302),
        ("GET", "/paid", 303),
        ("GET", "/to-paid", 302),
    ];
    for (method, path, status) in cases {
        let asked = FetchRequest { body: Bytes::from("data"), ..request(method, server.url(API, path)) };
        let answer = world.gateway.fetch(asked, &Unmetered).await.unwrap();
        assert_eq!((answer.status, answer.redirects.len()), (status, 0), "{path}");
        assert!(answer.notes.contains(&Note::RedirectNotFollowed), "{path}: {:?}", answer.notes);
        assert!(answer.headers.iter().any(|(name, _)| name == "location"), "{path}");
    }
    assert_eq!(server.seen().len(), cases.len(), "nothing was followed");
    // What changes nothing and costs nothing is followed.
    assert_eq!(world.gateway.fetch(request("GET", server.url(API, "/see")), &Unmetered).await.unwrap().body, "GET");
}

#[tokio::test]
async fn credentials_go_to_their_host_only() {
    let authority = Authority::new();
    let aim = Server::tls(&authority, &[OTHER], |_| text(200, "aim"));
    let aim_url = aim.url(OTHER, "/");
    let server = Server::tls(&authority, &[API], move |_| redirect(302, &aim_url));
    let mut with = rule(API, &server);
    with.credential = bearer("token");
    let world = Plan::new(vec![with, rule(OTHER, &aim)]).build(&authority);
    let mut own = request("GET", server.url(API, "/"));
    own.headers =
        vec![("authorization".into(), "Bearer mine".into()), ("x-a".into(), "b".into()), ("Host".into(), "e".into())];
    let answer = world.gateway.fetch(own, &Unmetered).await.unwrap();
    assert_eq!(server.seen()[0].header("authorization").unwrap(), format!("Bearer {TOKEN}"));
    assert_eq!(server.seen()[0].header("host").unwrap(), format!("{API}:{}", server.port));
    assert_eq!((aim.seen()[0].header("authorization"), aim.seen()[0].header("x-a")), (None, Some("b")));
    let dropped = |name: &str, why| Note::HeaderDropped { name: name.to_owned(), why };
    let expected = [
        dropped("authorization", Dropped::Credential),
        dropped("x-a", Dropped::NotListed),
        dropped("host", Dropped::Derived),
        dropped("authorization", Dropped::OtherHost),
        dropped("host", Dropped::Derived),
    ];
    assert_eq!(answer.notes, expected);
    let told = format!("{:?}{:?}", world.book.decisions.lock().unwrap(), world.book.ended());
    assert!(!told.contains(TOKEN));
}

/// Whatever a header claims, it does not pass beside a credential unless the rule lists it.
#[tokio::test]
async fn headers_that_a_rule_does_not_list_are_dropped_beside_a_credential() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, "ok"));
    let mut with = rule(API, &server);
    with.credential = bearer("token");
    with.headers = vec!["X-Tenant".to_owned()];
    let world = Plan::new(vec![with]).build(&authority);
    let claims = [
        "X-Original-Forwarded-For",
        "WL-Proxy-Client-IP",
        "X-Forward-For",
        "X-Custom-IP-Authorization",
        "Method-Override",
        "X-Http-Url",
        "X-User",
        "X-Webauth-User",
        "X-Goog-Authenticated-User-Email",
        "X-Ms-Client-Principal-Name",
        "X-Amzn-Oidc-Identity",
        "Cf-Access-Authenticated-User-Email",
        "Tailscale-User-Login",
        "Cookie",
    ];
    let mut asking = request("GET", server.url(API, "/"));
    let passing = [("X-Tenant", "7"), ("If-None-Match", "a"), ("Accept", "*/*"), ("X-Request-Id", "1")];
    asking.headers =
        claims.iter().map(|name| (*name, "root")).chain(passing).map(|(n, v)| (n.into(), v.into())).collect();
    let answer = world.gateway.fetch(asking, &Unmetered).await.unwrap();
    assert_eq!(answer.notes.len(), claims.len());
    let seen = &server.seen()[0];
    for name in claims {
        assert_eq!(seen.header(&name.to_ascii_lowercase()), None, "{name}");
    }
    for (name, value) in passing {
        assert_eq!(seen.header(&name.to_ascii_lowercase()), Some(value), "{name}");
    }
}

/// A method or a host that holds a secret is refused as it was written, and neither is recorded.
#[tokio::test]
async fn a_method_or_host_that_holds_a_secret_is_not_recorded() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, "ok"));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    for asking in [request("xSECRETx", server.url(API, "/")), request("GET", "https://SECRET.example.test/a")] {
        assert_eq!(denied(&world, asking).await, EgressVerdict::Malformed);
    }
    let served = world.serve();
    for line in ["CONNECT SECRET.test:443", "GET http://SECRET.test/", "SECRET http://a.test/"] {
        let mut wire = served.wire().await;
        wire.write(&format!("{line} HTTP/1.1\r\nHost: a.test\r\n\r\n")).await;
        assert_eq!(wire.answer("GET").await.unwrap().status, 400, "{line}");
    }
    let recorded = format!("{:?}", world.book.decisions.lock().unwrap()).to_lowercase();
    assert!(!recorded.contains("secret"), "{recorded}");
}

#[tokio::test]
async fn a_secret_that_is_repeated_is_concealed() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |seen| match seen.target.as_str() {
        "/gzip" => Response::builder().header("content-encoding", "gzip").body(Full::from("zzz")).unwrap(),
        "/plain" => text(200, TOKEN),
        _ => {
            let echo = format!("{{\"auth\":\"{}\"}}", seen.header("authorization").unwrap());
            Response::builder().header("x-echo", TOKEN).body(Full::from(echo)).unwrap()
        }
    });
    let mut with = rule(API, &server);
    with.paths = vec!["/echo".to_owned(), "/gzip".to_owned()];
    with.credential = bearer("token");
    let world = Plan::new(vec![with, rule(API, &server)]).build(&authority);
    let mut asking = request("GET", server.url(API, "/echo"));
    asking.headers = vec![("accept-encoding".to_owned(), "gzip".to_owned())];
    let answer = world.gateway.fetch(asking, &Unmetered).await.unwrap();
    assert_eq!(answer.body.as_ref(), b"{\"auth\":\"Bearer [secret:token]\"}");
    assert!(answer.headers.contains(&("x-echo".to_owned(), "[secret:token]".to_owned())));
    let concealed = Note::SecretConcealed { secret: "token".to_owned(), times: 2 };
    assert_eq!(answer.notes, [Note::AskedPlain, concealed]);
    assert_eq!(server.seen()[0].header("accept-encoding"), Some("identity"));
    let hidden = get(&world, server.url(API, "/gzip")).await.unwrap_err();
    assert_eq!(hidden, FetchError::Encoded { encoding: "gzip".to_owned() });
    // Once it was sent, it does not come back by another way either.
    assert_eq!(get(&world, server.url(API, "/plain")).await.unwrap().body.as_ref(), b"[secret:token]");
}

#[tokio::test]
async fn a_credential_that_cannot_be_had_stops_the_request() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    for name in ["missing", "short", "lines"] {
        let mut with = rule(API, &server);
        with.credential = bearer(name);
        let world = Plan::new(vec![with]).build(&authority);
        let error = get(&world, server.url(API, "/")).await.unwrap_err();
        assert!(matches!(error, FetchError::Credential { .. }) && !error.sent(), "{error:?}");
        assert!(!error.to_string().contains("abcdef"));
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn requests_that_change_something_carry_a_key() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let mut both = rule(API, &server);
    both.methods = vec!["GET".to_owned(), "POST".to_owned()];
    let world = Plan::new(vec![both]).build(&authority);
    let mut own = request("POST", server.url(API, "/"));
    own.headers = vec![("Idempotency-Key".to_owned(), "mine".to_owned())];
    for request in [request("GET", server.url(API, "/")), request("POST", server.url(API, "/")), own] {
        world.gateway.fetch(request, &Unmetered).await.unwrap();
    }
    let keys: Vec<Option<String>> =
        server.seen().iter().map(|seen| seen.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, [None, Some("key-2".to_owned()), Some("mine".to_owned())]);
    let begun = world.book.begun.lock().unwrap();
    assert!(begun[0].changes_nothing() && !begun[1].changes_nothing());
    assert_ne!(begun[1].headers_hash, begun[2].headers_hash);
}

#[tokio::test]
async fn headers_that_override_are_refused() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, ""));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let mut odd = request("GET", server.url(API, "/"));
    odd.headers = vec![("X-HTTP-Method-Override".to_owned(), "DELETE".to_owned())];
    assert_eq!(denied(&world, odd).await, EgressVerdict::Malformed);
    let mut split = request("GET", server.url(API, "/"));
    split.headers = vec![("X-A".to_owned(), "b\r\nX-Evil: 1".to_owned())];
    assert_eq!(denied(&world, split).await, EgressVerdict::Malformed);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn earlier_answers_are_served_again() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "new"));
    let stored = StoredResponse { status: 201, headers: Vec::new(), body: Bytes::from("old"), notes: Vec::new() };
    let failure = FetchError::Late { seconds: 3 };
    let (again, lost) = (stored.clone(), failure.clone());
    let book = Book::beginning(move |call| match call.url.ends_with("/lost") {
        true => Some(Ok(BeginOutcome::ReplayFailure(lost.clone()))),
        false => Some(Ok(BeginOutcome::Replay(again.clone()))),
    });
    let world = Plan { book, ..Plan::new(vec![rule(API, &server)]) }.build(&authority);
    let answer = get(&world, server.url(API, "/")).await.unwrap();
    assert_eq!((answer.status, answer.body.as_ref()), (201, b"old".as_slice()));
    assert_eq!(get(&world, server.url(API, "/lost")).await.unwrap_err(), failure);
    assert!(world.names.asked.lock().unwrap().is_empty() && server.seen().is_empty());
    assert!(world.book.ended().is_empty() && world.book.verdicts().is_empty());
}

#[tokio::test]
async fn the_witness_can_stop_a_request_at_each_moment() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "done"));
    let plan = |book| Plan { book, ..Plan::new(vec![rule(API, &server)]) };
    let budget = plan(Book::beginning(|_| Some(Err(stop(StopClass::Budget))))).build(&authority);
    let error = get(&budget, server.url(API, "/")).await.unwrap_err();
    assert_eq!(error, FetchError::Stopped(stop(StopClass::Budget)));
    assert_eq!(budget.book.verdicts(), [EgressVerdict::OverBudget]);
    let veto = plan(Book { veto: Some(stop(StopClass::Policy)), ..Book::default() }).build(&authority);
    let error = get(&veto, server.url(API, "/")).await.unwrap_err();
    assert_eq!(error, FetchError::Stopped(stop(StopClass::Policy)));
    assert_eq!(veto.book.ended(), [("key-1".to_owned(), Err(error))]);
    assert!(server.seen().is_empty());
    let late = plan(Book { at_end: Some(stop(StopClass::Cancelled)), ..Book::default() }).build(&authority);
    let error = get(&late, server.url(API, "/")).await.unwrap_err();
    assert_eq!(error, FetchError::Stopped(stop(StopClass::Cancelled)));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn answers_are_read_up_to_the_limit() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "x".repeat(1001)));
    let chunked = Server::raw(|mut stream| async move {
        let _ = stream.read(&mut [0; 1024]).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await;
        while stream.write_all(b"5\r\nxxxxx\r\n").await.is_ok() {}
    });
    let mut plan = Plan::new(vec![rule(API, &server), rule(API, &chunked)]);
    plan.limits.max_response_bytes = 1000;
    let world = plan.build(&authority);
    for server in [&server, &chunked] {
        let error = get(&world, server.url(API, "/")).await.unwrap_err();
        assert_eq!(error, FetchError::TooLarge { limit: 1000 });
        assert!(error.sent());
    }
}

#[tokio::test]
async fn lost_and_late_answers_differ_from_requests_that_were_never_sent() {
    let authority = Authority::new();
    let cut = Server::raw(|mut stream| async move {
        let _ = stream.read(&mut [0; 1024]).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").await;
    });
    let silent = Server::raw(|mut stream| async move {
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all).await;
    });
    let wrong = Server::tls(&authority, &["wrong.example.test"], |_| text(200, ""));
    let closed = Server::closed();
    let rules = [&cut, &silent, &wrong, &closed].map(|server| rule(API, server)).to_vec();
    let mut plan = Plan::new(rules);
    plan.limits.answer = Duration::from_millis(150);
    let world = plan.build(&authority);
    let code = async |server: &Server| {
        let error = get(&world, server.url(API, "/")).await.unwrap_err();
        (error.code(), error.sent())
    };
    assert_eq!(code(&cut).await, ("lost", true));
    assert_eq!(code(&silent).await, ("late", true));
    assert_eq!(code(&wrong).await, ("unreachable", false));
    assert_eq!(code(&closed).await, ("unreachable", false));
    assert_eq!(world.book.ended().len(), 4);
}

#[tokio::test]
async fn what_was_begun_is_ended_even_if_the_caller_has_gone() {
    let authority = Authority::new();
    let (reached, go) = (std::sync::Arc::new(Notify::new()), std::sync::Arc::new(Notify::new()));
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
    tokio::select! {
        _ = get(&world, server.url(API, "/")) => panic!("the server has not answered yet"),
        () = reached.notified() => {}
    }
    assert!(world.book.ended().is_empty());
    go.notify_one();
    world.gateway.settled().await;
    assert_eq!(world.book.ended()[0].1.as_ref().unwrap().body.as_ref(), b"done");
}

#[tokio::test]
async fn nothing_is_sent_after_a_cut() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "done"));
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    world.gateway.cut();
    for _ in 0..50 {
        let error = get(&world, server.url(API, "/")).await.unwrap_err();
        assert_eq!((error.code(), error.sent()), ("cancelled", false));
    }
    assert!(server.seen().is_empty());
    assert_eq!(world.book.ended().len(), 50);
}
