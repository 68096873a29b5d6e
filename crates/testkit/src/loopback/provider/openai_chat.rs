//! OpenAI Chat Completions, as the server writes it: usage comes in a last chunk without choices.

use super::{SIGNATURE, ScriptedReply, Stop, event};
use serde_json::{Value, json};

fn reason(reply: &ScriptedReply) -> &'static str {
    match reply.stop {
        Stop::Done if !reply.calls.is_empty() => "tool_calls",
        Stop::Done | Stop::Refusal => "stop",
        Stop::Length => "length",
        Stop::Filter => "content_filter",
    }
}

fn usage(reply: &ScriptedReply) -> Value {
    reply.usage.map_or(Value::Null, |usage| {
        json!({
            "prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.written},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        })
    })
}

fn field(reply: &ScriptedReply) -> &'static str {
    if reply.stop == Stop::Refusal { "refusal" } else { "content" }
}

pub(super) fn whole(reply: &ScriptedReply) -> Value {
    let calls = reply.calls.iter().map(|(id, name, arguments)| {
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
    });
    let calls: Vec<Value> = calls.collect();
    let mut message = json!({"role": "assistant", "content": null});
    if !reply.text.is_empty() {
        message[field(reply)] = json!(reply.text);
    }
    if let (Some(thinking), false) = (&reply.thinking, reply.signed) {
        message["reasoning_content"] = json!(thinking);
    }
    if let (Some(thinking), true) = (&reply.thinking, reply.signed) {
        let hidden = json!({"type": "reasoning.encrypted", "data": SIGNATURE, "index": 1});
        message["reasoning"] = json!(thinking);
        message["reasoning_details"] =
            json!([{"type": "reasoning.text", "text": thinking, "signature": SIGNATURE, "index": 0}, hidden]);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": reason(reply)});
    let mut whole = json!({"id": "chat_1", "object": "chat.completion", "model": "scripted-1", "choices": [choice]});
    if reply.usage.is_some() {
        whole["usage"] = usage(reply);
    }
    whole
}

pub(super) fn stream(reply: &ScriptedReply) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        event(
            None,
            &json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "scripted-1", "choices": [choice], "usage": null}),
        )
    };
    let mut out = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    let thinking = reply.thinking.as_deref().map(ScriptedReply::pieces).unwrap_or_default();
    for text in thinking {
        let detail = json!({"type": "reasoning.text", "text": text, "signature": null, "index": 0});
        let delta = match reply.signed {
            true => json!({"reasoning": text, "reasoning_details": [detail]}),
            false => json!({"reasoning_content": text}),
        };
        out.push(chunk(delta, Value::Null));
    }
    if reply.signed {
        let end = json!({"type": "reasoning.text", "signature": SIGNATURE, "index": 0});
        let hidden = json!({"type": "reasoning.encrypted", "data": SIGNATURE, "index": 1});
        out.push(chunk(json!({"reasoning_details": [end]}), Value::Null));
        out.push(chunk(json!({"reasoning_details": [hidden]}), Value::Null));
    }
    out.extend(
        ScriptedReply::pieces(&reply.text).into_iter().map(|text| chunk(json!({field(reply): text}), Value::Null)),
    );
    for (index, (id, name, arguments)) in reply.calls.iter().enumerate() {
        let call = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        out.push(chunk(json!({"tool_calls": [call]}), Value::Null));
        for piece in ScriptedReply::pieces(&arguments.to_string()) {
            out.push(chunk(json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), Value::Null));
        }
    }
    out.push(chunk(json!({}), json!(reason(reply))));
    if reply.usage.is_some() {
        out.push(event(None, &json!({"id": "chat_1", "model": "scripted-1", "choices": [], "usage": usage(reply)})));
    }
    out.push("data: [DONE]\n\n".to_owned());
    out
}
