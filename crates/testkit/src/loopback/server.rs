//! A server that answers as it is told to.

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

/// What is done with a request; none breaks the connection off.
type Handler = Arc<dyn Fn(&Seen) -> Option<Answer> + Send + Sync>;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its method.
    pub method: String,
    /// What it asks for, as it stands in its first line.
    pub target: String,
    /// Its headers, their names in small letters.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Bytes,
}

impl Seen {
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
    /// Where it listens on 127.0.0.1.
    pub port: u16,
    tls: bool,
    seen: Arc<Mutex<Vec<Seen>>>,
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

/// An answer that leads elsewhere.
pub fn redirect(status: u16, to: &str) -> Answer {
    Response::builder().status(status).header("location", to).body(Full::default()).unwrap()
}

impl Server {
    /// A server without TLS. What handles requests may wait for the test; none of an answer breaks the connection off.
    pub fn plain<A: Into<Option<Answer>>>(handler: impl Fn(&Seen) -> A + Send + Sync + 'static) -> Self {
        Self::start(None, Arc::new(move |seen| handler(seen).into()))
    }

    /// A server with TLS, whose certificate is for these names.
    pub fn tls<A: Into<Option<Answer>>>(
        authority: &Authority,
        names: &[&str],
        handler: impl Fn(&Seen) -> A + Send + Sync + 'static,
    ) -> Self {
        Self::start(Some(authority.acceptor(names)), Arc::new(move |seen| handler(seen).into()))
    }

    /// A server without TLS that does as it likes with each connection.
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

    /// A port at which nobody listens.
    pub fn closed() -> Self {
        let (_, port) = listen();
        Self { port, tls: false, seen: Arc::default() }
    }

    fn start(acceptor: Option<TlsAcceptor>, handler: Handler) -> Self {
        let (listener, port) = listen();
        let tls = acceptor.is_some();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
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

    /// The address of something on it, under a name that leads there.
    pub fn url(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme(), self.port)
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// What it was asked, in order.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn listen() -> (TcpListener, u16) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    (TcpListener::from_std(listener).unwrap(), port)
}

async fn serve<S>(stream: S, handler: Handler, seen: Arc<Mutex<Vec<Seen>>>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        let (handler, seen) = (handler.clone(), seen.clone());
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
            let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
            let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
            let request = Seen { method: head.method.to_string(), target: head.uri.to_string(), headers, body };
            seen.lock().unwrap().push(request.clone());
            let answered = tokio::task::spawn_blocking(move || handler(&request)).await.unwrap();
            answered.ok_or_else(|| std::io::Error::other("the connection is broken off"))
        }
    });
    // Whoever asked may be gone.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
