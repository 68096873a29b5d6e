//! Sends one request over a connection of its own, and reads the answer up to the limits.

use super::Gateway;
use super::tap::OpenTap;
use crate::error::FetchError;
use crate::headers::{Headers, answered, text_of};
use crate::room::Place;
use crate::stored::StoredResponse;
use bytes::{Bytes, BytesMut};
use deed_model::EgressScheme;
use deed_reach::{Host, Location};
use http::{Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// The system's numbers for too many open files, of the system and of the process.
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;

/// The wait before the system is asked for a descriptor again.
const OUT_OF_ROOM: Duration = Duration::from_millis(50);

trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

impl Gateway {
    /// Sends a request to the first of the addresses that answers.
    pub(super) async fn send(
        &self,
        location: &Location,
        addresses: &[IpAddr],
        request: Request<Full<Bytes>>,
        place: &mut Place,
        tap: Option<OpenTap>,
    ) -> Result<StoredResponse, FetchError> {
        let limits = self.limits();
        let unreachable = |message: String| FetchError::Unreachable { host: location.host.plain(), message };
        let wire = match timeout(limits.connect, self.connect(location, addresses)).await {
            Ok(connected) => connected.map_err(unreachable)?,
            Err(_) => return Err(unreachable(format!("no connection within {} ms", limits.connect.as_millis()))),
        };
        let within = tap.as_ref().map_or(limits.answer, |tap| tap.timing().total);
        let answer = timeout(within, answer(wire, request, limits.max_response_bytes, place, tap)).await;
        answer.unwrap_or(Err(FetchError::Late { seconds: within.as_secs() }))
    }

    async fn connect(&self, location: &Location, addresses: &[IpAddr]) -> Result<Box<dyn Wire>, String> {
        let mut why = "it has no address".to_owned();
        for address in addresses {
            match connected(SocketAddr::new(*address, location.port)).await {
                Ok(stream) => return self.secured(location, stream).await,
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
    }

    async fn secured(&self, location: &Location, stream: TcpStream) -> Result<Box<dyn Wire>, String> {
        // A request is written in one go; waiting to fill a packet only costs time.
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        if location.scheme == EgressScheme::Http {
            return Ok(Box::new(stream));
        }
        let name = match &location.host {
            Host::Name(name) => ServerName::try_from(name.clone()).map_err(|error| error.to_string())?,
            Host::Address(address) => ServerName::from(*address),
        };
        let connector = TlsConnector::from(self.inner.config.roots.client.clone());
        let secured = connector.connect(name, stream).await.map_err(|error| format!("tls: {error}"))?;
        Ok(Box::new(secured))
    }
}

/// Connects. A shortage of descriptors passes when other connections end, so it is waited for; the caller limits how long.
async fn connected(address: SocketAddr) -> io::Result<TcpStream> {
    loop {
        match TcpStream::connect(address).await {
            Err(error) if matches!(error.raw_os_error(), Some(ENFILE | EMFILE)) => {
                tokio::time::sleep(OUT_OF_ROOM).await;
            }
            other => return other,
        }
    }
}

async fn answer(
    wire: Box<dyn Wire>,
    request: Request<Full<Bytes>>,
    limit: usize,
    place: &mut Place,
    tap: Option<OpenTap>,
) -> Result<StoredResponse, FetchError> {
    let head_only = request.method() == http::Method::HEAD;
    let (mut sender, connection) = http1::handshake(TokioIo::new(wire)).await.map_err(|error| lost(&error))?;
    let exchange = async move {
        let response = sender.send_request(request).await.map_err(|error| lost(&error))?;
        read(response, limit, head_only, place, tap).await
    };
    // Both in one task, so that a panic of either is a panic of the request.
    tokio::pin!(connection, exchange);
    let mut connected = true;
    loop {
        tokio::select! {
            biased;
            answer = exchange.as_mut() => return answer,
            // The error of a connection also reaches the exchange.
            _ = connection.as_mut(), if connected => connected = false,
        }
    }
}

/// Reads an answer up to the limit.
async fn read(
    response: Response<Incoming>,
    limit: usize,
    head_only: bool,
    place: &mut Place,
    tap: Option<OpenTap>,
) -> Result<StoredResponse, FetchError> {
    if response.status() == http::StatusCode::SWITCHING_PROTOCOLS {
        return Err(FetchError::Lost { message: "the server changed the protocol unasked".to_owned() });
    }
    let (head, incoming) = response.into_parts();
    let body = body(incoming, limit, head_only, place, tap).await?;
    let pairs: Headers = head.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let kept = answered(pairs).into_iter().filter(|(name, _)| head_only || name != header::CONTENT_LENGTH);
    let headers = kept.map(|(name, value)| (name.as_str().to_owned(), text_of(value.as_bytes()))).collect();
    Ok(StoredResponse { status: head.status.as_u16(), headers, body, notes: Vec::new() })
}

async fn body(
    mut incoming: Incoming,
    limit: usize,
    head_only: bool,
    place: &mut Place,
    mut tap: Option<OpenTap>,
) -> Result<Bytes, FetchError> {
    let mut body = BytesMut::new();
    if !head_only && incoming.size_hint().lower() > limit as u64 {
        return Err(FetchError::TooLarge { limit });
    }
    while let Some(frame) = frame(&mut incoming, tap.as_ref()).await? {
        if let Ok(data) = frame.map_err(|error| lost(&error))?.into_data() {
            if body.len() + data.len() > limit {
                return Err(FetchError::TooLarge { limit });
            }
            place.fits(body.len() + data.len()).await;
            body.extend_from_slice(&data);
            if let Some(tap) = &mut tap {
                tap.pass(&data);
            }
        }
    }
    if let Some(tap) = tap {
        tap.finish();
    }
    Ok(body.freeze())
}

/// Returns the next part of a body, within the pause that the tap allows and as long as its receiver is there.
async fn frame(
    incoming: &mut Incoming,
    tap: Option<&OpenTap>,
) -> Result<Option<Result<Frame<Bytes>, hyper::Error>>, FetchError> {
    let Some(tap) = tap else { return Ok(incoming.frame().await) };
    let idle = tap.timing().idle;
    tokio::select! {
        biased;
        frame = timeout(idle, incoming.frame()) => {
            frame.map_err(|_| FetchError::Stalled { ms: u64::try_from(idle.as_millis()).unwrap_or(u64::MAX) })
        }
        () = tap.closed() => Err(FetchError::Cut),
    }
}

/// The kind of an error and its cause, without anything that a server said.
fn lost(error: &hyper::Error) -> FetchError {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    FetchError::Lost { message: format!("{error}{cause}") }
}
