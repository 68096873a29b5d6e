//! The providers that are known, and the models with a price.

use crate::error::AppError;
use crate::runs::ProjectSecrets;
use crate::session::Session;
use deed_llm::{builtin_prices, providers};
use deed_model::{ModelPrice, ModelProtocol};
use deed_ports::{SecretError, Secrets as _};
use schemars::JsonSchema;
use serde::Serialize;

/// The providers, and the price table.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownModels {
    /// The providers.
    pub providers: Vec<KnownProvider>,
    /// The day on which the prices were taken.
    pub prices_dated: String,
    /// The currency of the prices.
    pub currency: String,
    /// The models with a price, in millionths of the currency for a million tokens.
    pub models: Vec<ModelPrice>,
}

/// A provider.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownProvider {
    /// Its name, the first part of a model's.
    pub name: String,
    /// The protocol that it speaks.
    pub protocol: ModelProtocol,
    /// Its address; none if the user has to give one, or if no local server runs.
    pub base_url: Option<String>,
    /// The name of the secret that is its key.
    pub secret: Option<String>,
    /// The status of the key.
    pub key: KeyStatus,
}

/// The status of a provider's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// The provider needs none.
    NotNeeded,
    /// It is there; nothing says that the provider accepts it.
    Present,
    /// It is not there.
    Missing,
    /// It is there and cannot be read.
    Unreadable,
}

impl KeyStatus {
    /// Returns the status in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotNeeded => "no key needed",
            Self::Present => "key present",
            Self::Missing => "no key",
            Self::Unreadable => "key unreadable",
        }
    }
}

/// Lists the providers and the priced models, of one provider or of all.
///
/// # Errors
/// The home cannot be read, or the provider is unknown.
pub fn list(session: &Session, provider: Option<&str>) -> Result<KnownModels, AppError> {
    let secrets = ProjectSecrets::of(session)?;
    if let Some(name) = provider {
        deed_llm::provider(name).map_err(|error| AppError::refused(deed_llm::diagnostic(&error)))?;
    }
    let wanted = |name: &str| provider.is_none_or(|own| own == name);
    let known = providers().into_iter().filter(|own| wanted(&own.name)).map(|own| {
        let secret = own.key.as_ref().map(|_| own.secret.clone().unwrap_or_else(|| own.name.clone()));
        let key = match secret.as_deref().map(|name| secrets.secret(name)) {
            None => KeyStatus::NotNeeded,
            Some(Ok(_)) => KeyStatus::Present,
            Some(Err(SecretError::Unknown(_))) => KeyStatus::Missing,
            Some(Err(SecretError::Unreadable { .. })) => KeyStatus::Unreadable,
        };
        let base_url = own.base_url.or_else(|| super::local::url_of(&own.name));
        KnownProvider { name: own.name, protocol: own.protocol, base_url, secret, key }
    });
    let providers = known.collect();
    let prices = builtin_prices();
    let models = prices.models.into_iter().filter(|price| wanted(price.model.provider())).collect();
    Ok(KnownModels { providers, prices_dated: prices.dated, currency: prices.currency, models })
}
