//! The name of a model: `provider:model`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The longest name, in bytes.
const LONGEST: usize = 200;

/// The name of a model at a provider: `provider:model`, such as `ollama:qwen2.5-coder:1.5b`. The first colon divides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId {
    provider: String,
    model: String,
}

/// A text that is not the name of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a model is written `provider:model`, with a provider in lowercase letters, digits and `-`")]
pub struct ModelIdError;

impl ModelId {
    /// Returns the provider's name.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Returns the model's name at the provider.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelId {
    type Err = ModelIdError;
    fn from_str(text: &str) -> Result<Self, ModelIdError> {
        let (provider, model) = text.split_once(':').ok_or(ModelIdError)?;
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let named = !provider.is_empty() && provider.bytes().all(plain);
        let printable = !model.is_empty() && model.bytes().all(|b| b.is_ascii_graphic());
        if text.len() > LONGEST || !named || !printable {
            return Err(ModelIdError);
        }
        Ok(Self { provider: provider.to_owned(), model: model.to_owned() })
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

impl Serialize for ModelId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ModelId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for ModelId {
    fn schema_name() -> Cow<'static, str> {
        "ModelId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The name of a model at a provider: `provider:model`.",
            "pattern": "^[a-z0-9-]+:[!-~]+$",
            "maxLength": LONGEST,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_colon_divides() {
        let id: ModelId = "ollama:qwen2.5-coder:1.5b".parse().unwrap();
        assert_eq!(
            (id.provider(), id.model(), id.to_string().as_str()),
            ("ollama", "qwen2.5-coder:1.5b", "ollama:qwen2.5-coder:1.5b")
        );
        for bad in ["", "gpt-4o", ":m", "a:", "A:b", "a b:c", "a:b c", "a:b\n"] {
            assert_eq!(bad.parse::<ModelId>(), Err(ModelIdError), "{bad:?}");
        }
    }
}
