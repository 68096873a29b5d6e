//! Servers on the loopback: scripted ones that speak HTTP, and raw ones that write what they like.

use bytes::Bytes;
use http::Response;
use http_body_util::{BodyExt, Full};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::convert::Infallible;
use std::future::Future;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// A request as a server saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

pub type Handler = Arc<dyn Fn(&Seen) -> Response<Full<Bytes>> + Send + Sync>;

pub struct Server {
    pub port: u16,
    pub tls: bool,
    pub seen: Arc<Mutex<Vec<Seen>>>,
}

/// An authority that vouches for servers in tests.
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

    fn acceptor(&self, names: &[&str]) -> TlsAcceptor {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
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

pub fn text(status: u16, body: impl Into<String>) -> Response<Full<Bytes>> {
    Response::builder().status(status).body(Full::new(Bytes::from(body.into()))).unwrap()
}

pub fn redirect(status: u16, to: &str) -> Response<Full<Bytes>> {
    Response::builder().status(status).header("location", to).body(Full::default()).unwrap()
}

impl Server {
    /// A server without TLS.
    pub async fn plain(handler: impl Fn(&Seen) -> Response<Full<Bytes>> + Send + Sync + 'static) -> Self {
        Self::start(None, Arc::new(handler)).await
    }

    /// A server with TLS, whose certificate is for these names.
    pub async fn tls(
        authority: &Authority,
        names: &[&str],
        handler: impl Fn(&Seen) -> Response<Full<Bytes>> + Send + Sync + 'static,
    ) -> Self {
        Self::start(Some(authority.acceptor(names)), Arc::new(handler)).await
    }

    async fn start(acceptor: Option<TlsAcceptor>, handler: Handler) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, tls) = (listener.local_addr().unwrap().port(), acceptor.is_some());
        let seen = Arc::new(Mutex::new(Vec::new()));
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

    /// A server without TLS that does as it likes with each connection.
    pub async fn raw<F>(work: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(work(stream));
            }
        });
        Self { port, tls: false, seen: Arc::default() }
    }

    pub fn url(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", if self.tls { "https" } else { "http" }, self.port)
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
            let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
            let request = Seen { method: head.method.to_string(), target: head.uri.to_string(), headers, body };
            seen.lock().unwrap().push(request.clone());
            Ok::<_, Infallible>(handler(&request))
        }
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
