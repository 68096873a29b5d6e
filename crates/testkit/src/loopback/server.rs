//! A server with scripted answers.

use crate::loopback::Authority;
use bytes::Bytes;
use http::Response;
use http_body_util::{BodyExt, Full};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// An answer.
pub type Answer = Response<Full<Bytes>>;

/// The handler of a request; `None` closes the connection.
type Handler = Arc<dyn Fn(&ReceivedRequest) -> Option<Answer> + Send + Sync>;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// Its method.
    pub method: String,
    /// Its target, as in the request line.
    pub target: String,
    /// Its headers, with lowercase names.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Bytes,
}

impl ReceivedRequest {
    /// The first header of a name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Its body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A server.
pub struct Server {
    /// Its port on 127.0.0.1.
    pub port: u16,
    tls: bool,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

/// An answer in plain text.
pub fn text(status: u16, body: impl Into<String>) -> Answer {
    Response::builder().status(status).body(Full::new(Bytes::from(body.into()))).unwrap()
}

/// An answer in JSON.
pub fn json(status: u16, body: &impl ToString) -> Answer {
    let response = Response::builder().status(status).header("content-type", "application/json");
    response.body(Full::new(Bytes::from(body.to_string()))).unwrap()
}

/// A redirect.
pub fn redirect(status: u16, to: &str) -> Answer {
    Response::builder().status(status).header("location", to).body(Full::default()).unwrap()
}

impl Server {
    /// Starts a server without TLS. The handler may wait for the test; an answer of `None` closes the connection.
    pub fn plain<A: Into<Option<Answer>>>(handler: impl Fn(&ReceivedRequest) -> A + Send + Sync + 'static) -> Self {
        Self::start(None, Arc::new(move |seen| handler(seen).into()))
    }

    /// Starts a server with TLS, whose certificate is for these names.
    pub fn tls<A: Into<Option<Answer>>>(
        authority: &Authority,
        names: &[&str],
        handler: impl Fn(&ReceivedRequest) -> A + Send + Sync + 'static,
    ) -> Self {
        Self::start(Some(authority.acceptor(names)), Arc::new(move |seen| handler(seen).into()))
    }

    /// Starts a server without TLS that handles raw connections.
    pub fn raw<F>(work: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (listener, port) = listen();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(work(stream));
            }
        });
        Self { port, tls: false, seen: Arc::default() }
    }

    /// A port on which no server listens.
    pub fn closed() -> Self {
        let (_, port) = listen();
        Self { port, tls: false, seen: Arc::default() }
    }

    fn start(acceptor: Option<TlsAcceptor>, handler: Handler) -> Self {
        let (listener, port) = listen();
        let tls = acceptor.is_some();
        let seen: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let kept = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, handler, seen) = (acceptor.clone(), handler.clone(), kept.clone());
                tokio::spawn(async move {
                    match acceptor {
                        None => serve(stream, handler, seen).await,
                        Some(acceptor) => {
                            if let Ok(stream) = acceptor.accept(stream).await {
                                serve(stream, handler, seen).await;
                            }
                        }
                    }
                });
            }
        });
        Self { port, tls, seen }
    }

    /// The URL of a path on it, under a host name.
    pub fn url(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme(), self.port)
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// The received requests, in order.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }
}

fn listen() -> (TcpListener, u16) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    (TcpListener::from_std(listener).unwrap(), port)
}

async fn serve<S>(stream: S, handler: Handler, seen: Arc<Mutex<Vec<ReceivedRequest>>>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        let (handler, seen) = (handler.clone(), seen.clone());
        async move {
            let (head, body) = request.into_parts();
            // A request that breaks off is not recorded as one with another body.
            let body = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
            let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
            let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
            let request =
                ReceivedRequest { method: head.method.to_string(), target: head.uri.to_string(), headers, body };
            seen.lock().unwrap().push(request.clone());
            let answered = tokio::task::spawn_blocking(move || handler(&request)).await.unwrap();
            answered.ok_or_else(|| std::io::Error::other("the connection is broken off"))
        }
    });
    // The client may have closed the connection.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
