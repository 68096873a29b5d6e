//! Properties of replies that hold for every endpoint: habits of the engine are named and never passed on as if they were none.

use crate::client::Asker;
use crate::floors::Rates;
use deed_model::{OutputCheck, ReplyContract, StopReason};
use deed_ports::ModelErrorKind;
use serde_json::{Value, json};
use std::error::Error;

pub(crate) fn measure(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    whole_and_streamed(asker, rates)?;
    length(asker, rates)?;
    unenforced(asker, rates)?;
    refused(asker, rates)
}

/// Usage comes in a last chunk without choices when a reply is streamed.
fn whole_and_streamed(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let questions = ["Say hello in one word.", "Write the numbers from one to five.", "Name a colour."];
    let (mut usage, mut same) = (0, 0);
    for question in questions {
        let call = asker.call(question, 24)?;
        let (streamed, whole) = (asker.ask(&call)?, asker.ask_whole(&call)?);
        let counted = |tokens: Option<deed_model::ModelUsage>| tokens.is_some_and(|usage| usage.output > 0);
        usage += usize::from(counted(streamed.usage) && counted(whole.usage));
        same += usize::from(streamed.text() == whole.text() && streamed.stop == whole.stop);
    }
    rates.property("replies with usage, streamed and whole", usage, questions.len());
    rates.rate("the same reply, streamed and whole", same, questions.len());
    Ok(())
}

/// A schema-bound reply that is cut is broken JSON, and is named so.
fn length(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let schema = json!({"type": "object", "required": ["story", "moral"], "additionalProperties": false,
        "properties": {"story": {"type": "string", "minLength": 400}, "moral": {"type": "string"}}});
    let limits = [1, 4, 9, 16];
    let mut held = 0;
    for limit in limits {
        let reply = asker.ask(&asker.bound("Tell a story of the sea.", limit, &schema)?)?;
        held += usize::from(reply.stop == StopReason::Length && reply.output == OutputCheck::Cut);
    }
    rates.property("replies that were cut, named as cut", held, limits.len());
    Ok(())
}

/// Bounds, uniqueness and patterns are accepted and not enforced: what violates them is found here.
fn unenforced(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flatten().map(|(name, _)| name).collect();
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let cases = [
        ("How many legs has a dog?", object(json!({"legs": {"type": "integer", "minimum": 1000, "maximum": 1001}}))),
        (
            "Write three times the word yes.",
            object(json!({"words": {"type": "array", "items": {"enum": ["yes"]}, "minItems": 3, "uniqueItems": true}})),
        ),
        ("Write the code of the item: ab-1.", object(json!({"code": {"type": "string", "pattern": "Q[0-9]{4}$"}}))),
        (
            "How warm is it? It is 20.5 degrees.",
            object(json!({"celsius": {"type": "number", "exclusiveMaximum": -100}})),
        ),
    ];
    let (mut held, mut violating) = (0, 0);
    for (question, schema) in &cases {
        let reply = asker.ask(&asker.bound(question, 64, schema)?)?;
        let (judged, violates) = judge(&reply.text(), schema, &reply.output);
        held += usize::from(judged);
        violating += usize::from(violates);
    }
    rates.property("constraints judged anew, whatever was promised", held, cases.len());
    eprintln!("of these, {violating} replies violate a constraint that the engine accepted");
    Ok(())
}

/// Returns true if the result of the check is the right one, and true if the text is JSON that violates the schema. The
/// second computation knows only the four constraints of this file.
fn judge(text: &str, schema: &Value, found: &OutputCheck) -> (bool, bool) {
    let Ok(value) = serde_json::from_str::<Value>(text.trim()) else {
        return (matches!(found, OutputCheck::NotJson | OutputCheck::Cut), false);
    };
    let fits = |value: &Value, schema: &Value| match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            let bound = |name: &str| schema[name].as_f64();
            bound("minimum").is_none_or(|least| number >= least)
                && bound("maximum").is_none_or(|most| number <= most)
                && bound("exclusiveMaximum").is_none_or(|most| number < most)
        }
        Value::Array(items) => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            items.len() as u64 >= least && !items.iter().enumerate().any(|(at, item)| items[..at].contains(item))
        }
        Value::String(text) => {
            let code = text.len() >= 5 && text.is_char_boundary(text.len() - 5);
            let tail = if code { text.split_at(text.len() - 5).1 } else { "" };
            tail.strip_prefix('Q').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => false,
    };
    let properties = schema["properties"].as_object();
    let complete = value.as_object().map(serde_json::Map::len) == properties.map(serde_json::Map::len);
    let fits = complete && properties.into_iter().flatten().all(|(name, inner)| fits(&value[name], inner));
    match found {
        OutputCheck::Valid => (fits, !fits),
        OutputCheck::Violates { .. } => (!fits, !fits),
        OutputCheck::Unchecked | OutputCheck::Cut | OutputCheck::NotJson => (false, !fits),
    }
}

/// What the engine refuses arrives as a refusal, and is not sent again.
fn refused(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let long = "word ".repeat(12_000);
    let mut bad = asker.call("Hello", 8)?;
    bad.output = ReplyContract::JsonSchema { name: "reply".to_owned(), schema: json!({"type": "nothing"}) };
    let mut held = 0;
    for call in [asker.call(&long, 8)?, bad] {
        let error = asker.ask(&call).err();
        held += usize::from(
            error.is_some_and(|error| error.kind == ModelErrorKind::Rejected && error.spent.attempts.len() == 1),
        );
    }
    rates.property("requests that the engine refuses, named and not repeated", held, 2);
    Ok(())
}
