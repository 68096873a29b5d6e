//! HTTP over a Unix socket. `POST /v1/call` with `{"tool", "arguments"}` answers `{"ok": true, "result"}` or
//! `{"ok": false, "error": {"kind", "message"}}`; `GET /v1/contract` and `GET /v1/tools` say what there is.

use super::call::call;
use super::error::BridgeError;
use super::tools::{Tool, definition};
use crate::attempt::Attempt;
use deed_diag::Invariant as _;
use deed_model::BridgeErrorKind;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;

/// The largest call, since as a value it can take ten times as much.
const LARGEST: u32 = 8 << 20;
/// The most bytes of calls that an attempt holds at once; other calls wait.
const HELD: usize = 16 << 20;
/// The time in which a client has to send the head of a request.
const HEAD: Duration = Duration::from_secs(30);
/// A body up to this length needs no room of its own, so that a stalled long one cannot hold up short calls.
const SHORT: u32 = 64 << 10;
/// The longest pause within the body of a request; the client is a process of the same machine.
const STALLED: Duration = Duration::from_secs(10);
/// The wait when the system has no room for another client.
const OUT_OF_ROOM: Duration = Duration::from_millis(50);

/// The server of one attempt.
pub(crate) struct Bridge {
    close: watch::Sender<bool>,
    served: tokio::task::JoinHandle<()>,
    /// Closed once no call is under way, including calls whose client has gone.
    calls: mpsc::Receiver<Infallible>,
    reactor: tokio::runtime::Handle,
}

impl Bridge {
    /// Listens at the attempt's socket.
    pub(crate) fn open(attempt: &Arc<Attempt>) -> io::Result<Self> {
        let reactor = attempt.run.world.reactor.clone();
        let _inside = reactor.enter();
        let listener = UnixListener::from_std(attempt.stage.listen(&attempt.stage.bridge())?)?;
        let (close, closing) = watch::channel(false);
        let (under_way, calls) = mpsc::channel(1);
        let open = Open { _under_way: under_way, room: Arc::new(Semaphore::new(HELD)) };
        let (served, most) = (attempt.clone(), attempt.connections());
        let (clients_closing, broken) = (closing.clone(), attempt.clone());
        let connected = move |stream| client(stream, served.clone(), open.clone(), clients_closing.clone());
        let served = reactor.spawn(serve(listener, most, closing, connected, move |ended| broken.task_ended(ended)));
        Ok(Self { close, served, calls, reactor })
    }

    /// Takes no more calls, and waits until those under way have their end.
    pub(crate) fn close(mut self, attempt: &Attempt) {
        // It fails only where the server has ended already.
        let _ = self.close.send(true);
        self.reactor.block_on(async {
            if let Err(ended) = self.served.await {
                attempt.task_ended(ended);
            }
            // Nothing is ever sent: it returns once all senders are gone.
            let _ = self.calls.recv().await;
        });
    }
}

/// The state that all connections share.
#[derive(Clone)]
struct Open {
    /// Held by each connection that may have a call under way.
    _under_way: mpsc::Sender<Infallible>,
    /// Room for calls.
    room: Arc<Semaphore>,
}

/// Accepts at most so many clients at once until the bridge closes. A client whose task panics is reported as `broken`: code
/// in the sandbox sees a lost connection only, and could continue without it.
async fn serve<F>(
    listener: UnixListener,
    most: usize,
    mut closing: watch::Receiver<bool>,
    client: impl Fn(UnixStream) -> F,
    broken: impl Fn(JoinError),
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut clients = JoinSet::new();
    loop {
        tokio::select! {
            _ = closing.changed() => break,
            Some(ended) = clients.join_next() => ended.unwrap_or_else(&broken),
            accepted = listener.accept(), if clients.len() < most => {
                let Ok((stream, _)) = accepted else {
                    // Out of descriptors, most likely: other connections have to end first.
                    tokio::time::sleep(OUT_OF_ROOM).await;
                    continue;
                };
                clients.spawn(client(stream));
            }
        }
    }
    while let Some(ended) = clients.join_next().await {
        ended.unwrap_or_else(&broken);
    }
}

async fn client(stream: UnixStream, attempt: Arc<Attempt>, open: Open, mut closing: watch::Receiver<bool>) {
    let service = service_fn(move |request| answer(request, attempt.clone(), open.clone()));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn answer(
    request: Request<Incoming>,
    attempt: Arc<Attempt>,
    open: Open,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let (status, body) = match (&method, path.as_str()) {
        (&Method::POST, "/v1/call") => called(request, attempt, open).await,
        (&Method::GET, "/v1/contract") => {
            (StatusCode::OK, serde_json::to_value(&*attempt.contract).invariant("a contract is JSON"))
        }
        (&Method::GET, "/v1/tools") => {
            let needs = &attempt.contract.allowed_tool_ids;
            let has = |tool: &&Tool| tool.capability().is_none_or(|name| needs.iter().any(|need| need == name));
            let tools: Vec<Value> = Tool::ALL.iter().filter(has).map(|tool| definition(*tool)).collect();
            (StatusCode::OK, json!({ "tools": tools }))
        }
        _ => refused(
            StatusCode::NOT_FOUND,
            &BridgeError::new(BridgeErrorKind::NotFound, "there is POST /v1/call, GET /v1/contract, GET /v1/tools"),
        ),
    };
    let bytes = serde_json::to_vec(&body).invariant("an answer of the bridge is JSON");
    let mut response = Response::new(Full::new(Bytes::from(bytes)));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(hyper::header::CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json"));
    Ok(response)
}

async fn called(request: Request<Incoming>, attempt: Arc<Attempt>, open: Open) -> (StatusCode, Value) {
    let length = request.body().size_hint().upper().and_then(|length| u32::try_from(length).ok()).unwrap_or(LARGEST);
    let room = if length <= SHORT { 0 } else { length.min(LARGEST) };
    let Ok(_room) = open.room.acquire_many(room).await else {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            &BridgeError::new(BridgeErrorKind::Internal, "the bridge is closing"),
        );
    };
    let body = match read(request.into_body()).await {
        Ok(body) => body,
        Err(BodyError::TooLarge) => {
            return refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                &BridgeError::new(BridgeErrorKind::TooLarge, "a call has at most 8 MiB"),
            );
        }
        Err(BodyError::Cut) => {
            return refused(
                StatusCode::BAD_REQUEST,
                &BridgeError::new(BridgeErrorKind::BadRequest, "the body ends before its length"),
            );
        }
        Err(BodyError::Stalled) => {
            return refused(
                StatusCode::REQUEST_TIMEOUT,
                &BridgeError::new(BridgeErrorKind::BadRequest, "the body came too slowly"),
            );
        }
    };
    // Calls write to the journal and wait for the disk, which must not hold up other connections: they are given to
    // another thread meanwhile. A call whose client has gone still runs to its end, and the attempt is not over before.
    let made = tokio::task::block_in_place(|| {
        caught(&attempt, || {
            let asked = deed_canon::parse(&body)
                .map_err(|error| BridgeError::new(BridgeErrorKind::BadRequest, error.to_string()))
                .and_then(question);
            match asked {
                Ok((tool, arguments)) => answered(call(&attempt, &tool, arguments)),
                Err(error) => refused(StatusCode::BAD_REQUEST, &error),
            }
        })
    });
    made.unwrap_or_else(|error| refused(StatusCode::UNPROCESSABLE_ENTITY, &error))
}

fn answered(made: Result<Value, BridgeError>) -> (StatusCode, Value) {
    match made {
        Ok(result) => (StatusCode::OK, json!({ "ok": true, "result": result })),
        Err(error) => refused(StatusCode::UNPROCESSABLE_ENTITY, &error),
    }
}

/// Answers a call, and turns a panic in it into a failure of the step: its code could catch a lost connection, continue and
/// succeed.
fn caught<T>(attempt: &Attempt, call: impl FnOnce() -> T) -> Result<T, BridgeError> {
    // What a call shares with others is guarded by locks that ignore poison: each change is one statement.
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        attempt.broke(&*panic);
        BridgeError::new(BridgeErrorKind::Internal, "the bridge broke while it served the call")
    })
}

/// The reason why a body could not be read.
enum BodyError {
    TooLarge,
    Cut,
    Stalled,
}

/// Reads a body, unless it is too large. Then it is read to its end and dropped: a client that still writes reads no answer.
async fn read(mut body: Incoming) -> Result<Vec<u8>, BodyError> {
    let mut held = Some(Vec::new());
    while let Some(frame) = timeout(STALLED, body.frame()).await.map_err(|_| BodyError::Stalled)? {
        let Ok(data) = frame.map_err(|_| BodyError::Cut)?.into_data() else { continue };
        held = held.filter(|held| held.len() + data.len() <= LARGEST as usize);
        if let Some(held) = &mut held {
            held.extend_from_slice(&data);
        }
    }
    held.ok_or(BodyError::TooLarge)
}

fn question(value: Value) -> Result<(String, Value), BridgeError> {
    let Value::Object(mut members) = value else {
        return Err(BridgeError::new(BridgeErrorKind::BadRequest, "a call is a JSON object"));
    };
    let tool = members.remove("tool");
    let arguments = members.remove("arguments").unwrap_or_else(|| json!({}));
    match tool {
        Some(Value::String(tool)) if members.is_empty() && arguments.is_object() => Ok((tool, arguments)),
        _ => Err(BridgeError::new(
            BridgeErrorKind::BadRequest,
            "a call has `tool`, a text, and `arguments`, an object, and nothing else",
        )),
    }
}

fn refused(status: StatusCode, error: &BridgeError) -> (StatusCode, Value) {
    (status, json!({ "ok": false, "error": { "kind": error.kind, "message": error.message } }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

    use super::*;
    use std::sync::Mutex;
    use tokio::io::AsyncReadExt as _;

    #[tokio::test]
    async fn a_client_whose_task_panics_is_reported_and_others_are_served() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("bridge.sock");
        let listener = UnixListener::bind(&socket).unwrap();
        let (close, closing) = watch::channel(false);
        let panics = Arc::new(Mutex::new(Vec::new()));
        let reported = panics.clone();
        let client = |_stream: UnixStream| async { panic!("the client panicked") };
        let served = tokio::spawn(serve(listener, 1, closing, client, move |ended| {
            let panic = ended.into_panic();
            reported.lock().unwrap().push((*panic.downcast_ref::<&str>().unwrap()).to_owned());
        }));
        // With room for one, the second is accepted only after the first has given its room back.
        for _ in 0..2 {
            let mut stream = UnixStream::connect(&socket).await.unwrap();
            assert_eq!(stream.read_to_end(&mut Vec::new()).await.unwrap(), 0);
        }
        close.send(true).unwrap();
        served.await.unwrap();
        assert_eq!(*panics.lock().unwrap(), ["the client panicked"; 2]);
    }
}
