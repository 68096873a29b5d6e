//! One request of a client whose place is known: decided, read, sent, answered.

use super::body::{self, BodyFault, Framing, ReadBody};
use super::client::{Client, NextState, status_of};
use super::head::Head;
use super::refusal;
use super::reply::{Form, Reply};
use crate::error::FetchError;
use crate::gateway::{Admission, GatewayRequest, HeldAnswer, refused};
use crate::headers::{OverridingHeader, Writer, passed_on};
use crate::note::Note;
use deed_model::{EgressChannel, EgressVerdict};
use deed_reach::Location;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    /// Decides about a request before its body is read, and answers it.
    pub(super) async fn request(&mut self, head: Head, location: Location, framing: Framing) -> NextState {
        let admitted = self.gateway.admit(EgressChannel::Proxy, &head.method, &location).await;
        let expecting = framing != Framing::None && head.all("expect").next().is_some();
        if let (Err(error), true) = (&admitted, expecting) {
            return self.reply(&refusal::reply(error), Form { stays: false, ..Self::form(&head) }).await;
        }
        if expecting && !self.interject(b"HTTP/1.1 100 Continue\r\n\r\n").await {
            return NextState::Close;
        }
        let taken = match self.body(framing).await {
            Some(Ok(taken)) => taken,
            // A client that goes in the middle of its request has asked for nothing.
            Some(Err(BodyFault::Broken(_))) => return NextState::Close,
            Some(Err(fault)) => return self.unreadable(&head, &location, status_of(&fault), fault.to_string()).await,
            None => return NextState::Close,
        };
        let form = Self::form(&head);
        let answered = match admitted {
            Ok(admitted) => self.exchange(head, location, taken, admitted).await,
            Err(error) => Err(error),
        };
        match answered {
            Ok(HeldAnswer { answer, place: _place }) => self.reply(&Reply::from(answer), form).await,
            Err(error) => self.reply(&refusal::reply(&error), form).await,
        }
    }

    /// The body; none if the client was too slow, or the proxy is closing.
    async fn body(&mut self, framing: Framing) -> Option<Result<ReadBody, BodyFault>> {
        let limits = *self.gateway.limits();
        let place = self.gateway.place_for_request();
        let Self { stream, closing, .. } = self;
        let read = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return None,
            read = timeout(limits.client_body, body::read(stream, framing, limits.max_request_bytes, place)) => read,
        };
        if read.is_err() {
            self.say(408, "the body of the request took too long").await;
        }
        read.ok()
    }

    async fn exchange(
        &self,
        head: Head,
        location: Location,
        taken: ReadBody,
        admitted: Admission,
    ) -> Result<HeldAnswer, FetchError> {
        let (headers, mut notes) = match passed_on(head.headers, self.gateway.rule(&admitted), Writer::Client) {
            Ok(passed) => passed,
            Err(OverridingHeader(name)) => {
                let decision = refused(EgressChannel::Proxy, &head.method, &location, EgressVerdict::Malformed);
                let message = format!("the header `{name}` could change what was decided about");
                return Err(self.gateway.refuse(decision, message).await);
            }
        };
        let ReadBody { bytes: body, trailers, place: _place } = taken;
        if trailers {
            notes.push(Note::TrailersDropped);
        }
        let ask = GatewayRequest {
            channel: EgressChannel::Proxy,
            method: head.method,
            location,
            headers,
            body,
            key: None,
            notes,
            tap: None,
        };
        self.gateway.exchange(ask, admitted).await
    }
}
