//! Diagnostics of errors of models and transcripts.

use crate::transcript::TranscriptFault;
use deed_diag::{Code, Diagnostic, codes};
use deed_ports::{ModelError, ModelErrorKind};

/// Returns the diagnostic of an error, with its code and its fix.
pub fn diagnostic(error: &ModelError) -> Diagnostic {
    let (code, help) = code_of(error.kind);
    Diagnostic::error(code, error.message.clone()).stage("model").help(help)
}

/// Returns the diagnostic of a fault of a transcript.
pub fn transcript_diagnostic(fault: &TranscriptFault) -> Diagnostic {
    let (code, help) = match fault {
        TranscriptFault::Credential { .. } => {
            (codes::TRANSCRIPT_HOLDS_CREDENTIAL, "remove it from the prompt, record again, and treat it as leaked")
        }
        TranscriptFault::Unfinished => {
            (codes::TRANSCRIPT_UNFINISHED, "record it again, or take the file as it was written")
        }
        TranscriptFault::Line(_)
        | TranscriptFault::Chain { .. }
        | TranscriptFault::Head
        | TranscriptFault::End(_)
        | TranscriptFault::Key(_)
        | TranscriptFault::Twice { .. } => {
            (codes::TRANSCRIPT_EDITED, "take the file as it was recorded; `deed transcript merge` joins transcripts")
        }
    };
    Diagnostic::error(code, fault.to_string()).stage("transcript").help(help)
}

fn code_of(kind: ModelErrorKind) -> (Code, &'static str) {
    match kind {
        ModelErrorKind::UnknownProvider => (codes::UNKNOWN_PROVIDER, "`deed models list` shows the providers"),
        ModelErrorKind::UnknownModel => (codes::UNKNOWN_MODEL, "compare the name with the provider's list of models"),
        ModelErrorKind::MissingKey => {
            (codes::MODEL_KEY_MISSING, "put the key into `.deed/secrets/<name>` or `DEED_SECRET_<NAME>`")
        }
        ModelErrorKind::RefusedKey => {
            (codes::MODEL_KEY_REFUSED, "check that the key is whole, not revoked, and may use the model")
        }
        ModelErrorKind::Unencodable => (codes::CALL_NOT_ENCODABLE, "check the attachments and numbers of the call"),
        ModelErrorKind::NoPrice => {
            (codes::MODEL_WITHOUT_PRICE, "add the model to the price table, or drop the money budget")
        }
        ModelErrorKind::OverBudget => (codes::MODEL_OVER_BUDGET, "raise the budget, or lower `max_tokens`"),
        ModelErrorKind::Denied => (codes::MODEL_CALL_DENIED, "allow the provider's host by an egress rule"),
        ModelErrorKind::Unreachable => (codes::MODEL_UNREACHABLE, "check the address, and that the server runs"),
        ModelErrorKind::Rejected => {
            (codes::MODEL_REQUEST_REJECTED, "the provider's message says what it does not accept")
        }
        ModelErrorKind::RateLimited => (codes::MODEL_RATE_LIMITED, "wait, or lower the calls at once and in a minute"),
        ModelErrorKind::ServerFailed => {
            (codes::MODEL_SERVER_FAILED, "try again later; the provider's status page may say more")
        }
        ModelErrorKind::Redirected => {
            (codes::MODEL_REDIRECTED, "give the address that the endpoint redirects to, if you trust it")
        }
        ModelErrorKind::NotJson => {
            (codes::MODEL_ANSWER_NOT_JSON, "check the base URL: pages come from portals and websites")
        }
        ModelErrorKind::TimedOut => (codes::MODEL_TIMED_OUT, "raise the timeout, or lower `max_tokens`"),
        ModelErrorKind::Cut => (codes::MODEL_ANSWER_CUT, "try again; the attempts say what may have been paid for"),
        ModelErrorKind::BadUtf8 => (codes::MODEL_ANSWER_NOT_UTF8, "report it to the operator of the endpoint"),
        ModelErrorKind::TooLarge => (codes::MODEL_ANSWER_TOO_LARGE, "lower `max_tokens`, or check the endpoint"),
        ModelErrorKind::Malformed => {
            (codes::MODEL_ANSWER_MALFORMED, "check that the endpoint speaks the provider's protocol")
        }
        ModelErrorKind::RepeatedToolCallId => {
            (codes::TOOL_CALL_ID_REPEATED, "report it to the operator of the endpoint")
        }
        ModelErrorKind::BadUsage => (
            codes::MODEL_USAGE_UNUSABLE,
            "the whole reservation was committed; report it to the operator of the endpoint",
        ),
        ModelErrorKind::BeyondReservation => (
            codes::MODEL_USAGE_BEYOND_RESERVATION,
            "the whole reservation was committed, and the provider may bill more: compare its bill, and report it to its operator",
        ),
        ModelErrorKind::Unrecorded => (codes::MODEL_ATTEMPT_UNRECORDED, "make the journal or the transcript writable"),
        ModelErrorKind::NotInTranscript => {
            (codes::CALL_NOT_IN_TRANSCRIPT, "record it, or undo the change at the named place")
        }
        ModelErrorKind::OutputNeverValid => {
            (codes::MODEL_OUTPUT_NEVER_VALID, "simplify the schema, or use another model")
        }
    }
}
