//! Anthropic Messages.

use super::Streaming;
use super::Writing;
use super::draft::{Draft, OTHER_THINKING, mark};
use super::fault::DecodeFault;
use super::read::{self, tokens, without};
use super::subset::bound;
use crate::provider::Taken;
use deed_model::{
    MessagePart, MessageRole, ModelMessage, ModelProtocol, ModelReply, ModelUsage, ReasoningRequest, ReplyContract,
    ReplyNote, StopReason, ToolChoice,
};
use serde_json::{Map, Value, json};

/// The fewest tokens of thinking that the protocol takes.
const LEAST_THINKING: u32 = 1024;

pub(super) fn encode(writing: Writing<'_>) -> Result<(String, Draft), String> {
    let (call, parameters) = (writing.call, &writing.call.parameters);
    let mut draft = Draft::default();
    draft.set("model", call.model.model());
    draft.set("max_tokens", parameters.max_tokens);
    draft.set("stream", writing.streaming == Streaming::On);
    let system = system(writing);
    if !system.is_empty() {
        draft.set("system", system);
    }
    let mut messages: Vec<Value> = Vec::new();
    for (index, message) in writing.conversation() {
        let marked = writing.is_marked(index);
        let content = content(writing, message, marked, &mut draft)?;
        if content.is_empty() {
            continue;
        }
        let role = if message.role == MessageRole::Assistant { "assistant" } else { "user" };
        messages.push(json!({"role": role, "content": content}));
    }
    draft.set("messages", messages);
    tools(writing, &mut draft);
    let thinks = thinking(writing, &mut draft);
    sampling(writing, thinks, &mut draft);
    Ok(("/v1/messages".to_owned(), draft))
}

fn system(writing: Writing<'_>) -> Vec<Value> {
    let mut blocks = Vec::new();
    for (index, message) in writing.call.messages.iter().enumerate() {
        if message.role != MessageRole::System {
            continue;
        }
        for part in &message.parts {
            match part {
                MessagePart::Text { text } if !text.is_empty() => blocks.push(json!({"type": "text", "text": text})),
                _ => {}
            }
        }
        if writing.is_marked(index) {
            mark(blocks.last_mut());
        }
    }
    blocks
}

fn content(
    writing: Writing<'_>,
    message: &ModelMessage,
    marked: bool,
    draft: &mut Draft,
) -> Result<Vec<Value>, String> {
    let mut blocks = Vec::new();
    for part in &message.parts {
        match part {
            // The protocol refuses a text without letters.
            MessagePart::Text { text } if text.is_empty() => {}
            MessagePart::Text { text } => blocks.push(json!({"type": "text", "text": text})),
            MessagePart::Image { sha256 } => {
                let image = writing.image(sha256)?;
                let source = json!({"type": "base64", "media_type": image.media_type, "data": image.base64});
                blocks.push(json!({"type": "image", "source": source}));
            }
            MessagePart::ToolCall { id, name, arguments, .. } => {
                blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": arguments}));
            }
            MessagePart::ToolResult { id, text, is_error, .. } => {
                blocks.push(json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}));
            }
            MessagePart::Thinking { protocol: ModelProtocol::AnthropicMessages, block, .. } if !block.is_null() => {
                blocks.push(block.clone());
            }
            MessagePart::Thinking { .. } => draft.drop("messages.thinking", OTHER_THINKING),
        }
    }
    if marked {
        // Thinking takes no marker.
        mark(blocks.iter_mut().rev().find(|block| {
            !matches!(block.get("type").and_then(Value::as_str), Some("thinking" | "redacted_thinking"))
        }));
    }
    Ok(blocks)
}

fn tools(writing: Writing<'_>, draft: &mut Draft) {
    let (call, parallel) = (writing.call, writing.call.parameters.parallel_tool_calls);
    if call.tools.is_empty() {
        if parallel.is_some() {
            draft.drop("parameters.parallel_tool_calls", "the call has no tools");
        }
        return;
    }
    let tools = call.tools.iter();
    let tools = tools
        .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}));
    draft.set("tools", tools.collect::<Vec<_>>());
    let thinks = call.parameters.reasoning.is_some();
    let never_forced = writing.family().is_some_and(|family| family.refuses_forced_tools);
    let mut choice = Map::new();
    let kind = match &call.tool_choice {
        // The protocol refuses to force a tool while the model thinks.
        ToolChoice::Required | ToolChoice::Named { .. } if thinks => {
            draft.drop("tool_choice", "a tool cannot be forced while the model thinks");
            "auto"
        }
        ToolChoice::Required | ToolChoice::Named { .. } if never_forced => {
            draft.drop("tool_choice", "the model refuses to be made to call a tool");
            "auto"
        }
        ToolChoice::Auto => "auto",
        ToolChoice::Required => "any",
        ToolChoice::None => "none",
        ToolChoice::Named { name } => {
            choice.insert("name".to_owned(), json!(name));
            "tool"
        }
    };
    choice.insert("type".to_owned(), json!(kind));
    let parallel = draft.taken(writing, Taken::ParallelToolCalls, "parameters.parallel_tool_calls", parallel);
    if let Some(parallel) = parallel.filter(|_| kind != "none") {
        choice.insert("disable_parallel_tool_use".to_owned(), json!(!parallel));
    }
    draft.set("tool_choice", choice);
}

/// Writes thinking and the form of the reply. Returns true if the model is asked to think.
fn thinking(writing: Writing<'_>, draft: &mut Draft) -> bool {
    let (call, mut output) = (writing.call, Map::new());
    let mut thinks = false;
    if let Some(reasoning) = &call.parameters.reasoning {
        if writing.family().is_some_and(|family| family.adaptive_thinking) {
            draft.set("thinking", json!({"type": "adaptive"}));
            thinks = true;
            if let Some(effort) = draft.effort(writing, reasoning.effort) {
                output.insert("effort".to_owned(), json!(effort));
            }
            if reasoning.max_tokens.is_some() {
                draft.drop("parameters.reasoning.max_tokens", "the model thinks adaptively and takes an effort");
            }
        } else {
            thinks = budgeted(call.parameters.max_tokens, reasoning, draft);
        }
    }
    match bound(writing, draft) {
        Some(bound) => {
            output.insert("format".to_owned(), json!({"type": "json_schema", "schema": bound.schema}));
        }
        None if call.output == ReplyContract::Json => draft.drop("output", "the provider does not bind replies to it"),
        None => {}
    }
    if !output.is_empty() {
        draft.set("output_config", output);
    }
    thinks
}

/// Writes the tokens of a model that takes a number of them. Returns true if it is asked to think.
fn budgeted(most: u32, reasoning: &ReasoningRequest, draft: &mut Draft) -> bool {
    if reasoning.effort.is_some() {
        draft.drop("parameters.reasoning.effort", "the model takes a number of tokens for thinking");
    }
    let fits = reasoning.max_tokens.filter(|budget| (LEAST_THINKING..most).contains(budget));
    match (fits, reasoning.max_tokens) {
        (Some(budget), _) => draft.set("thinking", json!({"type": "enabled", "budget_tokens": budget})),
        (None, Some(_)) => {
            draft.drop("parameters.reasoning.max_tokens", "it must be at least 1024 and less than `max_tokens`")
        }
        (None, None) => {}
    }
    fits.is_some()
}

fn sampling(writing: Writing<'_>, thinks: bool, draft: &mut Draft) {
    let parameters = &writing.call.parameters;
    let mut unless_thinking = |taken, name: &str, value: Option<Value>| {
        let Some(value) = value else { return };
        if thinks && writing.takes(taken) {
            draft.drop(&format!("parameters.{name}"), "the protocol refuses it while the model thinks");
        } else if let Some(value) = draft.taken(writing, taken, &format!("parameters.{name}"), Some(value)) {
            draft.set(name, value);
        }
    };
    unless_thinking(Taken::Temperature, "temperature", parameters.temperature.map(Value::from));
    unless_thinking(Taken::TopP, "top_p", parameters.top_p.map(Value::from));
    unless_thinking(Taken::TopK, "top_k", parameters.top_k.map(Value::from));
    let stop = (!parameters.stop.is_empty()).then(|| parameters.stop.clone());
    if let Some(stop) = draft.taken(writing, Taken::Stop, "parameters.stop", stop) {
        draft.set("stop_sequences", stop);
    }
    draft.taken(writing, Taken::Seed, "parameters.seed", parameters.seed);
}

/// Puts the events of a stream together to a message.
pub(super) fn assemble(events: &[Value]) -> Result<Value, DecodeFault> {
    let mut message = Value::Null;
    let mut blocks: Vec<(Value, String)> = Vec::new();
    let mut ended = false;
    for event in events {
        match event.get("type").and_then(Value::as_str).unwrap_or_default() {
            "message_start" => message = event.get("message").cloned().ok_or(DecodeFault::Shape("message"))?,
            "content_block_start" => {
                let block = event.get("content_block").cloned().ok_or(DecodeFault::Shape("content_block"))?;
                blocks.push((block, String::new()));
            }
            "content_block_delta" => {
                let index = event.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
                let block = index.and_then(|index| blocks.get_mut(index)).ok_or(DecodeFault::Shape("index"))?;
                let delta = event.get("delta").ok_or(DecodeFault::Shape("delta"))?;
                grow(block, delta);
            }
            "message_delta" => {
                let target = message.as_object_mut().ok_or(DecodeFault::Shape("message_start"))?;
                if let Some(Value::Object(delta)) = event.get("delta") {
                    target.extend(delta.clone());
                }
                if let Some(Value::Object(more)) = event.get("usage") {
                    let usage = target.entry("usage").or_insert_with(|| json!({}));
                    if usage.is_null() {
                        *usage = json!({});
                    }
                    // The counts are those of the whole reply so far; what is null here was said at the beginning.
                    if let Value::Object(usage) = usage {
                        let told = more.iter().filter(|(_, count)| !count.is_null());
                        usage.extend(told.map(|(name, count)| (name.clone(), count.clone())));
                    }
                }
            }
            "message_stop" => ended = true,
            // `ping`, `content_block_stop`, and what later versions add.
            _ => {}
        }
    }
    if !ended {
        return Err(DecodeFault::Cut);
    }
    let content = blocks.into_iter().map(|(mut block, json)| {
        if let (Value::Object(fields), false) = (&mut block, json.is_empty()) {
            fields.insert("input".to_owned(), read::arguments(&json));
        }
        block
    });
    let content: Vec<Value> = content.collect();
    let target = message.as_object_mut().ok_or(DecodeFault::Shape("message_start"))?;
    target.insert("content".to_owned(), Value::Array(content));
    Ok(message)
}

fn grow((block, json): &mut (Value, String), delta: &Value) {
    let Value::Object(fields) = block else { return };
    let mut append = |field: &str, text: Option<&str>| {
        let before = fields.get(field).and_then(Value::as_str).unwrap_or_default();
        let whole = format!("{before}{}", text.unwrap_or_default());
        fields.insert(field.to_owned(), Value::String(whole));
    };
    match delta.get("type").and_then(Value::as_str).unwrap_or_default() {
        "text_delta" => append("text", read::text(delta, "text")),
        "thinking_delta" => append("thinking", read::text(delta, "thinking")),
        "signature_delta" => append("signature", read::text(delta, "signature")),
        "input_json_delta" => json.push_str(read::text(delta, "partial_json").unwrap_or_default()),
        _ => {}
    }
}

pub(super) fn decode(answer: &Value) -> Result<ModelReply, DecodeFault> {
    let mut reply = read::reply(read::text(answer, "model"), read::text(answer, "id"));
    let content = answer.get("content").and_then(Value::as_array).ok_or(DecodeFault::Shape("content"))?;
    for block in content {
        match read::text(block, "type").unwrap_or_default() {
            "text" => {
                let text = block.get("text").and_then(Value::as_str).ok_or(DecodeFault::Shape("text"))?.to_owned();
                reply.parts.push(MessagePart::Text { text });
            }
            "tool_use" => {
                let name = read::text(block, "name").ok_or(DecodeFault::Shape("name"))?.to_owned();
                let id = read::text(block, "id").unwrap_or_default().to_owned();
                let arguments = block.get("input").cloned().unwrap_or_else(|| json!({}));
                reply.parts.push(MessagePart::ToolCall { id, name, arguments, signature: None });
            }
            "thinking" | "redacted_thinking" => {
                let text = read::text(block, "thinking").unwrap_or_default().to_owned();
                let protocol = ModelProtocol::AnthropicMessages;
                reply.parts.push(MessagePart::Thinking { protocol, text, block: block.clone() });
            }
            other => reply.notes.push(ReplyNote::ContentDropped { content: other.to_owned() }),
        }
    }
    reply.stop = match read::text(answer, "stop_reason").ok_or(DecodeFault::Cut)? {
        "end_turn" | "stop_sequence" | "pause_turn" => StopReason::Ended,
        "tool_use" => StopReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => StopReason::Refusal,
        _ => return Err(DecodeFault::Shape("stop_reason")),
    };
    reply.usage = usage(answer)?;
    Ok(reply)
}

fn usage(answer: &Value) -> Result<Option<ModelUsage>, DecodeFault> {
    let Some(usage) = answer.get("usage").filter(|usage| !usage.is_null()) else { return Ok(None) };
    let (Some(input), Some(output)) = (tokens(usage, "/input_tokens")?, tokens(usage, "/output_tokens")?) else {
        return Ok(None);
    };
    let cached_read = tokens(usage, "/cache_read_input_tokens")?.unwrap_or_default();
    let cached_write = tokens(usage, "/cache_creation_input_tokens")?.unwrap_or_default();
    // The details came later than the protocol; without them thinking is a part of the output.
    let reasoning = tokens(usage, "/output_tokens_details/thinking_tokens")?.unwrap_or_default();
    let output = without(output, reasoning, "/output_tokens")?;
    Ok(Some(ModelUsage { input, cached_read, cached_write, output, reasoning, ..ModelUsage::default() }))
}
