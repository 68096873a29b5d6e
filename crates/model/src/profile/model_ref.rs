//! References to models.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A model by its provider, or no model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelRef {
    /// No model is asked.
    None,
    /// `provider:model`, such as `anthropic:claude-sonnet-4-6`.
    Model {
        /// The provider.
        provider: String,
        /// The provider's name of the model; it may contain `:` and `/`.
        model: String,
    },
}

/// The reason why a text is not a reference to a model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelRefError {
    /// There is no `:`.
    #[error("`{0}` names no provider")]
    NoProvider(String),
    /// The provider has other characters than a name.
    #[error("`{0}` is not a name of a provider: lowercase letters, digits and `-`")]
    Provider(String),
    /// The model is empty or has spaces.
    #[error("`{0}` is not a name of a model: printable characters without spaces")]
    Model(String),
}

impl FromStr for ModelRef {
    type Err = ModelRefError;
    fn from_str(text: &str) -> Result<Self, ModelRefError> {
        if text == "none" {
            return Ok(Self::None);
        }
        let (provider, model) = text.split_once(':').ok_or_else(|| ModelRefError::NoProvider(text.to_owned()))?;
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if provider.is_empty() || !provider.bytes().all(letter) {
            return Err(ModelRefError::Provider(provider.to_owned()));
        }
        if model.is_empty() || model.len() > 200 || !model.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(ModelRefError::Model(model.to_owned()));
        }
        Ok(Self::Model { provider: provider.to_owned(), model: model.to_owned() })
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Model { provider, model } => write!(f, "{provider}:{model}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_providers_and_models() {
        assert_eq!("none".parse(), Ok(ModelRef::None));
        let written = ["anthropic:claude-opus-4-6", "ollama:qwen2.5-coder:1.5b", "openrouter:meta/llama-3"];
        for text in written {
            assert_eq!(text.parse::<ModelRef>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn refuses_what_names_no_model() {
        assert!(matches!("claude".parse::<ModelRef>(), Err(ModelRefError::NoProvider(_))));
        assert!(matches!("Anthropic:x".parse::<ModelRef>(), Err(ModelRefError::Provider(_))));
        assert!(matches!(":x".parse::<ModelRef>(), Err(ModelRefError::Provider(_))));
        assert!(matches!("openai:".parse::<ModelRef>(), Err(ModelRefError::Model(_))));
        assert!(matches!("openai:gpt 5".parse::<ModelRef>(), Err(ModelRefError::Model(_))));
    }
}
