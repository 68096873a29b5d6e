//! The types that a run uses, frozen when it is submitted.

use crate::catalog::{AdapterDeclaration, EntitySchemaId, Kind};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of [`FrozenTypes`].
pub const FROZEN_TYPES_VERSION: u32 = 1;

/// The part of the catalogue that the contracts of a run name. The run reads it from its blob from then on, so editing
/// or deleting a pack does not affect a submitted run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenTypes {
    /// The version of this format.
    pub version: u32,
    /// The hash of the whole catalogue that the types were taken from.
    #[schemars(with = "String")]
    pub catalog_hash: ContentHash,
    /// Entity schemas, sorted by id.
    pub entities: Vec<FrozenEntity>,
    /// Kinds, sorted by key.
    pub kinds: Vec<Kind>,
    /// Declarations of adapters, sorted by id.
    pub adapters: Vec<AdapterDeclaration>,
}

/// An entity schema as of the submission of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenEntity {
    /// Its id.
    pub entity_schema_id: EntitySchemaId,
    /// The hash that contracts name it by.
    #[schemars(with = "String")]
    pub entity_hash: ContentHash,
    /// Its JSON Schema.
    pub schema: Value,
}
