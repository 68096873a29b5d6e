//! Providers as data: where they are, which protocol they speak, and what they take.

use deed_detect::SecretScanner;
use deed_diag::Invariant as _;
use deed_model::{EgressCredential, EgressRepeat, EgressRule, ModelProtocol, ReasoningEffort};
use deed_ports::{ModelError, ModelErrorKind};
use deed_reach::{Location, Rules};
use serde::Deserialize;

/// A provider, with the habits of its endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Its name, the first part of a model's.
    pub name: String,
    /// The protocol that it speaks.
    pub protocol: ModelProtocol,
    /// The URL that the paths of calls are appended to; none if the user has to give one.
    pub base_url: Option<String>,
    /// The path of calls, with `{model}` for the model; the protocol's if it is left out.
    #[serde(default)]
    pub path: Option<String>,
    /// The header that carries the key; none for endpoints without one.
    #[serde(default)]
    pub key: Option<KeyHeader>,
    /// The name of the secret that is the key, without `secret://`; the name of the provider if it is left out.
    #[serde(default)]
    pub secret: Option<String>,
    /// More headers.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// True if its host may have a private or loopback address.
    #[serde(default)]
    pub local: bool,
    /// The parameters that it takes.
    pub takes: Vec<Taken>,
    /// The way in which a reply is bound to a schema.
    pub schema_output: SchemaOutput,
    /// The field that carries the maximum number of tokens, where the protocol has several.
    #[serde(default)]
    pub max_tokens_field: MaxTokensField,
    /// The field that carries the effort, where endpoints of the protocol differ.
    #[serde(default)]
    pub effort_field: EffortField,
    /// The part of JSON Schema that it takes for replies.
    #[serde(default)]
    pub schema_subset: SchemaSubset,
    /// The field of a message in which thinking goes back, where the protocol has no block for it.
    #[serde(default)]
    pub thinking_field: ThinkingField,
    /// Families of models that differ from the others of the provider.
    #[serde(default)]
    pub families: Vec<ModelFamily>,
    /// True if a reply does not end behind a call that it was made to begin: the model decides then whether it calls.
    #[serde(default)]
    pub runs_on_when_forced: bool,
    /// True if its tokens are those of the vocabulary `o200k_base`.
    #[serde(default)]
    pub counts_o200k: bool,
    /// The number of calls at once.
    pub concurrency: usize,
    /// The number of calls in a minute; no limit if it is left out.
    #[serde(default)]
    pub requests_per_minute: Option<u32>,
}

/// The header that carries a key.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyHeader {
    /// Its name.
    pub header: String,
    /// Its value, with `{}` for the key; the key alone if it is left out.
    #[serde(default)]
    pub format: Option<String>,
}

/// A parameter that a provider takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// `temperature`.
    Temperature,
    /// `top_p`.
    TopP,
    /// `top_k`.
    TopK,
    /// `seed`.
    Seed,
    /// `stop`.
    Stop,
    /// `parallel_tool_calls`.
    ParallelToolCalls,
    /// The effort of thinking.
    Effort,
    /// The number of tokens of thinking.
    ThinkingTokens,
    /// Markers behind the stable prefix.
    CacheMarkers,
    /// A key for its prompt cache.
    CacheKey,
}

/// A family of models that differs from the others of its provider.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFamily {
    /// The beginnings of the names of its models. Of several families the longest beginning that fits counts.
    pub begins: Vec<String>,
    /// The parameters that they refuse, although the provider takes them.
    #[serde(default)]
    pub refuses: Vec<Taken>,
    /// True if they think adaptively: they take an effort and no number of tokens.
    #[serde(default)]
    pub adaptive_thinking: bool,
    /// True if they refuse to be made to call a tool, thinking or not.
    #[serde(default)]
    pub refuses_forced_tools: bool,
    /// True if their vocabulary is not known, whatever that of the provider's others is.
    #[serde(default)]
    pub other_vocabulary: bool,
    /// The lowest effort that they know; `minimal` if it is left out.
    #[serde(default)]
    pub least_effort: Option<ReasoningEffort>,
}

/// The part of JSON Schema that a provider takes for replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSubset {
    /// All of it, or it ignores what it does not know.
    #[default]
    Whole,
    /// Structure alone: closed objects, and no bounds. Other keywords are refused.
    Structure,
    /// Any schema, and strictly those whose objects are closed and require all of their fields.
    StrictIfClosed,
}

/// The field of a message in which thinking goes back to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingField {
    /// None: thinking is left out.
    #[default]
    None,
    /// `reasoning_content`, as text.
    ReasoningContent,
    /// `reasoning_details`: the blocks of the provider, with their signatures.
    ReasoningDetails,
}

/// The way in which a provider binds a reply to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaOutput {
    /// It takes the schema.
    JsonSchema,
    /// It writes JSON of any form.
    JsonObject,
    /// It does neither; the prompt has to ask.
    None,
}

/// The field that carries the maximum number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// `max_tokens`.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
}

/// The field that carries the effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffortField {
    /// `reasoning_effort`.
    #[default]
    ReasoningEffort,
    /// `reasoning.effort`.
    Reasoning,
}

/// Returns the providers that are known without configuration.
pub fn providers() -> Vec<Provider> {
    serde_json::from_str(include_str!("../data/providers.json"))
        .invariant("the embedded table of providers is read by a test")
}

/// Returns a provider by its name.
///
/// # Errors
/// There is none of the name.
pub fn provider(name: &str) -> Result<Provider, ModelError> {
    let known = providers();
    let help = || deed_diag::did_you_mean(name, known.iter().map(|own| own.name.as_str()));
    known.iter().find(|own| own.name == name).cloned().ok_or_else(|| {
        let help = help().map(|help| format!("; {help}")).unwrap_or_default();
        ModelError::new(ModelErrorKind::UnknownProvider, format!("unknown provider {}{help}", deed_diag::quote(name)))
    })
}

impl Provider {
    /// Returns true if the provider takes a parameter for a model.
    pub fn takes(&self, parameter: Taken, model: &str) -> bool {
        self.takes.contains(&parameter) && !self.family(model).is_some_and(|own| own.refuses.contains(&parameter))
    }

    /// Returns the family of a model: the one with the longest beginning that fits.
    pub fn family(&self, model: &str) -> Option<&ModelFamily> {
        let fitting = self.families.iter().flat_map(|family| {
            let begins = family.begins.iter().filter(|begin| model.starts_with(begin.as_str()));
            begins.map(move |begin| (begin.len(), family))
        });
        fitting.max_by_key(|(length, _)| *length).map(|(_, family)| family)
    }

    /// Puts the provider elsewhere. A host on this machine or in a private network has to be named so.
    ///
    /// # Errors
    /// The URL cannot be read, or holds a key, a user, a query or a fragment.
    pub fn at(mut self, base_url: &str, local: bool) -> Result<Self, String> {
        // The URL is not repeated: it may hold a key.
        if !SecretScanner::standard().scan(base_url).is_empty() {
            return Err("the base URL holds what looks like a key; name a secret instead".to_owned());
        }
        let location = Location::read(base_url).map_err(|fault| format!("the base URL cannot be read: {fault}"))?;
        if location.query.is_some() || base_url.contains('#') {
            return Err("the base URL has a query or a fragment, where keys leak".to_owned());
        }
        self.base_url = Some(base_url.trim_end_matches('/').to_owned());
        self.local = self.local || local;
        Ok(self)
    }

    /// Uses another secret as the key. An endpoint without a key gets `Authorization: Bearer`.
    pub fn with_secret(mut self, name: &str) -> Self {
        self.secret = Some(name.trim_start_matches("secret://").to_owned());
        let bearer = || KeyHeader { header: "authorization".to_owned(), format: Some("Bearer {}".to_owned()) };
        self.key.get_or_insert_with(bearer);
        self
    }

    /// Returns the egress rules that let its calls out, and nothing else.
    ///
    /// # Errors
    /// The provider has no base URL, or the rules are refused.
    pub fn rules(&self) -> Result<Rules, String> {
        let base = self.base_url.as_deref().ok_or("the provider has no address of its own; give a base URL")?;
        let location = Location::read(base).map_err(|fault| format!("the base URL cannot be read: {fault}"))?;
        let credential = self.key.as_ref().map(|key| EgressCredential {
            secret: format!("secret://{}", self.secret.as_deref().unwrap_or(&self.name)),
            header: key.header.clone(),
            format: key.format.clone(),
        });
        let rule = EgressRule {
            endpoint: None,
            base_path: None,
            scheme: location.scheme,
            host: location.host.plain(),
            subdomains: false,
            port: Some(location.port),
            paths: Vec::new(),
            methods: vec!["POST".to_owned()],
            private_addresses: self.local,
            credential,
            repeat: EgressRepeat::Never,
            price_micros: None,
            // Beside a credential, a rule lists what else may be sent.
            headers: self.key.iter().flat_map(|_| self.headers.iter().map(|(name, _)| name.clone())).collect(),
        };
        Rules::read(vec![rule]).map_err(|faults| {
            let all: Vec<String> = faults.iter().map(|fault| format!("{}: {}", fault.field, fault.message)).collect();
            all.join("; ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_of_the_table_can_be_reached_by_its_rules() {
        for own in providers() {
            let own =
                if own.base_url.is_some() { own } else { own.at("https://models.acme.example/v1", false).unwrap() };
            assert!(own.rules().is_ok(), "{}: {:?}", own.name, own.rules());
            assert!(own.concurrency > 0);
        }
    }

    #[test]
    fn the_longest_beginning_names_the_family() {
        let own = provider("anthropic").unwrap();
        let adaptive = |model: &str| own.family(model).is_some_and(|family| family.adaptive_thinking);
        let forced = |model: &str| !own.family(model).is_some_and(|family| family.refuses_forced_tools);
        let seen = |model: &str| (adaptive(model), own.takes(Taken::Temperature, model), forced(model));
        assert_eq!(seen("claude-sonnet-4-20250514"), (false, true, true));
        assert_eq!(seen("claude-opus-4-6"), (true, true, true));
        assert_eq!(seen("claude-opus-4-7"), (true, false, true));
        assert_eq!(seen("claude-opus-5"), (true, false, true));
        assert_eq!(seen("claude-opus-5-5"), (true, false, false));
        // A model that is not known yet is taken for one of the newest.
        assert_eq!(seen("claude-opus-9"), (true, false, false));
        for own in providers() {
            let all: Vec<&String> = own.families.iter().flat_map(|family| &family.begins).collect();
            let mut once = all.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), all.len(), "{}: a beginning is there twice", own.name);
        }
    }

    #[test]
    fn a_base_url_with_a_key_or_a_query_is_refused_and_not_repeated() {
        let own = provider("compatible").unwrap();
        let key = deed_detect::sample("github-classic-token", 1).unwrap().text;
        let refused = own.clone().at(&format!("https://models.test/{key}"), false).unwrap_err();
        assert!(!refused.contains(&key), "{refused}");
        for bad in ["https://u:p@models.test", "https://models.test?key=1", "ftp://models.test", "models"] {
            assert!(own.clone().at(bad, false).is_err(), "{bad}");
        }
        assert!(provider("antropic").unwrap_err().message.contains("did you mean `anthropic`"));
    }
}
