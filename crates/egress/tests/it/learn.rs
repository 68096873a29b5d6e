//! Learning: what no rule allows is sent and written down, except to addresses that are not public.

use crate::common::witness::{Book, stop};
use crate::common::{Plan, Unmetered, rule};
use deed_egress::{BeginOutcome, FetchError, FetchRequest, Mode, Redirects, StopClass, StoredResponse};
use deed_model::{EgressRule, EgressVerdict};
use deed_reach::{Rules, suggest, yaml};
use deed_testkit::loopback::{Authority, Server, text};

fn request(method: &str, url: &str) -> FetchRequest {
    let (method, url) = (method.to_owned(), url.to_owned());
    FetchRequest {
        method,
        url,
        headers: Vec::new(),
        body: Default::default(),
        idempotency_key: None,
        redirects: Redirects::Follow,
    }
}

#[tokio::test]
async fn learning_never_reaches_addresses_that_are_not_public() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "inside"));
    let world = Plan { mode: Mode::Learn, ..Plan::new(Vec::new()) }.build(&authority);
    for host in ["api.example.test", "127.0.0.1", "169.254.169.254"] {
        let error = world.gateway.fetch(request("GET", &server.url(host, "/")), &Unmetered).await.unwrap_err();
        assert_eq!(error.code(), "private_address", "{host}");
    }
    let error = world.gateway.fetch(request("TRACE", "https://api.example.test/"), &Unmetered).await.unwrap_err();
    assert_eq!(error.code(), "host_not_listed");
    let served = world.serve();
    let place = format!("api.example.test:{}", server.port);
    let answer = served.say(&format!("GET http://{place}/ HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
    assert_eq!((answer.status, answer.header("deed-egress")), (403, Some("denied; reason=private_address")));
    assert!(server.seen().is_empty());
    assert_eq!(suggest(&world.book.decisions.lock().unwrap()), Vec::new());
}

#[tokio::test]
async fn what_was_learned_becomes_rules_that_allow_it() {
    let authority = Authority::new();
    // The witness lets nothing go, since tests reach nobody outside: it is the decision that matters here.
    let book = Book { veto: Some(stop(StopClass::Cancelled)), ..Book::default() };
    let world = Plan { mode: Mode::Learn, book, ..Plan::new(Vec::new()) }.build(&authority);
    world.names.set("api.example.test", &["8.8.8.8"]);
    let asked = [("GET", "/v1/rates/a"), ("GET", "/v1/rates/b"), ("GET", "/v1/rates/c"), ("POST", "/v1/orders")];
    for (method, path) in asked {
        let url = format!("https://api.example.test{path}?q=1");
        let error = world.gateway.fetch(request(method, &url), &Unmetered).await.unwrap_err();
        assert!(matches!(error, FetchError::Stopped(_)), "{error:?}");
        assert_eq!(world.book.last().verdict, EgressVerdict::Learned);
    }
    let rules = suggest(&world.book.decisions.lock().unwrap());
    let expected = concat!(
        "- host: \"api.example.test\"\n  paths: [\"/v1/rates/*\"]\n  methods: [\"GET\"]\n",
        "- host: \"api.example.test\"\n  paths: [\"/v1/orders\"]\n  methods: [\"POST\"]\n",
    );
    assert_eq!(yaml(&rules), expected);
    assert!(Rules::read(rules).is_ok());
}

#[tokio::test]
async fn what_rules_allow_is_allowed_while_learning() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &["api.example.test"], |_| text(200, "hello"));
    let only = EgressRule { paths: vec!["/a".to_owned()], ..rule("api.example.test", &server) };
    let book = Book::beginning(|call| {
        let body = bytes::Bytes::from("learned");
        let served = StoredResponse { status: 200, headers: Vec::new(), body, notes: Vec::new() };
        call.rule.is_none().then_some(Ok(BeginOutcome::Replay(served)))
    });
    let world = Plan { mode: Mode::Learn, book, ..Plan::new(vec![only]) }.build(&authority);
    let served = world.serve();
    let place = format!("api.example.test:{}", server.port);
    let mut wire = served.tunnel(&place, "api.example.test").await.unwrap();
    for (path, body) in [("/a", "hello"), ("/b", "learned")] {
        wire.write(&format!("GET {path} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
        assert_eq!(wire.answer("GET").await.unwrap().body, body);
    }
}
