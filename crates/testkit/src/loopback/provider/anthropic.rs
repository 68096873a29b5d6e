//! Anthropic Messages, as the server writes it.

use super::{SIGNATURE, ScriptedReply, Stop, event};
use serde_json::{Value, json};

fn reason(reply: &ScriptedReply) -> &'static str {
    match reply.stop {
        Stop::Done if !reply.calls.is_empty() => "tool_use",
        Stop::Done => "end_turn",
        Stop::Length => "max_tokens",
        Stop::Refusal | Stop::Filter => "refusal",
    }
}

fn usage(reply: &ScriptedReply) -> Value {
    reply.usage.map_or(Value::Null, |usage| {
        json!({
            "input_tokens": usage.input - usage.cached - usage.written, "cache_read_input_tokens": usage.cached,
            "cache_creation_input_tokens": usage.written, "output_tokens": usage.output,
            "output_tokens_details": {"thinking_tokens": usage.reasoning},
        })
    })
}

fn blocks(reply: &ScriptedReply) -> Vec<Value> {
    let thinking =
        reply.thinking.iter().map(|text| json!({"type": "thinking", "thinking": text, "signature": SIGNATURE}));
    let text = (!reply.text.is_empty()).then(|| json!({"type": "text", "text": reply.text}));
    let calls =
        reply.calls.iter().map(|(id, name, input)| json!({"type": "tool_use", "id": id, "name": name, "input": input}));
    thinking.chain(text).chain(calls).collect()
}

pub(super) fn whole(reply: &ScriptedReply) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted-1", "content": blocks(reply),
        "stop_reason": reason(reply), "stop_sequence": null, "usage": usage(reply),
    })
}

pub(super) fn stream(reply: &ScriptedReply) -> Vec<String> {
    let mut first = usage(reply);
    if first.is_object() {
        (first["output_tokens"], first["output_tokens_details"]) = (json!(1), Value::Null);
    }
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted-1", "content": [], "stop_reason": null, "usage": first,
    });
    let mut out = vec![event(Some("message_start"), &json!({"type": "message_start", "message": message}))];
    out.push(event(Some("ping"), &json!({"type": "ping"})));
    for (index, block) in blocks(reply).iter().enumerate() {
        let (empty, deltas) = divided(block);
        let start = json!({"type": "content_block_start", "index": index, "content_block": empty});
        out.push(event(Some("content_block_start"), &start));
        for delta in deltas {
            let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
            out.push(event(Some("content_block_delta"), &delta));
        }
        out.push(event(Some("content_block_stop"), &json!({"type": "content_block_stop", "index": index})));
    }
    // Counts that were said at the beginning may come as null.
    let last = reply.usage.map_or(Value::Null, |usage| {
        json!({
            "input_tokens": null, "cache_read_input_tokens": null, "output_tokens": usage.output,
            "output_tokens_details": {"thinking_tokens": usage.reasoning},
        })
    });
    let delta =
        json!({"type": "message_delta", "delta": {"stop_reason": reason(reply), "stop_sequence": null}, "usage": last});
    out.push(event(Some("message_delta"), &delta));
    out.push(event(Some("message_stop"), &json!({"type": "message_stop"})));
    out
}

/// A block as it begins, and what is added to it.
fn divided(block: &Value) -> (Value, Vec<Value>) {
    let pieces = |text: &Value| ScriptedReply::pieces(text.as_str().unwrap());
    match block["type"].as_str().unwrap() {
        "text" => {
            let deltas = pieces(&block["text"]).into_iter().map(|text| json!({"type": "text_delta", "text": text}));
            (json!({"type": "text", "text": ""}), deltas.collect())
        }
        "thinking" => {
            let deltas =
                pieces(&block["thinking"]).into_iter().map(|text| json!({"type": "thinking_delta", "thinking": text}));
            let signature = json!({"type": "signature_delta", "signature": block["signature"]});
            (json!({"type": "thinking", "thinking": "", "signature": ""}), deltas.chain([signature]).collect())
        }
        _ => {
            let input = ScriptedReply::pieces(&block["input"].to_string());
            let deltas = input.into_iter().map(|json| json!({"type": "input_json_delta", "partial_json": json}));
            (json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}), deltas.collect())
        }
    }
}
