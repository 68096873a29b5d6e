//! Faults of the server.

use super::ScriptedReply;
use serde_json::json;

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A redirect to another path of the server.
    Redirect,
    /// A page with a status of success.
    Page,
    /// An answer without an end.
    Endless,
    /// A connection that ends in the middle of the answer.
    Cut,
    /// Two calls of tools with the same id.
    RepeatedToolCallId,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// More text than any limit.
    Oversized,
    /// A reply that violates every schema for objects.
    SchemaViolation,
    /// No usage.
    MissingUsage,
    /// Usage below zero.
    NegativeUsage,
    /// Usage beyond any reservation.
    InflatedUsage,
    /// A pause without an end.
    Idle,
    /// A status of 4xx or 5xx, with the seconds of `Retry-After`.
    Status(u16, Option<u32>),
    /// A status of 4xx or 5xx, with the text of `Retry-After` and a body.
    Refusal(u16, &'static str, &'static str),
    /// A request that is never answered.
    Silent,
    /// A piece that says nothing, every few milliseconds, without an end.
    Drip,
    /// An answer of so many megabytes.
    Huge(u32),
}

/// The text that stands for bytes that are not UTF-8: as long as a piece of a stream.
pub(super) const BROKEN: &str = "N0UTF";

impl Fault {
    /// Changes a reply, where the fault is one of its content.
    pub(super) fn applied(self, mut reply: ScriptedReply) -> ScriptedReply {
        match self {
            Self::RepeatedToolCallId => {
                let name = reply.calls.first().map_or("lookup", |(_, name, _)| name).to_owned();
                reply.calls =
                    vec![("same".to_owned(), name.clone(), json!({})), ("same".to_owned(), name, json!({"q": "2"}))];
            }
            Self::InvalidUtf8 => reply.text = BROKEN.to_owned(),
            Self::Oversized => reply.text = "x".repeat(300_000),
            Self::SchemaViolation => reply.text = "[\"no object\"]".to_owned(),
            Self::MissingUsage => reply.usage = None,
            Self::NegativeUsage => {
                if let Some(usage) = &mut reply.usage {
                    (usage.input, usage.cached, usage.output) = (-20, 0, -12);
                }
            }
            Self::InflatedUsage => {
                if let Some(usage) = &mut reply.usage {
                    (usage.input, usage.output) = (90_000_000, 90_000_000);
                }
            }
            Self::Redirect | Self::Page | Self::Endless | Self::Cut | Self::Idle | Self::Status(..) => {}
            Self::Refusal(..) | Self::Silent | Self::Drip | Self::Huge(_) => {}
        }
        reply
    }
}
