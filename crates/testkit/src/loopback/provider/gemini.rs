//! Gemini, as the server writes it.

use super::{SIGNATURE, ScriptedReply, Stop, event};
use serde_json::{Value, json};

fn chunk(reply: &ScriptedReply, parts: Vec<Value>, last: bool) -> Value {
    let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
    if last {
        candidate["finishReason"] = json!(match reply.stop {
            Stop::Done => "STOP",
            Stop::Length => "MAX_TOKENS",
            Stop::Refusal | Stop::Filter => "SAFETY",
        });
    }
    let mut chunk = json!({"candidates": [candidate], "modelVersion": "scripted-1", "responseId": "gem_1"});
    if let (Some(usage), true) = (reply.usage, last) {
        chunk["usageMetadata"] = json!({
            "promptTokenCount": usage.input, "cachedContentTokenCount": usage.cached,
            "candidatesTokenCount": usage.output - usage.reasoning, "thoughtsTokenCount": usage.reasoning,
        });
    }
    chunk
}

fn calls(reply: &ScriptedReply) -> Vec<Value> {
    let mut calls: Vec<Value> = reply
        .calls
        .iter()
        .map(|(id, name, args)| json!({"functionCall": {"id": id, "name": name, "args": args}}))
        .collect();
    if let (Some(first), true) = (calls.first_mut(), reply.thinking.is_some()) {
        first["thoughtSignature"] = json!(SIGNATURE);
    }
    calls
}

pub(super) fn whole(reply: &ScriptedReply) -> Value {
    let mut parts: Vec<Value> = reply.thinking.iter().map(|text| json!({"text": text, "thought": true})).collect();
    if !reply.text.is_empty() {
        parts.push(json!({"text": reply.text}));
    }
    parts.extend(calls(reply));
    chunk(reply, parts, true)
}

pub(super) fn stream(reply: &ScriptedReply) -> Vec<String> {
    let mut out = Vec::new();
    for piece in reply.thinking.as_deref().map(ScriptedReply::pieces).unwrap_or_default() {
        out.push(chunk(reply, vec![json!({"text": piece, "thought": true})], false));
    }
    for piece in ScriptedReply::pieces(&reply.text) {
        out.push(chunk(reply, vec![json!({"text": piece})], false));
    }
    out.push(chunk(reply, calls(reply), true));
    out.iter().map(|chunk| event(None, chunk)).collect()
}
