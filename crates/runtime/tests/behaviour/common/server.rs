//! A server on the loopback that remembers what it was asked, with TLS or without.

use super::REACTOR;
use http::Response;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// What it does with a request; none breaks the connection off.
type Handler = Arc<dyn Fn(&Seen) -> Option<Response<Full<Bytes>>> + Send + Sync>;

pub struct Server {
    pub port: u16,
    tls: bool,
    seen: Arc<Mutex<Vec<Seen>>>,
}

/// Whoever vouches for servers.
pub struct Authority {
    pub pem: String,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self { pem: issuer.pem(), issuer }
    }

    fn acceptor(&self, name: &str) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}

/// An answer in JSON.
pub fn answer(status: u16, body: &Value) -> Option<Response<Full<Bytes>>> {
    let response = Response::builder().status(status).header("content-type", "application/json");
    Some(response.body(Full::new(Bytes::from(body.to_string()))).unwrap())
}

/// An answer that leads elsewhere.
pub fn redirect(to: &str) -> Option<Response<Full<Bytes>>> {
    Some(Response::builder().status(302).header("location", to).body(Full::default()).unwrap())
}

impl Server {
    /// A server that answers each request with its number.
    pub fn counting() -> Self {
        let count = Mutex::new(0);
        Self::plain(move |_| {
            let mut count = count.lock().unwrap();
            *count += 1;
            answer(200, &json!({ "number": *count }))
        })
    }

    pub fn plain(handler: impl Fn(&Seen) -> Option<Response<Full<Bytes>>> + Send + Sync + 'static) -> Self {
        Self::start(None, Arc::new(handler))
    }

    pub fn tls(
        authority: &Authority,
        name: &str,
        handler: impl Fn(&Seen) -> Option<Response<Full<Bytes>>> + Send + Sync + 'static,
    ) -> Self {
        Self::start(Some(authority.acceptor(name)), Arc::new(handler))
    }

    fn start(acceptor: Option<TlsAcceptor>, handler: Handler) -> Self {
        let listener = REACTOR.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let (port, tls) = (listener.local_addr().unwrap().port(), acceptor.is_some());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let kept = seen.clone();
        REACTOR.spawn(async move {
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

    pub fn url(&self, path: &str) -> String {
        format!("{}://api.example.test:{}{path}", self.scheme(), self.port)
    }

    fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// A rule that lets all of it be reached, with changes.
    pub fn rule(&self, more: Value) -> Value {
        let rule = json!({
            "scheme": self.scheme(), "host": "api.example.test", "port": self.port,
            "methods": ["GET", "POST"], "private_addresses": true,
        });
        super::with(rule, more)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
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
            let request = Seen {
                method: head.method.to_string(),
                target: head.uri.to_string(),
                headers: head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
                body: String::from_utf8_lossy(&body).into_owned(),
            };
            seen.lock().unwrap().push(request.clone());
            // A handler may wait for the test.
            let answered = tokio::task::spawn_blocking(move || handler(&request)).await.unwrap();
            answered.ok_or_else(|| std::io::Error::other("the connection is broken off"))
        }
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
