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
use client::{Client, ClientRoute, NextState};
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
        let (served, closing_clients) = (gateway.clone(), closed.clone());
        let client = move |stream| serve(stream, served.clone(), ca.clone(), closing_clients.clone());
        let accepting = tokio::spawn(accept(listener, gateway.clone(), closed, client));
        Self { closing, accepting, gateway }
    }

    /// Accepts no more clients, lets those go that wait, and waits until what was begun has its end.
    pub async fn close(mut self) {
        self.closing.send_replace(true);
        // It ends by itself now, unless it has panicked before.
        if let Err(ended) = (&mut self.accepting).await {
            self.gateway.ended(ended);
        }
        self.gateway.settled().await;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Accepts clients until the proxy closes, and waits for those that it has. A client whose task panics fails the attempt:
/// code in the sandbox sees a lost connection only.
async fn accept<F>(
    listener: UnixListener,
    gateway: Gateway,
    mut closing: watch::Receiver<bool>,
    client: impl Fn(UnixStream) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let room = Arc::new(Semaphore::new(gateway.limits().max_connections));
    let mut clients = JoinSet::new();
    loop {
        let next = async {
            // A permit first: clients for whom there is no room wait in the queue of the socket.
            let permit = room.clone().acquire_owned().await.ok()?;
            Some((permit, listener.accept().await))
        };
        let (permit, accepted) = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => break,
            Some(next) = next => next,
            Some(ended) = clients.join_next() => {
                ended.unwrap_or_else(|ended| gateway.ended(ended));
                continue;
            }
        };
        match accepted {
            Ok((stream, _)) => {
                let task = client(stream);
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
    while let Some(ended) = clients.join_next().await {
        ended.unwrap_or_else(|ended| gateway.ended(ended));
    }
}

async fn serve(stream: UnixStream, gateway: Gateway, ca: Arc<RunCa>, closing: watch::Receiver<bool>) {
    let mut client = Client::new(BufReader::new(stream), gateway.clone(), closing.clone(), ClientRoute::Open);
    let NextState::Tunnel { host, port } = client.converse().await else {
        return client.part().await;
    };
    if let Some(stream) = tunnel::open(client, &ca, &host, port).await {
        let mut inner = Client::new(BufReader::new(stream), gateway, closing, ClientRoute::Tunnel { host, port });
        inner.converse().await;
        inner.part().await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::gateway::{GatewayConfig, Mode, Origin};
    use crate::limits::Limits;
    use crate::resolve::SystemResolver;
    use crate::roots::Roots;
    use crate::stored::StoredResponse;
    use crate::witness::{BeginOutcome, Outgoing, Stop, Witness};
    use deed_model::EgressDecision;
    use deed_ports::{Secret, SecretError, Secrets};
    use deed_reach::Rules;
    use std::any::Any;
    use std::sync::Mutex;
    use tokio::io::AsyncReadExt as _;

    /// A world in which nothing is sent; it remembers panics.
    #[derive(Default)]
    struct Panics(Mutex<Vec<String>>);

    impl Secrets for Panics {
        fn secret(&self, name: &str) -> Result<Secret, SecretError> {
            Err(SecretError::Unknown(name.to_owned()))
        }
    }

    impl Witness for Panics {
        fn decided(&self, _decision: &EgressDecision) -> Result<(), Stop> {
            Ok(())
        }

        fn begin(&self, _call: &Outgoing) -> Result<BeginOutcome, Stop> {
            Ok(BeginOutcome::Go { idempotency_key: String::new() })
        }

        fn end(&self, _key: &str, _answer: &Result<StoredResponse, crate::FetchError>) -> Result<(), Stop> {
            Ok(())
        }

        fn broke(&self, panic: &(dyn Any + Send)) {
            self.0.lock().unwrap().push(panic.downcast_ref::<&str>().unwrap().to_string());
        }
    }

    fn gateway(panics: &Arc<Panics>, max_connections: usize) -> Gateway {
        let authority = RunCa::generate(std::time::SystemTime::now()).unwrap();
        Gateway::new(GatewayConfig {
            origin: Origin::default(),
            rules: Rules::read(Vec::new()).unwrap(),
            mode: Mode::Enforce,
            secrets: panics.clone(),
            resolver: Arc::new(SystemResolver),
            witness: panics.clone(),
            roots: Roots::of_pem(authority.pem().as_bytes()).unwrap(),
            reveals: |_| false,
            limits: Limits { max_connections, ..Limits::default() },
        })
    }

    /// Waits until the proxy has let a client go.
    async fn left(socket: &std::path::Path) {
        let mut stream = UnixStream::connect(socket).await.unwrap();
        assert_eq!(stream.read_to_end(&mut Vec::new()).await.unwrap(), 0);
    }

    fn proxy(
        listener: UnixListener,
        gateway: &Gateway,
        client: impl Fn(UnixStream) + Send + Sync + Clone + 'static,
    ) -> Proxy {
        let (closing, closed) = watch::channel(false);
        let client = move |stream| {
            let client = client.clone();
            async move { client(stream) }
        };
        let accepting = tokio::spawn(accept(listener, gateway.clone(), closed, client));
        Proxy { closing, accepting, gateway: gateway.clone() }
    }

    #[tokio::test]
    async fn a_client_whose_task_panics_is_reported_and_others_are_served() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("proxy.sock");
        let panics = Arc::new(Panics::default());
        let gateway = gateway(&panics, 1);
        let listener = UnixListener::bind(&socket).unwrap();
        let proxy = proxy(listener, &gateway, |_| panic!("the client panicked"));
        // With room for one, the second is accepted only after the first has given its room back.
        left(&socket).await;
        left(&socket).await;
        proxy.close().await;
        assert_eq!(*panics.0.lock().unwrap(), ["the client panicked"; 2]);
    }

    #[tokio::test]
    async fn an_accept_loop_that_panics_is_reported_when_the_proxy_is_closed() {
        let panics = Arc::new(Panics::default());
        let gateway = gateway(&panics, 1);
        let (closing, _) = watch::channel(false);
        let accepting = tokio::spawn(async { panic!("the loop panicked") });
        Proxy { closing, accepting, gateway }.close().await;
        assert_eq!(*panics.0.lock().unwrap(), ["the loop panicked"]);
    }
}
