//! Ollama, as the server writes it: lines of JSON.

use super::{ScriptedReply, Stop};
use serde_json::{Value, json};

fn calls(reply: &ScriptedReply) -> Vec<Value> {
    let call = |(id, name, arguments): &(String, String, Value)| json!({"id": id, "function": {"name": name, "arguments": arguments}});
    reply.calls.iter().map(call).collect()
}

fn last(reply: &ScriptedReply, message: &Value) -> Value {
    let reason = if reply.stop == Stop::Length { "length" } else { "stop" };
    let mut last = json!({"model": "scripted-1", "message": message, "done": true, "done_reason": reason});
    if let Some(usage) = reply.usage {
        last["prompt_eval_count"] = json!(usage.input);
        last["eval_count"] = json!(usage.output);
    }
    last
}

pub(super) fn whole(reply: &ScriptedReply) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.text});
    if let Some(thinking) = &reply.thinking {
        message["thinking"] = json!(thinking);
    }
    if !reply.calls.is_empty() {
        message["tool_calls"] = json!(calls(reply));
    }
    last(reply, &message)
}

pub(super) fn stream(reply: &ScriptedReply) -> Vec<String> {
    let line = |message: Value| format!("{}\n", json!({"model": "scripted-1", "message": message, "done": false}));
    let thinking = reply.thinking.as_deref().map(ScriptedReply::pieces).unwrap_or_default();
    let mut out: Vec<String> =
        thinking.iter().map(|text| line(json!({"role": "assistant", "content": "", "thinking": text}))).collect();
    out.extend(
        ScriptedReply::pieces(&reply.text).iter().map(|text| line(json!({"role": "assistant", "content": text}))),
    );
    out.extend(
        calls(reply).into_iter().map(|call| line(json!({"role": "assistant", "content": "", "tool_calls": [call]}))),
    );
    out.push(format!("{}\n", last(reply, &json!({"role": "assistant", "content": ""}))));
    out
}
