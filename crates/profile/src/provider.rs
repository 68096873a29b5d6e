//! Providers of models, and the parameters that each takes.

use deed_model::{ModelParameter, ReasoningSwitches};

/// A provider that bindings may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The name before the `:` of a binding.
    pub name: &'static str,
    /// The family, which decides on parameters and on the master switch of reasoning.
    pub family: ProviderFamily,
}

/// A family of providers with the same parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderFamily {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions and Responses, and Azure's.
    OpenAi,
    /// Gemini.
    Gemini,
    /// Ollama's own API.
    Ollama,
    /// Endpoints that are compatible with OpenAI's.
    Compatible,
}

/// Every provider, by family.
pub const PROVIDERS: [Provider; 11] = [
    Provider { name: "anthropic", family: ProviderFamily::Anthropic },
    Provider { name: "openai", family: ProviderFamily::OpenAi },
    Provider { name: "azure", family: ProviderFamily::OpenAi },
    Provider { name: "gemini", family: ProviderFamily::Gemini },
    Provider { name: "ollama", family: ProviderFamily::Ollama },
    Provider { name: "openrouter", family: ProviderFamily::Compatible },
    Provider { name: "vllm", family: ProviderFamily::Compatible },
    Provider { name: "llamacpp", family: ProviderFamily::Compatible },
    Provider { name: "lmstudio", family: ProviderFamily::Compatible },
    Provider { name: "local", family: ProviderFamily::Compatible },
    Provider { name: "compatible", family: ProviderFamily::Compatible },
];

/// Returns the provider with that name.
pub fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

impl ProviderFamily {
    /// Returns the parameters that the family takes. The time limit is ours, so every family takes it.
    pub fn parameters(self) -> &'static [ModelParameter] {
        use ModelParameter as P;
        match self {
            Self::Anthropic => {
                &[P::TimeoutMs, P::MaxTokens, P::Temperature, P::TopP, P::UseExtendedThinking, P::ThinkingBudgetTokens]
            }
            Self::OpenAi => &[
                P::TimeoutMs,
                P::MaxTokens,
                P::Temperature,
                P::TopP,
                P::Seed,
                P::ReasoningEffort,
                P::UseResponsesReasoning,
            ],
            Self::Gemini => &[P::TimeoutMs, P::MaxTokens, P::Temperature, P::TopP, P::Seed, P::ThinkingBudgetTokens],
            Self::Ollama => &[P::TimeoutMs, P::MaxTokens, P::Temperature, P::TopP, P::Seed],
            Self::Compatible => &[P::TimeoutMs, P::MaxTokens, P::Temperature, P::TopP, P::Seed, P::ReasoningEffort],
        }
    }

    /// Returns the name and the state of the family's master switch of reasoning; none if it has no reasoning.
    pub fn switch(self, switches: &ReasoningSwitches) -> Option<(&'static str, bool)> {
        let [anthropic, openai, gemini, compatible] = switches.parts();
        let (name, state) = match self {
            Self::Anthropic => anthropic,
            Self::OpenAi => openai,
            Self::Gemini => gemini,
            Self::Compatible => compatible,
            Self::Ollama => return None,
        };
        Some((name, state.unwrap_or(true)))
    }
}
