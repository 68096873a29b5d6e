//! A client of the proxy that writes what it likes, and reads answers.

use super::Served;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// No test waits longer than this for anything.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub reason: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

pub struct Wire<S>(pub BufReader<S>);

impl Served {
    pub async fn wire(&self) -> Wire<UnixStream> {
        Wire(BufReader::new(UnixStream::connect(&self.socket).await.unwrap()))
    }

    /// One exchange on a connection of its own.
    pub async fn say(&self, request: &str) -> Answer {
        let mut wire = self.wire().await;
        wire.write(request).await;
        wire.answer("GET").await.expect("an answer")
    }

    pub fn trusting(&self, alpn: &[&str]) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.ca.pem().as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        TlsConnector::from(Arc::new(config))
    }

    /// Opens a tunnel to a place and shakes hands under a name.
    pub async fn tunnel(&self, place: &str, sni: &str) -> io::Result<Wire<TlsStream<BufReader<UnixStream>>>> {
        let mut wire = self.wire().await;
        wire.write(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n")).await;
        let opened = wire.answer("CONNECT").await?;
        if opened.status != 200 {
            return Err(io::Error::other(format!("{} {}", opened.status, opened.reason)));
        }
        let name = ServerName::try_from(sni.to_owned()).unwrap();
        let stream = timeout(PATIENCE, self.trusting(&["http/1.1"]).connect(name, wire.0)).await??;
        Ok(Wire(BufReader::new(stream)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    pub async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
        self.0.flush().await.unwrap();
    }

    /// The next answer, to a request of this method.
    pub async fn answer(&mut self, method: &str) -> io::Result<Answer> {
        timeout(PATIENCE, self.read(method)).await?
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.0.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }

    async fn read(&mut self, method: &str) -> io::Result<Answer> {
        let first = self.line().await?;
        let mut words = first.splitn(3, ' ');
        let status = words.nth(1).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{first}"));
        let reason = words.next().unwrap_or_default().to_owned();
        let mut headers = Vec::new();
        loop {
            let line = self.line().await?;
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut answer = Answer { status, reason, headers, body: String::new() };
        let bodiless = method == "HEAD" || status == 100 || (method == "CONNECT" && status == 200);
        if let (Some(length), false) = (answer.header("content-length"), bodiless) {
            let mut body = vec![0; length.parse().unwrap()];
            self.0.read_exact(&mut body).await?;
            answer.body = String::from_utf8_lossy(&body).into_owned();
        }
        Ok(answer)
    }

    /// Whether the other side has gone.
    pub async fn is_over(&mut self) -> bool {
        let mut rest = Vec::new();
        matches!(timeout(PATIENCE, self.0.read_to_end(&mut rest)).await, Ok(read) if rest.is_empty() || read.is_err())
    }
}
