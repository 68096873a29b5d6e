//! `http.fetch`: one request of a script, with its redirects, each of which is decided again.

use crate::error::FetchError;
use crate::gateway::{Gateway, GatewayRequest, StreamTiming, Tap, refused, size, unread};
use crate::headers::{Headers, OverridingHeader, Writer, passed_on};
use crate::note::{Dropped, Note};
use crate::stored::StoredResponse;
use crate::witness::{Meter, changes_nothing};
use bytes::Bytes;
use deed_model::{EgressChannel, EgressVerdict};
use deed_reach::{Location, Target, is_token};
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderName, HeaderValue};
use tokio::sync::mpsc::UnboundedSender;

/// A request of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchRequest {
    /// The method; it is sent in capitals.
    pub method: String,
    /// The URL.
    pub url: String,
    /// Headers. Those that follow from the URL or belong to a connection are dropped with a note.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Bytes,
    /// The key that is sent as `Idempotency-Key` if the method changes something and no header gives one; without it the
    /// witness gives one.
    pub idempotency_key: Option<String>,
    /// The treatment of redirects.
    pub redirects: Redirects,
}

impl FetchRequest {
    /// The bytes of the request: method, URL, headers and body, without the key.
    pub fn bytes(&self) -> u64 {
        let headers = self.headers.iter().map(|(name, value)| (name.len(), value.chars().count()));
        size(&self.method, &self.url, headers, self.body.len())
    }
}

/// The treatment of redirects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redirects {
    /// They are followed, each decided again.
    #[default]
    Follow,
    /// They are given to the script.
    Manual,
}

/// The answer to a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchAnswer {
    /// The URL that answered.
    pub url: String,
    /// The URLs that led there, in order.
    pub redirects: Vec<String>,
    /// The status.
    pub status: u16,
    /// The headers, in order, names in lowercase; values have one character for each byte.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Bytes,
    /// Notes on what was dropped, changed or concealed, of all hops.
    pub notes: Vec<Note>,
}

/// A request on its way through redirects.
#[derive(Clone)]
struct Hop {
    channel: EgressChannel,
    method: String,
    location: Location,
    headers: Headers,
    body: Bytes,
    key: Option<String>,
    tap: Option<Tap>,
}

impl Gateway {
    /// Sends a request, follows its redirects if it says so, and returns the last answer. Every request is metered before it
    /// leaves, redirects included.
    ///
    /// # Errors
    /// When a request is denied, stopped by the meter, or has no answer that can be given.
    pub async fn fetch(&self, request: FetchRequest, meter: &dyn Meter) -> Result<FetchAnswer, FetchError> {
        let follow = request.redirects == Redirects::Follow;
        let mut hop = self.first_hop(EgressChannel::Fetch, request).await?;
        let (mut redirects, mut notes) = (Vec::new(), Vec::new());
        loop {
            let mut answer = self.hop(&hop, meter).await?;
            notes.append(&mut answer.notes);
            let next = answer.header("location").filter(|_| follow && is_redirect(answer.status)).map(str::to_owned);
            let Some(reference) = next else { return Ok(given(answer, &hop, redirects, notes)) };
            // A request that has its answer must not fail over a redirect that is not followed.
            if !self.is_free(&hop) {
                notes.push(Note::RedirectNotFollowed);
                return Ok(given(answer, &hop, redirects, notes));
            }
            let next = self.next_hop(&hop, answer.status, &reference, &mut notes).await?;
            if !self.is_free(&next) {
                notes.push(Note::RedirectNotFollowed);
                return Ok(given(answer, &hop, redirects, notes));
            }
            redirects.push(hop.location.to_string());
            if redirects.len() > self.limits().max_redirects {
                return Err(FetchError::TooManyRedirects { limit: self.limits().max_redirects });
            }
            hop = next;
        }
    }

    /// Sends a request of a model's client and returns its answer, which passes `chunks` as it arrives. No redirect is
    /// followed. The rules, the witness, the credential and the meter are those of [`Gateway::fetch`].
    ///
    /// Chunks are without secrets, and only show progress: the answer counts once it is returned, after the witness has
    /// ended the request. A dropped receiver cuts the request.
    ///
    /// # Errors
    /// When a request is denied, stopped by the meter, or has no answer that can be given.
    pub async fn stream(
        &self,
        request: FetchRequest,
        timing: StreamTiming,
        chunks: UnboundedSender<Bytes>,
        meter: &dyn Meter,
    ) -> Result<FetchAnswer, FetchError> {
        let mut hop = self.first_hop(EgressChannel::Model, request).await?;
        hop.tap = Some(Tap { timing, chunks });
        let mut answer = self.hop(&hop, meter).await?;
        let notes = std::mem::take(&mut answer.notes);
        Ok(given(answer, &hop, Vec::new(), notes))
    }

    async fn first_hop(&self, channel: EgressChannel, request: FetchRequest) -> Result<Hop, FetchError> {
        if self.reveals(&request.method) || self.reveals(written_host(&request.url)) {
            return Err(self.refuse(unread(channel, "?"), REVEALING.to_owned()).await);
        }
        let method = request.method.to_ascii_uppercase();
        if !is_token(method.as_bytes()) {
            return Err(self.refuse(unread(channel, "?"), "the method is not an HTTP token".to_owned()).await);
        }
        let location = match Location::read(&request.url) {
            Ok(location) => location,
            Err(fault) => return Err(self.refuse(unread(channel, &method), fault.to_string()).await),
        };
        let malformed = refused(channel, &method, &location, EgressVerdict::Malformed);
        let Some(headers) = read_headers(&request.headers) else {
            return Err(self.refuse(malformed, "a header is not a name with a printable value".to_owned()).await);
        };
        if request.body.len() > self.limits().max_request_bytes {
            let message = format!("the body is longer than {} bytes", self.limits().max_request_bytes);
            return Err(self.refuse(malformed, message).await);
        }
        Ok(Hop { channel, method, location, headers, body: request.body, key: request.idempotency_key, tap: None })
    }

    async fn hop(&self, hop: &Hop, meter: &dyn Meter) -> Result<StoredResponse, FetchError> {
        let admitted = self.admit(hop.channel, &hop.method, &hop.location).await?;
        let (headers, notes) = match passed_on(hop.headers.clone(), self.rule(&admitted), Writer::Script) {
            Ok(passed) => passed,
            Err(OverridingHeader(name)) => {
                let malformed = refused(hop.channel, &hop.method, &hop.location, EgressVerdict::Malformed);
                let message = format!("the header `{name}` could change what was decided about");
                return Err(self.refuse(malformed, message).await);
            }
        };
        let (method, location, body) = (hop.method.clone(), hop.location.clone(), hop.body.clone());
        let (key, tap) = (hop.key.clone(), hop.tap.clone());
        let ask = GatewayRequest { channel: hop.channel, method, location, headers, body, key, notes, tap };
        let bytes = ask.bytes();
        meter.leaving(bytes).map_err(FetchError::Stopped)?;
        let answered = self.exchange(ask, admitted).await;
        if answered.as_ref().is_err_and(|error| !error.sent()) {
            meter.stayed(bytes);
        }
        Ok(answered?.answer)
    }

    /// Returns whether a request costs nothing and changes nothing. Others are calls of their own, each with its own price, its
    /// own key and its own approval, and so are left to the caller.
    fn is_free(&self, hop: &Hop) -> bool {
        let Location { scheme, host, port, path, .. } = &hop.location;
        let target = Target { scheme: *scheme, host, port: *port, method: &hop.method, path };
        let rule = self.rules().decide(&target).rule.and_then(|rule| self.rules().rules().get(rule));
        changes_nothing(&hop.method) && rule.is_none_or(|rule| rule.price_micros.is_none())
    }

    async fn next_hop(
        &self,
        hop: &Hop,
        status: u16,
        reference: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Hop, FetchError> {
        let mut hop = hop.clone();
        hop.channel = EgressChannel::Redirect;
        let location = match hop.location.join(reference) {
            Ok(location) => location,
            Err(fault) => {
                let malformed = refused(hop.channel, &hop.method, &hop.location, EgressVerdict::Malformed);
                return Err(self.refuse(malformed, format!("the redirect cannot be followed: {fault}")).await);
            }
        };
        let turned = (status == 303 && hop.method != "HEAD") || (matches!(status, 301 | 302) && hop.method == "POST");
        if turned {
            hop.method = "GET".to_owned();
            hop.body = Bytes::new();
            hop.headers.retain(|(name, _)| !name.as_str().starts_with("content-"));
        }
        if !location.has_origin_of(&hop.location) {
            drop_private(&mut hop.headers, notes);
        }
        hop.location = location;
        Ok(hop)
    }
}

/// The message for a request that no one may read.
pub(crate) const REVEALING: &str = "the method or the host looks like a secret";

/// The host of a URL as it was written, with what stands beside it.
pub fn written_host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#', '\\']).next().unwrap_or_default()
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Drops headers that a script meant for one host before a request to another.
fn drop_private(headers: &mut Headers, notes: &mut Vec<Note>) {
    headers.retain(|(name, _)| {
        let private = name == AUTHORIZATION || name == COOKIE;
        if private {
            notes.push(Note::HeaderDropped { name: name.as_str().to_owned(), why: Dropped::OtherHost });
        }
        !private
    });
}

fn read_headers(headers: &[(String, String)]) -> Option<Headers> {
    let read = |(name, value): &(String, String)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        // One character for each byte, as in answers, so that what came from one can be sent in another.
        let bytes = value.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<Vec<u8>>>()?;
        Some((name, HeaderValue::from_bytes(&bytes).ok()?))
    };
    headers.iter().map(read).collect()
}

fn given(answer: StoredResponse, hop: &Hop, redirects: Vec<String>, notes: Vec<Note>) -> FetchAnswer {
    let StoredResponse { status, headers, body, .. } = answer;
    FetchAnswer { url: hop.location.to_string(), redirects, status, headers, body, notes }
}
