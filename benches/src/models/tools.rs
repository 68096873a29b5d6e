//! The choice of a tool, as a tool call of the protocol and through a schema.

use crate::client::Asker;
use crate::floors::Rates;
use deed_model::{MessagePart, OutputCheck, ReplyNote, StopReason, ToolChoice};
use serde_json::{Value, json};
use std::error::Error;

/// The tools: name, description, arguments.
const TOOLS: [(&str, &str, &str); 5] = [
    ("track_parcel", "Tells where a parcel is.", "parcel"),
    ("refund_order", "Returns the money of an order.", "order"),
    ("read_weather", "Tells the weather of a city.", "city"),
    ("create_ticket", "Files a report about something that is broken.", "device"),
    ("translate_text", "Translates a text into another language.", "text"),
];

/// The requests, with the tool that each needs.
const REQUESTS: [(&str, &str); 10] = [
    ("Where is my parcel P-40 now?", "track_parcel"),
    ("Has the parcel K-9 left the warehouse?", "track_parcel"),
    ("I sent back order 812 and want my money.", "refund_order"),
    ("Order 90 never came. Please return what I paid.", "refund_order"),
    ("Do I need an umbrella in Bergen today?", "read_weather"),
    ("How cold is it in Lund?", "read_weather"),
    ("The lift in the north wing is broken.", "create_ticket"),
    ("My screen stays black, please have it looked at.", "create_ticket"),
    ("Say good morning in Polish.", "translate_text"),
    ("What is the French for railway station?", "translate_text"),
];

pub(crate) fn measure(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let (mut by_schema, mut by_call, mut lifted, mut honest) = (0, 0, 0, 0);
    for (request, wanted) in REQUESTS {
        let reply = asker.ask(&asker.bound(&question(request), 60, &choice())?)?;
        let chosen = serde_json::from_str::<Value>(reply.text().trim()).unwrap_or(Value::Null);
        by_schema += usize::from(chosen["tool"] == wanted && reply.output == OutputCheck::Valid);

        let mut call = asker.call(request, 60)?;
        call.tools = serde_json::from_value(tools())?;
        call.tool_choice = ToolChoice::Required;
        let reply = asker.ask(&call)?;
        let called: Vec<&String> = reply
            .parts
            .iter()
            .filter_map(|part| if let MessagePart::ToolCall { name, .. } = part { Some(name) } else { None })
            .collect();
        by_call += usize::from(called.iter().all(|name| *name == wanted) && !called.is_empty());
        lifted += usize::from(reply.notes.iter().any(|note| matches!(note, ReplyNote::ToolCallsInText { .. })));
        // A reply without the call that was required says so, unless it was cut.
        let named = reply.notes.contains(&ReplyNote::ToolChoiceIgnored) || reply.stop == StopReason::Length;
        honest += usize::from(!called.is_empty() && reply.stop == StopReason::ToolCalls || called.is_empty() && named);
    }
    rates.rate("the right tool, by schema", by_schema, REQUESTS.len());
    rates.rate("the right tool, as a tool call", by_call, REQUESTS.len());
    rates.property("required calls that are there, or named as missing", honest, REQUESTS.len());
    eprintln!("{lifted} of {} replies had their tool calls as JSON in the text", REQUESTS.len());
    Ok(())
}

fn question(request: &str) -> String {
    let tools: Vec<String> = TOOLS.iter().map(|(name, does, takes)| format!("- {name}({takes}): {does}")).collect();
    format!(
        "Choose the tool that the request needs.\n\n{}\n\nRequest: {request}\n\nAnswer as JSON with the tool and its argument.",
        tools.join("\n")
    )
}

fn choice() -> Value {
    let names: Vec<&str> = TOOLS.iter().map(|(name, ..)| *name).collect();
    json!({"type": "object", "required": ["tool", "argument"], "additionalProperties": false,
        "properties": {"tool": {"type": "string", "enum": names}, "argument": {"type": "string"}}})
}

fn tools() -> Value {
    let tool = |(name, does, takes): &(&str, &str, &str)| {
        json!({"name": name, "description": does, "input_schema": {"type": "object", "required": [takes],
            "properties": {*takes: {"type": "string"}}, "additionalProperties": false}})
    };
    TOOLS.iter().map(tool).collect()
}
