//! One attempt: what was sent, what came, and what it means.

use super::{Client, retry};
use crate::habits;
use crate::protocols::{DecodeFault, Streaming, WireRequest, decode, message_of};
use bytes::Bytes;
use deed_diag::Invariant as _;
use deed_egress::{FetchAnswer, FetchError, FetchRequest, Redirects, StopClass, StreamTiming};
use deed_model::{AttemptOutcome, AttemptPayment, EgressVerdict, ModelCall, ModelReply, OutputCheck, StopReason};
use deed_ports::{ModelErrorKind, RawExchange};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The result of an attempt.
pub(super) struct Landed {
    pub(super) outcome: AttemptOutcome,
    pub(super) status: Option<u16>,
    pub(super) payment: AttemptPayment,
    pub(super) request_id: Option<String>,
    pub(super) asked_wait_ms: Option<u64>,
    pub(super) exchange: Option<RawExchange>,
    pub(super) result: Result<Box<ModelReply>, (ModelErrorKind, String)>,
}

/// The meaning of a failure.
type Meaning = (AttemptOutcome, AttemptPayment, ModelErrorKind, String);

impl Client {
    pub(super) async fn attempt(&self, call: &ModelCall, request: &WireRequest) -> Landed {
        let config = &self.config;
        let base = config.provider.base_url.as_deref().invariant("a call is prepared for a provider with an address");
        let url = format!("{base}{}", request.path);
        let body = Bytes::from(request.body.to_string());
        let accept =
            if config.streaming == Streaming::On { "text/event-stream, application/json" } else { "application/json" };
        let mut headers =
            vec![("content-type".to_owned(), "application/json".to_owned()), ("accept".to_owned(), accept.to_owned())];
        headers.extend(config.provider.headers.iter().cloned());
        let asked = FetchRequest {
            method: "POST".to_owned(),
            url: url.clone(),
            headers,
            body: body.clone(),
            idempotency_key: None,
            redirects: Redirects::Manual,
        };
        // Without a stream the first byte comes with the last, and the total time decides.
        let idle = match config.streaming {
            Streaming::On => config.timing.idle,
            Streaming::Off => config.timing.total.saturating_mul(2),
        };
        let (sender, chunks) = unbounded_channel();
        let timing = StreamTiming { total: config.timing.total, idle };
        let answered = config.gateway.stream(asked, timing, sender, &*config.meter).await;
        let sent = |status, response| Some(RawExchange { url, request: body.to_vec(), status, response });
        match answered {
            Ok(answer) => {
                let exchange = sent(Some(answer.status), answer.body.to_vec());
                let mut landed = self.answered(call, &answer);
                landed.exchange = exchange;
                landed
            }
            Err(error) => {
                let exchange = error.sent().then(|| sent(None, collected(chunks))).flatten();
                let mut landed = failed(meaning_of(&error));
                landed.exchange = exchange;
                landed
            }
        }
    }

    /// Reads an answer.
    fn answered(&self, call: &ModelCall, answer: &FetchAnswer) -> Landed {
        let header = |name: &str| answer.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let protocol = self.config.provider.protocol;
        let mut landed = match answer.status {
            200..=299 => match decode(protocol, self.config.streaming, &answer.body) {
                Ok(reply) => {
                    let mut reply = self.concealed(reply);
                    habits::complete(&mut reply, call, protocol);
                    replied(reply)
                }
                Err(fault) => failed(meaning_of_fault(fault)),
            },
            300..=399 => {
                let message = "the endpoint answers with a redirect, which is not followed".to_owned();
                failed((AttemptOutcome::Unusable, AttemptPayment::None, ModelErrorKind::Redirected, message))
            }
            status => refused(status, &answer.body),
        };
        landed.status = Some(answer.status);
        let asked = retry::asked_wait(&answer.headers, self.config.pace.unix_ms());
        landed.asked_wait_ms = asked.or(landed.asked_wait_ms);
        let id = header("request-id").or_else(|| header("x-request-id")).or_else(|| header("apim-request-id"));
        if let Ok(reply) = &mut landed.result {
            reply.request_id = id.clone().or_else(|| reply.request_id.clone());
            landed.request_id = reply.request_id.clone();
        } else {
            landed.request_id = id;
        }
        landed
    }
}

impl Client {
    /// Conceals a key that the provider repeated in several parts of a stream, which only the whole reply shows.
    fn concealed(&self, reply: ModelReply) -> ModelReply {
        let mut value = serde_json::to_value(reply).invariant("a reply is JSON");
        self.config.gateway.conceal_json(&mut value);
        serde_json::from_value(value).invariant("a text in place of another one leaves a reply")
    }
}

fn collected(mut chunks: UnboundedReceiver<Bytes>) -> Vec<u8> {
    let mut all = Vec::new();
    while let Ok(chunk) = chunks.try_recv() {
        all.extend_from_slice(&chunk);
    }
    all
}

fn replied(reply: ModelReply) -> Landed {
    Landed {
        outcome: AttemptOutcome::Replied,
        status: None,
        payment: AttemptPayment::Paid,
        request_id: None,
        asked_wait_ms: None,
        exchange: None,
        result: Ok(Box::new(reply)),
    }
}

fn failed((outcome, payment, kind, message): Meaning) -> Landed {
    let result = Err((kind, message));
    Landed { outcome, status: None, payment, request_id: None, asked_wait_ms: None, exchange: None, result }
}

/// Returns the meaning of a request without an answer.
fn meaning_of(error: &FetchError) -> Meaning {
    use AttemptOutcome as O;
    use ModelErrorKind as K;
    let (outcome, kind) = match error {
        FetchError::Denied { decision, .. } if decision.verdict == EgressVerdict::Unresolved => {
            (O::Unreachable, K::Unreachable)
        }
        FetchError::Denied { .. } => (O::Denied, K::Denied),
        FetchError::Stopped(stop) if stop.class == StopClass::Budget => (O::Denied, K::OverBudget),
        FetchError::Stopped(_) => (O::Denied, K::Denied),
        FetchError::Credential { .. } => (O::Denied, K::MissingKey),
        FetchError::Unreachable { .. } => (O::Unreachable, K::Unreachable),
        FetchError::Lost { .. } => (O::Cut, K::Cut),
        FetchError::Stalled { .. } => (O::Idle, K::TimedOut),
        FetchError::Late { .. } => (O::Late, K::TimedOut),
        FetchError::TooLarge { .. } => (O::Unusable, K::TooLarge),
        FetchError::TooManyRedirects { .. } => (O::Unusable, K::Redirected),
        FetchError::Encoded { .. } | FetchError::Broken => (O::Unusable, K::Malformed),
        // The run was stopped.
        FetchError::Cut => (O::Unusable, K::Cut),
    };
    let payment = if error.sent() { AttemptPayment::Possible } else { AttemptPayment::None };
    (outcome, payment, kind, error.to_string())
}

/// Returns the meaning of an answer that cannot be read.
fn meaning_of_fault(fault: DecodeFault) -> Meaning {
    use AttemptOutcome as O;
    use ModelErrorKind as K;
    let message = fault.to_string();
    let (outcome, payment, kind) = match fault {
        DecodeFault::BadUtf8 => (O::Unusable, AttemptPayment::Possible, K::BadUtf8),
        DecodeFault::NotJson(_) => (O::Unusable, AttemptPayment::Possible, K::NotJson),
        DecodeFault::Cut => (O::Cut, AttemptPayment::Possible, K::Cut),
        DecodeFault::Shape(_) => (O::Unusable, AttemptPayment::Possible, K::Malformed),
        DecodeFault::RepeatedToolCallId(_) => (O::Unusable, AttemptPayment::Paid, K::RepeatedToolCallId),
        DecodeFault::BadUsage(_) => (O::Unusable, AttemptPayment::Paid, K::BadUsage),
        DecodeFault::Failed { status, .. } => {
            let (outcome, kind) = class(status);
            (outcome, AttemptPayment::Possible, kind)
        }
    };
    (outcome, payment, kind, message)
}

/// Returns the class of a status.
fn class(status: u16) -> (AttemptOutcome, ModelErrorKind) {
    match status {
        401 | 403 => (AttemptOutcome::Rejected, ModelErrorKind::RefusedKey),
        404 => (AttemptOutcome::Rejected, ModelErrorKind::UnknownModel),
        408 | 429 => (AttemptOutcome::RateLimited, ModelErrorKind::RateLimited),
        500..=599 => (AttemptOutcome::ServerFailed, ModelErrorKind::ServerFailed),
        _ => (AttemptOutcome::Rejected, ModelErrorKind::Rejected),
    }
}

/// Reads a refusal of the provider. A filter that refuses the input is a result and not an error.
fn refused(status: u16, body: &[u8]) -> Landed {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    // Gemini answers a request for a stream with a list.
    let said = said.get(0).unwrap_or(&said);
    let error = said.get("error").unwrap_or(said);
    let code = error.get("code").and_then(Value::as_str);
    if code == Some("content_filter") {
        let mut landed = replied(filtered());
        landed.payment = AttemptPayment::None;
        return landed;
    }
    let (outcome, kind) = match code {
        Some("model_not_found") => (AttemptOutcome::Rejected, ModelErrorKind::UnknownModel),
        // No wait helps: the account has to be paid for.
        Some("insufficient_quota") => (AttemptOutcome::Rejected, ModelErrorKind::RateLimited),
        _ if is_of_key(error) => (AttemptOutcome::Rejected, ModelErrorKind::RefusedKey),
        _ => class(status),
    };
    let message = format!("the provider answers with status {status}: {}", message_of(error));
    let mut landed = failed((outcome, AttemptPayment::None, kind, message));
    landed.asked_wait_ms = retry::asked_in_body(error);
    landed
}

/// Returns true where Gemini refuses a key, which it does with status 400.
fn is_of_key(error: &Value) -> bool {
    let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
    details.filter_map(|detail| detail.get("reason").and_then(Value::as_str)).any(|reason| reason == "API_KEY_INVALID")
}

fn filtered() -> ModelReply {
    ModelReply {
        model: None,
        parts: Vec::new(),
        stop: StopReason::ContentFilter,
        usage: None,
        output: OutputCheck::Unchecked,
        dropped: Vec::new(),
        notes: Vec::new(),
        request_id: None,
    }
}
