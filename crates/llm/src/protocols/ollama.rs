//! Ollama `/api/chat`, whose streams are lines of JSON.

use super::draft::{Draft, OTHER_THINKING};
use super::fault::DecodeFault;
use super::read::{self, tokens};
use super::{Streaming, Writing};
use crate::provider::{SchemaOutput, Taken};
use deed_model::{
    MessagePart, MessageRole, ModelMessage, ModelProtocol, ModelReply, ModelUsage, ReplyContract, StopReason,
    ToolChoice,
};
use serde_json::{Map, Value, json};

pub(super) fn encode(writing: Writing<'_>) -> Result<(String, Draft), String> {
    let (call, parameters) = (writing.call, &writing.call.parameters);
    let mut draft = Draft::default();
    draft.set("model", call.model.model());
    draft.set("stream", writing.streaming == Streaming::On);
    // A prompt that is too long is an error: the server would leave out messages, and say nothing.
    draft.set("truncate", false);
    draft.set("shift", false);
    let mut messages: Vec<Value> = Vec::new();
    if let Some(system) = writing.system() {
        messages.push(json!({"role": "system", "content": system}));
    }
    for (_, message) in writing.conversation() {
        put(writing, message, &mut messages, &mut draft)?;
    }
    draft.set("messages", messages);
    if !call.tools.is_empty() && call.tool_choice != ToolChoice::None {
        let function = |tool: &deed_model::ModelTool| {
            let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.input_schema});
            json!({"type": "function", "function": function})
        };
        draft.set("tools", call.tools.iter().map(function).collect::<Vec<_>>());
        if call.tool_choice != ToolChoice::Auto {
            draft.drop("tool_choice", "the protocol cannot force a tool");
        }
    }
    draft.taken(writing, Taken::ParallelToolCalls, "parameters.parallel_tool_calls", parameters.parallel_tool_calls);
    match (&call.output, writing.provider.schema_output) {
        (ReplyContract::Text, _) => {}
        (ReplyContract::JsonSchema { schema, .. }, SchemaOutput::JsonSchema) => draft.set("format", schema.clone()),
        (ReplyContract::Json, SchemaOutput::JsonSchema | SchemaOutput::JsonObject) => draft.set("format", "json"),
        (_, _) => draft.drop("output", "the provider does not bind replies to it"),
    }
    if let Some(reasoning) = &parameters.reasoning {
        let effort = draft.effort(writing, reasoning.effort);
        // Most models take a switch; those with levels take a level too, and ignore the switch.
        draft.set("think", effort.map_or(json!(true), |effort| json!(effort)));
        draft.taken(writing, Taken::ThinkingTokens, "parameters.reasoning.max_tokens", reasoning.max_tokens);
    }
    let mut options = Map::from_iter([("num_predict".to_owned(), json!(parameters.max_tokens))]);
    let mut set = |key: &str, value: Option<Value>| options.extend(value.map(|value| (key.to_owned(), value)));
    set(
        "temperature",
        draft.taken(writing, Taken::Temperature, "parameters.temperature", parameters.temperature.map(Value::from)),
    );
    set("top_p", draft.taken(writing, Taken::TopP, "parameters.top_p", parameters.top_p.map(Value::from)));
    set("top_k", draft.taken(writing, Taken::TopK, "parameters.top_k", parameters.top_k.map(Value::from)));
    set("seed", draft.taken(writing, Taken::Seed, "parameters.seed", parameters.seed.map(Value::from)));
    let stop = (!parameters.stop.is_empty()).then(|| json!(parameters.stop));
    set("stop", draft.taken(writing, Taken::Stop, "parameters.stop", stop));
    draft.set("options", options);
    Ok(("/api/chat".to_owned(), draft))
}

fn put(
    writing: Writing<'_>,
    message: &ModelMessage,
    messages: &mut Vec<Value>,
    draft: &mut Draft,
) -> Result<(), String> {
    let (mut texts, mut images, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut thinking = String::new();
    for part in &message.parts {
        match part {
            MessagePart::Text { text } if text.is_empty() => {}
            MessagePart::Text { text } => texts.push(text.as_str()),
            MessagePart::Image { sha256 } => images.push(writing.image(sha256)?.base64),
            MessagePart::ToolCall { id, name, arguments, .. } => {
                calls.push(with_id("id", id, json!({"function": {"name": name, "arguments": arguments}})));
            }
            MessagePart::ToolResult { id, name, text, .. } => {
                let result = json!({"role": "tool", "tool_name": name, "content": text});
                messages.push(with_id("tool_call_id", id, result));
            }
            MessagePart::Thinking { protocol: ModelProtocol::Ollama, text, .. } => thinking.push_str(text),
            MessagePart::Thinking { .. } => draft.drop("messages.thinking", OTHER_THINKING),
        }
    }
    if texts.is_empty() && images.is_empty() && calls.is_empty() {
        return Ok(());
    }
    let role = if message.role == MessageRole::Assistant { "assistant" } else { "user" };
    let mut written = Map::new();
    written.insert("role".to_owned(), json!(role));
    written.insert("content".to_owned(), json!(texts.join("\n\n")));
    if !images.is_empty() {
        written.insert("images".to_owned(), json!(images));
    }
    if !calls.is_empty() {
        written.insert("tool_calls".to_owned(), json!(calls));
    }
    if !thinking.is_empty() {
        written.insert("thinking".to_owned(), json!(thinking));
    }
    messages.push(Value::Object(written));
    Ok(())
}

/// Adds the id of a call, if it is the server's.
fn with_id(field: &str, id: &str, mut value: Value) -> Value {
    if let (Value::Object(fields), false) = (&mut value, read::is_own_id(id)) {
        fields.insert(field.to_owned(), json!(id));
    }
    value
}

/// Puts the lines of a stream together: texts appended, calls listed, and the counts of the last line.
pub(super) fn assemble(lines: &[Value]) -> Result<Value, DecodeFault> {
    let (mut content, mut thinking, mut calls) = (String::new(), String::new(), Vec::new());
    for line in lines {
        let Some(message) = line.get("message") else { continue };
        content.push_str(read::text(message, "content").unwrap_or_default());
        thinking.push_str(read::text(message, "thinking").unwrap_or_default());
        calls.extend(message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().cloned());
    }
    let last =
        lines.iter().find(|line| line.get("done").and_then(Value::as_bool) == Some(true)).ok_or(DecodeFault::Cut)?;
    let mut whole = last.as_object().cloned().ok_or(DecodeFault::Shape("done"))?;
    let message = json!({"role": "assistant", "content": content, "thinking": thinking, "tool_calls": calls});
    whole.insert("message".to_owned(), message);
    Ok(Value::Object(whole))
}

pub(super) fn decode(answer: &Value) -> Result<ModelReply, DecodeFault> {
    let mut reply = read::reply(read::text(answer, "model"), None);
    let message = answer.get("message").ok_or(DecodeFault::Shape("message"))?;
    if let Some(text) = read::text(message, "thinking") {
        let (protocol, text) = (ModelProtocol::Ollama, text.to_owned());
        reply.parts.push(MessagePart::Thinking { protocol, text, block: Value::Null });
    }
    if let Some(text) = read::text(message, "content") {
        reply.parts.push(MessagePart::Text { text: text.to_owned() });
    }
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let function = call.get("function").ok_or(DecodeFault::Shape("function"))?;
        let name = read::text(function, "name").ok_or(DecodeFault::Shape("function.name"))?.to_owned();
        let arguments = function.get("arguments").filter(|own| !own.is_null()).cloned().unwrap_or_else(|| json!({}));
        let id = read::text(call, "id").unwrap_or_default().to_owned();
        reply.parts.push(MessagePart::ToolCall { id, name, arguments, signature: None });
    }
    reply.stop = match answer.get("done_reason").and_then(Value::as_str) {
        Some("stop") => StopReason::Ended,
        Some("length") => StopReason::Length,
        None if answer.get("done").and_then(Value::as_bool) == Some(true) => StopReason::Ended,
        None => return Err(DecodeFault::Cut),
        Some(_) => return Err(DecodeFault::Shape("done_reason")),
    };
    let counts = (tokens(answer, "/prompt_eval_count")?, tokens(answer, "/eval_count")?);
    // A prompt that the server still holds has no count of its own.
    if let (input, Some(output)) = counts {
        reply.usage = Some(ModelUsage { input: input.unwrap_or_default(), output, ..ModelUsage::default() });
    }
    Ok(reply)
}
