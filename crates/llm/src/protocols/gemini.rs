//! Gemini `generateContent`.

use super::draft::{Draft, OTHER_THINKING};
use super::fault::DecodeFault;
use super::read::{self, tokens, without};
use super::{Streaming, Writing};
use crate::provider::{SchemaOutput, Taken};
use deed_model::{
    MessagePart, MessageRole, ModelMessage, ModelProtocol, ModelReply, ModelUsage, ReasoningRequest, ReplyContract,
    ReplyNote, StopReason, ToolChoice,
};
use serde_json::{Map, Value, json};

pub(super) fn encode(writing: Writing<'_>) -> Result<(String, Draft), String> {
    let call = writing.call;
    let mut draft = Draft::default();
    if let Some(system) = writing.system() {
        draft.set("systemInstruction", json!({"parts": [{"text": system}]}));
    }
    let mut contents: Vec<Value> = Vec::new();
    for (_, message) in writing.conversation() {
        let role = if message.role == MessageRole::Assistant { "model" } else { "user" };
        contents.push(json!({"role": role, "parts": parts(writing, message, &mut draft)?}));
    }
    draft.set("contents", contents);
    if !call.tools.is_empty() {
        let declared = call.tools.iter().map(|tool| {
            json!({"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.input_schema})
        });
        draft.set("tools", json!([{"functionDeclarations": declared.collect::<Vec<_>>()}]));
        let config = match &call.tool_choice {
            ToolChoice::Auto => json!({"mode": "AUTO"}),
            ToolChoice::Required => json!({"mode": "ANY"}),
            ToolChoice::None => json!({"mode": "NONE"}),
            ToolChoice::Named { name } => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
        };
        draft.set("toolConfig", json!({"functionCallingConfig": config}));
    }
    draft.taken(
        writing,
        Taken::ParallelToolCalls,
        "parameters.parallel_tool_calls",
        call.parameters.parallel_tool_calls,
    );
    let config = generation(writing, &mut draft);
    draft.set("generationConfig", config);
    let path = match writing.streaming {
        Streaming::On => "/models/{model}:streamGenerateContent?alt=sse",
        Streaming::Off => "/models/{model}:generateContent",
    };
    Ok((path.to_owned(), draft))
}

fn parts(writing: Writing<'_>, message: &ModelMessage, draft: &mut Draft) -> Result<Vec<Value>, String> {
    let mut parts = Vec::new();
    for part in &message.parts {
        match part {
            MessagePart::Text { text } if text.is_empty() => {}
            MessagePart::Text { text } => parts.push(json!({"text": text})),
            MessagePart::Image { sha256 } => {
                let image = writing.image(sha256)?;
                parts.push(json!({"inlineData": {"mimeType": image.media_type, "data": image.base64}}));
            }
            MessagePart::ToolCall { id, name, arguments, signature } => {
                let mut written = json!({"functionCall": with_id(id, json!({"name": name, "args": arguments}))});
                if let (Value::Object(fields), Some(signature)) = (&mut written, signature) {
                    fields.insert("thoughtSignature".to_owned(), json!(signature));
                }
                parts.push(written);
            }
            MessagePart::ToolResult { id, name, text, is_error } => {
                let key = if *is_error { "error" } else { "output" };
                let response = json!({"name": name, "response": {key: text}});
                parts.push(json!({"functionResponse": with_id(id, response)}));
            }
            MessagePart::Thinking { protocol: ModelProtocol::Gemini, block, .. } if !block.is_null() => {
                parts.push(block.clone());
            }
            MessagePart::Thinking { .. } => draft.drop("messages.thinking", OTHER_THINKING),
        }
    }
    Ok(parts)
}

/// Adds the id of a call, if it is the provider's: models that give ids match results by them.
fn with_id(id: &str, mut call: Value) -> Value {
    if let (Value::Object(fields), false) = (&mut call, read::is_own_id(id)) {
        fields.insert("id".to_owned(), json!(id));
    }
    call
}

fn generation(writing: Writing<'_>, draft: &mut Draft) -> Map<String, Value> {
    let parameters = &writing.call.parameters;
    let mut config = Map::new();
    let mut set = |key: &str, value: Option<Value>| config.extend(value.map(|value| (key.to_owned(), value)));
    set("maxOutputTokens", Some(json!(parameters.max_tokens)));
    set(
        "temperature",
        draft.taken(writing, Taken::Temperature, "parameters.temperature", parameters.temperature.map(Value::from)),
    );
    set("topP", draft.taken(writing, Taken::TopP, "parameters.top_p", parameters.top_p.map(Value::from)));
    set("topK", draft.taken(writing, Taken::TopK, "parameters.top_k", parameters.top_k.map(Value::from)));
    set("seed", draft.taken(writing, Taken::Seed, "parameters.seed", parameters.seed.map(Value::from)));
    let stop = (!parameters.stop.is_empty()).then(|| json!(parameters.stop));
    set("stopSequences", draft.taken(writing, Taken::Stop, "parameters.stop", stop));
    match (&writing.call.output, writing.provider.schema_output) {
        (ReplyContract::Text, _) => {}
        (ReplyContract::JsonSchema { schema, .. }, SchemaOutput::JsonSchema) => {
            set("responseMimeType", Some(json!("application/json")));
            set("responseJsonSchema", Some(schema.clone()));
        }
        (ReplyContract::Json, SchemaOutput::JsonSchema | SchemaOutput::JsonObject) => {
            set("responseMimeType", Some(json!("application/json")));
        }
        (_, _) => draft.drop("output", "the provider does not bind replies to it"),
    }
    set("thinkingConfig", parameters.reasoning.as_ref().map(|reasoning| thinking(writing, reasoning, draft)));
    config
}

/// Writes the thinking that is asked for. The protocol takes the tokens or the level; older models take tokens alone.
fn thinking(writing: Writing<'_>, reasoning: &ReasoningRequest, draft: &mut Draft) -> Value {
    let mut thinking = Map::from_iter([("includeThoughts".to_owned(), json!(true))]);
    if let Some(tokens) = reasoning.max_tokens {
        thinking.insert("thinkingBudget".to_owned(), json!(tokens));
        if reasoning.effort.is_some() {
            draft.drop("parameters.reasoning.effort", "the protocol takes the effort or the tokens, not both");
        }
    } else if let Some(effort) = draft.effort(writing, reasoning.effort) {
        thinking.insert("thinkingLevel".to_owned(), json!(effort));
    }
    Value::Object(thinking)
}

/// Puts the chunks of a stream together: parts in order, and everything else from the last chunk that has it.
pub(super) fn assemble(chunks: &[Value]) -> Result<Value, DecodeFault> {
    let mut parts: Vec<Value> = Vec::new();
    let mut whole = Map::new();
    let mut finish = Value::Null;
    for chunk in chunks {
        let fields = chunk.as_object().ok_or(DecodeFault::Shape("candidates"))?;
        whole.extend(
            fields.iter().filter(|(key, _)| *key != "candidates").map(|(key, value)| (key.clone(), value.clone())),
        );
        let Some(candidate) = chunk.pointer("/candidates/0") else { continue };
        if let Some(reason) = candidate.get("finishReason").filter(|reason| !reason.is_null()) {
            finish = reason.clone();
        }
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            if !joined(parts.last_mut(), part) {
                parts.push(part.clone());
            }
        }
    }
    let blocked = whole.get("promptFeedback").is_some_and(|feedback| feedback.get("blockReason").is_some());
    if finish.is_null() && !blocked {
        return Err(DecodeFault::Cut);
    }
    if !blocked {
        whole.insert("candidates".to_owned(), json!([{"content": {"parts": parts}, "finishReason": finish}]));
    }
    Ok(Value::Object(whole))
}

/// Appends text to the part before it, if both are plain text or both are thinking without a signature.
fn joined(last: Option<&mut Value>, part: &Value) -> bool {
    let plain = |part: &Value| part.get("thoughtSignature").is_none();
    let (Some(last), Some(more)) = (last, part.get("text").and_then(Value::as_str)) else { return false };
    if !plain(last) || !plain(part) || last.get("thought") != part.get("thought") {
        return false;
    }
    let Some(before) = last.get("text").and_then(Value::as_str).map(str::to_owned) else { return false };
    if let Value::Object(fields) = last {
        fields.insert("text".to_owned(), Value::String(format!("{before}{more}")));
    }
    true
}

pub(super) fn decode(answer: &Value) -> Result<ModelReply, DecodeFault> {
    let mut reply = read::reply(read::text(answer, "modelVersion"), read::text(answer, "responseId"));
    reply.usage = usage(answer)?;
    if answer.pointer("/promptFeedback/blockReason").is_some() {
        reply.stop = StopReason::ContentFilter;
        return Ok(reply);
    }
    let candidate = answer.pointer("/candidates/0").ok_or(DecodeFault::Shape("candidates"))?;
    for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
        reply.parts.extend(read_part(part, &mut reply.notes)?);
    }
    reply.stop = match read::text(candidate, "finishReason").ok_or(DecodeFault::Cut)? {
        "STOP" => StopReason::Ended,
        "MAX_TOKENS" => StopReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "LANGUAGE"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "MODEL_ARMOR" => StopReason::ContentFilter,
        // The model wrote a call that is none, or the service gave up: it may pass when it is asked again.
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" | "MALFORMED_RESPONSE" | "OTHER" => {
            return Err(broke_off(candidate));
        }
        _ => return Err(DecodeFault::Shape("finishReason")),
    };
    Ok(reply)
}

fn broke_off(candidate: &Value) -> DecodeFault {
    let said = read::text(candidate, "finishMessage").or_else(|| read::text(candidate, "finishReason"));
    let message = said.unwrap_or("no message").chars().take(300).collect();
    DecodeFault::Failed { status: 500, message }
}

fn read_part(part: &Value, notes: &mut Vec<ReplyNote>) -> Result<Vec<MessagePart>, DecodeFault> {
    let signature = read::text(part, "thoughtSignature");
    if let Some(call) = part.get("functionCall") {
        let name = read::text(call, "name").ok_or(DecodeFault::Shape("functionCall.name"))?.to_owned();
        let id = read::text(call, "id").unwrap_or_default().to_owned();
        let arguments = call.get("args").filter(|args| !args.is_null()).cloned().unwrap_or_else(|| json!({}));
        return Ok(vec![MessagePart::ToolCall { id, name, arguments, signature: signature.map(str::to_owned) }]);
    }
    let Some(text) = part.get("text").and_then(Value::as_str) else {
        let content = part.as_object().and_then(|part| part.keys().next()).cloned().unwrap_or_default();
        notes.push(ReplyNote::ContentDropped { content });
        return Ok(Vec::new());
    };
    let thought = part.get("thought").and_then(Value::as_bool).unwrap_or_default();
    let protocol = ModelProtocol::Gemini;
    if thought {
        return Ok(vec![MessagePart::Thinking { protocol, text: text.to_owned(), block: part.clone() }]);
    }
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(MessagePart::Text { text: text.to_owned() });
    }
    // A signature behind text goes back as a part of its own, as the provider itself streams it.
    if let Some(signature) = signature {
        let block = json!({"text": "", "thoughtSignature": signature});
        parts.push(MessagePart::Thinking { protocol, text: String::new(), block });
    }
    Ok(parts)
}

/// Returns whether an answer has parts that are counted as output: other than thinking, and not empty.
fn has_output(answer: &Value) -> bool {
    let parts = answer.pointer("/candidates/0/content/parts").and_then(Value::as_array);
    let is_thought = |part: &Value| part.get("thought") == Some(&Value::Bool(true));
    let is_empty = |part: &Value| part.get("text").and_then(Value::as_str).is_some_and(str::is_empty);
    parts.into_iter().flatten().any(|part| !is_thought(part) && !is_empty(part))
}

fn usage(answer: &Value) -> Result<Option<ModelUsage>, DecodeFault> {
    let Some(usage) = answer.get("usageMetadata").filter(|usage| !usage.is_null()) else { return Ok(None) };
    let Some(prompt) = tokens(usage, "/promptTokenCount")? else { return Ok(None) };
    let of_tools = tokens(usage, "/toolUsePromptTokenCount")?.unwrap_or_default();
    // A reply of thinking alone has no count of candidates. Where there is more, what it costs is not known.
    let output = match tokens(usage, "/candidatesTokenCount")? {
        Some(output) => output,
        None if has_output(answer) => return Ok(None),
        None => 0,
    };
    let cached_read = tokens(usage, "/cachedContentTokenCount")?.unwrap_or_default();
    let reasoning = tokens(usage, "/thoughtsTokenCount")?.unwrap_or_default();
    let mut image = 0;
    for detail in usage.get("promptTokensDetails").and_then(Value::as_array).into_iter().flatten() {
        if read::text(detail, "modality") == Some("IMAGE") {
            image = tokens(detail, "/tokenCount")?.unwrap_or_default();
        }
    }
    // Cached images are among both; they count as cached.
    let rest = without(prompt, cached_read, "/promptTokenCount")?;
    let image = image.min(rest);
    let input = (rest - image).saturating_add(of_tools);
    Ok(Some(ModelUsage { input, cached_read, image, output, reasoning, ..ModelUsage::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(parts: Value, counts: Value) -> Option<u64> {
        let answer = json!({"candidates": [{"content": {"parts": parts}}], "usageMetadata": counts});
        usage(&answer).unwrap().map(|usage| usage.output)
    }

    /// Without a count of its output a reply is not free: what it costs is unknown, and its reservation stays.
    #[test]
    fn output_without_a_count_has_no_usage() {
        let thought = json!({"text": "hm", "thought": true});
        let counts = json!({"promptTokenCount": 5, "thoughtsTokenCount": 3});
        assert_eq!(counted(json!([thought]), counts.clone()), Some(0));
        assert_eq!(counted(json!([{"text": ""}]), counts.clone()), Some(0));
        assert_eq!(counted(json!([thought, {"text": "yes"}]), counts.clone()), None);
        assert_eq!(counted(json!([{"functionCall": {"name": "f"}}]), counts), None);
        let counted_all = json!({"promptTokenCount": 5, "candidatesTokenCount": 2});
        assert_eq!(counted(json!([{"text": "yes"}]), counted_all), Some(2));
    }
}
