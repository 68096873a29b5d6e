//! The envelopes in which the APIs of models return a text: `{"role": "assistant", "content": "…"}`, and the whole
//! responses of OpenAI, Anthropic, Gemini and Ollama.
//!
//! The text inside is the answer. An envelope with several texts, one of another role than the model's, or one that was
//! cut off is none.

use serde_json::{Map, Value};

/// The roles of a model.
const ROLES: [&str; 4] = ["assistant", "model", "ai", "bot"];
/// The reasons for an end that is none of length, filters or tools.
const ENDS: [&str; 7] = ["stop", "end_turn", "stop_sequence", "eos", "complete", "completed", "done"];
/// The keys by which a response says why it ended.
const REASONS: [&str; 6] = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "status"];
/// The types of a part that is a text.
const TEXTS: [&str; 2] = ["text", "output_text"];
/// The types of a part in which a model reasons.
const THOUGHTS: [&str; 3] = ["thinking", "reasoning", "redacted_thinking"];
/// Envelopes within envelopes.
const DEEPEST: usize = 6;

/// Returns the only text of an envelope.
pub(super) fn answer(value: &Value) -> Option<&str> {
    envelope(value, DEEPEST)
}

fn envelope(value: &Value, depth: usize) -> Option<&str> {
    let depth = depth.checked_sub(1)?;
    let map = value.as_object()?;
    let refused = map.get("refusal").is_some_and(|refusal| !refusal.is_null());
    if refused || !ended(map) || !by_model(map) || calls_tools(map) {
        return None;
    }
    let held = ["choices", "candidates", "output", "message"].iter().filter_map(|key| map.get(*key).map(|v| (*key, v)));
    let held: Vec<(&str, &Value)> = held.collect();
    match held.as_slice() {
        [] => message(map, depth),
        [("message", inner)] => envelope(inner, depth),
        [("output", Value::Array(items))] => envelope(only_speech(items)?, depth),
        [("choices" | "candidates", Value::Array(items))] => match items.as_slice() {
            [only] => envelope(only, depth),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a message: of its content, of the parts of its content, or of a completion.
fn message(map: &Map<String, Value>, depth: usize) -> Option<&str> {
    let is_message = map.get("type").and_then(Value::as_str).is_some_and(|kind| kind == "message");
    let has_role = map.get("role").is_some();
    match (map.get("content"), map.get("parts"), map.get("text")) {
        (Some(Value::String(text)), None, None) if is_message || has_role => Some(text),
        (Some(Value::Array(parts)), None, None) if is_message || has_role => only_text(parts),
        (None, Some(Value::Array(parts)), None) => only_text(parts),
        // `content` of Gemini holds the parts, and `text` of a completion is the answer.
        (Some(inner @ Value::Object(_)), None, None) => envelope(inner, depth),
        (None, None, Some(Value::String(text))) if REASONS.iter().any(|key| map.contains_key(*key)) => Some(text),
        _ => None,
    }
}

/// The only text among parts; other parts may only be reasoning.
fn only_text(parts: &[Value]) -> Option<&str> {
    let mut found = None;
    for part in parts {
        let map = part.as_object()?;
        let kind = map.get("type").and_then(Value::as_str);
        let is_thought = kind.is_some_and(|kind| THOUGHTS.contains(&kind))
            || map.get("thought").and_then(Value::as_bool).unwrap_or(false);
        let text = map.get("text").and_then(Value::as_str).filter(|_| kind.is_none_or(|kind| TEXTS.contains(&kind)));
        match (is_thought, text, found) {
            (true, _, _) => {}
            (false, Some(text), None) => found = Some(text),
            (false, _, _) => return None,
        }
    }
    found
}

/// The only message among the items of a response; other items may only be reasoning.
fn only_speech(items: &[Value]) -> Option<&Value> {
    let kind = |item: &&Value| item.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut spoken = items.iter().filter(|item| !THOUGHTS.contains(&kind(item).as_str()));
    spoken.next().filter(|item| kind(item) == "message" && spoken.next().is_none())
}

/// Whether a response ended because it was complete, as far as it says.
fn ended(map: &Map<String, Value>) -> bool {
    REASONS.iter().filter_map(|key| map.get(*key)).all(|reason| match reason {
        Value::Null => true,
        Value::String(reason) => ENDS.contains(&reason.to_lowercase().as_str()),
        _ => false,
    })
}

fn by_model(map: &Map<String, Value>) -> bool {
    map.get("role").is_none_or(|role| role.as_str().is_some_and(|role| ROLES.contains(&role.to_lowercase().as_str())))
}

fn calls_tools(map: &Map<String, Value>) -> bool {
    let is_filled = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    ["tool_calls", "function_call"].iter().filter_map(|key| map.get(*key)).any(is_filled)
}

#[cfg(test)]
mod tests {
    use super::answer;
    use serde_json::json;

    #[test]
    fn the_only_text_is_the_answer() {
        for value in [
            json!({"role": "assistant", "content": "a"}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "a"}]}),
            json!({"id": "x", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": "a", "refusal": null}}], "usage": {"total_tokens": 3}}),
            json!({"type": "message", "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "thinking", "thinking": "b"}, {"type": "text", "text": "a"}]}),
            json!({"candidates": [{"content": {"parts": [{"text": "a"}], "role": "model"}, "finishReason": "STOP"}]}),
            json!({"model": "llama", "message": {"role": "assistant", "content": "a"}, "done": true}),
            json!({"object": "response", "status": "completed", "output": [{"type": "reasoning"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}]}),
            json!({"choices": [{"text": "a", "finish_reason": "stop"}]}),
        ] {
            assert_eq!(answer(&value), Some("a"), "{value}");
        }
        for value in [
            json!({"role": "user", "content": "a"}),
            json!({"content": "a"}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
            json!({"choices": [{"message": {"role": "assistant", "content": "a"}}, {"message": {"role": "assistant", "content": "b"}}]}),
            json!({"choices": [{"finish_reason": "length", "message": {"role": "assistant", "content": "a"}}]}),
            json!({"role": "assistant", "content": "a", "refusal": "I cannot"}),
            json!({"role": "assistant", "content": null, "tool_calls": [{}]}),
            json!({"text": "a"}),
        ] {
            assert_eq!(answer(&value), None, "{value}");
        }
    }
}
