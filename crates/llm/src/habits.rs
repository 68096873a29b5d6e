//! Habits of engines: tool calls written as text, constraints that are promised and not enforced, JSON that is cut.
//!
//! A reply enters as its protocol gives it. It leaves with the calls that the model wrote into the text, and with the
//! result of checking the text against the output contract. Nothing is repaired here: that is the ladder's.

use deed_model::{
    MessagePart, ModelCall, ModelProtocol, ModelReply, OutputCheck, ReplyContract, ReplyNote, StopReason, ToolChoice,
};
use deed_schema::Schema;
use serde_json::Value;

/// The number of violations that a reply keeps.
const MOST_VIOLATIONS: usize = 5;

/// Completes a reply by what was asked.
pub(crate) fn complete(reply: &mut ModelReply, call: &ModelCall, protocol: ModelProtocol) {
    if matches!(protocol, ModelProtocol::OpenaiChat | ModelProtocol::Ollama) {
        lift_calls(reply, call);
    }
    note_tools(reply, call);
    reply.output = check(reply, &call.output);
}

/// Reads calls of tools from a text that consists of them, bare, fenced, or in the tags that some templates use.
fn lift_calls(reply: &mut ModelReply, call: &ModelCall) {
    let calls_already = reply.parts.iter().any(|part| matches!(part, MessagePart::ToolCall { .. }));
    let may_call = !call.tools.is_empty() && call.tool_choice != ToolChoice::None;
    let text = reply.text();
    // A reply that was cut may lack the end of a call, unless it was cut in the blanks that some engines write behind one.
    let is_whole = match reply.stop {
        StopReason::Ended => true,
        StopReason::Length => ends_in_blanks(&text),
        StopReason::ToolCalls | StopReason::Refusal | StopReason::ContentFilter => false,
    };
    if calls_already || !may_call || !is_whole {
        return;
    }
    let Some((prose, written)) = written_calls(&text, call) else { return };
    reply.notes.push(ReplyNote::ToolCallsInText { calls: written.len() });
    reply.parts.retain(|part| !matches!(part, MessagePart::Text { .. }));
    if !prose.is_empty() {
        reply.parts.push(MessagePart::Text { text: prose });
    }
    for (number, (name, arguments)) in (1..).zip(written) {
        reply.parts.push(MessagePart::ToolCall { id: format!("text_{number}"), name, arguments, signature: None });
    }
    reply.stop = StopReason::ToolCalls;
}

/// Returns true for a text that was cut in blank lines behind something that has an end.
fn ends_in_blanks(text: &str) -> bool {
    let tail = text.trim_end();
    text.ends_with("\n\n") && ["```", "</tool_call>", "}", "]"].iter().any(|end| tail.ends_with(end))
}

type WrittenCall = (String, Value);

/// Returns the text around the calls, and the calls; none unless every block of the text is a call of an offered tool.
fn written_calls(text: &str, call: &ModelCall) -> Option<(String, Vec<WrittenCall>)> {
    let (prose, blocks) = blocks(text);
    let mut calls = Vec::new();
    for block in &blocks {
        let value: Value = serde_json::from_str(block).ok()?;
        match value {
            Value::Array(list) if !list.is_empty() => {
                for item in &list {
                    calls.push(written_call(item, call)?);
                }
            }
            other => calls.push(written_call(&other, call)?),
        }
    }
    (!calls.is_empty()).then_some((prose, calls))
}

/// Returns the text outside of blocks, and the blocks: fences, tags, or the whole text if it has neither.
fn blocks(text: &str) -> (String, Vec<String>) {
    let (mut prose, mut found, mut open) = (Vec::new(), Vec::new(), None::<Vec<&str>>);
    for line in text.lines() {
        let bare = line.trim();
        match (&mut open, bare) {
            (Some(block), "```" | "</tool_call>") => {
                found.push(block.join("\n"));
                open = None;
            }
            (Some(block), _) => block.push(line),
            (None, "```" | "```json" | "```tool_call" | "<tool_call>") => open = Some(Vec::new()),
            (None, _) => {
                let one = bare.strip_prefix("<tool_call>").and_then(|rest| rest.strip_suffix("</tool_call>"));
                match one {
                    Some(one) => found.push(one.to_owned()),
                    None => prose.push(line),
                }
            }
        }
    }
    if found.is_empty() && open.is_none() {
        return (String::new(), vec![text.trim().to_owned()]);
    }
    // A fence that does not end is text.
    prose.extend(open.into_iter().flatten());
    (prose.join("\n").trim().to_owned(), found)
}

/// Reads `{"name", "arguments"}`, as templates write it, also within `function` and with `parameters`.
fn written_call(value: &Value, call: &ModelCall) -> Option<WrittenCall> {
    let fields = value.get("function").filter(|function| function.is_object()).unwrap_or(value).as_object()?;
    let known = |key: &str| matches!(key, "name" | "arguments" | "parameters" | "type" | "id");
    if !fields.keys().all(|key| known(key)) {
        return None;
    }
    let name = fields.get("name")?.as_str()?;
    let arguments = fields.get("arguments").or_else(|| fields.get("parameters"))?;
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let offered = call.tools.iter().any(|tool| tool.name == name);
    (offered && arguments.is_object()).then(|| (name.to_owned(), arguments))
}

fn note_tools(reply: &mut ModelReply, call: &ModelCall) {
    let mut called = 0_usize;
    for part in &reply.parts {
        if let MessagePart::ToolCall { name, .. } = part {
            called += 1;
            if !call.tools.iter().any(|tool| tool.name == *name) {
                reply.notes.push(ReplyNote::UnknownTool { name: name.clone() });
            }
        }
    }
    let forced = matches!(call.tool_choice, ToolChoice::Required | ToolChoice::Named { .. });
    if forced && called == 0 && reply.stop == StopReason::Ended {
        reply.notes.push(ReplyNote::ToolChoiceIgnored);
    }
}

/// Checks the text of a reply against the output contract, whatever the provider promised.
fn check(reply: &ModelReply, contract: &ReplyContract) -> OutputCheck {
    let schema = match contract {
        ReplyContract::Text => return OutputCheck::Unchecked,
        ReplyContract::Json => None,
        ReplyContract::JsonSchema { schema, .. } => Some(schema),
    };
    if matches!(reply.stop, StopReason::ToolCalls | StopReason::Refusal | StopReason::ContentFilter) {
        return OutputCheck::Unchecked;
    }
    let value = match deed_canon::parse(reply.text().trim().as_bytes()) {
        Ok(value) => value,
        Err(_) if reply.stop == StopReason::Length => return OutputCheck::Cut,
        Err(_) => return OutputCheck::NotJson,
    };
    let Some(schema) = schema else { return OutputCheck::Valid };
    let found = Schema::new(schema.clone()).and_then(|schema| schema.violations(&value));
    let violations: Vec<String> = match found {
        Ok(found) => {
            found.into_iter().map(|violation| format!("{}: {}", violation.pointer, violation.message)).collect()
        }
        Err(refused) => vec![format!("the schema cannot be used: {refused}")],
    };
    match violations.is_empty() {
        true => OutputCheck::Valid,
        false => OutputCheck::Violates { violations: violations.into_iter().take(MOST_VIOLATIONS).collect() },
    }
}
