//! The number of tokens of a call, counted before it is sent: an upper bound.

use crate::protocols::{Streaming, encode};
use crate::provider::Provider;
use deed_model::{MessagePart, ModelCall};
use deed_vocabulary::o200k_base;
use serde_json::Value;

/// Tokens that the template of a provider adds at most for each message, tool or part.
const PER_VALUE: u64 = 8;

/// Returns the most tokens that a call can have as input at a provider, images apart.
///
/// Where the vocabulary is known, the texts of the request are counted by it; otherwise every byte counts, since no byte-pair
/// token is shorter than one.
///
/// # Errors
/// The call cannot be written for the provider.
pub fn counted_input(provider: &Provider, call: &ModelCall) -> Result<u64, String> {
    let mut texts = call.clone();
    for message in &mut texts.messages {
        message.parts.retain(|part| !matches!(part, MessagePart::Image { .. }));
    }
    let request = encode(&texts, provider, &|_| None, Streaming::Off)?;
    let known = !provider.family(call.model.model()).is_some_and(|family| family.other_vocabulary);
    Ok(counted(&request.body, provider.counts_o200k && known).saturating_add(PER_VALUE))
}

fn counted(value: &Value, exact: bool) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => PER_VALUE,
        Value::String(text) => tokens(text, exact),
        Value::Array(items) => items.iter().map(|item| counted(item, exact)).fold(PER_VALUE, u64::saturating_add),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, item)| tokens(key, exact).saturating_add(counted(item, exact)));
            fields.fold(PER_VALUE, u64::saturating_add)
        }
    }
}

fn tokens(text: &str, exact: bool) -> u64 {
    if exact { o200k_base().count(text) as u64 } else { text.len() as u64 }
}
