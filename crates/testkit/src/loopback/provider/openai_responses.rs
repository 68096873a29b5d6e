//! OpenAI Responses, as the server writes it.

use super::{SIGNATURE, ScriptedReply, Stop, event};
use serde_json::{Value, json};

pub(super) fn whole(reply: &ScriptedReply) -> Value {
    let mut output: Vec<Value> = Vec::new();
    if let Some(thinking) = &reply.thinking {
        let summary = json!([{"type": "summary_text", "text": thinking}]);
        output.push(json!({"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": SIGNATURE}));
    }
    if !reply.text.is_empty() {
        let content = match reply.stop {
            Stop::Refusal => json!({"type": "refusal", "refusal": reply.text}),
            Stop::Done | Stop::Length | Stop::Filter => {
                json!({"type": "output_text", "text": reply.text, "annotations": []})
            }
        };
        output.push(
            json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [content]}),
        );
    }
    for (id, name, arguments) in &reply.calls {
        let arguments = arguments.to_string();
        output
            .push(json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": name, "arguments": arguments}));
    }
    let (status, details) = match reply.stop {
        Stop::Done | Stop::Refusal => ("completed", Value::Null),
        Stop::Length => ("incomplete", json!({"reason": "max_output_tokens"})),
        Stop::Filter => ("incomplete", json!({"reason": "content_filter"})),
    };
    let usage = reply.usage.map_or(Value::Null, |usage| {
        json!({
            "input_tokens": usage.input, "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.written},
            "output_tokens": usage.output, "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        })
    });
    json!({
        "id": "resp_1", "object": "response", "model": "scripted-1", "status": status, "error": null,
        "incomplete_details": details, "output": output, "usage": usage,
    })
}

pub(super) fn stream(reply: &ScriptedReply) -> Vec<String> {
    let whole = whole(reply);
    let mut begun = whole.clone();
    (begun["status"], begun["output"], begun["usage"]) = (json!("in_progress"), json!([]), Value::Null);
    let mut out = vec![event(Some("response.created"), &json!({"type": "response.created", "response": begun}))];
    for piece in ScriptedReply::pieces(&reply.text) {
        let delta =
            json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "delta": piece});
        out.push(event(Some("response.output_text.delta"), &delta));
    }
    for (index, item) in whole["output"].as_array().unwrap().iter().enumerate() {
        let done = json!({"type": "response.output_item.done", "output_index": index, "item": item});
        out.push(event(Some("response.output_item.done"), &done));
    }
    let kind = if whole["status"] == "completed" { "response.completed" } else { "response.incomplete" };
    out.push(event(Some(kind), &json!({"type": kind, "response": whole})));
    out
}
