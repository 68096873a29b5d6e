//! OpenAI Responses. Nothing is stored at the provider; thinking comes encrypted and goes back unchanged.

use super::draft::{Draft, NO_PLACE, OTHER_THINKING};
use super::fault::{DecodeFault, failed};
use super::openai_chat::cache_key;
use super::read::{self, tokens, uncached, without};
use super::subset::{Bound, bound};
use super::{Streaming, Writing};
use crate::provider::{SchemaOutput, Taken};
use deed_model::{
    MessagePart, MessageRole, ModelMessage, ModelProtocol, ModelReply, ModelUsage, ReplyContract, ReplyNote,
    StopReason, ToolChoice,
};
use serde_json::{Value, json};

pub(super) fn encode(writing: Writing<'_>) -> Result<(String, Draft), String> {
    let (call, parameters) = (writing.call, &writing.call.parameters);
    let mut draft = Draft::default();
    draft.set("model", call.model.model());
    draft.set("max_output_tokens", parameters.max_tokens);
    draft.set("stream", writing.streaming == Streaming::On);
    draft.set("store", false);
    if let Some(system) = writing.system() {
        draft.set("instructions", system);
    }
    let mut items: Vec<Value> = Vec::new();
    for (_, message) in writing.conversation() {
        put(writing, message, &mut items, &mut draft)?;
    }
    draft.set("input", items);
    tools(writing, &mut draft);
    output(writing, &mut draft);
    if let Some(value) = draft.taken(writing, Taken::Temperature, "parameters.temperature", parameters.temperature) {
        draft.set("temperature", value);
    }
    if let Some(value) = draft.taken(writing, Taken::TopP, "parameters.top_p", parameters.top_p) {
        draft.set("top_p", value);
    }
    draft.taken(writing, Taken::TopK, "parameters.top_k", parameters.top_k);
    draft.taken(writing, Taken::Seed, "parameters.seed", parameters.seed);
    draft.taken(writing, Taken::Stop, "parameters.stop", (!parameters.stop.is_empty()).then_some(()));
    if let Some(reasoning) = &parameters.reasoning {
        if let Some(effort) = draft.effort(writing, reasoning.effort) {
            draft.set("reasoning", json!({"effort": effort, "summary": "auto"}));
        }
        draft.taken(writing, Taken::ThinkingTokens, "parameters.reasoning.max_tokens", reasoning.max_tokens);
    }
    // Reasoning models think unasked too, and what is not stored can only go back encrypted.
    if writing.takes(Taken::Effort) {
        draft.set("include", json!(["reasoning.encrypted_content"]));
    }
    if let Some(key) = cache_key(writing) {
        draft.set("prompt_cache_key", key);
    }
    Ok(("/responses".to_owned(), draft))
}

fn output(writing: Writing<'_>, draft: &mut Draft) {
    if let Some(Bound { name, schema, strict }) = bound(writing, draft) {
        let format = json!({"type": "json_schema", "name": name, "schema": schema, "strict": strict});
        return draft.set("text", json!({"format": format}));
    }
    match (&writing.call.output, writing.provider.schema_output) {
        (ReplyContract::Text, _) => {}
        (ReplyContract::Json, SchemaOutput::JsonSchema | SchemaOutput::JsonObject) => {
            draft.set("text", json!({"format": {"type": "json_object"}}));
        }
        (_, _) => draft.drop("output", "the provider does not bind replies to it"),
    }
}

fn put(writing: Writing<'_>, message: &ModelMessage, items: &mut Vec<Value>, draft: &mut Draft) -> Result<(), String> {
    let assistant = message.role == MessageRole::Assistant;
    let (role, kind) = if assistant { ("assistant", "output_text") } else { ("user", "input_text") };
    let said = |content: Value| json!({"type": "message", "role": role, "content": [content]});
    for part in &message.parts {
        match part {
            MessagePart::Text { text } if text.is_empty() => {}
            MessagePart::Text { text } => items.push(said(json!({"type": kind, "text": text}))),
            MessagePart::Image { sha256 } if !assistant => {
                items.push(said(json!({"type": "input_image", "image_url": writing.image(sha256)?.data_url()})));
            }
            MessagePart::Image { .. } => draft.drop("messages.image", NO_PLACE),
            MessagePart::ToolCall { id, name, arguments, .. } => items.push(
                json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments.to_string()}),
            ),
            MessagePart::ToolResult { id, text, .. } => {
                items.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
            }
            MessagePart::Thinking { protocol: ModelProtocol::OpenaiResponses, block, .. } if is_whole(block) => {
                items.push(block.clone());
            }
            MessagePart::Thinking { .. } => draft.drop("messages.thinking", OTHER_THINKING),
        }
    }
    Ok(())
}

/// Returns true for thinking that carries its content: the provider keeps nothing that its id could name.
fn is_whole(block: &Value) -> bool {
    read::text(block, "encrypted_content").is_some()
}

fn tools(writing: Writing<'_>, draft: &mut Draft) {
    let (call, parallel) = (writing.call, writing.call.parameters.parallel_tool_calls);
    if call.tools.is_empty() {
        if parallel.is_some() {
            draft.drop("parameters.parallel_tool_calls", "the call has no tools");
        }
        return;
    }
    let function = |tool: &deed_model::ModelTool| {
        // The strict mode of the protocol takes a part of JSON Schema alone.
        json!({"type": "function", "name": tool.name, "description": tool.description, "parameters": tool.input_schema, "strict": false})
    };
    draft.set("tools", call.tools.iter().map(function).collect::<Vec<_>>());
    draft.set(
        "tool_choice",
        match &call.tool_choice {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::Required => json!("required"),
            ToolChoice::None => json!("none"),
            ToolChoice::Named { name } => json!({"type": "function", "name": name}),
        },
    );
    if let Some(parallel) = draft.taken(writing, Taken::ParallelToolCalls, "parameters.parallel_tool_calls", parallel) {
        draft.set("parallel_tool_calls", parallel);
    }
}

/// Returns the response that the last event of a stream carries. Some servers leave its items out there, so that those of
/// the events before stand in for them.
pub(super) fn assemble(events: &[Value]) -> Result<Value, DecodeFault> {
    let mut items = Vec::new();
    for event in events {
        match read::text(event, "type").unwrap_or_default() {
            "response.output_item.done" => items.extend(event.get("item").cloned()),
            "response.completed" | "response.incomplete" | "response.failed" => {
                let mut whole = event.get("response").cloned().ok_or(DecodeFault::Shape("response"))?;
                let is_bare = whole.get("output").and_then(Value::as_array).is_none_or(Vec::is_empty);
                if let (Value::Object(fields), true) = (&mut whole, is_bare) {
                    fields.insert("output".to_owned(), Value::Array(items));
                }
                return Ok(whole);
            }
            "error" => return Err(failed(event)),
            // Deltas: the items repeat them all.
            _ => {}
        }
    }
    Err(DecodeFault::Cut)
}

pub(super) fn decode(answer: &Value) -> Result<ModelReply, DecodeFault> {
    let mut reply = read::reply(read::text(answer, "model"), read::text(answer, "id"));
    let output = answer.get("output").and_then(Value::as_array).ok_or(DecodeFault::Shape("output"))?;
    let mut refused = false;
    for item in output {
        match read::text(item, "type").unwrap_or_default() {
            "message" => {
                for content in item.get("content").and_then(Value::as_array).ok_or(DecodeFault::Shape("content"))? {
                    let refusal = read::text(content, "refusal");
                    refused |= refusal.is_some();
                    let text = refusal.or_else(|| content.get("text").and_then(Value::as_str));
                    let text = text.ok_or(DecodeFault::Shape("text"))?.to_owned();
                    reply.parts.push(MessagePart::Text { text });
                }
            }
            "function_call" => {
                let name = read::text(item, "name").ok_or(DecodeFault::Shape("name"))?.to_owned();
                let id = read::text(item, "call_id").unwrap_or_default().to_owned();
                let arguments = read::arguments(read::text(item, "arguments").unwrap_or_default());
                reply.parts.push(MessagePart::ToolCall { id, name, arguments, signature: None });
            }
            "reasoning" => {
                let summary = item.get("summary").and_then(Value::as_array).into_iter().flatten();
                let texts: Vec<&str> = summary.filter_map(|part| read::text(part, "text")).collect();
                let (protocol, text) = (ModelProtocol::OpenaiResponses, texts.join("\n\n"));
                reply.parts.push(MessagePart::Thinking { protocol, text, block: item.clone() });
            }
            other => reply.notes.push(ReplyNote::ContentDropped { content: other.to_owned() }),
        }
    }
    reply.stop =
        match (read::text(answer, "status"), answer.pointer("/incomplete_details/reason").and_then(Value::as_str)) {
            (Some("completed") | None, _) if refused => StopReason::Refusal,
            (Some("completed") | None, _) => StopReason::Ended,
            (Some("incomplete"), Some("max_output_tokens")) => StopReason::Length,
            (Some("incomplete"), Some("content_filter")) => StopReason::ContentFilter,
            (Some(_), _) => return Err(DecodeFault::Shape("status")),
        };
    reply.usage = usage(answer)?;
    Ok(reply)
}

fn usage(answer: &Value) -> Result<Option<ModelUsage>, DecodeFault> {
    let Some(usage) = answer.get("usage").filter(|usage| !usage.is_null()) else { return Ok(None) };
    let (Some(input), Some(output)) = (tokens(usage, "/input_tokens")?, tokens(usage, "/output_tokens")?) else {
        return Ok(None);
    };
    let cached_read = tokens(usage, "/input_tokens_details/cached_tokens")?.unwrap_or_default();
    let written = tokens(usage, "/input_tokens_details/cache_write_tokens")?.unwrap_or_default();
    let reasoning = tokens(usage, "/output_tokens_details/reasoning_tokens")?.unwrap_or_default();
    let (input, cached_write) = uncached(input, cached_read, written, "/input_tokens")?;
    let output = without(output, reasoning, "/output_tokens")?;
    Ok(Some(ModelUsage { input, cached_read, cached_write, output, reasoning, ..ModelUsage::default() }))
}
