//! A request that is being written, with a list of what is left out.

use super::Writing;
use crate::provider::{ModelFamily, Taken};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_canon::ContentHash;
use deed_model::{DroppedParameter, MessagePart, MessageRole, ModelMessage, ReasoningEffort};
use serde_json::{Map, Value, json};

/// The body of a request and the parameters that it lacks.
#[derive(Default)]
pub(super) struct Draft {
    body: Map<String, Value>,
    dropped: Vec<DroppedParameter>,
}

impl Draft {
    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.body.insert(key.to_owned(), value.into());
    }

    pub(super) fn drop(&mut self, parameter: &str, reason: &str) {
        self.dropped.push(DroppedParameter { parameter: parameter.to_owned(), reason: reason.to_owned() });
    }

    /// Returns a parameter if it is set and the provider takes it, and lists it as dropped if it is only set.
    pub(super) fn taken<T>(&mut self, writing: Writing<'_>, taken: Taken, name: &str, value: Option<T>) -> Option<T> {
        let value = value?;
        if writing.takes(taken) {
            return Some(value);
        }
        let own = writing.provider.takes.contains(&taken);
        self.drop(name, if own { "the model does not take it" } else { "the provider does not take it" });
        None
    }

    /// Returns the effort that is asked for, or the lowest that the model knows, which is listed.
    pub(super) fn effort(&mut self, writing: Writing<'_>, asked: Option<ReasoningEffort>) -> Option<&'static str> {
        let effort = self.taken(writing, Taken::Effort, "parameters.reasoning.effort", asked)?;
        let least = writing.family().and_then(|family| family.least_effort).filter(|least| *least > effort);
        let Some(least) = least else { return Some(effort.as_str()) };
        self.drop("parameters.reasoning.effort", "the model knows none that is so low; its lowest was sent");
        Some(least.as_str())
    }

    pub(super) fn finish(mut self) -> (Value, Vec<DroppedParameter>) {
        self.dropped.sort();
        self.dropped.dedup();
        (Value::Object(self.body), self.dropped)
    }
}

/// An image in base64 with its media type.
pub(super) struct EncodedImage {
    pub(super) media_type: String,
    pub(super) base64: String,
}

impl EncodedImage {
    pub(super) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}

impl Writing<'_> {
    /// Returns true if the provider takes a parameter for the model.
    pub(super) fn takes(&self, taken: Taken) -> bool {
        self.provider.takes(taken, self.call.model.model())
    }

    /// Returns the family of the model, if it differs from others of the provider.
    pub(super) fn family(&self) -> Option<&ModelFamily> {
        self.provider.family(self.call.model.model())
    }

    /// Returns true for the last message of the stable prefix, where the provider takes a marker.
    pub(super) fn is_marked(&self, index: usize) -> bool {
        index + 1 == self.call.stable_messages && self.takes(Taken::CacheMarkers)
    }

    /// Returns the image of a hash. Its bytes must be those that the call names.
    pub(super) fn image(&self, sha256: &ContentHash) -> Result<EncodedImage, String> {
        let named = self.call.attachments.iter().find(|attachment| attachment.sha256 == *sha256);
        let named = named.ok_or_else(|| format!("the image {sha256} is not among the attachments of the call"))?;
        if !named.media_type.starts_with("image/") {
            return Err(format!("the attachment {sha256} is `{}` and not an image", named.media_type));
        }
        let bytes = (self.attachments)(sha256).ok_or_else(|| format!("the bytes of the image {sha256} are missing"))?;
        if ContentHash::of_bytes(&bytes) != *sha256 {
            return Err(format!("the bytes of the image {sha256} are others"));
        }
        Ok(EncodedImage { media_type: named.media_type.clone(), base64: STANDARD.encode(bytes) })
    }

    /// Returns the text of all system messages, divided by empty lines; none if there is none.
    pub(super) fn system(&self) -> Option<String> {
        let of = |message: &ModelMessage| -> Vec<String> { message.parts.iter().filter_map(text_of).collect() };
        let system = self.call.messages.iter().filter(|message| message.role == MessageRole::System);
        let texts: Vec<String> = system.flat_map(of).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    /// Returns the messages without those of the system, each with its index.
    pub(super) fn conversation(&self) -> impl Iterator<Item = (usize, &ModelMessage)> {
        self.call.messages.iter().enumerate().filter(|(_, message)| message.role != MessageRole::System)
    }
}

/// Marks the end of the stable prefix behind a block of content.
pub(super) fn mark(block: Option<&mut Value>) {
    if let Some(Value::Object(block)) = block {
        block.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}

fn text_of(part: &MessagePart) -> Option<String> {
    if let MessagePart::Text { text } = part { Some(text.clone()).filter(|text| !text.is_empty()) } else { None }
}

/// The reason why thinking of another protocol is left out.
pub(super) const OTHER_THINKING: &str = "thinking of another protocol is not sent";
/// The reason why an image or a result has no place in a message.
pub(super) const NO_PLACE: &str = "the protocol has no place for it in such a message";
