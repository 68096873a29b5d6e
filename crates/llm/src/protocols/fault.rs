//! Faults of answers.

use serde_json::Value;
use thiserror::Error;

/// A fault of an answer. It repeats nothing that the server said but its own error message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeFault {
    /// It is not valid UTF-8.
    #[error("the answer is not valid UTF-8")]
    BadUtf8,
    /// It is a page, or other text.
    #[error("the answer is {0} and not JSON")]
    NotJson(&'static str),
    /// It ends before the reply does.
    #[error("the answer ends before the reply does")]
    Cut,
    /// A part of it is missing or of another type.
    #[error("the answer has no usable `{0}`")]
    Shape(&'static str),
    /// Two calls of tools have the same id.
    #[error("two tool calls have the same id `{0}`")]
    RepeatedToolCallId(String),
    /// A number of tokens is not one.
    #[error("the usage has no usable `{0}`")]
    BadUsage(&'static str),
    /// The provider reports a failure inside of a successful answer.
    #[error("the provider reports a failure: {message}")]
    Failed {
        /// The status that the failure would have had.
        status: u16,
        /// The provider's words.
        message: String,
    },
}

/// Parses JSON, and names what else it may be.
pub(super) fn json(text: &str) -> Result<Value, DecodeFault> {
    serde_json::from_str(text).map_err(|error| {
        let begin = text.trim_start().get(..1).unwrap_or_default();
        match begin {
            "<" => DecodeFault::NotJson("a page"),
            "{" | "[" if error.is_eof() => DecodeFault::Cut,
            "" => DecodeFault::Cut,
            _ => DecodeFault::NotJson("text"),
        }
    })
}

/// Returns the failure that an answer reports.
pub(super) fn failure(answer: &Value) -> Result<(), DecodeFault> {
    let error = answer.get("error").filter(|error| !error.is_null());
    error.map_or(Ok(()), |error| Err(failed(error)))
}

/// Returns the failure that an error object says.
pub(super) fn failed(error: &Value) -> DecodeFault {
    DecodeFault::Failed { status: status_of(error), message: message_of(error) }
}

/// Returns the message of an error in an answer, cut to a length that can be shown.
pub(crate) fn message_of(error: &Value) -> String {
    let message = error.get("message").or_else(|| error.pointer("/error/message")).or_else(|| error.get("error"));
    let text = message.unwrap_or(error).as_str().unwrap_or("no message");
    text.chars().take(300).collect()
}

fn status_of(error: &Value) -> u16 {
    let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    if let Some(code) = code.filter(|code| (400..600).contains(code)) {
        return code;
    }
    let named = ["type", "code", "status"].iter().filter_map(|key| error.get(*key).and_then(Value::as_str));
    named.filter_map(status_named).next().unwrap_or(500)
}

/// Returns the status that the providers' documents give for the name of an error.
fn status_named(name: &str) -> Option<u16> {
    Some(match name {
        "invalid_request_error" | "invalid_prompt" | "INVALID_ARGUMENT" | "FAILED_PRECONDITION" => 400,
        "authentication_error" | "invalid_api_key" | "UNAUTHENTICATED" => 401,
        "permission_error" | "PERMISSION_DENIED" => 403,
        "not_found_error" | "model_not_found" | "NOT_FOUND" => 404,
        "timeout_error" | "DEADLINE_EXCEEDED" => 504,
        "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => 429,
        "UNAVAILABLE" => 503,
        "overloaded_error" => 529,
        _ => return None,
    })
}
