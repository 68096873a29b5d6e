//! An admitted request, in the form for the witness and in the form that is sent.

use super::Tap;
use super::credential::Credential;
use crate::effect::EffectIdentity;
use crate::error::FetchError;
use crate::headers::{Headers, text_of};
use crate::note::Note;
use crate::witness::{Outgoing, changes_nothing};
use bytes::Bytes;
use deed_canon::{ContentHash, TypeTag, hash_of};
use deed_diag::Invariant as _;
use deed_model::{EgressChannel, EgressDecision, EgressRepeat, EgressVerdict};
use deed_reach::Location;
use http::header::{ACCEPT_ENCODING, CONNECTION, HOST};
use http::{HeaderName, HeaderValue, Request};
use http_body_util::Full;
use std::net::IpAddr;

const HEADERS: TypeTag = TypeTag::literal("deed/egress-headers/v1");
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A request whose headers are those that are passed on.
#[derive(Debug, Clone)]
pub(crate) struct GatewayRequest {
    pub(crate) channel: EgressChannel,
    pub(crate) method: String,
    pub(crate) location: Location,
    pub(crate) headers: Headers,
    pub(crate) body: Bytes,
    /// The key of the call that this request belongs to; none where the witness gives one.
    pub(crate) key: Option<String>,
    pub(crate) notes: Vec<Note>,
    /// A tap on its answer.
    pub(crate) tap: Option<Tap>,
}

impl GatewayRequest {
    pub(crate) fn decision(
        &self,
        verdict: EgressVerdict,
        rule: Option<usize>,
        address: Option<IpAddr>,
    ) -> EgressDecision {
        let decision = super::admit::decision(self.channel, &self.method, &self.location, verdict);
        EgressDecision { rule, address, ..decision }
    }

    /// Returns the bytes of it that leave: method, URL, headers and body. What the gateway itself adds is not counted.
    pub(crate) fn bytes(&self) -> u64 {
        let headers = self.headers.iter().map(|(name, value)| (name.as_str().len(), value.len()));
        size(&self.method, &self.location.to_string(), headers, self.body.len())
    }

    pub(super) fn outgoing(&self, rule: Option<usize>, repeat: EgressRepeat) -> Outgoing {
        Outgoing {
            channel: self.channel,
            method: self.method.clone(),
            url: self.location.to_string(),
            headers_hash: headers_hash(&self.headers),
            body_sha256: ContentHash::of_bytes(&self.body),
            effect: self.effect(),
            bytes: self.bytes(),
            rule,
            repeat,
        }
    }

    fn effect(&self) -> Option<EffectIdentity> {
        let texts: Vec<(&str, String)> =
            self.headers.iter().map(|(name, value)| (name.as_str(), text_of(value.as_bytes()))).collect();
        let headers = texts.iter().map(|(name, value)| (*name, value.as_str()));
        // The header of a credential is not among those that are passed on.
        EffectIdentity::of(&self.method, &self.location.to_string(), headers, &self.body, None)
    }

    /// The request as it is sent: `Host` from the URL, the key where it matters, the credential last.
    pub(super) fn request(
        &self,
        key: &str,
        credential: Option<&Credential>,
    ) -> Result<Request<Full<Bytes>>, FetchError> {
        let host = self.location.authority();
        let mut request = Request::builder()
            .method(self.method.as_str())
            .uri(self.location.path_and_query())
            .header(HOST, &host)
            .header(CONNECTION, "close");
        for (name, value) in &self.headers {
            // An echo of the secret can be seen only in what is not compressed.
            if credential.is_none() || name != ACCEPT_ENCODING {
                request = request.header(name, value);
            }
        }
        if !changes_nothing(&self.method) && !self.headers.iter().any(|(name, _)| name == KEY) {
            request = request.header(KEY, key);
        }
        if let Some(credential) = credential {
            let plain = HeaderValue::from_static("identity");
            request = request.header(ACCEPT_ENCODING, plain).header(&credential.header, &credential.value);
        }
        let unwritten = |_| FetchError::Unreachable { host, message: "the request cannot be written".to_owned() };
        request.body(Full::new(self.body.clone())).map_err(unwritten)
    }

    /// The notes on the request.
    pub(super) fn notes_of(self, credential: Option<&Credential>) -> Vec<Note> {
        let mut notes = self.notes;
        if credential.is_some() && self.headers.iter().any(|(name, _)| name == ACCEPT_ENCODING) {
            notes.push(Note::AskedPlain);
        }
        notes
    }
}

/// The bytes of a request: method, URL, header lines and body.
pub(crate) fn size(method: &str, url: &str, headers: impl Iterator<Item = (usize, usize)>, body: usize) -> u64 {
    // Each header is a name and a value, with a colon, a space and the end of its line.
    let lines: usize = headers.map(|(name, value)| name + value + 4).sum();
    (method.len() + url.len() + lines + body) as u64
}

fn headers_hash(headers: &Headers) -> ContentHash {
    let mut pairs: Vec<(&str, String)> =
        headers.iter().map(|(name, value)| (name.as_str(), text_of(value.as_bytes()))).collect();
    pairs.sort();
    hash_of(&HEADERS, &pairs).invariant("pairs of texts have a canonical form")
}
