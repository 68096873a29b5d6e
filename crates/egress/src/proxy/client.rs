//! A conversation with one client: request by request, in the order in which they came.

use super::body::{self, BodyFault, Framing};
use super::head::{self, Head, HeadFault};
use super::places::{MisplacedRequest, malformed, nowhere, place, tunnel_place};
use super::refusal;
use super::reply::{Form, Reply};
use crate::fetch::{REVEALING, written_host};
use crate::gateway::{Gateway, refused};
use deed_model::{EgressChannel, EgressVerdict};
use deed_reach::{Host, Location};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::watch;
use tokio::time::timeout;

/// The time and the bytes for which a client is still read after its last answer.
const PARTING: (Duration, u64) = (Duration::from_millis(500), 1 << 20);

/// The way by which requests come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClientRoute {
    /// From a client that speaks to a proxy.
    Open,
    /// Through a tunnel that ends here.
    Tunnel { host: Host, port: u16 },
}

/// The next state after a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextState {
    Next,
    Close,
    Tunnel { host: Host, port: u16 },
}

/// The state of one client.
pub(super) struct Client<S> {
    pub(super) stream: BufReader<S>,
    pub(super) gateway: Gateway,
    pub(super) closing: watch::Receiver<bool>,
    way: ClientRoute,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    pub(super) fn new(
        stream: BufReader<S>,
        gateway: Gateway,
        closing: watch::Receiver<bool>,
        way: ClientRoute,
    ) -> Self {
        Self { stream, gateway, closing, way }
    }

    /// Answers requests until the client or the proxy goes, or a tunnel is opened.
    pub(super) async fn converse(&mut self) -> NextState {
        loop {
            match self.turn().await {
                NextState::Next => {}
                after => return after,
            }
        }
    }

    /// Parts from a client so that it can still read the last answer.
    pub(super) async fn part(mut self) {
        let (time, most) = PARTING;
        let _ = timeout(time, async {
            self.stream.shutdown().await?;
            tokio::io::copy(&mut (&mut self.stream).take(most), &mut tokio::io::sink()).await
        })
        .await;
    }

    async fn turn(&mut self) -> NextState {
        let Some(head) = self.head().await else { return NextState::Close };
        if self.is_revealing(&head) {
            let decision = Box::new(nowhere(&ClientRoute::Open, "?"));
            let misplaced = MisplacedRequest { decision, message: REVEALING.to_owned() };
            return self.misplaced(&head, misplaced, 400).await;
        }
        if head.method == "CONNECT" {
            return self.connect(&head).await;
        }
        let location = match place(&head, &self.way) {
            Ok(location) => location,
            Err(misplaced) => return self.misplaced(&head, misplaced, 400).await,
        };
        match self.framing(&head) {
            Ok(framing) => self.request(head, location, framing).await,
            Err((status, message)) => self.unreadable(&head, &location, status, message).await,
        }
    }

    /// Returns whether the method or the host of a request holds a secret, which must not be recorded.
    fn is_revealing(&self, head: &Head) -> bool {
        let mut hosts = head.all("host").map(String::from_utf8_lossy);
        // In a tunnel, the target is a path.
        let target = if head.target.starts_with('/') { "" } else { written_host(&head.target) };
        self.gateway.reveals(&head.method)
            || self.gateway.reveals(target)
            || hosts.any(|host| self.gateway.reveals(&host))
    }

    /// The next head; none if there is no more, or if it was refused.
    async fn head(&mut self) -> Option<Head> {
        let (idle, whole) = (self.gateway.limits().client_idle, self.gateway.limits().client_head);
        let Self { stream, closing, .. } = self;
        let read = async {
            timeout(idle, stream.fill_buf()).await.ok()?.ok()?;
            Some(timeout(whole, head::read(stream)).await)
        };
        let read = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => None,
            read = read => read,
        };
        let parsed = match read? {
            Ok(Ok(head::ReadHead::Head(bytes))) => head::parse(&bytes),
            Ok(Ok(head::ReadHead::Fault(fault))) => Err(fault),
            Ok(Ok(head::ReadHead::End) | Err(_)) => return None,
            Err(_) => {
                self.say(408, "the head of the request took too long").await;
                return None;
            }
        };
        match parsed {
            Ok(head) => Some(head),
            Err(fault) => {
                let error = self.gateway.refuse(nowhere(&self.way, "?"), fault.to_string()).await;
                self.reply(&refusal::reply_as(status_of_head(fault), &error), LAST).await;
                None
            }
        }
    }

    async fn connect(&mut self, head: &Head) -> NextState {
        let nested = matches!(self.way, ClientRoute::Tunnel { .. }).then_some("a tunnel inside a tunnel is not opened");
        let bodied =
            (body::framing(head, 0).ok() != Some(Framing::None)).then_some("a tunnel is asked for without a body");
        if let Some(message) = nested.or(bodied) {
            let misplaced = malformed(head, &self.way, message);
            return self.misplaced(head, misplaced, 400).await;
        }
        let (host, port) = match tunnel_place(head) {
            Ok(place) => place,
            Err(misplaced) => return self.misplaced(head, misplaced, 400).await,
        };
        if let Err(error) = self.gateway.admit_tunnel(&host, port).await {
            return self.reply(&refusal::reply(&error), Self::form(head)).await;
        }
        let opened = self.interject(b"HTTP/1.1 200 Connection established\r\n\r\n").await;
        if opened { NextState::Tunnel { host, port } } else { NextState::Close }
    }

    fn framing(&self, head: &Head) -> Result<Framing, (u16, String)> {
        if head.all("upgrade").next().is_some() || head.says("connection", "upgrade") {
            return Err((501, "upgrades, WebSockets among them, do not pass".to_owned()));
        }
        if head.all("expect").any(|expected| !expected.eq_ignore_ascii_case(b"100-continue")) {
            return Err((417, "something is expected that is not `100-continue`".to_owned()));
        }
        body::framing(head, self.gateway.limits().max_request_bytes)
            .map_err(|fault| (status_of(&fault), fault.to_string()))
    }

    pub(super) async fn misplaced(&mut self, head: &Head, misplaced: MisplacedRequest, status: u16) -> NextState {
        let error = self.gateway.refuse(*misplaced.decision, misplaced.message).await;
        self.reply(&refusal::reply_as(status, &error), Form { stays: false, ..Self::form(head) }).await
    }

    pub(super) async fn unreadable(
        &mut self,
        head: &Head,
        location: &Location,
        status: u16,
        message: String,
    ) -> NextState {
        let decision = Box::new(refused(EgressChannel::Proxy, &head.method, location, EgressVerdict::Malformed));
        self.misplaced(head, MisplacedRequest { decision, message }, status).await
    }

    /// Answers without a decision to record, and ends the conversation.
    pub(super) async fn say(&mut self, status: u16, message: &str) -> NextState {
        let body = bytes::Bytes::from(format!("deed: {message}\n"));
        self.reply(&Reply { status, reason: format!("deed: {message}"), headers: Vec::new(), body }, LAST).await
    }

    pub(super) async fn reply(&mut self, reply: &Reply, form: Form) -> NextState {
        let patience = self.gateway.limits().client_body;
        let form = Form { stays: form.stays && !*self.closing.borrow(), ..form };
        let written = timeout(patience, reply.write(&mut self.stream, form)).await;
        if form.stays && matches!(written, Ok(Ok(()))) { NextState::Next } else { NextState::Close }
    }

    /// Writes an interim answer, and returns whether the client took it.
    pub(super) async fn interject(&mut self, words: &[u8]) -> bool {
        self.stream.write_all(words).await.is_ok() && self.stream.flush().await.is_ok()
    }

    pub(super) fn form(head: &Head) -> Form {
        Form { head_only: head.method == "HEAD", stays: head.stays() }
    }
}

const LAST: Form = Form { head_only: false, stays: false };

fn status_of_head(fault: HeadFault) -> u16 {
    match fault {
        HeadFault::TooLong | HeadFault::TooMany => 431,
        HeadFault::Version => 505,
        HeadFault::NoRequest | HeadFault::LineEnd | HeadFault::FirstLine => 400,
        HeadFault::Folded | HeadFault::Header => 400,
    }
}

pub(super) fn status_of(fault: &BodyFault) -> u16 {
    match fault {
        BodyFault::TooLong(_) => 413,
        BodyFault::TwoLengths | BodyFault::Length | BodyFault::Coding => 400,
        BodyFault::Chunk | BodyFault::Broken(_) => 400,
    }
}
