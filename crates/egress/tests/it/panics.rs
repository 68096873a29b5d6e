//! A panic behind a request: the request gets its end, the client an answer, and the witness hears of the panic, so that
//! code cannot hide it. Nothing hangs.

use crate::common::witness::Book;
use crate::common::{Plan, Unmetered, World, bearer, rule};
use bytes::Bytes;
use deed_egress::{FetchError, FetchRequest, Redirects, Resolver, Resolving};
use deed_ports::{Secret, SecretError, Secrets};
use deed_testkit::loopback::{Authority, Server, text};
use std::sync::Arc;

const API: &str = "api.example.test";

struct Broken;

impl Resolver for Broken {
    fn resolve<'a>(&'a self, _name: &'a str) -> Resolving<'a> {
        Box::pin(async { panic!("the resolver panicked") })
    }
}

impl Secrets for Broken {
    fn secret(&self, _name: &str) -> Result<Secret, SecretError> {
        panic!("the secrets panicked")
    }
}

async fn fetched(world: &World, url: String) -> FetchError {
    let request = FetchRequest {
        method: "GET".to_owned(),
        url,
        headers: Vec::new(),
        body: Bytes::new(),
        idempotency_key: None,
        redirects: Redirects::Follow,
    };
    world.gateway.fetch(request, &Unmetered).await.unwrap_err()
}

fn panics(world: &World) -> Vec<String> {
    world.book.panics.lock().unwrap().clone()
}

/// The errors that requests ended with, as the witness heard them.
fn ends(world: &World) -> Vec<Option<FetchError>> {
    world.book.ended().into_iter().map(|(_, answer)| answer.err()).collect()
}

#[tokio::test]
async fn a_resolver_that_panics_ends_the_request_and_is_reported() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "hello"));
    let plan = Plan { resolver: Some(Arc::new(Broken)), ..Plan::new(vec![rule(API, &server)]) };
    let world = plan.build(&authority);
    assert_eq!(fetched(&world, server.url(API, "/a")).await, FetchError::Broken);
    world.gateway.settled().await;
    assert_eq!(ends(&world), [Some(FetchError::Broken)]);
    assert_eq!(panics(&world), ["the resolver panicked"]);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn secrets_that_panic_end_the_request_unsent_and_are_reported() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "hello"));
    let mut with = rule(API, &server);
    with.credential = bearer("token");
    let world = Plan { secrets: Arc::new(Broken), ..Plan::new(vec![with]) }.build(&authority);
    let error = fetched(&world, server.url(API, "/a")).await;
    assert!(matches!(error, FetchError::Credential { .. }) && !error.sent(), "{error:?}");
    world.gateway.settled().await;
    assert_eq!(ends(&world), [Some(error)]);
    assert_eq!(panics(&world), ["the secrets panicked"]);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_witness_that_panics_stops_the_request_and_is_reported() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "hello"));
    let book = Book::beginning(|_| panic!("the witness panicked"));
    let world = Plan { book, ..Plan::new(vec![rule(API, &server)]) }.build(&authority);
    let error = fetched(&world, server.url(API, "/a")).await;
    assert!(matches!(error, FetchError::Stopped(_)), "{error:?}");
    world.gateway.settled().await;
    assert_eq!(panics(&world), ["the witness panicked"]);
    assert!(server.seen().is_empty());
}

/// A client that has gone looks at nothing that becomes of its request.
#[tokio::test]
async fn a_panic_after_the_client_has_gone_is_reported_too() {
    let authority = Authority::new();
    let server = Server::plain(|_| text(200, "hello"));
    let plan = Plan { resolver: Some(Arc::new(Broken)), ..Plan::new(vec![rule(API, &server)]) };
    let world = plan.build(&authority);
    let served = world.serve();
    let mut wire = served.wire().await;
    wire.write(&format!("GET http://{API}:{}/a HTTP/1.1\r\nHost: {API}:{}\r\n\r\n", server.port, server.port)).await;
    drop(wire);
    // The witness hears of the end before the proxy is closed.
    while world.book.ended().is_empty() {
        tokio::task::yield_now().await;
    }
    served.proxy.close().await;
    assert_eq!(ends(&world), [Some(FetchError::Broken)]);
    assert_eq!(panics(&world), ["the resolver panicked"]);
}
