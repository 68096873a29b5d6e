//! The proxy: what unmodified clients in the sandbox speak to.
//!
//! It reads HTTP/1.1 strictly and by itself, since each odd shape must be refused and written down rather than
//! repaired; what it understood goes to the gateway as a value and is written anew. Tunnels end here: the proxy stands
//! in for the server with a certificate of the run's authority, so that rules for paths and methods hold. Answers are
//! given once they are complete and kept. Upgrades, WebSockets among them, are refused.

mod body;
mod client;
mod head;
mod places;
mod refusal;
mod reply;
mod request;
mod tunnel;

use crate::ca::RunCa;
use crate::gateway::Gateway;
use client::{After, Client, Way};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::BufReader;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};

/// The wait when the system has no room for another client.
const OUT_OF_ROOM: Duration = Duration::from_millis(50);

/// A proxy that serves. Dropping it cuts its clients; what they began still gets its end.
pub struct Proxy {
    closing: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    gateway: Gateway,
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy").field("gateway", &self.gateway).finish_non_exhaustive()
    }
}

impl Proxy {
    /// Serves the clients of a socket. Must be called inside a tokio runtime.
    pub fn serve(listener: UnixListener, gateway: Gateway, ca: Arc<RunCa>) -> Self {
        let (closing, closed) = watch::channel(false);
        let accepting = tokio::spawn(accept(listener, gateway.clone(), ca, closed));
        Self { closing, accepting, gateway }
    }

    /// Accepts no more clients, lets those go that wait, and waits until what was begun has its end.
    pub async fn close(mut self) {
        self.closing.send_replace(true);
        // It ends by itself now; an error would mean that it has ended already.
        let _ = (&mut self.accepting).await;
        self.gateway.settled().await;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: UnixListener, gateway: Gateway, ca: Arc<RunCa>, closing: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(gateway.limits().max_connections));
    let mut clients = JoinSet::new();
    let mut told = closing.clone();
    loop {
        let next = async {
            // A permit first: clients for whom there is no room wait in the queue of the socket.
            let permit = room.clone().acquire_owned().await.ok()?;
            Some((permit, listener.accept().await))
        };
        let (permit, accepted) = tokio::select! {
            biased;
            _ = told.wait_for(|closing| *closing) => break,
            Some(next) = next => next,
            Some(_) = clients.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                let task = serve(stream, gateway.clone(), ca.clone(), closing.clone());
                clients.spawn(async move {
                    task.await;
                    drop(permit);
                });
            }
            // Out of descriptors, most likely: others have to end first.
            Err(_) => tokio::time::sleep(OUT_OF_ROOM).await,
        }
    }
    drop(listener);
    while clients.join_next().await.is_some() {}
}

async fn serve(stream: UnixStream, gateway: Gateway, ca: Arc<RunCa>, closing: watch::Receiver<bool>) {
    let mut client = Client::new(BufReader::new(stream), gateway.clone(), closing.clone(), Way::Open);
    let After::Tunnel { host, port } = client.converse().await else {
        return client.part().await;
    };
    if let Some(stream) = tunnel::open(client, &ca, &host, port).await {
        let mut inner = Client::new(BufReader::new(stream), gateway, closing, Way::Tunnel { host, port });
        inner.converse().await;
        inner.part().await;
    }
}
