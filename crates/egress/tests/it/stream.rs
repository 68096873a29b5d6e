//! Streams of a model's client: the same rules, witness and concealment as every request, and chunks as they arrive.

use crate::common::{Plan, TOKEN, Unmetered, World, bearer, rule};
use bytes::Bytes;
use deed_egress::{FetchAnswer, FetchError, FetchRequest, Redirects, StreamTiming};
use deed_model::{EgressChannel, EgressVerdict};
use deed_testkit::loopback::{Authority, Server, redirect, text};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const API: &str = "api.example.test";
const LONG: StreamTiming = StreamTiming { total: Duration::from_secs(20), idle: Duration::from_secs(20) };

fn posting(server: &Server) -> Plan {
    let mut rule = rule(API, server);
    rule.methods = vec!["POST".to_owned()];
    rule.credential = (server.scheme() == "https").then(|| bearer("token")).flatten();
    Plan::new(vec![rule])
}

async fn stream(
    world: &World,
    server: &Server,
    timing: StreamTiming,
) -> (Result<FetchAnswer, FetchError>, UnboundedReceiver<Bytes>) {
    let (sender, receiver) = unbounded_channel();
    let request = FetchRequest {
        method: "POST".to_owned(),
        url: server.url(API, "/v1/messages"),
        headers: Vec::new(),
        body: Bytes::from_static(b"{}"),
        idempotency_key: None,
        redirects: Redirects::Follow,
    };
    (world.gateway.stream(request, timing, sender, &Unmetered).await, receiver)
}

fn collected(mut chunks: UnboundedReceiver<Bytes>) -> String {
    let mut all = Vec::new();
    while let Ok(chunk) = chunks.try_recv() {
        all.extend_from_slice(&chunk);
    }
    String::from_utf8(all).unwrap()
}

/// Reads a request and begins an answer of unknown length.
async fn begun(mut stream: TcpStream, body: &str) -> TcpStream {
    assert!(stream.read(&mut [0; 4096]).await.is_ok());
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn chunks_and_answer_are_without_the_secret() {
    let authority = Authority::new();
    let server = Server::tls(&authority, &[API], |_| text(200, format!("data: {TOKEN}\n\n")));
    let world = posting(&server).build(&authority);
    let (answer, chunks) = stream(&world, &server, LONG).await;
    let expected = "data: [secret:token]\n\n";
    assert_eq!(answer.unwrap().body, expected);
    assert_eq!(collected(chunks), expected);
    assert_eq!(world.book.last().channel, EgressChannel::Model);
    assert_eq!(world.book.ended().len(), 1, "the witness ends the request");
}

#[tokio::test]
async fn what_no_rule_allows_is_denied_and_a_redirect_is_not_followed() {
    let authority = Authority::new();
    let server = Server::plain(|_| redirect(307, "https://elsewhere.test/"));
    let world = posting(&server).build(&authority);
    let (answer, _) = stream(&world, &server, LONG).await;
    assert_eq!(answer.unwrap().status, 307);
    assert_eq!(server.seen().len(), 1);
    let world = Plan::new(vec![rule(API, &server)]).build(&authority);
    let (answer, _) = stream(&world, &server, LONG).await;
    assert!(
        matches!(answer, Err(FetchError::Denied { decision, .. }) if decision.verdict == EgressVerdict::MethodNotListed)
    );
}

#[tokio::test]
async fn a_pause_ends_the_stream_and_keeps_what_came() {
    let server = Server::raw(|stream| async {
        let _open = begun(stream, "data: 1\n\n").await;
        std::future::pending::<()>().await;
    });
    let world = posting(&server).build(&Authority::new());
    let timing = StreamTiming { idle: Duration::from_millis(50), ..LONG };
    let (answer, chunks) = stream(&world, &server, timing).await;
    assert_eq!(answer, Err(FetchError::Stalled { ms: 50 }));
    assert_eq!(collected(chunks), "data: 1\n\n");
}

#[tokio::test]
async fn an_endless_stream_ends_at_its_total_time_or_size() {
    let server = Server::raw(|stream| async {
        let mut stream = begun(stream, "").await;
        while stream.write_all(b": ping\n\n").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    let mut plan = posting(&server);
    plan.limits.max_response_bytes = 1 << 16;
    let world = plan.build(&Authority::new());
    let (answer, _) = stream(&world, &server, LONG).await;
    assert_eq!(answer, Err(FetchError::TooLarge { limit: 1 << 16 }));
    let silent = Server::raw(|stream| async move {
        let _open = stream;
        std::future::pending::<()>().await;
    });
    let world = posting(&silent).build(&Authority::new());
    let timing = StreamTiming { total: Duration::from_millis(50), ..LONG };
    let (answer, _) = stream(&world, &silent, timing).await;
    assert!(matches!(answer, Err(FetchError::Late { .. })), "{answer:?}");
}

#[tokio::test]
async fn a_receiver_that_has_gone_cuts_the_request() {
    let server = Server::raw(|stream| async {
        let _open = begun(stream, "data: 1\n\n").await;
        std::future::pending::<()>().await;
    });
    let world = posting(&server).build(&Authority::new());
    let (sender, mut receiver) = unbounded_channel();
    let request = FetchRequest {
        method: "POST".to_owned(),
        url: server.url(API, "/"),
        headers: Vec::new(),
        body: Bytes::new(),
        idempotency_key: None,
        redirects: Redirects::Manual,
    };
    let gateway = world.gateway.clone();
    let asked = tokio::spawn(async move { gateway.stream(request, LONG, sender, &Unmetered).await });
    receiver.recv().await.unwrap();
    drop(receiver);
    assert_eq!(asked.await.unwrap(), Err(FetchError::Cut));
}
