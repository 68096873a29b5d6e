//! A request that is being written, with a list of what is left out.

use super::Writing;
use crate::provider::Taken;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_canon::ContentHash;
use deed_model::{DroppedParameter, MessagePart, MessageRole, ModelMessage};
use serde_json::{Map, Value};

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
        if writing.provider.takes(taken) {
            return Some(value);
        }
        self.drop(name, "the provider does not take it");
        None
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

fn text_of(part: &MessagePart) -> Option<String> {
    if let MessagePart::Text { text } = part { Some(text.clone()) } else { None }
}

/// The reason why thinking of another protocol is left out.
pub(super) const OTHER_THINKING: &str = "thinking of another protocol is not sent";
/// The reason why an image or a result has no place in a message.
pub(super) const NO_PLACE: &str = "the protocol has no place for it in such a message";
