//! OpenAI Chat Completions, as OpenAI, Azure and many other servers offer it.

use super::draft::{Draft, NO_PLACE, OTHER_THINKING, mark};
use super::fault::{DecodeFault, failed};
use super::read::{self, tokens, uncached, without};
use super::subset::{Bound, bound};
use super::{Streaming, Writing};
use crate::provider::{EffortField, MaxTokensField, SchemaOutput, Taken, ThinkingField};
use deed_canon::{TypeTag, hash_of};
use deed_model::{
    MessagePart, MessageRole, ModelMessage, ModelProtocol, ModelReply, ModelUsage, ReplyContract, StopReason,
    ToolChoice,
};
use serde_json::{Value, json};

const PREFIX_TAG: TypeTag = TypeTag::literal("deed/model-prefix/v1");

pub(super) fn encode(writing: Writing<'_>) -> Result<(String, Draft), String> {
    let (call, parameters) = (writing.call, &writing.call.parameters);
    let mut draft = Draft::default();
    draft.set("model", call.model.model());
    let most = match writing.provider.max_tokens_field {
        MaxTokensField::MaxTokens => "max_tokens",
        MaxTokensField::MaxCompletionTokens => "max_completion_tokens",
    };
    draft.set(most, parameters.max_tokens);
    draft.set("stream", writing.streaming == Streaming::On);
    if writing.streaming == Streaming::On {
        draft.set("stream_options", json!({"include_usage": true}));
    }
    let mut messages: Vec<Value> = Vec::new();
    messages.extend(system(writing));
    for (index, message) in writing.conversation() {
        put(writing, (index, message), &mut messages, &mut draft)?;
    }
    draft.set("messages", messages);
    tools(writing, &mut draft);
    output(writing, &mut draft);
    if let Some(value) = draft.taken(writing, Taken::Temperature, "parameters.temperature", parameters.temperature) {
        draft.set("temperature", value);
    }
    if let Some(value) = draft.taken(writing, Taken::TopP, "parameters.top_p", parameters.top_p) {
        draft.set("top_p", value);
    }
    if let Some(value) = draft.taken(writing, Taken::TopK, "parameters.top_k", parameters.top_k) {
        draft.set("top_k", value);
    }
    if let Some(value) = draft.taken(writing, Taken::Seed, "parameters.seed", parameters.seed) {
        draft.set("seed", value);
    }
    let stop = (!parameters.stop.is_empty()).then(|| parameters.stop.clone());
    if let Some(value) = draft.taken(writing, Taken::Stop, "parameters.stop", stop) {
        draft.set("stop", value);
    }
    thinking(writing, &mut draft);
    if let Some(key) = cache_key(writing) {
        draft.set("prompt_cache_key", key);
    }
    Ok(("/chat/completions".to_owned(), draft))
}

/// Writes the messages of the system as one: as a text, or as parts where the end of the stable prefix is marked.
fn system(writing: Writing<'_>) -> Option<Value> {
    let content = match writing.takes(Taken::CacheMarkers) {
        false => Value::String(writing.system()?),
        true => {
            let mut parts = Vec::new();
            for (index, message) in writing.call.messages.iter().enumerate() {
                if message.role != MessageRole::System {
                    continue;
                }
                let texts = message.parts.iter().filter_map(text_part);
                parts.extend(texts);
                if writing.is_marked(index) {
                    mark(parts.last_mut());
                }
            }
            if parts.is_empty() {
                return None;
            }
            Value::Array(parts)
        }
    };
    Some(json!({"role": "system", "content": content}))
}

fn text_part(part: &MessagePart) -> Option<Value> {
    match part {
        MessagePart::Text { text } if !text.is_empty() => Some(json!({"type": "text", "text": text})),
        _ => None,
    }
}

/// Writes the thinking that is asked for: the effort, or the tokens where the endpoint takes a number of them.
fn thinking(writing: Writing<'_>, draft: &mut Draft) {
    let Some(reasoning) = &writing.call.parameters.reasoning else { return };
    let tokens = draft.taken(writing, Taken::ThinkingTokens, "parameters.reasoning.max_tokens", reasoning.max_tokens);
    if let Some(tokens) = tokens {
        if reasoning.effort.is_some() {
            draft.drop("parameters.reasoning.effort", "the endpoint takes the effort or the tokens, not both");
        }
        return draft.set("reasoning", json!({"max_tokens": tokens}));
    }
    match (draft.effort(writing, reasoning.effort), writing.provider.effort_field) {
        (None, _) => {}
        (Some(effort), EffortField::ReasoningEffort) => draft.set("reasoning_effort", effort),
        (Some(effort), EffortField::Reasoning) => draft.set("reasoning", json!({"effort": effort})),
    }
}

/// Returns a key for the prompt cache: the hash of the stable prefix.
pub(super) fn cache_key(writing: Writing<'_>) -> Option<String> {
    let stable = writing.call.messages.get(..writing.call.stable_messages).filter(|stable| !stable.is_empty())?;
    let wanted = writing.takes(Taken::CacheKey);
    wanted.then(|| hash_of(&PREFIX_TAG, stable).ok()).flatten().map(|hash| hash.hex().chars().take(32).collect())
}

fn put(
    writing: Writing<'_>,
    (index, message): (usize, &ModelMessage),
    messages: &mut Vec<Value>,
    draft: &mut Draft,
) -> Result<(), String> {
    let (mut content, mut calls, mut thinking) = (Vec::new(), Vec::new(), Vec::new());
    for part in &message.parts {
        match part {
            MessagePart::Text { .. } => content.extend(text_part(part)),
            MessagePart::Image { sha256 } if message.role == MessageRole::User => {
                content.push(json!({"type": "image_url", "image_url": {"url": writing.image(sha256)?.data_url()}}));
            }
            MessagePart::Image { .. } => draft.drop("messages.image", NO_PLACE),
            MessagePart::ToolCall { id, name, arguments, .. } => {
                let function = json!({"name": name, "arguments": arguments.to_string()});
                calls.push(json!({"id": id, "type": "function", "function": function}));
            }
            MessagePart::ToolResult { id, text, .. } => {
                messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
            }
            MessagePart::Thinking { protocol, text, block } => {
                match returned(writing.provider.thinking_field, *protocol, text, block) {
                    Some(field) => thinking.push(field),
                    None => draft.drop("messages.thinking", OTHER_THINKING),
                }
            }
        }
    }
    if content.is_empty() && calls.is_empty() {
        return Ok(());
    }
    if writing.is_marked(index) {
        mark(content.last_mut());
    }
    let assistant = message.role == MessageRole::Assistant;
    // Plain text goes as a text: not every server reads a list of parts.
    let plain =
        |part: &Value| part.get("cache_control").is_none().then(|| part.get("text")?.as_str().map(str::to_owned))?;
    let content = match content.iter().map(plain).collect::<Option<Vec<String>>>() {
        Some(texts) if texts.is_empty() => Value::Null,
        Some(texts) => Value::String(texts.join("\n\n")),
        None => Value::Array(content),
    };
    let mut written = json!({"role": if assistant { "assistant" } else { "user" }, "content": content});
    if let Value::Object(fields) = &mut written {
        fields.extend(thinking.into_iter().map(|(name, value)| (name.to_owned(), value)));
        if !calls.is_empty() {
            fields.insert("tool_calls".to_owned(), Value::Array(calls));
        }
    }
    messages.push(written);
    Ok(())
}

/// Returns the field in which thinking goes back; none if the endpoint takes none, or not this one.
fn returned(field: ThinkingField, protocol: ModelProtocol, text: &str, block: &Value) -> Option<(&'static str, Value)> {
    match field {
        _ if protocol != ModelProtocol::OpenaiChat => None,
        ThinkingField::None => None,
        ThinkingField::ReasoningContent => (!text.is_empty()).then(|| ("reasoning_content", json!(text))),
        ThinkingField::ReasoningDetails => block.is_array().then(|| ("reasoning_details", block.clone())),
    }
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
        let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.input_schema});
        json!({"type": "function", "function": function})
    };
    draft.set("tools", call.tools.iter().map(function).collect::<Vec<_>>());
    let forced = matches!(call.tool_choice, ToolChoice::Required | ToolChoice::Named { .. });
    let choice = match forced && writing.provider.runs_on_when_forced {
        true => {
            draft.drop("tool_choice", "the endpoint does not end a reply behind a call that is required");
            &ToolChoice::Auto
        }
        false => &call.tool_choice,
    };
    draft.set(
        "tool_choice",
        match choice {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::Required => json!("required"),
            ToolChoice::None => json!("none"),
            ToolChoice::Named { name } => json!({"type": "function", "function": {"name": name}}),
        },
    );
    if let Some(parallel) = draft.taken(writing, Taken::ParallelToolCalls, "parameters.parallel_tool_calls", parallel) {
        draft.set("parallel_tool_calls", parallel);
    }
}

fn output(writing: Writing<'_>, draft: &mut Draft) {
    if let Some(Bound { name, schema, strict }) = bound(writing, draft) {
        let format = json!({"name": name, "schema": schema, "strict": strict});
        return draft.set("response_format", json!({"type": "json_schema", "json_schema": format}));
    }
    match (&writing.call.output, writing.provider.schema_output) {
        (ReplyContract::Text, _) => {}
        (ReplyContract::JsonSchema { .. }, SchemaOutput::JsonObject) => {
            draft.drop("output.schema", "the provider binds replies to JSON of any form");
            draft.set("response_format", json!({"type": "json_object"}));
        }
        (ReplyContract::Json, SchemaOutput::JsonSchema | SchemaOutput::JsonObject) => {
            draft.set("response_format", json!({"type": "json_object"}));
        }
        (_, _) => draft.drop("output", "the provider does not bind replies to it"),
    }
}

/// Puts the chunks of a stream together to a completion. Usage comes with the last chunk, which often has no choices.
pub(super) fn assemble(chunks: &[Value]) -> Result<Value, DecodeFault> {
    let (mut content, mut refusal, mut thinking, mut details) = (None, None, None, Vec::new());
    let (mut calls, mut finish, mut usage): (Vec<StreamedCall>, _, _) = (Vec::new(), Value::Null, Value::Null);
    for chunk in chunks {
        if let Some(found) = chunk.get("usage").filter(|usage| !usage.is_null()) {
            usage = found.clone();
        }
        let Some(choice) = chunk.pointer("/choices/0") else { continue };
        if let Some(found) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            finish = found.clone();
        }
        let Some(delta) = choice.get("delta") else { continue };
        append(&mut content, read::text(delta, "content"));
        append(&mut refusal, read::text(delta, "refusal"));
        append(&mut thinking, read::text(delta, "reasoning_content").or_else(|| read::text(delta, "reasoning")));
        for detail in delta.get("reasoning_details").and_then(Value::as_array).into_iter().flatten() {
            grow(&mut details, detail);
        }
        for part in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            join(&mut calls, part);
        }
    }
    if finish.is_null() {
        return Err(DecodeFault::Cut);
    }
    let first = |key: &str| chunks.iter().find_map(|chunk| chunk.get(key)).cloned().unwrap_or_default();
    let calls: Vec<Value> = calls.into_iter().map(StreamedCall::whole).collect();
    let message = json!({
        "content": content, "refusal": refusal, "reasoning_content": thinking, "reasoning_details": details,
        "tool_calls": calls,
    });
    let choice = json!({"message": message, "finish_reason": finish});
    Ok(json!({"id": first("id"), "model": first("model"), "choices": [choice], "usage": usage}))
}

/// Adds a part of a block of thinking: texts are appended to the block of the same type and index, other fields are set.
fn grow(details: &mut Vec<Value>, part: &Value) {
    let key = |block: &Value| (block.get("type").cloned(), block.get("index").cloned());
    let Some(Value::Object(open)) = details.last_mut().filter(|last| key(last) == key(part)) else {
        return details.push(part.clone());
    };
    for (name, value) in part.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        let before =
            open.get(name).and_then(Value::as_str).filter(|_| ["text", "summary", "data"].contains(&name.as_str()));
        let whole = match (before, value.as_str()) {
            (Some(before), Some(more)) => Value::String(format!("{before}{more}")),
            _ => value.clone(),
        };
        open.insert(name.clone(), whole);
    }
}

fn append(whole: &mut Option<String>, more: Option<&str>) {
    if let Some(more) = more {
        whole.get_or_insert_default().push_str(more);
    }
}

/// A call whose parts arrive one by one.
struct StreamedCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl StreamedCall {
    fn whole(self) -> Value {
        json!({"id": self.id, "function": {"name": self.name, "arguments": self.arguments}})
    }
}

fn join(calls: &mut Vec<StreamedCall>, part: &Value) {
    let index = part.get("index").and_then(Value::as_u64);
    let id = read::text(part, "id");
    let name = part.pointer("/function/name").and_then(Value::as_str).filter(|name| !name.is_empty());
    // Some servers give every call the index 0, and some none: another id, or a name without an id, begins a call.
    let open = calls.iter().rposition(|call| call.index == index);
    let continues = open.filter(|at| {
        let call = calls.get(*at);
        call.is_some_and(|call| {
            id.is_none_or(|id| id == call.id) && (id.is_some() || name.is_none() || index.is_some())
        })
    });
    let arguments = match part.pointer("/function/arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    match continues.and_then(|at| calls.get_mut(at)) {
        Some(call) => {
            call.arguments.push_str(&arguments);
            if call.name.is_empty() {
                call.name.push_str(name.unwrap_or_default());
            }
        }
        None => calls.push(StreamedCall {
            index,
            id: id.unwrap_or_default().to_owned(),
            name: name.unwrap_or_default().to_owned(),
            arguments,
        }),
    }
}

pub(super) fn decode(answer: &Value) -> Result<ModelReply, DecodeFault> {
    let mut reply = read::reply(read::text(answer, "model"), read::text(answer, "id"));
    let choice = answer.pointer("/choices/0").ok_or(DecodeFault::Shape("choices"))?;
    let message = choice.get("message").ok_or(DecodeFault::Shape("message"))?;
    reply.parts.extend(thought(message));
    let texts = [read::text(message, "content"), read::text(message, "refusal")];
    reply.parts.extend(texts.into_iter().flatten().map(|text| MessagePart::Text { text: text.to_owned() }));
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let function = call.get("function").ok_or(DecodeFault::Shape("function"))?;
        let name = read::text(function, "name").ok_or(DecodeFault::Shape("function.name"))?.to_owned();
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => read::arguments(text),
            Some(Value::Null) | None => json!({}),
            Some(other) => other.clone(),
        };
        let id = read::text(call, "id").unwrap_or_default().to_owned();
        reply.parts.push(MessagePart::ToolCall { id, name, arguments, signature: None });
    }
    let refused = read::text(message, "refusal").is_some();
    reply.stop = match read::text(choice, "finish_reason").ok_or(DecodeFault::Cut)? {
        "stop" | "eos" if refused => StopReason::Refusal,
        "stop" | "eos" => StopReason::Ended,
        "tool_calls" | "function_call" => StopReason::ToolCalls,
        "length" => StopReason::Length,
        "content_filter" => StopReason::ContentFilter,
        "error" => return Err(choice.get("error").map_or_else(broke_off, failed)),
        _ => return Err(DecodeFault::Shape("finish_reason")),
    };
    reply.usage = usage(answer)?;
    Ok(reply)
}

fn broke_off() -> DecodeFault {
    DecodeFault::Failed { status: 500, message: "the model broke off".to_owned() }
}

/// Reads thinking: its text, and the blocks that go back unchanged where the endpoint gives them.
fn thought(message: &Value) -> Option<MessagePart> {
    let text = read::text(message, "reasoning_content").or_else(|| read::text(message, "reasoning"));
    let block = message.get("reasoning_details").filter(|own| own.as_array().is_some_and(|list| !list.is_empty()));
    if text.is_none() && block.is_none() {
        return None;
    }
    let details = block.and_then(Value::as_array).into_iter().flatten();
    let told = details.filter_map(|own| read::text(own, "text").or_else(|| read::text(own, "summary")));
    let text = text.map_or_else(|| told.collect(), str::to_owned);
    Some(MessagePart::Thinking {
        protocol: ModelProtocol::OpenaiChat,
        text,
        block: block.map_or(Value::Null, Clone::clone),
    })
}

fn usage(answer: &Value) -> Result<Option<ModelUsage>, DecodeFault> {
    let Some(usage) = answer.get("usage").filter(|usage| !usage.is_null()) else { return Ok(None) };
    let (Some(input), Some(output)) = (tokens(usage, "/prompt_tokens")?, tokens(usage, "/completion_tokens")?) else {
        return Ok(None);
    };
    let cached_read = tokens(usage, "/prompt_tokens_details/cached_tokens")?.unwrap_or_default();
    let written = tokens(usage, "/prompt_tokens_details/cache_write_tokens")?.unwrap_or_default();
    let reasoning = tokens(usage, "/completion_tokens_details/reasoning_tokens")?.unwrap_or_default();
    let (input, cached_write) = uncached(input, cached_read, written, "/prompt_tokens")?;
    let output = without(output, reasoning, "/completion_tokens")?;
    Ok(Some(ModelUsage { input, cached_read, cached_write, output, reasoning, ..ModelUsage::default() }))
}
