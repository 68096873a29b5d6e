//! Artifact identity, issuer and compatibility.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The issuer of the contract and its requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ContractMeta {
    /// Stable name of the contract.
    #[schemars(length(min = 1))]
    pub contract_name: String,
    /// Version of the contract's schema: three numbers, independent of the pack's version.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub contract_version: String,
    /// The tenant or authority that publishes; its key signs.
    #[schemars(length(min = 1))]
    pub issuer: String,
    /// The time of writing, in RFC 3339.
    pub created_at: String,
    /// The requirements of the pack.
    pub compatibility: Compatibility,
    /// A sentence about the purpose of the pack; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Contact; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// The requirements of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Compatibility {
    /// Version ranges by component (`runtime`, `ontology`): comparators joined by commas, all of which must hold.
    pub requires: BTreeMap<String, String>,
}
