//! Replies to requests without an answer. The reason is in the status line too, since a traceback of Python shows nothing
//! else.

use super::reply::Reply;
use crate::error::FetchError;
use crate::witness::StopClass;
use bytes::Bytes;
use deed_model::EgressVerdict;
use deed_reach::yaml;

const LONGEST_REASON: usize = 200;

/// The answer for an error.
pub(super) fn reply(error: &FetchError) -> Reply {
    reply_as(status(error), error)
}

/// The answer for an error, with a status of its own.
pub(super) fn reply_as(status: u16, error: &FetchError) -> Reply {
    let message = error.to_string();
    let mut body = format!("deed: {message}\n");
    if let FetchError::Denied { needed: Some(rule), .. } = error {
        body.push_str("\nthis rule in the egress of the step would allow it, where the host has an address for everyone or the rule says \
             `private_addresses: true`:\n");
        body.push_str(&yaml(std::slice::from_ref(rule)));
    }
    let headers = vec![
        ("deed-egress".to_owned(), format!("{}; reason={}", word(error), error.code())),
        ("content-type".to_owned(), "text/plain; charset=utf-8".to_owned()),
    ];
    Reply { status, reason: reason(&message), headers, body: Bytes::from(body) }
}

fn reason(message: &str) -> String {
    let letters = message.chars().filter(|letter| *letter != '`').take(LONGEST_REASON);
    format!("deed: {}", letters.collect::<String>())
}

fn word(error: &FetchError) -> &'static str {
    match error {
        FetchError::Denied { .. } => "denied",
        FetchError::Stopped(_) => "stopped",
        FetchError::Credential { .. } | FetchError::Unreachable { .. } | FetchError::Lost { .. } => "failed",
        FetchError::Late { .. }
        | FetchError::Stalled { .. }
        | FetchError::TooLarge { .. }
        | FetchError::Encoded { .. } => "failed",
        FetchError::TooManyRedirects { .. } | FetchError::Cut | FetchError::Broken => "failed",
    }
}

fn status(error: &FetchError) -> u16 {
    match error {
        FetchError::Denied { decision, .. } => match decision.verdict {
            EgressVerdict::NamesDisagree | EgressVerdict::Malformed => 400,
            EgressVerdict::Unresolved => 502,
            EgressVerdict::OverBudget => 429,
            EgressVerdict::HostNotListed | EgressVerdict::PathNotListed | EgressVerdict::MethodNotListed => 403,
            EgressVerdict::PrivateAddress | EgressVerdict::Allowed | EgressVerdict::Learned => 403,
        },
        FetchError::Stopped(stop) => match stop.class {
            StopClass::Policy => 403,
            StopClass::Budget => 429,
            StopClass::OutcomeUnknown => 409,
            StopClass::Cancelled | StopClass::Waiting => 503,
        },
        FetchError::Credential { .. } | FetchError::Unreachable { .. } | FetchError::Lost { .. } => 502,
        FetchError::TooLarge { .. } | FetchError::Encoded { .. } | FetchError::TooManyRedirects { .. } => 502,
        FetchError::Late { .. } | FetchError::Stalled { .. } | FetchError::Cut => 504,
        FetchError::Broken => 500,
    }
}
