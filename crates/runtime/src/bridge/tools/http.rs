//! `http.fetch` and `http.submit`: requests to hosts that the contract allows, made outside the sandbox.

use super::meter::FetchMeter;
use super::{CallResult, Failed, PreparedCall, Tool, Work, members, text};
use crate::attempt::Attempt;
use crate::bridge::error::BridgeError;
use crate::bridge::{denial, denial_help};
use crate::budget::Reservation;
use crate::fault::{FailureExt, WHERE_SECRETS_ARE, fault};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use deed_canon::ContentHash;
use deed_diag::codes;
use deed_egress::{EffectIdentity, FetchAnswer, FetchError, FetchRequest, Gateway, Redirects, StopClass};
use deed_model::{BridgeErrorKind, Budget, EgressRepeat, EgressRule, EgressVerdict, FailureClass, StepFailure};
use deed_reach::{Location, Rules, Target};
use hyper::body::Bytes;
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(super) const DEFINITION: (&str, &[(&str, &str)]) = (
    "makes a request to a host that the contract allows",
    &[
        ("method", "`GET` if it is left out"),
        ("url", "where: a URL, or an endpoint that a rule names and a path"),
        ("headers", "{name: text}"),
        ("body", "a text, or any JSON, which is sent as such"),
        ("redirects", "`follow`, each decided again, or `manual`"),
    ],
);

/// The number of times that a repeatable request is sent when its answer is lost.
const TRIES: u64 = 3;

/// The largest answer that is also given as parsed JSON.
const LARGEST_PARSED: usize = 4 << 20;

/// Methods that change nothing.
pub(super) fn changes_nothing(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

/// Normalizes a request: the method in capitals, the URL as it is sent, also where it names an endpoint. A URL that cannot
/// be read stays as it is, and the gateway refuses it.
pub(super) fn normal(rules: &Rules, mut arguments: Value) -> Value {
    if let Value::Object(members) = &mut arguments {
        match members.entry("method").or_insert(Value::Null) {
            Value::String(method) => method.make_ascii_uppercase(),
            method @ Value::Null => *method = json!("GET"),
            _ => {}
        }
        if let Some(Value::String(url)) = members.get_mut("url") {
            if let Some(sent) = deed_reach::resolved(rules.rules(), url) {
                *url = sent;
            }
            if let Ok(location) = Location::read(url) {
                *url = location.to_string();
            }
        }
    }
    arguments
}

pub(super) fn prepare(attempt: &Attempt, arguments: &Value) -> Result<PreparedCall, BridgeError> {
    let members = members(arguments, DEFINITION.1)?;
    let method = text(members, "method")?.unwrap_or("GET").to_owned();
    let url = text(members, "url")?
        .ok_or_else(|| BridgeError::new(BridgeErrorKind::BadArguments, "`url` is missing"))?
        .to_owned();
    let redirects = match text(members, "redirects")?.unwrap_or("follow") {
        "follow" => Redirects::Follow,
        "manual" => Redirects::Manual,
        _ => return Err(BridgeError::new(BridgeErrorKind::BadArguments, "`redirects` is `follow` or `manual`")),
    };
    // Where an approver decides about requests, each redirect is a call of its own.
    let tool = if changes_nothing(&method) { Tool::HttpFetch } else { Tool::HttpSubmit };
    let redirects = if attempt.gated(tool) { Redirects::Manual } else { redirects };
    let mut headers = headers(members)?;
    let body = match members.get("body") {
        None | Some(Value::Null) => Bytes::new(),
        Some(Value::String(text)) => Bytes::from(text.clone().into_bytes()),
        Some(value) => {
            if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
                headers.push(("content-type".to_owned(), "application/json".to_owned()));
            }
            Bytes::from(
                deed_canon::to_canonical(value)
                    .map_err(|e| BridgeError::new(BridgeErrorKind::BadArguments, e.to_string()))?,
            )
        }
    };
    let rule = rule(attempt, &method, &url);
    // What no rule allows is not sent at all, unless the run only learns.
    let repeats = match rule {
        Some(rule) => rule.repeat == EgressRepeat::ByKey,
        None => !attempt.run.request.options.learn_egress,
    };
    let repeatable = changes_nothing(&method) || repeats;
    let money_micros = rule.and_then(|rule| rule.price_micros);
    let summary = format!("{method} {}", url.split(['?', '#']).next().unwrap_or_default());
    let effect = effect(&method, &url, &headers, &body, rule);
    let request = FetchRequest { method, url, headers, body, idempotency_key: None, redirects };
    let most = Budget { bytes_out: Some(request.bytes()), money_micros, ..Budget::default() };
    let work = Work::Fetch(request);
    Ok(PreparedCall {
        work,
        most,
        repeatable,
        summary,
        effect,
        blocks: false,
        identity: None,
        item: None,
        escalations: Vec::new(),
    })
}

/// Returns the identity of a request's effect, if it may change something.
fn effect(
    method: &str,
    url: &str,
    headers: &[(String, String)],
    body: &[u8],
    rule: Option<&EgressRule>,
) -> Option<EffectIdentity> {
    if changes_nothing(method) {
        return None;
    }
    let credential = rule.and_then(|rule| rule.credential.as_ref()).map(|credential| credential.header.as_str());
    let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    EffectIdentity::of(method, url, headers, body, credential)
}

fn headers(members: &Map<String, Value>) -> Result<Vec<(String, String)>, BridgeError> {
    let bad = || BridgeError::new(BridgeErrorKind::BadArguments, "`headers` is an object of texts");
    let Some(headers) = members.get("headers") else { return Ok(Vec::new()) };
    let headers = headers.as_object().ok_or_else(bad)?;
    headers.iter().map(|(name, value)| Ok((name.clone(), value.as_str().ok_or_else(bad)?.to_owned()))).collect()
}

/// The rule that allows a request.
fn rule<'a>(attempt: &'a Attempt, method: &str, url: &str) -> Option<&'a EgressRule> {
    let location = Location::read(url).ok()?;
    let rules = attempt.rules();
    let target =
        Target { scheme: location.scheme, host: &location.host, port: location.port, method, path: &location.path };
    rules.rules().get(rules.decide(&target).rule?)
}

pub(super) fn execute(
    attempt: &Arc<Attempt>,
    request: &FetchRequest,
    repeatable: bool,
    key: &str,
    more: &mut Vec<Reservation>,
) -> Result<CallResult, Box<Failed>> {
    let request = FetchRequest { idempotency_key: Some(key.to_owned()), ..request.clone() };
    let gateway = attempt.open_gateway().map_err(|why| {
        let failure = fault(FailureClass::ToolBridge, codes::TOOL_FAILED, why.clone());
        Box::new(Failed {
            error: BridgeError::new(BridgeErrorKind::Failed, why),
            spent: Budget::default(),
            settled: Budget::default(),
            failure: Some(failure),
        })
    })?;
    let price = rule(attempt, &request.method, &request.url).and_then(|rule| rule.price_micros);
    let once = Budget { bytes_out: Some(request.bytes()), money_micros: price, ..Budget::default() };
    let meter = FetchMeter::new(attempt, request.bytes());
    let mut sent = 0;
    let end = loop {
        match attempt.run.world.reactor.block_on(gateway.fetch(request.clone(), &meter)) {
            Ok(answer) => {
                sent += 1;
                break Ok(answer);
            }
            Err(error) => {
                sent += u64::from(error.sent());
                // Every request that left is paid for, and a retry is reserved before it is sent.
                // Code that was stopped sends nothing more.
                if error.sent()
                    && repeatable
                    && sent < TRIES
                    && !attempt.is_over()
                    && let Ok(set_aside) = attempt.run.ledger.reserve(&attempt.account, &once)
                {
                    more.push(set_aside);
                    meter.add(request.bytes());
                    continue;
                }
                break Err(error);
            }
        }
    };
    let (bytes_out, reservations) = meter.total();
    more.extend(reservations);
    let money_micros = once.times(sent).money_micros;
    let spent = Budget { governed_calls: Some(1), bytes_out: Some(bytes_out), money_micros, ..Budget::default() };
    match end {
        Ok(answer) => Ok(made(&gateway, &request, answer, spent)),
        Err(error) => Err(failed(attempt, &error, repeatable, spent)),
    }
}

fn made(gateway: &Gateway, request: &FetchRequest, answer: FetchAnswer, spent: Budget) -> CallResult {
    let proof = json!({
        "request": ContentHash::of_bytes(&request.body), "response": ContentHash::of_bytes(&answer.body),
        "status": answer.status, "url": answer.url.split(['?', '#']).next(),
    });
    let mut headers = Map::new();
    for (name, value) in &answer.headers {
        match headers.get_mut(name) {
            Some(Value::String(known)) => *known = format!("{known}, {value}"),
            _ => {
                headers.insert(name.clone(), json!(value));
            }
        }
    }
    let (body, encoding) = match std::str::from_utf8(&answer.body) {
        Ok(text) => (text.to_owned(), "utf-8"),
        Err(_) => (BASE64.encode(&answer.body), "base64"),
    };
    let small = answer.body.len() <= LARGEST_PARSED;
    let mut parsed = if small { deed_canon::parse(&answer.body).unwrap_or(Value::Null) } else { Value::Null };
    gateway.conceal_json(&mut parsed);
    let notes: Vec<String> = answer.notes.iter().map(ToString::to_string).collect();
    let value = json!({
        "status": answer.status, "url": answer.url, "headers": headers, "body": body, "encoding": encoding,
        "json": parsed, "redirects": answer.redirects, "notes": notes,
    });
    CallResult { value, spent, settled: Budget::default(), proof }
}

fn failed(attempt: &Attempt, error: &FetchError, repeatable: bool, spent: Budget) -> Box<Failed> {
    let message = error.to_string();
    let (kind, failure) = classify(error, repeatable);
    if error.sent() && !repeatable {
        attempt.trouble(failure.clone(), true);
        // The step has failed: its code must not send anything more.
        attempt.stop();
    }
    Box::new(Failed {
        error: BridgeError::new(kind, message),
        spent,
        settled: Budget::default(),
        failure: Some(failure),
    })
}

/// Classifies a request without an answer: the kind of error that code gets, and the failure of the step if its code fails
/// over it.
fn classify(error: &FetchError, repeatable: bool) -> (BridgeErrorKind, StepFailure) {
    let message = error.to_string();
    if error.sent() && !repeatable {
        let failure = fault(FailureClass::ToolBridge, codes::OUTCOME_UNKNOWN, message);
        return (BridgeErrorKind::OutcomeUnknown, failure.help("look at the other side before this is run again"));
    }
    let over_budget =
        |message| (BridgeErrorKind::Budget, fault(FailureClass::BudgetExhaustion, codes::BUDGET_SPENT, message));
    match error {
        FetchError::Denied { decision, .. } => match decision.verdict {
            EgressVerdict::OverBudget => over_budget(message),
            // A name that has no address may have one in a moment; everything else that was decided stays decided.
            EgressVerdict::Unresolved => failed_over(message),
            EgressVerdict::HostNotListed
            | EgressVerdict::PathNotListed
            | EgressVerdict::MethodNotListed
            | EgressVerdict::PrivateAddress
            | EgressVerdict::NamesDisagree
            | EgressVerdict::Malformed
            | EgressVerdict::Allowed
            | EgressVerdict::Learned => {
                let denied_as = denial(decision, Some(&message)).unwrap_or(message);
                let failure = fault(FailureClass::PolicyViolation, codes::EGRESS_DENIED, denied_as);
                (BridgeErrorKind::Denied, failure.help(denial_help(decision)))
            }
        },
        FetchError::Stopped(stop) => match stop.class {
            StopClass::Budget => over_budget(message),
            StopClass::Policy => denied(message),
            StopClass::OutcomeUnknown | StopClass::Cancelled | StopClass::Waiting => failed_over(message),
        },
        // Secrets are checked before a run starts. A retry does not bring one back.
        FetchError::Credential { .. } => {
            let failure = fault(FailureClass::MissingArtifact, codes::SECRET_MISSING, message).help(WHERE_SECRETS_ARE);
            (BridgeErrorKind::Credential, failure)
        }
        FetchError::Unreachable { .. }
        | FetchError::Lost { .. }
        | FetchError::Late { .. }
        | FetchError::Stalled { .. }
        | FetchError::TooLarge { .. }
        | FetchError::Encoded { .. }
        | FetchError::TooManyRedirects { .. }
        | FetchError::Cut
        | FetchError::Broken => failed_over(message),
    }
}

fn failed_over(message: String) -> (BridgeErrorKind, StepFailure) {
    (BridgeErrorKind::Failed, fault(FailureClass::ToolBridge, codes::TOOL_FAILED, message))
}

fn denied(message: String) -> (BridgeErrorKind, StepFailure) {
    let failure = fault(FailureClass::PolicyViolation, codes::EGRESS_DENIED, message);
    let help = "list what is needed under `egress` of the step; `deed run --learn-egress` writes such a list";
    (BridgeErrorKind::Denied, failure.help(help))
}
