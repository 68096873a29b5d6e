//! Everything that calls of models read besides the profile's snapshot, frozen when a run is submitted.

use super::egress::EgressRule;
use crate::Classification;
use crate::context::PackSource;
use crate::models::PriceTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of this format.
pub const FROZEN_MODELS_VERSION: u32 = 1;

/// What calls of models read besides the snapshot: the pack, the endpoints and the prices. Nothing outside of both can
/// change what a run asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenModels {
    /// The version of this format.
    pub version: u32,
    /// The tenant of the run.
    pub tenant_id: String,
    /// The classification of what models read.
    pub classification: Classification,
    /// The pack that contexts are compiled from.
    pub pack: FrozenPack,
    /// The endpoints of the providers that are bound, by provider.
    pub endpoints: BTreeMap<String, FrozenEndpoint>,
    /// The prices of the models that are bound.
    pub prices: PriceTable,
}

/// A pack with its overlays, as documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenPack {
    /// The pack as authored.
    pub document: Value,
    /// All its overlays, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overlays: BTreeMap<String, Value>,
    /// The names of those that are applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<String>,
    /// The origin of the pack.
    #[serde(default, skip_serializing_if = "PackSource::is_unstated")]
    pub source: PackSource,
}

/// The endpoint of a provider, and the egress rule under which it is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenEndpoint {
    /// The URL that the paths of calls are appended to.
    pub base_url: String,
    /// True if the host may have a private or loopback address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub local: bool,
    /// The rule, with the credential that is added outside the sandbox.
    pub rule: EgressRule,
}
