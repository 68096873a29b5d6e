//! The end of a tunnel: TLS and nothing else, for the name that the tunnel was opened to.

use super::client::Client;
use super::refusal;
use super::reply::Form;
use crate::ca::RunCa;
use crate::gateway::tunnel;
use deed_model::{EgressDecision, EgressVerdict};
use deed_reach::Host;
use rustls::server::Acceptor;
use std::io::ErrorKind;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{LazyConfigAcceptor, StartHandshake};
use tracing::warn;

/// The first byte of every TLS connection.
const HANDSHAKE: u8 = 0x16;

/// Takes the handshake; none if it was refused, or came to nothing.
pub(super) async fn open<S: AsyncRead + AsyncWrite + Unpin>(
    mut client: Client<S>,
    ca: &Arc<RunCa>,
    host: &Host,
    port: u16,
) -> Option<TlsStream<BufReader<S>>> {
    let patience = client.gateway.limits().client_head;
    let mut closing = client.closing.clone();
    let shaking = async {
        let first = *client.stream.fill_buf().await.ok()?.first()?;
        if first != HANDSHAKE {
            refuse_plain(client, host, port).await;
            return None;
        }
        let gateway = client.gateway.clone();
        // It outlives the refusal, so that the client is cut off only after that was written down.
        let acceptor = LazyConfigAcceptor::new(Acceptor::default(), client.stream);
        tokio::pin!(acceptor);
        let start = match acceptor.as_mut().await {
            Ok(start) => start,
            Err(error) => {
                if error.kind() == ErrorKind::InvalidData {
                    gateway.refuse(tunnel(host, port), "the handshake cannot be read".to_owned()).await;
                }
                return None;
            }
        };
        if !agrees(&start, host) {
            let decision = EgressDecision { verdict: EgressVerdict::NamesDisagree, ..tunnel(host, port) };
            gateway.deny(decision).await;
            let _ = start.into_stream(ca.server_for_none()).await;
            return None;
        }
        match ca.server_for(host) {
            // A client that does not finish the handshake has sent nothing.
            Ok(server) => start.into_stream(server).await.ok(),
            Err(error) => {
                warn!(host = host.plain(), %error, "no certificate could be made for a tunnel");
                None
            }
        }
    };
    tokio::select! {
        biased;
        _ = closing.wait_for(|closing| *closing) => None,
        shaken = timeout(patience, shaking) => shaken.ok().flatten(),
    }
}

/// A name must be said and be that of the tunnel. Addresses are never said in this place.
fn agrees<IO: AsyncRead + AsyncWrite + Unpin>(start: &StartHandshake<IO>, host: &Host) -> bool {
    match (start.client_hello().server_name(), host) {
        (Some(said), _) => Host::read(said).as_ref() == Ok(host),
        (None, Host::Address(_)) => true,
        (None, Host::Name(_)) => false,
    }
}

async fn refuse_plain<S: AsyncRead + AsyncWrite + Unpin>(mut client: Client<S>, host: &Host, port: u16) {
    let message = "only tls passes through a tunnel".to_owned();
    let error = client.gateway.refuse(tunnel(host, port), message).await;
    let _ = refusal::reply(&error).write(&mut client.stream, Form { head_only: false, stays: false }).await;
    client.part().await;
}
