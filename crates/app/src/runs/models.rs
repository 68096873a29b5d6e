//! What calls of models read besides the profile: the pack, the endpoints under the profile's egress, and the prices.

use crate::error::AppError;
use crate::models::local;
use crate::packs::{self, PackChoice};
use crate::session::Session;
use deed_desk::builtin_pack;
use deed_diag::{Diagnostic, Report, codes, quote};
use deed_llm::Provider;
use deed_model::{
    BindingSlot, Classification, CompiledPlan, EgressRule, FROZEN_MODELS_VERSION, FrozenEndpoint, FrozenModels,
    FrozenPack, ModelId, ModelPrice, PackSource, PriceTable, ProfileSnapshot,
};
use deed_pack::Purpose;
use deed_reach::{Location, covers};
use deed_runtime::asked_consumers;
use std::collections::{BTreeMap, BTreeSet};

/// Gathers what the models of a run read; none if no step may ask one, or the profile binds none.
///
/// # Errors
/// The provider is unknown, its endpoint cannot be used, no egress rule covers it, or the pack may not be used.
pub(super) fn frozen(
    session: &Session,
    plan: &CompiledPlan,
    snapshot: &ProfileSnapshot,
    classification: Option<Classification>,
    warnings: &mut Report,
) -> Result<Option<FrozenModels>, AppError> {
    match asked_consumers(plan, snapshot).as_slice() {
        [] => Ok(None),
        slots => gathered(session, snapshot, slots, classification, warnings).map(Some),
    }
}

/// Gathers what the models of some consumers read.
///
/// # Errors
/// As for [`frozen`].
pub(super) fn gathered(
    session: &Session,
    snapshot: &ProfileSnapshot,
    slots: &[BindingSlot],
    classification: Option<Classification>,
    warnings: &mut Report,
) -> Result<FrozenModels, AppError> {
    // `none` names no provider.
    let bound = slots.iter().filter_map(|slot| snapshot.bindings.get(&slot.name())?.model_binding_ref.parse().ok());
    let bound: BTreeSet<ModelId> = bound.collect();
    let mut endpoints = BTreeMap::new();
    for model in &bound {
        let provider = provider(snapshot, model)?;
        endpoints.insert(provider.name.clone(), endpoint(snapshot, &provider)?);
    }
    let builtin = deed_llm::builtin_prices();
    let models: Vec<ModelPrice> = builtin.models.into_iter().filter(|price| bound.contains(&price.model)).collect();
    Ok(FrozenModels {
        version: FROZEN_MODELS_VERSION,
        tenant_id: session.home()?.config.tenant,
        classification: classification.unwrap_or(Classification::Internal),
        pack: pack(session, snapshot, warnings)?,
        endpoints,
        prices: PriceTable { models, ..builtin_head() },
    })
}

/// The head of the price table, without models.
fn builtin_head() -> PriceTable {
    PriceTable { models: Vec::new(), ..deed_llm::builtin_prices() }
}

/// The pack that the profile pins, or the one of the binary.
fn pack(session: &Session, snapshot: &ProfileSnapshot, warnings: &mut Report) -> Result<FrozenPack, AppError> {
    let Some(reference) = &snapshot.context_pack_ref else { return Ok(builtin_pack()) };
    let choice = PackChoice { pack: reference.clone(), environment: None };
    let read = packs::usable(session, &choice, Purpose::NewWork, warnings)?;
    let overlays = read.bundle.overlays.iter().map(|(name, document)| (name.clone(), document.value().clone()));
    Ok(FrozenPack {
        document: read.bundle.document.value().clone(),
        overlays: overlays.collect(),
        selected: read.bound_overlays().to_vec(),
        source: PackSource { origin: Some(read.origin), named_by: None },
    })
}

/// The provider of a model, at the endpoint that the profile names for it.
fn provider(snapshot: &ProfileSnapshot, model: &ModelId) -> Result<Provider, AppError> {
    let own = deed_llm::provider(model.provider());
    let own = own.map_err(|error| AppError::refused(deed_llm::diagnostic(&error)))?;
    let named = snapshot.model_endpoints.get(&own.name);
    // A server that `deed models local serve` started, unless the profile names another address.
    let own = if named.is_none() { local::provider_of(model)? } else { own };
    let name = own.name.clone();
    let bad = |why: String| {
        let message =
            format!("the endpoint of `{name}` in {} cannot be used: {why}", quote(&snapshot.profile_ref.to_string()));
        let help = "write `base_url: https://models.acme.example/v1`, and the key as `secret: secret://name`";
        AppError::refused(Diagnostic::error(codes::BAD_MODEL_ENDPOINT, message).stage("profile").help(help))
    };
    match named {
        None if own.base_url.is_none() => Err(bad("the provider has no address of its own".to_owned())),
        None => Ok(own),
        Some(endpoint) => {
            let own = own.at(&endpoint.base_url, endpoint.private_addresses).map_err(bad)?;
            Ok(match &endpoint.secret {
                Some(secret) => own.with_secret(secret),
                None => own,
            })
        }
    }
}

/// The endpoint of a provider, under the egress rule of the profile that covers it.
fn endpoint(snapshot: &ProfileSnapshot, provider: &Provider) -> Result<FrozenEndpoint, AppError> {
    let refused = |why: String| {
        let message =
            format!("no egress rule of {} lets calls of models out: {why}", quote(&snapshot.profile_ref.to_string()));
        let help =
            "add a rule under `egress` of the profile, with `methods: [POST]`, the host and the port of the provider";
        AppError::refused(Diagnostic::error(codes::MODEL_ENDPOINT_NOT_ALLOWED, message).stage("profile").help(help))
    };
    let rules = provider.rules().map_err(&refused)?;
    let base_url = provider.base_url.clone().ok_or_else(|| refused("it has no address".to_owned()))?;
    let below = Location::read(&base_url).ok().map(|location| location.path.as_str().trim_end_matches('/').to_owned());
    let own = rules.rules().first().cloned().ok_or_else(|| refused("it has no address".to_owned()))?;
    let paths = below.filter(|path| !path.is_empty()).map(|path| format!("{path}/*")).into_iter().collect();
    let own = EgressRule { paths, ..own };
    // The key is a secret of the workspace: the profile's own rule may name another one.
    let bare = EgressRule { credential: None, headers: Vec::new(), ..own.clone() };
    let wide = snapshot.power.egress.iter().find(|wide| covers(wide, &bare));
    let wide = wide.ok_or_else(|| refused(format!("{} at {base_url}", provider.name)))?;
    let rule = EgressRule { credential: wide.credential.clone().or_else(|| own.credential.clone()), ..own };
    Ok(FrozenEndpoint { base_url, local: provider.local, rule })
}
