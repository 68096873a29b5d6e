//! Readers shared by protocols.

use super::fault::DecodeFault;
use deed_model::{MessagePart, ModelReply, OutputCheck, ReplyNote, StopReason};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns a number of tokens: none if it is missing or null.
pub(super) fn tokens(usage: &Value, pointer: &'static str) -> Result<Option<u64>, DecodeFault> {
    match usage.pointer(pointer).filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or(DecodeFault::BadUsage(pointer)),
    }
}

/// Returns a number of tokens without a part of it that is counted elsewhere.
pub(super) fn without(all: u64, part: u64, pointer: &'static str) -> Result<u64, DecodeFault> {
    all.checked_sub(part).ok_or(DecodeFault::BadUsage(pointer))
}

/// Divides all input into what no cache held and what was written to one. What was written is never more than what was
/// not read from it.
pub(super) fn uncached(all: u64, read: u64, written: u64, pointer: &'static str) -> Result<(u64, u64), DecodeFault> {
    let rest = without(all, read, pointer)?;
    let written = written.min(rest);
    Ok((rest - written, written))
}

/// Returns a text of an object, if it is there and not empty.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Reads the arguments of a call that are JSON in a text. No text stands for no arguments; a text that is not JSON is kept
/// as it is, since the schema of the tool will refuse it with the reason.
pub(super) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Default::default());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// An empty reply, to be filled.
pub(super) fn reply(model: Option<&str>, request_id: Option<&str>) -> ModelReply {
    ModelReply {
        model: model.map(str::to_owned),
        parts: Vec::new(),
        stop: StopReason::Ended,
        usage: None,
        output: OutputCheck::Unchecked,
        dropped: Vec::new(),
        notes: Vec::new(),
        request_id: request_id.map(str::to_owned),
    }
}

/// Returns true for the id of a call that the provider gave none: it means nothing to it.
pub(super) fn is_own_id(id: &str) -> bool {
    let digits = ["call_", "text_"].iter().find_map(|begin| id.strip_prefix(begin));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Numbers the calls that have no id, refuses ids that occur twice, and lets calls decide the reason of the end.
pub(super) fn numbered(reply: &mut ModelReply) -> Result<(), DecodeFault> {
    let mut seen = BTreeSet::new();
    let mut next = 0_u32;
    for part in &mut reply.parts {
        let MessagePart::ToolCall { id, .. } = part else { continue };
        if id.is_empty() {
            next += 1;
            *id = format!("call_{next}");
            reply.notes.push(ReplyNote::ToolCallNumbered { id: id.clone() });
        }
        if !seen.insert(id.clone()) {
            return Err(DecodeFault::RepeatedToolCallId(id.clone()));
        }
    }
    // Several servers say `stop` where there are calls. A reply that was cut keeps its reason: its calls may be incomplete.
    if !seen.is_empty() && reply.stop == StopReason::Ended {
        reply.stop = StopReason::ToolCalls;
    }
    if reply.usage.is_none() {
        reply.notes.push(ReplyNote::UsageMissing);
    }
    Ok(())
}
