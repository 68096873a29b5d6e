//! What calls of models read, as it was when the run was submitted: the snapshot, the pack, the endpoints, the prices.

use deed_canon::{ContentHash, to_canonical_of};
use deed_desk::Desk;
use deed_llm::{Limiter, Provider, provider};
use deed_model::{FROZEN_MODELS_VERSION, FrozenModels, ModelId, ModelPrice, ProfileSnapshot, RunRequest};
use deed_ports::{BlobRead, BlobWrite, StoreError, StoreErrorKind};
use deed_reach::Rules;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};

/// The size limit of the document, in bytes.
const LARGEST: u64 = 64 << 20;

/// The desk of a run, with everything that its calls need.
pub(crate) struct RunModels {
    pub(crate) desk: Desk,
    pub(crate) frozen: FrozenModels,
    limiters: Mutex<BTreeMap<String, Arc<Limiter>>>,
    /// Held while the occurrence of a call is determined and written down.
    pub(crate) beginning: Mutex<()>,
}

/// Stores what calls of models read, and returns the hash of the blob.
pub(crate) fn freeze(frozen: &FrozenModels, blobs: &dyn BlobWrite) -> Result<ContentHash, StoreError> {
    let bytes = to_canonical_of(frozen).map_err(|error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("what models read has no canonical form: {error}"))
    })?;
    Ok(blobs.put(&mut bytes.as_slice())?.sha256)
}

/// Reads what calls of models read. It has to be what the request names.
///
/// # Errors
/// The reason in words.
pub(crate) fn check(blob: &ContentHash, blobs: &dyn BlobRead) -> Result<FrozenModels, String> {
    let mut bytes = Vec::new();
    let reader = blobs.open(blob).map_err(|error| error.message)?;
    reader.take(LARGEST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if ContentHash::of_bytes(&bytes) != *blob {
        return Err("its bytes were altered".to_owned());
    }
    let frozen: FrozenModels = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    match frozen.version {
        FROZEN_MODELS_VERSION => Ok(frozen),
        other => Err(format!("it has the version {other}, which this program does not read")),
    }
}

impl RunModels {
    /// Opens the desk of a run; none for a run that may ask no model.
    ///
    /// # Errors
    /// What was frozen is missing, was altered or cannot be used; the reason in words.
    pub(crate) fn of_run(request: &RunRequest, blobs: &dyn BlobRead) -> Result<Option<Self>, String> {
        let (Some(profile), Some(blob)) = (&request.profile, &request.models_blob) else { return Ok(None) };
        let snapshot = crate::profile::load(profile, blobs)?;
        let frozen = check(blob, blobs)?;
        Self::open(snapshot, frozen).map(Some)
    }

    /// Opens a desk.
    ///
    /// # Errors
    /// The pack cannot be used; the reason in words.
    pub(crate) fn open(snapshot: ProfileSnapshot, frozen: FrozenModels) -> Result<Self, String> {
        let desk = Desk::open(snapshot, &frozen.pack, &frozen.tenant_id, frozen.classification);
        let desk = desk.map_err(|refusal| refusal.message)?;
        Ok(Self { desk, frozen, limiters: Mutex::default(), beginning: Mutex::default() })
    }

    /// Returns the provider of a model, at its frozen endpoint.
    ///
    /// # Errors
    /// The provider is unknown or has no frozen endpoint; the reason in words.
    pub(crate) fn provider(&self, model: &ModelId) -> Result<Provider, String> {
        provider_at(&self.frozen, model)
    }

    /// Returns the egress rules of a provider: its one frozen rule.
    ///
    /// # Errors
    /// The reason in words.
    pub(crate) fn rules(&self, provider: &str) -> Result<Rules, String> {
        rules_of(&self.frozen, provider)
    }

    /// Returns the price of a model.
    pub(crate) fn price(&self, model: &ModelId) -> Option<&ModelPrice> {
        deed_llm::price_of(&self.frozen.prices, model)
    }

    /// Returns the limiter of a provider, which all its calls in this run share.
    pub(crate) fn limiter(&self, provider: &Provider) -> Arc<Limiter> {
        let mut limiters = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || Arc::new(Limiter::new(provider.concurrency, provider.requests_per_minute));
        limiters.entry(provider.name.clone()).or_insert_with(made).clone()
    }
}

/// Returns the provider of a model, at its frozen endpoint.
pub(crate) fn provider_at(frozen: &FrozenModels, model: &ModelId) -> Result<Provider, String> {
    let name = model.provider();
    let own = provider(name).map_err(|error| error.message)?;
    let endpoint = frozen.endpoints.get(name).ok_or_else(|| format!("the run has no endpoint of `{name}`"))?;
    own.at(&endpoint.base_url, endpoint.local)
}

/// Returns the egress rules of a provider.
pub(crate) fn rules_of(frozen: &FrozenModels, provider: &str) -> Result<Rules, String> {
    let endpoint = frozen.endpoints.get(provider).ok_or_else(|| format!("the run has no endpoint of `{provider}`"))?;
    Rules::read(vec![endpoint.rule.clone()])
        .map_err(|faults| faults.first().map_or_else(String::new, ToString::to_string))
}
