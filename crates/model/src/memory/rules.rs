//! The rules of a pack that a proposal is judged by.

use crate::{Classification, MemoryScope, PackOrigin, PackRef};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The memory rules of a pack, as they stood when a proposal was judged. They are stored with it, so that the judgement can
/// be repeated without the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryRules {
    /// The version of the pack.
    pub pack_ref: PackRef,
    /// The hash of the pack with its overlays.
    #[schemars(with = "String")]
    pub pack_hash: ContentHash,
    /// The origin of the pack. One that was not proven promotes nothing without a review.
    pub pack_origin: PackOrigin,
    /// The tenant of the pack.
    pub tenant_id: String,
    /// The classification of the pack: the highest that a memory may have.
    pub data_classification: Classification,
    /// The intents of the pack.
    pub intents: Vec<String>,
    /// The tiers to which the pack gives a lifetime.
    pub tiers: Vec<TierLifetime>,
    /// The classes that may be written.
    pub write_classes_allowed: Vec<String>,
    /// True if personal data may be written, with consent. False where the pack does not say.
    pub pii_write_back_allowed: bool,
    /// The confidence from which no person is asked; without one a person is always asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_promote_confidence: Option<f64>,
    /// The scope in which a memory is shared.
    pub scope: MemoryScope,
}

/// The lifetime of a tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TierLifetime {
    /// The tier.
    pub tier: String,
    /// Its lifetime in seconds.
    pub ttl_seconds: i64,
}
